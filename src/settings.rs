//! What the user sets: environment variables that start with `SCOREP_SUBSTRATE_KYMO_`.
//!
//! A variable with that prefix that is not known, or a value that is none of those allowed, is reported in one line with what was
//! probably meant; the program goes on with the default.

use std::{
    env,
    ffi::{OsStr, OsString},
};

use kymo_substrate::report;

use crate::{NAME, release::Release};

const PREFIX: &str = "SCOREP_SUBSTRATE_KYMO_";

/// The known variables, without the prefix.
const HOST: &str = "HOST";
const VERBOSE: &str = "VERBOSE";
const KNOWN: [&str; 2] = [HOST, VERBOSE];

/// The host's own variable for the same.
const VERBOSE_HOST: &str = "SCOREP_VERBOSE";

/// The settings of a run.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Settings {
    /// Which host this is, if the user says so.
    pub(crate) host: Option<Release>,
    /// Whether to say more than what went wrong.
    pub(crate) verbose: bool,
}

impl Settings {
    /// Reads the environment and reports what cannot be understood.
    pub(crate) fn read() -> Self {
        for (name, _) in env::vars_os() {
            report_unknown(&name);
        }
        let own = |name| env::var_os(format!("{PREFIX}{name}"));
        Self {
            host: own(HOST).and_then(|value| host(&value)),
            verbose: own(VERBOSE).or_else(|| env::var_os(VERBOSE_HOST)).is_some_and(|value| is_true(&value)),
        }
    }
}

/// What Score-P takes for true: a word for it in letters of any case, or a number that is not 0.
fn is_true(value: &OsStr) -> bool {
    let value = value.to_string_lossy();
    let value = value.trim();
    let is_word = ["true", "yes", "on"].iter().any(|word| value.eq_ignore_ascii_case(word));
    is_word || value.parse().is_ok_and(|number: u64| number != 0)
}

fn host(value: &OsStr) -> Option<Release> {
    let release =
        value.to_str().map(str::trim).filter(|text| !text.is_empty()).and_then(Release::from_version);
    if release.is_none() && !value.is_empty() {
        let value = value.display();
        report(
            NAME,
            format_args!(
                "{PREFIX}{HOST}={value} is no release from 6.0 to 9.x: the host is recognised instead"
            ),
        );
    }
    release
}

fn report_unknown(name: &OsString) {
    let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { return };
    if KNOWN.contains(&rest) {
        return;
    }
    let nearest = KNOWN.iter().min_by_key(|known| distance(known, rest)).unwrap_or(&"");
    report(NAME, format_args!("{PREFIX}{rest} is not known; the nearest name is {PREFIX}{nearest}"));
}

/// How many letters have to be added, removed or replaced to make one name of the other (Levenshtein).
fn distance(left: &str, right: &str) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, left) in left.bytes().enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], i + 1);
        for (j, right) in right.bytes().enumerate() {
            let replaced = diagonal + usize::from(left != right);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_far_apart_as_their_letters() {
        assert_eq!(distance("HOST", "HOST"), 0);
        assert_eq!(distance("HOST", "HOSTS"), 1);
        assert_eq!(distance("HOST", "OST"), 1);
        assert_eq!(distance("HOST", "COAST"), 2);
        assert_eq!(distance("", "ABC"), 3);
    }

    #[test]
    fn truth_is_a_word_or_a_number() {
        let truths = ["true", "YES", "On", "1", " 7 "].map(|value| is_true(OsStr::new(value)));
        assert_eq!(truths, [true; 5]);
        let others = ["false", "no", "off", "0", "", "truly"].map(|value| is_true(OsStr::new(value)));
        assert_eq!(others, [false; 6]);
    }

    #[test]
    fn a_release_is_understood_and_nonsense_is_not() {
        assert_eq!(host(OsStr::new("7.1")), Some(Release::V7));
        assert_eq!(host(OsStr::new(" 9 ")), Some(Release::V8));
        assert_eq!(host(OsStr::new("5.0")), None);
        assert_eq!(host(OsStr::new("")), None);
    }
}
