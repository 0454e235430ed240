//! Which creation the id of a thread stands for.
//!
//! An id belongs to a thread until that is joined or detached; the C library may give it to another one before the call that did so returns.
//! Invariants: what an id stands for is looked up while it belongs to the thread, before the call, and forgotten afterwards unless it
//! stands for another creation by then; only threads that can be joined are known, those from before anybody can have their id.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_int;
use std::sync::{Mutex, MutexGuard, PoisonError};

use libc::pthread_t;

use crate::measurement::Creation;
use crate::next::keeping_errno;

/// Threads that can be joined.
pub(crate) struct Threads {
    by_id: BTreeMap<pthread_t, Creation>,
    /// Creations known from one of the two who tell of them, the creating thread and the new one, by their numbers.
    told_once: BTreeSet<u32>,
}

static THREADS: Mutex<Threads> = Mutex::new(Threads::NONE);

impl Threads {
    const NONE: Self = Self { by_id: BTreeMap::new(), told_once: BTreeSet::new() };
}

pub(super) type Hold = MutexGuard<'static, Threads>;

/// Keeps it from changing, while the process forks.
pub(super) fn hold() -> Hold {
    THREADS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// In a forked child: the threads of the parent are not here.
pub(super) fn forget_all() {
    *hold() = Threads::NONE;
}

/// A thread was created that can be joined. Both tell: the creating thread before anybody can have the id from it, and the new one before it
/// does what it is for. Only the first one is asked for the id: at the second, it may belong to another thread already.
pub(super) fn tell(creation: Creation, id: impl FnOnce() -> pthread_t) {
    let mut threads = hold();
    if !threads.told_once.remove(&creation.sequence) {
        threads.told_once.insert(creation.sequence);
        threads.by_id.insert(id(), creation);
    }
}

/// Joins or detaches a thread with `next`, which says 0 if it did: the creation of the thread, as long as the id is its own.
///
/// A thread can be cancelled in `next`; nothing has to be dropped then.
pub(super) fn release(id: pthread_t, next: impl FnOnce() -> c_int) -> (c_int, Option<Creation>) {
    let creation = keeping_errno(|| hold().by_id.get(&id).copied());
    let result = next();
    if result != 0 {
        return (result, None);
    }
    creation.into_iter().for_each(|creation| keeping_errno(|| forget(id, creation)));
    (result, creation)
}

fn forget(id: pthread_t, creation: Creation) {
    let mut threads = hold();
    if threads.by_id.get(&id).is_some_and(|it| it.sequence == creation.sequence) {
        threads.by_id.remove(&id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn creation(sequence: u32) -> Creation {
        Creation { parent: 0, sequence }
    }

    fn known(id: pthread_t) -> Option<u32> {
        hold().by_id.get(&id).map(|it| it.sequence)
    }

    /// What a join or detach found that says so.
    fn released(id: pthread_t, result: c_int) -> Option<u32> {
        release(id, || result).1.map(|it| it.sequence)
    }

    #[test]
    fn a_thread_that_is_released_leaves_nothing_behind() {
        for _ in 0..2 {
            tell(creation(1), || 16);
        }
        assert_eq!((released(16, libc::EBUSY), known(16)), (None, Some(1)));
        assert_eq!((released(16, 0), known(16)), (Some(1), None));
        assert_eq!(released(16, 0), None);
        assert!(!hold().told_once.contains(&1));
    }

    #[test]
    fn an_id_that_is_given_to_another_thread_stands_for_that() {
        tell(creation(2), || 32);
        let (_, first) = release(32, || {
            tell(creation(3), || 32);
            0
        });
        assert_eq!((first.map(|it| it.sequence), known(32)), (Some(2), Some(3)));
        // Whoever created the first one only now comes back from that.
        tell(creation(2), || unreachable!("the id of another thread"));
        assert_eq!(released(32, 0), Some(3));
    }
}
