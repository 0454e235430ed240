//! Programs of others that read our files. They come from package registries and are installed
//! once, in the folder of builds.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Returns a Python with the modules that read tables. Returns `None`, and reports it, if they
/// cannot be installed.
pub(crate) fn python() -> Option<&'static Path> {
    static PYTHON: OnceLock<Option<PathBuf>> = OnceLock::new();
    let python = PYTHON.get_or_init(|| installed("judges", &TABLES, &MODULES));
    python.as_deref().or_else(|| kymo_testdata::lacks_python_packages(&TABLES))
}

/// Returns a Python with the oldest versions of these modules with which the package works. Returns
/// `None`, and reports it, if they cannot be installed.
pub(crate) fn oldest_python() -> Option<PathBuf> {
    let python = installed("oldest-judges", &OLDEST, &MODULES);
    python.or_else(|| kymo_testdata::lacks_python_packages(&OLDEST))
}

/// The oldest versions of packages that read tables, and a NumPy for them.
const OLDEST: [&str; 7] = [
    "pyarrow==16.1.0",
    "pandas==1.5.3",
    "duckdb==1.1.3",
    "polars==1.3.0",
    "dask[dataframe]==2023.9.3",
    "distributed==2023.9.3",
    "numpy==1.26.4",
];

/// Packages that read tables.
const TABLES: [&str; 6] = ["pyarrow", "pandas", "duckdb", "polars", "dask[dataframe]", "distributed"];

/// The modules of these packages.
const MODULES: [&str; 6] = ["pyarrow", "pandas", "duckdb", "polars", "dask.dataframe", "distributed"];

/// Returns a Python with a package that imports as `module`, and nothing else.
pub(crate) fn python_with(package: &str, module: &str) -> Option<PathBuf> {
    let python = installed(&format!("judge-{package}"), &[package], &[module]);
    python.or_else(|| kymo_testdata::lacks_python_packages(&[package]))
}

/// Waits until no other test, of this process or another one, installs a program.
fn install_lock() -> File {
    let lock = File::create(Path::new(env!("CARGO_TARGET_TMPDIR")).join("judges.lock")).unwrap();
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockExclusive).unwrap();
    lock
}

fn installed(folder: &str, packages: &[&str], modules: &[&str]) -> Option<PathBuf> {
    let _lock = install_lock();
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
    has_modules().then_some(python)
}

/// Returns the path of a script next to this file.
pub(crate) fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judges").join(name)
}

/// Returns a program of a package of crates. Returns `None`, and reports it, if it cannot be built.
pub(crate) fn cargo(package: &str, program: &str) -> Option<PathBuf> {
    let _lock = install_lock();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(package);
    let path = folder.join("bin").join(program);
    if !path.exists() {
        let _ = Command::new("cargo").args(["install", "--locked", package, "--root"]).arg(&folder).output();
    }
    if path.exists() {
        return Some(path);
    }
    kymo_testdata::missing("packages of crates.io (network)");
    None
}

/// Returns the folder of an npm package. Returns `None`, and reports it, if it cannot be fetched.
pub(crate) fn npm(package: &'static str, version: &str) -> Option<PathBuf> {
    let _lock = install_lock();
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
            if kymo_testdata::is_installed("npm") {
                kymo_testdata::missing("packages of npm (network)");
            }
            return None;
        }
    }
    Some(there)
}
