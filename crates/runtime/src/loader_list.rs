//! The list of libraries, which the loader locks while someone walks it. A forked child keeps that
//! lock if another thread had it, and waits for it forever when it opens a library.
//!
//! Invariant: while a thread forks, no other one walks the list for the runtime, as far as waiting
//! for a second can ensure it; a child in which one did opens no library.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed, Ordering::SeqCst};
use std::time::{Duration, Instant};

use once_cell::race::OnceRef;

use crate::program;

/// The number of threads that walk the list.
static WALKING: AtomicU32 = AtomicU32::new(0);
/// The number of threads that fork.
static FORKING: AtomicU32 = AtomicU32::new(0);
/// The list is locked for good, or not consistent.
static IS_BROKEN: AtomicBool = AtomicBool::new(false);
/// The state of the loader's lock of the list, if it is known.
static LOCK: OnceRef<'static, AtomicU32> = OnceRef::new();
const LONGEST: Duration = Duration::from_secs(1);

thread_local! {
    /// The thread is one of them: its own walks are over when it forks.
    static FORKS: Cell<bool> = const { Cell::new(false) };
}

/// Executes an action that walks the list.
pub(crate) fn walking<R>(action: impl FnOnce() -> R) -> R {
    count_when_not(|| FORKING.load(SeqCst) > 0 && !FORKS.get(), &WALKING);
    let result = action();
    WALKING.fetch_sub(1, SeqCst);
    result
}

/// Called before the calling thread forks.
pub(crate) fn before_fork() {
    FORKS.set(true);
    FORKING.fetch_add(1, SeqCst);
    wait_while(|| WALKING.load(SeqCst) > 0);
}

/// Called after a fork, in the parent.
pub(crate) fn in_parent() {
    if FORKS.replace(false) {
        FORKING.fetch_sub(1, SeqCst);
    }
}

/// Called after a fork, in the child, which has no other threads.
pub(crate) fn in_child() {
    FORKS.set(false);
    FORKING.store(0, SeqCst);
    let is_walked = WALKING.swap(0, SeqCst) > 0;
    IS_BROKEN.fetch_or(is_walked || is_locked() == Some(true) || !program::is_loader_idle(), Relaxed);
}

/// Counts this thread while a condition does not hold, which others let hold before they look at
/// the count; or after a second.
pub(crate) fn count_when_not(condition: impl Fn() -> bool, count: &AtomicU32) {
    count.fetch_add(1, SeqCst);
    // The condition may hold again by the time when this thread is counted again.
    wait_while(|| {
        let is_counted = !condition();
        if !is_counted {
            count.fetch_sub(1, SeqCst);
            wait_while(&condition);
            count.fetch_add(1, SeqCst);
        }
        !is_counted
    });
}

/// Takes the state of the loader's lock of the list, once. It is never removed.
pub(crate) fn set_lock(lock: &'static AtomicU32) {
    // The first lock stays.
    let _ = LOCK.set(lock);
}

/// Returns whether this process, or an ancestor, was forked while another thread walked the list,
/// added a library to it or removed one.
pub(crate) fn is_broken() -> bool {
    IS_BROKEN.load(Relaxed)
}

/// Returns whether a thread has the lock of the list; `None` if it is not known.
pub(crate) fn is_locked() -> Option<bool> {
    LOCK.get().map(|lock| lock.load(Relaxed) != 0)
}

/// Waits as long as a condition holds, but no longer than a second: the other thread may depend on
/// this one.
pub(crate) fn wait_while(condition: impl Fn() -> bool) {
    let until = Instant::now() + LONGEST;
    while condition() && Instant::now() < until {
        std::thread::yield_now();
    }
}
