//! The allocator of the runtime, which does not end the program when an allocation is refused.
//!
//! Invariants: what it takes from the program's allocator and gives back is not recorded; inside
//! functions that this allocator may call itself ([`thread::apart`]), it is not called.

use std::alloc::{GlobalAlloc, Layout};

use crate::thread;

/// The allocator.
pub(crate) struct Allocator;

const NEXT: kymo_allocator::Allocator = kymo_allocator::Allocator;
const APART: kymo_allocator::Apart = kymo_allocator::Apart;

fn unrecorded<T>(action: impl FnOnce() -> T) -> T {
    let before = thread::begin_own();
    let result = action();
    thread::end_own(before);
    result
}

// SAFETY: each function only calls that of the next allocator.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match thread::is_apart() {
            // SAFETY: guaranteed by the caller.
            true => unsafe { APART.alloc(layout) },
            // SAFETY: as above.
            false => unrecorded(|| unsafe { NEXT.alloc(layout) }),
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match thread::is_apart() {
            // SAFETY: guaranteed by the caller.
            true => unsafe { APART.alloc_zeroed(layout) },
            // SAFETY: as above.
            false => unrecorded(|| unsafe { NEXT.alloc_zeroed(layout) }),
        }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match thread::is_apart() {
            // SAFETY: guaranteed by the caller.
            true => unsafe { APART.realloc(pointer, layout, size) },
            // SAFETY: as above.
            false => unrecorded(|| unsafe { NEXT.realloc(pointer, layout, size) }),
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        match thread::is_apart() {
            // SAFETY: guaranteed by the caller.
            true => unsafe { APART.dealloc(pointer, layout) },
            // SAFETY: as above.
            false => unrecorded(|| unsafe { NEXT.dealloc(pointer, layout) }),
        }
    }
}
