//! The regions that a measurement should leave out: those that cause most events in least time.

use std::fmt::Write;

use kymo_analysis::Trace;
use kymo_analysis::statistics::Statistics;
use kymo_otf2::enums::Paradigm;
use kymo_otf2::references::RegionRef;
use serde::Serialize;

/// A filter file, and the number of events that it would save.
#[derive(Debug, Serialize)]
pub(super) struct FilterFile {
    /// The number of regions that it leaves out.
    regions: usize,
    /// The number of events that it leaves out.
    pub(super) events: u64,
    /// The rules.
    rules: Vec<Rule>,
}

/// A region to leave out.
#[derive(Debug, Serialize)]
struct Rule {
    name: String,
    is_mangled: bool,
    events: u64,
}

/// Regions with a smaller part of the events are not worth a rule.
const LEAST_PART: u64 = 1000;

/// Returns the time per event, in nanoseconds.
fn mean_time(statistics: &Statistics) -> f64 {
    let all: u128 = statistics.regions.values().map(|it| it.sums.exclusive()).sum();
    all as f64 / statistics.events.max(1) as f64
}

impl FilterFile {
    /// Returns the file that leaves out half of the events, or as many as possible if regions that
    /// can be filtered have less. Regions with a larger part of the time than of the events stay.
    pub(super) fn of(trace: &Trace, statistics: &Statistics) -> Self {
        let mean = mean_time(statistics);
        let mut candidates: Vec<_> = statistics
            .regions
            .iter()
            .filter(|(region, _)| can_be_filtered(trace, **region))
            .map(|(region, it)| (*region, 2 * it.sums.calls.visits, it.sums.exclusive()))
            .filter(|(_, events, _)| *events > statistics.events / LEAST_PART)
            .filter(|(_, events, time)| (*time as f64) < mean * *events as f64)
            .collect();
        // Those with the least time per event come first.
        candidates.sort_by(|one, other| {
            let [one_rate, other_rate] = [one, other].map(|it| it.2 as f64 / it.1 as f64);
            one_rate.total_cmp(&other_rate).then(one.0.cmp(&other.0))
        });
        let (mut events, mut rules) = (0, Vec::new());
        for (region, count, _) in candidates {
            if 2 * events >= statistics.events {
                break;
            }
            events += count;
            rules.push(Rule::of(trace, region, count));
        }
        Self { regions: rules.len(), events, rules }
    }

    /// Returns whether it leaves out nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Returns the number of rules.
    pub(super) fn len(&self) -> usize {
        self.rules.len()
    }

    /// Returns the text of the file.
    pub(super) fn text(&self) -> String {
        let mut text = String::from("SCOREP_REGION_NAMES_BEGIN\n");
        for rule in &self.rules {
            let mangled = if rule.is_mangled { "MANGLED " } else { "" };
            let _ = writeln!(text, "    EXCLUDE {mangled}{} # events: {}", escaped(&rule.name), rule.events);
        }
        text + "SCOREP_REGION_NAMES_END\n"
    }
}

impl Rule {
    fn of(trace: &Trace, region: RegionRef, events: u64) -> Self {
        let name = trace.region_name(region);
        let canonical = trace.region(region).and_then(|it| trace.string(it.canonical_name));
        // A mangled name distinguishes functions that are overloaded.
        match canonical.filter(|canonical| !canonical.is_empty() && *canonical != name) {
            Some(canonical) => Self { name: canonical.to_owned(), is_mangled: true, events },
            None => Self { name: name.into_owned(), is_mangled: false, events },
        }
    }
}

/// Whether a filter applies to the region: to functions that the compiler instrumented, to those
/// that the user did, and to those of writers that do not distinguish them.
fn can_be_filtered(trace: &Trace, region: RegionRef) -> bool {
    let paradigm = trace.region(region).map(|it| it.paradigm);
    matches!(paradigm, Some(Paradigm::COMPILER | Paradigm::USER | Paradigm::NONE | Paradigm::UNKNOWN))
}

/// Escapes the characters that have a meaning in patterns.
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if "*?[]\\# \t".contains(letter) {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use kymo_filter::Filter;

    #[test]
    fn names_are_not_patterns() {
        let names = ["operator*", "a b", "x[3]", "#pragma", r"back\slash", "plain", "std::f(int, char*)"];
        let rule = |name: &str| Rule { name: name.to_owned(), is_mangled: false, events: 1 };
        for name in names {
            let file = FilterFile { regions: 1, events: 1, rules: vec![rule(name)] };
            let filter = Filter::parse(file.text().as_bytes()).expect("a filter");
            let excludes = |other: &str| filter.excludes_name(other.as_bytes(), None);
            assert!(excludes(name), "{name} in {}", file.text());
            assert!(names.iter().filter(|other| **other != name).all(|other| !excludes(other)));
        }
    }
}
