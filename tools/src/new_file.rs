//! A single file that appears under its name when it is whole.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::merge::problem::Problem;
use crate::status::Status;

/// Such a file.
#[derive(Debug)]
pub(crate) struct NewFile;

impl NewFile {
    /// Writes the file in place of one that may be there.
    pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
        let new = beside(path);
        let written = write(&new, bytes).and_then(|()| fs::rename(&new, path));
        written.map_err(|error| {
            let _ = fs::remove_file(&new);
            Problem::of(path, error, Status::Environment)
        })
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Left by one that was killed.
    let _ = fs::remove_file(path);
    File::create_new(path)?.write_all(bytes)
}

/// Name of the file while it is written.
fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".kymo-new");
    path.with_file_name(name)
}
