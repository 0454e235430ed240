//! Builds the files to be installed.

use std::path::PathBuf;

use crate::Problem;
use crate::process::{built, cargo, run};

/// The packages that are installed.
pub(crate) const PACKAGES: &[&str] =
    &["kymo", "kymo-otf2-c", "kymo-plugin", "kymo-runtime", "kymo-ttf", "kymograph"];

/// Builds the packages; returns the directory with the programs and libraries.
pub(crate) fn build(profile: &str) -> Result<PathBuf, Problem> {
    let mut command = cargo("build --locked --profile");
    command.arg(profile).args(PACKAGES.iter().flat_map(|package| ["--package", package]));
    run(&mut command)?;
    built(profile)
}
