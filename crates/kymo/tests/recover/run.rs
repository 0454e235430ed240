//! A run that was cut off, in its own folder; `kymo recover` on it, and the verdict of other tools
//! on the result.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::read::Archive;
use kymo_recorder::clock::Reading;
use kymo_recorder::journal::{ClockEntry, Entry};
use tempfile::TempDir;

use kymo_recorder_testing::program::texts_in;
pub(crate) use kymo_recorder_testing::program::{calls, definitions, location, texts};
use kymo_recorder_testing::scratch::Scratch;

/// A folder with an experiment directory `exp` and a folder `shm`.
pub(crate) struct Run {
    folder: TempDir,
}

impl Run {
    pub(crate) fn new() -> Self {
        let run = Self { folder: TempDir::new().unwrap() };
        for folder in ["exp/kymo/traces", "exp/kymo/recovery", "shm"] {
            fs::create_dir_all(run.path(folder)).unwrap();
        }
        run
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn events(&self, location: u64, bytes: &[u8]) {
        self.write(&format!("exp/kymo/traces/{location}.evt"), bytes);
    }

    /// Writes the scratch file and the note of a rank to their places.
    pub(crate) fn rank(&self, scratch: &Scratch, rank: u32, size: u32) {
        let path = self.path(&format!("shm/kymo-0-{}-3e8.scratch", scratch.process));
        fs::write(&path, scratch.bytes()).unwrap();
        let note = scratch.note_text(path.to_str().unwrap(), rank, size);
        self.write(&format!("exp/kymo/recovery/{rank}.note"), note);
    }

    /// Runs the command in the folder of the run. Of other runs, it sees only files in shared
    /// memory.
    pub(crate) fn recover(&self, arguments: &[&str]) -> Outcome {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kymo"));
        command.arg("recover").args(arguments).current_dir(self.path("")).env_remove("TMPDIR");
        Outcome(command.output().expect("running kymo"))
    }

    /// Returns the contents of all files, by their paths.
    pub(crate) fn files(&self, name: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let folder = self.path(name);
        let files = if folder.is_dir() { kymo_testdata::files(&folder) } else { BTreeMap::new() };
        files.into_iter().map(|(path, bytes)| (folder.join(path), bytes)).collect()
    }

    /// Reads the archive `exp-recovered`, which `kymo check` and otf2-print must accept.
    pub(crate) fn recovered(&self) -> Recovered {
        self.recovered_in("exp-recovered")
    }

    pub(crate) fn recovered_in(&self, folder: &str) -> Recovered {
        let anchor = self.path(folder).join("traces.otf2");
        let check = Command::new(env!("CARGO_BIN_EXE_kymo")).arg("check").arg(&anchor).output().unwrap();
        assert_eq!(check.status.code(), Some(0), "{}", String::from_utf8_lossy(&check.stdout));
        let printed = otf2_print(&anchor);
        let archive = Archive::open(&anchor).unwrap();
        let recovered = Recovered { archive };
        if let Some(printed) = printed {
            let calls = printed.lines().filter(|line| line.starts_with("ENTER") || line.starts_with("LEAVE"));
            assert_eq!(calls.count(), recovered.calls());
        }
        recovered
    }
}

/// Returns the output of otf2-print, run with a time limit. Returns `None`, and reports it, if it
/// is not installed.
fn otf2_print(anchor: &Path) -> Option<String> {
    if !kymo_testdata::is_installed("otf2-print") {
        return None;
    }
    let output =
        Command::new("timeout").args(["300", "otf2-print"]).arg(anchor).output().expect("running timeout");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// The end of a `kymo recover` and its output.
pub(crate) struct Outcome(Output);

impl Outcome {
    pub(crate) fn status(&self) -> i32 {
        self.0.status.code().expect("an exit status")
    }

    pub(crate) fn out(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    /// Returns standard error without messages about scratch files that other tests leave in shared
    /// memory.
    pub(crate) fn errors(&self) -> String {
        let text = String::from_utf8(self.0.stderr.clone()).unwrap();
        let is_other = |line: &&str| {
            line.contains("another run can be recovered") || line.contains("scratch files of other runs")
        };
        text.lines().filter(|line| !is_other(line)).map(|line| format!("{line}\n")).collect()
    }

    /// Returns all of standard error.
    pub(crate) fn all(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    #[track_caller]
    pub(crate) fn ends(&self, status: i32) -> &Self {
        assert_eq!(self.status(), status, "{}{}", self.out(), self.errors());
        self
    }

    #[track_caller]
    pub(crate) fn reports(&self, what: &str) -> &Self {
        let all = self.out() + &self.errors();
        assert!(all.contains(what), "no `{what}` in\n{all}");
        self
    }
}

/// A recovered archive.
pub(crate) struct Recovered {
    archive: Archive,
}

impl Recovered {
    /// Returns the events of a location as text.
    pub(crate) fn events(&self, location: u64) -> Vec<String> {
        texts_in(&self.archive, location)
    }

    fn calls(&self) -> usize {
        let is_call = |text: &String| text.contains(" Enter(") || text.contains(" Leave(");
        let locations = self.archive.locations().unwrap();
        locations.iter().flat_map(|&location| self.events(location)).filter(is_call).count()
    }

    pub(crate) fn property(&self, name: &str) -> Option<String> {
        let anchor = self.archive.anchor();
        let property = anchor.properties.iter().find(|property| property.name.as_bytes() == name.as_bytes());
        property.map(|property| property.value.to_string())
    }

    /// Returns the results of `show` for the global definitions, in order.
    pub(crate) fn definitions<T>(&self, show: impl Fn(&GlobalDefinition<'_>) -> Option<T>) -> Vec<T> {
        let file = self.archive.global_definitions().unwrap();
        file.records().unwrap().filter_map(|record| show(&record.unwrap())).collect()
    }

    /// Returns the strings by id.
    pub(crate) fn strings(&self) -> BTreeMap<u32, String> {
        let string = |record: &GlobalDefinition<'_>| match record {
            GlobalDefinition::String(it) => Some((it.id.0, it.string.to_string())),
            _ => None,
        };
        self.definitions(string).into_iter().collect()
    }
}

/// Returns a clock entry at this time, in nanoseconds.
pub(crate) fn clock(time: u64, ahead: i64) -> Entry<'static> {
    let reading = Reading { counter: time, monotonic_raw: time, monotonic: time, realtime: time };
    Entry::Clock(ClockEntry { clock: 1, reading, node: 5, ahead })
}

/// Returns the scratch file of a process with one location, all of whose events are in it.
pub(crate) fn process(rank: u32, size: u32, events: &[u8]) -> Scratch {
    let mut scratch = Scratch::new(4_000_000 + rank);
    scratch.rank = Some(rank);
    scratch.node = "somewhere".into();
    scratch.boot = "once".into();
    scratch.note(&Entry::Definitions(&definitions(["main", "solve", "exchange"])));
    scratch.note(&Entry::Process { rank, size });
    scratch.note(&location(0, rank.into(), "Master thread"));
    scratch.note(&clock(100, 0));
    scratch.slot(0, Some(rank.into()), 0);
    scratch.piece(0, 1, 0, events);
    scratch
}
