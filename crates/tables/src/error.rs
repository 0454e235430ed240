//! Why tables are not complete.

use std::path::{Path, PathBuf};
use std::{fmt, io};

/// An error that ends the work.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The trace cannot be analysed.
    Analysis(kymo_analysis::Error),
    /// Rows cannot be written.
    Other(io::Error),
    /// A file cannot be written.
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

impl Error {
    /// Creates the error of a [`Format`](crate::Format) that writes no files.
    pub fn other(what: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Other(io::Error::other(what))
    }

    pub(crate) fn write(path: &Path, error: impl Into<io::Error>) -> Self {
        Self::Write { path: path.to_owned(), source: error.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Analysis(error) => error.fmt(f),
            Self::Other(error) => error.fmt(f),
            Self::Write { path, source } => write!(f, "{}: {source}", path.display()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Analysis(error) => Some(error),
            Self::Other(error) => Some(error),
            Self::Write { source, .. } => Some(source),
        }
    }
}

impl From<kymo_analysis::Error> for Error {
    fn from(error: kymo_analysis::Error) -> Self {
        Self::Analysis(error)
    }
}

impl From<kymo_otf2::Error> for Error {
    fn from(error: kymo_otf2::Error) -> Self {
        Self::Analysis(error.into())
    }
}
