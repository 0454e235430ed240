//! The folder of a measurement, and what becomes of it.
//!
//! ```text
//! kymo-program-1/process-4711-3141592/kymo/traces.otf2   while it is recorded, one folder for each process
//! kymo-program-1/kymo/traces.otf2                        in the end
//! ```

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::part::Part;
use super::program::Program;
use super::refusal::Refusal;
use crate::merge;
use crate::recover::Recovered;
use crate::status::Status;
use crate::tree;

pub(super) const ANCHOR: &str = "kymo/traces.otf2";
const PART: &str = "process-";
/// More measurements of a program in one folder than anybody keeps.
const NUMBERS: u32 = 100_000;

/// A folder that was made for a measurement.
#[derive(Debug)]
pub(super) struct Experiment {
    folder: PathBuf,
    /// As it is said.
    shown: PathBuf,
    /// Not there before.
    is_new: bool,
}

/// What was recorded.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The archive, as it is shown.
    pub(super) archive: Option<PathBuf>,
    /// Processes that were cut off and are in the archive.
    pub(super) cut_off: CutOff,
    /// Processes that were cut off before they recorded anything.
    pub(super) empty: usize,
    /// Whether something that was recorded is not in the archive.
    pub(super) is_partial: bool,
    /// Folders of processes that recorded.
    pub(super) parts: usize,
}

/// What there was of processes that were cut off.
#[derive(Debug, Default)]
pub(super) struct CutOff {
    pub(super) processes: u64,
    /// Regions that were left for them.
    pub(super) closed: u64,
    /// Events that are missing.
    pub(super) lost: u64,
}

impl CutOff {
    pub(super) fn add(&mut self, recovered: &Recovered) {
        self.processes += 1;
        self.closed += recovered.closed();
        self.lost += recovered.lost();
    }
}

impl Experiment {
    /// Makes the folder.
    pub(super) fn create(option: Option<&Path>, program: &Program) -> Result<Self, Refusal> {
        let given = env::var_os("SCOREP_EXPERIMENT_DIRECTORY").filter(|folder| !folder.is_empty());
        match option.map(Path::to_owned).or(given.map(PathBuf::from)) {
            Some(folder) => Self::at(folder),
            None => Self::numbered(&program.short_name()),
        }
    }

    fn at(shown: PathBuf) -> Result<Self, Refusal> {
        let is_new = !shown.exists();
        fs::create_dir_all(&shown).map_err(|error| unwritable(&shown, &error))?;
        let names = tree::names(&shown).map_err(|error| Refusal::io(&shown, &error))?;
        if !names.is_empty() {
            return Err(Refusal::failed(format_args!("{}: is not empty", shown.display()))
                .hint("measurements do not mix: name another folder (-o DIR)"));
        }
        Self::made(shown, is_new)
    }

    fn numbered(program: &str) -> Result<Self, Refusal> {
        for number in 1..NUMBERS {
            let shown = PathBuf::from(format!("kymo-{program}-{number}"));
            match fs::create_dir(&shown) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(unwritable(&shown, &error)),
                Ok(()) => return Self::made(shown, true),
            }
        }
        Err(Refusal::failed("there are too many measurements here").hint("name a folder (-o DIR)"))
    }

    fn made(shown: PathBuf, is_new: bool) -> Result<Self, Refusal> {
        let folder = shown.canonicalize().map_err(|error| Refusal::io(&shown, &error))?;
        Ok(Self { folder, shown, is_new })
    }

    /// Absolute path.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path as it is said.
    pub(super) fn shown(&self) -> &Path {
        &self.shown
    }

    /// The program did not begin.
    pub(super) fn discard(&self) {
        if self.is_new {
            // Not empty, if something was written after all.
            let _ = fs::remove_dir(&self.folder);
        }
    }

    /// Makes one archive of those of the processes, that of `first` before the others. What was cut off is recovered if the kymo plugin
    /// wrote it.
    pub(super) fn collect(&self, first: u32, recovers: bool) -> Outcome {
        let paths = self.parts(first);
        let mut outcome = Outcome { parts: paths.len(), ..Outcome::default() };
        let parts: Vec<Part> =
            paths.into_iter().filter_map(|path| Part::take(path, recovers, &mut outcome)).collect();
        let is_made = match &parts[..] {
            [] => self.shown.join(ANCHOR).is_file(),
            [one] => one.become_all(&self.folder).is_ok(),
            several => self.merge(several),
        };
        outcome.is_partial |= (!is_made && !parts.is_empty()) || parts.iter().any(Part::is_partial);
        outcome.archive = is_made.then(|| self.shown.join(ANCHOR));
        outcome
    }

    /// Folders of processes, in the order in which they began.
    fn parts(&self, first: u32) -> Vec<PathBuf> {
        let names = tree::names(&self.folder).unwrap_or_default();
        let mut parts: Vec<(bool, u64, u64, PathBuf)> = names
            .iter()
            .filter_map(|name| {
                let (process, began) = numbers(name)?;
                Some((process != u64::from(first), began, process, self.folder.join(name)))
            })
            .collect();
        parts.sort();
        parts.into_iter().map(|(.., path)| path).collect()
    }

    fn merge(&self, parts: &[Part]) -> bool {
        let archives = parts.iter().map(Part::anchor).collect();
        let names = parts.iter().map(|part| part.path.join(ANCHOR)).collect();
        let recovered = parts.iter().any(Part::is_recovered);
        let properties = recovered.then(|| ("KYMO::RECOVERED".to_owned(), true.to_string()));
        let merge = merge::Arguments::of(archives, self.folder.join(ANCHOR));
        if merge.named(names, properties.into_iter().collect()).run() != Status::Done {
            parts.iter().for_each(Part::undo);
            return false;
        }
        // What stands beside the archive of the first process stands for the measurement.
        let above = |number| (number == 0).then_some(self.folder.as_path());
        parts.iter().enumerate().for_each(|(number, part)| part.go(above(number)));
        true
    }
}

/// Process and start time of `process-<process>-<start>`.
pub(super) fn numbers(name: &OsStr) -> Option<(u64, u64)> {
    let mut numbers = name.to_str()?.strip_prefix(PART)?.split('-').map(str::parse::<u64>);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

fn unwritable(folder: &Path, error: &io::Error) -> Refusal {
    Refusal::io(folder, error).hint("name a folder that can be written to (-o DIR)")
}
