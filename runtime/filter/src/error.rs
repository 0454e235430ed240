//! What is wrong with a filter file: path, line, what was found and what was expected.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why there are no rules.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The file cannot be read.
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is not a filter.
    Syntax {
        /// The file.
        path: PathBuf,
        /// Where and why.
        mistake: Mistake,
    },
}

/// What is wrong in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Number of the line, from 1 on.
    pub line: usize,
    /// The word that has no place here.
    pub found: String,
    /// What has.
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
