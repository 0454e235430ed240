//! Times of a trace in nanoseconds.

use kymo_otf2::definitions::ClockProperties;

/// Converts ticks to nanoseconds since the start of the trace.
///
/// ```
/// use kymo_analysis::Clock;
///
/// let clock = Clock::new(3_000_000_000, 600);
/// assert_eq!(clock.nanoseconds(600), 0);
/// assert_eq!(clock.nanoseconds(602), 1); // two thirds, rounded
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    resolution: u64,
    /// 2⁶⁴ divided by the resolution, rounded down; the largest number for a resolution of 1.
    reciprocal: u64,
    start: u64,
    length: u64,
    date: Option<u64>,
}

/// Nanoseconds per second.
const SECOND: u64 = 1_000_000_000;
/// Ten years.
const LONGEST: u64 = 3652 * 86_400 * SECOND;
/// The largest resolution with which a second in ticks, times 10⁹ and rounded, fits in 64 bits.
const MOST_TICKS: u64 = u64::MAX / (SECOND + 1);

impl Clock {
    /// Creates a clock with a number of ticks per second (0 counts as 10⁹) and the ticks at which
    /// the trace starts.
    pub fn new(resolution: u64, start: u64) -> Self {
        let resolution = if resolution == 0 { SECOND } else { resolution };
        let reciprocal = u64::try_from((1_u128 << 64) / u128::from(resolution)).unwrap_or(u64::MAX);
        Self { resolution, reciprocal, start, length: 0, date: None }
    }

    /// Creates the clock of these properties.
    pub fn of(properties: &ClockProperties) -> Self {
        let clock = Self::new(properties.timer_resolution, properties.global_offset);
        let date = Some(properties.realtime_timestamp).filter(|date| *date != u64::MAX);
        Self { length: properties.trace_length, date, ..clock }
    }

    /// Returns the number of nanoseconds from the start of the trace to `ticks`, rounded to the
    /// nearest; 0 for times before the start.
    #[inline]
    pub fn nanoseconds(&self, ticks: u64) -> u64 {
        let ticks = ticks.saturating_sub(self.start);
        if self.resolution == SECOND { ticks } else { self.scaled(ticks) }
    }

    #[inline]
    fn scaled(&self, ticks: u64) -> u64 {
        let seconds = self.divided(ticks);
        let rest = ticks - seconds * self.resolution;
        // Less than 10⁹ after rounding down, at most 10⁹ after rounding.
        let part = match self.resolution <= MOST_TICKS {
            true => self.divided(rest * SECOND + self.resolution / 2),
            false => {
                let part = u128::from(rest) * u128::from(SECOND) + u128::from(self.resolution / 2);
                (part / u128::from(self.resolution)) as u64
            }
        };
        seconds.saturating_mul(SECOND).saturating_add(part)
    }

    /// Divides by the resolution. A division takes longer than all else that happens to an event.
    #[inline]
    fn divided(&self, number: u64) -> u64 {
        // The reciprocal is less than 1 too small, so the quotient is at most 1 too small.
        let quotient = ((u128::from(number) * u128::from(self.reciprocal)) >> 64) as u64;
        quotient + u64::from(number - quotient * self.resolution >= self.resolution)
    }

    /// Returns the number of ticks per second.
    pub fn resolution(&self) -> u64 {
        self.resolution
    }

    /// Returns the ticks at the start of the trace.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Returns the length of the trace by its clock properties, in nanoseconds; 0 if it is
    /// unknown. Writers that do not know it state 0 or 2⁶⁴ - 1 ticks; more than ten years are not
    /// believed.
    pub fn length(&self) -> u64 {
        let length = self.nanoseconds(self.start.saturating_add(self.length));
        if length > LONGEST { 0 } else { length }
    }

    /// Returns the date of the start of the trace, in nanoseconds since 1970-01-01 UTC, if known.
    pub fn date(&self) -> Option<u64> {
        self.date
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(SECOND, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded_to_the_nearest() {
        for (resolution, ticks, expected) in [
            (1, 7, 7_000_000_000),
            (3, 1, 333_333_333),
            (3, 2, 666_666_667),
            (2_000_000_000, 1, 1),
            (2_000_000_000, u64::MAX, u64::MAX / 2 + 1),
            (4_000_000_000, 1, 0),
            (u64::MAX, u64::MAX - 1, SECOND),
            (1, u64::MAX, u64::MAX),
        ] {
            assert_eq!(Clock::new(resolution, 0).nanoseconds(ticks), expected, "{ticks} of {resolution}");
        }
    }

    /// Compares with the definition, near all boundaries.
    #[test]
    fn times_are_those_of_a_plain_division() {
        let near = |number: u64| (0..5).map(move |step| number.saturating_sub(2).saturating_add(step));
        let powers = (0..64).map(|bit| 1_u64 << bit);
        let numbers =
            || powers.clone().chain([3, 10, 2_399_999_997, MOST_TICKS, SECOND, u64::MAX]).flat_map(near);
        for resolution in numbers().filter(|resolution| *resolution > 0) {
            for ticks in numbers() {
                let (ticks, whole) = (u128::from(ticks), u128::from(resolution));
                let (seconds, rest) = (ticks / whole, ticks % whole);
                let part = (rest * u128::from(SECOND) + u128::from(resolution / 2)) / whole;
                let expected = u64::try_from(seconds * u128::from(SECOND) + part).unwrap_or(u64::MAX);
                let found = Clock::new(resolution, 0).nanoseconds(ticks as u64);
                assert_eq!(found, expected, "{ticks} of {resolution}");
            }
        }
    }

    #[test]
    fn a_length_that_cannot_be_is_unknown() {
        let length = |timer_resolution, global_offset, trace_length| {
            Clock::of(&ClockProperties {
                timer_resolution,
                global_offset,
                trace_length,
                realtime_timestamp: u64::MAX,
            })
            .length()
        };
        let year = 365 * 86_400;
        assert_eq!(length(SECOND, 7, 9 * year * SECOND), 9 * year * SECOND);
        for (resolution, start, ticks) in [
            (SECOND, 0, u64::MAX),
            (3 * SECOND, 5000, u64::MAX),
            (SECOND, 1 << 60, u64::MAX - (1 << 60)),
            (SECOND, 0, u64::MAX >> 1),
            (1, 0, 11 * year),
        ] {
            assert_eq!(length(resolution, start, ticks), 0, "{resolution} {start} {ticks}");
        }
    }

    #[test]
    fn times_before_the_start_are_0() {
        assert_eq!(Clock::new(1, 10).nanoseconds(9), 0);
    }
}
