//! C programs that call the installed libotf2.

use std::path::{Path, PathBuf};

/// A program in a folder of its own, which is removed with it.
#[derive(Debug)]
pub struct Program {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Program {
    /// Compiles this source file of the crate, which includes the text `calls` as `calls.inc`.
    /// Returns `None`, and reports it, if there is no libotf2.
    pub fn build(source: &str, calls: &str) -> Option<Self> {
        if !libotf2_is_installed() {
            kymo_testdata::missing(kymo_testdata::LIBOTF2);
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        std::fs::write(folder.path().join("calls.inc"), calls).unwrap();
        let mut compiler = kymo_testdata::compiler("CC", "cc");
        compiler
            .args(["-O1", "-Wall", "-Werror=implicit-function-declaration"])
            .args(["-Werror=incompatible-pointer-types", "-o"])
            .args([&path, &Path::new(env!("CARGO_MANIFEST_DIR")).join(source)])
            .arg("-I")
            .arg(folder.path())
            .arg("-lopen-trace-format2");
        kymo_testdata::succeed(&mut compiler);
        Some(Self { _folder: folder, path })
    }

    /// Returns the path of the program.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns whether the C compiler finds the header of libotf2.
fn libotf2_is_installed() -> bool {
    kymo_testdata::compiler("CC", "cc")
        .args(["-fsyntax-only", "-include", "otf2/otf2.h", "-x", "c", "/dev/null"])
        .output()
        .is_ok_and(|output| output.status.success())
}
