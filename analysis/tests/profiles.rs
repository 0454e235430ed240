//! Profiles of the archives of the repository.

use kymo_analysis::{Selection, Trace, profile};
use kymo_testdata::{anchors, cases};
use std::num::NonZero;

/// The number of threads does not matter, and what calls contain adds up.
#[test]
fn all_archives_are_profiled() {
    let mut profiled = 0;
    let cases = ["otf2-samples", "otf2-real"].into_iter().flat_map(cases);
    for anchor in cases.flat_map(|case| anchors(&case)) {
        let Ok(trace) = Trace::open(&anchor) else { continue };
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
    assert!(profiled > 15, "{profiled}");
}
