//! Cancellation of threads is put off while a plugin works.
//!
//! Many functions of the C library end a thread that `pthread_cancel` was called for: writing, opening, sleeping, also asking for
//! random numbers, which hash tables begin with. The host holds locks during its calls, and a thread that ends in one keeps them.

use core::ffi::c_int;

/// The value of glibc and musl.
const PTHREAD_CANCEL_DISABLE: c_int = 1;

unsafe extern "C" {
    safe fn pthread_setcancelstate(state: c_int, old: &mut c_int) -> c_int;
}

/// Calls `work`; the thread cannot be cancelled in it. `work` must not unwind.
pub(crate) fn uncancelled<R>(work: impl FnOnce() -> R) -> R {
    let mut old = PTHREAD_CANCEL_DISABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &mut old);
    let result = work();
    pthread_setcancelstate(old, &mut 0);
    result
}
