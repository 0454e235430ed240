//! `--shift ANCHOR=TIME`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::problem::Problem;

/// By how much which archive is moved.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shift {
    archive: String,
    time: Time,
}

/// A span of time: `number / 10^decimals` ticks or parts of a second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Time {
    number: i128,
    decimals: u32,
    /// Of such units a second has so many; none for ticks.
    per_second: Option<i128>,
}

const UNITS: [(&str, i128); 4] = [("ns", 1_000_000_000), ("us", 1_000_000), ("ms", 1_000), ("s", 1)];
/// More digits than any time has.
const DIGITS: usize = 20;

impl Time {
    /// So many ticks, of which a second has `resolution`; none if these are too many.
    pub(super) fn ticks(self, resolution: u64) -> Option<i128> {
        let (times, parts) = match self.per_second {
            None => (1, 1),
            Some(per_second) => (i128::from(resolution), per_second),
        };
        let divisor = parts.checked_mul(10_i128.checked_pow(self.decimals)?)?;
        let number = self.number.checked_mul(times)?;
        // To the nearest.
        Some(number.checked_mul(2)?.checked_add(divisor)?.div_euclid(divisor.checked_mul(2)?))
    }
}

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unit = UNITS.iter().find_map(|&(unit, per_second)| Some((text.strip_suffix(unit)?, per_second)));
        let (number, per_second) = match unit {
            Some((number, per_second)) => (number, Some(per_second)),
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
        if !is_number || (is_split && (part.is_empty() || per_second.is_none())) {
            return Err("expected a number of ticks, or a time with a unit (s, ms, us, ns)".to_owned());
        }
        let number = all.parse::<i128>().map_err(|error| error.to_string())?;
        Ok(Time { number: sign * number, decimals: part.len() as u32, per_second })
    }
}

impl FromStr for Shift {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A path may have the sign in it, a time has not.
        let (archive, time) = text.rsplit_once('=').ok_or("expected ANCHOR=TIME")?;
        Ok(Shift { archive: archive.to_owned(), time: time.parse()? })
    }
}

/// The shifts of each archive.
pub(super) fn by_archive(shifts: &[Shift], archives: &[PathBuf]) -> Result<Vec<Vec<Time>>, Problem> {
    let mut all = vec![Vec::new(); archives.len()];
    for shift in shifts {
        let place = place(&shift.archive, archives)?;
        all.get_mut(place).into_iter().for_each(|times: &mut Vec<Time>| times.push(shift.time));
    }
    Ok(all)
}

/// Place of an archive in the list that was given.
fn place(archive: &str, archives: &[PathBuf]) -> Result<usize, Problem> {
    if let Ok(number) = archive.parse::<usize>() {
        let is_there = (1..=archives.len()).contains(&number);
        let problem = || Problem::usage(format_args!("--shift: there is no archive number {number}"));
        return is_there.then(|| number - 1).ok_or_else(problem);
    }
    let mut places = (0..archives.len()).filter(|&place| archives[place] == Path::new(archive));
    match (places.next(), places.next()) {
        (Some(place), None) => Ok(place),
        (None, _) => Err(Problem::usage(format_args!("--shift: '{archive}' is none of the archives"))),
        (Some(_), Some(_)) => {
            Err(Problem::usage(format_args!("--shift: '{archive}' is given twice, name it by its number")))
        }
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
    fn what_is_no_time() {
        for text in ["", "s", "-", "1.5", "1.s", ".5s", "1e9", "1m", "--1", "1 s", "999999999999999999999"] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
        assert_eq!("99999999999999999999s".parse::<Time>().expect("a time").ticks(u64::MAX), None);
    }

    #[test]
    fn archives_have_paths_and_numbers() {
        let archives = ["a=b.otf2", "c.otf2", "c.otf2"].map(PathBuf::from);
        let places = |texts: &[&str]| {
            let shifts: Vec<Shift> = texts.iter().map(|text| text.parse().expect("a shift")).collect();
            by_archive(&shifts, &archives).ok().map(|all| all.iter().map(Vec::len).collect::<Vec<_>>())
        };
        assert_eq!(places(&["a=b.otf2=1", "3=2", "1=3"]), Some(vec![2, 0, 1]));
        assert_eq!((places(&["c.otf2=1"]), places(&["0=1"]), places(&["4=1"])), (None, None, None));
        assert!("a.otf2".parse::<Shift>().is_err());
    }
}
