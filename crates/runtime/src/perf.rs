//! Perf events of the kernel: counters of a thread, and events that interrupt it.
//!
//! Invariants: an event counts the thread that opened it, and on request those that it creates; no
//! other process inherits it; its descriptor has a high number, since programs count on the lowest
//! free ones and close descriptors that they find there.

use libc::{c_int, c_long, c_ulong, c_void};

/// `struct perf_event_attr` up to its first version.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Attributes {
    pub(crate) kind: u32,
    pub(crate) size: u32,
    pub(crate) config: u64,
    pub(crate) sample_period: u64,
    pub(crate) sample_type: u64,
    pub(crate) read_format: u64,
    pub(crate) flags: u64,
    pub(crate) wakeup_events: u32,
    pub(crate) breakpoint_type: u32,
    pub(crate) breakpoint: u64,
}

/// The kinds of events.
pub(crate) const HARDWARE: u32 = 0;
pub(crate) const SOFTWARE: u32 = 1;
pub(crate) const CACHE: u32 = 3;
pub(crate) const RAW: u32 = 4;

/// The flags.
pub(crate) const DISABLED: u64 = 1 << 0;
pub(crate) const INHERIT: u64 = 1 << 1;
pub(crate) const PINNED: u64 = 1 << 2;
pub(crate) const EXCLUDE_KERNEL: u64 = 1 << 5;
pub(crate) const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
/// Of the tasks that the thread creates, only threads inherit the event. Since Linux 5.13.
pub(crate) const ONLY_THREADS: u64 = 1 << 35;

/// The software event that counts the nanoseconds of CPU time.
pub(crate) const TASK_CLOCK: u64 = 1;

const CLOSE_ON_EXEC: c_ulong = 1 << 3;
/// `PERF_EVENT_IOC_REFRESH`.
const REFRESH: c_ulong = 0x2402;
/// The lowest number of an own descriptor.
const LOWEST: c_int = 900;

/// Opens an event of the calling thread, in the group of another one. Returns its descriptor, or
/// the error of the system.
pub(crate) fn open(attributes: &Attributes, group: Option<c_int>) -> Result<c_int, c_int> {
    let attributes = Attributes { size: size_of::<Attributes>() as u32, ..*attributes };
    let group = group.unwrap_or(-1);
    // SAFETY: the structure is valid for the call. The numbers mean this thread and any processor.
    let event = unsafe {
        libc::syscall(libc::SYS_perf_event_open, &raw const attributes, 0, -1, group, CLOSE_ON_EXEC) as c_int
    };
    if event < 0 {
        // SAFETY: the address of this thread's `errno`.
        return Err(unsafe { *libc::__errno_location() });
    }
    Ok(moved(event))
}

/// Moves a descriptor to a high number, if one is allowed.
fn moved(event: c_int) -> c_int {
    // SAFETY: an own descriptor.
    let high = unsafe { control(event, libc::F_DUPFD_CLOEXEC, c_long::from(LOWEST)) };
    if high < 0 {
        return event;
    }
    close(event);
    high
}

/// `fcntl`, which this library may interpose itself.
///
/// # Safety
///
/// The argument must be one that the request allows.
pub(crate) unsafe fn control(event: c_int, request: c_int, argument: c_long) -> c_int {
    // SAFETY: the argument is one that the request allows.
    unsafe { libc::syscall(libc::SYS_fcntl, event, request, argument) as c_int }
}

/// Lets an event interrupt once more. A descriptor that the program closed is an error.
pub(crate) fn rearm(event: c_int) -> bool {
    // SAFETY: the argument of this request is a number, not an address.
    unsafe { libc::syscall(libc::SYS_ioctl, event, REFRESH, c_ulong::from(1_u8)) == 0 }
}

/// Reads the values of an event, or of its group; returns the number of words.
pub(crate) fn read(event: c_int, words: &mut [u64]) -> usize {
    let (start, size) = (words.as_mut_ptr().cast::<c_void>(), size_of_val(words));
    // SAFETY: the memory is writable. This library may interpose `read` itself.
    let bytes = unsafe { libc::syscall(libc::SYS_read, event, start, size) };
    usize::try_from(bytes).unwrap_or(0) / size_of::<u64>()
}

/// Returns the kernel's number of an event; `None` if the descriptor is that of something else,
/// since the program closed it.
pub(crate) fn id(event: c_int) -> Option<u64> {
    /// `PERF_EVENT_IOC_ID`.
    const ID: c_ulong = 0x8008_2407;
    let mut id = 0_u64;
    // SAFETY: the request writes a word.
    let result = unsafe { libc::syscall(libc::SYS_ioctl, event, ID, &raw mut id) };
    (result == 0).then_some(id)
}

/// Closes an event with a function that this library does not interpose.
pub(crate) fn close(event: c_int) {
    // SAFETY: an own descriptor.
    unsafe { libc::syscall(libc::SYS_close, event) };
}
