//! `kymo recover`: makes an archive from the remains of a run that did not end normally.
//!
//! [`find`] finds the remains of each process, `kymo_recorder::recovery` makes an archive from
//! them, and [`table`] reports the numbers of events that were found, kept and lost. Invariants:
//! inputs are not changed unless `--clean` is given, and then only after an archive has been made
//! in which nothing is missing; the anchor is written last.

mod clean;
mod complete;
mod find;
mod input;
mod later;
mod launch;
mod leftovers;
mod machine;
mod parts;
mod process;
mod repair;
mod scratch;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use kymo_otf2::storage::{Directory, Memory};
use kymo_otf2::{Error, FileName, Storage};
use kymo_recorder::recovery::{self, Member, Report, Settings};

use self::find::{Places, Running, Search};
use self::input::Input;
pub(crate) use self::leftovers::{Leftovers, hold};
pub(crate) use self::machine::Machine;
use self::parts::Workshop;
pub(crate) use self::process::{Known, Recovered, Taken, is_complete, take};
use crate::function_names::look_up_in_new;
use crate::merge;
use crate::new_archive::{self, NewArchive};
use crate::output::{complain, inform, is_quiet, print, quoted};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::status::Status;

const CREATOR: &str = concat!("Kymo ", env!("CARGO_PKG_VERSION"));

/// Recover an archive from a run that was killed
#[derive(Debug, Args)]
#[command(after_help = "Exit status: 0 success, 1 a scratch file has errors, 2 usage error, 3 success, but \
                        something is missing from the archive, 4 I/O error, or nothing to recover")]
pub(crate) struct Arguments {
    /// Experiment directory, the folder `kymo` in it, or scratch files
    #[arg(value_name = "DIR|SCRATCH", required = true)]
    paths: Vec<PathBuf>,
    /// Folder or anchor file (*.otf2) of the new archive [default: DIR with `-recovered` appended]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write a leave event for every region that is still open (the default)
    #[arg(long, conflicts_with = "leave_open")]
    close_regions: bool,
    /// Keep open regions open
    #[arg(long)]
    leave_open: bool,
    /// Additional folder to search for scratch files
    #[arg(long, value_name = "FOLDER")]
    scratch: Vec<PathBuf>,
    /// Recover what processes that are still running have recorded so far
    #[arg(long)]
    running: bool,
    /// Remove scratch files and the folder `recovery` if nothing of them is missing from the new
    /// archive
    #[arg(long)]
    clean: bool,
}

impl Arguments {
    /// Recovers the given run.
    pub(crate) fn run(self) -> Status {
        match self.recover() {
            Ok(status) => status,
            Err(problem) => problem.report(),
        }
    }

    fn recover(&self) -> Result<Status, Problem> {
        let input = Input::of(&self.paths)?;
        let anchor = self.output(&input)?;
        let machine = Machine::here();
        let search = |input: Input| {
            let search = Places { input: &input, folders: &self.scratch, machine: &machine }.search()?;
            Ok((input, search))
        };
        let mut runs: Vec<(Input, Search)> =
            parts::of(input)?.into_iter().map(search).collect::<Result<_, _>>()?;
        let is_running = runs.iter().any(|(_, search)| !search.running.is_empty());
        let digest = later::digest(runs.iter().map(|(_, search)| search)).filter(|_| !is_running);
        if self.clean && later::is_made(&anchor, digest.as_deref(), &runs) {
            inform(&format!("{}: already contains everything", anchor.display()));
            return self.clean(&runs, &machine).map(|()| Status::Done);
        }
        let status = match &mut runs[..] {
            [(input, search)] => self.take(input, search, &anchor, digest.as_deref(), true)?,
            several => self.join(several, &anchor, digest.as_deref())?,
        };
        // A process that is still running needs them.
        if self.clean && status == Status::Done && !is_running {
            self.clean(&runs, &machine)?;
        }
        Ok(status.max(print(format!("{}\n", anchor.display()))))
    }

    fn clean(&self, runs: &[(Input, Search)], machine: &Machine) -> Result<(), Problem> {
        runs.iter().try_for_each(|(input, search)| clean::clean(search, input.folder.as_deref(), machine))
    }

    /// Makes the archive of one run. With `is_named`, the names of sampled functions are looked up.
    fn take(
        &self,
        input: &Input,
        search: &mut Search,
        anchor: &Path,
        digest: Option<&str>,
        is_named: bool,
    ) -> Result<Status, Problem> {
        let folder = input.folder.as_deref();
        match folder.map_or(Ok(false), complete::is_complete)?.then_some(folder).flatten() {
            Some(folder) => self.take_complete(folder, input, search, anchor, is_named),
            None => self.write(input, search, anchor, digest, is_named),
        }
    }

    /// Joins the archives of the processes into one.
    fn join(
        &self,
        runs: &mut [(Input, Search)],
        anchor: &Path,
        digest: Option<&str>,
    ) -> Result<Status, Problem> {
        // Fails before any work is done.
        drop(NewArchive::at(anchor)?);
        let workshop = Workshop::next_to(anchor)?;
        let (mut status, mut archives, mut names) = (Status::Done, Vec::new(), Vec::new());
        for (number, (input, search)) in runs.iter_mut().enumerate() {
            let Some(directory) = input.directory.clone() else { continue };
            if !search.has_something(input)? {
                search.absent.iter().for_each(|what| complain(what));
                complain(&format!("{}: there is nothing to recover", directory.display()));
                status = status.max(if search.absent.is_empty() { Status::Done } else { Status::Partial });
                continue;
            }
            let part = workshop.anchor(number);
            status = status.max(self.take(input, search, &part, None, false)?);
            archives.push(part);
            names.push(directory);
        }
        if archives.is_empty() {
            return Err(self.nothing());
        }
        let mut properties = vec![("KYMO::RECOVERED".to_owned(), true.to_string())];
        let digest = digest.filter(|_| status == Status::Done);
        properties.extend(digest.map(|digest| (later::PROPERTY.to_owned(), digest.to_owned())));
        let merge = merge::Arguments::of(archives, anchor.to_owned()).named(names, properties);
        merge.looking_up_functions().merge().map(|()| status)
    }

    fn nothing(&self) -> Problem {
        let given = self.paths.first().map_or(Path::new(""), PathBuf::as_path);
        Problem::of(given, "there is nothing to recover", Status::Environment)
    }

    /// Takes an archive with an anchor. If it is damaged, the remains of the processes are better,
    /// provided that those of all were found.
    fn take_complete(
        &self,
        folder: &Path,
        input: &Input,
        search: &mut Search,
        path: &Path,
        is_named: bool,
    ) -> Result<Status, Problem> {
        let damaged = complete::damaged(folder)?;
        // A damaged seal says nothing about the files.
        let is_whole = damaged.iter().all(|&file| file == FileName::Seal);
        if is_whole {
            return complete::copy(folder, damaged.is_empty(), &NewArchive::at(path)?, is_named);
        }
        if search.has_all() {
            return self.write(input, search, path, None, is_named);
        }
        complete::repair(folder, &damaged, &NewArchive::at(path)?, !self.leave_open, is_named)
    }

    /// Returns the new anchor file.
    fn output(&self, input: &Input) -> Result<PathBuf, Problem> {
        let path = self.output.clone().unwrap_or_else(|| input.default_output());
        let path = new_archive::anchor(&path);
        if input.has(&path) {
            return Err(Problem::of(&path, "is inside the directory to recover", Status::Usage));
        }
        Ok(path)
    }

    fn write(
        &self,
        input: &Input,
        search: &mut Search,
        path: &Path,
        digest: Option<&str>,
        is_named: bool,
    ) -> Result<Status, Problem> {
        if !self.running {
            search.running.first().map_or(Ok(()), |running| Err(refusal(running)))?;
        }
        let members = search.members()?;
        search.absent.iter().for_each(|what| complain(what));
        if members.is_empty() {
            report_others(&search.others);
            return Err(self.nothing());
        }
        let properties: Vec<_> =
            digest.map(|digest| (later::PROPERTY, digest.to_owned())).into_iter().collect();
        let (properties, closes) = (&properties[..], !self.leave_open);
        let known = recovery::Known::default();
        let job = Job { input, anchor: path, properties, closes, known, is_named };
        job.write(members, search.size).map(|report| report_result(&report))
    }
}

/// An archive to be made.
struct Job<'a> {
    input: &'a Input,
    anchor: &'a Path,
    properties: &'a [(&'static str, String)],
    /// Whether open regions are closed.
    closes: bool,
    /// Facts in addition to those in the files of the processes.
    known: recovery::Known,
    /// Whether the names of sampled functions are looked up. Otherwise that is done later, for
    /// several archives together.
    is_named: bool,
}

impl Job<'_> {
    fn write(&self, members: Vec<Member>, size: u32) -> Result<Report, Problem> {
        let files: Arc<dyn Storage> = match self.input.folder.as_deref().map(Directory::open) {
            Some(Ok(directory)) => Arc::new(directory),
            _ => Arc::new(Memory::new()),
        };
        let output = NewArchive::at(self.anchor)?;
        let progress = Progress::new(true);
        let settings = Settings {
            closes: self.closes,
            creator: CREATOR,
            properties: self.properties,
            progress: &|events| progress.add(events),
        };
        let job = recovery::Job::new(members, size, &files).map_err(|error| problem(&output, &*error))?;
        let job = job.with(self.known.clone());
        let written = job.write(&output.storage, &settings).map_err(|error| problem(&output, &*error));
        drop(progress);
        output.finish(look_up_in_new(&output, written, self.is_named))
    }
}

/// The number of scratch files of other runs that are listed.
const OTHERS: usize = 3;

fn report_others(others: &[PathBuf]) {
    for path in others.iter().take(OTHERS) {
        complain(&format!("another run can be recovered: kymo recover {}", quoted(path)));
    }
    if others.len() > OTHERS {
        complain(&format!("there are {} more scratch files of other runs", others.len() - OTHERS));
    }
}

fn refusal(running: &Running) -> Problem {
    let rank = running.rank.map_or_else(String::new, |rank| format!(" (rank {rank})"));
    let process = running.process;
    Problem::environment(format_args!(
        "process {process}{rank} is still running; wait for its end, or recover what it has recorded so \
         far with --running"
    ))
}

fn problem(output: &NewArchive, error: &(dyn std::error::Error + Send + Sync + 'static)) -> Problem {
    match error.downcast_ref::<Error>() {
        Some(error) => output.problem(error),
        None => Problem::environment(error),
    }
}

/// Reports the result and returns the exit status.
fn report_result(report: &Report) -> Status {
    let printed = if is_quiet() { Status::Done } else { print(table::text(report)) };
    table::remarks(report).iter().for_each(|what| complain(what));
    let status = if report.is_partial() { Status::Partial } else { Status::Done };
    status.max(printed)
}
