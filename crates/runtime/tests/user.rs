//! Events that a program records itself with the functions of `kymo/runtime.h`.

use crate::recorded::{Recording, TestFolder, built};

fn recorded(variables: &[(&str, &str)]) -> Recording {
    let place = TestFolder::new();
    let folder = format!("-L{}", built().display());
    let program = place.compile("user.c", &["-Wl,--no-as-needed", &folder, "-lkymo_runtime"]);
    // The program is linked to the runtime and cannot run without it.
    place.record_needing_runtime(variables, &[&program])
}

#[test]
fn everything_is_recorded() {
    let recording = recorded(&[]);
    assert_eq!(recording.stdout, "1 0 1\n");
    assert_eq!(["phase", "iterate"].map(|it| recording.calls(it)), [[1; 2], [4; 2]]);
    // A rewind region itself is not recorded. While it is rewound recording is off, as it is where
    // the program switches it off.
    assert_eq!(["attempt", "inside"].map(|it| recording.calls(it)), [[0; 2], [1; 2]]);
    assert_eq!(recording.count("MEASUREMENT_ON_OFF"), 2 + 2);
    assert_eq!(
        ["PARAMETER_INT64", "PARAMETER_UINT64", "PARAMETER_STRING"].map(|it| recording.count(it)),
        [4; 3]
    );
    assert_eq!(recording.count("METRIC"), 4);
    let phase = recording.region("phase");
    assert!(phase.contains("Role: CODE, Paradigm: USER, Flags: {PHASE}"), "{phase}");
}

#[test]
fn filters_leave_regions_out() {
    let place = TestFolder::new();
    let filter =
        place.write("filter", "SCOREP_REGION_NAMES_BEGIN\n EXCLUDE iter* inside\nSCOREP_REGION_NAMES_END\n");
    let recording = recorded(&[("SCOREP_FILTERING_FILE", &filter)]);
    assert_eq!(["phase", "iterate", "inside"].map(|it| recording.calls(it)), [[1; 2], [0; 2], [0; 2]]);
}

#[test]
fn other_kinds_do_not_record_regions() {
    let recording = recorded(&[("KYMO_RECORD_WITH", "functions")]);
    assert_eq!(recording.calls("phase"), [0; 2]);
    assert_eq!(recording.count("METRIC"), 0);
}
