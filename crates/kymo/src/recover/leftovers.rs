//! Scratch files that processes of earlier runs left, when another run starts.
//!
//! Invariant: a file is removed only if `kymo recover` cannot make anything of it, its process has
//! ended, and so has the `kymo record` that would report it. All others are named. A process is
//! alive as long as the system keeps a lock of its file, in whatever container it runs, and as long
//! as it has the process ID in the name of the file.

use std::env;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use kymo_otf2::storage::Content;
use kymo_recorder::recovery::{CrashedProcess, NoScratch, Origin, origin};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::machine::Machine;
use crate::output::quoted;
use crate::{number, regular, tree};

/// Where scratch files are by default.
const SHARED_MEMORY: &str = "/dev/shm";
const SETTING: &str = "SCOREP_SUBSTRATE_KYMO_SCRATCH";
/// A process that creates its file needs less.
const HOUR: Duration = Duration::from_secs(3600);
/// The start of the names of folders in that of a measurement, one for each process.
const PROCESS: &str = "process-";
/// The folder with the ranks of a job, in that of its measurement.
const RANKS: &str = "ranks";

/// Files that processes left and that can be recovered.
#[derive(Debug, Default)]
pub(crate) struct Leftovers {
    files: Vec<Leftover>,
}

#[derive(Debug)]
struct Leftover {
    path: PathBuf,
    /// The folder of its run, if that exists.
    run: Option<PathBuf>,
    bytes: u64,
}

/// Announces that this process will take care of the recordings in a folder, until the result is
/// dropped.
pub(crate) fn hold(folder: &Path) -> Option<File> {
    let file = File::open(folder).ok()?;
    flock(&file, FlockOperation::NonBlockingLockShared).ok()?;
    Some(file)
}

/// Whether another process holds a folder or a file.
fn is_held(file: &File) -> bool {
    flock(file, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK)
}

impl Leftovers {
    /// Searches the folder in which this run will have its scratch files, and removes those that
    /// are of no use.
    pub(crate) fn take() -> Self {
        let folder = match env::var_os(SETTING) {
            None => PathBuf::from(SHARED_MEMORY),
            Some(value) if value.eq_ignore_ascii_case("none") => return Self::default(),
            Some(folder) => PathBuf::from(folder),
        };
        Self::take_in(&folder, &Machine::here())
    }

    fn take_in(folder: &Path, machine: &Machine) -> Self {
        let names = tree::names(folder).unwrap_or_default();
        let paths = names.iter().filter(|name| name.to_str().is_some_and(|name| is_dead(name, machine)));
        let mut files: Vec<_> = paths.filter_map(|name| Leftover::take(folder.join(name), machine)).collect();
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Self { files }
    }

    /// Returns a line that names the files, if there are any.
    pub(crate) fn line(&self) -> Option<String> {
        let first = self.files.first()?;
        let size = number::bytes(self.files.iter().map(|file| file.bytes).sum::<u64>() as f64);
        let path = quoted(&first.path);
        let run = first.run.as_deref().map_or_else(|| path.clone(), quoted);
        let (what, one) = match self.files.len() {
            1 => (format!("{path} ({size}) is what a killed process left"), "it"),
            count => {
                let folder = quoted(first.path.parent().unwrap_or(&first.path));
                (
                    format!("{count} scratch files in {folder} ({size}) are what killed processes left"),
                    "the first",
                )
            }
        };
        Some(format!("{what}; to recover {one}: kymo recover --clean {run}; to remove it: rm {path}"))
    }
}

/// Whether this is the name of a scratch file of the user whose process does not exist any more.
fn is_dead(name: &str, machine: &Machine) -> bool {
    let numbers = || {
        let name = name.strip_prefix("kymo-")?.strip_suffix(".scratch")?;
        let mut parts = name.split('-');
        let (user, process, started) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() || user.parse() != Ok(machine.user) {
            return None;
        }
        Some((process.parse().ok()?, u64::from_str_radix(started, 16).ok()?))
    };
    numbers().is_some_and(|(process, started)| started != 0 && !machine.runs(process, started))
}

impl Leftover {
    /// Removes a file that is of no use; returns one that can be recovered.
    fn take(path: PathBuf, machine: &Machine) -> Option<Self> {
        let file = regular::open_itself(&path).ok()?;
        let metadata = file.metadata().ok()?;
        if !machine.owns(&metadata) || metadata.nlink() != 1 || is_held(&file) {
            return None;
        }
        let is_old = metadata.modified().ok()?.elapsed().is_ok_and(|age| age > HOUR);
        // The lock of this process ends with the last use of the content.
        let content: Arc<dyn Content> = Arc::new(OwnedFd::from(file));
        let is_useless = match origin(&*content) {
            Ok(origin) => {
                // A process on another node may be running.
                let run = (origin.node == machine.node).then(|| run(&origin))?;
                if File::open(&run).is_ok_and(|folder| is_held(&folder)) {
                    return None;
                }
                match CrashedProcess::of_scratch(content) {
                    Ok(remains) if remains.is_empty() => true,
                    _ => {
                        let run = Some(run).filter(|run| run.is_dir());
                        return Some(Self { path, run, bytes: metadata.blocks() * 512 });
                    }
                }
            }
            // The process ended while it created the file. A head of another kind may be that of
            // another version.
            Err(NoScratch::Magic) => is_old && is_blank(&*content),
            Err(_) => false,
        };
        if is_useless {
            // If it cannot be removed, the next run tries again.
            let _ = std::fs::remove_file(&path);
        }
        None
    }
}

/// Whether the first word of a file is zero or missing.
fn is_blank(content: &dyn Content) -> bool {
    let mut first = [0; 8];
    content.read_at(0, &mut first).is_ok() && first == [0; 8]
}

/// Returns the folder of the run of a process: that of `kymo record`, of Score-P, or the one that
/// it would have created.
fn run(origin: &Origin) -> PathBuf {
    let Some(own) = origin.directory.as_deref().and_then(Path::parent) else {
        return origin.working_directory.join(&origin.experiment);
    };
    let is_part = own.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PROCESS));
    let run = if is_part { own.parent().unwrap_or(own) } else { own };
    let ranks = run.parent().filter(|ranks| ranks.file_name().is_some_and(|name| name == RANKS));
    ranks.and_then(Path::parent).unwrap_or(run).to_owned()
}
