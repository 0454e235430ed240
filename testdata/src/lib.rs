//! Finds the data that the tests of all crates share: one folder for each set, below it one for each case.
//!
//! Sets of our own runs are in this package. Archives that others made (`otf2-real`), and further cases of any set, are in
//! `../shared/data` beside the checkout, which only CI must have.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// A file or folder of this package, as `scorep-recordings/user`.
pub fn own(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    assert!(path.exists(), "{} is missing", path.display());
    path
}

/// The folders of all cases of a set in the order of their names; where a case is in both places that of this package.
///
/// # Panics
///
/// Where the variable `CI` is set and the folder beside the checkout is missing.
pub fn cases(set: &str) -> Vec<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let elsewhere = package.join("../../shared/data");
    if !elsewhere.is_dir() {
        assert!(env::var_os("CI").is_none(), "{} is missing", elsewhere.display());
        eprintln!(
            "SKIPPED: {} is missing: of {set} only what the repository has is tested",
            elsewhere.display()
        );
    }
    let mut cases = BTreeMap::new();
    for parent in [elsewhere, package.to_owned()] {
        let entries = fs::read_dir(parent.join(set)).into_iter().flatten().flatten();
        cases.extend(entries.filter(|it| it.path().is_dir()).map(|it| (it.file_name(), it.path())));
    }
    cases.into_values().collect()
}

/// The anchor files in the folder of a case.
pub fn anchors(case: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(case).unwrap_or_else(|error| panic!("{}: {error}", case.display()));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut found: Vec<_> = paths.filter(|path| path.extension().is_some_and(|it| it == "otf2")).collect();
    found.sort();
    found
}
