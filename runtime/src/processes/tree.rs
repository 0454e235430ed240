//! Trees of processes, of which only the first is recorded (`KYMO_RECORD_CHILDREN=no`), or the others from their first event on.

use std::env;
use std::os::unix::process::parent_id;

/// Whether this process is one of those to record.
pub(crate) fn is_recorded() -> bool {
    is_first() || env::var_os("KYMO_RECORD_CHILDREN").is_none_or(|children| children != "no")
}

/// Whether `kymo record` itself has started this process. Programs that take its place have the same parent. Nothing is put into the
/// environment for it: programs like bash have a `setenv` of their own, which does not work yet.
pub(crate) fn is_first() -> bool {
    env::var_os("KYMO_RECORD_PARENT").is_none_or(|parent| parent == *parent_id().to_string())
}
