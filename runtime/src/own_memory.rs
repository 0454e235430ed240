//! The allocator of the runtime, which does not end the program when an allocation is refused.
//!
//! Invariant: what it takes from the program's allocator and gives back is not recorded.

use std::alloc::{GlobalAlloc, Layout};

use crate::thread;

/// The allocator.
pub(crate) struct Allocator;

const NEXT: kymo_allocator::Allocator = kymo_allocator::Allocator;

fn unrecorded<T>(action: impl FnOnce() -> T) -> T {
    let before = thread::begin_own();
    let result = action();
    thread::end_own(before);
    result
}

// SAFETY: each function only calls that of the next allocator.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        unrecorded(|| unsafe { NEXT.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        unrecorded(|| unsafe { NEXT.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: guaranteed by the caller.
        unrecorded(|| unsafe { NEXT.realloc(pointer, layout, size) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: guaranteed by the caller.
        unrecorded(|| unsafe { NEXT.dealloc(pointer, layout) });
    }
}
