//! `kymo seal`, and the use of a seal by `kymo check` and `kymo recover`.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::check_common::world::world;
use crate::check_common::{check, kymo};
use kymo_otf2::events::{Enter, Leave};
use kymo_otf2::references::RegionRef;
use tempfile::TempDir;

/// A sealed copy of an archive with every record.
struct Sealed(TempDir);

impl Sealed {
    fn new() -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/otf2/tests/data/every-record/.");
        let folder = TempDir::new().unwrap();
        let copied = Command::new("cp").arg("-r").args([&source, folder.path()]).status().unwrap();
        assert!(copied.success());
        let sealed = Self(folder);
        let output = sealed.run(&["seal", "traces.otf2"]);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "./traces.seal\n");
        sealed
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        kymo().args(arguments).current_dir(self.0.path()).output().unwrap()
    }

    /// Returns the kinds of findings about the seal.
    fn findings(&self) -> BTreeSet<String> {
        let report = check(&self.path("traces.otf2"), &[]);
        let kinds = report.summary["kinds"].as_object().expect("kinds").clone();
        kinds.into_iter().map(|(kind, _)| kind).filter(|kind| kind.contains("seal")).collect()
    }

    fn files(&self) -> Vec<String> {
        let mut files: Vec<String> =
            ["traces.otf2", "traces.def", "traces.marker"].map(str::to_owned).to_vec();
        for entry in fs::read_dir(self.path("traces")).unwrap() {
            files.push(format!("traces/{}", entry.unwrap().file_name().into_string().unwrap()));
        }
        files.retain(|file| self.path(file).is_file());
        files.sort();
        files
    }
}

fn kinds(of: &[&str]) -> BTreeSet<String> {
    of.iter().map(|&kind| kind.to_owned()).collect()
}

#[test]
fn every_changed_byte_of_every_file_is_located() {
    let sealed = Sealed::new();
    assert_eq!(sealed.findings(), kinds(&[]));
    let mut tried = 0;
    for file in sealed.files() {
        let path = sealed.path(&file);
        let original = fs::read(&path).unwrap();
        let step = 1 + original.len() / 40;
        for at in (0..original.len()).step_by(step) {
            let mut bytes = original.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::write(&path, &bytes).unwrap();
            let report = check(&sealed.path("traces.otf2"), &[]);
            let text = format!("{report:?}");
            let is_anchor = file == "traces.otf2" && text.contains("bad-anchor");
            assert!(is_anchor || text.contains("seal-block"), "{file}, byte {at}: {text}");
            assert_ne!(report.status, 0);
            tried += 1;
        }
        fs::write(&path, &original).unwrap();
    }
    assert!(tried > 200, "{tried}");
    assert_eq!(sealed.findings(), kinds(&[]));
}

#[test]
fn longer_shorter_missing_and_new_files_are_reported() {
    let sealed = Sealed::new();
    for file in sealed.files().into_iter().filter(|file| file != "traces.otf2") {
        let path = sealed.path(&file);
        let original = fs::read(&path).unwrap();
        File::options().append(true).open(&path).unwrap().write_all(&[0]).unwrap();
        assert!(sealed.findings().contains("seal-length"), "{file} is longer");
        fs::write(&path, &original[..original.len() - 1]).unwrap();
        assert!(sealed.findings().contains("seal-length"), "{file} is shorter");
        fs::remove_file(&path).unwrap();
        assert_eq!(sealed.findings(), kinds(&["seal-missing-file"]), "{file}");
        fs::write(&path, &original).unwrap();
    }
    fs::copy(sealed.path("traces.def"), sealed.path("traces.7.thumb")).unwrap();
    assert_eq!(sealed.findings(), kinds(&["seal-extra-file"]));
}

#[test]
fn the_damaged_block_is_named() {
    let sealed = Sealed::new();
    let path = sealed.path("traces.marker");
    // Only the seal covers the bytes after the end.
    let block = 65536;
    fs::write(&path, vec![7; 3 * block]).unwrap();
    assert!(sealed.run(&["seal", "--renew", "traces.otf2"]).status.success());
    let mut bytes = fs::read(&path).unwrap();
    bytes[2 * block + 5] ^= 0x80;
    fs::write(&path, bytes).unwrap();
    let report = check(&sealed.path("traces.otf2"), &[]);
    let text = format!("{report:?}");
    assert!(text.contains("these 65536 bytes differ from those that were sealed"), "{text}");
    let output = sealed.run(&["check", "traces.otf2"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("./traces.marker: byte 131072: these 65536 bytes"), "{text}");
}

#[test]
fn a_file_changed_after_sealing_is_reported() {
    let sealed = Sealed::new();
    let path = sealed.path("traces.def");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let later = fs::metadata(sealed.path("traces.seal")).unwrap().modified().unwrap()
        + std::time::Duration::from_secs(60);
    File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
    let output = sealed.run(&["check", "traces.otf2"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("the file was written to after it was sealed"), "{text}");
}

#[test]
fn a_seal_is_replaced_only_on_request() {
    let sealed = Sealed::new();
    let before = fs::read(sealed.path("traces.seal")).unwrap();
    let output = sealed.run(&["seal", "."]);
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(stderr, "kymo: ./traces.seal: already exists (--renew replaces it)\n");
    fs::remove_file(sealed.path("traces.marker")).unwrap();
    assert_eq!(fs::read(sealed.path("traces.seal")).unwrap(), before);
    assert!(sealed.run(&["seal", "--renew", "."]).status.success());
    assert_eq!(sealed.findings(), kinds(&[]));
    assert_ne!(fs::read(sealed.path("traces.seal")).unwrap(), before);
}

#[test]
fn a_broken_archive_is_not_sealed() {
    let outer = TempDir::new().unwrap();
    let folder = outer.path().join("inner");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("a.otf2"), "nothing").unwrap();
    fs::write(folder.join("a.txt"), "nothing").unwrap();
    for (name, status) in [("a.otf2", 1), ("b.otf2", 4), ("a.txt", 2), (".", 1), ("..", 4)] {
        let output = kymo().args(["seal", name]).current_dir(&folder).output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{name}: {output:?}");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
}

#[test]
fn a_pipe_in_place_of_a_seal_is_an_error() {
    let sealed = Sealed::new();
    fs::remove_file(sealed.path("traces.seal")).unwrap();
    assert!(Command::new("mkfifo").arg(sealed.path("traces.seal")).status().unwrap().success());
    let output = sealed.run(&["check", "traces.otf2"]);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("traces.seal: not a regular file"));
}

#[test]
fn recover_reports_changes_since_sealing() {
    let mut trace = world();
    trace.event(0, 10, Enter { region: RegionRef(1) });
    trace.event(0, 20, Leave { region: RegionRef(1) });
    let written = trace.write();
    let archive = written.anchor().parent().unwrap().to_owned();
    let elsewhere = TempDir::new().unwrap();
    let out = elsewhere.path().join("out");
    let recover = || kymo().arg("recover").arg(&archive).arg("-o").arg(&out).output().unwrap();
    assert!(kymo().arg("seal").arg(&archive).status().unwrap().success());
    let output = recover();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(out.join("traces.seal").is_file());
    assert_eq!(check(&out.join("traces.otf2"), &[]).status, 0);
    fs::remove_dir_all(&out).unwrap();
    // The time of an event, which may have any value.
    let path = archive.join("traces/0.evt");
    let mut bytes = fs::read(&path).unwrap();
    bytes[19] += 1;
    fs::write(&path, bytes).unwrap();
    let output = recover();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("differ from those that were sealed"),
        "{output:?}"
    );
    assert!(!out.join("traces.seal").exists());
}
