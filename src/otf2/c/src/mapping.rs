//! Memory in huge pages, for what grows large: the first use of each small page takes as long as
//! writing or reading hundreds of records.
//!
//! With the feature `allocator-memory` it is from the allocator, because sanitizers do not know
//! where a mapping ends.

use std::ffi::c_void;

/// The size and the alignment of huge pages, in bytes.
#[cfg(not(feature = "allocator-memory"))]
const HUGE_PAGE: usize = 2 << 20;

/// Zeroed memory of its own mapping, which the system provides page by page when it is used.
#[derive(Debug)]
pub(crate) struct Mapping {
    start: *mut c_void,
    #[cfg(not(feature = "allocator-memory"))]
    length: usize,
    /// The first byte that is aligned for huge pages.
    bytes: *mut u8,
}

#[cfg(feature = "allocator-memory")]
impl Mapping {
    /// Allocates memory of this length in bytes; returns `None` if there is none.
    pub(crate) fn new(length: usize) -> Option<Mapping> {
        // SAFETY: `calloc` takes any size.
        let start = unsafe { libc::calloc(1, length) };
        (!start.is_null()).then_some(Mapping { start, bytes: start.cast() })
    }
}

#[cfg(not(feature = "allocator-memory"))]
impl Mapping {
    /// Maps memory of this length in bytes; returns `None` if there is none.
    pub(crate) fn new(length: usize) -> Option<Mapping> {
        // Pages that are not touched, such as those before the alignment, take no memory.
        let length = length.checked_add(HUGE_PAGE)?;
        let (protection, flags) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), length, protection, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return None;
        }
        let bytes = start.cast::<u8>();
        // SAFETY: the mapping is longer than a huge page.
        let bytes = unsafe { bytes.add(bytes.align_offset(HUGE_PAGE)) };
        // SAFETY: advice on the whole mapping. Small pages do as well, so it may fail.
        unsafe { libc::madvise(start, length, libc::MADV_HUGEPAGE) };
        Some(Mapping { start, length, bytes })
    }
}

impl Mapping {
    /// Returns the memory.
    pub(crate) fn bytes(&self) -> *mut u8 {
        self.bytes
    }
}

impl Drop for Mapping {
    #[cfg(feature = "allocator-memory")]
    fn drop(&mut self) {
        // SAFETY: from `calloc`, and nothing refers to it.
        unsafe { libc::free(self.start) };
    }

    #[cfg(not(feature = "allocator-memory"))]
    fn drop(&mut self) {
        // SAFETY: mapped with this length, and nothing refers to it.
        unsafe { libc::munmap(self.start, self.length) };
    }
}
