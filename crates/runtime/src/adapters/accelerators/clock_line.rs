//! The conversion of a device's times to those of the measurement.
//!
//! A device has a clock of its own, of nanoseconds. Points at which both clocks were read define a
//! line between them. Invariant: the line goes at the rate of the measurement's clock if the points
//! are too close to know better.

use std::time::Duration;

/// A device's time, and that of the measurement in the same moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct ClockPoint {
    /// In nanoseconds of the device.
    pub(in super::super) device: u64,
    /// In ticks.
    pub(in super::super) ticks: u64,
}

/// The line through the last two points.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct ClockLine {
    first: ClockPoint,
    last: ClockPoint,
    /// The ticks of a second.
    resolution: u64,
}

/// Points that are closer do not tell how fast a clock is: their errors are microseconds.
const FAR: u64 = Duration::from_millis(20).as_nanos() as u64;
/// How much faster or slower a device's clock can be, in millionths. A larger difference is an
/// error of a point.
const DRIFT: i128 = 250;

impl ClockLine {
    pub(in super::super) fn new(point: ClockPoint, resolution: u64) -> Self {
        Self { first: point, last: point, resolution }
    }

    /// Adds a point, which is later than all others.
    pub(in super::super) fn add(&mut self, point: ClockPoint) {
        (self.first, self.last) = (self.last, point);
    }

    /// Returns the last point.
    pub(in super::super) fn last(&self) -> ClockPoint {
        self.last
    }

    /// Returns the ticks at a time of the device.
    pub(in super::super) fn ticks(&self, device: u64) -> u64 {
        let since = i128::from(device) - i128::from(self.last.device);
        let plain = self.plain_ticks(since);
        let length = i128::from(self.last.device) - i128::from(self.first.device);
        let drifted = self.drift().filter(|_| length >= i128::from(FAR)).map(|drift| drift * since / length);
        let ticks = i128::from(self.last.ticks) + plain + drifted.unwrap_or(0);
        u64::try_from(ticks).unwrap_or(if ticks < 0 { 0 } else { u64::MAX })
    }

    /// Returns the ticks of a number of nanoseconds.
    fn plain_ticks(&self, nanoseconds: i128) -> i128 {
        nanoseconds * i128::from(self.resolution) / 1_000_000_000
    }

    /// Returns by how many ticks the measurement's clock was ahead of the device's between the
    /// points; `None` if that is more than clocks drift.
    fn drift(&self) -> Option<i128> {
        let plain = self.plain_ticks(i128::from(self.last.device) - i128::from(self.first.device));
        let drift = i128::from(self.last.ticks) - i128::from(self.first.ticks) - plain;
        (drift.abs() * 1_000_000 <= plain * DRIFT).then_some(drift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    fn point(device: u64, ticks: u64) -> ClockPoint {
        ClockPoint { device, ticks }
    }

    #[test]
    fn one_point_shifts_the_times() {
        let line = ClockLine::new(point(1000, 50_000), 2 * SECOND);
        assert_eq!([0, 1000, 1500].map(|time| line.ticks(time)), [48_000, 50_000, 51_000]);
        assert_eq!(ClockLine::new(point(1000, 5), SECOND).ticks(0), 0);
    }

    #[test]
    fn times_between_two_points_are_on_the_line_between_them() {
        // The device's clock is slower by 100 millionths.
        let mut line = ClockLine::new(point(0, 0), SECOND);
        line.add(point(SECOND, SECOND + 100_000));
        assert_eq!(line.ticks(SECOND / 2), SECOND / 2 + 50_000);
        assert_eq!([0, SECOND].map(|time| line.ticks(time)), [0, SECOND + 100_000]);
        assert_eq!(line.ticks(2 * SECOND), 2 * SECOND + 200_000);
    }

    #[test]
    fn points_that_are_close_or_wrong_only_shift_the_times() {
        let mut line = ClockLine::new(point(0, 0), SECOND);
        line.add(point(1000, 3000));
        assert_eq!(line.ticks(500), 2500);
        line.add(point(SECOND, 2 * SECOND));
        assert_eq!(line.ticks(SECOND - 10), 2 * SECOND - 10);
    }
}
