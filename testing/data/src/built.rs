//! The programs and libraries of other packages that tests run.
//!
//! Invariant: none is older than its sources. `scripts/test` builds everything before it starts the
//! tests, and names the folder in the variable `KYMO_BUILT`. Otherwise, cargo builds the packages
//! that a test asks for.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// Returns the folder with the programs and libraries of packages, compiled with the profile of the
/// running test. Each list of packages is built once per process.
///
/// # Panics
///
/// If a package cannot be built.
pub fn built(packages: &[&'static str]) -> PathBuf {
    if let Some(folder) = env::var_os("KYMO_BUILT") {
        return folder.into();
    }
    static BUILT: Mutex<BTreeMap<Vec<&str>, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    built.entry(packages.to_vec()).or_insert_with(|| build(packages)).clone()
}

fn build(packages: &[&str]) -> PathBuf {
    let folder = profile_folder();
    let mut cargo = cargo_build(packages);
    let output = cargo.output().unwrap_or_else(|error| panic!("{cargo:?}: {error}"));
    assert!(output.status.success(), "{cargo:?}: {}", String::from_utf8_lossy(&output.stderr));
    folder
}

/// Returns a command that builds packages next to the running test.
pub fn cargo_build(packages: &[&str]) -> Command {
    let profile = profile_folder();
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--locked"]);
    cargo.args(packages.iter().flat_map(|name| ["--package", name]));
    cargo.arg("--target-dir").arg(profile.parent().expect("the target folder"));
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    // If a target were set, the files would be in another folder.
    cargo.env_remove("CARGO_BUILD_TARGET");
    cargo.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    cargo
}

/// Returns the folder `<target>/<profile>`: the running test is `<target>/<profile>/deps/<test>`.
pub(crate) fn profile_folder() -> PathBuf {
    let test = env::current_exe().expect("the path of the test");
    test.ancestors().nth(2).expect("the folder of the profile").to_owned()
}
