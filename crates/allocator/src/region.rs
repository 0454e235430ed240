//! A contiguous range of memory with a list of its free parts.
//!
//! Blocks have no headers, because the caller that returns a block passes its layout. Each part
//! begins and ends at a multiple of [`GRANULE`], and a free part begins with its length and the
//! address of the next one. Invariant: the list is in ascending order, its parts are inside the
//! region, and no two parts are adjacent.

use core::alloc::Layout;
use core::ptr::{self, NonNull};

/// The unit of block sizes, which is large enough for a [`Free`].
pub(crate) const GRANULE: usize = 32;

/// The header of a free part.
struct Free {
    bytes: usize,
    next: *mut Free,
}

/// A range of memory, empty at first.
pub(crate) struct Region {
    start: *mut u8,
    bytes: usize,
    free: *mut Free,
}

/// The number of bytes that a block of this layout occupies.
fn rounded(layout: Layout) -> Option<usize> {
    layout.size().max(1).checked_next_multiple_of(GRANULE)
}

impl Region {
    pub(crate) const EMPTY: Self = Self { start: ptr::null_mut(), bytes: 0, free: ptr::null_mut() };

    /// Creates a region that is entirely free.
    ///
    /// # Safety
    /// The `bytes` from `start` on, both multiples of [`GRANULE`], are writable and not used by any
    /// other code from now on.
    pub(crate) unsafe fn new(start: NonNull<u8>, bytes: usize) -> Self {
        let mut this = Self { start: start.as_ptr(), bytes, free: ptr::null_mut() };
        // SAFETY: this is the caller's memory, in which no part is free yet.
        unsafe { this.insert(start.as_ptr(), bytes) };
        this
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// The first byte and the length.
    pub(crate) fn place(&self) -> (*mut u8, usize) {
        (self.start, self.bytes)
    }

    /// Whether no block of the region is in use.
    pub(crate) fn is_free(&self) -> bool {
        // SAFETY: the list contains valid parts.
        !self.free.is_null() && unsafe { (*self.free).bytes } == self.bytes
    }

    /// Forgets all free parts, so that they are never handed out. Blocks in use are not affected.
    pub(crate) fn forget(&mut self) {
        self.free = ptr::null_mut();
    }

    /// Takes a block. Returns null if none fits.
    pub(crate) fn take(&mut self, layout: Layout) -> *mut u8 {
        let Some(bytes) = rounded(layout) else { return ptr::null_mut() };
        let mut link: *mut *mut Free = &raw mut self.free;
        // SAFETY: `link` is the head or inside a free part, and the list contains valid parts that
        // no other code uses.
        unsafe {
            while !(*link).is_null() {
                let part = *link;
                let (length, next) = ((*part).bytes, (*part).next);
                let skip = part.cast::<u8>().align_offset(layout.align().max(GRANULE));
                if skip.checked_add(bytes).is_some_and(|end| end <= length) {
                    let block = part.cast::<u8>().add(skip);
                    let rest = length - skip - bytes;
                    let mut after = next;
                    if rest > 0 {
                        after = block.add(bytes).cast();
                        after.write(Free { bytes: rest, next });
                    }
                    match skip {
                        0 => *link = after,
                        _ => part.write(Free { bytes: skip, next: after }),
                    }
                    return block;
                }
                link = &raw mut (*part).next;
            }
        }
        ptr::null_mut()
    }

    /// Returns a block to the region.
    ///
    /// # Safety
    /// The block was returned by [`take`](Self::take) with this layout and is no longer used.
    pub(crate) unsafe fn give_back(&mut self, block: *mut u8, layout: Layout) {
        let Some(bytes) = rounded(layout) else { return };
        // SAFETY: this is the caller's block, which is not free yet.
        unsafe { self.insert(block, bytes) };
    }

    /// Inserts a part into the list of free ones.
    ///
    /// # Safety
    /// The part is in the region, is not used, and is not in the list.
    unsafe fn insert(&mut self, start: *mut u8, bytes: usize) {
        let (mut link, mut before): (*mut *mut Free, *mut Free) = (&raw mut self.free, ptr::null_mut());
        let part: *mut Free = start.cast();
        // SAFETY: as in `take`; the part belongs to the caller and is long enough for its header.
        unsafe {
            while !(*link).is_null() && *link < part {
                before = *link;
                link = &raw mut (*before).next;
            }
            let next = *link;
            part.write(Free { bytes, next });
            *link = part;
            join(part);
            if !before.is_null() {
                join(before);
            }
        }
    }
}

/// Joins a part with the next one if they are adjacent.
///
/// # Safety
/// The part is in the list of its region.
unsafe fn join(part: *mut Free) {
    // SAFETY: the list contains valid parts.
    unsafe {
        let next = (*part).next;
        if !next.is_null() && part.cast::<u8>().add((*part).bytes) == next.cast() {
            part.write(Free { bytes: (*part).bytes + (*next).bytes, next: (*next).next });
        }
    }
}
