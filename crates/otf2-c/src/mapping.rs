//! Memory in huge pages, for tables that grow large: the first use of each small page takes as long
//! as writing or reading hundreds of records.
//!
//! On virtual machines whose host takes unused memory back, a huge page can take several times as
//! long as the small pages in its place. The first page of each mapping is therefore timed, and
//! after a slow one the process uses small pages, many of which are provided in one step.
//!
//! With the feature `allocator-memory` it is from the allocator, because sanitizers do not know
//! where a mapping ends.

use std::ffi::c_void;
#[cfg(not(feature = "allocator-memory"))]
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a huge page took longer than small pages do.
#[cfg(not(feature = "allocator-memory"))]
static ARE_HUGE_PAGES_SLOW: AtomicBool = AtomicBool::new(false);

/// The longest time of the first use of a huge page, in nanoseconds of CPU: about that of as many
/// small pages.
#[cfg(not(feature = "allocator-memory"))]
const LONGEST_FIRST_USE: i64 = 1_000_000;

/// The size of small pages, or a multiple of it, in bytes.
#[cfg(not(feature = "allocator-memory"))]
const PAGES: usize = 64 << 10;

/// The size and the alignment of huge pages, in bytes.
pub(crate) const HUGE_PAGE: usize = 2 << 20;

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
        let mapping = Mapping { start, length, bytes };
        if !ARE_HUGE_PAGES_SLOW.load(Ordering::Relaxed) {
            mapping.try_huge_pages();
        }
        Some(mapping)
    }

    /// Uses huge pages unless the first one is slow.
    fn try_huge_pages(&self) {
        self.advise(libc::MADV_HUGEPAGE);
        let began = nanoseconds_of_thread();
        // SAFETY: the first byte of the memory, which is zero already.
        unsafe { self.bytes.write_volatile(0) };
        if nanoseconds_of_thread() - began > LONGEST_FIRST_USE {
            ARE_HUGE_PAGES_SLOW.store(true, Ordering::Relaxed);
            self.advise(libc::MADV_NOHUGEPAGE);
        }
    }

    /// Gives advice on the pages that were not used yet. It may fail: small pages do as well.
    fn advise(&self, advice: std::ffi::c_int) {
        // SAFETY: advice on the whole mapping, which keeps its bytes.
        unsafe { libc::madvise(self.start, self.length, advice) };
    }
}

#[cfg(not(feature = "allocator-memory"))]
fn nanoseconds_of_thread() -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a place for the time.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

impl Mapping {
    /// Returns the memory.
    pub(crate) fn bytes(&self) -> *mut u8 {
        self.bytes
    }

    /// Provides the pages of a part that is about to be used, unless they are huge.
    #[cfg(not(feature = "allocator-memory"))]
    pub(crate) fn provide(&self, offset: usize, length: usize) {
        if ARE_HUGE_PAGES_SLOW.load(Ordering::Relaxed) {
            let begin = offset.next_multiple_of(PAGES);
            let length = (offset + length).saturating_sub(begin) / PAGES * PAGES;
            // SAFETY: advice on a part of the mapping, which keeps its bytes. Older systems do not
            // know it; then a page is provided when it is used.
            unsafe { libc::madvise(self.bytes.add(begin).cast(), length, libc::MADV_POPULATE_WRITE) };
        }
    }

    #[cfg(feature = "allocator-memory")]
    pub(crate) fn provide(&self, _offset: usize, _length: usize) {}
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
