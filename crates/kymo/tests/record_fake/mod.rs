//! Runs `kymo record` with a library in place of the runtime, which leaves a known archive for each
//! process.

#![allow(dead_code, unreachable_pub)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::events::{Enter, Leave};
use kymo_otf2::read::Archive;
use kymo_otf2::references::RegionRef;
use tempfile::TempDir;

pub(crate) use crate::ended::Ended;

use crate::check_common::world::world;
use crate::check_common::{Written, check};
use crate::record_common::link;
pub(crate) use crate::record_common::source;
use kymo_testdata::process_folder;

pub fn cc(arguments: &[&str], output: &Path) {
    kymo_testdata::succeed(kymo_testdata::compiler("CC", "cc").args(arguments).arg("-o").arg(output));
}

/// An installed kymo: the program, and stand-ins for the runtime and the plugin.
pub struct Installed {
    pub folder: PathBuf,
    pub archive: Written,
}

pub fn installed() -> &'static Installed {
    static INSTALLED: OnceLock<Installed> = OnceLock::new();
    INSTALLED.get_or_init(|| {
        let folder = process_folder("record-command");
        link(Path::new(env!("CARGO_BIN_EXE_kymo")), &folder.join("bin/kymo"));
        fs::create_dir_all(folder.join("lib")).expect("a folder");
        cc(&["-shared", "-fPIC", &source("fake_process.c")], &folder.join("lib/libkymo_runtime.so"));
        fs::write(folder.join("lib/libscorep_substrate_kymo.so"), "").expect("a file");
        let mut trace = world();
        trace.event(0, 100, Enter { region: RegionRef(0) });
        trace.event(0, 200, Leave { region: RegionRef(0) });
        trace.event(1, 100, Enter { region: RegionRef(0) });
        trace.event(1, 200, Leave { region: RegionRef(0) });
        trace.event(2, 100, Enter { region: RegionRef(0) });
        trace.event(2, 200, Leave { region: RegionRef(0) });
        Installed { folder, archive: trace.write() }
    })
}

/// A folder in which `kymo record` runs.
pub struct TestFolder(pub TempDir);

impl TestFolder {
    pub fn new() -> Self {
        Self(TempDir::new().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Returns the command with the signal dispositions that a terminal sets. Background jobs start
    /// with some signals ignored, and their children inherit that.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("env");
        command.arg("--default-signal=HUP,INT,TERM").arg(installed().folder.join("bin/kymo"));
        command.arg("record").args(arguments).current_dir(self.0.path());
        command.env("KYMO_TEST_ARCHIVE", installed().archive.folder.path());
        // Scratch files of others are not seen.
        command.env("SCOREP_SUBSTRATE_KYMO_SCRATCH", self.0.path());
        for variable in
            ["SCOREP_EXPERIMENT_DIRECTORY", "SCOREP_FILTERING_FILE", "SCOREP_SUBSTRATE_PLUGINS", "LD_PRELOAD"]
        {
            command.env_remove(variable);
        }
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ended {
        Ended::of(&self.command(arguments).stdin(Stdio::null()).output().expect("running kymo"))
    }

    /// Returns the names in a folder, sorted.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).expect("a folder").flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Returns the number of processes (two per archive) and of events of an archive that must be
    /// sound.
    pub fn content(&self, folder: &str) -> (usize, u64) {
        let anchor = self.path(folder).join("kymo/traces.otf2");
        let report = check(&anchor, &[]);
        assert!(report.findings.is_empty(), "{}: {report:?}", anchor.display());
        let archive = Archive::open(&anchor).expect("an archive");
        let file = archive.global_definitions().expect("definitions");
        file.records().expect("records").fold((0, 0), |(groups, events), record| {
            match record.expect("a record") {
                GlobalDefinition::LocationGroup(_) => (groups + 1, events),
                GlobalDefinition::Location(location) => (groups, events + location.number_of_events),
                _ => (groups, events),
            }
        })
    }
}

pub fn write_program(path: &Path, content: &[u8]) {
    let written = path.with_extension("written");
    fs::write(&written, content).expect("a file");
    install_program(&written, path);
    fs::remove_file(&written).expect("to remove a file");
}

/// Copies a program in a process of its own. If this process opened the copy for writing, children
/// of other tests could keep it open, and it could not be run ("text file busy").
pub fn install_program(from: &Path, to: &Path) {
    let status = Command::new("install").args(["-m", "755"]).args([from, to]).status().expect("install");
    assert!(status.success(), "{}: {status}", to.display());
}
