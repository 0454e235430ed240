//! The arguments: a folder with an archive in it, and scratch files.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kymo_otf2::archive::DEFAULT_NAME;
use kymo_otf2::storage::Content;
use kymo_recorder::real_path;
use kymo_recorder::scratch::side;

use crate::problem::Problem;
use crate::regular;
use crate::status::Status;

/// The folder of the archive in an experiment directory.
const KYMO: &str = "kymo";

/// The paths to recover.
#[derive(Debug, Default)]
pub(super) struct Input {
    /// The experiment directory, or whichever folder was given.
    pub(super) directory: Option<PathBuf>,
    /// The folder of the archive, which may not exist.
    pub(super) folder: Option<PathBuf>,
    /// The scratch files.
    pub(super) scratch: Vec<PathBuf>,
}

impl Input {
    /// Separates folders from files.
    pub(super) fn of(paths: &[PathBuf]) -> Result<Self, Problem> {
        let mut input = Input::default();
        for path in paths {
            match fs::metadata(path) {
                Ok(metadata) if metadata.is_file() => input.scratch.push(path.clone()),
                Ok(metadata) if !metadata.is_dir() => {
                    return Err(Problem::of(path, "is neither a folder nor a scratch file", Status::Usage));
                }
                // A process may die before its experiment directory is created.
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Problem::of(path, error, Status::Environment));
                }
                _ if input.directory.is_some() => {
                    return Err(Problem::of(
                        path,
                        "only one directory can be recovered at a time",
                        Status::Usage,
                    ));
                }
                _ => input.set_directory(path),
            }
        }
        Ok(input)
    }

    fn set_directory(&mut self, path: &Path) {
        let path = absolute(path);
        let inner = path.join(KYMO);
        let is_kymo = path.file_name().is_some_and(|name| name == KYMO);
        let (directory, folder) = match (is_kymo, is_archive(&path)) {
            _ if inner.is_dir() => (path, inner),
            (true, _) => (path.parent().unwrap_or(&path).to_owned(), path),
            // An archive without an experiment directory around it.
            (false, true) => (path.clone(), path),
            (false, false) => (path, inner),
        };
        (self.directory, self.folder) = (Some(directory), Some(folder));
    }

    /// Returns the experiment directory with `-recovered` appended. For a scratch file without a
    /// directory, uses the name of the file, in the working directory.
    pub(super) fn default_output(&self) -> PathBuf {
        let base = match (&self.directory, self.scratch.first()) {
            (Some(directory), _) => directory.clone(),
            (None, Some(scratch)) => PathBuf::from(scratch.file_stem().unwrap_or_default()),
            (None, None) => PathBuf::from(KYMO),
        };
        let mut name: OsString = base.into();
        name.push("-recovered");
        name.into()
    }

    /// Whether a path is inside the given directory.
    pub(super) fn has(&self, path: &Path) -> bool {
        let path = absolute(path);
        let given = [self.directory.as_deref(), self.folder.as_deref()];
        given.into_iter().flatten().any(|given| path.starts_with(given))
    }
}

/// Whether a folder contains the parts of an archive.
fn is_archive(path: &Path) -> bool {
    [DEFAULT_NAME, side::FOLDER].iter().any(|name| path.join(name).is_dir()) || anchor(path).is_file()
}

/// Returns the anchor file of an archive in a folder.
pub(super) fn anchor(folder: &Path) -> PathBuf {
    folder.join(format!("{DEFAULT_NAME}.otf2"))
}

/// Returns the path without links and relative components, as far as it exists.
pub(super) fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match (real_path(&path), path.parent(), path.file_name()) {
        (Ok(path), ..) => path,
        (Err(_), Some(parent), Some(name)) => absolute(parent).join(name),
        (Err(_), ..) => path.components().collect(),
    }
}

/// Opens a file for recovery.
pub(super) fn content(path: &Path) -> io::Result<Arc<dyn Content>> {
    Ok(Arc::new(OwnedFd::from(regular::open(path)?)))
}
