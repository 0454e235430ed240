//! Memory of the library for the chunks of a buffer.
//!
//! The first chunk is from the allocator, because most writers need no more. All others are cut
//! from large mappings with huge pages: a fault for each small page takes as long as writing
//! hundreds of records. A buffer frees all its chunks in one step; after a flush it uses the same
//! memory again, whose pages are there.

use std::ffi::c_void;

/// The size of a mapping in bytes, unless a chunk is larger.
const BLOCK: usize = 8 << 20;

/// The size and the alignment of huge pages, in bytes.
const HUGE_PAGE: usize = 2 << 20;

/// The memory of the chunks of a buffer.
#[derive(Debug)]
pub(super) struct Chunks {
    /// The size of a chunk in bytes.
    size: usize,
    /// The memory of the first chunk; null until it is needed.
    first: *mut u8,
    blocks: Vec<Block>,
    /// The number of chunks that are in use.
    used: usize,
}

impl Chunks {
    pub(super) fn new(size: usize) -> Self {
        Chunks { size, first: std::ptr::null_mut(), blocks: Vec::new(), used: 0 }
    }

    /// Returns another chunk, whose bytes are initialised; null if there is no memory.
    pub(super) fn take(&mut self) -> *mut u8 {
        let chunk = match self.used.checked_sub(1) {
            None => self.first(),
            Some(later) => self.later(later),
        };
        self.used += usize::from(!chunk.is_null());
        chunk
    }

    fn first(&mut self) -> *mut u8 {
        if self.first.is_null() {
            // SAFETY: `calloc` takes any size.
            self.first = unsafe { libc::calloc(1, self.size) }.cast();
        }
        self.first
    }

    /// Returns a chunk of the blocks.
    fn later(&mut self, index: usize) -> *mut u8 {
        let chunks = (BLOCK / self.size).max(1);
        let block = index / chunks;
        if block == self.blocks.len() {
            match Block::map(chunks * self.size) {
                Some(block) => self.blocks.push(block),
                None => return std::ptr::null_mut(),
            }
        }
        // SAFETY: the chunk is in the block.
        unsafe { self.blocks[block].bytes.add(index % chunks * self.size) }
    }

    /// Takes all chunks back, and keeps their memory for the next ones.
    pub(super) fn reuse(&mut self) {
        self.used = 0;
    }

    /// Frees all chunks.
    pub(super) fn free(&mut self) {
        *self = Chunks::new(self.size);
    }
}

impl Drop for Chunks {
    fn drop(&mut self) {
        // SAFETY: null or from `calloc`, and nothing refers to it.
        unsafe { libc::free(self.first.cast()) };
    }
}

/// A mapping of zeros.
#[derive(Debug)]
struct Block {
    mapping: *mut c_void,
    length: usize,
    /// The first byte of the mapping that is aligned for huge pages.
    bytes: *mut u8,
}

impl Block {
    /// Maps memory; returns `None` if there is none.
    fn map(length: usize) -> Option<Block> {
        // Pages that are not touched, such as those before the alignment, take no memory.
        let length = length + HUGE_PAGE;
        let (protection, flags) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping.
        let mapping = unsafe { libc::mmap(std::ptr::null_mut(), length, protection, flags, -1, 0) };
        if mapping == libc::MAP_FAILED {
            return None;
        }
        let bytes = mapping.cast::<u8>();
        // SAFETY: the mapping is longer than a huge page.
        let bytes = unsafe { bytes.add(bytes.align_offset(HUGE_PAGE)) };
        // SAFETY: advice on the whole mapping. Small pages do as well, so a failure does not matter.
        unsafe { libc::madvise(mapping, length, libc::MADV_HUGEPAGE) };
        Some(Block { mapping, length, bytes })
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: mapped with this length, and nothing refers to it.
        unsafe { libc::munmap(self.mapping, self.length) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fills chunks of sizes that divide a block, do not, and exceed it.
    #[test]
    fn chunks_do_not_overlap_and_keep_their_memory_when_they_are_reused() {
        for size in [256 << 10, 300_000, 1 << 20, 9 << 20] {
            let mut chunks = Chunks::new(size);
            let taken: Vec<_> = (0..40).map(|_| chunks.take()).collect();
            for (at, &chunk) in taken.iter().enumerate() {
                assert!(!chunk.is_null());
                // SAFETY: a chunk of this size.
                unsafe {
                    assert_eq!((chunk.read(), chunk.add(size - 1).read()), (0, 0));
                    chunk.write_bytes(at as u8 + 1, 1);
                    chunk.add(size - 1).write(at as u8 + 1);
                }
            }
            for (at, &chunk) in taken.iter().enumerate() {
                // SAFETY: a chunk of this size.
                let ends = unsafe { (chunk.read(), chunk.add(size - 1).read()) };
                assert_eq!(ends, (at as u8 + 1, at as u8 + 1));
            }
            chunks.reuse();
            assert_eq!((0..40).map(|_| chunks.take()).collect::<Vec<_>>(), taken);
        }
    }
}
