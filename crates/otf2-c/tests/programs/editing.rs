//! otf2-snapshots, otf2-marker and otf2-estimator.

use super::{Answer, archives, copied, with_ours};
use kymo_testdata::{is_installed, part_of};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns a part of the archives that libotf2 can open; Debian's cannot decompress.
fn readable() -> Vec<PathBuf> {
    let opens = |anchor: &PathBuf| Answer::from(Command::new("otf2-print").arg("-I").arg(anchor)).status == 0;
    part_of(archives(), 4).filter(opens).collect()
}

/// Runs a program with a copy of the archive for each library. Both must answer the same and leave
/// the same files.
fn same_files(program: &str, anchor: &Path, runs: &[&[&str]]) {
    let folder = tempfile::tempdir().expect("a folder");
    let (theirs, ours) = (folder.path().join("1"), folder.path().join("2"));
    let anchors = [copied(anchor, &theirs), copied(anchor, &ours)];
    for arguments in runs {
        let run = |anchor| {
            let mut command = Command::new(program);
            command.args(*arguments).arg(anchor);
            command
        };
        let answers = [Answer::from(&mut run(&anchors[0])), Answer::from(&mut with_ours(&run(&anchors[1])))];
        let [first, mut second] = answers;
        // Messages name the archive.
        let names = anchors.each_ref().map(|anchor| anchor.display().to_string());
        second.output = second.output.replace(&names[1], &names[0]);
        assert_eq!(first, second, "{program} {arguments:?} {}", anchor.display());
    }
    let (theirs, ours) = (kymo_testdata::files(&theirs), kymo_testdata::files(&ours));
    for ((name, expected), (other, found)) in theirs.iter().zip(&ours) {
        assert_eq!(name, other, "{program}");
        // An anchor file that is written again gets another trace id and the library's version.
        if name == anchors[0].file_name().expect("a name") {
            assert_eq!(expected.len(), found.len());
            continue;
        }
        assert!(expected == found, "{program} {runs:?} {}: {} differs", anchor.display(), name.display());
    }
    assert_eq!(theirs.len(), ours.len(), "{program}");
}

#[test]
fn otf2_snapshots_adds_the_same_snapshots() {
    if is_installed("otf2-snapshots") {
        for anchor in readable() {
            for arguments in [&["-n", "5"][..], &["-n", "1"], &["-n", "3", "--progress"]] {
                same_files("otf2-snapshots", &anchor, &[arguments]);
            }
        }
    }
}

#[test]
fn otf2_marker_edits_the_same_marker_file() {
    if !is_installed("otf2-marker") {
        return;
    }
    let runs: [&[&str]; 12] = [
        &["--add-def", "performance", "slow", "HIGH"],
        &["--add-def", "performance", "fast", "LOW"],
        &["--add-def", "other", "näme with blanks", "NONE"],
        &["--add", "performance", "slow", "0", "GLOBAL", "text"],
        &["--add", "performance", "slow", "0+0", "LOCATION:0", "more \"text\""],
        &["--add", "performance", "missing", "0", "GLOBAL", "text"],
        &["--defs-only"],
        &[],
        &["--def", "performance", "slow"],
        &["--clear-def", "performance", "slow"],
        &["--remove-def", "other"],
        &[],
    ];
    for anchor in readable() {
        same_files("otf2-marker", &anchor, &runs);
        same_files("otf2-marker", &anchor, &[&["--reset"], &[]]);
    }
}

#[test]
fn otf2_estimator_answers_the_same() {
    if !is_installed("otf2-estimator") {
        return;
    }
    let script = "list definitions\nlist events\nlist types\nset Region 4\nset Metric 1\nset Location 70000\n\
                  get DefChunkSize\nget Timestamp\nget Enter\nget Metric  4\nget AttributeList UINT8 STRING\n\
                  set Nothing 1\nget Nothing\nset Region\nget Metric\nbad\n\nget Leave\nexit\n";
    let answer = |command: &mut Command| {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it");
        // It may end before it has read everything.
        let _ = child.stdin.take().expect("a pipe").write_all(script.as_bytes());
        Answer::of(&child.wait_with_output().expect("an end"))
    };
    let mut command = Command::new("otf2-estimator");
    let theirs = answer(&mut command);
    assert!(theirs.output.contains("Enter 3"), "{theirs:?}");
    assert_eq!(theirs, answer(&mut with_ours(&command)));
}
