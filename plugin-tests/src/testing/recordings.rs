//! Recordings for tests.

use std::path::PathBuf;

/// A recording, and the trace that the built-in tracing wrote in the same run.
#[derive(Clone, Debug)]
pub struct RecordingFolder {
    /// The name of the case.
    pub name: String,
    /// The folder of the recording.
    pub path: PathBuf,
}

impl RecordingFolder {
    /// Returns the path of the calls of rank 0.
    pub fn calls(&self) -> PathBuf {
        self.path.join("rank0.jsonl.gz")
    }

    /// Returns the path of the output of `otf2-print -A` for the reference trace, compressed.
    pub fn reference_text(&self) -> PathBuf {
        self.path.join("otf2-print.txt.gz")
    }

    /// Returns the path of the reference trace, if it exists.
    pub fn reference(&self) -> Option<PathBuf> {
        Some(self.path.join("traces.otf2")).filter(|path| path.exists())
    }
}

/// Returns all single-rank recordings of Score-P 8.4.
pub fn recordings() -> Vec<RecordingFolder> {
    single_rank("scorep-recordings", 8)
}

/// Returns three short recordings: of user regions, of OpenMP, and of POSIX threads.
pub fn short_recordings() -> Vec<RecordingFolder> {
    let is_short = |it: &RecordingFolder| ["user", "omp-rusage", "threads"].contains(&&*it.name);
    let short: Vec<_> = recordings().into_iter().filter(is_short).collect();
    assert_eq!(short.len(), 3, "{short:?}");
    short
}

/// Returns the single-rank recordings of Score-P 7.1.
pub fn recordings_of_7_1() -> Vec<RecordingFolder> {
    single_rank("scorep-recordings-7.1", 2)
}

fn single_rank(set: &str, at_least: usize) -> Vec<RecordingFolder> {
    let has_one = |path: &PathBuf| crate::replay::Recording::ranks(path).is_ok_and(|ranks| ranks == [0]);
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let cases = kymo_testdata::cases(set).into_iter().filter(has_one);
    let found: Vec<_> = cases.map(|path| RecordingFolder { name: name(&path), path }).collect();
    assert!(found.len() >= at_least, "{set} has {} recordings of one rank", found.len());
    found
}
