//! Origins that wait for a lock of a window that another process has.
//!
//! MPI may grant a lock only when an operation needs it, so that `MPI_Win_flush` or
//! `MPI_Win_unlock` waits in place of `MPI_Win_lock`. The first of these calls in which a lock that
//! conflicts was released is the one that waited. The event of a release may be later than the
//! release, so that another process already has the lock. So a call after `MPI_Win_lock` waited
//! only if both processes had returned from that before: if it granted locks, both would have had
//! it.

use super::operation::WindowLock;
use super::releases::{Release, Releases};
use crate::communicators::Process;
use crate::waits::{EnclosingCall, WaitKind, WaitState};
use foldhash::HashMap;
use kymo_otf2::references::LocationRef;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The largest number of locks that a process has at the same time.
const MOST_LOCKS: usize = 1 << 10;
/// The largest number of calls for a lock that are kept.
const MOST_CALLS: usize = 8;

/// A lock of a process, from its request to its release.
#[derive(Debug)]
struct LockEpoch {
    process: Process,
    lock: WindowLock,
    is_exclusive: bool,
    /// The calls that may have waited, in their order.
    calls: Vec<LockCall>,
    /// Whether it is known to be acquired, so that later calls do not wait.
    is_acquired: bool,
}

/// A call that may have waited for a lock.
#[derive(Debug, Clone, Copy)]
struct LockCall {
    location: LocationRef,
    call: EnclosingCall,
    /// The target, or all.
    lock: WindowLock,
    /// Whether it neither requests nor acquires the lock.
    is_later: bool,
}

/// Who calls, and in which call.
#[derive(Debug, Clone, Copy)]
pub(super) struct LockCaller {
    pub(super) location: LocationRef,
    pub(super) process: Process,
    pub(super) call: EnclosingCall,
    /// Whether the call can wait: it is no test.
    pub(super) blocks: bool,
}

/// The locks of windows, in the order of time.
#[derive(Debug, Default)]
pub(super) struct WindowLocks {
    held: HashMap<Process, Vec<LockEpoch>>,
    releases: Releases,
    /// The locks that are released in calls that have not ended, by the ends of these, locations
    /// and numbers.
    released: BTreeMap<(u64, LocationRef, u64), Vec<LockEpoch>>,
}

impl WindowLocks {
    /// Finds who waited for locks that they have released in calls that have ended up to a time,
    /// before the operations at that time.
    pub(super) fn resolve(&mut self, until: u64, found: &mut Vec<WaitState>) {
        while let Some(first) = self.released.first_entry().filter(|it| it.key().0 <= until) {
            let epochs = first.remove();
            let waits = epochs.iter().filter_map(|it| Some((it.process, it.wait(&self.releases)?)));
            let mut waits: Vec<_> = waits.collect();
            // A call has one wait state, the longest.
            waits.sort_by_key(|(_, it)| (it.location, it.call, Reverse(it.time())));
            waits.dedup_by_key(|(_, it)| (it.location, it.call));
            for (process, wait) in waits {
                self.forget_call(process, &wait);
                found.push(wait);
            }
        }
    }

    /// Forgets a call that waited for one lock in the other locks of the process.
    fn forget_call(&mut self, process: Process, wait: &WaitState) {
        let is_it = |it: &LockCall| (it.location, it.call.call) == (wait.location, wait.call);
        for epoch in self.held.get_mut(&process).into_iter().flatten() {
            epoch.calls.retain(|it| !is_it(it));
        }
    }

    /// A lock is requested.
    pub(super) fn request(&mut self, by: &LockCaller, lock: WindowLock, is_exclusive: bool) {
        let mut epoch =
            LockEpoch { process: by.process, lock, is_exclusive, calls: Vec::new(), is_acquired: false };
        epoch.may_wait(by, lock, false);
        let held = self.held.entry(by.process).or_default();
        held.retain(|it| it.lock != lock);
        if held.len() >= MOST_LOCKS {
            held.remove(0);
        }
        held.push(epoch);
    }

    /// A lock is acquired.
    pub(super) fn acquire(&mut self, by: &LockCaller, lock: WindowLock, is_exclusive: bool) {
        if !self.held.get(&by.process).is_some_and(|held| held.iter().any(|it| it.lock == lock)) {
            self.request(by, lock, is_exclusive);
        }
        let mut held = self.held.get_mut(&by.process).into_iter().flatten();
        if let Some(epoch) = held.find(|it| it.lock == lock) {
            epoch.may_wait(by, lock, false);
            epoch.is_acquired = true;
        }
    }

    /// A call completes operations on a target, there or at the origin.
    pub(super) fn flush(&mut self, by: &LockCaller, target: WindowLock, is_at_target: bool) {
        let mut held = self.held.get_mut(&by.process).into_iter().flatten();
        if let Some(epoch) = held.find(|it| it.lock.is_for(&target)) {
            epoch.may_wait(by, WindowLock { id: epoch.lock.id, ..target }, true);
            epoch.is_acquired |= is_at_target;
        }
    }

    /// A lock is released at a time.
    pub(super) fn release(&mut self, by: &LockCaller, lock: WindowLock, time: u64) {
        let Some(held) = self.held.get_mut(&by.process) else { return };
        let Some(place) = held.iter().position(|it| it.lock == lock) else { return };
        let mut epoch = held.remove(place);
        epoch.may_wait(by, lock, true);
        let (process, location, start) = (by.process, by.location, by.call.start);
        let release = Release { process, location, returned: epoch.returned(), start, time };
        self.releases.add(lock, epoch.is_exclusive, release);
        self.released.entry((by.call.end, by.location, by.call.call)).or_default().push(epoch);
    }

    /// Finds who waited for locks that are not released.
    pub(super) fn finish(&mut self, found: &mut Vec<WaitState>) {
        self.resolve(u64::MAX, found);
        for epoch in std::mem::take(&mut self.held).into_values().flatten() {
            // All of them at once, as if they were released then.
            let last = (u64::MAX, LocationRef::UNDEFINED, 0);
            self.released.entry(last).or_default().push(epoch);
        }
        self.resolve(u64::MAX, found);
    }
}

impl LockEpoch {
    /// Returns when the call returned that requested the lock.
    fn returned(&self) -> u64 {
        self.calls.first().map_or(0, |first| first.call.end)
    }

    /// Adds a call that may have waited, unless that cannot be.
    fn may_wait(&mut self, by: &LockCaller, lock: WindowLock, is_later: bool) {
        let is_new = self.calls.last().is_none_or(|last| last.call.call != by.call.call);
        if by.blocks && is_new && !self.is_acquired && self.calls.len() < MOST_CALLS {
            self.calls.push(LockCall { location: by.location, call: by.call, lock, is_later });
        }
    }

    /// Returns the wait of the first call in which another process released the lock.
    fn wait(&self, releases: &Releases) -> Option<WaitState> {
        self.calls.iter().find_map(|LockCall { location, call, lock, is_later }| {
            let is_in_call = |it: &Release| {
                let is_possible = !is_later || it.returned <= call.start;
                call.start < it.time && it.start < call.end && is_possible
            };
            let release = releases.latest(*lock, self.is_exclusive, self.process, is_in_call)?;
            // Its event may be later than that.
            let cause = (release.location, release.time.min(call.end));
            WaitState::new(WaitKind::RmaLock, *location, call, [call.start, call.end], cause)
        })
    }
}
