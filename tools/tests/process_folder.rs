//! Folders that belong to a test process. Each test can be a process of its own, and none runs code
//! at its end: the next process removes what ended ones have left.

use std::fs;
use std::path::{Path, PathBuf};

/// Creates a folder for this process and removes those of processes that have ended.
pub(crate) fn process_folder(name: &str) -> PathBuf {
    let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let own = std::process::id().to_string();
    for entry in fs::read_dir(&all).into_iter().flatten().flatten() {
        let process = entry.file_name();
        // A folder with the own number is that of an earlier process.
        if process.to_str() == Some(&own) || !Path::new("/proc").join(process).exists() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    let folder = all.join(own);
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    folder
}
