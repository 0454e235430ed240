//! Exit statuses of `kymo`.
//!
//! They are ordered: if several apply, the largest is used.

use std::process::ExitCode;

/// How the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// The command succeeded.
    Done = 0,
    /// The trace has errors, all of them printed.
    Faulty = 1,
    /// The arguments are invalid.
    Usage = 2,
    /// The trace is readable in part; that part was processed.
    Partial = 3,
    /// Reading or writing failed, or the system refused a resource.
    Environment = 4,
    /// A limit was reached.
    Limit = 5,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}
