//! Builds the files of the archive of a machine.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::GLIBC;
use super::machine::Machine;
use super::tools::Tools;
use crate::Problem;
use crate::process::{program, run, target};
use crate::repository::root;

/// The package and the program.
pub(super) const COMMAND: &str = "kymo";

/// Builds packages for a machine, for every C library from [`GLIBC`] on. Returns the folder with
/// programs and libraries.
pub(super) fn build(
    machine: Machine,
    profile: &str,
    packages: &[&str],
    tools: &Tools,
) -> Result<PathBuf, Problem> {
    run(program("rustup").args(["target", "add", machine.target()]))?;
    let target_folder = target()?;
    let mut cargo = tools.cargo("zigbuild --locked --profile")?;
    cargo.arg(profile).arg("--target").arg(format!("{}.{GLIBC}", machine.target()));
    cargo.args(packages.iter().flat_map(|package| ["--package", package]));
    // Not the programs of tests. The command alone has no library.
    let libraries = (packages != [COMMAND]).then_some("--lib");
    cargo.args(["--bin", COMMAND]).args(libraries);
    let places = places(&target_folder);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", rust_options(&places));
    cargo.env(format!("CFLAGS_{}", machine.target().replace('-', "_")), c_options(&places));
    run(&mut cargo)?;
    let profile = if profile == "dev" { "debug" } else { profile };
    Ok(target_folder.join(machine.target()).join(profile))
}

/// Returns the folders whose names must not be in the archives, each with the name to write
/// instead.
pub(super) fn places(target: &Path) -> Vec<(PathBuf, &'static str)> {
    let home = env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let cargo = env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    // The last one that matches applies.
    vec![(cargo, "/cargo"), (root().to_owned(), "/kymo"), (target.to_owned(), "/kymo/target")]
}

fn rust_options(places: &[(PathBuf, &str)]) -> OsString {
    // The linker numbers a build by its content.
    let mut options = OsString::from("--cfg\u{1f}kymo_workspace\u{1f}-Clink-arg=-Wl,--build-id=sha1");
    for (from, to) in places {
        options.push("\u{1f}--remap-path-prefix=");
        options.push(from);
        options.push("=");
        options.push(to);
    }
    options
}

fn c_options(places: &[(PathBuf, &str)]) -> OsString {
    let mut options = OsString::new();
    for (from, to) in places {
        options.push("-ffile-prefix-map=");
        options.push(from);
        options.push("=");
        options.push(to);
        options.push(" ");
    }
    options
}
