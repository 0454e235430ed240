//! The paths of archives, and the texts recorded for them.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The archive with every record, which belongs to the package of the format.
pub(crate) fn every_record() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/otf2/tests/data/every-record/traces.otf2")
}

/// The archives of a set.
pub(crate) fn archives(set: &str) -> Vec<PathBuf> {
    kymo_testdata::cases(set).iter().flat_map(|case| kymo_testdata::anchors(case)).collect()
}

/// The anchor file of a sample.
pub(crate) fn sample(name: &str) -> PathBuf {
    kymo_testdata::own(&format!("otf2-samples/{name}/t.otf2"))
}

/// Returns a text next to an anchor file, which may be compressed.
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
