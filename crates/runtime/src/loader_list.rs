//! The list of libraries, which the loader locks while someone walks it. A forked child keeps that
//! lock if another thread had it, and waits for it forever when it opens a library.
//!
//! Invariant: while a thread forks, no other one walks the list for the runtime, as far as waiting
//! for a second can ensure it.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

use crate::thread;

/// The number of threads that walk the list.
static WALKING: AtomicU32 = AtomicU32::new(0);
/// The token of the thread that forks; 0 if none does.
static FORKING: AtomicUsize = AtomicUsize::new(0);
const LONGEST: Duration = Duration::from_secs(1);

/// Executes an action that walks the list.
pub(crate) fn walking<R>(action: impl FnOnce() -> R) -> R {
    let is_fork_of_other = || ![0, thread::token()].contains(&FORKING.load(SeqCst));
    WALKING.fetch_add(1, SeqCst);
    if is_fork_of_other() {
        WALKING.fetch_sub(1, SeqCst);
        wait_while(is_fork_of_other);
        WALKING.fetch_add(1, SeqCst);
    }
    let result = action();
    WALKING.fetch_sub(1, SeqCst);
    result
}

/// Called before the calling thread forks.
pub(crate) fn before_fork() {
    FORKING.store(thread::token(), SeqCst);
    wait_while(|| WALKING.load(SeqCst) > 0);
}

/// Called after a fork, in the parent.
pub(crate) fn in_parent() {
    FORKING.store(0, SeqCst);
}

/// Called after a fork, in the child, which has no other threads.
pub(crate) fn in_child() {
    WALKING.store(0, SeqCst);
    FORKING.store(0, SeqCst);
}

/// Waits as long as a condition holds, but no longer than a second: what the other thread does may
/// depend on this one.
pub(crate) fn wait_while(condition: impl Fn() -> bool) {
    let until = Instant::now() + LONGEST;
    while condition() && Instant::now() < until {
        std::thread::yield_now();
    }
}
