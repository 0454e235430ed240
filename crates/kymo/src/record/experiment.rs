//! The folder of a measurement, and how the archives of processes in it become one.
//!
//! ```text
//! kymo-program-1/process-4711-3141592/kymo/traces.otf2   while recording, one folder per process
//! kymo-program-1/kymo/traces.otf2                        after all processes have ended
//! ```
//!
//! A rank of a job has such a folder inside that of the job ([`super::job`]).

use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use kymo_launch::Launch;
use kymo_recorder::real_path;

use super::error::RecordError;
use super::job::Job;
use super::process_archive::ProcessArchive;
use super::program::Program;
use crate::problem::Problem;
use crate::recover::{self, Recovered};
use crate::tree;
use crate::{function_names, merge};

pub(super) const ANCHOR: &str = "kymo/traces.otf2";
const PART: &str = "process-";
/// More measurements of a program than any folder contains.
const NUMBERS: u32 = 100_000;

/// A folder that was created for a measurement.
#[derive(Debug)]
pub(super) struct Experiment {
    folder: PathBuf,
    /// The path as messages show it.
    shown: PathBuf,
    /// Whether the folder did not exist before.
    is_new: bool,
    /// The job, if the program is a rank of one.
    pub(super) job: Option<Job>,
}

/// The folder of a measurement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Folder<'a> {
    pub(super) path: &'a Path,
    /// The path as messages show it.
    pub(super) shown: &'a Path,
}

/// The result of a measurement.
#[derive(Debug, Default, Clone)]
pub(super) struct Outcome {
    /// The path of the archive, as messages show it.
    pub(super) archive: Option<PathBuf>,
    /// Processes that were cut off and whose data is in the archive.
    pub(super) cut_off: CutOff,
    /// The number of processes that were cut off before they recorded anything.
    pub(super) empty: usize,
    /// Whether some recorded data is not in the archive.
    pub(super) is_partial: bool,
    /// Whether that is because the disk or the quota is full.
    pub(super) is_full: bool,
    /// The number of processes that recorded, each in its folder.
    pub(super) parts: usize,
    /// The ranks of the job, out of `size`, that have not started.
    pub(super) absent: Vec<u32>,
    pub(super) size: usize,
}

/// Facts about the processes that are not in their folders.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// The process ID of the first process.
    pub(super) first: u32,
    /// The signals that ended processes, by process ID, as far as this process waited for them.
    pub(super) signals: HashMap<u32, i32>,
    /// Whether the kymo plugin was used, so that the data of processes that were cut off can be
    /// recovered.
    pub(super) recovers: bool,
    /// The rate of the time stamp counter.
    pub(super) resolution: Option<u64>,
}

/// Counts about processes that were cut off.
#[derive(Debug, Default, Clone)]
pub(super) struct CutOff {
    pub(super) processes: u64,
    /// The number of regions that were still open and have been closed.
    pub(super) closed: u64,
    /// The number of events that were lost.
    pub(super) lost: u64,
}

impl Outcome {
    /// Notes that recorded data is not in the archive. Of several reasons, the first is reported,
    /// unless the disk is full: the final lines state that.
    pub(super) fn lack(&mut self, reason: &Problem) {
        // The others fail for the same reason, and there may be thousands.
        if !self.is_partial && !reason.is_full() {
            reason.report();
        }
        self.is_full |= reason.is_full();
        self.is_partial = true;
    }
}

impl CutOff {
    pub(super) fn add(&mut self, recovered: &Recovered) {
        self.processes += recovered.processes();
        self.closed += recovered.closed();
        self.lost += recovered.lost();
    }
}

impl Experiment {
    /// Creates the folder.
    pub(super) fn create(option: Option<&Path>, program: &Program) -> Result<Self, RecordError> {
        let given = env::var_os("SCOREP_EXPERIMENT_DIRECTORY").filter(|folder| !folder.is_empty());
        let folder = option.map(Path::to_owned).or(given.map(PathBuf::from));
        match (Launch::here().filter(Launch::has_others), folder) {
            (Some(launch), folder) => {
                let job = Job::find(launch, folder, &program.short_name())?;
                let own = Self::of_rank(job.own(), job.own_shown());
                Ok(Self { job: Some(job), ..own })
            }
            (None, Some(folder)) => Self::at(folder),
            (None, None) => Self::made(numbered(&program.short_name())?, true),
        }
    }

    /// Returns the folder of a rank, which exists.
    pub(super) fn of_rank(folder: PathBuf, shown: PathBuf) -> Self {
        Self { folder, shown, is_new: true, job: None }
    }

    fn at(shown: PathBuf) -> Result<Self, RecordError> {
        let is_new = !shown.exists();
        fs::create_dir_all(&shown).map_err(|error| unwritable(&shown, &error))?;
        let names = tree::names(&shown).map_err(|error| RecordError::io(&shown, &error))?;
        if !names.is_empty() {
            return Err(RecordError::failed(format_args!("{}: is not empty", shown.display()))
                .hint("every measurement needs its own folder: choose another one (-o DIR)"));
        }
        Self::made(shown, is_new)
    }

    fn made(shown: PathBuf, is_new: bool) -> Result<Self, RecordError> {
        let folder = real_path(&shown).map_err(|error| RecordError::io(&shown, &error))?;
        Ok(Self { folder, shown, is_new, job: None })
    }

    /// Returns the absolute path.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path as messages show it.
    pub(super) fn shown(&self) -> &Path {
        &self.shown
    }

    /// Announces that this process will take care of the files that the program records, until the
    /// result is dropped.
    pub(super) fn hold(&self) -> Option<File> {
        recover::hold(self.job.as_ref().map_or(&*self.folder, Job::folder))
    }

    /// Whether this process prints the remarks about the whole run. In a job, rank 0 does.
    pub(super) fn speaks(&self) -> bool {
        self.job.as_ref().is_none_or(Job::is_first)
    }

    /// Removes the folder, because the program did not start.
    pub(super) fn discard(&self) {
        if self.is_new {
            // This fails if something was written after all.
            let _ = fs::remove_dir(&self.folder);
        }
    }

    /// Turns the archives of the processes into one. The data of processes that were cut off is
    /// recovered if the kymo plugin wrote it. Processes that did nothing but begin and end are left
    /// out, unless there are no others.
    pub(super) fn collect(&self, facts: &Facts) -> Outcome {
        let paths = self.parts(facts.first);
        let mut outcome = Outcome { parts: paths.len(), ..Outcome::default() };
        let parts: Vec<ProcessArchive> =
            paths.into_iter().filter_map(|path| ProcessArchive::take(path, facts, &mut outcome)).collect();
        let is_bare = |part: &ProcessArchive| !part.is_recovered() && part.content.is_bare();
        let has_more = parts.iter().any(|part| !is_bare(part));
        let (mut bare, mut parts): (Vec<ProcessArchive>, Vec<ProcessArchive>) =
            parts.into_iter().partition(|part| has_more && is_bare(part));
        if !has_more {
            bare.extend(parts.drain(1.min(parts.len())..));
        }
        let parts = creators_first(parts);
        let is_made = match &parts[..] {
            [] => self.shown.join(ANCHOR).is_file(),
            [one] => one.become_all(&self.folder).is_ok(),
            several => self.merge(several).map_err(|problem| outcome.lack(&problem)).is_ok(),
        };
        if is_made {
            self.remove_bare(&bare, facts.first);
        }
        // The ranks of a job do this together.
        if is_made && self.job.is_none() {
            look_up_names(&self.folder);
        }
        outcome.is_partial |= (!is_made && !parts.is_empty()) || parts.iter().any(ProcessArchive::is_partial);
        outcome.archive = is_made.then(|| self.shown.join(ANCHOR));
        outcome
    }

    /// Returns the folders of the processes, sorted by rank; within a rank, the first process
    /// precedes the others, which are sorted by their start.
    fn parts(&self, first: u32) -> Vec<PathBuf> {
        let names = tree::names(&self.folder).unwrap_or_default();
        let mut parts: Vec<(u64, bool, u64, u64, PathBuf)> = names
            .iter()
            .filter_map(|name| {
                let (process, began) = numbers(name)?;
                let rank = rank(name).unwrap_or(u64::MAX);
                Some((rank, process != u64::from(first), began, process, self.folder.join(name)))
            })
            .collect();
        parts.sort();
        parts.into_iter().map(|(.., path)| path).collect()
    }

    fn merge(&self, parts: &[ProcessArchive]) -> Result<(), Problem> {
        let archives = parts.iter().map(ProcessArchive::anchor).collect();
        let names = parts.iter().map(|part| part.path.join(ANCHOR)).collect();
        let recovered = parts.iter().any(ProcessArchive::is_recovered);
        let properties = recovered.then(|| ("KYMO::RECOVERED".to_owned(), true.to_string()));
        let merge = merge::Arguments::of(archives, self.folder.join(ANCHOR)).created_by(creators(parts));
        let merged = merge.named(names, properties.into_iter().collect()).merge();
        if merged.is_err() {
            parts.iter().for_each(ProcessArchive::undo);
            return merged;
        }
        // The files next to the archive of the first process are kept for the measurement.
        let above = |number| (number == 0).then_some(self.folder.as_path());
        for (number, part) in parts.iter().enumerate() {
            part.go(above(number));
        }
        Ok(())
    }

    fn remove_bare(&self, bare: &[ProcessArchive], first: u32) {
        for part in bare {
            let process = part.path.file_name().and_then(numbers).map(|(process, _)| process);
            // The files next to its archive are kept for the measurement, unless there are those of
            // another.
            let is_first = process == Some(first.into()) && !self.folder.join("scorep.cfg").exists();
            part.go(is_first.then_some(self.folder.as_path()));
        }
    }
}

/// Looks up the names of sampled functions in the archive of a measurement. A problem is reported;
/// nothing that was recorded is missing then.
pub(super) fn look_up_names(folder: &Path) {
    let _ = function_names::look_up(&folder.join(ANCHOR)).map_err(|problem| problem.report());
}

/// Creates a new folder named after the program and returns it.
pub(super) fn numbered(program: &str) -> Result<PathBuf, RecordError> {
    for number in 1..NUMBERS {
        let shown = PathBuf::from(format!("kymo-{program}-{number}"));
        match fs::create_dir(&shown) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(unwritable(&shown, &error)),
            Ok(()) => return Ok(shown),
        }
    }
    Err(RecordError::failed("too many measurements in this folder").hint("choose a folder (-o DIR)"))
}

/// Moves parts before those whose processes they created, since references in archives point
/// backward: a launcher has no rank, so it follows the ranks that it started.
fn creators_first(parts: Vec<ProcessArchive>) -> Vec<ProcessArchive> {
    let creators = creators(&parts);
    let mut parts: Vec<Option<ProcessArchive>> = parts.into_iter().map(Some).collect();
    let mut ordered = Vec::with_capacity(parts.len());
    for number in 0..parts.len() {
        let start = ordered.len();
        let mut next = Some(number);
        while let Some(part) = next.and_then(|number| parts[number].take()) {
            ordered.push(part);
            next = next.and_then(|number| creators[number]);
        }
        ordered[start..].reverse();
    }
    ordered
}

/// Returns, for each part, the number of the part whose process created it: the same process before
/// it executed another program, else its nearest ancestor.
fn creators(parts: &[ProcessArchive]) -> Vec<Option<usize>> {
    let known: Vec<(u64, u64)> =
        parts.iter().map(|part| part.path.file_name().and_then(numbers).unwrap_or_default()).collect();
    let mut by_process: HashMap<u64, Vec<(u64, usize)>> = HashMap::new();
    for (number, &(process, began)) in known.iter().enumerate() {
        by_process.entry(process).or_default().push((began, number));
    }
    let last = |process: u64, before: u64| {
        let earlier = by_process.get(&process)?.iter().filter(|(began, _)| *began < before);
        earlier.max().map(|&(_, number)| number)
    };
    let creator = |(part, &(process, began)): (&ProcessArchive, &(u64, u64))| {
        let mut above = std::iter::once(process).chain(part.content.ancestors.iter().copied());
        above.find_map(|process| last(process, began))
    };
    parts.iter().zip(&known).map(creator).collect()
}

/// Returns the process and the start time in `process-<process>-<start>`.
pub(super) fn numbers(name: &OsStr) -> Option<(u64, u64)> {
    let mut numbers = name.to_str()?.strip_prefix(PART)?.split('-').map(str::parse::<u64>);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// Returns the rank in `process-<process>-<start>-rank-<rank>`.
fn rank(name: &OsStr) -> Option<u64> {
    name.to_str()?.rsplit_once("-rank-")?.1.parse().ok()
}

pub(super) fn unwritable(folder: &Path, error: &io::Error) -> RecordError {
    RecordError::io(folder, error).hint("choose a writable folder (-o DIR)")
}
