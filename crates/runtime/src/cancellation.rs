//! The cancellation of the program's threads (`pthread_cancel`), which must not end one inside the
//! runtime.
//!
//! The functions of the C library that open, read, write or sleep end a thread for which
//! `pthread_cancel` was called. Inside the runtime it would keep locks, and it would end at a place
//! where the program does not; nor can a cancellation unwind through Rust. Invariant: code that may
//! call such a function runs in [`uncancelled`], and the event path calls none. A thread that can
//! be cancelled at any instruction ([`thread::is_asynchronous`]) would end where such an action
//! ends, still inside: on it, work that can wait does ([`crate::processes::may_allocate`]), or is
//! left to the next sample, whose handler postpones the cancellation to its end ([`postpone`]).

use std::ffi::c_int;

use crate::next::Next;
use crate::postponed_jump::mask;
use crate::thread;

/// The values in glibc.
const ENABLE: c_int = 0;
const DISABLE: c_int = 1;
const DEFERRED: c_int = 0;
const ASYNCHRONOUS: c_int = 1;
/// The signal with which glibc cancels a thread.
const CANCEL_SIGNAL: c_int = 32;

unsafe extern "C-unwind" {
    safe fn pthread_setcancelstate(state: c_int, old: &mut c_int) -> c_int;
}

/// Restores the state of the thread.
struct Disabled(c_int);

impl Drop for Disabled {
    fn drop(&mut self) {
        pthread_setcancelstate(self.0, &mut 0);
    }
}

/// Executes an action, during which the thread is not cancelled.
pub(crate) fn uncancelled<R>(action: impl FnOnce() -> R) -> R {
    if thread::is_asynchronous() {
        return action();
    }
    let mut old = DISABLE;
    pthread_setcancelstate(DISABLE, &mut old);
    let _disabled = Disabled(old);
    action()
}

/// Postpones the cancellation of a thread that can be cancelled at any instruction, in a handler
/// that blocks all signals. Returns whether [`cancel_postponed`] must follow.
///
/// The plugin disables cancellation for some of its work, and the thread would end where it enables
/// it again.
pub(crate) fn postpone() -> bool {
    let mut old = DISABLE;
    thread::is_asynchronous() && pthread_setcancelstate(DISABLE, &mut old) == 0 && old != DISABLE
}

/// Lets the thread be cancelled again; ends it if it was cancelled since [`postpone`]. Must be the
/// last call of the handler, none of whose frames has anything left to do.
///
/// The functions of the program that the end calls have the signals `blocked` that the handler
/// found, and the handler's own.
#[cold]
pub(crate) extern "C-unwind" fn cancel_postponed(blocked: u64, own: c_int) {
    let bit = |signal: c_int| 1 << (signal - 1);
    mask(Some(blocked | bit(own) | bit(CANCEL_SIGNAL)));
    let Some(set_type) = SET_TYPE.get() else { return };
    // A thread that ends where its state changes has no result in some versions of glibc.
    // SAFETY: the places are writable.
    unsafe { set_type(DEFERRED, &mut 0) };
    pthread_setcancelstate(ENABLE, &mut 0);
    // SAFETY: as above.
    unsafe { set_type(ASYNCHRONOUS, &mut 0) };
}

type SetType = unsafe extern "C-unwind" fn(c_int, *mut c_int) -> c_int;

/// The function of the C library.
// SAFETY: the type is that in <pthread.h>.
static SET_TYPE: Next<SetType> = unsafe { Next::new(c"pthread_setcanceltype") };

/// Sets whether the calling thread can be cancelled at any instruction.
///
/// # Safety
///
/// The arguments must be valid for the C library's function of this name.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn pthread_setcanceltype(kind: c_int, old: *mut c_int) -> c_int {
    let Some(next) = SET_TYPE.get() else { return libc::ENOSYS };
    // The thread may end in the next function.
    if kind == ASYNCHRONOUS {
        thread::set_asynchronous(true);
    }
    // SAFETY: `old` is null or writable, as `pthread_setcanceltype` requires.
    let result = unsafe { next(kind, old) };
    if kind != ASYNCHRONOUS && result == 0 {
        thread::set_asynchronous(false);
    }
    result
}
