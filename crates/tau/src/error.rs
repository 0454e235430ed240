//! Errors and complaints, with file and position.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::record::Layout;

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason why a trace was not read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The operating system returned an error.
    Io {
        /// The file.
        file: PathBuf,
        /// The offset in bytes, if the error concerns one.
        offset: Option<u64>,
        /// The error of the system.
        source: io::Error,
    },
    /// The first line of an event file is not a valid header.
    EventFileHeader {
        /// The event file.
        file: PathBuf,
        /// The line, truncated for display.
        found: String,
    },
    /// The event of a record is not in the event file. The reader's position is that record.
    UnknownEvent {
        /// The trace file.
        file: PathBuf,
        /// The offset of the record in bytes.
        offset: u64,
        /// The number of the record.
        record: u64,
        /// The id of the event.
        event: i32,
        /// The event file.
        event_file: PathBuf,
    },
    /// The position is before the first record. The reader's position is unchanged.
    BeforeStart {
        /// The trace file.
        file: PathBuf,
        /// The position.
        position: i128,
    },
    /// The definitions of an event file need more memory than allowed.
    Limit {
        /// The event file.
        file: PathBuf,
        /// The number of the line.
        line: u64,
        /// The maximum number of bytes.
        limit: usize,
    },
}

impl Error {
    pub(crate) fn io(file: &std::path::Path, offset: Option<u64>, source: io::Error) -> Self {
        Error::Io { file: file.to_owned(), offset, source }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io { file, offset: None, source } => write!(f, "{}: {source}", file.display()),
            Error::Io { file, offset: Some(offset), source } => {
                write!(f, "{}: byte {offset}: {source}", file.display())
            }
            Error::EventFileHeader { file, found } => write!(
                f,
                "{}: byte 0: expected a number of events and `dynamic_trace_events`, found `{found}`",
                file.display()
            ),
            Error::UnknownEvent { file, offset, record, event, event_file } => write!(
                f,
                "{}: byte {offset}: record {record}: expected an event of {}, found {event}",
                file.display(),
                event_file.display()
            ),
            Error::BeforeStart { file, position } => {
                write!(f, "{}: expected a position at or after record 0, found {position}", file.display())
            }
            Error::Limit { file, line, limit } => {
                write!(
                    f,
                    "{}: line {line}: the events need more than {limit} bytes of memory",
                    file.display()
                )
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// An anomaly that does not stop reading.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Complaint {
    /// A line of the event file is bad.
    Line {
        /// The event file.
        file: PathBuf,
        /// The number of the line, from 1.
        line: u64,
        /// The offset of the line in bytes.
        offset: u64,
        /// The problem.
        problem: LineProblem,
    },
    /// The layout cannot be derived from the trace file.
    Layout {
        /// The trace file.
        file: PathBuf,
        /// The layout that is assumed.
        taken: Layout,
    },
}

/// The problem of a line in an event file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineProblem {
    /// The line is longer than any name can be, and is skipped.
    TooLong,
    /// The line has no name in quotes, and is skipped.
    NoName,
    /// The words before the name are not id, group and tag, and the line is skipped.
    Words,
    /// The id is negative.
    NegativeId,
}

impl fmt::Display for LineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LineProblem::TooLong => "expected a line of at most 1 MiB; line skipped",
            LineProblem::NoName => "expected a name in quotes; line skipped",
            LineProblem::Words => "expected id, group and tag before the name; line skipped",
            LineProblem::NegativeId => "expected a non-negative id",
        })
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Complaint::Line { file, line, offset, problem } => {
                write!(f, "{}: byte {offset}: line {line}: {problem}", file.display())
            }
            // The wording is that of TAU's own reader.
            Complaint::Layout { taken: Layout::NATIVE, .. } => {
                f.write_str("couldn't determine format, using native!")
            }
            Complaint::Layout { file, taken } => {
                write!(f, "{}: byte 0: couldn't determine format, using {taken:?}", file.display())
            }
        }
    }
}
