//! The programs of OTF2 and its Python bindings, each run with libotf2 and with our library in its
//! place, must do the same.

mod editing;
mod python;
mod reading;

use crate::common::{libraries, names};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Returns a command with our library in the place of libotf2.
fn with_ours(command: &Command) -> Command {
    let mut ours = Command::new(command.get_program());
    ours.args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        ours.current_dir(folder);
    }
    ours.env("LD_LIBRARY_PATH", names());
    ours
}

/// The outcome of a run: exit status and standard output. Messages differ in file and line.
#[derive(Debug, PartialEq)]
struct Answer {
    /// The code, or 128 and the number of the signal.
    status: i32,
    output: String,
}

impl Answer {
    fn of(output: &Output) -> Self {
        use std::os::unix::process::ExitStatusExt;
        let status = output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0));
        Self { status, output: String::from_utf8_lossy(&output.stdout).into_owned() }
    }

    fn from(command: &mut Command) -> Self {
        Self::of(&command.output().unwrap_or_else(|error| panic!("{command:?}: {error}")))
    }
}

/// Returns the anchor files of all archives at hand.
fn archives() -> Vec<PathBuf> {
    let sets = ["otf2-samples", "otf2-real", "scorep-recordings", "scorep-recordings-7.1"];
    let cases = sets.into_iter().flat_map(kymo_testdata::cases);
    let archives: Vec<_> = cases.flat_map(|case| kymo_testdata::anchors(&case)).collect();
    assert!(archives.len() >= 50, "{archives:?}");
    archives
}

/// Copies the folder of an archive to `to`; returns the anchor file there.
fn copied(anchor: &Path, to: &Path) -> PathBuf {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).expect("a folder");
        for entry in fs::read_dir(from).expect("a folder").map(|entry| entry.expect("an entry")) {
            let target = to.join(entry.file_name());
            match entry.path() {
                path if path.is_dir() => copy(&path, &target),
                path => drop(fs::write(target, fs::read(path).expect("a file"))),
            }
        }
    }
    copy(anchor.parent().expect("a folder"), to);
    to.join(anchor.file_name().expect("a name"))
}
