//! A file that appears under its name only when it is complete.
//!
//! A device, a pipe or a terminal cannot appear: it is written to as it is, and stays.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::AsFd;
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
    /// The name so far, until it is finished; none for a special file, which is written to as it
    /// is.
    stage: Option<PathBuf>,
    file: File,
}

impl NewFile {
    /// Starts a file, which will replace an existing one; that to which a link leads.
    pub(crate) fn create(path: &Path) -> Result<Self, Problem> {
        if is_special(path) {
            let file = special(path).map_err(|error| problem(path, error))?;
            return Ok(Self { path: path.to_owned(), stage: None, file });
        }
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let stage = unfinished_path(&path);
        interruption::watch(Unfinished { stage: stage.clone(), folders: Vec::new() });
        let created = start(&stage);
        let file = created.map_err(|error| {
            interruption::forget(&stage);
            problem(&path, error)
        })?;
        Ok(Self { path, stage: Some(stage), file })
    }

    /// Gives the file its name.
    pub(crate) fn finish(mut self) -> Result<(), Problem> {
        let _step = step();
        if let Some(stage) = &self.stage {
            fs::rename(stage, &self.path).map_err(|error| problem(&self.path, error))?;
            interruption::forget(stage);
        }
        self.stage = None;
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
        // Who reads a pipe may let it wait for ever.
        let _step = self.stage.as_ref().map(|_| step());
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(stage) = &self.stage {
            let _ = tree::remove(stage);
            interruption::forget(stage);
        }
    }
}

/// Opens the target of a path, without changing its contents.
fn special(path: &Path) -> io::Result<File> {
    // Opened again, a file to which the output goes would be written from its begin.
    match path.to_str() {
        Some("/dev/stdout") => io::stdout().as_fd().try_clone_to_owned().map(File::from),
        Some("/dev/stderr") => io::stderr().as_fd().try_clone_to_owned().map(File::from),
        _ => File::options().append(true).open(path),
    }
}

/// Returns whether a path is that of something other than a file: a device, a pipe, a terminal, or
/// a target of `/dev/stdout` or `/dev/fd`.
fn is_special(path: &Path) -> bool {
    let is_other = fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir());
    is_other || ["/dev/std", "/dev/fd/", "/proc/"].iter().any(|it| path.to_string_lossy().starts_with(it))
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
