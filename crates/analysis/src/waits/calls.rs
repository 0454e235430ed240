//! The wait state of a call, of those of its operations.

use super::enclosing_call::EnclosingCall;
use super::kind::WaitKind;
use super::state::FoundWait;
use foldhash::HashMap;
use kymo_otf2::references::LocationRef;
use std::cmp::Reverse;
use std::collections::hash_map::Entry;

/// The calls whose operations are not all joined.
#[derive(Debug, Default)]
pub(super) struct CallWaits {
    unfinished: HashMap<(LocationRef, u64), UnfinishedWait>,
}

#[derive(Debug)]
struct UnfinishedWait {
    /// The number of operations that are not joined.
    left: u64,
    longest: Option<(FoundWait, u64)>,
}

/// Orders the wait states of a call, with the places of their operations. The greatest one counts:
/// the longest, of equal ones a late sender, then the first.
fn order((FoundWait { wait, .. }, place): &(FoundWait, u64)) -> (u64, Reverse<WaitKind>, Reverse<u64>) {
    (wait.time(), Reverse(wait.kind), Reverse(*place))
}

impl CallWaits {
    /// Adds the wait state for an operation, if it has one. Returns that of the call if this was
    /// the last operation.
    pub(super) fn add(
        &mut self,
        location: LocationRef,
        call: &EnclosingCall,
        wait: Option<FoundWait>,
    ) -> Option<FoundWait> {
        if call.waiting <= 1 {
            return wait;
        }
        let wait = wait.map(|wait| (wait, call.place));
        let mut entry = match self.unfinished.entry((location, call.call)) {
            Entry::Occupied(entry) => entry,
            Entry::Vacant(entry) => entry.insert_entry(UnfinishedWait { left: call.waiting, longest: None }),
        };
        let unfinished = entry.get_mut();
        unfinished.left -= 1;
        if let Some(wait) = wait {
            unfinished.longest = unfinished.longest.take().into_iter().chain([wait]).max_by_key(order);
        }
        if unfinished.left > 0 {
            return None;
        }
        entry.remove().longest.map(|it| it.0)
    }

    /// Returns the wait states of the calls in which operations have no partner.
    pub(super) fn finish(self) -> Vec<FoundWait> {
        let mut waits: Vec<_> = self.unfinished.into_values().filter_map(|it| it.longest).collect();
        waits.sort_by_key(|(FoundWait { wait, .. }, _)| (wait.start, wait.location, wait.call));
        waits.into_iter().map(|it| it.0).collect()
    }
}
