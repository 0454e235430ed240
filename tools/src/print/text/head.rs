//! The columns before what an event says: kind, location, time.

use super::line::Line;
use crate::print::number::{self, LONGEST};

/// Width of the column with the kind of event, and the blank behind it.
pub(super) const NAME: usize = 33;
/// Width of the column with the location.
const LOCATION: usize = 15;
/// Where the time begins.
const TIME: usize = NAME + LOCATION + 1;
/// Width of all columns.
pub(super) const WIDTH: usize = TIME + LONGEST + 2;

/// The digits of a time, right-aligned. Those of the next are mostly the same but for the last eight.
#[derive(Debug)]
pub(super) struct Digits {
    /// The last time without its last eight digits.
    high: u64,
    digits: [u8; LONGEST],
}

const LOW: u64 = 100_000_000;

impl Default for Digits {
    fn default() -> Self {
        Digits { high: 0, digits: [b' '; LONGEST] }
    }
}

impl Digits {
    #[inline]
    fn of(&mut self, time: u64) -> &[u8; LONGEST] {
        if time / LOW != self.high || time < LOW {
            (self.digits, _) = number::right_aligned(time);
            self.high = time / LOW;
        } else if let Some(low) = self.digits.last_chunk_mut() {
            *low = number::last_eight(time);
        }
        &self.digits
    }
}

/// Appends the columns.
#[inline]
pub(super) fn write(line: &mut Line<'_, '_>, name: &[u8; NAME], time: u64) {
    let (location, start) = number::right_aligned(line.location.0);
    let shown = match line.origin {
        Some(origin) if time < origin => None,
        origin => Some(time - origin.unwrap_or(0)),
    };
    match shown {
        Some(shown) if time != u64::MAX && start >= LONGEST - LOCATION => {
            let mut head = [b' '; WIDTH];
            head[..NAME].copy_from_slice(name);
            head[NAME..NAME + LOCATION].copy_from_slice(&location[LONGEST - LOCATION..]);
            head[TIME..TIME + LONGEST].copy_from_slice(line.digits.of(shown));
            line.out.extend_from_slice(&head);
        }
        _ => write_unusual(line, name, time),
    }
}

/// A time that is undefined or before the origin, or a location that is wider than its column.
#[cold]
fn write_unusual(line: &mut Line<'_, '_>, name: &[u8; NAME], time: u64) {
    line.out.extend_from_slice(name);
    number::padded(line.out, line.location.0, LOCATION);
    line.text(" ");
    line.time(time, LONGEST);
    line.text("  ");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_times_in_any_order() {
        let mut digits = Digits::default();
        for time in [
            0,
            7,
            LOW - 1,
            LOW,
            LOW + 1,
            12 * LOW + 34,
            12 * LOW + 56,
            5,
            12 * LOW,
            u64::MAX,
            u64::MAX - 1,
            3,
        ] {
            assert_eq!(digits.of(time), format!("{time:>20}").as_bytes(), "{time}");
        }
    }
}
