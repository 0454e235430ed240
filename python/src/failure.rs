//! Why there is no result, and the exceptions of Python that say it.

use std::path::Path;

use kymo_analysis::{Error, NoAnchor};
use kymo_otf2::FileName;
use kymo_otf2::read::Archive;
use pyo3::exceptions::{PyException, PyFileNotFoundError, PyMemoryError, PyOSError};
use pyo3::prelude::*;

pyo3::create_exception!(
    kymograph,
    TraceError,
    PyException,
    "A trace cannot be read. `path` is the file, `offset` the byte at which it is damaged; both are None \
     if they are not known."
);

/// Why there is no result. It is described without the interpreter, which other threads may have
/// locked.
#[derive(Debug, Clone)]
pub(crate) struct TraceFailure {
    kind: FailureKind,
    text: String,
    path: Option<String>,
    offset: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
enum FailureKind {
    Missing,
    Memory,
    System,
    Trace,
}

impl TraceFailure {
    fn new(kind: FailureKind, text: String) -> Self {
        Self { kind, text, path: None, offset: None }
    }

    /// Describes a mistake in this package, of which standard error says more.
    pub(crate) fn of_panic() -> Self {
        Self::new(FailureKind::System, "kymograph has failed; please report it".to_owned())
    }

    /// Describes why a path names no archive.
    pub(crate) fn of_path(error: &NoAnchor) -> Self {
        let kind = if error.is_missing() { FailureKind::Missing } else { FailureKind::Trace };
        Self::new(kind, error.to_string())
    }

    /// Describes why a file cannot be read.
    pub(crate) fn of_file(path: &Path, error: &kymo_otf2::Error) -> Self {
        let offset = match error {
            kymo_otf2::Error::Format(error) => Some(error.offset),
            _ => None,
        };
        let path = path.display().to_string();
        let text = format!("{path}: {}", error.description());
        Self { kind: FailureKind::Trace, text, path: Some(path), offset }
    }

    /// Describes why an archive cannot be analysed.
    pub(crate) fn of_analysis(archive: &Archive, error: &Error) -> Self {
        match error {
            Error::Otf2(error) => {
                Self::of_file(&archive.path(error.file().unwrap_or(FileName::Anchor)), error)
            }
            Error::Temporary(error) => Self::new(FailureKind::System, format!("temporary file: {error}")),
            Error::TooManyContexts(_) => Self::new(FailureKind::Memory, error.to_string()),
            other => Self::new(FailureKind::Trace, other.to_string()),
        }
    }

    /// Describes why tables are not complete.
    pub(crate) fn of_tables(archive: &Archive, error: &kymo_tables::Error) -> Self {
        match error {
            kymo_tables::Error::Analysis(error) => Self::of_analysis(archive, error),
            other => Self::new(FailureKind::System, other.to_string()),
        }
    }

    /// Returns the description.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the exception.
    pub(crate) fn exception(self, py: Python<'_>) -> PyErr {
        let Self { kind, text, path, offset } = self;
        match kind {
            FailureKind::Missing => PyFileNotFoundError::new_err(text),
            FailureKind::Memory => PyMemoryError::new_err(text),
            FailureKind::System => PyOSError::new_err(text),
            FailureKind::Trace => {
                let exception = TraceError::new_err(text);
                let value = exception.value(py);
                let set = value.setattr("path", path).and_then(|()| value.setattr("offset", offset));
                set.map_or_else(|error| error, |()| exception)
            }
        }
    }
}
