//! Clock correction of a location, docs/spec/otf2-format.md, "Clock correction": straight lines
//! between its clock offsets.

use crate::error::Problem;
use crate::records::definitions::ClockOffset;

/// Corrects the times of a location. Times must be passed in the order of the file.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    /// The time and offset of the last point; times strictly increase.
    last: Option<(u64, i64)>,
    lines: Vec<Line>,
    /// The index of the line for the last time.
    current: usize,
    near: Near,
}

/// The line from one clock offset to the next.
#[derive(Debug, Clone, Copy)]
struct Line {
    begin: u64,
    end: u64,
    offset: i64,
    slope: f64,
}

/// The part of the current line whose times are corrected with few instructions: distances from its
/// beginning fit a signed number, and the product with the slope fits [`WHOLE`].
#[derive(Debug, Clone, Copy)]
struct Near {
    begin: u64,
    length: u64,
    /// The offset of the line less the bits of [`WHOLE`].
    offset: u64,
    slope: f64,
}

impl Default for Near {
    /// Returns the line that changes no time.
    fn default() -> Self {
        Near { begin: 0, length: u64::MAX, offset: 0_u64.wrapping_sub(WHOLE.to_bits()), slope: 0.0 }
    }
}

impl Near {
    fn of(line: &Line) -> Self {
        let length = line.end - line.begin;
        let fits = length <= i64::MAX as u64 && (line.slope * length as f64).abs() < LARGEST;
        Near {
            begin: line.begin,
            length: if fits { length } else { 0 },
            offset: (line.offset as u64).wrapping_sub(WHOLE.to_bits()),
            slope: line.slope,
        }
    }

    #[inline(always)]
    fn correct(&self, time: u64) -> Option<u64> {
        let distance = time.wrapping_sub(self.begin);
        let moved = (self.slope * distance as i64 as f64 + WHOLE).to_bits();
        (distance <= self.length).then_some(time.wrapping_add(self.offset).wrapping_add(moved))
    }
}

impl Clock {
    /// The most memory that an offset takes, in bytes: while the list of lines grows, it exists
    /// twice.
    pub(super) const MEMORY: usize = 3 * size_of::<Line>();

    /// Adds the next offset.
    pub fn add(&mut self, point: &ClockOffset) -> Result<(), Problem> {
        let (end, end_offset) = (point.time.0, point.offset);
        if let Some((begin, offset)) = self.last.replace((end, end_offset)) {
            if begin >= end {
                return Err(Problem::ClockOffsetTime { time: end, last: begin });
            }
            let slope = end_offset.wrapping_sub(offset) as f64 / (end - begin) as f64;
            self.lines.push(Line { begin, end, offset, slope });
            self.go_to(0);
        }
        Ok(())
    }

    /// Returns whether no time changes.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns to the first line.
    pub fn reset(&mut self) {
        self.go_to(0);
    }

    fn go_to(&mut self, line: usize) {
        self.current = line;
        self.near = self.lines.get(line).map_or_else(Near::default, Near::of);
    }

    /// Corrects a time. The current line only moves forward, until [`reset`](Self::reset). The
    /// first line also covers earlier times, the last line later ones.
    #[inline(always)]
    pub fn correct(&mut self, time: u64) -> u64 {
        match self.near.correct(time) {
            Some(time) => time,
            None => self.correct_far(time),
        }
    }

    #[inline(never)]
    fn correct_far(&mut self, time: u64) -> u64 {
        let line = self.line(self.current, time);
        if line != self.current {
            self.go_to(line);
        }
        self.correct_by(line, time)
    }

    /// Corrects a time independently of the times before.
    pub fn correct_first(&self, time: u64) -> u64 {
        self.correct_by(self.line(0, time), time)
    }

    /// Returns the index of the line for a time, searching from `line` on.
    fn line(&self, mut line: usize, time: u64) -> usize {
        while line + 1 < self.lines.len() && time > self.lines[line].end {
            line += 1;
        }
        line
    }

    fn correct_by(&self, line: usize, time: u64) -> u64 {
        self.lines.get(line).map_or(time, |line| line.correct(time))
    }
}

impl Line {
    #[inline]
    fn correct(&self, time: u64) -> u64 {
        let distance = time.wrapping_sub(self.begin) as i64;
        let distance = match (distance >= 0) == (time >= self.begin) {
            true => distance as f64,
            false => Self::long_distance(self.begin, time),
        };
        let moved = rounded(self.slope * distance);
        time.wrapping_add_signed(self.offset).wrapping_add_signed(moved)
    }

    /// Returns a distance that needs 64 bits and a sign.
    #[cold]
    fn long_distance(begin: u64, time: u64) -> f64 {
        if time < begin { -((begin - time) as f64) } else { (time - begin) as f64 }
    }
}

/// Doubles of this size are 1 apart, so adding it rounds and leaves the integer in the lowest bits.
const WHOLE: f64 = (1_u64 << 52) as f64 * 1.5;
/// Smaller numbers can be rounded by adding [`WHOLE`].
const LARGEST: f64 = (1_u64 << 51) as f64;

/// Rounds to the nearest integer, and ties to the even one.
#[inline]
fn rounded(value: f64) -> i64 {
    match value.abs() < LARGEST {
        true => (value + WHOLE).to_bits().wrapping_sub(WHOLE.to_bits()) as i64,
        false => value.round_ties_even() as i64,
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
        // The line of later times stays current.
        assert_eq!(clock.correct(150), 180);
        clock.reset();
        assert_eq!(clock.correct(150), 170);
    }

    #[test]
    fn near_times_are_corrected_as_by_the_line() {
        for (offset, slope) in [(0, 0.0), (-7, 1e-6), (1 << 40, -0.3), (5, 1e9), (-1, -1e12)] {
            for (begin, end) in [(0, 1), (1000, 1 << 40), (1 << 63, u64::MAX), (0, u64::MAX), (7, 1 << 62)] {
                let line = Line { begin, end, offset, slope };
                let near = Near::of(&line);
                for time in [begin, end, begin + 1, begin + (end - begin) / 3, begin.wrapping_sub(1), 1 << 50]
                {
                    let found = near.correct(time);
                    assert!(found.is_none_or(|found| found == line.correct(time)), "{line:?} {time}");
                    assert_eq!(found.is_some(), time.wrapping_sub(begin) <= near.length);
                }
            }
        }
        assert!([0, 1, 1 << 63, u64::MAX].iter().all(|&time| Near::default().correct(time) == Some(time)));
    }

    #[test]
    fn rounding_matches_the_standard_library() {
        for value in [
            0.0,
            -0.0,
            0.5,
            1.5,
            2.5,
            1e15 + 0.5,
            2_251_799_813_685_247.5,
            2_251_799_813_685_248.0,
            1e300,
            f64::NAN,
        ] {
            for value in [value, -value, value.next_up(), value.next_down()] {
                assert_eq!(rounded(value), value.round_ties_even() as i64, "{value}");
            }
        }
    }

    #[test]
    fn distances_can_be_longer_than_a_signed_number() {
        let line = |begin, slope| Line { begin, end: u64::MAX, offset: 0, slope };
        for (begin, time) in
            [(0, u64::MAX), (u64::MAX, 0), (0, 1 << 63), (1 << 63, 0), (5, 3), (1, i64::MIN as u64)]
        {
            let distance = (i128::from(time) - i128::from(begin)) as f64;
            let moved = (0.25 * distance).round_ties_even() as i64;
            assert_eq!(line(begin, 0.25).correct(time), time.wrapping_add_signed(moved), "{begin} {time}");
        }
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
