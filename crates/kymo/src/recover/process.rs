//! A process of `kymo record` that was cut off: its archive is made silently, and its remains are
//! removed once that archive is safe.

use std::path::{Path, PathBuf};

use kymo_recorder::recovery::{self, Report};

use super::Job;
use super::clean;
use super::complete;
use super::find::{Places, Search};
use super::input::Input;
use super::machine::Machine;
use crate::output::complain;
use crate::problem::Problem;
use crate::status::Status;

/// The result for a process without a complete archive.
#[derive(Debug)]
pub(crate) enum Taken {
    /// An archive was made.
    Archive(Box<Recovered>),
    /// It left nothing, and nothing is missing.
    Nothing,
    /// It is still running.
    Running,
}

/// The source of a recovered archive.
#[derive(Debug)]
pub(crate) struct Recovered {
    report: Report,
    search: Search,
    folder: Option<PathBuf>,
    lacks_some: bool,
}

impl Recovered {
    /// Returns the number of processes: several if they are the ranks of an MPI program.
    pub(crate) fn processes(&self) -> u64 {
        self.report.ranks.len().max(1) as u64
    }

    /// Returns the number of regions that were closed.
    pub(crate) fn closed(&self) -> u64 {
        self.report.sum(|it| it.events.closed)
    }

    /// Returns the number of events that are not in the archive.
    pub(crate) fn lost(&self) -> u64 {
        self.report.lost()
    }

    /// Whether some remains are not in the archive.
    pub(crate) fn is_partial(&self) -> bool {
        self.lacks_some || self.report.is_partial()
    }

    /// Removes the files from which the archive was made.
    pub(crate) fn clean(&self) -> Result<(), Problem> {
        clean::clean(&self.search, self.folder.as_deref(), &Machine::here())
    }
}

/// Whether the process that wrote into this directory has a complete archive.
pub(crate) fn is_complete(directory: &Path) -> bool {
    complete::is_complete(&directory.join("kymo")).unwrap_or(false)
}

/// Facts about a process in addition to its remains.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Its name, if known.
    pub(crate) name: Option<String>,
    /// Further facts for its archive.
    pub(crate) more: recovery::Known,
}

/// Makes an archive from the remains of the process that wrote into this directory.
pub(crate) fn take(directory: &Path, anchor: &Path, known: Known) -> Result<Taken, Problem> {
    let input = Input::of(&[directory.to_owned()])?;
    let machine = Machine::here();
    let mut search = Places { input: &input, folders: &[], machine: &machine }.search()?;
    if !search.running.is_empty() {
        return Ok(Taken::Running);
    }
    let lacks_some = !search.absent.is_empty();
    if search.found.is_empty() {
        search.absent.iter().for_each(|what| complain(what));
        return match lacks_some {
            true => Err(Problem::of(directory, "cannot be recovered here", Status::Environment)),
            false => Ok(Taken::Nothing),
        };
    }
    let (properties, known_facts) = (&[], known.more);
    let job = Job { input: &input, anchor, properties, closes: true, known: known_facts, is_named: false };
    let mut members = search.members()?;
    if let [member] = &mut members[..] {
        member.name = known.name.unwrap_or_else(|| member.name.clone());
    }
    let report = job.write(members, search.size)?;
    search.absent.iter().for_each(|what| complain(what));
    Ok(Taken::Archive(Box::new(Recovered { report, search, folder: input.folder, lacks_some })))
}
