//! How many locations wait because of a location, over time.

use std::collections::BinaryHeap;

/// A part of time in which a number of locations wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WeightedInterval {
    /// The begin, in nanoseconds.
    pub(super) from: u64,
    /// The end.
    pub(super) to: u64,
    /// The number of locations.
    pub(super) weight: u64,
}

/// A step function over time that is taken away from its end, while intervals are added before it.
#[derive(Debug, Default)]
pub(super) struct Weights {
    /// The changes below `end`, by time: by how much the function changes from after to before it.
    changes: BinaryHeap<(u64, i64)>,
    /// The value just before the last change that was taken.
    weight: u64,
    /// The begin of the part that was taken, once there is one.
    end: Option<u64>,
}

impl Weights {
    /// Adds an interval, which is not empty and ends where nothing was taken.
    pub(super) fn add(&mut self, WeightedInterval { from, to, weight }: WeightedInterval) {
        let weight = weight.cast_signed();
        self.changes.push((to, weight));
        self.changes.push((from, -weight));
    }

    /// Takes all from `from` on. Passes the intervals that are not 0, the last one first.
    pub(super) fn take(&mut self, from: u64, mut each: impl FnMut(WeightedInterval)) {
        while let Some(&(time, change)) = self.changes.peek().filter(|(time, _)| *time > from) {
            self.pass(time, &mut each);
            self.changes.pop();
            self.weight = self.weight.wrapping_add_signed(change);
        }
        self.pass(from, &mut each);
    }

    /// Passes the interval from a time to the begin of the part that was taken.
    fn pass(&mut self, from: u64, each: &mut impl FnMut(WeightedInterval)) {
        let to = self.end.map_or(from, |end| end.max(from));
        if self.weight > 0 && from < to {
            each(WeightedInterval { from, to, weight: self.weight });
        }
        self.end = Some(self.end.map_or(from, |end| end.min(from)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(weights: &mut Weights, from: u64) -> Vec<(u64, u64, u64)> {
        let mut all = Vec::new();
        weights.take(from, |it| all.push((it.from, it.to, it.weight)));
        all
    }

    #[test]
    fn overlapping_intervals_add_up() {
        let mut weights = Weights::default();
        weights.add(WeightedInterval { from: 10, to: 30, weight: 1 });
        weights.add(WeightedInterval { from: 20, to: 30, weight: 2 });
        assert_eq!(taken(&mut weights, 15), [(20, 30, 3), (15, 20, 1)]);
        weights.add(WeightedInterval { from: 5, to: 12, weight: 4 });
        assert_eq!(taken(&mut weights, 0), [(12, 15, 1), (10, 12, 5), (5, 10, 4)]);
    }

    #[test]
    fn gaps_are_left_out() {
        let mut weights = Weights::default();
        weights.add(WeightedInterval { from: 20, to: 30, weight: 1 });
        weights.add(WeightedInterval { from: 0, to: 10, weight: 1 });
        assert_eq!(taken(&mut weights, 25), [(25, 30, 1)]);
        assert_eq!(taken(&mut weights, 10), [(20, 25, 1)]);
        assert_eq!(taken(&mut weights, 0), [(0, 10, 1)]);
    }
}
