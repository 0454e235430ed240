//! The verbs that change an archive in place, with the reference tools as judges.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::check_common::{Report, check, kymo};
use crate::faults::injector;

mod marker;
mod snapshots;
mod thumbnail;

/// Returns the sample archives that have a marker file or a thumbnail or neither, by their anchors.
fn samples() -> Vec<PathBuf> {
    let cases = kymo_testdata::cases("otf2-samples");
    cases.iter().flat_map(|case| kymo_testdata::anchors(case)).collect()
}

/// A copy of an archive, in a folder of its own.
struct Copy {
    folder: TempDir,
    name: String,
}

impl Copy {
    /// Copies the archive with this anchor file.
    fn of(anchor: &Path) -> Self {
        let folder = TempDir::new().unwrap();
        let name = anchor.file_name().unwrap().to_str().unwrap().to_owned();
        let from = anchor.parent().unwrap().join(".");
        assert!(Command::new("cp").arg("-r").args([&from, folder.path()]).status().unwrap().success());
        Self { folder, name }
    }

    /// Copies the sample that has every record.
    fn of_every_record() -> Self {
        Self::of(&kymo_testdata::own("otf2-samples/every-record/t.otf2"))
    }

    fn anchor(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// Runs `kymo`; the anchor is the last argument.
    fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Output {
        kymo().args(arguments).arg(self.anchor()).stdin(Stdio::null()).output().unwrap()
    }

    /// Runs `kymo`, which must succeed without a message. Returns its output.
    #[track_caller]
    fn done<S: AsRef<OsStr>>(&self, arguments: &[S]) -> String {
        let output = self.run(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.is_empty(), "{:?}: {stderr}", output.status);
        String::from_utf8(output.stdout).unwrap()
    }

    /// Asserts that `kymo` refuses with this status and message, and changes nothing.
    #[track_caller]
    fn refused<S: AsRef<OsStr>>(&self, arguments: &[S], status: i32, message: &str) {
        let before = self.files();
        let output = self.run(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.starts_with("kymo: ") && stderr.contains(message), "{stderr}");
        assert_eq!((output.status.code(), stderr.lines().count()), (Some(status), 1), "{stderr}");
        assert!(self.files() == before, "{message}: the archive was changed");
    }

    /// Returns the content of all files.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        kymo_testdata::files(self.folder.path())
    }

    fn check(&self) -> Report {
        check(&self.anchor(), &[])
    }
}

/// Runs a program of the reference. Returns `None`, and reports it, if it is not installed.
fn reference<S: AsRef<OsStr>>(program: &str, arguments: &[S], anchor: &Path) -> Option<Output> {
    if !kymo_testdata::is_installed(program) {
        return None;
    }
    let mut command = Command::new("timeout");
    command.args(["300", program]).args(arguments).arg(anchor).env("TZ", "UTC").stdin(Stdio::null());
    Some(command.output().expect("running timeout"))
}

/// Kills a command at each of its system calls, one after the other. `judge` sees the archive after
/// each kill. Without a fault, the command must then succeed.
fn killed_everywhere(new: impl Fn() -> Copy, arguments: &[&str], judge: impl Fn(&Copy, &str)) {
    for number in kymo_testdata::part_of(0.., 8) {
        let copy = new();
        let report = tempfile::NamedTempFile::new().unwrap();
        let mut command = Command::new(injector());
        command.args(["any", "kill:9", &number.to_string()]).arg(report.path());
        command.arg(env!("CARGO_BIN_EXE_kymo")).args(arguments).arg(copy.anchor());
        let output = command.stdin(Stdio::null()).output().unwrap();
        let report = fs::read_to_string(report.path()).unwrap();
        if report.trim() == "done" {
            assert!(output.status.success() && number > 20, "{number} calls: {output:?}");
            return;
        }
        let when = format!("{report}, call {number}");
        judge(&copy, &when);
        let again = copy.run(arguments);
        assert!(again.status.success(), "{when}, then {again:?}");
        let left: Vec<_> = copy.files().into_keys().collect();
        assert!(!left.iter().any(|path| path.to_string_lossy().contains(".kymo-")), "{when}: {left:?}");
    }
}
