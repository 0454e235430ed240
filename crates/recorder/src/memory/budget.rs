//! A limit on the recorder's memory.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The memory limit of a process and how much of it is taken, in bytes.
///
/// All blocks are [`Pages`](super::Pages). They count from the moment they are mapped until they
/// are dropped, whether touched or not.
#[derive(Debug)]
pub struct Budget {
    limit: usize,
    taken: AtomicUsize,
}

impl Budget {
    /// Creates a budget of `limit` bytes.
    pub const fn new(limit: usize) -> Self {
        Self { limit, taken: AtomicUsize::new(0) }
    }

    /// Returns the number of bytes that are currently mapped.
    pub fn taken(&self) -> usize {
        self.taken.load(Relaxed)
    }

    /// Counts `len` more bytes as taken, unless that would exceed the limit.
    pub(super) fn reserve(&self, len: usize) -> Option<()> {
        let fits = |taken: usize| taken.checked_add(len).filter(|&sum| sum <= self.limit);
        self.taken.fetch_update(Relaxed, Relaxed, fits).ok().map(drop)
    }

    pub(super) fn give_back(&self, len: usize) {
        self.taken.fetch_sub(len, Relaxed);
    }
}
