//! Memory of the library for the chunks of a buffer.
//!
//! The first chunk is from the allocator, because most writers need no more. All others are cut
//! from large mappings with huge pages, where these are fast: a fault for each small page takes as
//! long as writing hundreds of records. A buffer frees all its chunks in one step; after a flush it
//! uses the same memory again, whose pages are there.

use crate::mapping::Mapping;

/// The size of a mapping in bytes, unless a chunk is larger. For sanitizers, each chunk is memory
/// of its own.
const BLOCK: usize = if cfg!(feature = "allocator-memory") { 0 } else { 8 << 20 };

/// The most bytes of a chunk whose pages are provided before they are used: a writer may end before
/// it uses them.
const MOST_PROVIDED: usize = 1 << 20;

/// The memory of the chunks of a buffer.
#[derive(Debug)]
pub(super) struct Chunks {
    /// The size of a chunk in bytes.
    size: usize,
    /// The memory of the first chunk; null until it is needed.
    first: *mut u8,
    blocks: Vec<Mapping>,
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
            match Mapping::new(chunks * self.size) {
                Some(block) => self.blocks.push(block),
                None => return std::ptr::null_mut(),
            }
        }
        let (block, offset) = (&self.blocks[block], index % chunks * self.size);
        block.provide(offset, self.size.min(MOST_PROVIDED));
        // SAFETY: the chunk is in the block.
        unsafe { block.bytes().add(offset) }
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
