//! The free blocks of an extent, one bit each.
//!
//! Invariant: a thread that clears bits owns their blocks until it sets them again. Clearing
//! acquires the stores that setting released, so the next owner sees everything that the last one
//! did.

use super::sync::{
    AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

/// The free blocks of one extent, which has at most 63; the first is number 1.
#[derive(Debug, Default)]
pub(super) struct FreeBlocks(AtomicU64);

impl FreeBlocks {
    /// Takes `count` adjacent blocks if that many are free, and returns the number of the first.
    pub(super) fn take(&self, count: usize) -> Option<usize> {
        let mut free = self.0.load(Relaxed);
        loop {
            let first = first_of(free, count)?;
            let taken = bits(first, count);
            match self.0.compare_exchange_weak(free, free & !taken, Acquire, Relaxed) {
                Ok(_) => return Some(first),
                Err(changed) => free = changed,
            }
        }
    }

    /// Gives blocks back, or adds new ones.
    pub(super) fn give_back(&self, first: usize, count: usize) {
        self.0.fetch_or(bits(first, count), Release);
    }
}

fn bits(first: usize, count: usize) -> u64 {
    let ones = if count >= 64 { u64::MAX } else { (1 << count) - 1 };
    ones << first
}

/// Returns the position of the first `count` adjacent ones.
fn first_of(free: u64, count: usize) -> Option<usize> {
    let starts = (0..count as u32).fold(free, |starts, by| starts & free.checked_shr(by).unwrap_or(0));
    (starts != 0).then(|| starts.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(free: &[(usize, usize)]) -> FreeBlocks {
        let blocks = FreeBlocks::default();
        free.iter().for_each(|&(first, count)| blocks.give_back(first, count));
        blocks
    }

    #[test]
    fn runs_are_taken_where_enough_neighbours_are_free() {
        let blocks = with(&[(1, 2), (5, 3), (40, 24)]);
        assert_eq!(
            [3, 1, 1, 1, 20, 20].map(|count| blocks.take(count)),
            [Some(5), Some(1), Some(2), Some(40), Some(41), None]
        );
        blocks.give_back(1, 2);
        assert_eq!([2, 64].map(|count| blocks.take(count)), [Some(1), None]);
    }

    #[test]
    fn a_run_can_be_a_whole_extent() {
        assert_eq!(with(&[(1, 63)]).take(63), Some(1));
    }
}
