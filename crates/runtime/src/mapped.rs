//! Memory that does not come from the program's allocator, as instrumentation may run inside that
//! allocator's locks.
//!
//! Invariant: the memory is never freed, so that any thread may read it at any time without a lock.

use std::ptr;
use std::slice;

/// Types for which zeroed memory is a valid value.
///
/// # Safety
///
/// The bit pattern of all zeros must be a valid value, and the alignment at most that of a page.
pub(crate) unsafe trait Zeroed {}

/// Allocates `count` values, all zero; returns `None` if memory is refused.
pub(crate) fn zeroed<T: Zeroed>(count: usize) -> Option<&'static mut [T]> {
    let size = count.checked_mul(size_of::<T>()).filter(|&size| size > 0)?;
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping at an address that the system chooses touches no other memory.
    let address = unsafe { libc::mmap(ptr::null_mut(), size, protection, flags, -1, 0) };
    if address == libc::MAP_FAILED {
        return None;
    }
    // SAFETY: the mapping is new, has this size, is page-aligned, zeroed, and never unmapped.
    Some(unsafe { slice::from_raw_parts_mut(address.cast(), count) })
}
