//! The allocator of a library that is loaded into somebody's program.
//!
//! Rust's collections end the process when an allocation is refused, which would be the measured program's end. This allocator asks
//! the C library first. If that refuses, it takes memory from regions of its own: those that were [set aside](set_aside), new ones
//! from the system, and at last a reserve of [`RESERVE`] bytes that lies in the library itself and cannot be refused.
//!
//! What needs more than the reserve sets that aside before it begins, and gives up in good order if it cannot have it.
//! Invariant: a block belongs to a region exactly if its address lies in one; all others are the C library's.

mod region;
mod regions;

use core::alloc::{GlobalAlloc, Layout};
use core::ptr;
use std::alloc::System;

use regions::Regions;

/// Bytes of the reserve. Its pages cost nothing until they are used.
pub const RESERVE: usize = 4 << 20;

static REGIONS: Regions = Regions::new();

/// The allocator: `#[global_allocator] static ALLOCATOR: Allocator = Allocator;`
#[derive(Debug, Clone, Copy, Default)]
pub struct Allocator;

// SAFETY: blocks come from `System`, or from `REGIONS`, which hands out disjoint blocks of the size and alignment asked for; each goes
// back to where it came from. Nothing here unwinds.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout is not empty.
        let block = unsafe { System.alloc(layout) };
        if block.is_null() { REGIONS.take(layout) } else { block }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        let block = unsafe { System.alloc_zeroed(layout) };
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
            // SAFETY: the caller gives back a block of this layout, which came from `REGIONS`.
            true => unsafe { REGIONS.give_back(block, layout) },
            // SAFETY: the same of `System`.
            false => unsafe { System.dealloc(block, layout) },
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !REGIONS.has(block) {
            // SAFETY: the block is `System`'s.
            let moved = unsafe { System.realloc(block, layout, size) };
            if !moved.is_null() {
                return moved;
            }
        }
        // SAFETY: the caller's size is not 0 and does not overflow when rounded up to the alignment.
        let other = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: the layout is not empty; both blocks are at least as long as what is copied, and disjoint.
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

/// Memory that was set aside; goes back to the system when it is dropped, if all of it is free then.
#[derive(Debug)]
#[must_use]
pub struct Aside(Option<usize>);

impl Drop for Aside {
    fn drop(&mut self) {
        if let Some(region) = self.0 {
            REGIONS.remove(region);
        }
    }
}

/// Sets `bytes` aside for allocations that the C library refuses from now on; `None` if the system does not have them, and they are
/// too many for the reserve.
///
/// Costs address space alone until it is used. Nothing falls back to it in a program that has another allocator.
pub fn set_aside(bytes: usize) -> Option<Aside> {
    let region = REGIONS.add(bytes);
    (region.is_some() || bytes <= RESERVE / 4).then_some(Aside(region))
}

#[cfg(test)]
mod tests;
