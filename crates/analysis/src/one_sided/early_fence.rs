//! Accesses to the memory of members of a fence that are not complete when these have come to it.

use super::operation::Access;
use crate::waits::{WaitKind, WaitState};
use foldhash::HashMap;
use kymo_otf2::references::{LocationRef, RmaWinRef};
use std::collections::BTreeMap;

/// The largest number of collective operations of a window whose accesses are kept.
const MOST: u64 = 64;

/// The accesses before collective operations of windows that are not complete.
#[derive(Debug, Default)]
pub(super) struct FenceAccesses {
    /// By window, and by the number of the operation.
    before: BTreeMap<(RmaWinRef, u64), AccessesBefore>,
}

/// The accesses before a collective operation, by their targets.
#[derive(Debug)]
pub(crate) struct AccessesBefore {
    pub(super) window: RmaWinRef,
    targets: HashMap<LocationRef, TargetAccesses>,
}

/// The accesses of others to the memory of a target.
#[derive(Debug, Default)]
struct TargetAccesses {
    /// The number of those whose end is not known.
    open: u64,
    /// When the last one ended whose end is known.
    end: u64,
}

impl FenceAccesses {
    /// Adds an access to the memory of another process.
    pub(super) fn access(&mut self, of: Access, target: LocationRef) {
        self.of(of, target).open += 1;
    }

    /// Adds the time at which accesses were complete at the target.
    pub(super) fn completion(&mut self, of: Access, target: LocationRef, count: u64, time: u64) {
        if count > 0 {
            let accesses = self.of(of, target);
            accesses.open = accesses.open.saturating_sub(count);
            accesses.end = accesses.end.max(time);
        }
    }

    fn of(&mut self, Access { window, collective, .. }: Access, target: LocationRef) -> &mut TargetAccesses {
        // If members are missing, nobody asks for those before.
        if let Some(end) = collective.checked_sub(MOST)
            && let Some((&first, _)) = self.before.range((window, 0)..=(window, end)).next()
        {
            self.before.remove(&first);
        }
        let new = || AccessesBefore { window, targets: HashMap::default() };
        self.before.entry((window, collective)).or_insert_with(new).targets.entry(target).or_default()
    }

    /// Returns the accesses before a collective operation, and forgets them.
    pub(super) fn take(&mut self, window: RmaWinRef, collective: u64) -> Option<AccessesBefore> {
        self.before.remove(&(window, collective))
    }
}

impl AccessesBefore {
    /// Returns the wait of a member for the last one, with the part until the last access to its
    /// memory was complete, if that is known of all.
    pub(super) fn early_fence(&self, wait: WaitState, member: LocationRef) -> WaitState {
        match self.targets.get(&member) {
            Some(accesses) if wait.kind == WaitKind::RmaFence && accesses.open == 0 => {
                let part = accesses.end.min(wait.end).saturating_sub(wait.start);
                wait.with_part(part)
            }
            _ => wait,
        }
    }
}
