//! An archive that has its whole anchor: if all its files are whole, they are copied as they are; else what is whole of it.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;

use kymo_otf2::FileName;
use kymo_otf2::archive::DEFAULT_NAME;
use kymo_otf2::read;

use super::input::anchor;
use super::repair::{self, Repair};
use crate::check::damaged_files;
use crate::merge::output::{Output, thumbnails};
use crate::merge::problem::Problem;
use crate::output::{complain, inform};
use crate::seal::of_location;
use crate::status::Status;
use crate::{regular, tree};

/// Most bytes of an anchor.
const ANCHOR: u64 = 1 << 20;

/// Whether the archive in a folder has its anchor, which comes last. A process may be killed while it writes it.
pub(super) fn is_complete(folder: &Path) -> Result<bool, Problem> {
    let anchor = anchor(folder);
    match regular::read(&anchor, ANCHOR) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Problem::of(&anchor, error, Status::Environment)),
        Ok(bytes) => Ok(read::anchor(&bytes).is_ok()),
    }
}

/// The files of the archive in a folder that are damaged; a line for each fault goes to standard error.
pub(super) fn damaged(folder: &Path) -> Result<BTreeSet<FileName>, Problem> {
    damaged_files(&anchor(folder))
}

/// Makes an archive of what is whole of the one in a folder.
pub(super) fn repair(
    folder: &Path,
    damaged: &BTreeSet<FileName>,
    output: &Output,
    closes: bool,
) -> Result<Status, Problem> {
    let anchor = anchor(folder);
    complain(&format!("{}: the archive is damaged: what is whole of it is taken", anchor.display()));
    let archive = repair::open(&anchor)?;
    let written = Repair::new(&archive, damaged, output, closes).and_then(|repair| repair.write());
    output.finish(written).map(|_| Status::Partial)
}

/// Copies the archive in a folder; its seal, if it has one, only if asked for.
pub(super) fn copy(folder: &Path, with_seal: bool, output: &Output) -> Result<Status, Problem> {
    inform(&format!("{}: is a complete archive: it is copied", anchor(folder).display()));
    output.create()?;
    output.finish(copy_files(folder, with_seal, output)).map(|()| Status::Done)
}

fn copy_files(folder: &Path, with_seal: bool, output: &Output) -> Result<(), Problem> {
    let locations = folder.join(DEFAULT_NAME);
    let failed = |error| Problem::of(&locations, error, Status::Environment);
    for name in tree::names(&locations).map_err(failed)? {
        let path = locations.join(&name);
        match of_location(&name.to_string_lossy()) {
            Some(file) if path.is_file() => output.copy(&path, file)?,
            // What the archive has was looked at before.
            _ => complain(&format!("{}: no file of the archive: left out", path.display())),
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
