//! The allocator of a library that is loaded into another program.
//!
//! Rust's collections end the process when an allocation is refused, which would end the measured
//! program. This allocator asks the C library first. If that refuses, it takes memory from its own
//! regions: those that were [set aside](set_aside), then new ones from the system, and finally a
//! reserve of [`RESERVE`] bytes that is part of the library itself and cannot be refused.
//!
//! An operation that requires more than the reserve sets the memory aside before it begins, and
//! fails in an orderly way if it cannot. Invariant: a block belongs to a region if and only if its
//! address is in that region; all other blocks belong to the C library.

mod blocks;
mod region;
mod regions;

use core::alloc::{GlobalAlloc, Layout};
use core::ptr;

use regions::Regions;

/// The size of the reserve in bytes. Its pages cost nothing until they are used.
pub const RESERVE: usize = 4 << 20;

static REGIONS: Regions = Regions::new();

/// The allocator: `#[global_allocator] static ALLOCATOR: Allocator = Allocator;`
#[derive(Debug, Clone, Copy, Default)]
pub struct Allocator;

// SAFETY: a block is from the C library, or from `REGIONS`, which hands out disjoint blocks of the
// requested size and alignment. Each is returned to where it was taken from. Nothing here unwinds.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        blocks::give_back_kept();
        let block = blocks::take(layout);
        if block.is_null() { REGIONS.take(layout) } else { block }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let block = blocks::take_zeroed(layout);
        if !block.is_null() {
            return block;
        }
        let block = REGIONS.take(layout);
        if !block.is_null() {
            // SAFETY: the block is as long as the layout.
            unsafe { ptr::write_bytes(block, 0, layout.size()) };
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match REGIONS.has(block) {
            // SAFETY: the caller returns a block of this layout, which was taken from `REGIONS`.
            true => unsafe { REGIONS.give_back(block, layout) },
            // SAFETY: as above, but the block was taken from the C library.
            false => unsafe { blocks::give_back(block, layout) },
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !REGIONS.has(block) {
            // SAFETY: the block belongs to the C library, and the caller's size is not 0.
            let moved = unsafe { blocks::resize(block, layout, size) };
            if !moved.is_null() {
                return moved;
            }
        }
        // SAFETY: the caller's size is not 0 and can be rounded up to the alignment.
        let other = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: the layout is not empty. Both blocks are at least as long as the copied range,
        // and they are disjoint.
        unsafe {
            let moved = self.alloc(other);
            if !moved.is_null() {
                ptr::copy_nonoverlapping(block, moved, layout.size().min(size));
                self.dealloc(block, layout);
            }
            moved
        }
    }
}

/// The allocator of a thread that may be inside the program's own: a lock of that may be held, so
/// nothing of it is called. Blocks can be taken from one of both allocators and returned to the
/// other.
#[derive(Debug, Clone, Copy, Default)]
pub struct HostFreeAllocator;

// SAFETY: as above. Blocks that cannot be returned now are kept until later.
unsafe impl GlobalAlloc for HostFreeAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let block = REGIONS.take(layout);
        if !block.is_null() {
            return block;
        }
        // The program ends without memory.
        // SAFETY: the caller's layout is not empty.
        unsafe { Allocator.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match REGIONS.has(block) {
            // SAFETY: the caller returns a block of this layout, which was taken from `REGIONS`.
            true => unsafe { REGIONS.give_back(block, layout) },
            // SAFETY: as above, but the block was taken from the C library.
            false => unsafe { blocks::keep(block, layout) },
        }
    }
}

/// Memory that was set aside. When it is dropped, it is returned to the system if all of it is
/// free.
#[derive(Debug)]
#[must_use]
pub struct Reservation(Option<usize>);

impl Drop for Reservation {
    fn drop(&mut self) {
        if let Some(region) = self.0 {
            REGIONS.remove(region);
        }
    }
}

/// Sets `bytes` aside for later allocations that the C library refuses. Returns `None` if the
/// system does not have them and they are too many for the reserve.
///
/// The memory costs only address space until it is used. It has no effect in a program with another
/// allocator, or if there are already 128 regions.
pub fn set_aside(bytes: usize) -> Option<Reservation> {
    set_aside_in(&REGIONS, bytes).map(Reservation)
}

fn set_aside_in(regions: &Regions, bytes: usize) -> Option<Option<usize>> {
    let region = regions.add(bytes);
    (region.is_some() || bytes <= RESERVE / 4 || regions.is_full()).then_some(region)
}

#[cfg(test)]
mod tests;
