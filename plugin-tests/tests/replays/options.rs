//! `--repeat`, `--static`, and the errors of `kymo-replay` for invalid requests and recordings.

use crate::common::{Logged, changed_recording, number, recording};
use kymo_plugin_tests::testing::{RecordingFolder, Replay, TemporaryFolder, recordings};
use serde_json::Value;
use std::collections::HashMap;
use std::fs::{self, File};

/// Returns the events of each location, in order.
fn by_location(calls: &[Value]) -> HashMap<u64, Vec<&Value>> {
    let mut events: HashMap<u64, Vec<&Value>> = HashMap::new();
    for call in calls.iter().filter(|call| call["call"] == "event") {
        events.entry(number(call, "location")).or_default().push(call);
    }
    events
}

fn depth_change(event: &Value) -> i64 {
    match event["name"].as_str().expect("a name") {
        "ENTER_REGION" | "CALLING_CONTEXT_ENTER" => 1,
        "EXIT_REGION" | "CALLING_CONTEXT_EXIT" => -1,
        _ => 0,
    }
}

fn count(calls: &[Value], call: &str) -> usize {
    calls.iter().filter(|logged| logged["call"] == call).count()
}

fn check_repeated(recording: &RecordingFolder) {
    let plugin = format!("repeated_{}", recording.name.replace('-', "_"));
    let logged = Logged::new(&plugin, &[]);
    logged.replay(recording, &plugin).succeed();
    let once = logged.calls();
    fs::remove_file(logged.log_path()).expect("the log");
    fs::remove_dir_all(logged.out()).expect("the directory");
    logged.replay(recording, &plugin).arg("--repeat").arg("3").succeed();
    let thrice = logged.calls();
    for call in ["new_definition_handle", "create_location", "delete_location", "write_data", "finalize"] {
        assert_eq!(count(&thrice, call), count(&once, call), "{}: {call}", recording.name);
    }
    assert_eq!(
        count(&thrice, "core_task_create"),
        count(&thrice, "core_task_complete"),
        "{}",
        recording.name
    );
    let activated = count(&thrice, "activate_cpu_location");
    assert_eq!(activated, count(&thrice, "deactivate_cpu_location"), "{}", recording.name);
    let (once, thrice) = (by_location(&once), by_location(&thrice));
    for (location, events) in &thrice {
        let depth: i64 = events.iter().map(|event| depth_change(event)).sum();
        assert_eq!(depth, 0, "{}: location {location}", recording.name);
        check_rounds(&once[location], events, &recording.name);
    }
}

/// Checks that the events between the first and the last of the main location occur three times,
/// each time later.
fn check_rounds(once: &[&Value], thrice: &[&Value], name: &str) {
    let main = once[0]["name"] == "PROGRAM_BEGIN";
    let start =
        if main { once.iter().position(|event| depth_change(event) > 0).expect("an enter") + 1 } else { 0 };
    let after = if main {
        once.iter().rev().position(|event| depth_change(event) < 0).expect("an exit") + 1
    } else {
        0
    };
    let body = once.len() - start - after;
    assert_eq!(thrice.len(), once.len() + 2 * body, "{name}");
    let without_time = |event: &Value| {
        let mut event = event.clone();
        for member in ["timestamp", "metrics", "processId", "threadId"] {
            event.as_object_mut().expect("an object").remove(member);
        }
        event
    };
    for (at, event) in thrice.iter().enumerate() {
        let round = (at.saturating_sub(start) / body).min(2);
        let original = once[if at < start { at } else { at - round.min(2) * body }];
        assert_eq!(without_time(event), without_time(original), "{name}: event {at}");
    }
    for round in 1..3 {
        let first = number(thrice[start + round * body], "timestamp");
        let previous = thrice[start + (round - 1) * body..start + round * body].iter();
        assert!(
            previous.map(|event| number(event, "timestamp")).all(|time| time < first),
            "{name}: round {round}"
        );
    }
}

#[test]
fn repeat_plays_the_inside_of_the_first_enter_again() {
    // `flush` would have 800,000 calls and adds no other case.
    for recording in
        recordings().iter().filter(|recording| !["sampling", "flush"].contains(&recording.name.as_str()))
    {
        check_repeated(recording);
    }
}

#[test]
fn metrics_of_later_rounds_have_later_times() {
    let logged = Logged::new("metrics", &[]);
    logged.replay(&recording("omp-rusage"), "metrics").arg("--repeat=2").succeed();
    let calls = logged.calls();
    let delivered: Vec<_> = calls.iter().filter(|call| !call["metrics"]["strict"].is_null()).collect();
    assert!(delivered.len() > 600, "{}", delivered.len());
    for event in delivered {
        for value in event["metrics"]["strict"].as_array().expect("a list") {
            assert_eq!(value["timestamp"], event["timestamp"]);
        }
    }
}

#[test]
fn a_recording_without_an_enter_cannot_be_repeated() {
    let recording = recording("sampling");
    let out = TemporaryFolder::new("sampling");
    let output = Replay::new(&recording, &out).arg("--repeat=2").run();
    expect_failure(&output, "cannot be repeated: expected an enter on the main location");
}

#[test]
fn static_hosts_export_no_symbols() {
    let logged = Logged::new("symbols", &[]);
    let resolution = |calls: &[Value]| calls.iter().find(|call| call["call"] == "write_data").cloned();
    logged.replay(&recording("user"), "symbols").succeed();
    let shared = resolution(&logged.calls()).expect("write_data");
    assert!(shared["clock_resolution"].is_u64(), "{shared}");
    fs::remove_file(logged.log_path()).expect("the log");
    fs::remove_dir_all(logged.out()).expect("the directory");
    logged.replay(&recording("user"), "symbols").arg("--static").succeed();
    let hidden = resolution(&logged.calls()).expect("write_data");
    assert!(hidden["clock_resolution"].is_null(), "{hidden}");
    assert_eq!(logged.calls().len(), 287);
}

fn expect_failure(output: &std::process::Output, message: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "succeeded");
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains(message), "expected `{message}` in: {stderr}");
}

#[test]
fn the_directory_must_be_empty() {
    let out = TemporaryFolder::new("full");
    fs::write(out.join("something"), "").expect("a file");
    expect_failure(&Replay::new(&recording("user"), &out).run(), "exists and is not empty");
}

#[test]
fn no_rank_may_be_missing() {
    let folder = TemporaryFolder::new("ranks");
    for rank in [0, 2] {
        File::create(folder.join(format!("rank{rank}.jsonl.gz"))).expect("a file");
    }
    let output = Replay::of_folder(&folder, &folder.join("out")).run();
    expect_failure(&output, "expected all ranks from 0 on, but it has [0, 2]");
}

#[test]
fn a_folder_without_a_recording_is_an_error() {
    let folder = TemporaryFolder::new("none");
    expect_failure(&Replay::of_folder(&folder, &folder.join("out")).run(), "expected a file rank0.jsonl.gz");
    let absent = folder.join("absent");
    expect_failure(&Replay::of_folder(&absent, &folder.join("out")).run(), "absent: No such file");
}

/// Invalid recordings: a name, a replacement made once in the calls of `user`, and the expected
/// message.
const BAD: [(&str, &str, &str, &str); 11] = [
    ("json", r#"{"call":"set_c"#, r#"{call:"set_c"#, "rank0.jsonl.gz: line 2: expected a JSON object"),
    ("call", "set_callbacks", "set_things", "rank0.jsonl.gz: line 2: `set_things` is not a call"),
    ("event", r#""PROGRAM_BEGIN""#, r#""PROGRAM_START""#, "`PROGRAM_START` is not an event"),
    ("argument", r#""regionHandle""#, r#""region""#, "expected a member `regionHandle`"),
    ("order", r#""call":"init""#, r#""call":"finalize""#, "rank0.jsonl.gz: line 1: expected `init`"),
    ("number", r#""size":1,"rank":0"#, r#""size":1,"rank":3"#, "expected rank 0"),
    ("raw", r#""region_type":36"#, r#""region_type":35"#, "expected `region_type` to be 36"),
    ("string", r#""value":"machine""#, r#""value":"engine""#, r#"to contain the string "engine""#),
    (
        "location",
        r#""call":"core_task_create","thread":0,"location":0"#,
        r#""call":"core_task_create","thread":0,"location":9"#,
        "location 9 is not created yet",
    ),
    (
        "tables",
        r#""call":"get_event_functions","thread":0,"mode":1"#,
        r#""call":"get_requirement","thread":0,"flag":1,"mode":1"#,
        "expected `get_event_functions` of both modes",
    ),
    ("huge", r#""handle":8192"#, r#""handle":4294967292"#, "expected a handle below"),
];

#[test]
fn bad_recordings_are_errors_with_file_and_line() {
    for (name, from, to, message) in BAD {
        let change = |text: String| text.replacen(from, to, 1);
        let (folder, _) = changed_recording(name, &recording("user"), change);
        expect_failure(&Replay::of_folder(&folder, &folder.join("out")).run(), message);
    }
}

#[test]
fn a_truncated_recording_is_an_error() {
    let folder = TemporaryFolder::new("cut");
    let original = recording("user");
    for arena in ["rank0.pre_unify.arena.gz", "rank0.write_data.arena.gz"] {
        fs::copy(original.path.join(arena), folder.join(arena)).expect("the arena");
    }
    let bytes = fs::read(original.calls()).expect("the calls");
    fs::write(folder.join("rank0.jsonl.gz"), &bytes[..bytes.len() / 2]).expect("a file");
    let output = Replay::of_folder(&folder, &folder.join("out")).run();
    expect_failure(&output, "cannot be read");
}
