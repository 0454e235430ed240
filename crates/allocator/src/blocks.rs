//! Blocks of the C library, or of an allocator that replaces it in the program.
//!
//! Such an allocator need not align blocks to more than words, whatever C requires, and may lack
//! `posix_memalign` and its relatives, whose blocks `free` then does not know: that of bash 4.3 is
//! both. Invariants: of the program's allocator, only `malloc`, `calloc`, `realloc` and `free` are
//! called; the word that precedes a block with a larger alignment than a word is the address that
//! `free` expects; each block has room for a word.

use core::alloc::Layout;
use core::ptr;
use core::sync::atomic::{
    AtomicPtr,
    Ordering::{Acquire, Relaxed, Release},
};

/// The alignment that every allocator has.
const WORD: usize = size_of::<*mut u8>();

/// The blocks to return to the program's allocator. Each contains the address of the next one.
static LATER: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());

/// Returns a block, or null if there is none.
pub(crate) fn take(layout: Layout) -> *mut u8 {
    // SAFETY: takes any size. The block is as long as requested.
    place(layout, |bytes| unsafe { libc::malloc(bytes) }.cast())
}

/// Returns a block of zeros, or null if there is none.
pub(crate) fn take_zeroed(layout: Layout) -> *mut u8 {
    // SAFETY: as above.
    place(layout, |bytes| unsafe { libc::calloc(bytes, 1) }.cast())
}

/// Returns a block to where it came from.
///
/// # Safety
///
/// The block was taken here with this layout and is no longer used.
pub(crate) unsafe fn give_back(block: *mut u8, layout: Layout) {
    // SAFETY: the block was taken here with this layout and is no longer used. The address is the
    // one that the program's allocator returned.
    unsafe { libc::free(whole(block, layout).cast()) };
}

/// Keeps a block until [`give_back_kept`] returns it.
///
/// # Safety
///
/// The block was taken here with this layout and is no longer used.
pub(crate) unsafe fn keep(block: *mut u8, layout: Layout) {
    // SAFETY: the block was taken here with this layout.
    let whole = unsafe { whole(block, layout) };
    let mut next = LATER.load(Relaxed);
    loop {
        // SAFETY: the memory is not used any more, and has room for a word.
        unsafe { whole.cast::<*mut u8>().write(next) };
        match LATER.compare_exchange_weak(next, whole, Release, Relaxed) {
            Ok(_) => return,
            Err(other) => next = other,
        }
    }
}

/// Returns the blocks that were kept.
#[inline]
pub(crate) fn give_back_kept() {
    if !LATER.load(Relaxed).is_null() {
        give_back_all();
    }
}

#[cold]
fn give_back_all() {
    let mut whole = LATER.swap(ptr::null_mut(), Acquire);
    while !whole.is_null() {
        // SAFETY: written by `keep`. No other thread has taken this list.
        let next = unsafe { whole.cast::<*mut u8>().read() };
        // SAFETY: the address that the program's allocator returned.
        unsafe { libc::free(whole.cast()) };
        whole = next;
    }
}

/// Returns the address that the program's allocator returned for a block.
///
/// # Safety
///
/// The block was taken here with this layout.
unsafe fn whole(block: *mut u8, layout: Layout) -> *mut u8 {
    match is_usual(layout) {
        true => block,
        // SAFETY: written by `place`.
        false => unsafe { block.cast::<*mut u8>().sub(1).read() },
    }
}

/// Changes the size of a block. Returns null, and changes nothing, if that is not possible without
/// another block.
///
/// # Safety
///
/// The block was taken here with this layout. The size is not 0.
pub(crate) unsafe fn resize(block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
    match is_usual(layout) {
        // SAFETY: the address that the program's allocator returned.
        true => unsafe { libc::realloc(block.cast(), size.max(WORD)).cast() },
        false => ptr::null_mut(),
    }
}

fn is_usual(layout: Layout) -> bool {
    layout.align() <= WORD
}

/// Places a block in memory of the program's allocator, which returns at least as many bytes as it
/// is asked for.
fn place(layout: Layout, memory: impl FnOnce(usize) -> *mut u8) -> *mut u8 {
    if is_usual(layout) {
        return memory(layout.size().max(WORD));
    }
    // From an address that is aligned to words, the next aligned address after a word is at most
    // one alignment away.
    let Some(bytes) = layout.size().checked_add(layout.align()) else { return ptr::null_mut() };
    let whole = memory(bytes);
    if whole.is_null() {
        return whole;
    }
    let start = whole.wrapping_add(WORD);
    let block = start.wrapping_add(start.align_offset(layout.align()));
    // SAFETY: the word and the block are in the memory.
    unsafe { block.cast::<*mut u8>().sub(1).write(whole) };
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block that an allocator aligned to words was taken for one that is aligned to 16 bytes.
    #[test]
    fn blocks_of_an_allocator_that_aligns_to_words() {
        let mut memory = [0_u64; 64];
        let start: *mut u8 = memory.as_mut_ptr().cast();
        for first in 0..8 {
            for align in [1, 2, 4, 8, 16, 32, 64, 128] {
                let layout = Layout::from_size_align(40, align).expect("a layout");
                let whole = start.wrapping_add(first * WORD);
                let mut bytes = 0;
                let block = place(layout, |asked| {
                    bytes = asked;
                    whole
                });
                assert_eq!(block.align_offset(align), 0);
                let offset = block.addr() - whole.addr();
                assert!(offset + layout.size() <= bytes, "{align}: {offset} of {bytes}");
                if align > WORD {
                    // SAFETY: in the memory, after the test above.
                    assert_eq!(unsafe { block.cast::<*mut u8>().sub(1).read() }, whole);
                }
            }
        }
    }

    #[test]
    fn blocks_keep_their_bytes_when_they_are_resized() {
        for align in [1, 8, 16, 64, 4096] {
            let layout = Layout::from_size_align(100, align).expect("a layout");
            let block = take_zeroed(layout);
            // SAFETY: the block has 100 bytes, of which 100 are kept.
            unsafe {
                assert!((0..100).all(|at| block.add(at).read() == 0));
                block.write_bytes(7, 100);
                let moved = resize(block, layout, 5000);
                assert_eq!(moved.is_null(), align > WORD);
                let (last, size) = if moved.is_null() { (block, 100) } else { (moved, 5000) };
                assert!((0..100).all(|at| last.add(at).read() == 7));
                give_back(last, Layout::from_size_align_unchecked(size, align));
            }
        }
    }

    #[test]
    fn blocks_are_kept_until_they_are_given_back() {
        let layouts = [1, 3, 100, 16].map(|size| Layout::from_size_align(size, 1).expect("a layout"));
        for layout in layouts.into_iter().chain([Layout::new::<u128>()]) {
            let block = take(layout);
            // SAFETY: the block was taken with this layout.
            unsafe { keep(block, layout) };
        }
        assert!(!LATER.load(Relaxed).is_null());
        give_back_kept();
        assert!(LATER.load(Relaxed).is_null());
    }

    #[test]
    fn sizes_that_cannot_be_are_refused() {
        let layout = Layout::from_size_align(isize::MAX as usize & !4095, 4096).expect("a layout");
        assert!(take(layout).is_null());
    }
}
