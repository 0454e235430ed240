//! `kymo-replay --host`: the calls that each release makes to a plugin, and those of a host whose
//! definitions cannot be read from memory.

use crate::common::{Logged, parsed, recorded_calls, recording, text_of};
use kymo_plugin_tests::testing::synthetic::every_event::every_event;
use kymo_plugin_tests::testing::{
    RecordingFolder, Replay, TemporaryFolder, build_plugin, compile_plugin_as, otf2_print, recordings_of_7_1,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

const RELEASES: [&str; 4] = ["6.0", "7.1", "8.4", "9.0"];

/// Events and arguments that 6.0 does not pass.
const UNPASSED: [(&str, &str); 6] = [
    ("PROGRAM_BEGIN", "processId"),
    ("PROGRAM_BEGIN", "threadId"),
    ("RMA_COLLECTIVE_BEGIN", "syncLevel"),
    ("THREAD_FORK_JOIN_TEAM_BEGIN", "threadId"),
    ("THREAD_CREATE_WAIT_BEGIN", "threadId"),
    ("IO_OPERATION_BEGIN", "offset"),
];

/// Events that 8.0 introduced.
const OF_8: [&str; 4] = [
    "MPI_NON_BLOCKING_COLLECTIVE_REQUEST",
    "MPI_NON_BLOCKING_COLLECTIVE_COMPLETE",
    "COMM_CREATE",
    "COMM_DESTROY",
];

fn is_old(release: &str) -> bool {
    release < "8"
}

/// Returns the synthetic recording with every event.
fn every_event_recording() -> (TemporaryFolder, RecordingFolder) {
    let folder = TemporaryFolder::new("every-event");
    every_event().write(&folder);
    let recording = RecordingFolder { name: "every-event".to_owned(), path: folder.to_path_buf() };
    (folder, recording)
}

/// Replays a recording as `release` with a log plugin made for that release; returns the log.
fn logged(
    test: &str,
    recording: &RecordingFolder,
    release: &str,
    arguments: &[&str],
) -> (Logged, Vec<Value>) {
    let plugin = format!("{test}_{}", release.replace('.', "_"));
    let definitions: &[&str] = if is_old(release) { &["EVENTS=79", "OLD_HOST=1"] } else { &[] };
    let logged = Logged::new(&plugin, definitions);
    let mut replay = logged.replay(recording, &plugin).arg("--host").arg(release);
    for argument in arguments {
        replay = replay.arg(argument);
    }
    replay.succeed();
    let calls = logged.calls();
    (logged, calls)
}

fn is_event(call: &Value) -> bool {
    call["call"] == "event"
}

/// Removes the arguments that the release does not pass and those specific to the replaying
/// process; returns their values.
fn take_out(call: &mut Value, release: &str) -> Vec<u64> {
    let name = call["name"].as_str().unwrap_or_default().to_owned();
    let members = call.as_object_mut().expect("an object");
    members.remove("plugin");
    // The host has metrics for it, but plugins request none.
    if name == "THREAD_FORK_JOIN_TASK_SWITCH" {
        members.remove("metrics");
    }
    let own = UNPASSED.iter().filter(|(event, _)| release == "6.0" || *event == "PROGRAM_BEGIN");
    let taken = own.filter(|(event, _)| *event == name).map(|(_, argument)| members.remove(*argument));
    taken.map(|value| value.and_then(|value| value.as_u64()).expect("an argument")).collect()
}

#[test]
fn every_release_delivers_its_events() {
    let (_folder, recording) = every_event_recording();
    let text = recorded_calls(&recording);
    for release in RELEASES {
        let (_logged, calls) = logged("events", &recording, release, &[]);
        let expected = text.lines().map(parsed).filter(|call| {
            is_event(call) && !(is_old(release) && OF_8.iter().any(|name| call["name"] == *name))
        });
        let expected: Vec<Value> = expected.collect();
        let actual: Vec<Value> = calls.into_iter().filter(is_event).collect();
        assert_eq!(actual.len(), expected.len(), "{release}");
        let mut garbage = Vec::new();
        for (mut actual, mut expected) in actual.into_iter().zip(expected) {
            garbage.extend(take_out(&mut actual, release));
            take_out(&mut expected, release);
            assert_eq!(actual, expected, "{release}");
        }
        if release == "6.0" {
            assert!(garbage.len() > 20 && garbage.iter().collect::<BTreeSet<_>>().len() > garbage.len() / 2);
        }
    }
}

#[test]
fn every_call_of_the_synthetic_recording_arrives_unchanged() {
    let (_folder, recording) = every_event_recording();
    let (_logged, calls) = logged("unchanged", &recording, "8.4", &[]);
    let expected: Vec<Value> = recorded_calls(&recording).lines().map(parsed).collect();
    assert_eq!(calls.len(), expected.len());
    for (mut actual, mut expected) in calls.into_iter().zip(expected) {
        take_out(&mut actual, "8.4");
        take_out(&mut expected, "8.4");
        assert_eq!(actual, expected);
    }
}

#[test]
fn garbage_depends_on_the_seed() {
    let (_folder, recording) = every_event_recording();
    let garbage = |test: &str, seed: &str| -> Vec<u64> {
        let (_logged, calls) = logged(test, &recording, "6.0", &["--seed", seed]);
        calls.into_iter().filter(is_event).flat_map(|mut call| take_out(&mut call, "6.0")).collect()
    };
    let [first, again, other] =
        [("seed_a", "7"), ("seed_b", "7"), ("seed_c", "8")].map(|(t, s)| garbage(t, s));
    assert_eq!(first, again);
    assert_ne!(first, other);
}

/// Replays with `kymo` on a host with the symbols of a release from before 8.0 or after; returns
/// the output on standard error and the text of the trace.
fn traced_by_kymo(release: &str, symbols: &str) -> (String, String) {
    let (_folder, recording) = every_event_recording();
    let folder = TemporaryFolder::new("known-events");
    let library = format!("lib{}.so", symbols.replace('=', "_").to_lowercase());
    let library = compile_plugin_as(&library, "symbols", "symbols.c", &[symbols]);
    let plugin = build_plugin("kymo-plugin");
    let replay = Replay::new(&recording, &folder.join("out"))
        .plugins("kymo")
        .libraries(plugin.parent().expect("a folder"));
    let output = replay.arg("--host").arg(release).env("LD_PRELOAD", library).run();
    assert!(output.status.success());
    let stderr = String::from_utf8(output.stderr).expect("a text");
    (stderr, otf2_print(&folder.join("out/kymo/traces.otf2")))
}

#[test]
fn a_host_with_79_events_does_not_warn_of_more() {
    let warnings = |stderr: &str| stderr.matches("has functions for events from 79 on").count();
    for release in ["6.0", "7.1"] {
        let (stderr, _) = traced_by_kymo(release, "SINCE_8=0");
        assert_eq!(warnings(&stderr), 0, "{release}: {stderr}");
        let (stderr, _) = traced_by_kymo(release, "SINCE_8=1");
        assert_eq!(warnings(&stderr), 2, "{release}: {stderr}");
    }
}

#[test]
fn a_host_with_83_events_delivers_all() {
    let (stderr, text) = traced_by_kymo("8.4", "SINCE_8=1");
    assert!(text.contains("COMM_CREATE"), "{stderr}");
}

/// Returns the word at an offset of a logged announcement.
fn word(call: &Value, at: usize) -> u32 {
    let raw = call["raw"].as_str().expect("raw");
    let byte = |at: usize| u8::from_str_radix(&raw[2 * at..2 * at + 2], 16).expect("two digits");
    u32::from_le_bytes([byte(at), byte(at + 1), byte(at + 2), byte(at + 3)])
}

fn of_kind<'a>(calls: &'a [Value], kind: &'a str) -> impl Iterator<Item = &'a Value> {
    calls.iter().filter(move |call| call["call"] == "new_definition_handle" && call["type"] == kind)
}

#[test]
fn locations_have_the_layout_of_the_release() {
    for recording in [recording("omp"), recordings_of_7_1().remove(0)] {
        for release in RELEASES {
            let test = format!("layout_{}", recording.name);
            let (_logged, calls) = logged(&test, &recording, release, &[]);
            let group = of_kind(&calls, "LOCATION_GROUP").next().expect("a location group");
            let handle = group["handle"].as_u64().expect("a handle") as u32;
            // Before `pre_unify`, a group has no name (0 or the handle of the empty string), and in
            // old releases no id.
            let expected: &[u32] = if is_old(release) { &[u32::MAX] } else { &[0, 8192] };
            assert!(expected.contains(&word(group, 20)), "{release}: {}", word(group, 20));
            for location in of_kind(&calls, "LOCATION") {
                let expected = if is_old(release) { 0 } else { handle };
                assert_eq!(word(location, 44), expected, "{release}");
                let paradigm = match release {
                    "8.4" => 17,
                    "9.0" => 18,
                    _ => 0,
                };
                assert_eq!(word(location, 40), paradigm, "{release}");
            }
        }
    }
}

/// A snapshot that a log plugin took.
struct Snapshot(Vec<u8>);

impl Snapshot {
    fn of(logged: &Logged, when: &str) -> Self {
        Self(fs::read(logged.folder.join(format!("log.{when}.arena"))).expect("the arena"))
    }

    fn words<const N: usize>(&self, handle: u32, at: [usize; N]) -> [u32; N] {
        at.map(|at| {
            let bytes = &self.0[handle as usize + at..][..4];
            u32::from_le_bytes(bytes.try_into().expect("four bytes"))
        })
    }
}

fn handles(calls: &[Value], kind: &str) -> Vec<u32> {
    of_kind(calls, kind).map(|call| call["handle"].as_u64().expect("a handle") as u32).collect()
}

/// The communicators of MPI in the synthetic recording, with payloads in the layout of 8.x.
#[test]
fn communicators_have_the_layout_of_the_release() {
    let (_folder, recording) = every_event_recording();
    for release in RELEASES {
        let (logged, calls) = logged("communicators", &recording, release, &[]);
        let snapshot = Snapshot::of(&logged, "write_data");
        let interim = handles(&calls, "INTERIM_COMMUNICATOR");
        let mpi: Vec<u32> =
            interim.iter().copied().filter(|&handle| snapshot.words(handle, [28]) == [6]).collect();
        let [world, _self, half, inter] = mpi[..] else { panic!("four MPI communicators: {mpi:?}") };
        let payload = |handle| snapshot.words(handle, [40, 44, 48, 52, 56]);
        let windows = handles(&calls, "RMA_WINDOW");
        let unified = |handle| snapshot.words(handle, [4])[0];
        if is_old(release) {
            assert_eq!(payload(half), [2, 0, 0, 1, 0]);
            assert_eq!(snapshot.words(unified(half), [28, 32]), [unified(world), 1]);
        } else {
            assert_eq!(payload(half), [2, 0, 0, 0, 1]);
            assert_eq!(payload(inter), [2, 0, 2, 0, 2]);
            assert_eq!(snapshot.words(unified(half), [32, 36, 40]), [unified(world), 1, 1]);
            assert_eq!(snapshot.words(windows[0], [36]), [1]);
        }
        assert_eq!(snapshot.words(windows[0], [24]), [unified(world)], "{release}");
        let groups = handles(&calls, "LOCATION_GROUP");
        assert_eq!(groups.len(), if is_old(release) { 1 } else { 2 }, "accelerators are groups from 8.0 on");
    }
}

/// Rank 0 of a 7.1 recording with MPI, as 8.4: the larger communicators are moved, and all
/// references follow.
#[test]
fn communicators_of_7_1_move_when_they_grow() {
    let source = kymo_testdata::own("scorep-recordings-7.1/mpi");
    let folder = TemporaryFolder::new("grow");
    for file in ["rank0.jsonl.gz", "rank0.pre_unify.arena.gz", "rank0.write_data.arena.gz"] {
        fs::copy(source.join(file), folder.join(file)).expect("a file of the recording");
    }
    let recording = RecordingFolder { name: "mpi".to_owned(), path: folder.to_path_buf() };
    let [(old, calls), (new, _)] = ["7.1", "8.4"].map(|release| {
        let plugin = format!("grow_{}", release.replace('.', "_"));
        let definitions: &[&str] = if is_old(release) { &["EVENTS=79", "OLD_HOST=1"] } else { &[] };
        let logged = Logged::new(&plugin, definitions);
        logged.replay(&recording, &plugin).arg("--host").arg(release).succeed();
        let calls = logged.calls();
        (logged, calls)
    });
    let [old, new] = [old, new].map(|logged| {
        // The log's copy ends after the announced handles; the recording contains everything.
        let path = logged.folder.join("log.write_data.arena");
        fs::read(path).expect("the arena")
    });
    let [old, new] = [Snapshot(old), Snapshot(new)];
    let mut seen = 0;
    for handle in handles(&calls, "INTERIM_COMMUNICATOR") {
        let [before] = old.words(handle, [4]);
        let [after] = new.words(handle, [4]);
        assert!(before != after && after as usize >= old.0.len(), "{handle}: {before}, {after}");
        seen += 1;
    }
    assert!(seen > 4);
    let [window] = handles(&calls, "RMA_WINDOW")[..] else { panic!("a window") };
    let world = handles(&calls, "INTERIM_COMMUNICATOR")[0];
    assert_eq!(new.words(window, [24]), new.words(world, [4]));
}

#[test]
fn without_an_arena_getters_still_answer() {
    let (_folder, recording) = every_event_recording();
    let plugin = "scattered";
    let logged = Logged::new(plugin, &["NO_ARENA=1"]);
    logged.replay(&recording, plugin).arg("--no-arena").succeed();
    let expected: Vec<Value> = recorded_calls(&recording).lines().map(parsed).collect();
    let actual = logged.calls();
    assert_eq!(actual.len(), expected.len());
    for (mut actual, mut expected) in actual.into_iter().zip(expected) {
        for call in [&mut actual, &mut expected] {
            take_out(call, "8.4");
            call.as_object_mut().expect("an object").remove("raw");
        }
        assert_eq!(actual, expected);
    }
    let bases: BTreeSet<String> =
        text_of(&logged.folder.join("log.bases")).lines().map(str::to_owned).collect();
    assert!(bases.len() > 50, "{bases:?}");
}

#[test]
fn the_progress_file_counts_enters_and_exits() {
    let (_folder, recording) = every_event_recording();
    let expected = recorded_calls(&recording)
        .lines()
        .map(parsed)
        .filter(|call| call["name"] == "ENTER_REGION" || call["name"] == "EXIT_REGION")
        .count();
    let logged = Logged::new("progress", &[]);
    let file = logged.folder.join("progress.count");
    logged.replay(&recording, "progress").arg("--progress").arg(&file).succeed();
    assert_eq!(fs::read(&file).expect("the file"), (expected as u64).to_le_bytes());
}

#[test]
fn an_unknown_release_is_refused() {
    let logged = Logged::new("unknown_release", &[]);
    let output = logged.replay(&recording("user"), "unknown_release").arg("--host").arg("5.0").run();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("6.0, 7.1, 8.4, 9.0"), "{stderr}");
}
