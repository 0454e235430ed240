//! An archive that has its whole anchor is complete: it is copied as it is.

use std::fs;
use std::path::Path;

use kymo_otf2::FileName;
use kymo_otf2::archive::DEFAULT_NAME;
use kymo_otf2::read;

use super::input::anchor;
use crate::merge::output::{Output, thumbnails};
use crate::merge::problem::Problem;
use crate::output::{complain, print};
use crate::status::Status;

/// Whether the archive in a folder has its anchor, which comes last. A process may be killed while it writes it.
pub(super) fn is_complete(folder: &Path) -> bool {
    fs::read(anchor(folder)).is_ok_and(|bytes| read::anchor(&bytes).is_ok())
}

/// Copies the archive in a folder, its anchor last.
pub(super) fn copy(folder: &Path, output: &Output) -> Result<Status, Problem> {
    complain(&format!("{}: is a complete archive: it is copied", anchor(folder).display()));
    output.create()?;
    let copied = copy_files(folder, output);
    if copied.is_err() {
        output.discard();
    }
    copied.map(|()| print(&format!("{}\n", output.anchor().display())))
}

fn copy_files(folder: &Path, output: &Output) -> Result<(), Problem> {
    let locations = folder.join(DEFAULT_NAME);
    let entries =
        fs::read_dir(&locations).map_err(|error| Problem::of(&locations, error, Status::Environment))?;
    for entry in entries {
        let entry = entry.map_err(|error| Problem::of(&locations, error, Status::Environment))?;
        if entry.file_type().is_ok_and(|it| it.is_file()) {
            copy_file(&entry.path(), &output.locations().join(entry.file_name()))?;
        }
    }
    let last = [FileName::Markers, FileName::GlobalDefinitions, FileName::Anchor];
    for file in thumbnails(folder, DEFAULT_NAME).into_iter().chain(last) {
        let from = folder.join(file.path(DEFAULT_NAME).to_string());
        if from.is_file() {
            copy_file(&from, &output.path(file))?;
        }
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path) -> Result<(), Problem> {
    fs::copy(from, to).map(|_| ()).map_err(|error| Problem::of(from, error, Status::Environment))
}
