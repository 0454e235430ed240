//! What a conversion found, and why one fails.

use std::fmt;
use std::path::PathBuf;

use crate::error::Complaint;

/// Why there is no archive.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A trace cannot be read.
    Trace(crate::Error),
    /// The archive cannot be written.
    Archive(kymo_otf2::Error),
    /// There is no record in any of the traces.
    Empty(PathBuf),
    /// More memory is needed than a conversion may take.
    Memory {
        /// The trace.
        file: PathBuf,
        /// What it is needed for.
        what: &'static str,
        /// Bytes that it may take.
        limit: usize,
    },
    /// There are more threads than an archive should have.
    Threads {
        /// The trace.
        file: PathBuf,
        /// The largest number.
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

/// A record with an event that the event file lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The trace.
    pub file: PathBuf,
    /// Offset of the record in bytes.
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

/// What was found and how it was dealt with.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Records of the traces.
    pub records: u64,
    /// Events of the archive.
    pub events: u64,
    /// Locations of the archive.
    pub locations: u64,
    /// Records with events that the event file lacks. They are left out.
    pub unknown: u64,
    /// The first of them.
    pub first_unknown: Option<Unknown>,
    /// Leaves of states that are not open. They are left out.
    pub not_entered: u64,
    /// Leaves of states in which others were still open. Those are left at the same time.
    pub crossed: u64,
    /// States that are never left. They are left with the one around them, or at the end of their thread.
    pub never_left: u64,
    /// Bytes behind the last record.
    pub left_over: u64,
    /// What is strange in the traces, the first of it.
    pub complaints: Vec<Complaint>,
    /// How much more is strange.
    pub more_complaints: u64,
}

/// Complaints that are kept.
const COMPLAINTS: usize = 20;

impl Report {
    pub(super) fn complain(&mut self, complaint: &Complaint) {
        match self.complaints.len() {
            ..COMPLAINTS => self.complaints.push(complaint.clone()),
            _ => self.more_complaints += 1,
        }
    }

    /// Whether records are missing in the archive.
    pub fn is_partial(&self) -> bool {
        self.unknown + self.not_entered + self.left_over > 0
    }
}
