//! Recordings to test with: those beside the checkout in `../shared`, else the few in `plugin-tests/data`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// A recording, and what the built-in tracing wrote in the same run.
#[derive(Clone, Debug)]
pub struct RecordingFolder {
    /// Name of the case.
    pub name: String,
    /// The folder.
    pub path: PathBuf,
}

impl RecordingFolder {
    /// The calls of rank 0.
    pub fn calls(&self) -> PathBuf {
        self.path.join("rank0.jsonl.gz")
    }

    /// What `otf2-print -A` says of the reference trace, compressed.
    pub fn reference_text(&self) -> PathBuf {
        self.path.join("otf2-print.txt.gz")
    }

    /// The reference trace, if it lies there.
    pub fn reference(&self) -> Option<PathBuf> {
        Some(self.path.join("traces.otf2")).filter(|path| path.exists())
    }
}

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder `shared` beside the checkout. Must be there in CI (variable `CI`); elsewhere its absence is said on stderr.
pub fn shared_dir() -> Option<PathBuf> {
    let shared = package().join("../../shared");
    if shared.join("data/scorep-recordings").is_dir() {
        return Some(shared);
    }
    assert!(env::var_os("CI").is_none(), "{} is missing", shared.display());
    eprintln!("{} is missing: only the recordings of the repository are tested", shared.display());
    None
}

/// All single-rank recordings of Score-P 8.4.
pub fn recordings() -> Vec<RecordingFolder> {
    match shared_dir() {
        Some(shared) => single_rank(&shared.join("data/scorep-recordings"), 8),
        None => own_recordings(),
    }
}

/// The recordings of the repository.
pub fn own_recordings() -> Vec<RecordingFolder> {
    single_rank(&package().join("data/recordings"), 3)
}

/// The single-rank recordings of Score-P 7.1; the repository has none.
pub fn recordings_of_7_1() -> Vec<RecordingFolder> {
    let shared = shared_dir();
    shared.map_or_else(Vec::new, |shared| single_rank(&shared.join("data/scorep-recordings-7.1"), 2))
}

fn single_rank(folder: &Path, at_least: usize) -> Vec<RecordingFolder> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found: Vec<RecordingFolder> = entries
        .map(|entry| entry.expect("an entry of the folder"))
        .filter(|entry| crate::Recording::ranks(&entry.path()).is_ok_and(|ranks| ranks == [0]))
        .map(|entry| RecordingFolder {
            name: entry.file_name().to_string_lossy().into_owned(),
            path: entry.path(),
        })
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(found.len() >= at_least, "{} has {} recordings of one rank", folder.display(), found.len());
    found
}
