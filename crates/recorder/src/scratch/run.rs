//! Runs: blocks that have an owner.
//!
//! Invariant: until a run is given back, only the run refers to its bytes. The empty run has no
//! bytes, and its commit word is never read.

use core::{
    ptr::NonNull,
    slice,
    sync::atomic::{
        AtomicU64,
        Ordering::{Relaxed, Release},
        fence,
    },
};

use super::layout::{Descriptor, kind};

/// The position of a run: the number of its extent and of its first block, never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RunPosition(pub(super) u32);

impl RunPosition {
    /// Returns its number, which is not 0.
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// One block, several adjacent blocks, or none.
#[derive(Debug)]
pub(crate) struct Run {
    start: NonNull<u8>,
    len: usize,
    view: usize,
    commit: &'static AtomicU64,
    descriptor: Option<&'static Descriptor>,
    position: RunPosition,
}

/// The beginning of a run with another owner, for copying the bytes that it has committed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Content {
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: the memory is never unmapped; `committed` limits the bytes that may be read.
unsafe impl Send for Content {}

impl Content {
    pub(super) fn new(start: NonNull<u8>, len: usize) -> Self {
        Self { start, len }
    }

    /// Returns a pointer to the first byte.
    pub(super) fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// Returns the first `len` bytes, which the owner must have committed. The owner continues
    /// after them; in a piece of events, it may also go back and rewrite them. Then the bytes may
    /// be torn, and the reader must tolerate that.
    pub(crate) fn committed(&self, len: usize) -> &'static [u8] {
        // SAFETY: the bytes are never unmapped. They are only copied, by the kernel or byte by
        // byte, and never read twice.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), len.min(self.len)) }
    }
}

/// The commit word of empty runs.
static NOWHERE: AtomicU64 = AtomicU64::new(0);

// SAFETY: a run owns its blocks like a `Box<[u8]>`.
unsafe impl Send for Run {}
// SAFETY: shared access only reads.
unsafe impl Sync for Run {}

impl Run {
    /// Returns the empty run.
    pub(crate) const fn none() -> Self {
        Self {
            start: NonNull::dangling(),
            len: 0,
            view: 0,
            commit: &NOWHERE,
            descriptor: None,
            position: RunPosition(0),
        }
    }

    /// # Safety
    /// The `len` bytes from `start` are never unmapped and belong to nothing else; `descriptor`
    /// describes them.
    pub(super) unsafe fn new(
        start: NonNull<u8>,
        len: usize,
        descriptor: &'static Descriptor,
        position: RunPosition,
    ) -> Self {
        Self { start, len, view: 0, commit: &descriptor.committed, descriptor: Some(descriptor), position }
    }

    pub(crate) fn position(&self) -> RunPosition {
        self.position
    }

    /// Returns its descriptor; `None` for the empty run.
    pub(crate) fn descriptor(&self) -> Option<&'static Descriptor> {
        self.descriptor
    }

    /// Makes this a run of `kind` with nothing committed. `describe` stores the rest of its
    /// descriptor.
    pub(crate) fn publish(&self, kind: u32, describe: impl FnOnce(&Descriptor)) {
        if let Some(descriptor) = self.descriptor {
            descriptor.kind.store(kind::FREE, Release);
            // A reader that sees the stores below also sees this one.
            fence(Release);
            descriptor.committed.store(0, Relaxed);
            describe(descriptor);
            descriptor.kind.store(kind, Release);
        }
    }

    /// Makes the first `used` bytes content, even for a reader of the memory after the death of
    /// this process.
    #[inline(always)]
    pub(crate) fn commit(&self, used: usize) {
        self.commit.store(used as u64, Release);
    }

    /// Makes [`view`](Self::view) return the first `len` bytes, or all bytes if the run is shorter.
    pub(crate) fn set_view(&mut self, len: usize) {
        self.view = len.min(self.len);
    }

    /// Returns the beginning of the run without checking the length; the event path has a check of
    /// its own.
    #[inline(always)]
    pub(crate) fn view(&mut self) -> &mut [u8] {
        // SAFETY: by the module's invariant; the view is not longer than the run.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.view) }
    }

    /// Returns some bytes of the run, without creating a reference to those before them, which
    /// others may be reading.
    pub(crate) fn room(&mut self, range: core::ops::Range<usize>) -> &mut [u8] {
        assert!(range.start <= range.end && range.end <= self.len);
        // SAFETY: by the module's invariant; the range is inside the run.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr().add(range.start), range.len()) }
    }

    /// Returns its bytes, for a reader of the committed ones.
    pub(crate) fn content(&self) -> Content {
        Content::new(self.start, self.len)
    }

    /// Returns its size in bytes.
    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

impl core::ops::Deref for Run {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: by the module's invariant; fresh memory is zeroed, hence initialised.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl core::ops::DerefMut for Run {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: by the module's invariant, only this run refers to its blocks, and `&mut self` is
        // unique.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}
