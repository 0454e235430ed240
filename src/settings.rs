//! The user's settings: environment variables that start with `SCOREP_SUBSTRATE_KYMO_`.
//!
//! An unknown variable with that prefix is reported together with the most similar known name. An
//! invalid value is reported together with the values that are allowed, and the default is used.

use std::{
    env,
    ffi::{OsStr, OsString},
    time::Duration,
};

use kymo_recorder::{MemorySettings, WhenFull, drain::DrainSettings, scratch::ScratchPlace};
use kymo_substrate::report;

use crate::{NAME, definitions::attribute, release::Release};

pub(crate) const PREFIX: &str = "SCOREP_SUBSTRATE_KYMO_";

/// The known variables, without the prefix.
const HOST: &str = "HOST";
const VERBOSE: &str = "VERBOSE";
pub(crate) const TOTAL_MEMORY: &str = "TOTAL_MEMORY";
const WHEN_FULL: &str = "WHEN_FULL";
const SCRATCH: &str = "SCRATCH";
const DRAIN: &str = "DRAIN";
const SYNC: &str = "SYNC";
const SEAL: &str = "SEAL";
const KNOWN: [&str; 8] = [HOST, VERBOSE, TOTAL_MEMORY, WHEN_FULL, SCRATCH, DRAIN, SYNC, SEAL];

/// The smallest usable memory limit.
const LEAST_MEMORY: usize = 1 << 20;

/// The host's own variable for verbose output.
const VERBOSE_HOST: &str = "SCOREP_VERBOSE";

/// The host's own variable for enters and leaves in place of calling contexts.
const CONVERT_CONTEXTS: &str = "SCOREP_TRACING_CONVERT_CALLING_CONTEXT_EVENTS";

/// The settings of a run.
#[derive(Debug, Default, Clone)]
pub(crate) struct Settings {
    /// The release of the host, if the user specified it.
    pub(crate) host: Option<Release>,
    /// Whether to report more than errors.
    pub(crate) verbose: bool,
    /// The memory for events, and the policy when it is full.
    pub(crate) memory: MemorySettings,
    /// The location of the scratch file.
    pub(crate) scratch: ScratchPlace,
    /// Whether to seal the archive.
    pub(crate) seals: bool,
    /// Whether to record enters and leaves in place of calling contexts.
    pub(crate) converts_contexts: bool,
}

impl Settings {
    /// Reads the environment and reports variables and values that are not understood.
    pub(crate) fn read() -> Self {
        for (name, _) in env::vars_os() {
            report_unknown(&name);
        }
        Self {
            host: own(HOST).and_then(|value| host(&value)),
            verbose: own(VERBOSE).or_else(|| env::var_os(VERBOSE_HOST)).is_some_and(|value| is_true(&value)),
            memory: memory(),
            scratch: own(SCRATCH).map_or(ScratchPlace::Automatic, |value| scratch(&value)),
            seals: own(SEAL).is_some_and(|value| is_true(&value)),
            converts_contexts: env::var_os(CONVERT_CONTEXTS).is_some_and(|value| is_true(&value)),
        }
    }
}

fn own(name: &str) -> Option<OsString> {
    env::var_os(format!("{PREFIX}{name}"))
}

fn memory() -> MemorySettings {
    let usual = MemorySettings::default();
    let limit =
        own(TOTAL_MEMORY).and_then(|value| understood(TOTAL_MEMORY, &value, bytes, "a size such as 64M"));
    let when_full =
        own(WHEN_FULL).and_then(|value| understood(WHEN_FULL, &value, when_full, "\"wait\" or \"drop\""));
    let interval =
        |name| own(name).and_then(|value| understood(name, &value, seconds, "a number of seconds"));
    MemorySettings {
        limit: limit.unwrap_or(usual.limit).max(LEAST_MEMORY),
        when_full: when_full.unwrap_or(usual.when_full),
        drain: DrainSettings {
            interval: interval(DRAIN).unwrap_or(usual.drain.interval).max(SHORTEST_INTERVAL),
            sync: interval(SYNC).filter(|interval| !interval.is_zero()),
        },
        lost_events: attribute::LOST_EVENTS,
    }
}

/// The shortest interval of the writer. With a shorter one it would do nothing but write.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(10);

/// Parses the value of a variable. Reports a value that cannot be parsed and returns `None`. An
/// empty value counts as unset.
fn understood<T>(name: &str, value: &OsStr, read: impl Fn(&str) -> Option<T>, expected: &str) -> Option<T> {
    let text = value.to_str().map(str::trim);
    if text == Some("") {
        return None;
    }
    let read = text.and_then(read);
    if read.is_none() {
        let value = value.display();
        report(NAME, format_args!("{PREFIX}{name}={value} is not {expected}; the default is used"));
    }
    read
}

/// Parses a size like Score-P: a number and an optional unit (B, K, M, G, T, P or E in either
/// case). The units from K to E may be followed by a B.
fn bytes(text: &str) -> Option<usize> {
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let unit = text[digits.len()..].trim().to_ascii_uppercase();
    let power = match unit.strip_suffix('B').unwrap_or(&unit) {
        "" => 0,
        unit => 1 + ["K", "M", "G", "T", "P", "E"].iter().position(|it| *it == unit)? as u32,
    };
    digits.parse::<usize>().ok()?.checked_mul(1024_usize.checked_pow(power)?)
}

fn when_full(text: &str) -> Option<WhenFull> {
    let known = [("wait", WhenFull::Wait), ("drop", WhenFull::Drop)];
    known.iter().find(|(name, _)| text.eq_ignore_ascii_case(name)).map(|&(_, policy)| policy)
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

fn scratch(value: &OsStr) -> ScratchPlace {
    match value.to_str().map(str::trim) {
        Some("") => ScratchPlace::Automatic,
        Some(text) if text.eq_ignore_ascii_case("none") => ScratchPlace::Nowhere,
        _ => ScratchPlace::Folder(value.into()),
    }
}

/// Whether Score-P takes this value as true: "true", "yes" or "on" in either case, or a nonzero
/// number.
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
                "{PREFIX}{HOST}={value} is not a release from 6.0 to 9.x; the host is recognised automatically"
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
    report(NAME, format_args!("{PREFIX}{rest} is not known; did you mean {PREFIX}{nearest}?"));
}

/// The number of letters to insert, remove or replace to turn one name into the other (Levenshtein
/// distance).
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
    fn the_distance_counts_edited_letters() {
        assert_eq!(distance("HOST", "HOST"), 0);
        assert_eq!(distance("HOST", "HOSTS"), 1);
        assert_eq!(distance("HOST", "OST"), 1);
        assert_eq!(distance("HOST", "COAST"), 2);
        assert_eq!(distance("", "ABC"), 3);
    }

    #[test]
    fn true_is_a_word_or_a_nonzero_number() {
        let truths = ["true", "YES", "On", "1", " 7 "].map(|value| is_true(OsStr::new(value)));
        assert_eq!(truths, [true; 5]);
        let others = ["false", "no", "off", "0", "", "truly"].map(|value| is_true(OsStr::new(value)));
        assert_eq!(others, [false; 6]);
    }

    #[test]
    fn sizes_are_parsed_as_score_p_parses_them() {
        let sizes = ["0", "17", "16000k", "64M", "1 GB", "2b", "8Eb"].map(bytes);
        assert_eq!(sizes, [0, 17, 16_000 << 10, 64 << 20, 1 << 30, 2, 8 << 60].map(Some));
        assert_eq!(["", "M", "1X", "1KK", "-1", "16E", "1.5M"].map(bytes), [None; 7]);
    }

    #[test]
    fn an_unsupported_release_is_rejected() {
        assert_eq!(host(OsStr::new("7.1")), Some(Release::V7));
        assert_eq!(host(OsStr::new(" 9 ")), Some(Release::V8));
        assert_eq!(host(OsStr::new("5.0")), None);
        assert_eq!(host(OsStr::new("")), None);
    }
}
