//! What can go wrong, with file and place.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::record::Layout;

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something was not read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The system refused.
    Io {
        /// The file.
        file: PathBuf,
        /// Offset in bytes, if one is concerned.
        offset: Option<u64>,
        /// What the system says.
        source: io::Error,
    },
    /// The first line of an event file is none.
    EventFileHeader {
        /// The event file.
        file: PathBuf,
        /// The line as far as it is needed to tell it.
        found: String,
    },
    /// A record has an event that the event file lacks. Reading stands in front of it.
    UnknownEvent {
        /// The trace file.
        file: PathBuf,
        /// Offset of the record in bytes.
        offset: u64,
        /// Number of the record.
        record: u64,
        /// Id of the event.
        event: i32,
        /// The event file.
        event_file: PathBuf,
    },
    /// A position before the first record. Reading stands where it stood.
    BeforeStart {
        /// The trace file.
        file: PathBuf,
        /// The position.
        position: i128,
    },
    /// The definitions of an event file need more memory than they may take.
    Limit {
        /// The event file.
        file: PathBuf,
        /// Number of the line.
        line: u64,
        /// Bytes that they may take.
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
                write!(f, "{}: expected a position from record 0 on, found {position}", file.display())
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

/// Something strange that does not stop reading.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Complaint {
    /// A line of the event file, and what is wrong with it.
    Line {
        /// The event file.
        file: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// Offset of the line in bytes.
        offset: u64,
        /// What is wrong.
        problem: LineProblem,
    },
    /// The trace file does not say what its layout is.
    Layout {
        /// The trace file.
        file: PathBuf,
        /// What it is taken for.
        taken: Layout,
    },
}

/// What is wrong with a line of an event file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineProblem {
    /// It is left out, because it is longer than any name can be.
    TooLong,
    /// It is left out, because it has no name in quotes.
    NoName,
    /// It is left out, because the words in front of the name are not id, group and tag.
    Words,
    /// The id is below zero.
    NegativeId,
}

impl fmt::Display for LineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LineProblem::TooLong => "expected a line of at most 1 MiB; left out",
            LineProblem::NoName => "expected a name in quotes; left out",
            LineProblem::Words => "expected id, group and tag in front of the name; left out",
            LineProblem::NegativeId => "expected an id from 0 on",
        })
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Complaint::Line { file, line, offset, problem } => {
                write!(f, "{}: byte {offset}: line {line}: {problem}", file.display())
            }
            // The words that TAU's own reader has for it.
            Complaint::Layout { taken: Layout::NATIVE, .. } => {
                f.write_str("couldn't determine format, using native!")
            }
            Complaint::Layout { file, taken } => {
                write!(f, "{}: byte 0: couldn't determine format, using {taken:?}", file.display())
            }
        }
    }
}
