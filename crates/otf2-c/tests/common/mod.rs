//! Compiles and runs C and C++ programs with a fresh build of the library, or with libotf2.

#![allow(dead_code, unreachable_pub)]

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use tempfile::TempDir;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Builds the shared and the static library and returns their folder.
pub fn libraries() -> PathBuf {
    kymo_testdata::built(&["kymo-otf2-c"])
}

/// Returns a folder with our library under the names that programs ask for.
pub fn names() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let make = || {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["libopen-trace-format2.so.10", "libotf2.so.10"] {
            symlink(libraries().join("libkymo_otf2_c.so"), folder.path().join(name)).expect("a link");
        }
        folder
    };
    FOLDER.get_or_init(make).path()
}

/// Returns a compiler for a file with our headers.
fn compiler(source: &Path) -> Command {
    let is_cpp = source.extension().is_some_and(|extension| extension == "cpp");
    let (variable, name, standard) =
        if is_cpp { ("CXX", "c++", "-std=c++11") } else { ("CC", "cc", "-std=gnu11") };
    let mut command = kymo_testdata::compiler(variable, name);
    command.args([standard, "-O1", "-g", "-Wall", "-Wextra", "-Wno-deprecated-declarations"]);
    command.arg("-Wno-unused-parameter").arg("-I").arg(here().join("include"));
    command.arg(source);
    command
}

/// Compiles a program of `hosts` in `folder` with our headers and the static library.
pub fn compile(file: &str, folder: &Path) -> PathBuf {
    compile_with(&here().join("tests/hosts").join(file), folder, &[])
}

/// Compiles a program in `folder` with our headers, those in `folder`, and the static library.
pub fn compile_with(source: &Path, folder: &Path, options: &[&str]) -> PathBuf {
    let program = folder.join(source.file_stem().expect("a name"));
    let mut command = compiler(source);
    command.args(options).arg("-I").arg(folder).arg("-o").arg(&program);
    command.arg(libraries().join("libkymo_otf2_c.a")).args(["-lpthread", "-ldl", "-lm"]);
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    program
}

/// Compiles a program that runs with Debian's libotf2, and with ours if `LD_LIBRARY_PATH` is
/// [`names`]. Returns `None`, and reports it, without libotf2.
pub fn compile_for_both(source: &Path, folder: &Path) -> Option<PathBuf> {
    let program = folder.join(source.file_stem().expect("a name")).with_extension("both");
    let mut command = compiler(source);
    command.arg("-I").arg(folder).arg("-o").arg(&program).args(["-lopen-trace-format2", "-lpthread"]);
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("cannot find -lopen-trace-format2"), "{command:?}: {stderr}");
        kymo_testdata::missing(kymo_testdata::LIBOTF2);
        return None;
    }
    Some(program)
}

/// Runs a program in an empty folder with limits of time and memory, and expects that it succeeds.
/// Returns its standard output.
pub fn run(program: &Path, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new("sh");
    // The limit of memory is in KiB.
    command.args(["-c", "ulimit -v 4000000 && exec timeout 300 \"$@\"", "sh"]).arg(program);
    let output = command.args(arguments).current_dir(folder.path()).output().expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr: String = String::from_utf8_lossy(&output.stderr).chars().take(10_000).collect();
    let last = text.lines().last().unwrap_or_default();
    assert!(output.status.success(), "{command:?}: {}, after `{last}`\n{stderr}", output.status);
    text
}

/// Writes a header for a program in `folder`.
pub fn header(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("a file");
}
