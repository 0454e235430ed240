//! Compiles and runs C programs linked with a fresh build of the library.

#![allow(dead_code, unreachable_pub)]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Builds the shared and the static library and returns their folder.
pub fn libraries() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder").to_owned();
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--quiet", "--package", "kymo-otf2-c", "--target-dir"]).arg(&target);
        // If a target were set, the libraries would be in another folder.
        let status = cargo.env_remove("CARGO_BUILD_TARGET").current_dir(root()).status().expect("cargo");
        assert!(status.success(), "{cargo:?}: {status}");
        target.join("debug")
    })
}

/// Compiles a program of `hosts` in `folder` with our headers and the static library.
pub fn compile(name: &str, folder: &Path) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = folder.join(name);
    let mut command = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
    command.args(["-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-I"]).arg(here.join("include"));
    command.arg("-o").arg(&program).arg(here.join("tests/hosts").join(name).with_extension("c"));
    command.arg(libraries().join("libkymo_otf2_c.a")).args(["-lpthread", "-ldl", "-lm"]);
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    program
}
