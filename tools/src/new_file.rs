//! A file that appears under its name only when it is complete.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::interruption::{self, Unfinished, step};
use crate::problem::Problem;
use crate::status::Status;
use crate::tree;

/// A file that is written as a whole.
#[derive(Debug)]
pub(crate) struct NewFile;

impl NewFile {
    /// Writes the file, replacing an existing one.
    pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
        let new = unfinished_path(path);
        interruption::watch(Unfinished { stage: new.clone(), folders: Vec::new() });
        let written = write(&new, bytes).and_then(|()| {
            let _step = step();
            fs::rename(&new, path)
        });
        interruption::forget(&new);
        written.map_err(|error| {
            let _ = tree::remove(&new);
            Problem::of(path, error, Status::Environment)
        })
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let _step = step();
    // A process that was killed may have left it.
    tree::remove(path)?;
    File::create_new(path)?.write_all(bytes)
}

/// Returns the path of the file while it is being written.
fn unfinished_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".kymo-new");
    path.with_file_name(name)
}
