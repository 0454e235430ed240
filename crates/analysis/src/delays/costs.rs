//! The costs of delays.

use crate::contexts::ContextId;
use crate::waits::WaitKind;
use kymo_otf2::references::LocationRef;
use std::collections::BTreeMap;

/// Whether those that waited because of a delay made others wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DelayTerm {
    /// The waiting for the location itself.
    Short,
    /// The waiting for locations that waited because of the delay.
    Long,
}

impl DelayTerm {
    /// Returns the name for programs.
    pub fn key(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Long => "long",
        }
    }
}

/// The costs of delays, in nanoseconds of waiting.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Delays {
    /// By the kind of wait state, and the location and the calling context that were late;
    /// [`ContextId::ROOT`] is in no call.
    pub costs: BTreeMap<(WaitKind, DelayTerm, LocationRef, ContextId), f64>,
    /// The rest: waiting for which no delay was found.
    pub unattributed: BTreeMap<WaitKind, f64>,
}

impl Delays {
    /// Returns all costs and the unattributed times: the waiting that was divided.
    pub fn total(&self) -> f64 {
        self.costs.values().chain(self.unattributed.values()).fold(0.0, |sum, time| sum + time)
    }

    /// Gives the contexts new ids, by the present ones.
    pub(crate) fn rename(&mut self, ids: &[ContextId]) {
        let costs = std::mem::take(&mut self.costs).into_iter();
        let new = |id: ContextId| ids.get(id.index()).copied().unwrap_or(ContextId::ROOT);
        self.costs =
            costs.map(|((kind, term, location, id), cost)| ((kind, term, location, new(id)), cost)).collect();
    }
}
