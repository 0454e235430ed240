//! Extents: blocks that were taken from the system together, with the table that describes them.
//!
//! Invariant: `start` is the beginning of a mapping of `page` bytes and `blocks` blocks that lives for ever; its first bytes are
//! descriptors, which are only ever touched as atomic numbers.

use core::{
    ptr::NonNull,
    sync::atomic::Ordering::{Relaxed, Release},
};

use super::layout::{BLOCK, DESCRIPTOR, Descriptor, EXTENT, MOST_BLOCKS};
use super::mapping;

#[derive(Debug)]
pub(super) struct Extent {
    start: NonNull<u8>,
    page: usize,
    pub(super) blocks: usize,
}

// SAFETY: the mapping belongs to the process. Of the blocks nobody but the owner of a run makes references.
unsafe impl Send for Extent {}
// SAFETY: as above; descriptors are atomics.
unsafe impl Sync for Extent {}

impl Extent {
    /// Bytes of an extent.
    pub(super) fn size(page: usize, blocks: usize) -> usize {
        page + blocks * BLOCK
    }

    /// The extent in fresh memory.
    ///
    /// # Safety
    /// `start` is the beginning of zeroed memory of [`size`](Self::size) bytes that is never freed and nobody else refers to.
    pub(super) unsafe fn new(start: NonNull<u8>, page: usize, blocks: usize) -> Self {
        debug_assert!((1..=MOST_BLOCKS).contains(&blocks));
        let this = Self { start, page, blocks };
        let own = this.descriptor(0);
        own.blocks.store(blocks as u32, Relaxed);
        own.kind.store(EXTENT, Release);
        this
    }

    /// Has the system bring its pages. To be called once, before anybody gets a block.
    pub(super) fn bring(&self) {
        // SAFETY: the mapping is fresh but for its table, which lies in the first page.
        unsafe { mapping::bring(self.start, Self::size(self.page, self.blocks)) };
    }

    /// The descriptor of a block, from 1, or of the extent.
    pub(super) fn descriptor(&self, at: usize) -> &'static Descriptor {
        assert!(at <= self.blocks);
        // SAFETY: invariant of the module; all bit patterns are atomics, and the table has room for all descriptors.
        unsafe { self.start.add(at * DESCRIPTOR).cast().as_ref() }
    }

    /// The first byte of a block, from 1.
    pub(super) fn block(&self, at: usize) -> NonNull<u8> {
        assert!((1..=self.blocks).contains(&at));
        // SAFETY: the block lies inside the mapping.
        unsafe { self.start.add(self.page + (at - 1) * BLOCK) }
    }
}
