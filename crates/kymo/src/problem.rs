//! Why there is no result, in one line that names a file.

use std::fmt::Display;
use std::io;
use std::path::Path;

use kymo_otf2::read::Archive;
use kymo_otf2::{Error, FileName};

use crate::output::complain;
use crate::status::Status;

/// A description of the failure, and the exit status.
#[derive(Debug)]
pub(crate) struct Problem {
    what: String,
    status: Status,
    /// Whether the disk or the quota is full.
    is_full: bool,
}

impl Problem {
    /// Creates a problem whose description names the file.
    pub(crate) fn new(what: impl Display, status: Status) -> Self {
        Self { what: what.to_string(), status, is_full: false }
    }

    /// Creates a problem with a file.
    pub(crate) fn of(path: &Path, what: impl Display, status: Status) -> Self {
        Self::new(format_args!("{}: {what}", path.display()), status)
    }

    /// Creates the problem that a file cannot be written because the disk or the quota is full.
    pub(crate) fn of_full_disk(path: &Path, error: &io::Error) -> Self {
        let what = format!("{error}; choose a place with enough space (-o)");
        Self { is_full: true, ..Self::of(path, what, Status::Environment) }
    }

    /// Creates the problem that times of a file cannot be moved as requested.
    pub(crate) fn outside(path: &Path) -> Self {
        Self::of(path, "times would be before 0 or too far in the future", Status::Usage)
    }

    /// Creates the problem that the arguments are invalid.
    pub(crate) fn usage(what: impl Display) -> Self {
        Self::new(what, Status::Usage)
    }

    /// Creates a problem with the system or with a request to it.
    pub(crate) fn environment(what: impl Display) -> Self {
        Self::new(what, Status::Environment)
    }

    /// Creates the problem that an archive cannot be opened.
    pub(crate) fn of_anchor(path: &Path, error: &Error) -> Self {
        Self::of(path, error.description(), status(error))
    }

    /// Creates the problem that a file of an archive cannot be read.
    pub(crate) fn of_archive(archive: &Archive, error: &Error) -> Self {
        let file = match error {
            Error::Limit(limit) => limit.file,
            other => other.file().unwrap_or(FileName::Anchor),
        };
        Self::of(&archive.path(file), error.description(), status(error))
    }

    /// Reports the problem with an item that is left out of the result.
    pub(crate) fn leave_out(&self) {
        complain(&format!("{}: left out", self.what));
    }

    /// Whether the disk or the quota is full.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns the description.
    pub(crate) fn what(&self) -> &str {
        &self.what
    }

    /// Reports the problem and returns the exit status.
    pub(crate) fn report(&self) -> Status {
        complain(&self.what);
        self.status
    }
}

fn status(error: &Error) -> Status {
    match error {
        Error::Format(_) => Status::Faulty,
        Error::Usage(_) => Status::Usage,
        Error::Limit(_) => Status::Limit,
        _ => Status::Environment,
    }
}
