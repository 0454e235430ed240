//! Extents: blocks that were taken from the system in one step, with the table that describes them.
//!
//! Invariant: `start` is the beginning of a mapping of `page` bytes and `blocks` blocks that is
//! never unmapped. Its first bytes are descriptors, which are only ever accessed as atomics.

use core::{
    ptr::NonNull,
    sync::atomic::Ordering::{Relaxed, Release},
};

use super::layout::{BLOCK, DESCRIPTOR, Descriptor, EXTENT, MOST_BLOCKS};
use super::mapping;

/// The minimum size of a scratch file in bytes: that of the first extent, with pages of any size.
pub(super) const FIRST_ROOM: usize = (FIRST_BLOCKS + 1) * BLOCK;
/// The number of blocks in the first extent.
pub(super) const FIRST_BLOCKS: usize = if cfg!(miri) { 4 } else { 16 };

#[derive(Debug)]
pub(super) struct Extent {
    start: NonNull<u8>,
    page: usize,
    pub(super) blocks: usize,
}

// SAFETY: the mapping belongs to the process. Only the owner of a run creates references to its
// blocks.
unsafe impl Send for Extent {}
// SAFETY: shared access reads the constant fields and gives out descriptors, which are atomics, and
// pointers to blocks, which only the owner of a run turns into references.
unsafe impl Sync for Extent {}

impl Extent {
    /// Returns the size of an extent in bytes.
    pub(super) fn size(page: usize, blocks: usize) -> usize {
        page + blocks * BLOCK
    }

    /// Creates an extent in fresh memory.
    ///
    /// # Safety
    /// `start` is the beginning of [`size`](Self::size) zeroed bytes that are never freed and that
    /// nothing else refers to.
    pub(super) unsafe fn new(start: NonNull<u8>, page: usize, blocks: usize) -> Self {
        debug_assert!((1..=MOST_BLOCKS).contains(&blocks));
        let this = Self { start, page, blocks };
        let own = this.descriptor(0);
        own.blocks.store(blocks as u32, Relaxed);
        own.kind.store(EXTENT, Release);
        this
    }

    /// Makes the system populate its pages. Must be called once, before any block is handed out.
    pub(super) fn prefault(&self) {
        // SAFETY: the mapping is fresh except for its table, which is in the first page.
        unsafe { mapping::prefault(self.start, Self::size(self.page, self.blocks)) };
    }

    /// Returns the descriptor of block `at`, counted from 1, or that of the extent if `at` is 0.
    pub(super) fn descriptor(&self, at: usize) -> &'static Descriptor {
        assert!(at <= self.blocks);
        // SAFETY: by the module's invariant; all bit patterns are valid atomics, and the table has
        // room for all descriptors.
        unsafe { self.start.add(at * DESCRIPTOR).cast().as_ref() }
    }

    /// Returns the first byte of block `at`, counted from 1.
    pub(super) fn block(&self, at: usize) -> NonNull<u8> {
        assert!((1..=self.blocks).contains(&at));
        // SAFETY: the block is inside the mapping.
        unsafe { self.start.add(self.page + (at - 1) * BLOCK) }
    }
}
