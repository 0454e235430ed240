//! Runs the fuzz targets on the corpus and on all earlier findings.

use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testing/fuzz").join(name)
}

/// Returns the committed inputs. Folders in `corpus` contain the inputs that cargo-fuzz found on
/// this machine.
fn inputs() -> Vec<(PathBuf, Vec<u8>)> {
    let mut inputs = Vec::new();
    for name in ["corpus", "regressions"] {
        let entries = std::fs::read_dir(folder(name)).unwrap();
        let files = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
        inputs.extend(files.map(|path| {
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
    check(kymo_otf2_testing::anything);
}

#[test]
fn reads_may_be_split_anywhere() {
    check(kymo_otf2_testing::cuts);
}

#[test]
fn records_survive_a_round_trip() {
    check(kymo_otf2_testing::round_trip);
}

/// If the variable `KYMO_UPDATE_CORPUS` is set, the seeds are written again.
#[test]
fn the_corpus_has_the_seeds() {
    let every_record = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/every-record");
    for (name, bytes) in kymo_otf2_testing::seeds::seeds(&every_record) {
        let path = folder("corpus").join(name);
        if std::env::var_os("KYMO_UPDATE_CORPUS").is_some() {
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(std::fs::read(&path).unwrap() == bytes, "{name}: KYMO_UPDATE_CORPUS=1 writes it again");
        let read = kymo_otf2_testing::files::Files::parse(&bytes);
        let anchor = read.length(kymo_otf2::FileName::Anchor);
        assert!(anchor > 60, "{name}: an anchor of {anchor} bytes");
    }
}
