//! Builds the files to be installed, and finds the directory where cargo stores them.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{Problem, repository};

/// The packages that are installed.
const PACKAGES: [&str; 4] = ["kymo", "kymo-plugin", "kymo-runtime", "kymo-ttf"];

fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    command.current_dir(repository::root());
    command
}

/// Builds the packages; returns the directory with the programs and libraries.
pub(crate) fn build(profile: &str) -> Result<PathBuf, Problem> {
    let mut command = cargo();
    command.args(["build", "--locked", "--profile", profile]);
    command.args(PACKAGES.iter().flat_map(|package| ["--package", package]));
    let status = command.status().map_err(|error| format!("cargo: {error}"))?;
    if !status.success() {
        return Err("cargo build failed".to_owned());
    }
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(target()?.join(folder))
}

/// Returns cargo's target directory.
fn target() -> Result<PathBuf, Problem> {
    let output =
        cargo().args(["metadata", "--format-version", "1", "--no-deps"]).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cargo: {error}"))?;
    let metadata: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    let folder = metadata.get("target_directory").and_then(Value::as_str);
    folder.map(PathBuf::from).ok_or_else(|| "cargo metadata: no target_directory".to_owned())
}
