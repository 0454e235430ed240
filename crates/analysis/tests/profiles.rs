//! Profiles of the archives of the repository.

use kymo_analysis::statistics::Statistics;
use kymo_analysis::{Selection, Trace, profile, statistics};
use kymo_testdata::{anchors, cases};
use std::num::NonZero;
use std::path::{Path, PathBuf};

/// The number of threads does not matter, and the contents of calls add up.
#[test]
fn all_archives_are_profiled() {
    let mut profiled = 0;
    let cases = ["otf2-samples", "otf2-real"].into_iter().flat_map(cases);
    for anchor in cases.flat_map(|case| anchors(&case)) {
        let trace = Trace::open(&anchor).unwrap_or_else(|error| panic!("{}: {error}", anchor.display()));
        let of = |threads| {
            let threads = NonZero::new(threads).unwrap();
            profile::of_groups(&trace, &Selection { threads, ..Selection::default() }, &[], |it| it.id.0)
                .unwrap()
        };
        let (one, many) = (of(1), of(3));
        assert_eq!(one.groups, many.groups, "{}", anchor.display());
        assert_eq!(one.remarks, many.remarks);
        profiled += 1;
    }
    assert!(profiled >= 37, "{profiled}");
}

/// The statistics do not depend on the number of threads.
#[test]
fn all_archives_have_statistics() {
    for anchor in ["otf2-samples", "otf2-real"].into_iter().flat_map(cases).flat_map(|case| anchors(&case)) {
        let (one, many) = (statistics_of(&anchor, 1), statistics_of(&anchor, 4));
        assert_eq!(format!("{one:?}"), format!("{many:?}"), "{}", anchor.display());
    }
}

/// In the traces of real programs, each message has two sides. EZTrace omits some receives.
#[test]
fn all_messages_of_real_programs_match() {
    let (mut messages, mut traces) = (0, 0);
    let is_complete = |case: &PathBuf| !case.to_string_lossy().contains("eztrace");
    for anchor in cases("otf2-real").into_iter().filter(is_complete).flat_map(|case| anchors(&case)) {
        let statistics = statistics_of(&anchor, 2);
        let found = &statistics.messages;
        let open = [found.unmatched_sends.count, found.unmatched_receives.count, found.unknown];
        assert_eq!(open, [0; 3], "{}", anchor.display());
        (messages, traces) = (messages + found.total().count, traces + 1);
    }
    assert!(traces >= 14 && messages >= 411, "{messages} messages in {traces} traces");
}

fn statistics_of(anchor: &Path, threads: usize) -> Statistics {
    let trace = Trace::open(anchor).unwrap_or_else(|error| panic!("{}: {error}", anchor.display()));
    let threads = NonZero::new(threads).unwrap();
    statistics::of(&trace, &Selection { threads, ..Selection::default() }).unwrap()
}
