//! Folders and their files. No code runs at the end of a test process: the next one removes the
//! folders of those that have ended.
//!
//! Invariant: two processes never share a folder, so that the same tests can run at the same time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::built::profile_folder;

/// Returns a folder of this process, in the folder of builds. The first call for a name creates it,
/// empty, and removes those of the same name that belong to processes that have ended.
///
/// # Panics
///
/// If the folder cannot be created.
pub fn process_folder(name: &str) -> PathBuf {
    let profile = profile_folder();
    let all = profile.parent().expect("the target folder").join("tmp/processes").join(name);
    let own = std::process::id().to_string();
    let folder = all.join(&own);
    static CREATED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let mut created = CREATED.lock().unwrap_or_else(PoisonError::into_inner);
    if created.contains(&folder) {
        return folder;
    }
    for entry in fs::read_dir(&all).into_iter().flatten().flatten() {
        let process = entry.file_name();
        // A folder with the own number is that of an earlier process.
        if process.to_str() == Some(&own) || !Path::new("/proc").join(process).exists() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    created.insert(folder.clone());
    folder
}

/// Returns the contents of all files below a folder, by their paths from it.
///
/// # Panics
///
/// If the folder or one of its files cannot be read.
pub fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let entries = fs::read_dir(&next).unwrap_or_else(|error| panic!("{}: {error}", next.display()));
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let content = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            found.insert(path.strip_prefix(folder).expect("a path below").to_owned(), content);
        }
    }
    found
}
