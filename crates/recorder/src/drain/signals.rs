//! Signal masks: the writer's thread never takes a signal from the program.

use core::{mem::MaybeUninit, ptr};

/// Blocks all signals in this thread until dropped. A thread created in the meantime keeps them
/// blocked forever.
pub(super) struct Blocked(libc::sigset_t);

impl Blocked {
    pub(super) fn all() -> Self {
        let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: the first call fills `all`, the second one `before`; neither fails with these
        // arguments.
        unsafe {
            libc::sigfillset(all.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
            Self(before.assume_init())
        }
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        // SAFETY: `pthread_sigmask` returned this mask.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, ptr::null_mut()) };
    }
}
