//! How well timestamps fit the clocks of the machine.

use super::{Clock, Reading};

/// The age of a timestamp in ticks under the assumption that it comes from a clock, for each clock
/// in the order of [`Clock::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fit([u64; Clock::ALL.len()]);

/// The age of a timestamp that cannot come from the clock.
const NEVER: u64 = u64::MAX;

impl Fit {
    /// The fit without a timestamp: fits no clock.
    pub const NONE: Fit = Fit([NEVER; Clock::ALL.len()]);

    /// Returns the fit of a timestamp that was taken at most two seconds before the reading.
    pub fn new(timestamp: u64, reading: &Reading) -> Fit {
        Fit(Clock::ALL.map(|clock| {
            let now = reading.of(clock);
            let ago = now.checked_sub(timestamp).filter(|&ago| now != 0 && ago < two_seconds(clock));
            ago.unwrap_or(NEVER)
        }))
    }

    /// Returns the clock that fits best, if any fits.
    pub fn clock(&self) -> Option<Clock> {
        let (clock, &ago) = Clock::ALL.into_iter().zip(&self.0).min_by_key(|&(_, &ago)| ago)?;
        (ago != NEVER).then_some(clock)
    }

    /// Combines the fits of two timestamps from one clock: each clock fits as well as its worse
    /// fit.
    pub fn and(self, other: Fit) -> Fit {
        let mut both = self;
        for (ago, other) in both.0.iter_mut().zip(other.0) {
            *ago = other.max(*ago);
        }
        both
    }

    pub(super) fn numbers(&self) -> &[u64] {
        &self.0
    }

    pub(super) fn from_numbers(numbers: &[u64]) -> Option<Fit> {
        numbers.try_into().ok().map(Fit)
    }
}

/// Returns the number of ticks in two seconds, at most.
fn two_seconds(clock: Clock) -> u64 {
    // No counter is faster than 10 GHz.
    2 * clock.ticks_per_second().unwrap_or(10_000_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Reading = Reading {
        counter: 77_000_000_000_000,
        monotonic_raw: 9_000_000_000_000,
        monotonic: 9_100_000_000_000,
        realtime: 1_700_000_000_000_000_000,
    };

    fn identify(timestamp: u64) -> Option<Clock> {
        Fit::new(timestamp, &NOW).clock()
    }

    #[test]
    fn each_clock_is_recognised_by_its_value() {
        for clock in Clock::ALL {
            assert_eq!(identify(NOW.of(clock) - 1_000), Some(clock));
        }
    }

    #[test]
    fn recorded_timestamps_fit_no_clock() {
        assert_eq!(identify(18_582_548_718_386), None);
        assert_eq!(identify(0), None);
        assert_eq!(identify(u64::MAX), None);
        assert_eq!(Fit::NONE.clock(), None);
    }

    #[test]
    fn a_machine_without_a_counter_fits_no_counter() {
        let reading = Reading { counter: 0, ..NOW };
        assert_eq!(Fit::new(0, &reading).clock(), None);
    }

    /// Soon after a machine boots, two clocks can be so close that a single timestamp fits the
    /// wrong one better.
    #[test]
    fn clocks_that_agree_on_one_machine_are_distinguished_by_another() {
        let here = Reading { monotonic: NOW.monotonic_raw - 900, ..NOW };
        let timestamp = |reading: &Reading| reading.monotonic_raw - 1_000;
        let fits = [here, NOW].map(|reading| Fit::new(timestamp(&reading), &reading));
        assert_eq!(fits.map(|fit| fit.clock()), [Some(Clock::Monotonic), Some(Clock::MonotonicRaw)]);
        assert_eq!(fits[0].and(fits[1]).clock(), Some(Clock::MonotonicRaw));
        assert_eq!(fits[0].and(Fit::NONE).clock(), None);
    }
}
