//! The errors that can occur before or during a replay. Every message names the file, and the line
//! where there is one.

use std::fmt;
use std::path::{Path, PathBuf};

/// The reason why a recording could not be played.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// The error that the system returned.
        source: std::io::Error,
    },
    /// A line of a recording is malformed.
    Line {
        /// The file with the recording's calls.
        path: PathBuf,
        /// The line number, counted from 1.
        line: usize,
        /// The expectation that is not met.
        what: String,
    },
    /// A folder or file is not a playable recording.
    Recording {
        /// The folder or file.
        path: PathBuf,
        /// The expectation that is not met.
        what: String,
    },
    /// Processes that play ranks failed: the ranks, and how their processes ended.
    Ranks(String),
    /// The request is invalid for this recording or machine.
    Usage(String),
}

impl Error {
    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    pub(crate) fn recording(path: &Path, what: impl Into<String>) -> Self {
        Self::Recording { path: path.to_owned(), what: what.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Line { path, line, what } => write!(f, "{}: line {line}: {what}", path.display()),
            Self::Recording { path, what } => write!(f, "{}: {what}", path.display()),
            Self::Ranks(what) | Self::Usage(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
