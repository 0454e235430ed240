//! `kymo record` of programs with a limited address space: they end as they would without it,
//! whatever memory the measurement can obtain.

use crate::record_common::TestFolder;

/// The loader ended the program with status 127 because there was no memory for thread-local data.
#[test]
fn a_limited_address_space_changed_the_exit_status() {
    let folder = TestFolder::new();
    let program = folder.compile("cc", &["-g", "-finstrument-functions", "-pthread"], "little.c");
    // From limits at which nothing is recorded to limits at which everything is. Where the runtime
    // fits but the C library does not fit after it, the loader must end the program, as
    // docs/record.md states. The runtime of debug builds is small enough to have that window
    // between two of these limits.
    for (number, megabytes) in (8..200).step_by(6).enumerate() {
        let (out, limit) =
            (format!("out-{number}"), format!("ulimit -v {}; exec {program}", megabytes * 1024));
        let ended = folder.run(&["-o", &out], &["sh", "-c", &limit]);
        assert_eq!(ended.status, Some(7), "{megabytes} MiB: {ended:?}");
        assert_eq!(ended.stdout, "", "{megabytes} MiB");
    }
}
