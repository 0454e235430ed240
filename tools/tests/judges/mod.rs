//! Programs of others that read what we write. They come from package registries and are installed
//! once, in the folder of builds.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Returns a Python with the modules that read tables, or `None` if they cannot be installed. In
/// CI, that is a failure.
pub(crate) fn python() -> Option<&'static Path> {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    PYTHON.get_or_init(|| install("judges", &TABLES, &TABLES)).as_deref()
}

/// Packages and modules that read tables.
const TABLES: [&str; 4] = ["pyarrow", "pandas", "duckdb", "polars"];

/// Returns a Python with a package that imports as `module`, and nothing else.
pub(crate) fn python_with(package: &str, module: &str) -> Option<PathBuf> {
    install(&format!("judge-{package}"), &[package], &[module])
}

fn install(folder: &str, packages: &[&str], modules: &[&str]) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let python = folder.join("bin/python");
    let has_modules = || {
        let import = format!("import {}", modules.join(", "));
        Command::new(&python).args(["-c", &import]).output().is_ok_and(|it| it.status.success())
    };
    if !has_modules() {
        let _ = Command::new("python3").args(["-m", "venv"]).arg(&folder).output();
        let _ = Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(packages).output();
    }
    if has_modules() {
        return Some(python);
    }
    assert!(env::var_os("CI").is_none(), "cannot install {packages:?} (Debian: python3-venv)");
    eprintln!("NOT JUDGED: cannot install {packages:?} (Debian: python3-venv)");
    None
}

/// Returns the path of a script next to this file.
pub(crate) fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judges").join(name)
}

/// Returns a program of a package of crates, or `None` if it cannot be built.
pub(crate) fn cargo(package: &str, program: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(package);
    let path = folder.join("bin").join(program);
    if !path.exists() {
        let _ = Command::new("cargo").args(["install", "--locked", package, "--root"]).arg(&folder).output();
    }
    if path.exists() {
        return Some(path);
    }
    assert!(env::var_os("CI").is_none(), "cannot build {package}");
    eprintln!("NOT JUDGED: cannot build {package}");
    None
}

/// Returns the folder of an npm package, or `None` if it cannot be had. In CI, that is a failure.
pub(crate) fn npm(package: &'static str, version: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(package.replace('/', "+"));
    let there = folder.join("package");
    if !there.join("package.json").exists() {
        let _ = fs::create_dir_all(&folder);
        let mut npm = Command::new("npm");
        npm.args(["pack", "--silent", &format!("{package}@{version}")]).current_dir(&folder);
        let file = npm.output().ok().filter(|it| it.status.success()).map(|it| it.stdout);
        let file = file.map(|it| String::from_utf8_lossy(&it).trim().to_owned());
        let unpacked =
            file.map(|file| Command::new("tar").args(["-xzf", &file]).current_dir(&folder).output());
        if !unpacked.is_some_and(|it| it.is_ok_and(|it| it.status.success())) {
            assert!(env::var_os("CI").is_none(), "cannot get {package} (Debian: npm)");
            eprintln!("NOT JUDGED: cannot get {package} (Debian: npm)");
            return None;
        }
    }
    Some(there)
}
