//! Shared helpers: locate the sample archives and decode an archive into records.

#![allow(dead_code, unreachable_pub)]

pub mod calls;
pub mod dump;
pub mod program;
pub mod reencode;
pub mod wire;

use kymo_otf2::{Anchor, FileName, Storage, read, storage::Directory};
use std::path::{Path, PathBuf};

/// Returns the folder with this package's archive of all records.
pub fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// Returns the folders of the archives of all sets.
pub fn recorded_archives() -> Vec<PathBuf> {
    let sets = ["otf2-samples", "otf2-real", "scorep-recordings", "scorep-recordings-7.1"];
    let cases = sets.iter().flat_map(|set| kymo_testdata::cases(set));
    cases.filter(|case| anchor_name(case).is_some() && is_readable(case)).collect()
}

/// Returns whether this build reads an archive: compressed ones require the feature `zlib`.
fn is_readable(folder: &Path) -> bool {
    cfg!(feature = "zlib") || !Archive::open(folder).zlib
}

/// Returns the folders of [`recorded_archives`] and of the archives of this package.
pub fn all_archives() -> Vec<PathBuf> {
    [archives(&own()), recorded_archives()].concat()
}

/// Returns the subfolders of a folder that contain an anchor file, sorted.
pub fn archives(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir() && anchor_name(path).is_some())
        .collect();
    found.sort();
    found
}

/// Returns the name of the archive in a folder.
pub fn anchor_name(folder: &Path) -> Option<String> {
    let entries = std::fs::read_dir(folder).ok()?;
    let anchors = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "otf2"));
    let mut names: Vec<_> =
        anchors.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    names.into_iter().next()
}

/// An archive on disk.
pub struct Archive {
    pub folder: PathBuf,
    pub storage: Directory,
    /// The files in the order of the golden dumps.
    pub files: Vec<FileName>,
    pub anchor_bytes: Vec<u8>,
    zlib: bool,
}

impl Archive {
    pub fn open(folder: &Path) -> Archive {
        let name = anchor_name(folder).expect("an anchor file");
        let storage = Directory::open_named(folder, &name).unwrap();
        let anchor_bytes = storage.read(FileName::Anchor).unwrap();
        let zlib = anchor(&anchor_bytes).compression == kymo_otf2::enums::Compression::ZLIB;
        let files = files(folder, &name);
        Archive { folder: folder.to_owned(), storage, files, anchor_bytes, zlib }
    }

    pub fn anchor(&self) -> Anchor<'_> {
        anchor(&self.anchor_bytes)
    }

    /// Returns the bytes of a file, inflated if the archive is compressed.
    pub fn bytes(&self, file: FileName) -> Vec<u8> {
        let bytes = self.storage.read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let chunked = !matches!(file, FileName::Markers | FileName::Thumbnail(_) | FileName::Anchor);
        if self.zlib && chunked { inflate(&bytes) } else { bytes }
    }

    pub fn locations(&self) -> Vec<u64> {
        let mut locations: Vec<u64> = self.files.iter().filter_map(|file| file.location()).collect();
        locations.sort();
        locations.dedup();
        locations
    }
}

fn anchor(bytes: &[u8]) -> Anchor<'_> {
    read::anchor(bytes).unwrap_or_else(|error| panic!("{error}"))
}

fn files(folder: &Path, name: &str) -> Vec<FileName> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let Some(rest) = file.strip_prefix(name) else { continue };
        match rest.split('.').collect::<Vec<_>>()[..] {
            ["", "def"] => files.push(FileName::GlobalDefinitions),
            ["", "marker"] => files.push(FileName::Markers),
            ["", number, "thumb"] => files.push(FileName::Thumbnail(number.parse().unwrap())),
            _ => {}
        }
    }
    for entry in std::fs::read_dir(folder.join(name)).into_iter().flatten() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        match file.split_once('.') {
            Some((location, "def")) => files.push(FileName::LocalDefinitions(location.parse().unwrap())),
            Some((location, "evt")) => files.push(FileName::Events(location.parse().unwrap())),
            Some((location, "snap")) => files.push(FileName::Snapshots(location.parse().unwrap())),
            _ => panic!("unexpected file {file}"),
        }
    }
    files.sort();
    files
}

/// Inflates the blocks of OTF2 2.2: magic, sizes, an unfinished zlib stream, and garbage up to the
/// uncompressed size.
fn inflate(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    while at < bytes.len() {
        assert_eq!(bytes[at..at + 8], 0xFFFF_FFFFu64.to_le_bytes());
        let (compressed, uncompressed) = (number(at + 8), number(at + 12));
        let data = &bytes[at + 20..(at + 20 + compressed).min(bytes.len())];
        let mut chunk = vec![0; uncompressed];
        let mut inflate = flate2::Decompress::new(true);
        inflate.decompress(data, &mut chunk, flate2::FlushDecompress::Sync).unwrap();
        assert_eq!(inflate.total_out() as usize, uncompressed);
        out.extend_from_slice(&chunk);
        let next = at + 20 + compressed;
        let magic = bytes.get(next..next + 8).is_some_and(|magic| magic == 0xFFFF_FFFFu64.to_le_bytes());
        at = if magic { next } else { at + 20 + uncompressed };
    }
    out
}

/// Returns the content of a text file that may be compressed with xz, or `None` if neither exists.
pub fn text(folder: &Path, name: &str) -> Option<String> {
    if let Ok(text) = std::fs::read_to_string(folder.join(name)) {
        return Some(text);
    }
    let compressed = std::fs::read(folder.join(format!("{name}.xz"))).ok()?;
    let mut text = Vec::new();
    lzma_rs::xz_decompress(&mut &compressed[..], &mut text).unwrap();
    Some(String::from_utf8(text).unwrap())
}
