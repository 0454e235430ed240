//! Blocks of anonymous private memory.
//!
//! Invariant: `start..start + len` is one mapping created here, readable, writable and owned by
//! this value only. `view` is not larger than `len`.

use core::{ptr::NonNull, slice};

use super::Budget;

/// A zero-filled block of memory that does not belong to any allocator. Dereferences to its bytes.
#[derive(Debug)]
pub struct Pages {
    start: NonNull<u8>,
    len: usize,
    view: usize,
    budget: &'static Budget,
}

// SAFETY: a mapping belongs to the process, not to a thread, and `Pages` owns it like a
// `Box<[u8]>`.
unsafe impl Send for Pages {}
// SAFETY: shared access only reads, as for `Box<[u8]>`.
unsafe impl Sync for Pages {}

impl Pages {
    /// The granularity of lengths, in bytes: the largest page size of the supported machines. Under
    /// Miri it is smaller, because Miri takes minutes for blocks of that size.
    pub const GRANULE: usize = if cfg!(miri) { 4 * 1024 } else { 64 * 1024 };

    fn rounded(len: usize) -> Option<usize> {
        len.max(1).checked_next_multiple_of(Self::GRANULE).filter(|&len| len <= isize::MAX as usize)
    }

    /// Maps `len` bytes, which must already be counted in `budget`.
    fn map(len: usize, budget: &'static Budget) -> Option<Self> {
        Some(Self { start: mapping::new(len)?, len, view: 0, budget })
    }

    /// Makes the block at least `len` bytes long, moving it if necessary. If that fails, returns
    /// `None` and leaves it unchanged.
    #[must_use]
    pub fn grow(&mut self, len: usize) -> Option<()> {
        let len = Self::rounded(len)?;
        if len <= self.len {
            return Some(());
        }
        self.budget.reserve(len - self.len)?;
        // SAFETY: the mapping is ours, and `&mut self` proves that no reference into it is alive
        // while it moves.
        match unsafe { mapping::grow(self.start, self.len, len) } {
            Some(start) => {
                (self.start, self.len) = (start, len);
                Some(())
            }
            None => {
                self.budget.give_back(len - self.len);
                None
            }
        }
    }

    /// Makes [`view`](Self::view) return the first `len` bytes, or all bytes if the block is
    /// shorter.
    pub fn set_view(&mut self, len: usize) {
        self.view = len.min(self.len);
    }

    /// Returns the beginning of the block without checking the length; the event path has a check
    /// of its own.
    #[inline(always)]
    pub fn view(&mut self) -> &mut [u8] {
        // SAFETY: `view` is not larger than `len`, up to which the mapping is readable and
        // writable; only this value refers to it, and `&mut self` is unique.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.view) }
    }

    /// Returns a pointer to the first byte. Unlike a pointer derived from a slice, it stays valid
    /// when the block is borrowed again.
    pub fn start(&mut self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// Makes children created by `fork` find zeros here. Returns `None` if the system does not
    /// support that.
    pub(super) fn wipe_in_children(&mut self) -> Option<()> {
        // SAFETY: the mapping is ours; in this process nothing changes.
        unsafe { mapping::wipe_in_children(self.start, self.len) }
    }

    /// Leaks the block: its memory stays mapped for the life of the process.
    pub fn leak(self) -> &'static mut [u8] {
        let this = core::mem::ManuallyDrop::new(self);
        // SAFETY: the mapping is never unmapped, because the value is not dropped, and nothing else
        // refers to it.
        unsafe { slice::from_raw_parts_mut(this.start.as_ptr(), this.len) }
    }
}

impl core::ops::Deref for Pages {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        // SAFETY: the mapping is `len` bytes long and belongs to this value, so it changes only
        // through `&mut self`. Fresh anonymous pages are zero, hence initialised.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl core::ops::DerefMut for Pages {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: the mapping is `len` bytes long and initialised; only this value refers to it,
        // and `&mut self` is unique.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl Budget {
    /// Takes a zeroed block of at least `len` bytes. Returns `None` if the limit is reached or the
    /// system has no memory.
    pub fn take(&'static self, len: usize) -> Option<Pages> {
        let len = Pages::rounded(len)?;
        self.reserve(len)?;
        match Pages::map(len, self) {
            Some(pages) => Some(pages),
            None => {
                self.give_back(len);
                None
            }
        }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours and no reference outlives `self`.
        unsafe { mapping::free(self.start, self.len) };
        self.budget.give_back(self.len);
    }
}

/// The system calls that implement a block. None of them touches the allocator.
#[cfg(not(any(miri, feature = "allocator-memory")))]
mod mapping {
    use core::ptr::{NonNull, null_mut};

    use rustix::mm::{MapFlags, MremapFlags, ProtFlags, mmap_anonymous, mremap, munmap};

    pub(super) fn new(len: usize) -> Option<NonNull<u8>> {
        // SAFETY: a new anonymous mapping at an address of the kernel's choice overlaps nothing.
        let start =
            unsafe { mmap_anonymous(null_mut(), len, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE) };
        NonNull::new(start.ok()?.cast())
    }

    /// # Safety
    /// `start..start + len` came from [`new`] or [`grow`] and no reference to it exists.
    pub(super) unsafe fn grow(start: NonNull<u8>, len: usize, to: usize) -> Option<NonNull<u8>> {
        // SAFETY: the caller owns the whole mapping.
        let moved = unsafe { mremap(start.as_ptr().cast(), len, to, MremapFlags::MAYMOVE) };
        NonNull::new(moved.ok()?.cast())
    }

    /// # Safety
    /// As for [`grow`].
    pub(super) unsafe fn wipe_in_children(start: NonNull<u8>, len: usize) -> Option<()> {
        // SAFETY: the caller owns the whole mapping.
        unsafe { rustix::mm::madvise(start.as_ptr().cast(), len, rustix::mm::Advice::LinuxWipeOnFork).ok() }
    }

    /// # Safety
    /// As for [`grow`].
    pub(super) unsafe fn free(start: NonNull<u8>, len: usize) {
        // SAFETY: the caller owns the whole mapping. An error would leave it mapped, which is
        // harmless.
        let _ = unsafe { munmap(start.as_ptr().cast(), len) };
    }
}

/// An implementation on top of the C library's allocator, so that everything built on blocks can be
/// checked: Miri does not support mappings, and sanitizers do not know where a mapping ends. The
/// plugin's own allocator may place a block before the end of the block that the C library
/// returned.
#[cfg(any(miri, feature = "allocator-memory"))]
mod mapping {
    use core::{
        alloc::{GlobalAlloc, Layout},
        ptr::NonNull,
    };
    use std::alloc::System;

    fn layout(len: usize) -> Layout {
        Layout::from_size_align(len, 4096).unwrap()
    }

    pub(super) fn new(len: usize) -> Option<NonNull<u8>> {
        // SAFETY: lengths are rounded up to at least one granule, never 0.
        NonNull::new(unsafe { System.alloc_zeroed(layout(len)) })
    }

    pub(super) unsafe fn grow(start: NonNull<u8>, len: usize, to: usize) -> Option<NonNull<u8>> {
        let moved = new(to)?;
        // SAFETY: both blocks are ours, `to` is larger than `len`, and a new block overlaps no old
        // one.
        unsafe {
            moved.copy_from_nonoverlapping(start, len);
            free(start, len);
        }
        Some(moved)
    }

    /// Does nothing: there are no children here.
    pub(super) unsafe fn wipe_in_children(_: NonNull<u8>, _: usize) -> Option<()> {
        Some(())
    }

    pub(super) unsafe fn free(start: NonNull<u8>, len: usize) {
        // SAFETY: the block came from `new` with this length.
        unsafe { System.dealloc(start.as_ptr(), layout(len)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_exhausted_and_replenished() {
        static BUDGET: Budget = Budget::new(8 * Pages::GRANULE);
        let first = BUDGET.take(5 * Pages::GRANULE).unwrap();
        assert!(BUDGET.take(4 * Pages::GRANULE).is_none());
        drop(first);
        assert_eq!(BUDGET.taken(), 0);
        assert!(BUDGET.take(8 * Pages::GRANULE).is_some());
    }

    #[test]
    fn a_length_that_cannot_be_rounded_is_refused() {
        static BUDGET: Budget = Budget::new(usize::MAX);
        assert!(BUDGET.take(usize::MAX - 5).is_none());
        assert_eq!(BUDGET.taken(), 0);
    }

    static BUDGET: Budget = Budget::new(usize::MAX);

    #[test]
    fn a_block_is_zero_and_keeps_its_bytes_when_it_grows() {
        let mut pages = BUDGET.take(10).unwrap();
        assert!(pages.iter().all(|&byte| byte == 0));
        pages[7] = 42;
        pages.grow(10 * Pages::GRANULE).unwrap();
        assert_eq!((pages[7], pages.len()), (42, 10 * Pages::GRANULE));
        assert!(pages[8..].iter().all(|&byte| byte == 0));
    }

    #[test]
    fn a_refused_growth_changes_nothing() {
        static SMALL: Budget = Budget::new(Pages::GRANULE);
        let mut pages = SMALL.take(1).unwrap();
        assert!(pages.grow(Pages::GRANULE + 1).is_none());
        assert_eq!((pages.len(), SMALL.taken()), (Pages::GRANULE, Pages::GRANULE));
    }
}
