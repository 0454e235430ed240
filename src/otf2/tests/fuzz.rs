//! Runs the fuzz targets on the corpus and on all earlier findings.

use crate::targets;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(name)
}

fn inputs() -> Vec<(PathBuf, Vec<u8>)> {
    let mut inputs = Vec::new();
    for name in ["corpus", "regressions"] {
        let entries = std::fs::read_dir(folder(name)).unwrap();
        inputs.extend(entries.map(|entry| entry.unwrap().path()).map(|path| {
            let bytes = std::fs::read(&path).unwrap();
            (path, bytes)
        }));
    }
    assert!(inputs.len() > 8);
    inputs.sort();
    inputs
}

fn check(target: fn(&[u8])) {
    for (path, bytes) in inputs() {
        eprintln!("{}", path.display());
        target(&bytes);
    }
}

#[test]
fn any_input_is_read_to_its_end_or_to_an_error() {
    check(targets::anything);
}

#[test]
fn reads_may_be_split_anywhere() {
    check(targets::cuts);
}

#[test]
fn records_survive_a_round_trip() {
    check(targets::round_trip);
}

#[test]
fn the_corpus_has_the_seeds() {
    let every_record = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/every-record");
    for (name, bytes) in targets::seeds::seeds(&every_record) {
        let found = std::fs::read(folder("corpus").join(name)).unwrap();
        assert!(found == bytes, "{name}: run `cargo run --manifest-path fuzz/Cargo.toml --example seeds`");
        let read = targets::files::Files::parse(&bytes);
        let anchor = read.length(kymo_otf2::FileName::Anchor);
        assert!(anchor > 60, "{name}: an anchor of {anchor} bytes");
    }
}
