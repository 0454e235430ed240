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

use super::program::Program;
use super::refusal::Refusal;
use crate::merge;
use crate::status::Status;
use crate::tree;

const ANCHOR: &str = "kymo/traces.otf2";
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
#[derive(Debug)]
pub(super) struct Outcome {
    /// The archive, as it is said.
    pub(super) archive: Option<PathBuf>,
    /// Folders of processes that have no archive.
    pub(super) incomplete: Vec<PathBuf>,
    /// Folders of processes that recorded.
    pub(super) parts: usize,
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

    /// Makes one archive of those of the processes, that of `first` before the others.
    pub(super) fn collect(&self, first: u32) -> Outcome {
        let parts = self.parts(first);
        let (complete, incomplete): (Vec<_>, Vec<_>) =
            parts.iter().partition(|part| part.join(ANCHOR).is_file());
        let is_made = match &complete[..] {
            [] => self.shown.join(ANCHOR).is_file(),
            [one] => self.take_over(one).is_ok(),
            several => self.merge(several),
        };
        let shown = |part: &&PathBuf| self.shown.join(part.file_name().unwrap_or_default());
        Outcome {
            archive: is_made.then(|| self.shown.join(ANCHOR)),
            incomplete: incomplete.iter().filter(|part| is_cut_off(part)).map(shown).collect(),
            parts: parts.len(),
        }
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

    fn merge(&self, parts: &[&PathBuf]) -> bool {
        let archives = parts.iter().map(|part| part.join(ANCHOR)).collect();
        let merge = merge::Arguments::of(archives, self.folder.join(ANCHOR));
        if merge.run() != Status::Done {
            return false;
        }
        // What stands beside the archive of the first process stands for the measurement.
        let [first, ..] = parts else { return true };
        let _ = tree::remove(&first.join("kymo")).and_then(|()| self.take_over(first));
        parts.iter().for_each(|part| drop(tree::remove(part)));
        true
    }

    /// Moves what is in the folder of a process up.
    fn take_over(&self, part: &Path) -> io::Result<()> {
        for name in tree::names(part)? {
            fs::rename(part.join(&name), self.folder.join(&name))?;
        }
        fs::remove_dir(part)
    }
}

/// Whether a process without an archive did not come to its end, or left something for recovery. One that did, and left nothing, has said
/// why.
fn is_cut_off(part: &Path) -> bool {
    ["running", "kymo/recovery", "kymo/traces"].iter().any(|name| part.join(name).exists())
}

/// Process and start time of `process-<process>-<start>`.
fn numbers(name: &OsStr) -> Option<(u64, u64)> {
    let mut numbers = name.to_str()?.strip_prefix(PART)?.split('-').map(str::parse::<u64>);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

fn unwritable(folder: &Path, error: &io::Error) -> Refusal {
    Refusal::io(folder, error).hint("name a folder that can be written to (-o DIR)")
}
