//! `--with openmp=libomp`: LLVM's OpenMP runtime in place of gcc's, for a program of gcc.
//!
//! LLVM's runtime has most of the functions of gcc's. It is loaded before that one, so that all
//! calls reach it. Invariant: a program that needs a function which it lacks is refused, since that
//! function would then belong to another runtime.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use kymo_recorder::real_path;
use kymo_symbols::Executable;

use super::error::RecordError;
use super::hints::images;
use super::program::Program;

/// The names of the library, the usual one first.
const NAMES: [&str; 2] = ["libomp.so.5", "libomp.so"];

/// The folders of libraries.
const FOLDERS: [&str; 6] = [
    "/usr/local/lib",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/usr/lib/llvm",
];

/// Finds LLVM's runtime for a program that can run with it.
pub(super) fn find(program: &Program) -> Result<PathBuf, RecordError> {
    let library = library().ok_or_else(|| {
        RecordError::failed("openmp=libomp: there is no libomp.so.5")
            .hint("install it (Debian: libomp5), or add its folder to LD_LIBRARY_PATH")
    })?;
    let own = Executable::read(&library).map_err(|error| RecordError::io(&library, &error))?;
    let lacking = lacking(program, &own);
    match lacking.first() {
        None => Ok(library),
        Some(name) => Err(RecordError::failed(format_args!(
            "openmp=libomp: {} needs {name}, which {} lacks",
            program.path().display(),
            library.display()
        ))
        .hint("without =libomp, the program keeps its OpenMP runtime")),
    }
}

/// Finds the library where the loader would, or in a folder of LLVM.
fn library() -> Option<PathBuf> {
    let given = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let given: Vec<PathBuf> = env::split_paths(&given).filter(|path| path.is_absolute()).collect();
    let mut folders = [given, FOLDERS.map(PathBuf::from).to_vec()].concat();
    folders.extend(of_llvm());
    let candidates = folders.iter().flat_map(|folder| NAMES.map(|name| folder.join(name)));
    // `LD_PRELOAD` separates its libraries by these.
    let is_fit = |path: &Path| !path.to_string_lossy().contains([' ', ':']);
    candidates.filter_map(|path| real_path(&path).ok()).find(|path| is_fit(path))
}

/// Returns the folders of all releases of LLVM, the newest first.
fn of_llvm() -> Vec<PathBuf> {
    let release = |path: &PathBuf| {
        let name = path.file_name().and_then(OsStr::to_str)?;
        name.strip_prefix("llvm-")?.parse::<u32>().ok()
    };
    let entries = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let mut all: Vec<_> =
        entries.map(|entry| entry.path()).filter_map(|path| Some((release(&path)?, path))).collect();
    all.sort();
    all.into_iter().rev().map(|(_, path)| path.join("lib")).collect()
}

/// Returns the functions of gcc's runtime that a program and its libraries use and that another
/// runtime lacks.
fn lacking(program: &Program, other: &Executable) -> Vec<String> {
    let is_of_runtime = |name: &str| ["GOMP_", "GOACC_", "omp_"].iter().any(|begin| name.starts_with(begin));
    let images = images(program);
    // The runtime itself uses some of its functions.
    let users = images.iter().filter(|(_, image)| !image.defines("GOMP_parallel"));
    let names: BTreeSet<String> = users.flat_map(|(_, image)| image.imports()).collect();
    names.into_iter().filter(|name| is_of_runtime(name) && !other.defines(name)).collect()
}
