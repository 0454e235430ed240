//! Exit statuses of `kymo`.
//!
//! They are ordered: if several apply, the largest counts.

use std::process::ExitCode;

/// How the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// It did what was asked.
    Done = 0,
    /// The trace has errors, all of them printed.
    Faulty = 1,
    /// What was typed has no meaning.
    Usage = 2,
    /// The trace is readable in part; what could be read was processed.
    Partial = 3,
    /// Reading, writing, or something the system had to give failed.
    Environment = 4,
    /// A limit was reached.
    Limit = 5,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}
