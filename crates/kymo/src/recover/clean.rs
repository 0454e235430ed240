//! The files that `--clean` removes: the scratch files that were read, and the folder of side
//! files, but nothing that may belong to another run or another user.

use std::fs;
use std::path::{Path, PathBuf};

use kymo_recorder::recovery::Note;
use kymo_recorder::scratch::side;

use super::find::Search;
use super::input::absolute;
use super::machine::Machine;
use crate::output::complain;
use crate::problem::Problem;
use crate::status::Status;
use crate::{regular, tree};

/// The extensions of the files next to an archive, including those that were being written when the
/// process died.
const SIDES: [&str; 5] = ["note", "journal", "locations", "synced", "new"];
/// The maximum size of a note.
pub(super) const NOTE: u64 = 64 << 10;

/// Removes the files that a run whose archive is in `folder` no longer needs.
pub(super) fn clean(search: &Search, folder: Option<&Path>, machine: &Machine) -> Result<(), Problem> {
    for (scratch, directory) in &search.scratch {
        if let Some(other) = owner(scratch.path(), directory.as_deref(), folder) {
            complain(&format!("{} is kept: it belongs to {}", scratch.path().display(), other.display()));
            continue;
        }
        scratch.remove().map_err(|error| Problem::of(scratch.path(), error, Status::Environment))?;
    }
    folder.map_or(Ok(()), |folder| clean_sides(&folder.join(side::FOLDER), machine))
}

/// Returns the folder of another archive whose note refers to the scratch file: the folder that the
/// process used, of which this one is a copy.
fn owner(scratch: &Path, directory: Option<&Path>, folder: Option<&Path>) -> Option<PathBuf> {
    let (directory, folder) = (absolute(directory?), folder?);
    let is_named = || {
        let folder = directory.join(side::FOLDER);
        let files = tree::names(&folder).unwrap_or_default().into_iter().map(|name| folder.join(name));
        let notes = files.filter(|path| has_ending(path, &["note"]));
        let mut named = notes.filter_map(|path| Note::read(&regular::read(&path, NOTE).ok()?).scratch);
        named.any(|named| absolute(&named) == absolute(scratch))
    };
    (directory != absolute(folder) && is_named()).then_some(directory)
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|it| ending == *it))
}

/// Removes the side files, and their folder if nothing else is in it.
fn clean_sides(folder: &Path, machine: &Machine) -> Result<(), Problem> {
    // The target of a link is elsewhere.
    if !fs::symlink_metadata(folder).is_ok_and(|it| it.is_dir() && machine.owns(&it)) {
        return Ok(());
    }
    let failed = |path: &Path, error| Problem::of(path, error, Status::Environment);
    for name in tree::names(folder).map_err(|error| failed(folder, error))? {
        let path = folder.join(name);
        let is_own = fs::symlink_metadata(&path).is_ok_and(|it| it.is_file() && machine.owns(&it));
        if is_own && has_ending(&path, &SIDES) {
            fs::remove_file(&path).map_err(|error| failed(&path, error))?;
        }
    }
    // This fails if something else is in it.
    let _ = fs::remove_dir(folder);
    Ok(())
}
