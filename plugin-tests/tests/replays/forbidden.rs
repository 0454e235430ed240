//! The actions that are forbidden inside a callback: allocation, locks and system calls in an
//! event, and allocation where a signal handler announces definitions and takes samples.
//! `c/forbid.c` detects them.
//!
//! `kymo` hands a full piece of 64 KiB to storage in the event that fills it, so the recordings
//! used here have less per location.

use crate::common::recording;
use kymo_plugin_tests::testing::synthetic::every_event::every_event;
use kymo_plugin_tests::testing::{
    RecordingFolder, Replay, TemporaryFolder, build_plugin, canonical, compile_plugin, compile_watch,
    difference, otf2_print, recordings, reference_print,
};
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Output;

/// Returns the forbidden actions that occurred, and how often.
fn actions(output: &Output) -> BTreeMap<String, usize> {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let mut counts = BTreeMap::new();
    for line in stderr.lines() {
        match line.strip_prefix("forbidden: ") {
            Some(action) => *counts.entry(action.to_owned()).or_default() += 1,
            None => panic!("{stderr}"),
        }
    }
    counts
}

fn watched(recording: &Path, out: &Path, plugin: &str, libraries: &Path) -> Replay {
    Replay::of_folder(recording, out).plugins(plugin).libraries(libraries).env("LD_PRELOAD", compile_watch())
}

/// Returns the actions of a bad plugin that are detected in a recording.
fn bad_actions(action: u32, case: &str, arguments: &[&str]) -> (Output, BTreeMap<String, usize>) {
    let folder = TemporaryFolder::new("bad");
    let plugin = format!("bad{action}_{case}_{}", arguments.len());
    let libraries = compile_plugin(&plugin, "bad.c", &[&format!("BAD={action}")]);
    let mut replay = watched(&recording(case).path, &folder.join("out"), &plugin, &libraries);
    for argument in arguments {
        replay = replay.arg(argument);
    }
    let output = replay.run();
    assert!(output.status.success(), "{}", output.status);
    let counts = actions(&output);
    (output, counts)
}

/// Returns the number of events of a kind in a recording.
fn count(case: &str, name: &str) -> usize {
    let calls = crate::common::recorded_calls(&recording(case));
    let of_kind = |line: &&str| line.contains(&format!("\"name\":\"{name}\"")) && !line.contains("\"table\"");
    calls.lines().filter(of_kind).count()
}

#[test]
fn every_forbidden_action_in_an_event_is_detected() {
    let enters = count("user", "ENTER_REGION");
    for (action, expected) in [
        (1, &["malloc in ENTER_REGION"][..]),
        (2, &["free in ENTER_REGION"]),
        (3, &["pthread_mutex_lock in ENTER_REGION"]),
        (4, &["system call 110 in ENTER_REGION"]),
        (0, &[]),
        (5, &[]),
    ] {
        let (_, counts) = bad_actions(action, "user", &[]);
        // The plugin makes two system calls.
        let times = if action == 4 { 2 * enters } else { enters };
        let expected: BTreeMap<String, usize> =
            expected.iter().map(|action| ((*action).to_owned(), times)).collect();
        if action == 4 && !cfg!(target_arch = "x86_64") {
            eprintln!("system calls are not watched on this machine");
            continue;
        }
        assert_eq!(counts, expected, "action {action}");
    }
}

#[test]
fn a_forbidden_action_can_end_the_program() {
    let folder = TemporaryFolder::new("abort");
    let libraries = compile_plugin("bad_abort", "bad.c", &["BAD=1"]);
    let replay = watched(&recording("user").path, &folder.join("out"), "bad_abort", &libraries);
    let output = replay.env("KYMO_FORBID_ABORT", "1").run();
    assert_eq!(output.status.signal(), Some(libc::SIGABRT));
    assert_eq!(actions(&output).get("malloc in ENTER_REGION"), Some(&1));
}

#[test]
fn a_forbidden_action_in_a_signal_handler_is_detected() {
    let samples = count("sampling", "SAMPLE");
    let (_, counts) = bad_actions(1, "sampling", &["--samples-in-signals"]);
    assert_eq!(counts.get("malloc in SAMPLE"), Some(&samples));
    let (_, counts) = bad_actions(5, "sampling", &["--samples-in-signals"]);
    assert!(counts.get("malloc in a signal handler").is_some_and(|&count| count > 3), "{counts:?}");
    let (_, counts) = bad_actions(5, "sampling", &[]);
    assert!(counts.is_empty(), "{counts:?}");
}

/// Replays a recording with `kymo` while everything is watched; returns the forbidden actions.
fn actions_of_kymo(recording: &Path, arguments: &[&str]) -> (TemporaryFolder, BTreeMap<String, usize>) {
    kymo_testdata::require_shared_memory();
    let folder = TemporaryFolder::new("watched");
    let plugin = build_plugin("kymo-plugin");
    let mut replay = watched(recording, &folder.join("out"), "kymo", plugin.parent().expect("a folder"));
    for argument in arguments {
        replay = replay.arg(argument);
    }
    let output = replay.run();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let counts = actions(&output);
    (folder, counts)
}

#[test]
fn no_event_of_kymo_allocates_locks_or_makes_a_system_call() {
    // The streams of `flush` are longer than a piece.
    let short: Vec<RecordingFolder> =
        recordings().into_iter().filter(|recording| recording.name != "flush").collect();
    let mut bad = Vec::new();
    for recording in short {
        let (_folder, counts) = actions_of_kymo(&recording.path, &[]);
        bad.extend(
            counts.into_iter().map(|(action, count)| format!("{}: {count} times {action}", recording.name)),
        );
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn none_of_the_83_events_allocates_locks_or_makes_a_system_call() {
    let folder = TemporaryFolder::new("every-event");
    every_event().write(&folder);
    let (_folder, counts) = actions_of_kymo(&folder, &[]);
    assert!(counts.is_empty(), "{counts:#?}");
}

#[test]
fn samples_in_signal_handlers_are_recorded_without_allocation() {
    let recording = recording("sampling");
    let (folder, counts) = actions_of_kymo(&recording.path, &["--samples-in-signals"]);
    assert!(counts.is_empty(), "{counts:#?}");
    let anchor = folder.join("out/kymo/traces.otf2");
    let different = difference(&canonical(&reference_print(&recording)), &canonical(&otf2_print(&anchor)));
    assert_eq!(different, None);
}
