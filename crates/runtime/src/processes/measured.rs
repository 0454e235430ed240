//! Whether this process is measured.

use std::sync::atomic::{AtomicI32, Ordering};

use libc::pid_t;

/// The id of the measured process, or 0.
pub(super) static MEASURED: AtomicI32 = AtomicI32::new(0);

pub(super) fn process() -> pid_t {
    // SAFETY: `getpid` is always safe to call.
    unsafe { libc::getpid() }
}

/// Returns whether this process is measured.
pub(crate) fn is_measured() -> bool {
    MEASURED.load(Ordering::Relaxed) == process()
}
