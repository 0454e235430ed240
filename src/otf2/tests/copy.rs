//! otf2-print must print the same for archives that were read and rewritten as for the originals.

use crate::common::{self, all_archives};
use kymo_otf2::enums::Compression;
use kymo_otf2::read::Archive;
use kymo_otf2::storage::{Directory, Memory};
use kymo_otf2::{Error, FileName, Storage, copy};
use std::path::Path;
use std::process::{Command, Output};

/// Copies the archive of a folder to another folder under the same name.
fn copied(folder: &Path) -> tempfile::TempDir {
    let name = common::anchor_name(folder).unwrap();
    let archive = Archive::open(folder.join(format!("{name}.otf2"))).unwrap();
    let to = tempfile::tempdir().unwrap();
    let storage = Directory::make(to.path(), &name).unwrap();
    copy(&archive, &storage).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    to
}

/// Runs otf2-print in a folder.
fn otf2_print(folder: &Path, name: &str, options: &[&str]) -> Output {
    let mut command = Command::new("otf2-print");
    command.args(options).arg(format!("{name}.otf2")).current_dir(folder).output().unwrap()
}

fn is_compressed(folder: &Path, name: &str) -> bool {
    let archive = Archive::open(folder.join(format!("{name}.otf2"))).unwrap();
    archive.anchor().compression == Compression::ZLIB
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn otf2_print_prints_copies_identically() {
    if !kymo_testdata::is_installed("otf2-print") {
        return;
    }
    let mut printed = 0;
    for folder in kymo_testdata::part_of(all_archives(), 3) {
        let name = common::anchor_name(&folder).unwrap();
        let copy = copied(&folder);
        for options in [&["-A", "-M", "-C"][..], &["--timestamps=offset", "-I", "-T"]] {
            let outputs = [&folder, &folder, copy.path()].map(|folder| otf2_print(folder, &name, options));
            let [original, again, copied] = outputs;
            let context = format!("{} {options:?}", folder.display());
            if is_compressed(&folder, &name) {
                // otf2-print 3.x cannot read these; the copy is not compressed.
                assert!(!original.status.success() && copied.status.success(), "{context}");
                continue;
            }
            assert_eq!(copied.status, original.status, "{context}");
            let [original, again, copied] = [&original, &again, &copied].map(lines);
            assert_eq!(copied.len(), original.len(), "{context}");
            for (line, expected) in original.iter().enumerate() {
                // otf2-print may print uninitialised memory, so even the original's output varies.
                assert!(
                    copied[line] == *expected || again.get(line) != Some(expected),
                    "{context}: line {line}: {expected}\nfound {}",
                    copied[line]
                );
            }
            // With undefined references otf2-print crashes before it prints anything.
            printed += usize::from(!original.is_empty());
        }
    }
    assert!(printed >= 28, "{printed}");
}

/// Only files that are reachable from the global definitions and the anchor are copied.
#[test]
fn copies_have_the_files_of_the_original() {
    for folder in all_archives() {
        let copy = common::Archive::open(copied(&folder).path());
        let original = common::Archive::open(&folder);
        let name = common::anchor_name(&folder).unwrap();
        let locations = Archive::open(folder.join(format!("{name}.otf2"))).unwrap().locations().unwrap();
        let is_reached =
            |file: &&FileName| file.location().is_none_or(|location| locations.contains(&location));
        let expected: Vec<_> = original.files.iter().filter(is_reached).collect();
        assert_eq!(copy.files.iter().collect::<Vec<_>>(), expected, "{}", folder.display());
    }
}

#[test]
fn a_copy_needs_an_empty_storage_and_stops_at_a_fault() {
    let folder = common::own().join("every-record");
    let archive = Archive::open(folder.join("traces.otf2")).unwrap();
    let memory = Memory::new();
    copy(&archive, &memory).unwrap();
    let again = copy(&archive, &memory).unwrap_err();
    assert!(matches!(again, Error::Io { file: None, .. }), "{again}");
    // The same archive, but with a truncated marker file.
    let cut = tempfile::tempdir().unwrap();
    for file in ["traces.otf2", "traces.def", "traces.marker"] {
        std::fs::copy(folder.join(file), cut.path().join(file)).unwrap();
    }
    std::fs::OpenOptions::new()
        .write(true)
        .open(cut.path().join("traces.marker"))
        .unwrap()
        .set_len(30)
        .unwrap();
    let to = Memory::new();
    let error = copy(&Archive::open(cut.path().join("traces.otf2")).unwrap(), &to).unwrap_err();
    assert_eq!(error.file(), Some(FileName::Markers));
    assert_eq!(to.read(FileName::Anchor).unwrap_err().kind(), std::io::ErrorKind::NotFound);
}
