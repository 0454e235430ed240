//! The creations of threads by thread id.
//!
//! An id belongs to a thread until the thread is joined or detached; the C library may give it to
//! another thread before the call that did so returns. Invariants: an id is looked up while it
//! belongs to the thread, before the call, and forgotten afterwards unless it belongs to another
//! creation by then; only joinable threads are known, and each is known before another thread can
//! receive its id.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_int;
use std::sync::{Mutex, MutexGuard, PoisonError};

use libc::pthread_t;

use crate::measurement::Creation;
use crate::next::keeping_errno;

/// The threads that can be joined.
pub(crate) struct JoinableThreads {
    by_id: BTreeMap<pthread_t, Creation>,
    /// The numbers of creations that only one of two threads has registered: the creating thread or
    /// the new one.
    registered_once: BTreeSet<u32>,
}

static THREADS: Mutex<JoinableThreads> = Mutex::new(JoinableThreads::NONE);

impl JoinableThreads {
    const NONE: Self = Self { by_id: BTreeMap::new(), registered_once: BTreeSet::new() };
}

pub(super) type JoinableThreadsHold = MutexGuard<'static, JoinableThreads>;

/// Keeps the threads from changing while the process forks.
pub(super) fn hold() -> JoinableThreadsHold {
    THREADS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Forgets all threads, in a forked child: the threads of the parent do not exist here.
pub(super) fn forget_all() {
    *hold() = JoinableThreads::NONE;
}

/// Registers a joinable thread. Both threads do so: the creating thread before it passes the id on,
/// and the new thread before it runs its routine. `id` is called only for the first registration;
/// at the second one the id may belong to another thread.
pub(super) fn register(creation: Creation, id: impl FnOnce() -> pthread_t) {
    let mut threads = hold();
    if !threads.registered_once.remove(&creation.sequence) {
        threads.registered_once.insert(creation.sequence);
        threads.by_id.insert(id(), creation);
    }
}

/// Joins or detaches a thread with `next`, which returns 0 on success. Returns the creation of the
/// thread as well, which is looked up while the id belongs to it.
///
/// The thread can be cancelled in `next`, so no value with a destructor is alive during the call.
pub(super) fn release(id: pthread_t, next: impl FnOnce() -> c_int) -> (c_int, Option<Creation>) {
    let creation = keeping_errno(|| hold().by_id.get(&id).copied());
    let result = next();
    if result != 0 {
        return (result, None);
    }
    if let Some(creation) = creation {
        keeping_errno(|| forget(id, creation));
    }
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

    /// Returns the number of the creation that a join or detach with this result found.
    fn released(id: pthread_t, result: c_int) -> Option<u32> {
        release(id, || result).1.map(|it| it.sequence)
    }

    #[test]
    fn a_released_thread_is_forgotten() {
        for _ in 0..2 {
            register(creation(1), || 16);
        }
        assert_eq!((released(16, libc::EBUSY), known(16)), (None, Some(1)));
        assert_eq!((released(16, 0), known(16)), (Some(1), None));
        assert_eq!(released(16, 0), None);
        assert!(!hold().registered_once.contains(&1));
    }

    #[test]
    fn a_reused_id_refers_to_the_new_thread() {
        register(creation(2), || 32);
        let (_, first) = release(32, || {
            register(creation(3), || 32);
            0
        });
        assert_eq!((first.map(|it| it.sequence), known(32)), (Some(2), Some(3)));
        // The creating thread of the first one returns only now from the creation.
        register(creation(2), || unreachable!("the id of another thread"));
        assert_eq!(released(32, 0), Some(3));
    }
}
