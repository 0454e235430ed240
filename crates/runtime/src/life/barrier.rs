//! Memory barriers in all threads of the process.

use core::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

const MEMBARRIER_PRIVATE: libc::c_int = 1 << 3;
const MEMBARRIER_REGISTER_PRIVATE: libc::c_int = 1 << 4;

/// Registers the process for [`barrier`]. Must be called before there are events.
pub(crate) fn allow_barriers() {
    // SAFETY: takes only numbers.
    unsafe { libc::syscall(libc::SYS_membarrier, MEMBARRIER_REGISTER_PRIVATE, 0, 0) };
}

/// Executes a memory barrier on every thread of the process: afterwards a thread sees the phase, or
/// this thread sees that it is inside.
pub(super) fn barrier() {
    core::sync::atomic::fence(SeqCst);
    // SAFETY: takes only numbers.
    let result = unsafe { libc::syscall(libc::SYS_membarrier, MEMBARRIER_PRIVATE, 0, 0) };
    if result != 0 {
        // On an older system: stores become visible everywhere in much less time than this.
        std::thread::sleep(Duration::from_millis(1));
    }
}
