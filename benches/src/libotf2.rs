//! The reference: the programs in `c/`, compiled against the installed libotf2.

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
    let program = folder.join(name);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("c").join(name).with_extension("c");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(compiler);
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
