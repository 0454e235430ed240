//! The programs in `c/`, compiled against the installed libotf2 (the reference) or an MPI library.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles the program of this name into `folder`. Returns `None` if there is no C compiler or no
/// libotf2, which is reported on standard error.
pub(crate) fn compile(folder: &Path, name: &str) -> Option<PathBuf> {
    let program = compile_with(folder, name, &["-lopen-trace-format2".to_owned()]);
    if program.is_none() {
        eprintln!("NOT COMPARED with libotf2: a C compiler and libopen-trace-format2-dev are needed");
    }
    program
}

/// Compiles a C program with these options; if that fails, the compiler's messages are printed on
/// standard error.
pub(crate) fn compile_with(folder: &Path, name: &str, options: &[String]) -> Option<PathBuf> {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    run(Command::new(compiler), source(name), folder.join(name), options)
}

/// Compiles a C program with the compiler of an MPI library; returns `None` without a message if
/// there is none.
pub(crate) fn compile_by(compiler: &str, folder: &Path, name: &str, library: &str) -> Option<PathBuf> {
    Command::new(compiler).arg("--version").output().ok()?;
    run(Command::new(compiler), source(name), folder.join(format!("{name} {library}")), &[])
}

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("c").join(name).with_extension("c")
}

fn run(mut command: Command, source: PathBuf, program: PathBuf, options: &[String]) -> Option<PathBuf> {
    command.args(["-std=gnu11", "-O2", "-Wall", "-Werror", "-o"]).args([&program, &source]).args(options);
    match command.output() {
        Ok(output) if output.status.success() => Some(program),
        Ok(output) => {
            eprintln!("{}", String::from_utf8_lossy(&output.stderr));
            None
        }
        Err(error) => {
            eprintln!("{command:?}: {error}");
            None
        }
    }
}
