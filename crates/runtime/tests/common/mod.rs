//! Measured programs, each in a directory of its own.

#![allow(dead_code, reason = "each test program uses a part of it")]

use kymo_plugin_tests::testing::{Archive, TemporaryFolder, build_plugin, kymo_check};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A run of a program.
pub(crate) struct Run {
    pub(crate) folder: TemporaryFolder,
    pub(crate) command: Command,
}

impl Run {
    /// Creates a run of the program that measures itself, with the plugin of this repository, into
    /// the directory `measured`.
    pub(crate) fn new(test: &str, what: &[&str]) -> Self {
        let plugin = build_plugin("kymo-plugin");
        let libraries = plugin.parent().expect("a folder").to_owned();
        let mut run =
            Self::of(test, Path::new(env!("CARGO_BIN_EXE_kymo-measured"))).env("LD_LIBRARY_PATH", libraries);
        // The program announces its threads to the runtime itself.
        run.command.args(what).env("KYMO_RECORD_WITH", "user");
        run
    }

    /// Creates a run of another program.
    pub(crate) fn of(test: &str, program: &Path) -> Self {
        let folder = TemporaryFolder::new(test);
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os().filter(|(name, _)| is_of_measurement(name)) {
            command.env_remove(name);
        }
        command.current_dir(&*folder).env("SCOREP_EXPERIMENT_DIRECTORY", "measured").stdin(Stdio::null());
        // The scratch files of killed programs must not outlive the test.
        command.env("SCOREP_SUBSTRATE_KYMO_SCRATCH", &*folder);
        Self { folder, command }
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn output(&mut self) -> Output {
        self.command.output().unwrap_or_else(|error| panic!("{:?}: {error}", self.command))
    }

    /// Runs the program, which must succeed without any message.
    pub(crate) fn succeed(&mut self) {
        let output = self.output();
        let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(output.status.success() && stderr.is_empty(), "{}\n{stdout}{stderr}", output.status);
    }

    /// Returns the archive in this experiment directory, after `kymo check`.
    pub(crate) fn archive(&self, directory: &Path) -> Archive {
        let anchor = self.folder.join(directory).join("kymo/traces.otf2");
        kymo_check(&anchor, &[]).unwrap_or_else(|what| panic!("{}: {what}", anchor.display()));
        Archive::read(&anchor)
    }

    /// Runs the program and returns its only archive.
    pub(crate) fn measured(mut self) -> Archive {
        self.succeed();
        assert_eq!(self.directories(), ["measured"]);
        self.archive(Path::new("measured"))
    }

    /// Returns the names of everything in the directory, sorted.
    pub(crate) fn directories(&self) -> Vec<String> {
        names(&self.folder)
    }
}

/// Returns the names in a directory, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().expect("the folder of a test");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn is_of_measurement(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with("SCOREP_") || name.starts_with("KYMO_")
}

/// Parses a line of a log.
pub(crate) fn parsed(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}
