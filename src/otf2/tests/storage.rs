//! The storage in a directory.

use kymo_otf2::storage::{Directory, Memory};
use kymo_otf2::{FileName, Storage};

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

#[test]
fn files_lie_where_the_format_says() {
    let folder = tempfile::tempdir().unwrap();
    let directory = Directory::make(&folder.path().join("a/b"), "traces").unwrap();
    directory.create().unwrap();
    let files = [
        (FileName::Anchor, "traces.otf2"),
        (FileName::GlobalDefinitions, "traces.def"),
        (FileName::Markers, "traces.marker"),
        (FileName::Thumbnail(12), "traces.12.thumb"),
        (FileName::LocalDefinitions(0), "traces/0.def"),
        (FileName::Events(u64::MAX), "traces/18446744073709551615.evt"),
        (FileName::Snapshots(77), "traces/77.snap"),
    ];
    for (file, path) in files {
        directory.write_at(file, 3, b"abc").unwrap();
        directory.write_at(file, 0, b"xy").unwrap();
        let content = std::fs::read(folder.path().join("a/b").join(path)).unwrap();
        assert_eq!(content, b"xy\0abc");
        assert_eq!(directory.read(file).unwrap(), content);
        directory.set_len(file, 1).unwrap();
        assert_eq!(directory.read(file).unwrap(), b"x");
        assert_eq!(file.to_string(), path);
    }
}

#[test]
fn an_archive_that_exists_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let directory = Directory::open(folder.path()).unwrap();
    directory.create().unwrap();
    let again = directory.create().unwrap_err();
    assert_eq!(again.kind(), std::io::ErrorKind::AlreadyExists);
    let memory = Memory::new();
    memory.create().unwrap();
    assert_eq!(memory.create().unwrap_err().kind(), std::io::ErrorKind::AlreadyExists);
}

#[test]
fn errors_of_the_system_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let directory = Directory::open(folder.path()).unwrap();
    // The folder of the locations is missing.
    let error = directory.write_at(FileName::Events(1), 0, b"x").unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    assert!(Memory::new().write_at(FileName::Events(1), 0, b"x").is_err());
    assert_eq!(directory.read(FileName::Anchor).unwrap_err().kind(), std::io::ErrorKind::NotFound);
    assert!(Directory::open(&folder.path().join("missing")).is_err());
    for name in ["", "a/b", &"x".repeat(256)] {
        assert!(Directory::open_named(folder.path(), name).is_err());
    }
    let longest = Directory::open_named(folder.path(), &"x".repeat(255 - ".4294967295.thumb".len())).unwrap();
    longest.create().unwrap();
    longest.write_at(FileName::Snapshots(u64::MAX), 0, b"x").unwrap();
}

#[test]
fn descriptors_stay_constant() {
    let folder = tempfile::tempdir().unwrap();
    let directory = Directory::open(folder.path()).unwrap();
    directory.create().unwrap();
    directory.write_at(FileName::Events(0), 0, b"x").unwrap();
    let before = descriptors();
    for location in 0..50 {
        directory.write_at(FileName::Events(location), 0, b"x").unwrap();
        directory.set_len(FileName::Events(location), 0).unwrap();
        directory.read(FileName::Events(location)).unwrap();
        assert!(directory.read(FileName::Snapshots(location)).is_err());
    }
    // Other tests of this process may hold some for a moment.
    assert!(descriptors() < before + 20);
}
