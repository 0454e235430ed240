//! Runs `kymo-replay` and `compare-traces`.

use crate::testing::RecordingFolder;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A replay to be run: a recording, and the folder to which it writes.
#[derive(Debug)]
pub struct Replay {
    command: Command,
    libraries: Vec<PathBuf>,
}

impl Replay {
    /// Creates a replay of a recording into the folder `out`, without plugins.
    pub fn new(recording: &RecordingFolder, out: &Path) -> Self {
        Self::of_folder(&recording.path, out)
    }

    /// Like [`new`](Self::new), for any folder.
    pub fn of_folder(recording: &Path, out: &Path) -> Self {
        let mut command = Command::new(program());
        command.arg(recording).arg(out).env("SCOREP_SUBSTRATE_PLUGINS", "");
        Self { command, libraries: Vec::new() }
    }

    /// Sets the plugins, a list as in `SCOREP_SUBSTRATE_PLUGINS`.
    pub fn plugins(mut self, list: &str) -> Self {
        self.command.env("SCOREP_SUBSTRATE_PLUGINS", list);
        self
    }

    /// Adds a folder with plugins.
    pub fn libraries(mut self, folder: &Path) -> Self {
        self.libraries.push(folder.to_owned());
        self
    }

    /// Adds an argument.
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs the replay.
    pub fn run(mut self) -> Output {
        let path: OsString = env::join_paths(&self.libraries).expect("folders without a colon");
        self.command.env("LD_LIBRARY_PATH", path);
        self.command.output().unwrap_or_else(|error| panic!("{:?}: {error}", self.command))
    }

    /// Runs the replay; it must succeed and print nothing, except the warning of hosts up to 7.x
    /// about every plugin with newer events.
    #[track_caller]
    pub fn succeed(self) {
        kymo_testdata::require_shared_memory();
        let output = self.run();
        let stderr = String::from_utf8_lossy(&output.stderr);
        let silent = stderr.lines().all(|line| line.contains(OF_79_EVENTS));
        assert!(output.status.success() && silent, "{}\n{stderr}", output.status);
    }
}

/// The warning of a host with 79 events.
const OF_79_EVENTS: &str = "has functions for events from 79 on, which this host does not support";

/// Returns the path of `kymo-replay` as cargo built it for the running test.
fn program() -> PathBuf {
    let test = env::current_exe().expect("the path of the test");
    let program = test.ancestors().nth(2).expect("a test is in the target folder").join("kymo-replay");
    assert!(program.exists(), "{}: cargo builds it for the tests of kymo-plugin-tests", program.display());
    program
}

/// Compares the meaning of two traces.
pub fn compare_traces(expected: &Path, actual: &Path, arguments: &[&str]) -> Output {
    let mut command = kymo_testdata::python();
    command.arg(kymo_testdata::own("compare-traces")).args(arguments).arg(expected).arg(actual);
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}
