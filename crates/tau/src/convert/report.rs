//! The result of a conversion, and the reasons for failure.

use std::fmt;
use std::path::PathBuf;

use crate::error::Complaint;

/// The reason why there is no archive.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A trace cannot be read.
    Trace(crate::Error),
    /// The archive cannot be written.
    Archive(kymo_otf2::Error),
    /// None of the traces contains a record.
    Empty(PathBuf),
    /// A conversion needs more memory than allowed.
    Memory {
        /// The trace.
        file: PathBuf,
        /// The data that needs it.
        what: &'static str,
        /// The maximum number of bytes.
        limit: usize,
    },
    /// There are more threads than an archive may have.
    Threads {
        /// The trace.
        file: PathBuf,
        /// The maximum number.
        limit: usize,
    },
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        Error::Trace(error)
    }
}

impl From<kymo_otf2::Error> for Error {
    fn from(error: kymo_otf2::Error) -> Self {
        Error::Archive(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Trace(error) => error.fmt(f),
            Error::Archive(error) => error.fmt(f),
            Error::Empty(file) => {
                write!(f, "{}: byte 0: expected a record, found the end of the file", file.display())
            }
            Error::Memory { file, what, limit } => {
                write!(f, "{}: {what} need more than {limit} bytes of memory", file.display())
            }
            Error::Threads { file, limit } => write!(f, "{}: more than {limit} threads", file.display()),
        }
    }
}

impl std::error::Error for Error {}

/// A record whose event is not in the event file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The trace.
    pub file: PathBuf,
    /// The offset of the record in bytes.
    pub offset: u64,
    /// The event.
    pub event: i32,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unknown { file, offset, event } = self;
        write!(f, "{}: byte {offset}: expected an event of the event file, found {event}", file.display())
    }
}

/// The findings of a conversion, and how it handled them.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// The number of records in the traces.
    pub records: u64,
    /// The number of events in the archive.
    pub events: u64,
    /// The number of locations in the archive.
    pub locations: u64,
    /// The number of records whose event is not in the event file. They are skipped.
    pub unknown: u64,
    /// The first of these records.
    pub first_unknown: Option<Unknown>,
    /// The number of leaves of states that are not open. They are skipped.
    pub not_entered: u64,
    /// The number of leaves of states in which others were still open. These are left at the same
    /// time.
    pub crossed: u64,
    /// The number of states that are never left. They are left together with the enclosing one, or
    /// at the end of their thread.
    pub never_left: u64,
    /// The number of bytes after the last record.
    pub left_over: u64,
    /// The first complaints about the traces.
    pub complaints: Vec<Complaint>,
    /// The number of further complaints.
    pub more_complaints: u64,
}

/// The number of complaints kept.
const COMPLAINTS: usize = 20;

impl Report {
    pub(super) fn complain(&mut self, complaint: &Complaint) {
        match self.complaints.len() {
            ..COMPLAINTS => self.complaints.push(complaint.clone()),
            _ => self.more_complaints += 1,
        }
    }

    /// Returns whether records are missing from the archive.
    pub fn is_partial(&self) -> bool {
        self.unknown + self.not_entered + self.left_over > 0
    }
}
