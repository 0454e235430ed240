//! The memory mapping, the only unsafe part of the arena. Every access is checked against its
//! length.

use core::ptr::{self, NonNull};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Zeroed memory that lives until the process ends. The system provides pages when they are first
/// written.
#[derive(Debug)]
pub(super) struct Mapping {
    start: NonNull<u8>,
    length: usize,
}

// SAFETY: plain memory. Words that change are accessed atomically; bytes are written before their
// definition is published.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps `length` bytes if the system would grant `rest` bytes more.
    pub(super) fn new(length: usize, rest: usize) -> Option<Self> {
        let (access, kind) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
        );
        // SAFETY: a new mapping at an address that the system chooses.
        let start = unsafe { libc::mmap(ptr::null_mut(), length.checked_add(rest)?, access, kind, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        // SAFETY: the end of the new mapping, which nothing refers to.
        unsafe { libc::munmap(start.byte_add(length), rest) };
        Some(Self { start: NonNull::new(start.cast())?, length })
    }

    pub(super) fn length(&self) -> usize {
        self.length
    }

    pub(super) fn address(&self, offset: usize) -> *const u8 {
        if offset >= self.length {
            return ptr::null();
        }
        // SAFETY: inside the mapping.
        unsafe { self.start.as_ptr().add(offset) }
    }

    pub(super) fn store(&self, offset: usize, bytes: &[u8]) {
        if offset.checked_add(bytes.len()).is_some_and(|end| end <= self.length) {
            // SAFETY: inside the mapping, and part of a definition that is not yet published.
            unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.start.as_ptr().add(offset), bytes.len()) };
        }
    }

    pub(super) fn bytes(&self, offset: usize, length: usize) -> &[u8] {
        let start = offset.min(self.length);
        let length = length.min(self.length - start);
        // SAFETY: inside the mapping; callers read only bytes that are not written any more.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr().add(start), length) }
    }

    pub(super) fn word(&self, offset: usize) -> u32 {
        self.atomic(offset).map_or(0, |word| word.load(Relaxed))
    }

    pub(super) fn set_word(&self, offset: usize, value: u32) {
        if let Some(word) = self.atomic(offset) {
            word.store(value, Relaxed);
        }
    }

    fn atomic(&self, offset: usize) -> Option<&AtomicU32> {
        let fits = offset.is_multiple_of(4) && offset.checked_add(4)? <= self.length;
        // SAFETY: four bytes inside the mapping, aligned because the mapping is aligned.
        fits.then(|| unsafe { AtomicU32::from_ptr(self.start.as_ptr().add(offset).cast()) })
    }
}
