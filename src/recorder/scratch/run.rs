//! Runs: blocks that have an owner.
//!
//! Invariant: a run's bytes are referred to by the run alone, until it is given back. The empty run has no bytes and a commit word
//! that nobody reads.

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

/// Where a run is: the number of its extent and of its first block, never 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place(pub(super) u32);

impl Place {
    /// Its number, which is not 0.
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

/// One or several neighbouring blocks, or none.
#[derive(Debug)]
pub(crate) struct Run {
    start: NonNull<u8>,
    len: usize,
    view: usize,
    commit: &'static AtomicU64,
    descriptor: Option<&'static Descriptor>,
    place: Place,
}

/// The beginning of a run that is somebody else's: for copies of what its owner has committed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Content {
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: the memory stays for ever; what may be read of it says `committed`.
unsafe impl Send for Content {}

impl Content {
    pub(super) fn new(start: NonNull<u8>, len: usize) -> Self {
        Self { start, len }
    }

    /// The first byte.
    pub(super) fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// The first `len` bytes, which the owner has committed. It goes on behind them; in a piece of events it may also go back and write
    /// them anew: what is read then can be torn, and whoever reads has to bear that.
    pub(crate) fn committed(&self, len: usize) -> &'static [u8] {
        // SAFETY: the bytes are there for ever. They are only ever copied, by the kernel or byte by byte, never looked at twice.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), len.min(self.len)) }
    }
}

/// Takes the commits of empty runs.
static NOWHERE: AtomicU64 = AtomicU64::new(0);

// SAFETY: a run owns its blocks like a `Box<[u8]>`.
unsafe impl Send for Run {}
// SAFETY: shared access only reads.
unsafe impl Sync for Run {}

impl Run {
    /// No blocks.
    pub(crate) const fn none() -> Self {
        Self {
            start: NonNull::dangling(),
            len: 0,
            view: 0,
            commit: &NOWHERE,
            descriptor: None,
            place: Place(0),
        }
    }

    /// # Safety
    /// The `len` bytes from `start` on stay there for ever and are nobody else's; `descriptor` is theirs.
    pub(super) unsafe fn new(
        start: NonNull<u8>,
        len: usize,
        descriptor: &'static Descriptor,
        place: Place,
    ) -> Self {
        Self { start, len, view: 0, commit: &descriptor.committed, descriptor: Some(descriptor), place }
    }

    pub(crate) fn place(&self) -> Place {
        self.place
    }

    /// What describes it; `None` of the empty run.
    pub(crate) fn descriptor(&self) -> Option<&'static Descriptor> {
        self.descriptor
    }

    /// Makes this run one of `kind`, of which nothing is committed yet. `describe` stores the rest of its descriptor.
    pub(crate) fn publish(&self, kind: u32, describe: impl FnOnce(&Descriptor)) {
        if let Some(descriptor) = self.descriptor {
            descriptor.kind.store(kind::FREE, Release);
            // Whoever sees what follows sees that, too.
            fence(Release);
            descriptor.committed.store(0, Relaxed);
            describe(descriptor);
            descriptor.kind.store(kind, Release);
        }
    }

    /// The first `used` bytes are content from now on, also for whoever looks at the memory when this process is dead.
    #[inline(always)]
    pub(crate) fn commit(&self, used: usize) {
        self.commit.store(used as u64, Release);
    }

    /// Makes [`view`](Self::view) the first `len` bytes, or all if there are not as many.
    pub(crate) fn set_view(&mut self, len: usize) {
        self.view = len.min(self.len);
    }

    /// The beginning of the run, without a check of its length: the event path makes one of its own.
    #[inline(always)]
    pub(crate) fn view(&mut self) -> &mut [u8] {
        // SAFETY: invariant of the module; the view is not longer than the run.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.view) }
    }

    /// Some bytes of the run; for who must not refer to those in front of them, which others may read.
    pub(crate) fn room(&mut self, range: core::ops::Range<usize>) -> &mut [u8] {
        assert!(range.start <= range.end && range.end <= self.len);
        // SAFETY: invariant of the module; the range lies inside the run.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr().add(range.start), range.len()) }
    }

    /// Its bytes, for somebody who reads what is committed of them.
    pub(crate) fn content(&self) -> Content {
        Content::new(self.start, self.len)
    }

    /// Bytes in all.
    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

impl core::ops::Deref for Run {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: invariant of the module; fresh memory is zero, hence initialised.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl core::ops::DerefMut for Run {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and `&mut self` is unique.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}
