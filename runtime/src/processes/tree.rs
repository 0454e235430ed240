//! Trees of processes. Only the first process is recorded (`KYMO_RECORD_CHILDREN=no`), or the
//! others are recorded as well, from their first event on.

use std::env;
use std::os::unix::process::parent_id;

use crate::program;

/// Returns whether this process is recorded.
pub(crate) fn is_recorded() -> bool {
    is_first() || env::var_os("KYMO_RECORD_CHILDREN").is_none_or(|children| children != "no")
}

/// The beginnings of the names of programs that start the ranks of a job.
const LAUNCHERS: [&[u8]; 8] =
    [b"aprun", b"flux", b"jsrun", b"mpiexec", b"mpirun", b"orterun", b"prterun", b"srun"];

/// Returns whether this process only launches the ranks of a job.
pub(crate) fn is_launcher() -> bool {
    let executable = program::executable();
    LAUNCHERS.iter().any(|name| program::short_name(&executable).starts_with(name))
}

/// Returns whether `kymo record` itself started this process. A program that replaces it has the
/// same parent. The environment is not changed to mark the process, as programs like bash have a
/// `setenv` of their own, which does not work yet at this time.
pub(crate) fn is_first() -> bool {
    env::var_os("KYMO_RECORD_PARENT").is_none_or(|parent| parent == *parent_id().to_string())
}
