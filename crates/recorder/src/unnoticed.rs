//! System calls that leave no trace in the program that they are made from.
//!
//! Invariants: `errno` is preserved, and no thread is cancelled here. A cancelled thread unwinds
//! from any function that the C library declares a cancellation point (`nanosleep`, `sigtimedwait`
//! and others, but not `syscall`), and no Rust function called from C survives that.

use core::time::Duration;

/// The saved `errno` of this thread, restored on drop.
pub(crate) struct Errno(libc::c_int);

impl Errno {
    /// Saves the current value.
    pub(crate) fn keep() -> Self {
        // SAFETY: the address of this thread's `errno`, which is always valid.
        Self(unsafe { *libc::__errno_location() })
    }
}

impl Drop for Errno {
    fn drop(&mut self) {
        // SAFETY: the address of this thread's `errno`, which is always valid.
        unsafe { *libc::__errno_location() = self.0 };
    }
}

/// Returns a number that no other running thread of the process has, which is not 0.
pub(crate) fn thread_mark() -> usize {
    // SAFETY: only returns the address of this thread's `errno`. It allocates nothing, unlike the
    // first use of a thread-local variable in a library.
    unsafe { libc::__errno_location() }.addr()
}

/// Sleeps for `time`, or less if a signal arrives.
pub(crate) fn sleep(time: Duration) {
    if cfg!(miri) {
        return std::thread::sleep(time);
    }
    let time = libc::timespec { tv_sec: time.as_secs() as _, tv_nsec: time.subsec_nanos().into() };
    let _kept = Errno::keep();
    // SAFETY: `time` is alive, and a null pointer for the remaining time is allowed.
    unsafe { libc::syscall(libc::SYS_nanosleep, &raw const time, core::ptr::null_mut::<libc::timespec>()) };
}

/// Returns a soft limit of the process, or `None` if there is none or it cannot be determined.
pub(crate) fn limit(resource: Resource) -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    let resource = match resource {
        Resource::FileSize => libc::RLIMIT_FSIZE,
        Resource::Descriptors => libc::RLIMIT_NOFILE,
    };
    let _kept = Errno::keep();
    // SAFETY: `limit` is alive. If the call fails, it remains unlimited.
    unsafe { libc::getrlimit(resource, &raw mut limit) };
    (limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
}

/// A resource that can be limited.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Resource {
    /// The size of files.
    FileSize,
    /// The numbers of file descriptors.
    Descriptors,
}

/// Consumes a signal of `set` that is pending for this thread, if there is one.
pub(crate) fn take_signal(set: &libc::sigset_t) {
    /// The size in bytes of the kernel's signal set. The C library's set begins with it.
    const SIZE: usize = 8;
    let no_wait = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    let nothing = core::ptr::null_mut::<libc::siginfo_t>();
    let _kept = Errno::keep();
    // SAFETY: set and time are alive, and a null pointer for the signal's details is allowed.
    unsafe {
        libc::syscall(libc::SYS_rt_sigtimedwait, core::ptr::from_ref(set), nothing, &raw const no_wait, SIZE)
    };
}

#[cfg(test)]
#[cfg(not(miri))]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn errno_is_preserved_and_time_passes() {
        // SAFETY: `errno` belongs to this thread.
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
        // This fails: no signal is pending.
        take_signal(&set);
        // SAFETY: `errno` belongs to this thread.
        assert_eq!(unsafe { *libc::__errno_location() }, 77);
    }
}
