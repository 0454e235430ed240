//! Compiles and runs C and C++ programs linked with a fresh build of the library.

#![allow(dead_code, unreachable_pub)]

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// How a program is linked with the library.
#[derive(Clone, Copy, Debug)]
pub enum Linked {
    Shared,
    Static,
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Builds the shared and the static library and returns their folder.
fn libraries() -> PathBuf {
    kymo_testdata::built(&["kymo-ttf"])
}

fn compiler(source: &Path) -> Command {
    let is_c = source.extension().is_some_and(|extension| extension == "c");
    let (variable, usual) = if is_c { ("CC", "cc") } else { ("CXX", "c++") };
    kymo_testdata::compiler(variable, usual)
}

/// Compiles and links a program in `folder`.
pub fn compile(source: &Path, linked: Linked, folder: &Path) -> PathBuf {
    let program = folder.join(source.file_stem().expect("a name"));
    let mut command = compiler(source);
    command.args(["-O1", "-Wall", "-Wextra", "-I"]).arg(root().join("include")).arg("-o");
    command.arg(&program).arg(source);
    match linked {
        Linked::Shared => {
            command.arg("-L").arg(libraries()).arg("-lkymo_ttf");
            command.arg(format!("-Wl,-rpath,{}", libraries().display()));
        }
        Linked::Static => {
            command.arg(libraries().join("libkymo_ttf.a")).args(["-lpthread", "-ldl", "-lm"]);
        }
    }
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    program
}

/// Runs a program in a folder.
pub fn run(program: &Path, arguments: &[&str], folder: &Path) -> Output {
    Command::new(program).args(arguments).current_dir(folder).output().expect("running the program")
}
