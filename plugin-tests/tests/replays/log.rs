//! A plugin that logs every call reproduces the recording: call by call, with the answers of every
//! getter and the definitions' bytes.

use crate::common::{
    Logged, changed_recording, decompressed, number, parsed, recorded_calls, recording, text_of,
};
use kymo_plugin_tests::testing::{RecordingFolder, TemporaryFolder, recordings, recordings_of_7_1};
use serde_json::Value;
use std::fs;

/// Removes the members that a replay does not repeat: the process has its own id.
fn check_process(expected: &mut Value, actual: &mut Value) {
    if expected["name"] != "PROGRAM_BEGIN" {
        return;
    }
    let own = expected["processId"] == expected["threadId"];
    assert_eq!(
        actual["processId"] == actual["threadId"],
        own,
        "the thread id is the process id where it was"
    );
    assert_ne!(expected["processId"], actual["processId"], "the process id is the replaying process's");
    for call in [expected, actual] {
        let call = call.as_object_mut().expect("an object");
        call.remove("processId");
        if own {
            call.remove("threadId");
        }
    }
}

fn check(recording: &RecordingFolder, plugin: &str, events: u64) -> Logged {
    let definition = format!("EVENTS={events}");
    let logged = Logged::new(plugin, &[&definition]);
    logged.replay(recording, plugin).succeed();
    let (expected, actual) = (recorded_calls(recording), text_of(&logged.log_path()));
    let member = format!("\"plugin\":\"{plugin}\",");
    for (line, (expected, actual)) in expected.lines().zip(actual.lines()).enumerate() {
        let actual = actual.replacen(&member, "", 1);
        // Most lines are equal as text, which is faster to compare.
        if expected == actual {
            continue;
        }
        let (mut expected, mut actual) = (parsed(expected), parsed(&actual));
        check_process(&mut expected, &mut actual);
        assert_eq!(actual, expected, "{}, line {}", recording.name, line + 1);
    }
    assert_eq!(actual.lines().count(), expected.lines().count(), "{}", recording.name);
    for when in ["pre_unify", "write_data"] {
        let expected = decompressed(&recording.path.join(format!("rank0.{when}.arena.gz")));
        let actual = fs::read(logged.folder.join(format!("log.{when}.arena"))).expect("the arena");
        assert!(actual == expected, "{}: the arena at {when} differs", recording.name);
    }
    logged
}

#[test]
fn log_equals_recording() {
    for recording in recordings() {
        let calls = recorded_calls(&recording);
        let third = parsed(calls.lines().nth(2).expect("a third call"));
        assert_eq!(number(&third, "num_events"), 83, "{}", recording.name);
        check(&recording, &format!("log_{}", recording.name.replace('-', "_")), 83);
    }
}

#[test]
fn log_equals_recording_of_7_1() {
    for recording in recordings_of_7_1() {
        check(&recording, &format!("log71_{}", recording.name), 79);
    }
}

/// Copies rank 0 of a recording with several ranks into a folder of its own.
fn rank_0_of(case: &str) -> (TemporaryFolder, RecordingFolder) {
    let source = kymo_testdata::own(case);
    let folder = TemporaryFolder::new("rank-0");
    for file in ["rank0.jsonl.gz", "rank0.pre_unify.arena.gz", "rank0.write_data.arena.gz"] {
        fs::copy(source.join(file), folder.join(file))
            .unwrap_or_else(|error| panic!("{case}/{file}: {error}"));
    }
    let recording = RecordingFolder { name: case.to_owned(), path: folder.to_path_buf() };
    (folder, recording)
}

/// Checks that events see the sizes and ranks of their communicators, although announcements do not
/// have them yet.
fn check_payloads(case: &str, plugin: &str, events: u64, words: usize) {
    let (_folder, recording) = rank_0_of(case);
    let logged = check(&recording, plugin, events);
    let arena = decompressed(&recording.path.join("rank0.pre_unify.arena.gz"));
    let word = |at: usize| u32::from_le_bytes(arena[at..at + 4].try_into().expect("four bytes"));
    let payloads = text_of(&logged.folder.join("log.payloads"));
    assert!(payloads.lines().count() > 30, "{case}: {} payloads", payloads.lines().count());
    for payload in payloads.lines() {
        let numbers: Vec<u32> = payload.split(' ').map(|number| number.parse().expect("a number")).collect();
        let start = numbers[0] as usize + 40;
        let expected: Vec<u32> = (0..words).map(|i| word(start + 4 * i)).collect();
        assert!(expected[0] > 0, "{case}: communicator {} has members", numbers[0]);
        // The last word counts I/O handles, so it is final only at the end.
        assert_eq!(numbers[1..words], expected[..words - 1], "{case}: communicator {}", numbers[0]);
    }
}

#[test]
fn communicators_have_their_payload_in_events() {
    check_payloads("scorep-recordings/mpi", "payload", 83, 6);
}

#[test]
fn communicators_of_7_1_have_their_payload_in_events() {
    check_payloads("scorep-recordings-7.1/mpi", "payload71", 79, 5);
}

/// Adds arguments that no recording has: asynchronous, synchronous and post-mortem metrics, program
/// arguments, negative numbers and ranks, a double with a fraction, all bits set.
fn with_rare_arguments(text: String) -> String {
    let delivered = |time: &str, values: &str| {
        format!("[{{\"location\":0,\"timestamp\":{time},\"samplingSet\":13384,\"values\":{values}}}]")
    };
    let event = |name: &str, rest: &str| {
        format!(
            "{{\"call\":\"event\",\"thread\":0,\"name\":\"{name}\",\"location\":0,\"timestamp\":7,{rest}}}\n"
        )
    };
    let mut changed = String::new();
    let mut enters = 0;
    for line in text.split_inclusive('\n') {
        let call = parsed(line);
        let mut line = line.replace(
            "\"numberOfProgramArgs\":0,\"programArguments\":[]",
            "\"numberOfProgramArgs\":2,\"programArguments\":[8224,8192]",
        );
        if call["name"] == "ENTER_REGION" && call["location"] == 0 && enters == 0 {
            enters += 1;
            let time = call["timestamp"].to_string();
            line = line.replace(
                "\"async\":[]",
                &format!("\"async\":{}", delivered("3", "[5,18446744073709551615]")),
            );
            line = line.replace("\"sync\":[]", &format!("\"sync\":{}", delivered(&time, "[8,0]")));
        }
        if call["name"] == "PROGRAM_END" {
            changed += &event(
                "WRITE_POST_MORTEM_METRICS",
                "\"samplingSet\":13384,\"metricValues\":[9,18446744073709551615]",
            );
            changed += &event("TRIGGER_COUNTER_INT64", "\"counterHandle\":13384,\"value\":-3");
            changed += &event("TRIGGER_COUNTER_DOUBLE", "\"counterHandle\":13384,\"value\":-0.25");
            changed += &event("IO_CHANGE_STATUS_FLAGS", "\"handle\":8224,\"statusFlags\":4294967295");
            changed += &event(
                "MPI_RECV",
                "\"sourceRank\":18446744073709551614,\"communicatorHandle\":8192,\"tag\":4294967295,\"bytesReceived\":18446744073709551615",
            );
        }
        changed += &line;
    }
    changed
}

#[test]
fn rare_arguments_arrive() {
    let (_folder, changed) = changed_recording("rare", &recording("omp-rusage"), with_rare_arguments);
    check(&changed, "rare", 83);
}
