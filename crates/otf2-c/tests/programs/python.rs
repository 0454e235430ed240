//! The Python bindings, which load the library from their own folder.

use super::{copied, libraries};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns the Python that has the bindings, and the folder of its packages. Returns `None`, and
/// reports it, if there is none.
fn python() -> Option<(&'static str, PathBuf)> {
    for python in ["python3", "/usr/bin/python3"] {
        let script = "import _otf2, os; print(os.path.dirname(os.path.dirname(_otf2.__file__)))";
        let output = Command::new(python).args(["-c", script]).output();
        if let Ok(Output { status, stdout, .. }) = output
            && status.success()
        {
            let folder = String::from_utf8(stdout).expect("a path");
            return Some((python, PathBuf::from(folder.trim_end())));
        }
    }
    kymo_testdata::missing(kymo_testdata::PYTHON_BINDINGS);
    None
}

/// Makes packages that use our library in `folder`.
fn with_our_library(packages: &Path, folder: &Path) {
    for package in ["_otf2", "otf2"] {
        copied(&packages.join(package).join("__init__.py"), &folder.join(package));
    }
    let library = folder.join("_otf2/_otf2.so");
    std::fs::remove_file(&library).expect("the library of the package");
    symlink(libraries().join("libkymo_otf2_c.so"), library).expect("a link");
}

#[test]
fn the_python_bindings_write_and_read_the_same() {
    let Some((python, packages)) = python() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let ours = folder.path().join("packages");
    with_our_library(&packages, &ours);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hosts/bindings.py");
    let run = |name: &str, packages: &Path| {
        let archive = folder.path().join(name);
        let mut command = Command::new(python);
        command.arg(&script).arg(&archive).env("PYTHONPATH", packages).env("PYTHONDONTWRITEBYTECODE", "1");
        let output = command.output().expect("python");
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("text");
        let (first, rest) = text.split_once('\n').expect("lines");
        assert_eq!(Path::new(first), packages.join("_otf2/_otf2.so"));
        // The others contain a trace id and the time of day.
        let files = kymo_testdata::files(&archive.join("traces"));
        (rest.to_owned(), files)
    };
    let (expected, files) = run("libotf2", &packages);
    assert!(expected.lines().count() > 20, "{expected}");
    let (found, written) = run("ours", &ours);
    assert_eq!(expected, found);
    assert_eq!((files.len(), files == written), (6, true));
}
