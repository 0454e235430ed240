//! Signals belong to the program: a thread of ours never takes one, and what we write raises none.

use core::{mem::MaybeUninit, ptr};

use crate::unnoticed::take_signal;

/// All signals are blocked in this thread as long as this lives; a thread that is made meanwhile has them blocked for ever.
pub(super) struct Blocked(libc::sigset_t);

impl Blocked {
    pub(super) fn all() -> Self {
        let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: the first call fills `all`, the second one `before`; neither fails with these arguments.
        unsafe {
            libc::sigfillset(all.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
            Self(before.assume_init())
        }
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        // SAFETY: the mask is what `pthread_sigmask` gave.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, ptr::null_mut()) };
    }
}

/// While this lives a file that grows beyond the limit of the process is an error and nothing else: the signal that would end the
/// program (`SIGXFSZ`, which goes to the thread that writes) is taken and forgotten.
#[derive(Debug)]
pub struct QuietFileLimit {
    before: Option<libc::sigset_t>,
}

impl QuietFileLimit {
    /// From now on, in this thread.
    pub fn begin() -> Self {
        if cfg!(miri) {
            return Self { before: None };
        }
        let mut before = MaybeUninit::uninit();
        let limit = file_limit();
        // SAFETY: both sets live; the call fills `before` and does not fail with these arguments.
        let before = unsafe {
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const limit, before.as_mut_ptr());
            before.assume_init()
        };
        Self { before: Some(before) }
    }
}

impl Drop for QuietFileLimit {
    fn drop(&mut self) {
        let Some(before) = &self.before else { return };
        let limit = file_limit();
        // SAFETY: the set lives and was filled by the system.
        // One that the program had blocked itself is the program's.
        if unsafe { libc::sigismember(before, libc::SIGXFSZ) } == 0 {
            take_signal(&limit);
        }
        // SAFETY: as above.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before, ptr::null_mut()) };
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
