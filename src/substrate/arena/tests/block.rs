//! Memory followed by an unreadable page, like the worst case of a host's arena.

use std::io::Error;
use std::ptr::{self, NonNull};

pub(super) const PAGE: usize = 1 << 16;

/// Readable and writable memory between two unreadable ranges.
#[derive(Debug)]
pub(super) struct Block {
    whole: NonNull<u8>,
    length: usize,
}

impl Block {
    /// Maps `length` zero bytes, a multiple of [`PAGE`].
    pub(super) fn new(length: usize) -> Self {
        assert!(length.is_multiple_of(PAGE));
        let (none, both) = (libc::PROT_NONE, libc::PROT_READ | libc::PROT_WRITE);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: this makes a new mapping at an address that the system chooses.
        let whole = unsafe { libc::mmap(ptr::null_mut(), length + 2 * PAGE, none, flags, -1, 0) };
        assert_ne!(whole, libc::MAP_FAILED, "{}", Error::last_os_error());
        // SAFETY: the range is inside the mapping.
        let result = unsafe { libc::mprotect(whole.byte_add(PAGE), length, both) };
        assert_eq!(result, 0, "{}", Error::last_os_error());
        Self { whole: NonNull::new(whole.cast()).expect("never at 0"), length }
    }

    /// The address of the first readable byte.
    pub(super) fn start(&self) -> usize {
        self.whole.as_ptr().expose_provenance() + PAGE
    }

    pub(super) fn length(&self) -> usize {
        self.length
    }

    pub(super) fn write(&self, offset: usize, bytes: &[u8]) {
        assert!(offset + bytes.len() <= self.length, "{offset} + {} in {}", bytes.len(), self.length);
        // SAFETY: the range is inside the readable part.
        unsafe {
            let to = self.whole.as_ptr().add(PAGE + offset);
            ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
        }
    }

    pub(super) fn bytes(&self, offset: usize, length: usize) -> Vec<u8> {
        assert!(offset + length <= self.length);
        // SAFETY: the range is inside the readable part, and tests write and read on one thread.
        unsafe { std::slice::from_raw_parts(self.whole.as_ptr().add(PAGE + offset), length) }.to_vec()
    }

    /// Changes the protection of the bytes from `offset` on, a multiple of [`PAGE`].
    pub(super) fn protect(&self, offset: usize, protection: libc::c_int) {
        assert!(offset.is_multiple_of(PAGE) && offset <= self.length);
        // SAFETY: the range is inside the mapping. Nothing may access pages that are not readable.
        let result = unsafe {
            let start = self.whole.as_ptr().add(PAGE + offset);
            libc::mprotect(start.cast(), self.length - offset, protection)
        };
        assert_eq!(result, 0, "{}", Error::last_os_error());
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: the mapping belongs to this block.
        unsafe { libc::munmap(self.whole.as_ptr().cast(), self.length + 2 * PAGE) };
    }
}
