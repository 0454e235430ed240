//! Why a program is not run, and what to do about it. The exit statuses are those of `env`, `nice` and `timeout`.

use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

use crate::output::complain;

/// Exit status if neither the program nor its absence is the reason.
pub(crate) const FAILED: u8 = 125;

/// The program does not begin.
#[derive(Debug)]
pub(super) struct Refusal {
    what: String,
    hint: Option<String>,
    status: u8,
}

impl Refusal {
    /// There is no such program.
    pub(super) fn missing(what: impl Display) -> Self {
        Self { what: what.to_string(), hint: None, status: 127 }
    }

    /// There is one, but it cannot be measured.
    pub(super) fn unfit(path: &Path, what: impl Display) -> Self {
        Self { what: format!("{}: {what}", path.display()), hint: None, status: 126 }
    }

    /// Something else is in the way.
    pub(super) fn failed(what: impl Display) -> Self {
        Self { what: what.to_string(), hint: None, status: FAILED }
    }

    /// An error with a file.
    pub(super) fn io(path: &Path, error: &std::io::Error) -> Self {
        Self::failed(format_args!("{}: {error}", path.display()))
    }

    /// The command line has none.
    pub(super) fn no_program() -> Self {
        Self::failed("expected a program")
    }

    /// What to do about it.
    pub(super) fn hint(self, hint: impl Display) -> Self {
        Self { hint: Some(hint.to_string()), ..self }
    }

    /// Says it.
    pub(super) fn report(&self) -> ExitCode {
        complain(&self.what);
        self.hint.iter().for_each(|hint| complain(hint));
        ExitCode::from(self.status)
    }
}
