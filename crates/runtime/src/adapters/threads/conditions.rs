//! Condition variables. A signal is recorded if a thread waits for its condition, however short the
//! call is: it says for whom that thread waited.

use std::ffi::c_int;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use libc::{clockid_t, pthread_cond_t, pthread_condattr_t, pthread_mutex_t, timespec};

use super::{Function, are_only_long, interpose, locks, plain, plain_or_long, quiet};

/// The numbers of threads that wait, by conditions; several may share one. After a fork, or when a
/// thread was cancelled while it waited, they are too large, so that more signals are recorded.
static WAITING: [AtomicU32; 256] = [const { AtomicU32::new(0) }; 256];

fn waiting(condition: usize) -> &'static AtomicU32 {
    // Conditions of an array are at least 4 bytes apart, those of allocated objects at least 16.
    let place = (condition >> 2) ^ (condition >> 10) ^ (condition >> 18);
    &WAITING[place % WAITING.len()]
}

/// Waits for a condition with `next`, which releases the mutex until it returns. `timed_out` is its
/// result on a timeout, after which the mutex is locked as well.
pub(super) fn wait<T>(
    function: Function,
    condition: usize,
    mutex: *mut T,
    timed_out: c_int,
    next: impl FnOnce() -> c_int,
) -> c_int {
    let waiting = waiting(condition);
    waiting.fetch_add(1, Relaxed);
    let result = locks::wait(function, mutex, timed_out, next);
    waiting.fetch_sub(1, Relaxed);
    result
}

/// Wakes threads that wait for a condition, with `next`. Those that have begun to wait are seen,
/// since the mutex orders them before a signal.
pub(super) fn signal(function: Function, condition: usize, next: impl FnOnce() -> c_int) -> c_int {
    match are_only_long() && waiting(condition).load(Relaxed) > 0 {
        true => plain(function, next),
        false => plain_or_long(function, next),
    }
}

interpose!(
    fn pthread_cond_init(condition: *mut pthread_cond_t, attributes: *const pthread_condattr_t) -> c_int,
    |next| quiet(Function::CondInit, next)
);

interpose!(fn pthread_cond_destroy(condition: *mut pthread_cond_t) -> c_int, |next| quiet(Function::CondDestroy, next));

interpose!(
    fn pthread_cond_wait(condition: *mut pthread_cond_t, mutex: *mut pthread_mutex_t) -> c_int,
    |next| wait(Function::CondWait, condition.addr(), mutex, libc::ETIMEDOUT, next)
);

interpose!(
    fn pthread_cond_timedwait(
        condition: *mut pthread_cond_t,
        mutex: *mut pthread_mutex_t,
        until: *const timespec
    ) -> c_int,
    |next| wait(Function::CondTimedwait, condition.addr(), mutex, libc::ETIMEDOUT, next)
);

interpose!(
    fn pthread_cond_clockwait(
        condition: *mut pthread_cond_t,
        mutex: *mut pthread_mutex_t,
        clock: clockid_t,
        until: *const timespec
    ) -> c_int,
    |next| wait(Function::CondTimedwait, condition.addr(), mutex, libc::ETIMEDOUT, next)
);

interpose!(
    fn pthread_cond_signal(condition: *mut pthread_cond_t) -> c_int,
    |next| signal(Function::CondSignal, condition.addr(), next)
);

interpose!(
    fn pthread_cond_broadcast(condition: *mut pthread_cond_t) -> c_int,
    |next| signal(Function::CondBroadcast, condition.addr(), next)
);
