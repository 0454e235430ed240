//! Exit statuses of `kymo`.
//!
//! 0 done, 1 the trace has errors, 2 usage, 3 readable in part, 4 input/output or environment, 5 a limit was reached. The enum
//! holds those that a verb can end with today.

use std::process::ExitCode;

/// How the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// It did what was asked.
    Done = 0,
    /// What was typed has no meaning.
    Usage = 2,
    /// Reading, writing, or something the system had to give failed.
    Environment = 4,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}
