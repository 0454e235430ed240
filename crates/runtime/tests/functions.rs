//! Functions of programs compiled with `-finstrument-functions`: each call is recorded with name
//! and source position, unless a filter leaves it out.

use crate::recorded::{Recording, TestFolder};

const INSTRUMENTED: &[&str] = &["-finstrument-functions"];

#[test]
fn every_call_is_recorded() {
    let folder = TestFolder::new();
    let program = folder.compile("functions.c", INSTRUMENTED);
    let recording = folder.record_one(&[], &[&program]);
    assert_eq!(recording.stdout, "6 1\n");
    assert_eq!(
        ["main", "leaf", "recurse", "fails"].map(|it| recording.calls(it)),
        [[1; 2], [3; 2], [5; 2], [1; 2]]
    );
    let leaf = recording.region("leaf");
    assert!(leaf.contains("functions.c") && leaf.contains("Begin: 7"), "{leaf}");
    assert!(leaf.contains("Role: FUNCTION, Paradigm: COMPILER"), "{leaf}");
}

#[test]
fn libraries_that_are_loaded_and_unloaded_are_recorded() {
    let folder = TestFolder::new();
    let program = folder.compile("functions.c", INSTRUMENTED);
    let library = folder.compile("library.c", &["-finstrument-functions", "-shared", "-fPIC"]);
    let recording = folder.record_one(&[], &[&program, &library, &library]);
    assert_eq!(recording.calls("in_library"), [4; 2]);
    assert_eq!(recording.calls("plugged"), [2; 2]);
    assert_eq!(recording.calls("main"), [1; 2]);
}

#[test]
fn filters_leave_functions_out() {
    let folder = TestFolder::new();
    let program = folder.compile("functions.c", INSTRUMENTED);
    let rules = "SCOREP_REGION_NAMES_BEGIN\n EXCLUDE rec* fails\nSCOREP_REGION_NAMES_END\n";
    let filter = folder.write("filter", rules);
    let recording = folder.record_one(&[("SCOREP_FILTERING_FILE", &filter)], &[&program]);
    assert_eq!(
        ["main", "leaf", "recurse", "fails"].map(|it| recording.calls(it)),
        [[1; 2], [3; 2], [0; 2], [0; 2]]
    );
}

#[test]
fn functions_without_names_are_identified_by_their_offset() {
    let folder = TestFolder::new();
    let program = folder.compile("functions.c", &["-finstrument-functions", "-s"]);
    let recording = folder.record_one(&[], &[&program]);
    let enters = recording.values("ENTER", "Region");
    assert_eq!(enters.iter().filter(|(_, region)| region.starts_with("\"functions-c+0x")).count(), 10);
}

#[test]
fn other_kinds_do_not_record_functions() {
    let folder = TestFolder::new();
    let program = folder.compile("functions.c", INSTRUMENTED);
    let recording = folder.record_one(&[("KYMO_RECORD_WITH", "user,threads")], &[&program]);
    assert_eq!(recording.calls("leaf"), [0; 2]);
}

#[test]
fn resource_usage_is_recorded_at_every_enter_and_leave() {
    let folder = TestFolder::new();
    let program = folder.compile("functions.c", INSTRUMENTED);
    let recording = folder.record_one(&[("SCOREP_METRIC_RUSAGE", "ru_utime,ru_maxrss")], &[&program]);
    assert_eq!(recording.count("METRIC"), recording.count("ENTER") + recording.count("LEAVE"));
    let [time, size] = recording.lines("METRIC_MEMBER").collect::<Vec<_>>()[..] else {
        panic!("two metrics")
    };
    assert!(time.contains("Base: DECIMAL, Exponent: -6, Unit: \"s\""), "{time}");
    assert!(
        size.contains("Mode: ABSOLUTE_NEXT, Value Type: UINT64, Base: BINARY, Exponent: 10, Unit: \"Bytes\""),
        "{size}"
    );
    assert!(recording.lines("METRIC").all(|line| !line.contains("\"ru_maxrss\" <1>; UINT64; 0)")));
}

#[test]
fn handlers_may_interrupt_the_allocator() {
    let folder = TestFolder::new();
    let program = folder.compile("storm.c", INSTRUMENTED);
    let recording = folder.record_one(&[], &[&program]);
    assert_eq!((recording.stdout.as_str(), recording.calls("main")), ("done\n", [1; 2]));
    // Which functions of the handler are recorded depends on the code that it interrupts.
    let [enters, leaves] = recording.calls("tick");
    assert_eq!(enters, leaves);
}

/// A limit, in nanoseconds, that short calls do not reach even if the machine is busy.
const FAR_ABOVE: &str = "20000000";

/// Runs a part of a program whose functions have short calls, with a limit for their duration.
/// Returns the number of recorded calls of a function, and the number of calls that were reported
/// as left out.
fn tiny(part: &str, function: &str, limit: &str) -> (usize, usize) {
    let folder = TestFolder::new();
    let program = folder.compile("tiny.c", INSTRUMENTED);
    let recording = folder.record_one(&[("KYMO_RECORD_MIN_DURATION", limit)], &[&program, part]);
    let [enters, leaves] = recording.calls(function);
    assert_eq!(enters, leaves, "{function}");
    assert_eq!(recording.calls("main"), [1; 2]);
    (enters, recording.parameter(&format!("KYMO::LEFT_OUT {function}")))
}

#[test]
fn short_functions_are_left_out_and_counted() {
    let (recorded, left_out) = tiny("threads", "tiny", FAR_ABOVE);
    assert_eq!(recorded + left_out, 200_000 + 100 * 10);
    // While one thread decides, the other one may record until its own next decision.
    assert!((1000..2100).contains(&recorded), "{recorded}");
}

#[test]
fn functions_with_long_calls_are_recorded() {
    assert_eq!(tiny("threads", "slow", "50000"), (100, 0));
}

/// The outer calls were recorded before the function was left out; their leaves must be recorded as
/// well.
#[test]
fn a_recursive_function_is_left_out_in_the_middle() {
    let (recorded, left_out) = tiny("recursion", "fibonacci", FAR_ABOVE);
    assert_eq!(recorded + left_out, 21_891);
    assert!((1000..1100).contains(&recorded), "{recorded}");
}

#[test]
fn functions_left_by_a_jump_are_counted() {
    let (recorded, left_out) = tiny("jumps", "jumps", FAR_ABOVE);
    assert_eq!(recorded + left_out, 3000);
}

/// The decision remains, and each process reports the calls that it left out itself.
#[test]
fn a_child_leaves_out_the_functions_that_its_parent_did() {
    let folder = TestFolder::new();
    let program = folder.compile("tiny.c", INSTRUMENTED);
    let recordings = folder.record(&[("KYMO_RECORD_MIN_DURATION", FAR_ABOVE)], &[&program, "fork"]);
    let counts =
        |recording: &Recording| (recording.calls("tiny")[0], recording.parameter("KYMO::LEFT_OUT tiny"));
    let mut counts: Vec<_> = recordings.iter().map(counts).collect();
    counts.sort();
    assert_eq!(counts, [(0, 700), (1000, 4000)]);
}
