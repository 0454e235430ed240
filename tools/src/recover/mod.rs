//! `kymo recover`: makes an archive out of what a run left behind that did not get to end.
//!
//! [`find`] looks for what is left of each process, `kymo_recorder::recovery` makes an archive of it, [`table`] says what was found,
//! kept and lost. Invariants: nothing of the input is changed unless `--clean` asks for it, and then only after an archive has been
//! made that lacks nothing; the anchor is written last.

mod clean;
mod complete;
mod find;
mod input;
mod launch;
mod machine;
mod repair;
mod scratch;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use kymo_otf2::storage::{Directory, Memory};
use kymo_otf2::{Error, FileName, Storage};
use kymo_recorder::recovery::{Job, Report, Settings};

use self::find::{Places, Running, Search};
use self::input::Input;
use self::machine::Machine;
use crate::merge::output::{self, Output};
use crate::merge::problem::Problem;
use crate::output::{complain, print};
use crate::progress::Progress;
use crate::status::Status;

const CREATOR: &str = concat!("Kymo ", env!("CARGO_PKG_VERSION"));

/// Make an archive out of what a run left behind that was killed
#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 done, 1 a scratch file has errors, 2 usage, 3 done, but something is missing in the archive, \
                  4 input/output, or there is nothing to recover"
)]
pub(crate) struct Arguments {
    /// Experiment directory, the folder `kymo` in it, or scratch files
    #[arg(value_name = "DIR|SCRATCH", required = true)]
    paths: Vec<PathBuf>,
    /// Folder, or anchor file (*.otf2), of the new archive [default: DIR with `-recovered` appended]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write a leave for every region that was not left (the default)
    #[arg(long, conflicts_with = "leave_open")]
    close_regions: bool,
    /// Leave the regions open that were not left
    #[arg(long)]
    leave_open: bool,
    /// Another folder in which to look for scratch files
    #[arg(long, value_name = "FOLDER")]
    scratch: Vec<PathBuf>,
    /// Take what is there of processes that still run
    #[arg(long)]
    running: bool,
    /// Remove scratch files and the folder `recovery` if the new archive lacks nothing of them
    #[arg(long)]
    clean: bool,
}

impl Arguments {
    /// Recovers what was given.
    pub(crate) fn run(self) -> Status {
        match self.recover() {
            Ok(status) => status,
            Err(problem) => problem.report(),
        }
    }

    fn recover(&self) -> Result<Status, Problem> {
        let input = Input::of(&self.paths)?;
        let machine = Machine::here();
        let places = Places { input: &input, folders: &self.scratch, machine: &machine };
        let mut search = places.search()?;
        let path = self.output(&input)?;
        let folder = input.folder.as_deref();
        let is_complete = folder.map_or(Ok(false), complete::is_complete)?;
        let status = match folder.filter(|_| is_complete) {
            Some(folder) => self.take_complete(folder, &input, &mut search, &path)?,
            None => self.write(&input, &mut search, &path)?,
        };
        // A process that runs still needs them.
        if self.clean && status == Status::Done && search.running.is_empty() {
            clean::clean(&search, input.folder.as_deref(), &machine)?;
        }
        Ok(status)
    }

    /// An archive with its anchor. If it is damaged, what processes have left behind is better, provided that all of them did.
    fn take_complete(
        &self,
        folder: &Path,
        input: &Input,
        search: &mut Search,
        path: &Path,
    ) -> Result<Status, Problem> {
        let damaged = complete::damaged(folder)?;
        // A seal that is damaged itself says nothing of the files.
        let is_whole = damaged.iter().all(|&file| file == FileName::Seal);
        if is_whole {
            return complete::copy(folder, damaged.is_empty(), &Output::at(path)?);
        }
        if search.has_all() {
            return self.write(input, search, path);
        }
        complete::repair(folder, &damaged, &Output::at(path)?, !self.leave_open)
    }

    /// The new anchor file.
    fn output(&self, input: &Input) -> Result<PathBuf, Problem> {
        let path = self.output.clone().unwrap_or_else(|| input.default_output());
        let path = output::anchor(&path);
        if input.has(&path) {
            return Err(Problem::of(&path, "lies in what is to be recovered", Status::Usage));
        }
        Ok(path)
    }

    fn write(&self, input: &Input, search: &mut Search, path: &Path) -> Result<Status, Problem> {
        if !self.running {
            search.running.first().map_or(Ok(()), |running| Err(refusal(running)))?;
        }
        tell_of_others(&search.others);
        let members = search.members()?;
        search.absent.iter().for_each(|what| complain(what));
        if members.is_empty() {
            let given = self.paths.first().map_or(Path::new(""), PathBuf::as_path);
            return Err(Problem::of(given, "there is nothing to recover", Status::Environment));
        }
        let files: Arc<dyn Storage> = match input.folder.as_deref().map(Directory::open) {
            Some(Ok(directory)) => Arc::new(directory),
            _ => Arc::new(Memory::new()),
        };
        let output = Output::at(path)?;
        let progress = Progress::new(true);
        let settings =
            Settings { closes: !self.leave_open, creator: CREATOR, progress: &|events| progress.add(events) };
        let job = Job::new(members, search.size, &files).map_err(|error| problem(&output, &*error))?;
        let written = job.write(&output.storage, &settings).map_err(|error| problem(&output, &*error));
        drop(progress);
        output.finish(written).map(|report| said(&report, &output))
    }
}

/// Whether there is something to recover of a process that was to write into this directory.
pub(crate) fn finds_something(directory: &Path) -> bool {
    let Ok(input) = Input::of(&[directory.to_owned()]) else { return false };
    let has_begun = input.folder.as_ref().is_some_and(|folder| folder.is_dir());
    let machine = Machine::here();
    let places = Places { input: &input, folders: &[], machine: &machine };
    has_begun || places.search().is_ok_and(|search| !search.found.is_empty())
}

/// Scratch files of other runs that are named.
const OTHERS: usize = 3;

fn tell_of_others(others: &[PathBuf]) {
    for path in others.iter().take(OTHERS) {
        complain(&format!("another run left something behind: kymo recover {}", path.display()));
    }
    if others.len() > OTHERS {
        complain(&format!("{} more scratch files of other runs lie there", others.len() - OTHERS));
    }
}

fn refusal(running: &Running) -> Problem {
    let rank = running.rank.map_or_else(String::new, |rank| format!(" (rank {rank})"));
    let process = running.process;
    Problem::environment(format_args!(
        "process {process}{rank} still runs; wait for its end, or take what is there now with --running"
    ))
}

fn problem(output: &Output, error: &(dyn std::error::Error + Send + Sync + 'static)) -> Problem {
    match error.downcast_ref::<Error>() {
        Some(error) => output.problem(error),
        None => Problem::environment(error),
    }
}

/// Says what came of it.
fn said(report: &Report, output: &Output) -> Status {
    let printed = print(&table::text(report));
    table::remarks(report).iter().for_each(|what| complain(what));
    let status = if report.is_partial() { Status::Partial } else { Status::Done };
    status.max(printed).max(print(&format!("{}\n", output.anchor().display())))
}
