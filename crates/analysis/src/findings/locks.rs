//! Waiting for locks that others have.

use super::finding::{Certainty, Fact, Finding, nanoseconds, share};
use super::run::Run;
use crate::waits::WaitKind;
use kymo_otf2::references::LocationRef;
use std::collections::{BTreeMap, BTreeSet};

fn is_lock(kind: WaitKind) -> bool {
    use WaitKind::{IoLock, OmpCritical, OmpLock, PthreadMutex, PthreadRwlock, RmaLock};
    matches!(kind, IoLock | OmpCritical | OmpLock | PthreadMutex | PthreadRwlock | RmaLock)
}

/// Returns the waiting for locks.
///
/// The gain is the mean time that a thread waits.
pub(super) fn of(run: &Run<'_>) -> Vec<Finding> {
    let waits = &run.causes.statistics.waits;
    let mut caused: BTreeMap<LocationRef, u128> = BTreeMap::new();
    for ((_, cause), time) in waits.caused.iter().filter(|((kind, _), _)| is_lock(*kind)) {
        *caused.entry(*cause).or_default() += time;
    }
    let time = caused.values().sum();
    let most = caused.into_iter().rev().max_by_key(|(_, time)| *time);
    let (Some((kind, place)), Some((location, of_it))) = (run.main_wait(is_lock), most) else {
        return Vec::new();
    };
    let waiting: BTreeSet<_> =
        waits.suffered.keys().filter(|(kind, _)| is_lock(*kind)).map(|(_, location)| location).collect();
    let fact = Fact::Locks { time, place, kind, location: (location, share(of_it, time)) };
    let gain = nanoseconds(time / (waiting.len() as u128).max(1));
    let evidence = run.longest_wait_for(location);
    vec![Finding { fact, gain, certainty: Certainty::Estimated, evidence }]
}
