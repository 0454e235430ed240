//! The time of a trace, divided into intervals of equal length.

/// The intervals. Their lengths differ by at most one tick.
#[derive(Debug, Clone, Copy)]
pub(super) struct Intervals {
    first: u64,
    length: u64,
    count: u32,
}

impl Intervals {
    /// Divides a time that begins at `first`. There are at most as many intervals as ticks; without
    /// ticks there are none.
    pub(super) fn new(first: u64, length: u64, count: u32) -> Option<Self> {
        let length = length.min(u64::MAX - first);
        let count = count.min(u32::try_from(length).unwrap_or(u32::MAX));
        (count > 0).then_some(Self { first, length, count })
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// Returns the end of the last interval.
    pub(super) fn last(&self) -> u64 {
        self.first + self.length
    }

    /// Returns the ends of all intervals.
    pub(super) fn ends(&self) -> impl Iterator<Item = u64> + use<> {
        let Self { first, length, count } = *self;
        let end = move |number: u32| u128::from(length) * u128::from(number) / u128::from(count);
        (1..=count).map(move |number| first + end(number) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_intervals_cover_the_trace() {
        let ends =
            |first, length, count| Intervals::new(first, length, count).unwrap().ends().collect::<Vec<_>>();
        assert_eq!(ends(100, 10, 3), [103, 106, 110]);
        assert_eq!(ends(0, 2, 5), [1, 2]);
        assert_eq!(ends(u64::MAX - 2, 9, 2), [u64::MAX - 1, u64::MAX]);
        assert_eq!(ends(5, u64::MAX - 5, 2), [5 + (u64::MAX - 5) / 2, u64::MAX]);
        assert!(Intervals::new(5, 0, 3).is_none());
    }
}
