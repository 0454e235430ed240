//! Functions with short calls that cause most of the events: which they are, and how to leave them
//! out.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use kymo_filter::Filter;
use kymo_otf2::enums::Paradigm;

use super::duration::formatted;
use super::environment::filter_path;
use super::experiment::{Folder, Outcome};
use super::profile::{Profile, RegionCalls};
use crate::output::{inform, quoted};

/// The number of events from which on an archive is large.
const LARGE: u64 = 1_000_000;
/// The duration, in nanoseconds, from which on a call is worth its events.
const LONG: f64 = 1_000.0;
/// The number of functions that are listed.
const LISTED: usize = 3;
/// The filter that leaves them out, in the folder of the measurement.
const FILTER: &str = "tiny.filter";

/// The requests of the user.
#[derive(Debug)]
pub(super) struct UserRequest<'a> {
    /// `--with`, as it was typed; empty if it was not.
    pub(super) with: String,
    pub(super) filter: Option<&'a Path>,
    pub(super) limit: Option<Duration>,
}

/// Reports which calls were left out, and which should be.
pub(super) fn report(folder: &Folder<'_>, outcome: &Outcome, request: &UserRequest<'_>) {
    let Some(archive) = &outcome.archive else { return };
    let limit = request.limit;
    let least = if limit.is_some() { 0 } else { LARGE };
    let Some(profile) = Profile::of(archive, least, limit.is_some()) else { return };
    if let Some(limit) = limit {
        inform(&left_out(&profile, limit, outcome.cut_off.processes > 0));
    }
    let tiny = tiny(&profile);
    if tiny.is_empty() || profile.events < LARGE {
        return;
    }
    inform(&described(&profile, &tiny));
    advise(folder, request, &profile, &tiny);
}

/// States how to leave these functions out, as far as that is possible.
fn advise(folder: &Folder<'_>, request: &UserRequest<'_>, profile: &Profile, tiny: &[&RegionCalls]) {
    let (filtered, fixed): (Vec<&RegionCalls>, Vec<&RegionCalls>) =
        tiny.iter().partition(|it| is_filtered(it.paradigm));
    for (paradigm, name, how) in FIXED {
        if fixed.iter().any(|it| it.paradigm == Some(paradigm)) {
            inform(&format!("{name} is recorded as a whole, without regard to filters: {how}"));
        }
    }
    if filtered.is_empty() {
        return;
    }
    let (with, them) = (&request.with, if fixed.is_empty() { "them" } else { "the others" });
    let rules = filter_path(request.filter).and_then(|path| fs::read(path).ok()).unwrap_or_default();
    // The runtime measures the calls of functions that the compiler instrumented, and of no others.
    let have_durations = filtered.iter().all(|it| it.paradigm == Some(Paradigm::COMPILER));
    if fs::write(folder.path.join(FILTER), text(profile, &filtered, &rules)).is_ok() {
        let or = if have_durations { ", or --min-duration 1us" } else { "" };
        let path = quoted(&folder.shown.join(FILTER));
        inform(&format!("to leave {them} out: kymo record {with}--filter {path}{or}"));
    } else if have_durations {
        inform(&format!("to leave {them} out: kymo record {with}--min-duration 1us"));
    }
}

/// The interfaces whose functions a filter does not leave out, as in Score-P, each with the options
/// that select functions instead.
const FIXED: [(Paradigm, &str, &str); 2] = [
    (Paradigm::MPI, "MPI", "SCOREP_MPI_ENABLE_GROUPS selects groups of functions, --with other interfaces"),
    (Paradigm::OPENMP, "OpenMP", "--with selects other interfaces"),
];

/// Whether a filter leaves out functions of an interface.
fn is_filtered(paradigm: Option<Paradigm>) -> bool {
    FIXED.iter().all(|(fixed, ..)| Some(*fixed) != paradigm)
}

/// Describes the calls that the runtime left out.
fn left_out(profile: &Profile, limit: Duration, is_cut_off: bool) -> String {
    let mut functions: Vec<(&Vec<u8>, u64)> =
        profile.left_out.iter().map(|(name, &calls)| (name, calls)).collect();
    functions.sort_by_key(|&(_, calls)| std::cmp::Reverse(calls));
    let limit = formatted(limit.as_nanos() as f64);
    let unknown = if is_cut_off { "; for processes that were cut off, this is unknown" } else { "" };
    if functions.is_empty() {
        return format!("no function was left out for calls shorter than {limit}{unknown}");
    }
    let calls: u64 = functions.iter().map(|(_, calls)| calls).sum();
    let names = functions.iter().map(|(name, calls)| format!("{} ({calls})", String::from_utf8_lossy(name)));
    let what = if functions.len() == 1 { "function" } else { "functions" };
    format!(
        "{calls} calls of {} {what} shorter than {limit} were left out: {}{unknown}",
        functions.len(),
        listed(names, functions.len())
    )
}

/// Lists the first items and counts the rest.
fn listed(all: impl Iterator<Item = String>, count: usize) -> String {
    let first = all.take(LISTED).collect::<Vec<_>>().join(", ");
    match count.saturating_sub(LISTED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// Returns the functions with short calls that each cause at least a hundredth of the events, the
/// most frequent first; none if together they cause less than half.
fn tiny(profile: &Profile) -> Vec<&RegionCalls> {
    let is_tiny = |calls: &&RegionCalls| {
        calls.count * 2 * 100 >= profile.read.max(1) && profile.mean(calls) < LONG && !calls.name.is_empty()
    };
    let mut tiny: Vec<&RegionCalls> = profile.regions.iter().filter(is_tiny).collect();
    tiny.sort_by_key(|calls| std::cmp::Reverse(calls.count));
    if share(profile, &tiny) < 50 { Vec::new() } else { tiny }
}

/// Returns their percentage of the events.
fn share(profile: &Profile, tiny: &[&RegionCalls]) -> u64 {
    tiny.iter().map(|calls| calls.count * 2).sum::<u64>() * 100 / profile.read.max(1)
}

fn described(profile: &Profile, tiny: &[&RegionCalls]) -> String {
    let of = match profile.read < profile.events {
        true => format!("the first {} events", profile.read),
        false => format!("the {} events", profile.events),
    };
    let name = |calls: &&RegionCalls| {
        let (name, mean) = (String::from_utf8_lossy(&calls.name), formatted(profile.mean(calls)));
        format!("{name} ({} calls, {mean} on average)", calls.count)
    };
    let (share, names) = (share(profile, tiny), listed(tiny.iter().map(name), tiny.len()));
    format!("{share} % of {of} are calls shorter than {}: {names}", formatted(LONG))
}

/// Returns the filter: the rules that applied, followed by those that leave these functions out.
fn text(profile: &Profile, tiny: &[&RegionCalls], rules: &[u8]) -> Vec<u8> {
    let own = own_text(profile, tiny);
    // The last block of a filter may lack its end.
    let ends = ["", "SCOREP_REGION_NAMES_END\n", "SCOREP_FILE_NAMES_END\n"];
    let line_end = if matches!(rules.last(), None | Some(b'\n')) { "" } else { "\n" };
    let whole = |end: &str| [rules, line_end.as_bytes(), end.as_bytes(), &own].concat();
    ends.map(whole).into_iter().find(|text| Filter::parse(text).is_ok()).unwrap_or_else(|| own.clone())
}

/// Returns the rules that leave these functions out.
fn own_text(profile: &Profile, tiny: &[&RegionCalls]) -> Vec<u8> {
    let (mut text, mut head) = (Vec::new(), String::new());
    let _ = writeln!(
        head,
        "# Functions whose calls took less than {} on average and caused most of the events.",
        formatted(LONG)
    );
    text.extend(head.bytes().chain(*b"SCOREP_REGION_NAMES_BEGIN\n"));
    for calls in tiny {
        let name: String =
            String::from_utf8_lossy(&calls.name).split_whitespace().collect::<Vec<_>>().join(" ");
        let mean = formatted(profile.mean(calls));
        text.extend(format!("    # {name}: {} calls, {mean} on average\n    EXCLUDE ", calls.count).bytes());
        text.extend(pattern(calls));
        text.push(b'\n');
    }
    text.extend(*b"SCOREP_REGION_NAMES_END\n");
    text
}

/// Returns the pattern for a function: its mangled name, if it has one.
fn pattern(calls: &RegionCalls) -> Vec<u8> {
    let (kind, name) = match calls.mangled == calls.name || calls.mangled.is_empty() {
        true => (&b""[..], &calls.name),
        false => (&b"MANGLED "[..], &calls.mangled),
    };
    let escaped = name.iter().flat_map(|&byte| match byte {
        b'*' | b'?' | b'[' | b']' | b'\\' | b'#' | b' ' | b'\t' => vec![b'\\', byte],
        b'\n' | b'\r' => vec![b'?'],
        byte => vec![byte],
    });
    // With a backslash, a name that is a keyword of filters is an ordinary name.
    let is_word = name.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
    kind.iter().copied().chain(is_word.then_some(b'\\')).chain(escaped).collect()
}

#[cfg(test)]
mod tests {
    use kymo_filter::Region;

    use super::*;

    fn calls(name: &str, mangled: &str) -> RegionCalls {
        RegionCalls { name: name.into(), mangled: mangled.into(), count: 7, ..RegionCalls::default() }
    }

    #[test]
    fn the_filter_leaves_out_these_functions_and_no_others() {
        let names = [
            ("vector<int>::operator[](unsigned long)", "_ZN6vectorIiEixEm"),
            ("plain", "plain"),
            ("a b#c*[x]?\\", "a b#c*[x]?\\"),
            ("EXCLUDE", "EXCLUDE"),
            ("two\nlines", "two\nlines"),
        ];
        let tiny = names.map(|(name, mangled)| calls(name, mangled));
        let rules = b"SCOREP_REGION_NAMES_BEGIN EXCLUDE old SCOREP_REGION_NAMES_END";
        let text = text(&Profile::default(), &tiny.iter().collect::<Vec<_>>(), rules);
        let filter = Filter::parse(&text).unwrap_or_else(|mistake| panic!("{mistake}"));
        let excludes = |name: &str, mangled: &str| {
            let mangled = Some(mangled.as_bytes());
            filter.excludes(&Region { name: name.as_bytes(), mangled, file: None })
        };
        assert!(names.iter().all(|(name, mangled)| excludes(name, mangled)));
        assert!(excludes("old", "old"));
        for name in ["plain2", "a b#cZ[x]?\\", "vector<int>::operator[](unsigned long)", "a", "b"] {
            assert!(!excludes(name, name), "{name}");
        }
        assert_eq!(filter.rules().len(), names.len() + 1);
    }
}
