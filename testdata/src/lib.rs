//! Finds the data that the tests of all crates share: one directory for each set, with one
//! directory for each case.
//!
//! The sets of our own runs are in this package. Archives from other sources (`otf2-real`), and
//! further cases of any set, are in `../shared/data` next to the checkout, which is required only
//! in CI.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the path of a file or directory of this package, such as `scorep-recordings/user`.
pub fn own(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    assert!(path.exists(), "{} is missing", path.display());
    path
}

/// Returns the directories of all cases of a set, sorted by name. If a case is in both places, the
/// one of this package is used.
///
/// # Panics
///
/// If the variable `CI` is set and the directory next to the checkout is missing.
pub fn cases(set: &str) -> Vec<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let elsewhere = package.join("../../shared/data");
    if !elsewhere.is_dir() {
        assert!(env::var_os("CI").is_none(), "{} is missing", elsewhere.display());
        eprintln!(
            "SKIPPED: {} is missing: only the cases of {set} in the repository are tested",
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

/// Returns the anchor files in the directory of a case.
pub fn anchors(case: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(case).unwrap_or_else(|error| panic!("{}: {error}", case.display()));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut found: Vec<_> = paths.filter(|path| path.extension().is_some_and(|it| it == "otf2")).collect();
    found.sort();
    found
}

/// Returns whether tests run in their long form, which `cargo xtask deep` runs with `KYMO_LONG=1`: a
/// loop then tries all that it usually tries a part of.
pub fn is_long() -> bool {
    env::var_os("KYMO_LONG").is_some_and(|value| !value.is_empty())
}
