//! The output of `otf2-print` for `kymo`'s archives of the synthetic recordings equals the golden
//! files, for each host release.

use kymo_plugin_tests::testing::synthetic::{SyntheticRecording, every_event};
use kymo_plugin_tests::testing::{
    Replay, TemporaryFolder, build_plugin, canonical, difference, otf2_print, recordings, recordings_of_7_1,
    reference_print,
};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A golden file, its recording, and the release to replay it as.
type File = (&'static str, fn() -> SyntheticRecording, &'static str);

fn files() -> [File; 4] {
    [
        ("every-event-6.0.txt", every_event::every_event, "6.0"),
        ("every-event-7.1.txt", every_event::every_event, "7.1"),
        ("every-event-8.4.txt", every_event::every_event, "8.4"),
        ("ends-off-8.4.txt", every_event::ends_off, "8.4"),
    ]
}

/// Returns the output that the rules require for a recording; `None` without Python, which is
/// reported.
fn expected(recording: &Path, release: &str) -> Option<String> {
    if !kymo_testdata::is_installed("python3") {
        return None;
    }
    let output = kymo_testdata::python().arg(golden("expected.py")).arg(recording).arg(release).output();
    let output = output.expect("running Python");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "expected.py: {stderr}");
    Some(String::from_utf8(output.stdout).expect("text"))
}

/// The result of a replay.
struct Shown {
    /// The output of `otf2-print -A`.
    text: String,
    /// The warnings of `otf2-print`.
    warnings: Vec<String>,
    /// The output of the host and the plugin on standard error.
    stderr: String,
}

/// Replays a synthetic recording with `kymo`.
fn shown(recording: &SyntheticRecording, arguments: &[&str]) -> Shown {
    let folder = TemporaryFolder::new("synthetic");
    recording.write(&folder);
    shown_of(&folder, arguments)
}

/// Like [`shown`], but replays a recording in a folder.
fn shown_of(recording: &Path, arguments: &[&str]) -> Shown {
    let folder = TemporaryFolder::new("golden");
    let out = folder.join("out");
    let plugin = build_plugin("kymo-plugin");
    let mut replay = Replay::of_folder(recording, &out).plugins("kymo");
    for argument in arguments {
        replay = replay.arg(argument);
    }
    let output = replay.libraries(plugin.parent().expect("a folder")).run();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}\n{stderr}", output.status);
    let anchor = out.join("kymo/traces.otf2");
    let print = kymo_testdata::program("otf2-print").arg("-A").arg(&anchor).output();
    let print = print.expect("running otf2-print");
    let warnings: Vec<String> = String::from_utf8_lossy(&print.stderr).lines().map(str::to_owned).collect();
    assert!(print.status.success(), "otf2-print: {}\n{warnings:?}", print.status);
    let text = canonical(&String::from_utf8(print.stdout).expect("text"));
    Shown { text, warnings, stderr }
}

/// Removes the warning that a host with 79 events prints about any plugin that has more.
fn without_warning_of_79_events(stderr: &str) -> Vec<&str> {
    stderr.lines().filter(|line| !line.contains("functions for events from 79 on")).collect()
}

fn check(name: &str, recording: &SyntheticRecording, release: &str) {
    let shown = shown(recording, &["--host", release]);
    assert_eq!(without_warning_of_79_events(&shown.stderr), [""; 0], "{name}, played as {release}");
    if let Some(difference) = difference(&read(&golden(name)), &shown.text) {
        panic!("{name}, played as {release}:\n{difference}");
    }
    assert_eq!(shown.warnings, [""; 0], "{name}, played as {release}: otf2-print warns");
}

#[test]
fn golden_files_follow_the_rules() {
    for (name, recording, release) in files() {
        let folder = TemporaryFolder::new("rules");
        recording().write(&folder);
        let Some(expected) = expected(&folder, release) else { return };
        if env::var_os("KYMO_UPDATE_GOLDEN").is_some() {
            fs::write(golden(name), &expected).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        if let Some(difference) = difference(&read(&golden(name)), &expected) {
            panic!("{name}: KYMO_UPDATE_GOLDEN=1 regenerates it\n{difference}");
        }
    }
}

/// The rules are those of Score-P: for its own recordings they give the content of its own
/// archives.
#[test]
fn the_rules_match_the_built_in_tracing() {
    for recording in recordings() {
        if recording.name == "flush" {
            // The 260,000 events add nothing to the others, and take Python seconds.
            continue;
        }
        let Some(expected) = expected(&recording.path, "8.4") else { return };
        if let Some(difference) = difference(&canonical(&reference_print(&recording)), &expected) {
            panic!("{}:\n{difference}", recording.name);
        }
    }
}

/// Recorded runs of 8.4 and 7.1 follow the rules whichever release they are replayed as. The plugin
/// finds out on its own the arguments that a release does not pass to it.
#[test]
fn recorded_runs_as_every_release() {
    for recording in recordings().iter().filter(|recording| recording.name != "flush") {
        for release in ["6.0", "7.1", "8.4", "9.0"] {
            let Some(expected) = expected(&recording.path, release) else { return };
            let shown = shown_of(&recording.path, &["--host", release]);
            assert_eq!(
                without_warning_of_79_events(&shown.stderr),
                [""; 0],
                "{} as {release}",
                recording.name
            );
            if let Some(difference) = difference(&expected, &shown.text) {
                panic!("{}, played as {release}:\n{difference}", recording.name);
            }
        }
    }
}

/// Runs of 7.1, replayed as 7.1 (the default) and as other releases.
#[test]
fn recorded_runs_of_7_1() {
    for recording in recordings_of_7_1() {
        // Printed by the installed otf2-print: the stored text is from an older one.
        let expected = canonical(&otf2_print(&recording.reference().expect("the reference")));
        for arguments in [&[][..], &["--host", "7.1"], &["--host", "8.4"], &["--host", "9.0"]] {
            let shown = shown_of(&recording.path, arguments);
            assert_eq!(
                without_warning_of_79_events(&shown.stderr),
                [""; 0],
                "{} {arguments:?}",
                recording.name
            );
            if let Some(difference) = difference(&expected, &shown.text) {
                panic!("{} {arguments:?}:\n{difference}", recording.name);
            }
        }
    }
}

#[test]
fn every_event_of_6_0() {
    check("every-event-6.0.txt", &every_event::every_event(), "6.0");
}

#[test]
fn every_event_of_7_1() {
    check("every-event-7.1.txt", &every_event::every_event(), "7.1");
}

#[test]
fn every_event_of_8_4() {
    check("every-event-8.4.txt", &every_event::every_event(), "8.4");
}

#[test]
fn every_event_of_9_0() {
    check("every-event-8.4.txt", &every_event::every_event(), "9.0");
}

/// The user left recording off: the end of the program is recorded nevertheless.
#[test]
fn a_program_that_ends_with_recording_off() {
    check("ends-off-8.4.txt", &every_event::ends_off(), "8.4");
}

/// Labels of names that are read from the arena, and that the getters of the public interface do
/// not return.
const OF_THE_ARENA: [&str; 12] = [
    "Communicator: ",
    "Window: ",
    "Group: ",
    "Old Handle: ",
    "New Handle: ",
    "Handle: ",
    "I/O Paradigm: ",
    "File: ",
    "Thread Team: ",
    "Thread Contingent: ",
    "Interrupt Generator: ",
    "Metric: ",
];

/// Removes from an event the fields that are read only from the arena: names, and locations of
/// ranks.
fn as_public(line: &str) -> String {
    let mut text = line.to_owned();
    for label in OF_THE_ARENA {
        let Some(start) = text.find(label).map(|at| at + label.len()) else { continue };
        let rest = &text[start..];
        let end = match rest.as_bytes().first() {
            Some(b'"') => rest[1..].find('"').map_or(rest.len(), |at| at + 2),
            Some(b'{') => rest.rfind('}').map_or(rest.len(), |at| at + 1),
            _ => rest.find(',').unwrap_or(rest.len()),
        };
        text.replace_range(start..start + end, "…");
    }
    for label in ["Receiver: ", "Sender: ", "Root: ", "Remote: ", "Creating Thread: "] {
        let Some(start) = text.find(label) else { continue };
        let (Some(open), comma) = (text[start..].find(" ("), text[start..].find(',').unwrap_or(text.len()))
        else {
            continue;
        };
        if open < comma {
            text.replace_range(start + open..start + text[start..].find(')').expect("a bracket") + 1, "");
        }
    }
    // The source location after the name of a calling context.
    if let Some(at) = text.find("@source.c:") {
        let end = text[at..].find('"').map_or(text.len(), |end| at + end);
        text.replace_range(at..end, "");
    }
    text
}

/// Returns the part of a text with events.
fn events(text: &str) -> String {
    let (_, events) = text.split_once("\n=== location").expect("events");
    events.lines().map(|line| as_public(line) + "\n").collect()
}

/// Without the arena, everything public is the same, nothing is invented, and one line reports it.
#[test]
fn every_event_without_an_arena() {
    let Shown { text: actual, warnings, stderr } = shown(&every_event::every_event(), &["--no-arena"]);
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    if let Some(difference) = difference(&events(&read(&golden("every-event-8.4.txt"))), &events(&actual)) {
        panic!("{difference}");
    }
    let unknown =
        ["COMM ", "INTER_COMM ", "RMA_WIN ", "IO_HANDLE ", "IO_REGULAR_FILE ", "INTERRUPT_GENERATOR "];
    for line in actual.lines().take_while(|line| !line.is_empty()) {
        if unknown.iter().any(|kind| line.starts_with(kind)) {
            let named =
                ["Name: \"\"", "name: \"\"", "Name: \"unknown\""].iter().any(|name| line.contains(name));
            assert!(named, "an invented name: {line}");
        }
        if line.starts_with("GROUP ") && !line.contains("Type: REGIONS") {
            assert!(line.contains(" 0 Members"), "invented members: {line}");
        }
        let inventions = ["RMA_WIN ", "COMM "].iter().any(|kind| line.starts_with(kind))
            && line.contains("CREATE_DESTROY");
        assert!(!inventions, "an invented flag: {line}");
    }
    // Windows have no communicator, as expected; otf2-print warns about it.
    let allowed = |warning: &String| warning.contains("undefined Comm definition for RmaWin");
    let warnings: Vec<String> = warnings.into_iter().filter(|warning| !allowed(warning)).collect();
    assert_eq!(warnings, [""; 0], "otf2-print warns");
}
