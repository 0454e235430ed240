//! A limited address space (`ulimit -v`), which the measurement shares with the program.
//!
//! The kernel counts the stack of the first thread when it grows, and ends the process with SIGSEGV
//! if the limit is reached by then. Elsewhere, memory that is refused only ends the measurement.

use crate::program::thread_id;
use core::hint::black_box;
use core::mem::MaybeUninit;
use core::ptr;

/// More than the measurement needs on the stack, also without optimisation.
const STACK: usize = 1 << 20;

/// Grows the stack of the first thread while there is room, before the measurement takes it. Must
/// be called by the loader, on that stack.
pub(crate) fn grow_stack() {
    let is_first = thread_id() == u64::from(std::process::id());
    let is_limited = limit(libc::RLIMIT_AS).is_some();
    let may_grow = limit(libc::RLIMIT_STACK).is_none_or(|most| most >= 2 * STACK as u64);
    if is_first && is_limited && may_grow && is_available(2 * STACK) {
        touch();
    }
}

/// Returns a limit of the process, `None` if there is none.
fn limit(resource: libc::__rlimit_resource_t) -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is valid.
    let status = unsafe { libc::getrlimit(resource, &raw mut limit) };
    (status == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur)
}

fn is_available(length: usize) -> bool {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping at an address that the system chooses.
    let start = unsafe { libc::mmap(ptr::null_mut(), length, libc::PROT_NONE, flags, -1, 0) };
    // SAFETY: the new mapping, which nothing refers to.
    start != libc::MAP_FAILED && unsafe { libc::munmap(start, length) } == 0
}

#[inline(never)]
fn touch() {
    let mut room = MaybeUninit::<[u8; STACK]>::uninit();
    // SAFETY: the first byte of the array, the lowest on the stack.
    unsafe { room.as_mut_ptr().cast::<u8>().write_volatile(0) };
    black_box(&mut room);
}
