//! The rate of the time stamp counter, on which processes must agree if their archives are merged.
//!
//! It is measured once, from the start of this process on, while other work is done. Each process
//! of the program finds it in its environment. If the counter is not a clock of the runtime, the
//! rate is not used.

use std::thread;
use std::time::Duration;

use kymo_recorder::clock::{Clock, Reading};

pub(super) const VARIABLE: &str = "KYMO_RECORD_TICKS_PER_SECOND";
/// The minimum duration of the measurement, a hundred thousand times that of a reading.
const MOMENT: Duration = Duration::from_millis(10);
const TRIES: usize = 8;

/// The clocks at the start of the measurement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start(Reading);

impl Start {
    /// Reads the clocks.
    pub(super) fn now() -> Self {
        Self(closest())
    }

    /// Returns the ticks of the counter per second; `None` if there is no counter.
    pub(super) fn ticks_per_second(&self) -> Option<u64> {
        if self.0.counter == 0 {
            return None;
        }
        let passed = Duration::from_nanos(Reading::now().monotonic_raw.saturating_sub(self.0.monotonic_raw));
        thread::sleep(MOMENT.saturating_sub(passed));
        closest().ticks_per_second(&self.0, Clock::Counter).filter(|&rate| rate > 0)
    }
}

/// Takes some readings and returns the one whose clocks were read closest to each other.
fn closest() -> Reading {
    let pair = |_| {
        let reading = Reading::now();
        (Reading::now().counter.wrapping_sub(reading.counter), reading)
    };
    let readings = (0..TRIES).map(pair).min_by_key(|&(width, _)| width);
    readings.map_or_else(Reading::now, |(_, reading)| reading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_a_longer_measurement() {
        let (start, whole) = (Start::now(), Reading::now());
        let Some(rate) = start.ticks_per_second() else { return };
        thread::sleep(Duration::from_millis(100));
        let known = Reading::now().ticks_per_second(&whole, Clock::Counter).unwrap();
        assert!((rate as f64 / known as f64 - 1.0).abs() < 0.01, "{rate} and {known}");
    }
}
