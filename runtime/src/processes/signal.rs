//! Whether a signal handler runs on this thread.
//!
//! It may have interrupted anything, the program's allocator for one, so that whatever allocates could wait for ever.

use std::ffi::{c_int, c_void};
use std::ptr;

const CONTINUE: c_int = 0;
const STOP: c_int = 4;

unsafe extern "C" {
    fn _Unwind_Backtrace(
        each: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIPInfo(frame: *mut c_void, is_before: *mut c_int) -> usize;
}

/// Looks for the frame that the system puts between a handler and what it interrupted. Code without unwind information hides it.
pub(super) fn is_handling() -> bool {
    let mut is_found = false;
    // SAFETY: the function gets what it expects.
    unsafe { _Unwind_Backtrace(look, (&raw mut is_found).cast()) };
    is_found
}

extern "C" fn look(frame: *mut c_void, is_found: *mut c_void) -> c_int {
    let mut is_interrupted = 0;
    // SAFETY: the frame is the unwinder's.
    unsafe { _Unwind_GetIPInfo(frame, ptr::from_mut(&mut is_interrupted)) };
    if is_interrupted == 0 {
        return CONTINUE;
    }
    // SAFETY: what `is_handling` passes on.
    unsafe { is_found.cast::<bool>().write(true) };
    STOP
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

    use super::*;

    #[test]
    fn handlers_are_seen() {
        static SEEN: AtomicU8 = AtomicU8::new(9);
        extern "C" fn handler(_: c_int) {
            SEEN.store(is_handling().into(), Relaxed);
        }
        assert!(!is_handling());
        // SAFETY: the handler does what a handler may, and nothing else uses this signal.
        unsafe {
            libc::signal(libc::SIGUSR2, handler as extern "C" fn(c_int) as libc::sighandler_t);
            libc::raise(libc::SIGUSR2);
        }
        assert_eq!(SEEN.load(Relaxed), 1);
        assert!(!is_handling());
    }
}
