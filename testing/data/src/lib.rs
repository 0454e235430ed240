//! The support of the tests of all crates: data, one directory for each set with one directory for
//! each case; programs that tests build or find; and a note of the things that a machine lacks.
//!
//! This package contains all cases that tests need. Further cases are read from the folder that the
//! variable `KYMO_MORE_ARCHIVES` names.

mod built;
mod folders;
mod missing;
mod programs;
mod shared_memory;

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

pub use built::{built, cargo_build};
pub use folders::{files, process_folder};
pub use missing::{missing, unavailable};
pub use programs::{
    LIBOTF2, MOUNTING, OPEN_MPI_FOLDER, PYTHON_BINDINGS, TRACING, compiler, is_installed,
    lacks_python_packages, program, python, python_with_bindings, require, succeed,
};
pub use shared_memory::require_shared_memory;

/// The folders of sets.
const SETS: [&str; 5] = ["otf2-real", "otf2-samples", "scorep-recordings", "scorep-recordings-7.1", "tau"];

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
/// If this package has no such set, or `KYMO_MORE_ARCHIVES` names no folder of sets.
pub fn cases(set: &str) -> Vec<PathBuf> {
    assert!(SETS.contains(&set), "there is no set {set}");
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let more = env::var_os("KYMO_MORE_ARCHIVES").filter(|folder| !folder.is_empty());
    let more = more.map(|folder| more_archives(&folder).unwrap_or_else(|problem| panic!("{problem}")));
    let mut cases = BTreeMap::new();
    for parent in more.into_iter().chain([package.to_owned()]) {
        let entries = fs::read_dir(parent.join(set)).into_iter().flatten().flatten();
        cases.extend(entries.filter(|it| it.path().is_dir()).map(|it| (it.file_name(), it.path())));
    }
    cases.into_values().collect()
}

/// Returns the folder that `KYMO_MORE_ARCHIVES` names, from the root of the repository if it is
/// relative: tests run in the folders of their packages.
fn more_archives(name: &OsStr) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    let has_sets = SETS.iter().any(|set| folder.join(set).is_dir());
    let problem = || format!("KYMO_MORE_ARCHIVES: {} has none of the folders {SETS:?}", folder.display());
    if has_sets { Ok(folder) } else { Err(problem()) }
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

/// Returns one in `share` of all cases, from the first; in the long form, all.
pub fn part_of<I: IntoIterator>(all: I, share: usize) -> impl Iterator<Item = I::Item> {
    all.into_iter().step_by(if is_long() { 1 } else { share })
}

/// Returns how many random cases a property is tried with: `usual`, ten times as many in the long
/// form.
pub fn random_cases(usual: u32) -> u32 {
    usual * if is_long() { 10 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_cases_of_its_own() {
        for set in SETS {
            assert!(!cases(set).is_empty(), "{set}");
        }
    }

    #[test]
    fn more_archives_are_in_a_folder_of_sets() {
        let package = env!("CARGO_MANIFEST_DIR");
        assert_eq!(more_archives(package.as_ref()), Ok(package.into()));
        assert!(more_archives("testing/data".as_ref()).is_ok());
        for name in ["no-such-folder", "testing/data/src"] {
            let problem = more_archives(name.as_ref()).expect_err(name);
            assert!(
                problem.contains(&format!("/{name} has none of the folders [\"otf2-real\"")),
                "{problem}"
            );
        }
    }
}
