//! Why a program is not run, with advice. The exit statuses are those of `env`, `nice` and
//! `timeout`.

use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

use crate::output::complain;

/// The exit status if the program could be measured, but something else failed.
pub(crate) const FAILED: u8 = 125;

/// Why the program is not started.
#[derive(Debug)]
pub(super) struct RecordError {
    what: String,
    hint: Option<String>,
    status: u8,
}

impl RecordError {
    /// Returns the text of the error.
    pub(super) fn into_what(self) -> String {
        self.what
    }

    /// The program was not found.
    pub(super) fn missing(what: impl Display) -> Self {
        Self { what: what.to_string(), hint: None, status: 127 }
    }

    /// The program cannot be measured.
    pub(super) fn unfit(path: &Path, what: impl Display) -> Self {
        Self { what: format!("{}: {what}", path.display()), hint: None, status: 126 }
    }

    /// Something else failed.
    pub(super) fn failed(what: impl Display) -> Self {
        Self { what: what.to_string(), hint: None, status: FAILED }
    }

    /// An I/O error with a file.
    pub(super) fn io(path: &Path, error: &std::io::Error) -> Self {
        Self::failed(format_args!("{}: {error}", path.display()))
    }

    /// The command line names no program.
    pub(super) fn no_program() -> Self {
        Self::failed("expected a program")
    }

    /// Adds advice.
    pub(super) fn hint(self, hint: impl Display) -> Self {
        Self { hint: Some(hint.to_string()), ..self }
    }

    /// Prints the reason and the advice, and returns the exit status.
    pub(super) fn report(&self) -> ExitCode {
        complain(&self.what);
        if let Some(hint) = &self.hint {
            complain(hint);
        }
        ExitCode::from(self.status)
    }
}
