//! A limit on the size of files, which must not end the program because of our files.

use core::{ffi::c_int, mem::MaybeUninit, ptr};

use crate::unnoticed::take_signal;

/// Turns growth of a file beyond the process's limit into a plain error until dropped. The signal
/// that would end the program (`SIGXFSZ`, which is sent to the writing thread) is consumed and
/// discarded. Nor do our writes cancel the thread (`pthread_cancel`) meanwhile: it would end here,
/// with locks held.
#[derive(Debug)]
pub struct QuietFileLimit {
    before: Option<libc::sigset_t>,
    /// The state of the thread's cancellation.
    state: c_int,
}

/// The value in glibc and musl.
const PTHREAD_CANCEL_DISABLE: c_int = 1;

unsafe extern "C" {
    safe fn pthread_setcancelstate(state: c_int, old: &mut c_int) -> c_int;
}

impl QuietFileLimit {
    /// Starts blocking the signal in this thread.
    pub fn begin() -> Self {
        if cfg!(miri) {
            return Self { before: None, state: PTHREAD_CANCEL_DISABLE };
        }
        let mut state = PTHREAD_CANCEL_DISABLE;
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &mut state);
        let mut before = MaybeUninit::uninit();
        let limit = file_limit();
        // SAFETY: both sets are alive; the call fills `before` and does not fail with these
        // arguments.
        let before = unsafe {
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const limit, before.as_mut_ptr());
            before.assume_init()
        };
        Self { before: Some(before), state }
    }
}

impl Drop for QuietFileLimit {
    fn drop(&mut self) {
        let Some(before) = &self.before else { return };
        let limit = file_limit();
        // A pending signal that the program itself had blocked belongs to the program.
        // SAFETY: the set is alive and was filled by the system.
        if unsafe { libc::sigismember(before, libc::SIGXFSZ) } == 0 {
            take_signal(&limit);
        }
        // SAFETY: the set is alive and was filled by the system.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, ptr::null_mut()) };
        pthread_setcancelstate(self.state, &mut 0);
    }
}

fn file_limit() -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the first call fills the set; neither fails with these arguments.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGXFSZ);
        set.assume_init()
    }
}
