//! What can go wrong before or while a recording is played. Every message names the file, and the line where there is one.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why a recording could not be played.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A line of a recording is not what it should be.
    Line {
        /// The recording's file of calls.
        path: PathBuf,
        /// Line, counted from 1.
        line: usize,
        /// What was expected.
        what: String,
    },
    /// A folder or file is no recording that can be played.
    Recording {
        /// The folder or file.
        path: PathBuf,
        /// What was expected.
        what: String,
    },
    /// Processes that play a rank failed: which, and how they ended.
    Ranks(String),
    /// The request makes no sense for this recording or machine.
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
