//! The argument `--shift ANCHOR=TIME`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::problem::Problem;
use crate::time::Time;

/// A shift of one archive.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shift {
    archive: String,
    time: Time,
}

impl FromStr for Shift {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A path may contain `=`, a time does not.
        let (archive, time) = text.rsplit_once('=').ok_or("expected ANCHOR=TIME")?;
        Ok(Shift { archive: archive.to_owned(), time: time.parse()? })
    }
}

/// Returns the shifts of each archive.
pub(super) fn by_archive(shifts: &[Shift], archives: &[PathBuf]) -> Result<Vec<Vec<Time>>, Problem> {
    let mut all = vec![Vec::new(); archives.len()];
    for shift in shifts {
        let place = place(&shift.archive, archives)?;
        if let Some(times) = all.get_mut(place) {
            times.push(shift.time);
        }
    }
    Ok(all)
}

/// Returns the index of an archive in the list of arguments.
fn place(archive: &str, archives: &[PathBuf]) -> Result<usize, Problem> {
    if let Ok(number) = archive.parse::<usize>() {
        let is_there = (1..=archives.len()).contains(&number);
        let problem = || Problem::usage(format_args!("--shift: there is no archive number {number}"));
        return is_there.then(|| number - 1).ok_or_else(problem);
    }
    let mut places = (0..archives.len()).filter(|&place| archives[place] == Path::new(archive));
    match (places.next(), places.next()) {
        (Some(place), None) => Ok(place),
        (None, _) => Err(Problem::usage(format_args!("--shift: '{archive}' is not one of the archives"))),
        (Some(_), Some(_)) => {
            Err(Problem::usage(format_args!("--shift: '{archive}' is given twice; use its number instead")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
