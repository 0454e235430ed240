//! What stands between C and Rust: no panic passes, and what went wrong is said.

use std::any::Any;
use std::fmt::Display;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use kymo_tau::Error;

/// Runs a body; `neutral` if it panics.
pub(crate) fn guarded<T>(neutral: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        forget(panic);
        neutral
    })
}

/// Dropping what a panic carries could panic again.
fn forget(panic: Box<dyn Any + Send>) {
    std::mem::forget(panic);
}

/// Says what went wrong, and sets `errno` if the system said so.
pub(crate) fn report(error: &Error) {
    complain(error);
    if let Error::Io { source, .. } = error {
        set_errno(source.raw_os_error().unwrap_or(libc::EIO));
    }
}

/// Writes a line to standard error; a failure has nowhere to be reported.
pub(crate) fn complain(what: impl Display) {
    let _ = writeln!(io::stderr(), "{what}");
}

fn set_errno(number: i32) {
    // SAFETY: the C library gives the place of this thread's `errno`, which is always valid.
    unsafe { *libc::__errno_location() = number };
}
