//! Why an analysis has no result.

use crate::contexts::TooManyContexts;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, io};

/// An error that ends an analysis. Serialised as its description.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The archive cannot be read.
    Otf2(kymo_otf2::Error),
    /// A temporary file cannot be created, written or read.
    Temporary(io::Error),
    /// The calls of the trace have more calling contexts than fit in memory.
    TooManyContexts(TooManyContexts),
    /// The result of a part is inconsistent.
    BadPart(&'static str),
    /// An error in a part, which described it like this.
    OfPart(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Otf2(error) => error.fmt(f),
            Self::Temporary(error) => write!(f, "temporary file: {error}"),
            Self::TooManyContexts(error) => error.fmt(f),
            Self::BadPart(what) => f.write_str(what),
            Self::OfPart(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Otf2(error) => Some(error),
            Self::Temporary(error) => Some(error),
            Self::TooManyContexts(error) => Some(error),
            Self::BadPart(_) | Self::OfPart(_) => None,
        }
    }
}

impl From<kymo_otf2::Error> for Error {
    fn from(error: kymo_otf2::Error) -> Self {
        Self::Otf2(error)
    }
}

impl From<TooManyContexts> for Error {
    fn from(error: TooManyContexts) -> Self {
        Self::TooManyContexts(error)
    }
}

impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Error {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::OfPart)
    }
}
