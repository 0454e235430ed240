//! The plugin `kymo` writes the same trace as the built-in tracing in the same run, and other
//! software reads it.

use kymo_plugin_tests::testing::{
    RecordingFolder, Replay, TemporaryFolder, build_plugin, canonical, compare_traces, difference,
    otf2_print, python_counts, recordings, reference_print,
};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Replays a recording with `kymo`; returns the folder and the anchor file.
fn traced(recording: &RecordingFolder, arguments: &[&str]) -> (TemporaryFolder, PathBuf) {
    let folder = TemporaryFolder::new(&format!("traces-{}", recording.name));
    let out = folder.join("out");
    let plugin = build_plugin("kymo-plugin");
    let mut replay =
        Replay::new(recording, &out).plugins("kymo").libraries(plugin.parent().expect("a folder"));
    for argument in arguments {
        replay = replay.arg(argument);
    }
    replay.succeed();
    (folder, out.join("kymo/traces.otf2"))
}

/// Checks every recording and reports the reasons of all failures.
fn check_all(check: impl Fn(&RecordingFolder) -> Result<(), String>) {
    let failed: Vec<String> = recordings()
        .iter()
        .filter_map(|recording| check(recording).err().map(|why| format!("{}: {why}", recording.name)))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn archives_print_like_the_reference() {
    check_all(|recording| {
        let (_folder, anchor) = traced(recording, &[]);
        let [expected, actual] =
            [reference_print(recording), otf2_print(&anchor)].map(|print| canonical(&print));
        assert!(expected.contains("\n=== location 0\n"), "{}: no events at all", recording.name);
        difference(&expected, &actual).map_or(Ok(()), Err)
    });
}

/// String ids have no meaning, and a string that only the reference uses is not in our archive.
#[test]
fn compare_traces_finds_no_difference() {
    check_all(|recording| {
        let Some(reference) = recording.reference() else { return Ok(()) };
        let (_folder, anchor) = traced(recording, &[]);
        let output = compare_traces(&reference, &anchor, &["--skip", "STRING"]);
        let stdout = String::from_utf8_lossy(&output.stdout);
        let last = stdout.lines().last().unwrap_or_default();
        let same = output.status.success() && last.ends_with(" 0 different") && !last.starts_with("0 equal");
        if same { Ok(()) } else { Err(format!("{stdout}{}", String::from_utf8_lossy(&output.stderr))) }
    });
}

/// Returns the number of events that `otf2-print` prints for each location.
fn printed_counts(print: &str) -> BTreeMap<u64, usize> {
    let (_, events) = print.split_once("=== Events ===").expect("events");
    let mut counts = BTreeMap::new();
    for line in events.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase())) {
        let location = line.split_whitespace().nth(1).and_then(|word| word.parse().ok());
        *counts.entry(location.unwrap_or(u64::MAX)).or_default() += 1;
    }
    // The line above the table.
    counts.remove(&u64::MAX);
    counts
}

#[test]
fn python_reads_everything() {
    check_all(|recording| {
        let (_folder, anchor) = traced(recording, &[]);
        let Some(read) = python_counts(&anchor) else { return Ok(()) };
        let (read, expected) = (read?, printed_counts(&reference_print(recording)));
        if read == expected {
            Ok(())
        } else {
            Err(format!("expected {expected:?}, but Python read {read:?}"))
        }
    });
}

#[test]
fn repeated_recordings_make_longer_traces() {
    check_all(|recording| {
        if ["sampling", "flush"].contains(&recording.name.as_str()) {
            return Ok(());
        }
        let (_folder, once) = traced(recording, &[]);
        let (_folder, often) = traced(recording, &["--repeat", "50"]);
        let [once, often] =
            [once, often].map(|anchor| printed_counts(&otf2_print(&anchor)).values().sum::<usize>());
        let expected = once * 50 - 49 * 8..=once * 50;
        if expected.contains(&often) {
            Ok(())
        } else {
            Err(format!("{often} events in 50 rounds, {once} in one"))
        }
    });
}
