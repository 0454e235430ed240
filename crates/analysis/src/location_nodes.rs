//! The nodes of the machine on which locations run.

use crate::trace::Trace;
use foldhash::HashMap;
use kymo_otf2::references::{LocationRef, SystemTreeNodeRef};

/// The nodes of the locations that were asked for.
#[derive(Debug, Default)]
pub(crate) struct LocationNodes(HashMap<LocationRef, SystemTreeNodeRef>);

impl LocationNodes {
    /// Returns the node of a location.
    pub(crate) fn of(&mut self, trace: &Trace, location: LocationRef) -> SystemTreeNodeRef {
        let find = || {
            let group = trace.location(location).map(|it| it.group).unwrap_or_default();
            trace.node_of(group)
        };
        *self.0.entry(location).or_insert_with(find)
    }
}
