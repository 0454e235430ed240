//! The length of messages that sends do not wait with for the receiver.
//!
//! OTF2 does not record the protocol of a message. A message that was sent completely before its
//! receive was posted was buffered; a late receiver of a message that is not longer is doubtful.

use super::state::WaitState;
use crate::location_nodes::LocationNodes;
use crate::trace::Trace;
use foldhash::HashMap;
use kymo_otf2::references::{LocationRef, SystemTreeNodeRef};

/// The number of buffered messages between two nodes from which on they have a limit of their own:
/// inside a node and between nodes it differs.
const ENOUGH: u64 = 100;

/// The longest messages that were buffered.
#[derive(Debug, Default)]
pub(super) struct EagerLimits {
    /// The longest of all, if there is one.
    longest: Option<u64>,
    /// The number and the longest by the two nodes, in the order of their ids.
    pairs: HashMap<[SystemTreeNodeRef; 2], (u64, u64)>,
    nodes: LocationNodes,
}

impl EagerLimits {
    fn nodes(&mut self, trace: &Trace, locations: [LocationRef; 2]) -> [SystemTreeNodeRef; 2] {
        let mut nodes = locations.map(|location| self.nodes.of(trace, location));
        nodes.sort_unstable();
        nodes
    }

    /// Adds a message that was buffered.
    pub(super) fn add(&mut self, trace: &Trace, sender: LocationRef, receiver: LocationRef, length: u64) {
        self.longest = self.longest.max(Some(length));
        let nodes = self.nodes(trace, [sender, receiver]);
        let (count, longest) = self.pairs.entry(nodes).or_default();
        *count += 1;
        *longest = length.max(*longest);
    }

    /// Returns whether the message of a late receiver may have been buffered.
    pub(super) fn may_be_buffered(&mut self, trace: &Trace, wait: &WaitState) -> bool {
        let nodes = self.nodes(trace, [wait.location, wait.cause]);
        let of_pair = self.pairs.get(&nodes).filter(|(count, _)| *count >= ENOUGH).map(|it| it.1);
        !wait.is_synchronous && of_pair.or(self.longest).is_some_and(|longest| wait.length <= longest)
    }
}
