//! The cancellation of the program's threads (`pthread_cancel`), which must not end one inside the
//! runtime.
//!
//! The functions of the C library that open, read, write or sleep end a thread for which
//! `pthread_cancel` was called. Inside the runtime it would keep locks, and it would end at a place
//! where the program does not; nor can a cancellation unwind through Rust. Invariant: what may call
//! such a function runs in [`uncancelled`], and the event path calls none. A thread that can be
//! cancelled at any instruction ([`thread::is_asynchronous`]) would end where such an action ends,
//! still inside: on it, what can wait does ([`crate::processes::may_allocate`]).

use std::ffi::c_int;

use crate::next::Next;
use crate::thread;

/// The values in glibc.
const DISABLE: c_int = 1;
const ASYNCHRONOUS: c_int = 1;

unsafe extern "C" {
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

type SetType = unsafe extern "C-unwind" fn(c_int, *mut c_int) -> c_int;

/// Sets whether the calling thread can be cancelled at any instruction.
///
/// # Safety
///
/// As for the function of the C library.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn pthread_setcanceltype(kind: c_int, old: *mut c_int) -> c_int {
    // SAFETY: the type is that in <pthread.h>.
    static NEXT: Next<SetType> = unsafe { Next::new(c"pthread_setcanceltype") };
    let Some(next) = NEXT.get() else { return libc::ENOSYS };
    // The thread may end in the next function.
    if kind == ASYNCHRONOUS {
        thread::set_asynchronous(true);
    }
    // SAFETY: the program passes what it would pass to the C library's function.
    let result = unsafe { next(kind, old) };
    if kind != ASYNCHRONOUS && result == 0 {
        thread::set_asynchronous(false);
    }
    result
}
