//! The jump of a handler that interrupted the runtime, which waits until the thread is outside.

use std::ffi::{c_int, c_void};
use std::ptr;

use crate::current;
use crate::interrupted::{InterruptedEvent, Subject};
use crate::locations::Location;
use crate::thread::{self, MemoryUse};

/// A function of the C library that jumps.
pub(crate) type Leap = unsafe extern "C-unwind" fn(*const usize, c_int) -> !;

/// Gives the thread of a location a reason to call [`take`] when it leaves the runtime, if a jump
/// waits: an event of nothing.
pub(crate) fn announce(location: &Location) {
    if thread::has_jump() {
        location.interrupted.put(InterruptedEvent { subject: Subject::Region(0), leaves: false, time: 0 });
    }
}

/// Makes the jump that was postponed. Called when the thread has left the runtime.
#[cold]
pub(crate) fn take() {
    if current::place_inside() != 0 {
        return;
    }
    let Some(jump) = thread::take_jump() else { return };
    mask(Some(jump.mask));
    // The frames with such marks are skipped.
    thread::set_memory_use(MemoryUse::Program);
    // SAFETY: a function that jumps, stored above.
    let next = unsafe { std::mem::transmute::<*const c_void, Leap>(jump.next) };
    // SAFETY: the program's arguments. Of the functions that are skipped here none has anything
    // left to do.
    unsafe { next(jump.buffer, jump.value) }
}

/// Returns the blocked signals of the thread, and blocks others. The C library's function leaves
/// out its own signals.
pub(crate) fn mask(new: Option<u64>) -> u64 {
    let mut before = 0_u64;
    let new = new.as_ref().map_or(ptr::null(), ptr::from_ref);
    // SAFETY: both sets have the size that the system expects, or are null.
    unsafe {
        libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, new, &raw mut before, size_of::<u64>());
    }
    before
}
