//! Runs both programs and compares their output.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs `kymo print`.
pub(crate) fn kymo<S: AsRef<OsStr>>(options: &[S], anchor: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kymo"));
    command.arg("print").args(options).arg(anchor).stdin(Stdio::null());
    command.output().expect("running kymo")
}

/// Runs otf2-print. Returns `None`, and reports it, if it is not installed.
pub(crate) fn reference<S: AsRef<OsStr>>(options: &[S], anchor: &Path) -> Option<Output> {
    if !kymo_testdata::is_installed("otf2-print") {
        return None;
    }
    // It loops forever on some archives.
    let mut command = Command::new("timeout");
    command.args(["300", "otf2-print"]).args(options).arg(anchor).env("TZ", "UTC").stdin(Stdio::null());
    Some(command.output().expect("running timeout"))
}

/// Asserts that both programs print the same and end with the same status.
#[track_caller]
pub(crate) fn same<S: AsRef<OsStr>>(options: &[S], anchor: &Path) {
    let Some(expected) = reference(options, anchor) else { return };
    let ours = kymo(options, anchor);
    let what = format!("{} {:?}", anchor.display(), options.iter().map(AsRef::as_ref).collect::<Vec<_>>());
    same_text(&what, &ours.stdout, &expected.stdout);
    assert_eq!(ours.status.code(), expected.status.code(), "{what}");
}

/// Asserts that the texts are equal, except for uninitialised memory that the reference tool
/// prints, and for thumbnails, which it cannot read.
#[track_caller]
pub(crate) fn same_text(what: &str, ours: &[u8], expected: &[u8]) {
    let [ours, expected] = [ours, expected].map(comparable);
    for (number, lines) in ours.iter().zip(&expected).enumerate().filter(|(_, lines)| lines.0 != lines.1) {
        let expected = with_later_roles(lines.1);
        let [ours, expected] = [without_garbage(lines.0), without_garbage(&expected)];
        let [ours, expected] = [&ours, &expected].map(|line| String::from_utf8_lossy(line));
        assert_eq!(ours, expected, "{what}: line {number}");
    }
    assert_eq!(ours.len(), expected.len(), "{what}: lines");
}

fn comparable(text: &[u8]) -> Vec<&[u8]> {
    let of_thumbnails: [&[u8]; 3] =
        [b"THUMBNAIL_", b"==DEBUG== Reading thumbnail ", b"==DEBUG== Allocating sample array."];
    let is_thumbnail = |line: &&[u8]| of_thumbnails.iter().any(|start| line.starts_with(start));
    text.split(|&byte| byte == b'\n').filter(|line| !is_thumbnail(line)).collect()
}

/// The roles of regions since OTF2 3.1, which the reference tool of 3.0 does not know.
const LATER_ROLES: [(&str, &str); 2] = [("INVALID <39>", "CANCEL"), ("INVALID <40>", "KERNEL")];

/// Names the later roles in a line of the reference tool.
fn with_later_roles(line: &[u8]) -> Vec<u8> {
    let known = LATER_ROLES.iter().find_map(|(number, name)| {
        let role = format!("Role: {number}");
        let (to_it, after) = cut(line, role.as_bytes())?;
        Some([&to_it[..to_it.len() - role.len()], b"Role: ", name.as_bytes(), after].concat())
    });
    known.unwrap_or_else(|| line.to_vec())
}

/// Removes the numbers of values that cannot be shown as their type.
fn without_garbage(line: &[u8]) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = ["UNKNOWN PROPERTY <", "UNKNOWN I/O PROPERTY <", "TYPE MISMATCH <"]
        .iter()
        .filter_map(|mark| cut(rest, mark.as_bytes()))
        .min_by_key(|(before, _)| before.len())
    {
        kept.extend_from_slice(before);
        rest = &after[after.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(after.len())..];
    }
    kept.extend_from_slice(rest);
    kept
}

/// Splits the text after a mark.
fn cut<'t>(text: &'t [u8], mark: &[u8]) -> Option<(&'t [u8], &'t [u8])> {
    let start = text.windows(mark.len()).position(|window| window == mark)?;
    Some(text.split_at(start + mark.len()))
}
