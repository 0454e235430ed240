//! A perf event that is kept while the program runs.
//!
//! While there is no perf event of a process on the machine, opening one takes about 10 ms: the
//! kernel then changes its scheduler. Without this event, the program would wait for that at its
//! begin. Invariant: the event counts nothing, and no other process inherits it.

use std::os::fd::{FromRawFd, OwnedFd};
use std::process;
use std::thread::{self, JoinHandle};

/// An event that is being opened, or is open.
#[derive(Debug)]
pub(super) struct HeldPerfEvent {
    _thread: Option<JoinHandle<Option<OwnedFd>>>,
}

impl HeldPerfEvent {
    /// Begins to open the event, if the system allows it.
    pub(super) fn begin() -> Self {
        Self { _thread: thread::Builder::new().spawn(open).ok() }
    }
}

/// Opens an event of the first thread of this process.
fn open() -> Option<OwnedFd> {
    const SOFTWARE: u64 = 1;
    const TASK_CLOCK: u64 = 1;
    const DISABLED: u64 = 1 << 0;
    const EXCLUDE_KERNEL: u64 = 1 << 5;
    const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;
    /// The size of the first version of `struct perf_event_attr`.
    const SIZE: u64 = 64;
    // Kind and size, event, three words for samples, flags, two words for wakeups and breakpoints.
    let attributes = [SOFTWARE | SIZE << 32, TASK_CLOCK, 0, 0, 0, DISABLED | EXCLUDE_KERNEL, 0, 0];
    let (process, any, none) = (process::id(), -1, -1);
    // SAFETY: the attributes have the size that they state.
    let event = unsafe {
        libc::syscall(libc::SYS_perf_event_open, attributes.as_ptr(), process, any, none, CLOSE_ON_EXEC)
    };
    let event = i32::try_from(event).ok().filter(|&event| event >= 0)?;
    // SAFETY: a new descriptor, which nothing else owns.
    Some(unsafe { OwnedFd::from_raw_fd(event) })
}
