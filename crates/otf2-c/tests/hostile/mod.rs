//! Calls with arguments that no program should pass: our library answers with an error, and as
//! libotf2 does where that survives. Archives with damaged files are read to an end.
//!
//! `KYMO_LONG=1` makes a hundred times as many calls, from the seed in `KYMO_SEED`.

pub(crate) mod functions;

use crate::common::{compile_for_both, compile_with, header, names, run};
use crate::drive::seeds;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Functions whose answers differ on purpose, see docs/reference/otf2-library.md, or because
/// Debian's library is of 3.0: types of thumbnails were added in 3.1.
const DIFFERENT: [&str; 4] = [
    "OTF2_Archive_GetThumbWriter",
    "OTF2_Reader_GetThumbReader",
    "OTF2_EvtReader_ReadEventsBackward",
    "OTF2_Reader_ReadLocalEventsBackward",
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/hostile.c")
}

/// Returns a folder with the calls of all functions, or of those that Debian's library has.
fn folder(has_newer: bool) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    header(folder.path(), "functions.h", &functions::text(has_newer));
    folder
}

#[test]
fn every_call_returns_whatever_its_arguments_are() {
    let folder = folder(true);
    let program = compile_with(&source(), folder.path(), &[]);
    let mut called = BTreeMap::new();
    for seed in seeds(10) {
        let output = run(&program, &["sequence", &seed.to_string(), "4000"]);
        assert!(output.ends_with("done\n"), "seed {seed}");
        for line in output.lines().filter_map(|line| line.split_once(" = ")) {
            *called.entry(line.0.to_owned()).or_insert(0_u32) += u32::from(line.1.starts_with("0,"));
        }
    }
    // The calls reach the functions that they are for.
    let reached = called.values().filter(|succeeded| **succeeded > 0).count();
    assert!(called.len() > 800 && reached > 600, "{} functions, {reached} succeeded", called.len());
}

/// Returns the answer of each call.
fn answers(program: &Path, library: Option<&Path>, seed: u64) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new("timeout");
    command.arg("300").arg(program).args(["each", &seed.to_string(), "2000"]).current_dir(folder.path());
    library.map(|library| command.env("LD_LIBRARY_PATH", library));
    let output = command.output().expect("the program");
    assert!(output.status.success(), "{command:?}: {}", output.status);
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn wrong_arguments_are_answered_as_by_libotf2() {
    let folder = folder(false);
    let Some(program) = compile_for_both(&source(), folder.path()) else { return };
    let (mut crashes, mut compared) = (0, 0);
    for seed in seeds(2) {
        let ours = answers(&program, Some(names()), seed);
        let theirs = answers(&program, None, seed);
        assert_eq!((ours.len(), theirs.len()), (2000, 2000));
        for (number, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            let name = ours.split(' ').next().unwrap_or_default();
            assert!(!ours.contains("ended with"), "seed {seed}, call {number}: {ours}");
            match theirs.contains("ended with") {
                true => crashes += 1,
                false if DIFFERENT.contains(&name) => {}
                false => {
                    assert_eq!(ours, theirs, "seed {seed}, call {number}");
                    compared += 1;
                }
            }
        }
    }
    eprintln!("{compared} calls answered alike; libotf2 ended in {crashes} others");
}
