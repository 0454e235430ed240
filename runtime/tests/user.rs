//! What a program says itself with the functions of `kymo/runtime.h`.

mod recorded;

use recorded::{Place, Recording};

fn recorded(variables: &[(&str, &str)]) -> Recording {
    let place = Place::new();
    let program = place.compile("user.c", &["-Wl,--unresolved-symbols=ignore-all"]);
    // Without the runtime it cannot run.
    place.record_needing_runtime(variables, &[&program])
}

#[test]
fn everything_is_recorded() {
    let recording = recorded(&[]);
    assert_eq!(recording.stdout, "1 0 1\n");
    assert_eq!(["phase", "iterate"].map(|it| recording.calls(it)), [[1; 2], [4; 2]]);
    // The second of them was taken back.
    assert_eq!(["attempt", "inside"].map(|it| recording.calls(it)), [[1; 2], [1; 2]]);
    assert_eq!(
        ["PARAMETER_INT", "PARAMETER_UNSIGNED_INT", "PARAMETER_STRING"].map(|it| recording.count(it)),
        [4; 3]
    );
    assert_eq!(recording.count("METRIC"), 4);
    assert!(recording.region("phase").contains("Role: PHASE, Paradigm: USER"));
}

#[test]
fn filters_leave_regions_out() {
    let place = Place::new();
    let filter =
        place.write("filter", "SCOREP_REGION_NAMES_BEGIN\n EXCLUDE iter* inside\nSCOREP_REGION_NAMES_END\n");
    let recording = recorded(&[("SCOREP_FILTERING_FILE", &filter)]);
    assert_eq!(["phase", "iterate", "inside"].map(|it| recording.calls(it)), [[1; 2], [0; 2], [0; 2]]);
}

#[test]
fn other_kinds_do_without() {
    let recording = recorded(&[("KYMO_RECORD_WITH", "functions")]);
    assert_eq!(recording.calls("phase"), [0; 2]);
    assert_eq!(recording.count("METRIC"), 0);
}
