//! The findings of `kymo check` on archives that other software wrote.
//!
//! The archives that Score-P and the generators, examples and bindings of OTF2 wrote are sound,
//! except those listed below: `kymo check` finds nothing in them, or only oddities. The others are
//! not sound, each for a reason that a reader of the format confirms.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::check_common::{Report, check, text};

/// Archives with oddities: the kinds of findings, and why the contents are nonetheless true.
const ODD: &[(&str, &[&str], &str)] = &[
    (
        "otf2-real/scorep30-stencil4d-32",
        &["calls-across-gap"],
        "user regions were entered while recording was off",
    ),
    (
        "otf2-real/scorep30-stencil4d-64",
        &["calls-across-gap"],
        "user regions were entered while recording was off",
    ),
    (
        "otf2-real/tracegen22-pthread",
        &["thread-not-begun", "thread-not-ended"],
        "the generator keeps counting as threads end, so the numbers of ends differ from those of begins",
    ),
];

/// Archives that are not sound: the kinds of errors, and which reader rejects them.
const NOT_SOUND: &[(&str, &[&str], &str)] = &[
    (
        "otf2-real/eztrace-mpi",
        &[
            "communicator-group",
            "duplicate-definition",
            "leave-of-other",
            "leave-without-enter",
            "undefined-value",
        ],
        "otf2-print warns of the duplicate group, the Python bindings stop at it",
    ),
    (
        "otf2-real/eztrace-openmp-opari",
        &["communicator-group", "duplicate-definition", "undefined-value"],
        "otf2-print warns of the duplicate group and of the groups of the teams, the Python bindings stop at the former",
    ),
    (
        "otf2-real/eztrace-posixio-memory",
        &["communicator-group", "duplicate-definition", "undefined-io-file", "undefined-value"],
        "otf2-print shows the files of the handles as INVALID, the Python bindings stop at the duplicate group",
    ),
    (
        "otf2-real/test-unknown-record",
        &["record-of-other-version", "undefined-location-group"],
        "a unit test of the library that defines only a location, and writes records of a later version: the \
         Python bindings stop at the group of the location",
    ),
    (
        "otf2-real/tracegen30-mpi-attr",
        &["undefined-system-tree-node"],
        "the generator defines one node too few: the Python bindings stop at the location group",
    ),
    (
        "otf2-real/tracegen30-openmp-attr",
        &["undefined-system-tree-node"],
        "the generator defines one node too few: the Python bindings stop at the location group",
    ),
];

/// Folders of archives. Of the samples, only the one that is a trace and not a test of the
/// encoding.
const FOLDERS: &[&str] =
    &["otf2-real", "scorep-recordings", "scorep-recordings-7.1", "otf2-samples/python-basic"];

/// Returns the anchor files of a set, or of one of its cases, with the names of their folders.
fn anchors(set: &str) -> Vec<(String, PathBuf)> {
    let (set, only) = set.split_once('/').map_or((set, None), |(set, case)| (set, Some(case)));
    let mut found = Vec::new();
    for case in kymo_testdata::cases(set) {
        let name = case.file_name().expect("a name").to_string_lossy().into_owned();
        if only.is_none_or(|only| only == name) {
            let anchors = kymo_testdata::anchors(&case).into_iter();
            found.extend(anchors.map(|anchor| (format!("{set}/{name}"), anchor)));
        }
    }
    found
}

fn errors(report: &Report) -> BTreeSet<String> {
    let errors = report.findings.iter().filter(|finding| finding["severity"] == "error");
    errors.map(|finding| text(&finding["kind"])).collect()
}

fn set(kinds: &[&str]) -> BTreeSet<String> {
    kinds.iter().map(|&kind| kind.to_owned()).collect()
}

#[test]
fn sound_archives_have_no_errors() {
    let mut checked = 0;
    for (name, anchor) in FOLDERS.iter().flat_map(|folder| anchors(folder)) {
        let report = check(&anchor, &[]);
        if let Some((_, kinds, why)) = NOT_SOUND.iter().find(|row| row.0 == name) {
            assert_eq!(errors(&report), set(kinds), "{name} ({why}): {}", report.messages());
            assert_eq!(report.status, 1, "{name}");
        } else {
            let odd = ODD.iter().find(|row| row.0 == name).map_or(BTreeSet::new(), |row| set(row.1));
            assert_eq!(report.kinds(), odd, "{name}: {}", report.messages());
            assert_eq!(report.status, 0, "{name}");
        }
        checked += 1;
    }
    assert!(checked >= 31, "only {checked} archives");
}

#[test]
fn every_sample_is_read_to_the_end() {
    for (name, anchor) in anchors("otf2-samples") {
        let report = check(&anchor, &[]);
        assert!(report.status <= 1, "{name}: {}", report.messages());
        assert_eq!(report.number("files_read_in_part"), 0, "{name}");
        assert!(report.number("events") > 0, "{name}");
    }
}
