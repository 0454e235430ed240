//! Every kind of finding is reported for a small archive with the fault, and not for its sound
//! twin.

use std::collections::BTreeSet;

use crate::check_cases::{Case, all};
use crate::check_common::world::world;
use crate::check_common::{Report, all_kinds, text};

fn report(case: &Case, faulty: bool) -> Report {
    let mut trace = world();
    (case.build)(&mut trace, faulty);
    trace.write().check()
}

#[test]
fn every_kind_has_a_case() {
    let cases: BTreeSet<_> = all().iter().map(|case| case.kind.to_owned()).collect();
    let kinds: BTreeSet<_> = all_kinds().iter().map(|row| text(&row["kind"])).collect();
    let without: Vec<_> = kinds.difference(&cases).collect();
    assert!(without.is_empty(), "no case for {without:?}");
    let unknown: Vec<_> = cases.difference(&kinds).collect();
    assert!(unknown.is_empty(), "no such kind: {unknown:?}");
}

#[test]
fn the_archive_that_the_cases_break_is_sound() {
    let report = world().write().check();
    assert_eq!((report.status, report.findings.len()), (0, 0), "{report:?}");
}

#[test]
fn every_kind_is_found_in_the_faulty_archive_and_not_in_its_twin() {
    let mut wrong = Vec::new();
    for (number, case) in all().iter().enumerate() {
        let sound = report(case, false);
        if sound.status != 0 || !sound.findings.is_empty() {
            wrong.push(format!("case {number}, {}: the sound twin has {}", case.kind, sound.messages()));
        }
        let faulty = report(case, true);
        let expected: BTreeSet<_> =
            [case.kind].iter().chain(case.also).map(|&kind| kind.to_owned()).collect();
        if faulty.kinds() != expected {
            wrong.push(format!("case {number}, {}: found {}", case.kind, faulty.messages()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
