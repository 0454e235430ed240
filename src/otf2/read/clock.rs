//! Clock correction of a location, OTF2 format, section "Clock correction": straight lines between its clock offsets.

use crate::error::Problem;
use crate::records::definitions::ClockOffset;

/// Corrects the times of a location, which have to come in the order of its file.
#[derive(Debug, Clone, Default)]
pub(super) struct Clock {
    /// Time and offset; times strictly increase.
    points: Vec<(u64, i64)>,
    /// The line that holds for the last time: from this point to the next.
    current: usize,
}

impl Clock {
    /// Adds the next offset.
    pub(super) fn add(&mut self, offset: &ClockOffset) -> Result<(), Problem> {
        let time = offset.time.0;
        match self.points.last() {
            Some(&(last, _)) if last >= time => Err(Problem::ClockOffsetTime { time, last }),
            _ => {
                self.points.push((time, offset.offset));
                Ok(())
            }
        }
    }

    /// Whether times stay as they are: a single offset has no effect.
    pub(super) fn is_empty(&self) -> bool {
        self.points.len() < 2
    }

    /// Begins again with the first line.
    pub(super) fn reset(&mut self) {
        self.current = 0;
    }

    /// The corrected time. The lines are left behind one by one and never come back; the last serves all later times, the first all
    /// earlier ones.
    #[inline]
    pub(super) fn correct(&mut self, time: u64) -> u64 {
        if self.is_empty() {
            return time;
        }
        self.current = self.line(self.current, time);
        self.correct_by(self.current, time)
    }

    /// The corrected time, as if it were the first.
    pub(super) fn correct_first(&self, time: u64) -> u64 {
        if self.is_empty() { time } else { self.correct_by(self.line(0, time), time) }
    }

    /// The line for a time: this one, or one behind it.
    fn line(&self, mut line: usize, time: u64) -> usize {
        while line + 2 < self.points.len() && time > self.points[line + 1].0 {
            line += 1;
        }
        line
    }

    fn correct_by(&self, line: usize, time: u64) -> u64 {
        let (begin, offset) = self.points[line];
        let (end, next_offset) = self.points[line + 1];
        let slope = next_offset.wrapping_sub(offset) as f64 / (end - begin) as f64;
        let distance = match time < begin {
            true => -((begin - time) as f64),
            false => (time - begin) as f64,
        };
        let moved = (slope * distance).round_ties_even() as i64;
        time.wrapping_add_signed(offset).wrapping_add_signed(moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::value::Timestamp;

    fn clock(points: &[(u64, i64)]) -> Clock {
        let mut clock = Clock::default();
        for &(time, offset) in points {
            let offset = ClockOffset { time: Timestamp(time), offset, standard_deviation: 0.0 };
            clock.add(&offset).unwrap();
        }
        clock
    }

    #[test]
    fn a_single_offset_is_not_applied() {
        assert_eq!(clock(&[(10, 1000)]).correct(17), 17);
    }

    #[test]
    fn times_outside_are_on_the_first_and_last_line() {
        let mut clock = clock(&[(100, 10), (200, 30), (300, 30)]);
        let corrected = [0, 100, 150, 200, 201, 400].map(|time| clock.correct(time));
        assert_eq!(corrected, [u64::MAX - 9, 110, 170, 230, 231, 430]);
        // The line of later times stays in force.
        assert_eq!(clock.correct(150), 180);
        clock.reset();
        assert_eq!(clock.correct(150), 170);
    }

    #[test]
    fn halves_are_rounded_to_even() {
        let mut clock = clock(&[(0, 0), (2, 1)]);
        assert_eq!([1, 3].map(|time| clock.correct(time)), [1, 5]);
    }

    #[test]
    fn times_of_offsets_increase() {
        let mut clock = clock(&[(5, 0)]);
        let offset = ClockOffset { time: Timestamp(5), offset: 1, standard_deviation: 0.0 };
        assert_eq!(clock.add(&offset), Err(Problem::ClockOffsetTime { time: 5, last: 5 }));
    }
}
