//! Trees of processes of which only the first is recorded: `KYMO_RECORD_CHILDREN=no`.

use std::env;
use std::ffi::CStr;

/// The first one's number. Programs that take its place have it, too.
const FIRST: &CStr = c"KYMO_RECORD_PROCESS";

/// Whether this process is one of those to record. To be asked before the program begins.
pub(crate) fn is_recorded() -> bool {
    if env::var_os("KYMO_RECORD_CHILDREN").is_none_or(|children| children != "no") {
        return true;
    }
    let me = format!("{}\0", std::process::id());
    // SAFETY: both are strings. The program has not begun, no other thread reads the environment. One that is set stays.
    unsafe { libc::setenv(FIRST.as_ptr(), me.as_ptr().cast(), 0) };
    // SAFETY: a string.
    let first = unsafe { libc::getenv(FIRST.as_ptr()) };
    // SAFETY: null, or a string that nobody changes now.
    !first.is_null() && unsafe { CStr::from_ptr(first) }.to_bytes_with_nul() == me.as_bytes()
}
