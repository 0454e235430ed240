//! A storage in a folder and one in memory must produce the same files.

use kymo_otf2::FileName;
use kymo_otf2::storage::{Directory, Memory, Storage};
use std::io::IoSlice;

#[test]
fn parts_written_together_are_contiguous() {
    let folder = tempfile::tempdir().unwrap();
    let (directory, memory) = (Directory::open(folder.path()).unwrap(), Memory::new());
    let storages: [&dyn Storage; 2] = [&directory, &memory];
    let file = FileName::Events(3);
    let large = vec![7; 100_000];
    let files = storages.map(|storage| {
        storage.create().unwrap();
        let mut parts = [&b"ab"[..], b"", &large, b"c"].map(IoSlice::new);
        storage.write_all_at(file, 2, &mut parts).unwrap();
        storage.write_all_at(file, 4, &mut [IoSlice::new(b"X")]).unwrap();
        storage.write_all_at(file, 0, &mut []).unwrap();
        storage.read(file).unwrap()
    });
    assert_eq!(files[0], [&b"\0\0abX"[..], &large[1..], b"c"].concat());
    assert!(files[0] == files[1]);
}
