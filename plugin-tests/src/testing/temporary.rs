//! Folders for the output of a test.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// An empty folder that is removed when dropped, unless the test panics.
#[derive(Debug)]
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// Creates a folder for this test.
    pub fn new(test: &str) -> Self {
        Self::below(&std::env::temp_dir(), test)
    }

    /// Creates a folder in memory, where storage is never slow: for tests whose intervals assume
    /// storage that keeps up, and for scratch files of programs that do not end regularly
    /// (`SCOREP_SUBSTRATE_KYMO_SCRATCH`).
    #[track_caller]
    pub fn in_memory(test: &str) -> Self {
        kymo_testdata::require_shared_memory();
        Self::below(Path::new("/dev/shm"), test)
    }

    fn below(folder: &Path, test: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("kymo-{test}-{}-{number}", std::process::id());
        let path = folder.join(name);
        fs::create_dir_all(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self(path)
    }
}

impl Deref for TemporaryFolder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the test's files are in {}", self.0.display());
        } else {
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}
