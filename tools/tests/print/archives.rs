//! Where archives are, and the texts that were recorded of them.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The archives of the repository: real ones, and one of all records.
pub(crate) fn own() -> Vec<PathBuf> {
    let mut found = anchors(&checkout().join("plugin-tests/data"));
    found.extend(anchors(&checkout().join("src/otf2/tests/data")));
    found
}

/// The archives of a folder that lies beside the checkout; none if it is missing, which is an error where `CI` is set.
pub(crate) fn shared(folder: &str) -> Vec<PathBuf> {
    let folder = checkout().join("../shared/data").join(folder);
    if folder.is_dir() {
        return anchors(&folder);
    }
    assert!(std::env::var_os("CI").is_none(), "{} is missing", folder.display());
    eprintln!("{} is missing: its archives are not tested", folder.display());
    Vec::new()
}

/// The anchor file of an archive of the shared samples.
pub(crate) fn sample(name: &str) -> Option<PathBuf> {
    shared("otf2-samples")
        .into_iter()
        .find(|anchor| anchor.parent().is_some_and(|folder| folder.ends_with(name)))
}

/// All anchor files below a folder, sorted.
fn anchors(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.unwrap().path();
        match path.extension() {
            _ if path.is_dir() => found.extend(anchors(&path)),
            Some(extension) if extension == "otf2" => found.push(path),
            _ => {}
        }
    }
    found.sort();
    found
}

/// A text that lies beside an anchor file, perhaps compressed.
pub(crate) fn recorded(anchor: &Path, name: &str) -> Option<Vec<u8>> {
    let path = |suffix: &str| anchor.with_file_name(format!("{name}{suffix}"));
    if let Ok(text) = fs::read(path("")) {
        return Some(text);
    }
    let mut text = Vec::new();
    if let Ok(compressed) = fs::read(path(".xz")) {
        lzma_rs::xz_decompress(&mut &compressed[..], &mut text).unwrap();
        return Some(text);
    }
    let compressed = fs::read(path(".gz")).ok()?;
    flate2::read::MultiGzDecoder::new(&compressed[..]).read_to_end(&mut text).unwrap();
    Some(text)
}
