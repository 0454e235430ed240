//! How much of the communication in the background is hidden by computation.
//!
//! A non-blocking operation is *open* from its begin to its completion. While a location computes
//! and has open operations, their transfer can be hidden. That is an upper bound: a library may
//! transfer nothing until it is called. An operation for whose completion the last call took more
//! than a tenth of the time that it was open *waited*: it is taken as not hidden at all for the
//! lower bound.

use std::ops::AddAssign;

/// The time with open operations. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overlap {
    /// The time with at least one open operation.
    pub open: u128,
    /// The part of it in computation.
    pub hidden: u128,
    /// The part of that with at least one open operation that did not wait later.
    pub surely_hidden: u128,
    /// The part of `open` in communication.
    pub exposed: u128,
    /// The time of calls until the completion of operations that waited in them, without wait
    /// states.
    pub waited: u128,
}

impl Overlap {
    /// Returns by how much the operations that waited could wait less, if they were transferred
    /// while the location computes.
    pub fn hideable(&self) -> u128 {
        self.waited.min(self.hidden - self.surely_hidden)
    }
}

impl AddAssign for Overlap {
    fn add_assign(&mut self, other: Self) {
        self.open += other.open;
        self.hidden += other.hidden;
        self.surely_hidden += other.surely_hidden;
        self.exposed += other.exposed;
        self.waited += other.waited;
    }
}

/// The largest number of parts that are kept.
const MOST: usize = 1024;

/// The length of a union of intervals that come in the order of their ends. It can be shorter than
/// that, if more than [`MOST`] are apart and a later one reaches back before the last of them.
#[derive(Debug, Default)]
pub(crate) struct CoveredTime {
    /// The parts, which do not overlap, in their order.
    parts: Vec<(u64, u64)>,
    /// The length of the parts before `since`.
    before: u128,
    since: u64,
}

impl CoveredTime {
    pub(crate) fn add(&mut self, start: u64, end: u64) {
        let mut start = start.max(self.since);
        if start >= end {
            return;
        }
        while let Some((first, _)) = self.parts.pop_if(|(_, last)| *last >= start) {
            start = start.min(first);
        }
        if self.parts.len() == MOST {
            self.before += length(&self.parts);
            self.since = self.parts.last().map_or(self.since, |part| part.1);
            self.parts.clear();
        }
        self.parts.push((start, end));
    }

    pub(crate) fn sum(&self) -> u128 {
        self.before + length(&self.parts)
    }
}

fn length(parts: &[(u64, u64)]) -> u128 {
    parts.iter().map(|(start, end)| u128::from(end - start)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_that_overlap_count_once() {
        let mut covered = CoveredTime::default();
        let parts = [(0, 10), (20, 30), (25, 40), (50, 60), (5, 60), (70, 80)];
        parts.iter().for_each(|(start, end)| covered.add(*start, *end));
        assert_eq!((covered.sum(), covered.parts.len()), (70, 2));
    }

    #[test]
    fn of_many_intervals_the_length_is_never_too_long() {
        let mut covered = CoveredTime::default();
        (0..5000).for_each(|number| covered.add(number * 10, number * 10 + 5));
        assert_eq!(covered.sum(), 25_000);
        covered.add(0, 50_000);
        assert!((25_000..=50_000).contains(&covered.sum()), "{}", covered.sum());
    }
}
