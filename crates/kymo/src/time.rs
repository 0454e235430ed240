//! Spans of time as typed on the command line: `1500`, `2.5ms`, `10%`.

use std::str::FromStr;

/// A span of time: `number / 10^decimals` ticks or parts of a second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Time {
    number: i128,
    decimals: u32,
    /// The number of units per second, or 100 for a percentage; `None` for ticks.
    parts: Option<i128>,
}

const PER_CENT: i128 = 100;
const UNITS: [(&str, i128); 4] = [("ns", 1_000_000_000), ("us", 1_000_000), ("ms", 1_000), ("s", 1)];
/// The maximum number of digits, which is more than any time has.
const DIGITS: usize = 20;

impl Time {
    /// Converts to ticks, of which `whole` make up a second or 100 %. Returns `None` if the result
    /// is too large.
    pub(crate) fn ticks(self, whole: u64) -> Option<i128> {
        let (times, parts) = match self.parts {
            None => (1, 1),
            Some(parts) => (i128::from(whole), parts),
        };
        let divisor = parts.checked_mul(10_i128.checked_pow(self.decimals)?)?;
        let number = self.number.checked_mul(times)?;
        // Rounds to the nearest tick.
        Some(number.checked_mul(2)?.checked_add(divisor)?.div_euclid(divisor.checked_mul(2)?))
    }
}

impl Time {
    /// Parses a percentage, from 0 to 100, of the value passed to [`ticks`](Self::ticks).
    pub(crate) fn per_cent(text: &str) -> Option<Self> {
        let part: Self = format!("{}s", text.strip_suffix('%')?).parse().ok()?;
        let part = Self { parts: Some(PER_CENT), ..part };
        (0..=PER_CENT * 1_000).contains(&part.ticks(PER_CENT as u64 * 1_000)?).then_some(part)
    }

    /// Whether it is a number of ticks.
    pub(crate) fn is_ticks(self) -> bool {
        self.parts.is_none()
    }
}

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unit = UNITS.iter().find_map(|&(unit, parts)| Some((text.strip_suffix(unit)?, parts)));
        let (number, parts) = match unit {
            Some((number, parts)) => (number, Some(parts)),
            None => (text, None),
        };
        let (sign, digits) = match number.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, number.strip_prefix('+').unwrap_or(number)),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let all = format!("{whole}{part}");
        let is_number =
            !whole.is_empty() && all.len() <= DIGITS && all.bytes().all(|digit| digit.is_ascii_digit());
        let is_split = digits.contains('.');
        if !is_number || (is_split && (part.is_empty() || parts.is_none())) {
            return Err("expected a number of ticks, or a time with a unit (s, ms, us, ns)".to_owned());
        }
        let number = all.parse::<i128>().map_err(|error| error.to_string())?;
        Ok(Time { number: sign * number, decimals: part.len() as u32, parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn ticks(text: &str, expected: i128) {
        assert_eq!(text.parse::<Time>().expect(text).ticks(2_500_000_000), Some(expected), "{text}");
    }

    #[test]
    fn times() {
        ticks("0", 0);
        ticks("-17", -17);
        ticks("+17", 17);
        ticks("2s", 5_000_000_000);
        ticks("1.5ms", 3_750_000);
        ticks("-4us", -10_000);
        ticks("10ns", 25);
        // Halves are rounded up.
        ticks("1ns", 3);
        ticks("-1ns", -2);
    }

    #[test]
    fn invalid_times_are_rejected() {
        for text in ["", "s", "-", "1.5", "1.s", ".5s", "1e9", "1m", "--1", "1 s", "999999999999999999999"] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
        assert_eq!("99999999999999999999s".parse::<Time>().expect("a time").ticks(u64::MAX), None);
    }

    #[test]
    fn percentages() {
        let ticks = |text| Time::per_cent(text).map(|part| part.ticks(3_000));
        assert_eq!(
            [ticks("0%"), ticks("12.5%"), ticks("100%")],
            [Some(Some(0)), Some(Some(375)), Some(Some(3_000))]
        );
        assert_eq!([ticks("-1%"), ticks("100.1%"), ticks("10"), ticks("%"), ticks("1s%")], [None; 5]);
    }
}
