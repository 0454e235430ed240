//! Formats the date of a trace, always in UTC.

use std::io::Write;

const NANOSECONDS: u64 = 1_000_000_000;
const DAY: u64 = 24 * 60 * 60;

/// Appends the date of a time in nanoseconds since the beginning of 1970:
/// `2024-02-29 12:00:00.000000001 +0000`.
pub(crate) fn write(out: &mut Vec<u8>, nanoseconds: u64) {
    let fraction = nanoseconds % NANOSECONDS;
    // Writing to a vector does not fail.
    let _ = write!(out, "{}.{fraction:09} +0000", seconds(nanoseconds / NANOSECONDS));
}

/// Returns the date of a time in nanoseconds since the beginning of 1970, for people:
/// `2024-02-29 12:00:00 UTC`.
pub(crate) fn text(nanoseconds: u64) -> String {
    format!("{} UTC", seconds(nanoseconds / NANOSECONDS))
}

/// Returns the date of a time in seconds.
fn seconds(seconds: u64) -> String {
    let (year, month, day) = date(seconds / DAY);
    let (hour, minute, second) = (seconds % DAY / 3600, seconds % 3600 / 60, seconds % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

/// Returns year, month and day of a number of days since the beginning of 1970, in the Gregorian
/// calendar.
fn date(days: u64) -> (u64, u64, u64) {
    // Years that begin in March end with the leap day, and 400 of them always have the same length.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = era * 400 + year;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        let exact = |seconds: u64| {
            let mut out = Vec::new();
            write(&mut out, seconds * NANOSECONDS + 7);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(text(7), "1970-01-01 00:00:00 UTC");
        assert_eq!(exact(0), "1970-01-01 00:00:00.000000007 +0000");
        assert_eq!(exact(951_782_399), "2000-02-28 23:59:59.000000007 +0000");
        assert_eq!(exact(951_782_400), "2000-02-29 00:00:00.000000007 +0000");
        assert_eq!(exact(4_107_542_400), "2100-03-01 00:00:00.000000007 +0000");
        assert_eq!(exact(18_446_744_072), "2554-07-21 23:34:32.000000007 +0000");
    }
}
