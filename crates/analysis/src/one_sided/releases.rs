//! The last releases of locks of windows.

use super::operation::{ALL_TARGETS, WindowLock};
use crate::communicators::Process;
use foldhash::HashMap;
use kymo_otf2::references::LocationRef;
use std::collections::VecDeque;

/// The largest number of releases of a lock that are kept, shared and exclusive ones each.
const MOST: usize = 64;
/// The largest number of locks whose releases are kept.
const MOST_LOCKS: usize = 1 << 16;

/// A lock was released.
#[derive(Debug, Clone, Copy)]
pub(super) struct Release {
    pub(super) process: Process,
    pub(super) location: LocationRef,
    /// When the call ended that requested it.
    pub(super) returned: u64,
    /// When the call began that released it.
    pub(super) start: u64,
    /// When it was released; the event can be later than that.
    pub(super) time: u64,
}

/// The releases of a lock, in the order of time.
#[derive(Debug, Default)]
struct OfLock {
    shared: VecDeque<Release>,
    exclusive: VecDeque<Release>,
}

/// The last releases of all locks.
#[derive(Debug, Default)]
pub(super) struct Releases {
    of_target: HashMap<WindowLock, OfLock>,
    /// Those for any targets, by the lock of all targets.
    of_window: HashMap<WindowLock, OfLock>,
}

impl Releases {
    pub(super) fn add(&mut self, lock: WindowLock, is_exclusive: bool, release: Release) {
        let of_all = WindowLock { target: ALL_TARGETS, ..lock };
        for (releases, lock) in [(&mut self.of_target, lock), (&mut self.of_window, of_all)] {
            if releases.len() >= MOST_LOCKS && !releases.contains_key(&lock) {
                releases.clear();
            }
            let of_lock = releases.entry(lock).or_default();
            let kept = if is_exclusive { &mut of_lock.exclusive } else { &mut of_lock.shared };
            kept.push_back(release);
            if kept.len() > MOST {
                kept.pop_front();
            }
        }
    }

    /// Returns the last release of another process in a call, of a lock that conflicts: for the
    /// same target, and exclusive unless this one is.
    pub(super) fn latest(
        &self,
        lock: WindowLock,
        is_exclusive: bool,
        process: Process,
        is_in_call: impl Fn(&Release) -> bool,
    ) -> Option<Release> {
        let of_all = WindowLock { target: ALL_TARGETS, ..lock };
        let found = match lock.target {
            ALL_TARGETS => [self.of_window.get(&of_all), None],
            _ => [self.of_target.get(&lock), self.of_target.get(&of_all)],
        };
        let is_it = |it: &&Release| it.process != process && is_in_call(it);
        let latest = found.into_iter().flatten().flat_map(|of_lock| {
            // Only one process at a time has it: the last one began to release it last.
            let exclusive = of_lock.exclusive.iter().filter(is_it).max_by_key(|it| it.start);
            let shared = of_lock.shared.iter().rev().find(is_it).filter(|_| is_exclusive);
            [exclusive, shared]
        });
        latest.flatten().copied().max_by_key(|it| it.time)
    }
}
