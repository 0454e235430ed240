//! Sums of calls and samples.

use crate::calls::Sampled;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// The sums of a context or region.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sums {
    /// The calls that were entered and left.
    pub calls: CallSums,
    /// The number of samples in the context itself.
    pub samples: u64,
    /// The time that samples have seen, with the calls in it, in nanoseconds.
    pub sampled_inclusive: u128,
    /// The time that samples have seen outside inner calls, in nanoseconds.
    pub sampled_exclusive: u128,
    /// The time of calls inside calls of the same region, in nanoseconds.
    pub nested: u128,
}

/// The sums of durations, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSums {
    /// The number of calls.
    pub visits: u64,
    /// The shortest duration; the largest number without calls.
    pub shortest: u64,
    /// The longest duration.
    pub longest: u64,
    /// The sum of the durations.
    pub duration: u128,
    /// The sum of the durations outside inner calls.
    pub exclusive: u128,
    /// The sum of the squares of the durations.
    pub squares: u128,
}

impl Default for CallSums {
    fn default() -> Self {
        Self { visits: 0, shortest: u64::MAX, longest: 0, duration: 0, exclusive: 0, squares: 0 }
    }
}

impl CallSums {
    /// Adds a call.
    #[inline]
    pub fn add(&mut self, duration: u64, exclusive: u64) {
        self.visits += 1;
        self.shortest = self.shortest.min(duration);
        self.longest = self.longest.max(duration);
        self.duration += u128::from(duration);
        self.exclusive += u128::from(exclusive);
        // Cannot overflow before 10¹⁴ calls of 10⁶ seconds.
        self.squares = self.squares.saturating_add(u128::from(duration) * u128::from(duration));
    }

    /// Returns the mean duration, if there are calls.
    pub fn mean(&self) -> Option<f64> {
        (self.visits > 0).then(|| self.duration as f64 / self.visits as f64)
    }

    /// Returns the standard deviation of the durations, if there are calls.
    pub fn deviation(&self) -> Option<f64> {
        let mean = self.mean()?;
        // Exact but for the last division: the difference of two large numbers is formed in
        // integers where they fit.
        let visits = u128::from(self.visits);
        let variance = match (self.squares.checked_mul(visits), self.duration.checked_mul(self.duration)) {
            (Some(squares), Some(square)) => {
                squares.saturating_sub(square) as f64 / (visits as f64 * visits as f64)
            }
            _ => self.squares as f64 / visits as f64 - mean * mean,
        };
        Some(variance.max(0.0).sqrt())
    }
}

impl AddAssign<&CallSums> for CallSums {
    fn add_assign(&mut self, other: &CallSums) {
        self.visits += other.visits;
        self.shortest = self.shortest.min(other.shortest);
        self.longest = self.longest.max(other.longest);
        self.duration += other.duration;
        self.exclusive += other.exclusive;
        self.squares = self.squares.saturating_add(other.squares);
    }
}

impl Sums {
    /// Returns the time in the context or region with all inner calls, in nanoseconds.
    pub fn inclusive(&self) -> u128 {
        (self.calls.duration + self.sampled_inclusive).saturating_sub(self.nested)
    }

    /// Returns the time in the context or region itself, in nanoseconds.
    pub fn exclusive(&self) -> u128 {
        self.calls.exclusive + self.sampled_exclusive
    }

    pub(super) fn add_sampled(&mut self, sampled: &Sampled) {
        self.samples += sampled.samples;
        self.sampled_inclusive += u128::from(sampled.inclusive);
        self.sampled_exclusive += u128::from(sampled.exclusive);
    }
}

impl AddAssign<&Sums> for Sums {
    fn add_assign(&mut self, other: &Sums) {
        self.calls += &other.calls;
        self.samples += other.samples;
        self.sampled_inclusive += other.sampled_inclusive;
        self.sampled_exclusive += other.sampled_exclusive;
        self.nested += other.nested;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_of_long_calls_are_exact() {
        let mut calls = CallSums::default();
        // Their squares are equal in the first 17 digits.
        [3_600_000_000_000, 3_600_000_000_002].into_iter().for_each(|duration| calls.add(duration, 0));
        assert_eq!((calls.mean(), calls.deviation()), (Some(3_600_000_000_001.0), Some(1.0)));
        assert_eq!(CallSums::default().deviation(), None);
    }
}
