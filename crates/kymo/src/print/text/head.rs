//! The columns before the contents of an event: kind, location, time.

use std::io::Write;

use super::line::Line;
use crate::print::number::{self, LONGEST, NINE_DIGITS};

/// The width of the column with the kind of event, and of the blank after it.
const NAME: usize = 33;
/// The width of the column with the location.
const LOCATION: usize = 15;
/// The position of the time.
const TIME: usize = NAME + LOCATION + 1;
/// The width of all columns, and of the blanks after them.
pub(super) const WIDTH: usize = TIME + LONGEST + 2;

/// The digits of a time, right-aligned. The next time usually differs only in the last eight
/// digits.
#[derive(Debug)]
pub(super) struct Digits {
    /// The last time without its last eight digits.
    high: u64,
    digits: [u8; LONGEST],
}

const LOW: u64 = NINE_DIGITS;

impl Default for Digits {
    fn default() -> Self {
        Digits { high: 0, digits: [b' '; LONGEST] }
    }
}

impl Digits {
    #[inline]
    fn write(&mut self, room: &mut [u8; LONGEST], time: u64) {
        if time / LOW != self.high || time < LOW {
            // The digits have the length of the longest number.
            let _ = write!(&mut self.digits[..], "{time:LONGEST$}");
            self.high = time / LOW;
        }
        *room = self.digits;
        if time >= LOW
            && let Some(low) = room.last_chunk_mut()
        {
            *low = number::eight(time);
        }
    }
}

/// Locations below this fit into their column.
const WIDE: u64 = 10_u64.pow(LOCATION as u32);

/// Appends the columns, and the rest of `template`, which contains the kind in its column and
/// blanks for the location and the time.
#[inline]
pub(super) fn write<const LENGTH: usize>(line: &mut Line<'_, '_>, template: &[u8; LENGTH], time: u64) {
    let location = line.location.0;
    let shown = match line.origin {
        Some(origin) if time < origin => None,
        origin => Some(time - origin.unwrap_or(0)),
    };
    let start = line.out.len();
    line.out.extend_from_slice(template);
    match (shown, line.out[start..].first_chunk_mut::<WIDTH>()) {
        (Some(shown), Some(columns)) if time != u64::MAX && location < WIDE => {
            write_location(columns, location);
            if let Some(room) = columns[TIME..].first_chunk_mut() {
                line.digits.write(room, shown);
            }
        }
        _ => {
            line.out.truncate(start + NAME);
            write_unusual(line, time);
            line.out.extend_from_slice(template.get(WIDTH..).unwrap_or_default());
        }
    }
}

/// Writes a location below [`WIDE`] into its column.
#[inline]
fn write_location(columns: &mut [u8; WIDTH], location: u64) {
    // The column is a digit short of two chunks, but there is a blank before it.
    let Some(([high, low, ..], _)) = columns.get_mut(NAME - 1..).map(<[u8]>::as_chunks_mut) else { return };
    if location >= NINE_DIGITS {
        *high = number::blanked(location / NINE_DIGITS);
        *low = number::eight(location);
    } else {
        *low = number::blanked(location);
    }
}

/// Appends a time that is undefined or before the origin, or a location that is wider than its
/// column.
#[cold]
fn write_unusual(line: &mut Line<'_, '_>, time: u64) {
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
            let mut room = [0; LONGEST];
            digits.write(&mut room, time);
            assert_eq!(room, format!("{time:>20}").as_bytes(), "{time}");
        }
    }
}
