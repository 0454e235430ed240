//! Errors in filter files, with path, line, the found and the expected words.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// The reason why a filter file has no rules.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be read.
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The file is not a filter.
    Syntax {
        /// The file.
        path: PathBuf,
        /// The mistake, with its line.
        mistake: Mistake,
    },
}

/// A mistake in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The word that is not allowed here.
    pub found: String,
    /// A description of the allowed words.
    pub expected: &'static str,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Syntax { path, mistake } => write!(f, "{}:{mistake}", path.display()),
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found '{}'", self.line, self.expected, self.found)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Syntax { .. } => None,
        }
    }
}

impl std::error::Error for Mistake {}
