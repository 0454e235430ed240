//! The allocator of the runtime, which does not end the program when an allocation is refused.
//!
//! Invariants: memory that it takes from the program's allocator and gives back is not recorded;
//! inside functions that this allocator may call itself ([`thread::with_separate_memory`]), it is
//! not called.

use std::alloc::{GlobalAlloc, Layout};

use crate::thread::{self, MemoryUse};

/// The allocator.
pub(crate) struct Allocator;

const NEXT: kymo_allocator::Allocator = kymo_allocator::Allocator;
const SEPARATE: kymo_allocator::HostFreeAllocator = kymo_allocator::HostFreeAllocator;

fn is_separate() -> bool {
    thread::memory_use() == MemoryUse::Separate
}

fn unrecorded<T>(action: impl FnOnce() -> T) -> T {
    let before = thread::set_memory_use(MemoryUse::Own);
    let result = action();
    thread::set_memory_use(before);
    result
}

// SAFETY: each function only calls that of the next allocator.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_separate() {
            // SAFETY: the layout is not empty, as the trait requires.
            unsafe { SEPARATE.alloc(layout) }
        } else {
            // SAFETY: as above.
            unrecorded(|| unsafe { NEXT.alloc(layout) })
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_separate() {
            // SAFETY: the layout is not empty, as the trait requires.
            unsafe { SEPARATE.alloc_zeroed(layout) }
        } else {
            // SAFETY: as above.
            unrecorded(|| unsafe { NEXT.alloc_zeroed(layout) })
        }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if is_separate() {
            // SAFETY: a block of this layout, from either allocator, and a size that is not 0.
            unsafe { SEPARATE.realloc(pointer, layout, size) }
        } else {
            // SAFETY: as above.
            unrecorded(|| unsafe { NEXT.realloc(pointer, layout, size) })
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if is_separate() {
            // SAFETY: a block of this layout, from either allocator.
            unsafe { SEPARATE.dealloc(pointer, layout) }
        } else {
            // SAFETY: as above.
            unrecorded(|| unsafe { NEXT.dealloc(pointer, layout) })
        }
    }
}
