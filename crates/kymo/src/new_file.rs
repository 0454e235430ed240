//! A file that appears under its name only when it is complete.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::interruption::{self, Unfinished, step};
use crate::output::print;
use crate::problem::Problem;
use crate::status::Status;
use crate::tree;

/// Prints a text or other bytes, or writes them to a file; '-' is standard output.
pub(crate) fn print_or_write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<Status, Problem> {
    match path.as_os_str() == "-" {
        true => Ok(print(bytes)),
        false => NewFile::replace(path, bytes.as_ref()).map(|()| Status::Done),
    }
}

/// A file that is being written. It is removed if it is not finished.
#[derive(Debug)]
pub(crate) struct NewFile {
    path: PathBuf,
    stage: PathBuf,
    file: File,
    has_name: bool,
}

impl NewFile {
    /// Starts a file, which will replace an existing one.
    pub(crate) fn create(path: &Path) -> Result<Self, Problem> {
        let stage = unfinished_path(path);
        interruption::watch(Unfinished { stage: stage.clone(), folders: Vec::new() });
        let created = start(&stage);
        let file = created.map_err(|error| {
            interruption::forget(&stage);
            problem(path, error)
        })?;
        Ok(Self { path: path.to_owned(), stage, file, has_name: false })
    }

    /// Gives the file its name.
    pub(crate) fn finish(mut self) -> Result<(), Problem> {
        let _step = step();
        fs::rename(&self.stage, &self.path).map_err(|error| problem(&self.path, error))?;
        self.has_name = true;
        Ok(())
    }

    /// Writes a whole file, replacing an existing one.
    pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
        let mut new = Self::create(path)?;
        new.write_all(bytes).map_err(|error| problem(path, error))?;
        new.finish()
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _step = step();
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.has_name {
            let _ = tree::remove(&self.stage);
        }
        interruption::forget(&self.stage);
    }
}

fn start(path: &Path) -> io::Result<File> {
    let _step = step();
    // A process that was killed may have left it.
    tree::remove(path)?;
    File::create_new(path)
}

fn problem(path: &Path, error: io::Error) -> Problem {
    Problem::of(path, error, Status::Environment)
}

/// Returns the path of the file while it is being written.
fn unfinished_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".kymo-new");
    path.with_file_name(name)
}
