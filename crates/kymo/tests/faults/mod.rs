//! A program that makes system calls of another program fail, or sends it a signal.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use kymo_testdata::process_folder;

/// Returns the program that `inject.c` describes. Ends the calling test if processes must not be
/// traced.
pub(crate) fn injector() -> &'static Path {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| {
        let program = process_folder("faults").join("inject");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/faults/inject.c");
        let compiler = std::env::var_os("CC").unwrap_or("cc".into());
        let made = Command::new(compiler).args(["-O1", "-Wall", "-o"]).arg(&program).arg(source).output();
        let made = made.expect("a C compiler");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let tried = Command::new(&program).args(["any", "0", "0", "/dev/null", "/bin/true"]).status();
        (tried.expect("the program").code() != Some(126)).then_some(program)
    });
    program.as_deref().unwrap_or_else(|| kymo_testdata::unavailable(kymo_testdata::TRACING))
}
