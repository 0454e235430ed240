//! Why an analysis has no result.

use std::{fmt, io};

/// An error that ends an analysis.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The archive cannot be read.
    Otf2(kymo_otf2::Error),
    /// A temporary file cannot be created, written or read.
    Temporary(io::Error),
    /// The calls of the trace have more calling contexts than fit in memory.
    TooManyContexts,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Otf2(error) => error.fmt(f),
            Self::Temporary(error) => write!(f, "temporary file: {error}"),
            Self::TooManyContexts => write!(f, "more than {} calling contexts", crate::Contexts::MOST),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Otf2(error) => Some(error),
            Self::Temporary(error) => Some(error),
            Self::TooManyContexts => None,
        }
    }
}

impl From<kymo_otf2::Error> for Error {
    fn from(error: kymo_otf2::Error) -> Self {
        Self::Otf2(error)
    }
}
