//! Archives with a complete anchor: if all files are intact, they are copied; otherwise the intact
//! parts are.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;

use kymo_otf2::FileName;
use kymo_otf2::archive::DEFAULT_NAME;
use kymo_otf2::read;

use super::input::anchor;
use super::repair::{self, Repair};
use crate::check::damaged_files;
use crate::function_names::look_up_in_new;
use crate::new_archive::{NewArchive, thumbnails};
use crate::output::{complain, inform};
use crate::problem::Problem;
use crate::seal::of_location;
use crate::status::Status;
use crate::{regular, tree};

/// The maximum size of an anchor in bytes.
const ANCHOR: u64 = 1 << 20;

/// Whether the archive in a folder has its anchor, which is written last. A process may be killed
/// while writing it.
pub(super) fn is_complete(folder: &Path) -> Result<bool, Problem> {
    let anchor = anchor(folder);
    match regular::read(&anchor, ANCHOR) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Problem::of(&anchor, error, Status::Environment)),
        Ok(bytes) => Ok(read::anchor(&bytes).is_ok()),
    }
}

/// Returns the damaged files of the archive in a folder, and prints a line for each fault to
/// standard error.
pub(super) fn damaged(folder: &Path) -> Result<BTreeSet<FileName>, Problem> {
    damaged_files(&anchor(folder))
}

/// Makes an archive from the intact parts of the one in a folder.
pub(super) fn repair(
    folder: &Path,
    damaged: &BTreeSet<FileName>,
    output: &NewArchive,
    closes: bool,
    is_named: bool,
) -> Result<Status, Problem> {
    let anchor = anchor(folder);
    complain(&format!("{}: the archive is damaged; its intact parts are recovered", anchor.display()));
    let archive = repair::open(&anchor)?;
    let written = Repair::new(&archive, damaged, output, closes).and_then(|repair| repair.write());
    output.finish(look_up_in_new(output, written, is_named)).map(|_| Status::Partial)
}

/// Copies the archive in a folder; its seal, if any, only on request.
pub(super) fn copy(
    folder: &Path,
    with_seal: bool,
    output: &NewArchive,
    is_named: bool,
) -> Result<Status, Problem> {
    inform(&format!("{}: the archive is complete; copying it", anchor(folder).display()));
    output.create()?;
    let copied = copy_files(folder, with_seal, output);
    output.finish(look_up_in_new(output, copied, is_named)).map(|()| Status::Done)
}

fn copy_files(folder: &Path, with_seal: bool, output: &NewArchive) -> Result<(), Problem> {
    let locations = folder.join(DEFAULT_NAME);
    let failed = |error| Problem::of(&locations, error, Status::Environment);
    for name in tree::names(&locations).map_err(failed)? {
        let path = locations.join(&name);
        match of_location(&name.to_string_lossy()) {
            Some(file) if path.is_file() => output.copy(&path, file)?,
            // All files of the archive were checked before.
            _ => complain(&format!("{}: not a file of the archive; left out", path.display())),
        }
    }
    let last = [FileName::Markers, FileName::Seal, FileName::GlobalDefinitions, FileName::Anchor];
    for file in thumbnails(folder, DEFAULT_NAME).into_iter().chain(last) {
        let from = folder.join(file.path(DEFAULT_NAME).to_string());
        if from.exists() && (with_seal || file != FileName::Seal) {
            output.copy(&from, file)?;
        }
    }
    Ok(())
}
