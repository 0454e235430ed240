//! Durations as they are typed and printed: a number with a unit, such as `1us`.

use std::time::Duration;

use crate::time::Time;

/// The units, largest first.
const UNITS: [(&str, u32); 4] = [("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1)];

/// The nanoseconds of a day.
const DAY: u64 = 86_400_000_000_000;

/// Parses a duration from the command line.
pub(super) fn parse(text: &str) -> Result<Duration, String> {
    const EXPECTED: &str = "expected a time such as 500ns, 1us or 2.5ms";
    let time: Time = text.parse().map_err(|_| EXPECTED)?;
    let nanoseconds = (!time.is_ticks()).then(|| time.ticks(1_000_000_000)).flatten();
    // A limit of more than a day would leave nothing.
    let sound = nanoseconds.and_then(|time| u64::try_from(time).ok()).filter(|time| (1..=DAY).contains(time));
    sound.map(Duration::from_nanos).ok_or_else(|| EXPECTED.to_owned())
}

/// Formats a duration in the largest unit in which it is at least one, with up to three digits.
pub(super) fn formatted(nanoseconds: f64) -> String {
    let (name, size) = UNITS.iter().find(|&&(_, size)| nanoseconds >= f64::from(size)).unwrap_or(&("ns", 1));
    let number = nanoseconds / f64::from(*size);
    let digits = if number < 10.0 && number.fract() >= 0.05 { 1 } else { 0 };
    format!("{number:.digits$} {name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let nanoseconds = |text| parse(text).map(|time| time.as_nanos()).ok();
        let times = ["500ns", "1us", "2.5ms", "1s", "0.5us"].map(nanoseconds);
        assert_eq!(times, [500, 1_000, 2_500_000, 1_000_000_000, 500].map(Some));
        for text in ["", "us", "1", "1 us", "0ns", "-1us", "1h", "1e3us", "..1us", "99999999s"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_are_shown_in_fitting_units() {
        let times = [0.4, 12.3, 999.0, 1_500.0, 2_000_000.0, 12_345_678_901.0].map(formatted);
        assert_eq!(times, ["0.4 ns", "12 ns", "999 ns", "1.5 us", "2 ms", "12 s"]);
    }
}
