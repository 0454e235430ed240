//! The results of tasks.

use std::fmt::Display;
use std::path::Path;

/// The reason why a task failed.
pub(crate) type Problem = String;

/// The result of a task, which prints its report itself.
pub(crate) type Done = Result<(), Problem>;

/// Returns the message for an error with a file.
pub(crate) fn of(path: &Path, error: impl Display) -> Problem {
    format!("{}: {error}", path.display())
}
