//! Names in traces and of files that contain terminal control sequences.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::check_common::world::world;
use crate::record_fake::write_program;
use kymo_otf2::definitions;
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::MarkerSeverity;
use kymo_otf2::events::{Enter, Leave};
use kymo_otf2::markers::DefMarker;
use kymo_otf2::references::{MarkerRef, RegionRef, StringRef};

const EVIL: &str = "\x1b]0;title\x07\x1b[2J\u{9b}31m\u{202e}evil";
/// The same with a line of its own.
const EVIL_LINE: &str = "\x1b]0;title\x07\x1b[2J\u{9b}31m\u{202e}evil\nanother evil line";

fn kymo() -> &'static str {
    env!("CARGO_BIN_EXE_kymo")
}

/// Returns the output of the command at a terminal.
fn at_a_terminal(arguments: &[&str], folder: &Path) -> String {
    let quoted: Vec<String> = arguments.iter().map(|it| format!("'{}'", it.replace('\'', r"'\''"))).collect();
    let line = format!("{} {}", kymo(), quoted.join(" "));
    let output =
        kymo_testdata::program("script").args(["-qec", &line, "/dev/null"]).current_dir(folder).output();
    let output = output.expect("running script");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn is_harmless(text: &str) -> bool {
    // The progress line erases itself.
    let text = text.replace("\r\u{1b}[2K", "");
    // `script` ends lines as terminals do.
    !text.chars().any(|it| (it.is_control() && !"\r\n\t".contains(it)) || it == '\u{202e}')
}

/// An archive in which all strings contain control sequences, in a folder whose name does too.
fn evil_archive() -> (tempfile::TempDir, std::path::PathBuf) {
    let mut trace = world();
    let mut id = u32::MAX;
    for definition in &mut trace.globals {
        if let GlobalDefinition::String(string) = definition {
            id = string.id.0;
            *definition = definitions::String { id: StringRef(id), string: EVIL_LINE.into() }.into();
        }
    }
    trace.event(0, 5, Enter { region: RegionRef(0) });
    trace.event(0, 6, Leave { region: RegionRef(0) });
    assert_ne!(id, u32::MAX, "a string");
    let kind = DefMarker {
        id: MarkerRef(0),
        marker_group: EVIL_LINE.into(),
        marker_category: EVIL_LINE.into(),
        severity: MarkerSeverity::HIGH,
    };
    trace.markers.push(kind.into());
    let written = trace.write();
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join(EVIL.replace('/', ""));
    let source = written.anchor().parent().unwrap().to_owned();
    assert!(Command::new("cp").arg("-r").args([&source, &inner]).status().unwrap().success());
    (folder, inner.join("traces.otf2"))
}

/// Control characters in names reached it.
#[test]
fn names_do_not_control_the_terminal() {
    let (folder, anchor) = evil_archive();
    let anchor = anchor.to_str().unwrap();
    for arguments in [
        &["print", anchor][..],
        &["print", "-A", anchor],
        &["print", "-G", anchor],
        &["print", "--format", "csv", anchor],
        &["print", "--format", "json", anchor],
        &["check", anchor],
        &["check", "--json", anchor],
        &["stats", anchor],
        &["profile", anchor],
        &["profile", "--tree", anchor],
        &["marker", anchor],
    ] {
        let shown = at_a_terminal(arguments, folder.path());
        assert!(shown.contains("evil"), "{arguments:?}: {shown:?}");
        assert!(is_harmless(&shown), "{arguments:?}: {shown:?}");
        assert!(!shown.lines().any(|line| line.starts_with("another")), "{arguments:?}: {shown:?}");
    }
}

/// Control characters in names reached it.
#[test]
fn names_in_messages_do_not_control_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(format!("{EVIL}{name}"));
    fs::write(path(".otf2"), "no anchor").unwrap();
    fs::write(path(".trc"), "no trace").unwrap();
    fs::write(path(".edf"), "no events").unwrap();
    fs::write(path(".x"), "nothing").unwrap();
    let name = |ending: &str| format!("{EVIL}{ending}");
    for arguments in [
        vec!["print".to_owned(), name(".otf2")],
        vec!["check".to_owned(), name(".otf2")],
        vec!["merge".to_owned(), name(".otf2"), "-o".to_owned(), name("out.otf2")],
        vec!["tau2otf2".to_owned(), name(".trc"), name(".edf"), name("out")],
        vec!["recover".to_owned(), name(".x")],
        vec!["recover".to_owned(), name("nowhere")],
        vec!["record".to_owned(), "-o".to_owned(), name("o"), name(".x")],
        vec![name("verb")],
        vec!["print".to_owned(), format!("--{EVIL}")],
        vec!["check".to_owned(), "--ignore".to_owned(), EVIL.to_owned()],
    ] {
        let output = Command::new(kymo()).args(&arguments).current_dir(folder.path()).output().unwrap();
        let printed =
            String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(printed.contains("evil"), "{arguments:?}: {printed:?}");
        assert!(is_harmless(&printed), "{arguments:?}: {printed:?}");
    }
}

/// It was shown as roff.
#[test]
fn a_manual_page_is_shown_by_man_on_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let man = folder.path().join("man");
    write_program(&man, b"#!/bin/sh\necho \"$@: $(grep -c '^.SH')\"\n");
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let line = format!("{} man print", kymo());
    let shown = kymo_testdata::program("script")
        .args(["-qec", &line, "/dev/null"])
        .env("PATH", path)
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&shown.stdout), "-l -: 6\r\n");
}

#[test]
fn findings_have_colours_where_a_terminal_supports_them() {
    let mut trace = world();
    trace.event(0, 5, Enter { region: RegionRef(99) });
    let written = trace.write();
    let line = format!("{} check {}", kymo(), written.anchor().display());
    let shown = |variables: &[(&str, &str)]| {
        let mut command = kymo_testdata::program("script");
        command.args(["-qec", &line, "/dev/null"]).env_remove("NO_COLOR").env("TERM", "xterm");
        let output = command.envs(variables.iter().copied()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let coloured = shown(&[]);
    assert!(coloured.contains("\x1b[1;31mERROR\x1b[0m "), "{coloured:?}");
    for variables in [("NO_COLOR", "1"), ("TERM", "dumb")] {
        let plain = shown(&[variables]);
        assert!(plain.contains("ERROR ") && !plain.contains("\x1b[1"), "{plain:?}");
    }
}
