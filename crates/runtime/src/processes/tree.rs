//! Trees of processes. Only the first process is recorded (`KYMO_RECORD_CHILDREN=no`), or the
//! others are recorded as well, from their first event on. A launcher is not recorded: it is not
//! part of the program that it starts.

use std::env;
use std::os::unix::process::parent_id;

use crate::program;

/// Returns whether this process is recorded.
pub(crate) fn is_recorded() -> bool {
    (is_first() || has_children()) && !is_launcher()
}

/// Returns whether children are recorded.
pub(crate) fn has_children() -> bool {
    env::var_os("KYMO_RECORD_CHILDREN").is_none_or(|children| children != "no")
}

/// Returns whether this process only launches the ranks of a job.
fn is_launcher() -> bool {
    kymo_launch::is_launcher(program::short_name(&program::executable()))
}

/// Returns whether `kymo record` itself started this process. A program that replaces it has the
/// same parent. The environment is not changed to mark the process, as programs like bash have a
/// `setenv` of their own, which does not work yet at this time.
pub(crate) fn is_first() -> bool {
    env::var_os("KYMO_RECORD_PARENT").is_none_or(|parent| parent == *parent_id().to_string())
}
