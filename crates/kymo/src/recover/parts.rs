//! A folder of `kymo record`: next to the archive of the processes that ended, it contains a folder
//! for each process that was cut off. If the ranks of a job have not been joined, it contains such
//! a folder for each rank.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::complete;
use super::input::Input;
use crate::interruption::{self, Unfinished, step};
use crate::new_archive::staging::lock;
use crate::problem::Problem;
use crate::status::Status;
use crate::tree;

/// The prefix of the folders of processes.
const PART: &str = "process-";

/// The folder that contains those of the ranks.
const RANKS: &str = "ranks";

/// Returns the folders of the processes in the given directory, by rank and in order of their
/// start, preceded by the directory itself if it contains an archive. If there are none, returns
/// only the input.
pub(super) fn of(input: Input) -> Result<Vec<Input>, Problem> {
    let Some(directory) = input.directory.clone().filter(|_| input.scratch.is_empty()) else {
        return Ok(vec![input]);
    };
    let mut of_ranks = Vec::new();
    for rank in ranks(&directory) {
        of_ranks.extend(with_parts(Input::of(std::slice::from_ref(&rank))?, &rank)?);
    }
    // The parts of an archive of ranks are in the ranks' folders.
    let inputs = if of_ranks.is_empty() { with_parts(input, &directory)? } else { of_ranks };
    match inputs.is_empty() {
        true => Input::of(&[directory]).map(|input| vec![input]),
        false => Ok(inputs),
    }
}

fn ranks(directory: &Path) -> Vec<PathBuf> {
    let folder = directory.join(RANKS);
    let names = tree::names(&folder).unwrap_or_default();
    let mut ranks: Vec<u32> = names.iter().filter_map(|name| name.to_str()?.parse().ok()).collect();
    ranks.sort_unstable();
    ranks.into_iter().map(|rank| folder.join(rank.to_string())).collect()
}

/// Returns a folder if it contains an archive, followed by the folders of processes in it.
fn with_parts(input: Input, directory: &Path) -> Result<Vec<Input>, Problem> {
    let names = tree::names(directory).unwrap_or_default();
    let mut parts: Vec<(u64, u64, PathBuf)> = names
        .iter()
        .filter_map(|name| {
            let mut numbers = name.to_str()?.strip_prefix(PART)?.split('-').map(str::parse::<u64>);
            let (process, began) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
            let path = directory.join(name);
            path.is_dir().then_some((began, process, path))
        })
        .collect();
    parts.sort();
    let inputs: Vec<Input> =
        parts.into_iter().map(|(.., path)| Input::of(&[path])).collect::<Result<_, _>>()?;
    let is_archive = input.folder.as_deref().map_or(Ok(false), complete::is_complete)?;
    Ok(is_archive.then_some(input).into_iter().chain(inputs).collect())
}

/// A folder for the archives of processes before they are merged.
#[derive(Debug)]
pub(super) struct Workshop {
    path: PathBuf,
    _lock: File,
}

impl Workshop {
    /// Creates the folder next to an archive. Whatever a killed process has left there is removed.
    pub(super) fn next_to(anchor: &Path) -> Result<Self, Problem> {
        let absolute = std::path::absolute(anchor).unwrap_or_else(|_| anchor.to_owned());
        let name = anchor.parent().filter(|_| anchor.file_stem().is_some_and(|stem| stem == "traces"));
        let name = name.and_then(Path::file_name).or(anchor.file_stem()).unwrap_or_default();
        let folder = absolute.ancestors().skip(1).find(|folder| folder.is_dir()).unwrap_or(Path::new("/"));
        let path = folder.join(format!(".{}.kymo-parts", name.to_string_lossy()));
        let _step = step();
        // Signals wait for the end of this step.
        interruption::start();
        let made = || {
            if path.is_dir() {
                let _lock = lock(&path)?;
                tree::remove(&path)?;
            }
            fs::create_dir(&path)?;
            lock(&path).inspect_err(|_| drop(tree::remove(&path)))
        };
        let lock = made().map_err(|error| Problem::of(&path, error, Status::Environment))?;
        interruption::watch(Unfinished { stage: path.clone(), folders: Vec::new() });
        Ok(Self { path, _lock: lock })
    }

    /// Returns the anchor file of the archive with this number.
    pub(super) fn anchor(&self, number: usize) -> PathBuf {
        self.path.join(number.to_string()).join("traces.otf2")
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        let _step = step();
        // The next run removes the remaining files.
        let _ = tree::remove(&self.path);
        interruption::forget(&self.path);
    }
}
