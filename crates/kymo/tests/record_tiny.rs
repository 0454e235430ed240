//! The report of `kymo record` on an archive with mostly short calls, and the filter that it
//! writes. The times are those of an archive that a library leaves in place of the runtime.

use std::fs;

use crate::check_common::Written;
use crate::check_common::world::{clock, region, string, world};
use crate::record_fake::{Ended, TestFolder};
use kymo_filter::Filter;
use kymo_otf2::definitions::{ClockProperties, GlobalDefinition, Region};
use kymo_otf2::enums::Paradigm;
use kymo_otf2::events::{Enter, Leave};
use kymo_otf2::references::{RegionRef, StringRef};

const CALLS: u64 = 400_000;

/// An archive with a function around 400,000 calls of a C++ function and half as many of a C
/// function, with their durations in nanoseconds.
fn archive(durations: [u64; 2]) -> Written {
    archive_of(durations, [Paradigm::COMPILER; 2])
}

/// The same with these paradigms of the two functions.
fn archive_of(durations: [u64; 2], paradigms: [Paradigm; 2]) -> Written {
    let mut trace = world();
    let is_clock = |it: &GlobalDefinition<'_>| matches!(it, GlobalDefinition::ClockProperties(_));
    let trace_length = CALLS * durations.iter().sum::<u64>();
    trace.change(is_clock, ClockProperties { timer_resolution: 1_000_000_000, trace_length, ..clock() });
    let names = ["main", "V::operator[](unsigned long)", "_ZN1VixEm", "put*", "put*"];
    (1..).zip(names).for_each(|(id, name)| trace.define(string(id, name)));
    let [first, second] = paradigms;
    for (id, name, canonical, paradigm) in
        [(2, 1, 1, Paradigm::COMPILER), (3, 2, 3, first), (4, 4, 4, second)]
    {
        let (name, canonical_name) = (StringRef(name), StringRef(canonical));
        trace.define(Region { name, canonical_name, paradigm, ..region(id) });
    }
    trace.event(0, 0, Enter { region: RegionRef(2) });
    let mut now = 0;
    for call in 0..CALLS {
        for (region, duration) in (3..).zip(durations).take(1 + call as usize % 2) {
            trace.event(0, now, Enter { region: RegionRef(region) });
            now += duration;
            trace.event(0, now, Leave { region: RegionRef(region) });
        }
    }
    trace.event(0, now, Leave { region: RegionRef(2) });
    trace.write()
}

/// Returns the messages without those about the archive and how to read it.
fn remarks(place: &TestFolder, archive: &Written, options: &[&str]) -> Vec<String> {
    let mut command = place.command(&[&["-o", "o"], options, &["true"]].concat());
    let ended = Ended::of(&command.env("KYMO_TEST_ARCHIVE", archive.folder.path()).output().expect("kymo"));
    let lines = ended.messages().into_iter();
    lines
        .filter(|line| !["recorded ", "to print it", "to see where"].iter().any(|it| line.starts_with(it)))
        .map(str::to_owned)
        .collect()
}

/// They were not reported.
#[test]
fn millions_of_events_of_tiny_functions_are_reported() {
    let place = TestFolder::new();
    let expected = [
        "99 % of the 1200002 events are calls shorter than 1 us: V::operator[](unsigned long) (400000 calls, 12 ns on average), \
         put* (200000 calls, 250 ns on average)",
        "to leave them out: kymo record --filter o/tiny.filter, or --min-duration 1us",
    ];
    assert_eq!(remarks(&place, &archive([12, 250]), &[]), expected);
    let filter = "\
# Functions whose calls took less than 1 us on average and caused most of the events.
SCOREP_REGION_NAMES_BEGIN
    # V::operator[](unsigned long): 400000 calls, 12 ns on average
    EXCLUDE MANGLED _ZN1VixEm
    # put*: 200000 calls, 250 ns on average
    EXCLUDE put\\*
SCOREP_REGION_NAMES_END
";
    assert_eq!(fs::read_to_string(place.path("o/tiny.filter")).expect("a filter"), filter);
}

#[test]
fn the_filter_keeps_the_rules_that_applied() {
    let place = TestFolder::new();
    fs::write(place.path("f"), "SCOREP_REGION_NAMES_BEGIN EXCLUDE old INCLUDE put*").expect("a file");
    let lines = remarks(&place, &archive([12, 2_000]), &["--filter", "f"]);
    // The library in place of the runtime applies no filter.
    let expected = [
        "66 % of the 1200002 events are calls shorter than 1 us: V::operator[](unsigned long) (400000 calls, 12 ns on average)",
        "to leave them out: kymo record --filter o/tiny.filter, or --min-duration 1us",
        "the filter f: none of its 2 rules matches a region of this run",
    ];
    assert_eq!(lines, expected);
    let filter = Filter::read(&place.path("o/tiny.filter")).expect("a filter");
    let excludes = |name: &str, mangled: &str| {
        filter.excludes(&kymo_filter::Region {
            name: name.as_bytes(),
            mangled: Some(mangled.as_bytes()),
            file: None,
        })
    };
    assert!(
        excludes("old", "old")
            && excludes("V::operator[](unsigned long)", "_ZN1VixEm")
            && !excludes("put*", "put*")
    );
}

#[test]
fn large_archives_of_longer_calls_need_no_filter() {
    let place = TestFolder::new();
    assert_eq!(remarks(&place, &archive([1_000, 1_000]), &[]), [""; 0]);
    assert!(!place.path("o/tiny.filter").exists());
}

/// The filter and the shortest duration were advised for OpenMP's locks, MPI's tests and memory, of
/// which the first two have no filter, and none has a duration.
#[test]
fn advice_is_given_for_what_it_has_an_effect_on() {
    let place = TestFolder::new();
    let openmp = "OpenMP is recorded as a whole, without regard to filters: --with selects other interfaces";
    let mpi = "MPI is recorded as a whole, without regard to filters: SCOREP_MPI_ENABLE_GROUPS selects groups of \
               functions, --with other interfaces";
    // Memory has no paradigm in OTF2.
    let [compiler, memory] = [Paradigm::COMPILER, Paradigm::UNKNOWN];
    for (paradigms, options, expected) in [
        ([Paradigm::OPENMP; 2], &[][..], &[openmp][..]),
        ([Paradigm::MPI, Paradigm::OPENMP], &[], &[mpi, openmp]),
        (
            [memory; 2],
            &["--with", "memory,sampling=10"],
            &["to leave them out: kymo record --with memory,sampling=10 --filter o/tiny.filter"],
        ),
        ([memory, compiler], &[], &["to leave them out: kymo record --filter o/tiny.filter"]),
        (
            [compiler, Paradigm::MPI],
            &[],
            &[mpi, "to leave the others out: kymo record --filter o/tiny.filter, or --min-duration 1us"],
        ),
    ] {
        let _ = fs::remove_dir_all(place.path("o"));
        let lines = remarks(&place, &archive_of([12, 250], paradigms), options);
        assert_eq!(lines[1..], *expected, "{paradigms:?}");
        let filter = fs::read_to_string(place.path("o/tiny.filter")).unwrap_or_default();
        let excluded: Vec<_> =
            filter.lines().filter_map(|line| line.trim().strip_prefix("EXCLUDE ")).collect();
        let names = ["MANGLED _ZN1VixEm", "put\\*"].into_iter().zip(paradigms);
        let is_filtered = |it: &(&str, Paradigm)| ![Paradigm::MPI, Paradigm::OPENMP].contains(&it.1);
        assert_eq!(excluded, names.filter(is_filtered).map(|it| it.0).collect::<Vec<_>>());
    }
}
