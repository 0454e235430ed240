//! Finds the remains of the processes of a run: by the notes in the folder of its archive, and by
//! searching the folders of scratch files.

use std::collections::{BTreeMap, HashSet};
use std::env;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use kymo_recorder::process::rank_name;
use kymo_recorder::recovery::{CrashedProcess, Member, Note, Origin};
use kymo_recorder::scratch::side;

use super::clean::NOTE;
use super::complete;
use super::input::{self, Input, absolute};
use super::launch::{self, Known};
use super::machine::Machine;
use super::scratch::{Handle, Refused, ScratchFile};
use crate::problem::Problem;
use crate::regular;
use crate::status::Status;
use crate::tree;

/// The remains of a process, and the node it ran on.
#[derive(Debug)]
pub(super) struct Found {
    rank: Option<u32>,
    process: Option<u32>,
    node: String,
    remains: CrashedProcess,
}

impl Found {
    fn known(&self) -> Known<'_> {
        let launch = self.remains.origin().and_then(|origin| origin.launch.as_ref());
        Known { rank: self.rank, size: self.remains.size(), launch }
    }
}

/// A process that is running.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) process: u32,
    pub(super) rank: Option<u32>,
}

/// The result of a search.
#[derive(Debug, Default)]
pub(super) struct Search {
    pub(super) found: Vec<Found>,
    /// The number of ranks, as far as notes state it.
    pub(super) size: u32,
    /// Messages about processes of which something is missing.
    pub(super) absent: Vec<String>,
    pub(super) running: Vec<Running>,
    /// The scratch files of this run, each with the folder of the archive that its process used.
    pub(super) scratch: Vec<(Handle, Option<PathBuf>)>,
    /// The scratch files of other runs.
    pub(super) others: Vec<PathBuf>,
    /// The scratch files that have been examined.
    seen: HashSet<PathBuf>,
}

/// The places to search.
pub(super) struct Places<'a> {
    pub(super) input: &'a Input,
    /// Additional folders with scratch files.
    pub(super) folders: &'a [PathBuf],
    pub(super) machine: &'a Machine,
}

impl Places<'_> {
    /// Searches all places.
    pub(super) fn search(&self) -> Result<Search, Problem> {
        let mut search = Search::default();
        for (rank, path) in self.notes() {
            self.take_note(rank, &path, &mut search)?;
        }
        for path in &self.input.scratch {
            self.take_given(path, &mut search)?;
        }
        for path in self.scratch_files() {
            self.take_other(&path, &mut search)?;
        }
        Ok(search)
    }

    fn recovery(&self) -> Option<PathBuf> {
        Some(self.input.folder.as_ref()?.join(side::FOLDER))
    }

    /// Returns the notes by rank.
    fn notes(&self) -> BTreeMap<u32, PathBuf> {
        let files = self.recovery().map_or_else(Vec::new, |folder| files(&folder));
        let rank = |path: PathBuf| {
            let is_note = path.extension().is_some_and(|extension| extension == "note");
            let rank = path.file_stem().filter(|_| is_note)?.to_str()?.parse().ok()?;
            Some((rank, path))
        };
        files.into_iter().filter_map(rank).collect()
    }

    fn take_note(&self, rank: u32, path: &Path, search: &mut Search) -> Result<(), Problem> {
        let bytes =
            regular::read(path, NOTE).map_err(|error| Problem::of(path, error, Status::Environment))?;
        let note = Note::read(&bytes);
        search.size = search.size.max(note.size.unwrap_or(0)).max(rank.saturating_add(1));
        let is_here = self.machine.is(&note.node, &note.boot);
        if let (true, Some(process), Some(started)) = (is_here, note.process, note.started)
            && self.machine.runs(process, started)
        {
            search.running.push(Running { process, rank: Some(rank) });
        }
        let remains = match self.scratch_of(&note) {
            Ok(file) => {
                search.seen.insert(absolute(&file.path));
                Some(search.take(&file)?)
            }
            Err(Some(Refused::Io(error))) if is_trouble(&error) => {
                let path = note.scratch.as_deref().unwrap_or(path);
                return Err(Problem::of(path, error, Status::Environment));
            }
            Err(refused) => {
                let remains = self.of_side_files(rank, &note);
                search.absent.push(self.without_scratch(rank, &note, refused.as_ref(), remains.is_some()));
                remains
            }
        };
        let Some(remains) = remains else { return Ok(()) };
        search.found.push(Found { rank: Some(rank), process: note.process, node: note.node, remains });
        Ok(())
    }

    /// Returns the scratch file of a note, if it belongs to the note's process; otherwise the
    /// reason why the file named by the note is refused, if it names one.
    fn scratch_of(&self, note: &Note) -> Result<ScratchFile, Option<Refused>> {
        let named = note.scratch.as_ref().ok_or(None)?;
        let folders = self.folders.iter().chain(&self.input.directory).chain(&self.input.folder);
        let elsewhere = folders.filter_map(|folder| Some(folder.join(named.file_name()?)));
        let given = self.input.scratch.iter().map(|path| ScratchFile::given(path));
        let found = elsewhere.map(|path| ScratchFile::found(&path, self.machine));
        let mut others = given.chain(found).flatten().filter_map(|file| file.of_note(note).ok());
        let itself = || ScratchFile::found(named, self.machine).and_then(|file| file.of_note(note));
        others.next().map_or_else(itself, Ok).map_err(Some)
    }

    /// Returns the remains in the side files. After a power loss, which a different boot id may
    /// indicate, only data that was synced to disk is certain to be as it was written.
    fn of_side_files(&self, rank: u32, note: &Note) -> Option<CrashedProcess> {
        let folder = self.recovery()?;
        let journal = input::content(&folder.join(format!("{rank}.journal"))).ok()?;
        let is_sure = !note.syncs || (self.machine.is(&note.node, &note.boot) && !note.boot.is_empty());
        let name = if is_sure { "locations" } else { "synced" };
        let locations = input::content(&folder.join(format!("{rank}.{name}"))).ok()?;
        CrashedProcess::of_side_files(&*journal, &*locations).ok().filter(|remains| !remains.is_empty())
    }

    fn without_scratch(
        &self,
        rank: u32,
        note: &Note,
        refused: Option<&Refused>,
        has_side_files: bool,
    ) -> String {
        let is_gone = |io: &io::Error| io.kind() == ErrorKind::NotFound;
        let is_here = note.node.is_empty() || note.node == self.machine.node;
        let what = match (&note.scratch, refused) {
            (None, _) | (_, None) => "kept no scratch file".to_owned(),
            (Some(path), Some(Refused::Io(error))) if is_gone(error) && is_here => {
                format!("its scratch file {} is gone", path.display())
            }
            (Some(path), Some(refused)) if !matches!(refused, Refused::Io(error) if is_gone(error)) => {
                format!("{} {refused}", path.display())
            }
            (Some(path), Some(_)) => format!(
                "its scratch file {} is on node {}: recover there, or copy it here and give it as an \
                 argument, too",
                path.display(),
                note.node
            ),
        };
        let rest = match has_side_files {
            true => "the data that it last wrote into the experiment directory is used",
            false => "it left nothing else",
        };
        format!("rank {rank}: {what}; {rest}")
    }

    /// Takes a scratch file that was given as an argument.
    fn take_given(&self, path: &Path, search: &mut Search) -> Result<(), Problem> {
        if search.seen.insert(absolute(path)) {
            self.take_scratch(&ScratchFile::given(path).map_err(|refused| problem(path, refused))?, search)?;
        }
        Ok(())
    }

    fn take_scratch(&self, file: &ScratchFile, search: &mut Search) -> Result<(), Problem> {
        let origin = &file.origin;
        let remains = remains(file)?;
        if self.is_running(origin) {
            search.running.push(Running { process: origin.process, rank: remains.rank() });
        }
        if remains.is_empty() {
            let process = origin.process;
            search.absent.push(format!("process {process} ended before it had recorded anything"));
            return Ok(());
        }
        let (rank, process, node) = (remains.rank(), Some(origin.process), origin.node.clone());
        search.found.push(Found { rank, process, node, remains });
        search.scratch.push((file.handle(), origin.directory.clone()));
        Ok(())
    }

    fn is_running(&self, origin: &Origin) -> bool {
        self.machine.is(&origin.node, &origin.boot) && self.machine.runs(origin.process, origin.started)
    }

    /// Returns the user's scratch files in the usual places.
    fn scratch_files(&self) -> Vec<PathBuf> {
        let named =
            ["TMPDIR", "SCOREP_SUBSTRATE_KYMO_SCRATCH"].map(|name| env::var_os(name).map(PathBuf::from));
        let usual = [Some(PathBuf::from("/dev/shm"))].into_iter().chain(named);
        let folders = usual.flatten().chain(self.input.directory.clone());
        let folders = folders.chain(self.input.folder.clone()).chain(self.folders.iter().cloned());
        let mut paths: Vec<PathBuf> = folders.flat_map(|folder| files(&folder)).collect();
        paths.retain(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with("kymo-") && name.ends_with(".scratch")
        });
        paths.sort();
        paths
    }

    /// Takes a scratch file that was found: it belongs to a process of this run that left no note,
    /// or to another run.
    fn take_other(&self, path: &Path, search: &mut Search) -> Result<(), Problem> {
        if !search.seen.insert(absolute(path)) {
            return Ok(());
        }
        let Ok(file) = ScratchFile::found(path, self.machine) else { return Ok(()) };
        match self.leads_here(&file.origin) && search.lacks(file.origin.rank) {
            true => self.take_scratch(&file, search)?,
            false if !self.is_running(&file.origin) => search.others.push(path.to_owned()),
            false => {}
        }
        Ok(())
    }

    /// Whether a process belongs to the given directory, as far as it knew where its archive would
    /// be.
    fn leads_here(&self, origin: &Origin) -> bool {
        let (Some(directory), Some(folder)) = (&self.input.directory, &self.input.folder) else {
            return false;
        };
        if let Some(known) = &origin.directory {
            return absolute(known) == *folder;
        }
        let named = &origin.experiment;
        if !named.as_os_str().is_empty() {
            return absolute(&origin.working_directory.join(named)) == *directory;
        }
        // Score-P generates a name that contains the time.
        let is_default =
            directory.file_name().is_some_and(|name| name.to_string_lossy().starts_with("scorep-"));
        is_default && directory.parent() == Some(absolute(&origin.working_directory).as_path())
    }
}

/// Returns the files in a folder, or none if it cannot be read.
fn files(folder: &Path) -> Vec<PathBuf> {
    tree::names(folder).unwrap_or_default().iter().map(|name| folder.join(name)).collect()
}

/// Whether the system is at fault and trying again may help; then nothing may be reported as
/// missing.
fn is_trouble(error: &io::Error) -> bool {
    use ErrorKind::{InvalidInput, IsADirectory, NotADirectory, NotFound, PermissionDenied};
    ![NotFound, PermissionDenied, InvalidInput, IsADirectory, NotADirectory].contains(&error.kind())
}

fn remains(file: &ScratchFile) -> Result<CrashedProcess, Problem> {
    let remains = CrashedProcess::of_scratch(file.content.clone());
    remains.map_err(|error| problem(&file.path, Refused::Content(error)))
}

fn problem(path: &Path, refused: Refused) -> Problem {
    match refused {
        Refused::Content(error) => Problem::of(path, error, Status::Faulty),
        Refused::Io(error) => Problem::of(path, error, Status::Environment),
        refused => Problem::of(path, refused, Status::Environment),
    }
}

impl Search {
    /// Reads a scratch file of this run.
    fn take(&mut self, file: &ScratchFile) -> Result<CrashedProcess, Problem> {
        let remains = remains(file)?;
        self.scratch.push((file.handle(), file.origin.directory.clone()));
        Ok(remains)
    }

    /// Whether a process without a note may be one of those that are missing. It may also belong to
    /// an earlier run in the same directory.
    fn lacks(&self, rank: Option<u32>) -> bool {
        match rank {
            Some(rank) => self.found.iter().all(|found| found.rank != Some(rank)),
            None => {
                self.found.len() < self.size.max(1) as usize || self.found.iter().all(|it| it.rank.is_none())
            }
        }
    }

    /// Whether there is an archive, or the remains of a process.
    pub(super) fn has_something(&self, input: &Input) -> Result<bool, Problem> {
        let is_complete = input.folder.as_deref().map_or(Ok(false), complete::is_complete)?;
        Ok(is_complete || !self.found.is_empty())
    }

    /// Returns the process IDs and start times of the processes whose remains were found; `None`
    /// unless all are known.
    pub(super) fn origins(&self) -> Option<Vec<(u32, u64)>> {
        let origin = |found: &Found| found.remains.origin().map(|origin| (origin.process, origin.started));
        self.found.iter().map(origin).collect()
    }

    /// Whether the remains of every process were found.
    pub(super) fn has_all(&self) -> bool {
        let size = self.found.iter().filter_map(|found| found.remains.size()).max().unwrap_or(0);
        self.absent.is_empty() && !self.found.is_empty() && self.found.len() >= self.size.max(size) as usize
    }

    /// Assigns the rank stated by the launcher to processes that died before they knew theirs, if
    /// it is reliable.
    fn take_launched_ranks(&mut self) {
        let known: Vec<Known<'_>> = self.found.iter().map(Found::known).collect();
        let Some((ranks, size)) = launch::ranks(&known, self.size) else { return };
        self.size = size;
        for (found, rank) in self.found.iter_mut().zip(ranks) {
            if let (None, Some(process)) = (found.rank.replace(rank), found.process) {
                self.absent.push(format!(
                    "process {process} ended before it knew its rank: it is rank {rank} according to its \
                     launcher"
                ));
            }
        }
    }

    /// Returns the processes as members of the archive. Those of unknown rank follow the others.
    pub(super) fn members(&mut self) -> Result<Vec<Member>, Problem> {
        self.take_launched_ranks();
        let found = std::mem::take(&mut self.found);
        let is_alone = found.len() == 1 && self.size < 2;
        let mut next =
            found.iter().filter_map(|it| it.rank?.checked_add(1)).max().unwrap_or(0).max(self.size);
        let (mut members, mut ranks) = (Vec::new(), HashSet::new());
        for Found { rank, process, node, remains, .. } in found {
            let (name, rank) = match (rank, process) {
                (Some(rank), _) if !is_alone || remains.size().is_some_and(|size| size > 1) => {
                    (rank_name(rank), rank)
                }
                (None, Some(process)) if !is_alone => {
                    next += 1;
                    self.absent.push(format!(
                        "process {process} ended before it knew its rank: it is number {} in the archive",
                        next - 1
                    ));
                    (format!("Process {process}"), next - 1)
                }
                (rank, _) => ("Process".to_owned(), rank.unwrap_or(0)),
            };
            if !ranks.insert(rank) {
                return Err(Problem::usage(format_args!(
                    "two processes claim to be rank {rank}: these are scratch files of two runs"
                )));
            }
            members.push(Member { rank, name, node, remains });
        }
        Ok(members)
    }
}
