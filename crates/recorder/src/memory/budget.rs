//! A limit on the recorder's memory.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::Pages;

/// The memory limit of a process and how much of it is taken, in bytes.
///
/// All blocks are [`Pages`]. They count from the moment they are mapped until they are dropped,
/// whether touched or not.
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

    /// Takes a zeroed block of at least `len` bytes. Returns `None` if the limit is reached or the
    /// system has no memory.
    pub fn take(&'static self, len: usize) -> Option<Pages> {
        let len = Pages::rounded(len)?;
        self.reserve(len)?;
        match Pages::map(len, self) {
            Some(pages) => Some(pages),
            None => {
                self.give_back(len);
                None
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_exhausted_and_replenished() {
        static BUDGET: Budget = Budget::new(8 * Pages::GRANULE);
        let first = BUDGET.take(5 * Pages::GRANULE).unwrap();
        assert!(BUDGET.take(4 * Pages::GRANULE).is_none());
        drop(first);
        assert_eq!(BUDGET.taken(), 0);
        assert!(BUDGET.take(8 * Pages::GRANULE).is_some());
    }

    #[test]
    fn a_length_that_cannot_be_rounded_is_refused() {
        static BUDGET: Budget = Budget::new(usize::MAX);
        assert!(BUDGET.take(usize::MAX - 5).is_none());
        assert_eq!(BUDGET.taken(), 0);
    }
}
