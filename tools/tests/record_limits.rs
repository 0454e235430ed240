//! `kymo record` of programs whose address space is limited: they end as they would, whatever the measurement gets.

mod record_common;

use record_common::Place;

/// The loader ended it, with status 127, for want of memory for thread-local data.
#[test]
fn a_limit_of_address_space_took_the_exit_status() {
    let place = Place::new();
    let program = place.compile("cc", &["-g", "-finstrument-functions", "-pthread"], "little.c");
    // From where nothing is recorded to where all is.
    for (number, megabytes) in (8..200).step_by(6).enumerate() {
        let (out, limit) =
            (format!("out-{number}"), format!("ulimit -v {}; exec {program}", megabytes * 1024));
        let ended = place.run(&["-o", &out], &["sh", "-c", &limit]);
        assert_eq!(ended.status, Some(7), "{megabytes} MiB: {ended:?}");
        assert_eq!(ended.stdout, "", "{megabytes} MiB");
    }
}
