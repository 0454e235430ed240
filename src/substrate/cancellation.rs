//! Defers the cancellation of threads while a plugin works.
//!
//! Many functions of the C library end a thread for which `pthread_cancel` was called: those that
//! write, open or sleep, and also those that return random numbers, which the creation of a hash
//! table uses. The host holds locks during its calls, and a thread that ends in such a call never
//! releases them.

use core::ffi::c_int;

/// The value in glibc and musl.
const PTHREAD_CANCEL_DISABLE: c_int = 1;

unsafe extern "C" {
    safe fn pthread_setcancelstate(state: c_int, old: &mut c_int) -> c_int;
}

/// Calls `work`, during which the thread cannot be cancelled. `work` must not unwind.
pub(crate) fn uncancelled<R>(work: impl FnOnce() -> R) -> R {
    let mut old = PTHREAD_CANCEL_DISABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &mut old);
    let result = work();
    pthread_setcancelstate(old, &mut 0);
    result
}
