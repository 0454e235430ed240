//! The same random sequences of calls with libotf2 and with our library: same codes, same
//! callbacks, same files.
//!
//! `drive.c` makes the calls; one program is run with both libraries. If libotf2 crashes, the
//! sequence is compared up to there. `KYMO_LONG=1` runs thousands of sequences, from the seed in
//! `KYMO_SEED`, and prints their number from time to time.

mod records;

use crate::common::{compile_for_both, compile_with, header, names, run};
use kymo_testdata::{anchors, cases};
use std::collections::BTreeMap;
use std::env;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

struct Driver {
    program: PathBuf,
    _folder: TempDir,
}

/// Compiles the driver against libotf2. Returns `None` without libotf2, which CI must have.
fn driver() -> Option<&'static Driver> {
    static DRIVER: OnceLock<Option<Driver>> = OnceLock::new();
    let make = || {
        let folder = folder(records::OF_LIBOTF2);
        let program = compile_for_both(&source(), folder.path())?;
        Some(Driver { program, _folder: folder })
    };
    DRIVER.get_or_init(make).as_ref()
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drive/drive.c")
}

/// Returns a folder with the parts of the driver for records, with the events up to this id.
fn folder(last_event: u8) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    header(folder.path(), "records.h", &records::text(last_event));
    folder
}

impl Driver {
    fn run(&self, is_ours: bool, arguments: &[&str], folder: &Path) -> Output {
        let mut command = Command::new("timeout");
        command.arg("300").arg(&self.program).args(arguments).current_dir(folder);
        if is_ours {
            command.env("LD_LIBRARY_PATH", names());
        }
        command.output().expect("the driver")
    }
}

/// The seeds of a test: a few, or those of a long run.
pub(crate) fn seeds(few: u64) -> std::ops::Range<u64> {
    let first = env::var("KYMO_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    first..first + if kymo_testdata::is_long() { 100 * few } else { few }
}

/// The calls compared so far.
#[derive(Default)]
struct Tally {
    sequences: u64,
    /// Answers and callbacks.
    lines: usize,
    crashes: u64,
}

impl Tally {
    fn print(&self) {
        let Tally { sequences, lines, crashes } = self;
        eprintln!("{sequences} sequences, {lines} answers and callbacks, libotf2 crashed in {crashes}");
    }

    /// Compares the outputs of both libraries. Returns whether libotf2 crashed.
    fn compare(&mut self, what: &str, theirs: &Output, ours: &Output) -> bool {
        let has_crashed = compare(what, theirs, ours);
        self.sequences += 1;
        self.lines += ours.stdout.iter().filter(|byte| **byte == b'\n').count();
        self.crashes += u64::from(has_crashed);
        if self.sequences.is_multiple_of(500) {
            self.print();
        }
        has_crashed
    }
}

/// Compares the outputs of both libraries. Returns whether libotf2 crashed.
fn compare(what: &str, theirs: &Output, ours: &Output) -> bool {
    let has_crashed = theirs.status.signal().is_some() || theirs.status.code() == Some(124 + 10);
    let is_aborted = matches!(theirs.status.code(), Some(134 | 139));
    let [expected, found] = [theirs, ours].map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    assert!(
        ours.status.code() == Some(0),
        "{what}: {}\n{}",
        ours.status,
        String::from_utf8_lossy(&ours.stderr)
    );
    let mut before = "";
    for (number, (expected, found)) in expected.lines().zip(found.lines()).enumerate() {
        if expected != found && !((has_crashed || is_aborted) && number + 1 == expected.lines().count()) {
            panic!("{what}: line {}, after `{before}`:\n  libotf2 {expected}\n  ours    {found}", number + 1);
        }
        before = found;
    }
    if has_crashed || is_aborted {
        return true;
    }
    let [expected, found] = [expected, found].map(|text| text.lines().count());
    assert_eq!(expected, found, "{what}: numbers of lines");
    false
}

/// Returns the contents of all files, of the anchor without its trace id.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = kymo_testdata::files(folder);
    for (path, bytes) in &mut files {
        if path.extension().is_some_and(|extension| extension == "otf2") {
            // The id, the numbers of snapshots and thumbnails, and the end marks.
            let end = bytes.len() - 3 - 8;
            bytes[end - 8..end].fill(0);
            // The version of the library.
            bytes[9..12].fill(0);
        }
    }
    files
}

fn compare_files(what: &str, theirs: &Path, ours: &Path) {
    let (theirs, ours) = (files(theirs), files(ours));
    assert_eq!(theirs.keys().collect::<Vec<_>>(), ours.keys().collect::<Vec<_>>(), "{what}: files");
    for (path, expected) in &theirs {
        let found = &ours[path];
        if expected != found {
            let at = expected.iter().zip(found).position(|(a, b)| a != b);
            let at = at.unwrap_or_else(|| expected.len().min(found.len()));
            let (lengths, name) = ((expected.len(), found.len()), path.display());
            panic!("{what}: {name} differs from byte {at} on; lengths {lengths:?}");
        }
    }
}

#[test]
fn the_same_calls_write_the_same_files() {
    let Some(driver) = driver() else { return };
    let mut tally = Tally::default();
    for seed in seeds(8) {
        let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let seed = seed.to_string();
        let what = format!("drive write {seed}");
        let theirs = driver.run(false, &["write", &seed], folders[0].path());
        let ours = driver.run(true, &["write", &seed], folders[1].path());
        if !tally.compare(&what, &theirs, &ours) {
            compare_files(&what, folders[0].path(), folders[1].path());
        }
    }
    tally.print();
}

#[test]
fn the_same_calls_read_the_same_records() {
    let Some(driver) = driver() else { return };
    let mut tally = Tally::default();
    for seed in seeds(8) {
        let folder = tempfile::tempdir().expect("a folder");
        driver.run(false, &["make", &seed.to_string()], folder.path());
        read(driver, "read-made", seed, &folder.path().join("traces.otf2"), &mut tally);
    }
    tally.print();
}

#[test]
fn archives_of_other_programs_are_read_alike() {
    let Some(driver) = driver() else { return };
    let sets = ["otf2-samples", "otf2-real", "scorep-recordings"];
    let cases = sets.into_iter().flat_map(cases).filter(|case| !case.to_string_lossy().contains("zlib"));
    let mut tally = Tally::default();
    for anchor in cases.flat_map(|case| anchors(&case)) {
        for seed in seeds(1) {
            read(driver, "read", seed, &anchor, &mut tally);
        }
    }
    tally.print();
}

fn read(driver: &Driver, mode: &str, seed: u64, anchor: &Path, tally: &mut Tally) {
    let folder = tempfile::tempdir().expect("a folder");
    let (seed, anchor) = (seed.to_string(), anchor.to_str().expect("a name in UTF-8"));
    let arguments = [mode, &seed, anchor];
    let theirs = driver.run(false, &arguments, folder.path());
    let ours = driver.run(true, &arguments, folder.path());
    tally.compare(&format!("drive {mode} {seed} {anchor}"), &theirs, &ours);
}

#[test]
fn lists_and_maps_answer_alike() {
    let Some(driver) = driver() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let mut tally = Tally::default();
    for seed in seeds(30) {
        let seed = seed.to_string();
        let theirs = driver.run(false, &["objects", &seed], folder.path());
        let ours = driver.run(true, &["objects", &seed], folder.path());
        assert!(!tally.compare(&format!("drive objects {seed}"), &theirs, &ours), "libotf2 crashed");
    }
    tally.print();
}

#[test]
fn damaged_archives_are_read_to_an_end() {
    let folder = folder(u8::MAX);
    let program = compile_with(&source(), folder.path(), &[]);
    let samples = cases("otf2-samples");
    assert!(samples.len() >= 20, "{} archives", samples.len());
    for anchor in samples.iter().flat_map(|case| anchors(case)) {
        let anchor = anchor.to_str().expect("a name in UTF-8");
        for seed in seeds(1) {
            run(&program, &["damage", &seed.to_string(), anchor, "50"]);
        }
    }
}
