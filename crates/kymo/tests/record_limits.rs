//! `kymo record` of programs with a limited address space: they end as they would without it,
//! whatever memory the measurement can obtain.

use crate::record_common::{Ended, TestFolder};

/// The loader ended the program with status 127 because there was no memory for thread-local data.
#[test]
fn a_limited_address_space_does_not_change_the_exit_status() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-g", "-finstrument-functions", "-pthread"], "little.c");
    // From limits at which nothing is recorded to limits at which everything is. Where the runtime
    // fits but the C library does not fit after it, the loader must end the program, as
    // docs/reference/record.md states; that window is smaller than a step.
    let mut lacking = 0;
    for (number, megabytes) in (8..200).step_by(6).enumerate() {
        let (out, limit) =
            (format!("out-{number}"), format!("ulimit -v {}; exec {program}", megabytes * 1024));
        let ended = folder.run(&["-o", &out], &["sh", "-c", &limit]);
        if lacks_library(&ended) {
            lacking += 1;
        } else {
            assert_eq!(ended.status, Some(7), "{megabytes} MiB: {ended:?}");
        }
        assert_eq!(ended.stdout, "", "{megabytes} MiB");
    }
    assert!(lacking <= 1, "{lacking} programs were ended by the loader");
}

/// Checks if the loader ended a program for which it could not load a library.
fn lacks_library(ended: &Ended) -> bool {
    ended.status == Some(127) && ended.stderr.contains("failed to map segment from shared object")
}
