//! One stretch of memory with the list of its free parts.
//!
//! Blocks have no heads: who gives one back knows its layout. Every part begins and ends at a multiple of [`GRANULE`], and a free one
//! begins with its length and the next free one's address. Invariant: the list ascends, its parts lie inside the region, and no two
//! touch.

use core::alloc::Layout;
use core::ptr::{self, NonNull};

/// Room for a [`Free`]; blocks are multiples of it.
pub(crate) const GRANULE: usize = 32;

/// The beginning of a free part.
struct Free {
    bytes: usize,
    next: *mut Free,
}

/// A stretch of memory; empty at first.
pub(crate) struct Region {
    start: *mut u8,
    bytes: usize,
    free: *mut Free,
}

/// Bytes that a block of this layout takes.
fn rounded(layout: Layout) -> Option<usize> {
    layout.size().max(1).checked_next_multiple_of(GRANULE)
}

impl Region {
    pub(crate) const EMPTY: Self = Self { start: ptr::null_mut(), bytes: 0, free: ptr::null_mut() };

    /// All of it free.
    ///
    /// # Safety
    /// The `bytes` from `start` on, both multiples of [`GRANULE`], can be written and are nobody else's from now on.
    pub(crate) unsafe fn new(start: NonNull<u8>, bytes: usize) -> Self {
        let mut this = Self { start: start.as_ptr(), bytes, free: ptr::null_mut() };
        // SAFETY: the caller's memory, in which no part is free yet.
        unsafe { this.insert(start.as_ptr(), bytes) };
        this
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Its first byte and its length.
    pub(crate) fn place(&self) -> (*mut u8, usize) {
        (self.start, self.bytes)
    }

    /// Whether nothing of it is in use.
    pub(crate) fn is_free(&self) -> bool {
        // SAFETY: the list holds valid parts.
        !self.free.is_null() && unsafe { (*self.free).bytes } == self.bytes
    }

    /// Hands out nothing of what is free now; what is in use stays.
    pub(crate) fn forget(&mut self) {
        self.free = ptr::null_mut();
    }

    /// A block, or null if none fits.
    pub(crate) fn take(&mut self, layout: Layout) -> *mut u8 {
        let Some(bytes) = rounded(layout) else { return ptr::null_mut() };
        let mut link: *mut *mut Free = &raw mut self.free;
        // SAFETY: `link` is the head or inside a free part; the list holds valid parts that are nobody else's.
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

    /// Takes a block back.
    ///
    /// # Safety
    /// It came from [`take`](Self::take) with this layout and is not used any more.
    pub(crate) unsafe fn give_back(&mut self, block: *mut u8, layout: Layout) {
        let Some(bytes) = rounded(layout) else { return };
        // SAFETY: the caller's block, which is not free yet.
        unsafe { self.insert(block, bytes) };
    }

    /// # Safety
    /// The part lies in the region, is not used, and not in the list.
    unsafe fn insert(&mut self, start: *mut u8, bytes: usize) {
        let (mut link, mut before): (*mut *mut Free, *mut Free) = (&raw mut self.free, ptr::null_mut());
        let part: *mut Free = start.cast();
        // SAFETY: as in `take`; the part is the caller's and long enough for its head.
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

/// Makes a part and the next one a single part if they touch.
///
/// # Safety
/// The part is in the list of its region.
unsafe fn join(part: *mut Free) {
    // SAFETY: the list holds valid parts.
    unsafe {
        let next = (*part).next;
        if !next.is_null() && part.cast::<u8>().add((*part).bytes) == next.cast() {
            part.write(Free { bytes: (*part).bytes + (*next).bytes, next: (*next).next });
        }
    }
}
