//! Memory of the process that may not be mapped.
//!
//! The system refuses addresses that are not mapped (`EFAULT`), and programs rely on that.
//! Invariant: such memory is never accessed, since the system reads in the place of the runtime.

use std::ptr;

/// The size of a page, on machines where it is the smallest.
const SMALLEST_PAGE: usize = 4096;

/// Reads memory; returns false if not all of it is mapped.
pub(crate) fn read(address: u64, into: &mut [u8]) -> bool {
    let [own, other] = [into.as_mut_ptr().cast(), ptr::with_exposed_provenance_mut(address as usize)]
        .map(|iov_base| libc::iovec { iov_base, iov_len: into.len() });
    // SAFETY: the first memory is writable; the system checks the second.
    let count = unsafe { libc::process_vm_readv(libc::getpid(), &raw const own, 1, &raw const other, 1, 0) };
    usize::try_from(count) == Ok(into.len())
}

/// Reads a word; returns `None` if not all of it is mapped.
pub(crate) fn word(address: u64) -> Option<u64> {
    let mut bytes = [0; 8];
    read(address, &mut bytes).then(|| u64::from_ne_bytes(bytes))
}

/// Returns whether all of the memory is mapped and can be read.
pub(crate) fn is_readable(address: u64, size: u64) -> bool {
    let last = address.saturating_add(size.saturating_sub(1));
    (address..last).step_by(SMALLEST_PAGE).chain([last]).all(|address| read(address, &mut [0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_not_mapped_is_refused() {
        let value = 42_u64;
        let address = (&raw const value).addr() as u64;
        assert_eq!((word(address), word(8)), (Some(42), None));
        assert!(is_readable(address, 8) && !is_readable(8, 8) && !is_readable(address, 1 << 60));
    }

    /// Only the begin and the end were looked at.
    #[test]
    fn memory_with_a_hole_is_not_readable() {
        const PAGES: usize = 3 * (64 << 10);
        let (access, kind) = (libc::PROT_READ, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping, a part of which is removed.
        let start = unsafe {
            let start = libc::mmap(ptr::null_mut(), PAGES, access, kind, -1, 0);
            assert_ne!(start, libc::MAP_FAILED);
            assert_eq!(libc::munmap(start.byte_add(PAGES / 3), PAGES / 3), 0);
            start.addr() as u64
        };
        assert!(is_readable(start, PAGES as u64 / 3) && !is_readable(start, PAGES as u64));
    }
}
