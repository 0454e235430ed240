//! System calls that the program does not notice in the middle of its own.
//!
//! Invariants: `errno` stays as it is, and no thread is cancelled here. A cancelled thread unwinds from wherever the C library says that it
//! may be cancelled (`nanosleep`, `sigtimedwait` and others; not `syscall`), which no function that C calls in Rust survives.

use core::time::Duration;

/// The thread's `errno`, which is put back.
pub(crate) struct Errno(libc::c_int);

impl Errno {
    /// From now on.
    pub(crate) fn keep() -> Self {
        // SAFETY: the place of this thread's number, which always exists.
        Self(unsafe { *libc::__errno_location() })
    }
}

impl Drop for Errno {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { *libc::__errno_location() = self.0 };
    }
}

/// Sleeps; less if a signal comes.
pub(crate) fn sleep(time: Duration) {
    if cfg!(miri) {
        return std::thread::sleep(time);
    }
    let time = libc::timespec { tv_sec: time.as_secs() as _, tv_nsec: time.subsec_nanos().into() };
    let _kept = Errno::keep();
    // SAFETY: the time lives, and nobody asks for what is left of it.
    unsafe { libc::syscall(libc::SYS_nanosleep, &raw const time, core::ptr::null_mut::<libc::timespec>()) };
}

/// A soft limit of the process; `None` if there is none, or it cannot be told.
pub(crate) fn limit(resource: Resource) -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    let resource = match resource {
        Resource::FileSize => libc::RLIMIT_FSIZE,
        Resource::Descriptors => libc::RLIMIT_NOFILE,
    };
    let _kept = Errno::keep();
    // SAFETY: the limit lives. What cannot be told stays unlimited.
    unsafe { libc::getrlimit(resource, &raw mut limit) };
    (limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
}

/// What can be limited.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Resource {
    /// The length of files.
    FileSize,
    /// The numbers of descriptors.
    Descriptors,
}

/// Takes a signal of `set` that waits for this thread, if there is one.
pub(crate) fn take_signal(set: &libc::sigset_t) {
    /// Bytes of a set of signals, as the system has it; that of the C library begins with them.
    const SIZE: usize = 8;
    let at_once = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let nothing = core::ptr::null_mut::<libc::siginfo_t>();
    let _kept = Errno::keep();
    // SAFETY: set and time live, and nobody asks which signal it was.
    unsafe {
        libc::syscall(libc::SYS_rt_sigtimedwait, core::ptr::from_ref(set), nothing, &raw const at_once, SIZE)
    };
}

#[cfg(test)]
#[cfg(not(miri))]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn errno_stays_and_time_passes() {
        // SAFETY: this thread's own.
        unsafe { *libc::__errno_location() = 77 };
        let begin = Instant::now();
        sleep(Duration::from_millis(2));
        assert!(begin.elapsed() >= Duration::from_millis(2));
        // SAFETY: an empty set.
        let set = unsafe {
            let mut set = core::mem::MaybeUninit::uninit();
            libc::sigemptyset(set.as_mut_ptr());
            set.assume_init()
        };
        // Fails: there is none.
        take_signal(&set);
        // SAFETY: as above.
        assert_eq!(unsafe { *libc::__errno_location() }, 77);
    }
}
