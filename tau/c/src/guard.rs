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

/// Says what went wrong, and sets `errno`.
pub(crate) fn report(error: &Error) {
    complain(error);
    set_errno(errno_of(error));
}

/// What `errno` says of an error: a file that is not what it should be is an invalid argument.
fn errno_of(error: &Error) -> i32 {
    match error {
        Error::Io { source, .. } => source.raw_os_error().unwrap_or(libc::EINVAL),
        Error::Limit { .. } => libc::ENOMEM,
        _ => libc::EINVAL,
    }
}

/// What was said last of a file; nobody wants to hear it a thousand times.
#[derive(Debug, Default)]
pub(crate) struct Said(String);

impl Said {
    /// Says what went wrong, unless that is what was said last, and sets `errno`.
    pub(crate) fn say(&mut self, error: &Error) {
        let what = error.to_string();
        if self.0 != what {
            complain(&what);
            self.0 = what;
        }
        set_errno(errno_of(error));
    }
}

/// Writes a line to standard error; a failure has nowhere to be reported.
pub(crate) fn complain(what: impl Display) {
    let _ = writeln!(io::stderr(), "{what}");
}

/// Sets the `errno` of this thread.
pub(crate) fn set_errno(number: i32) {
    // SAFETY: the C library gives the place of this thread's `errno`, which is always valid.
    unsafe { *libc::__errno_location() = number };
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn no_panic_passes() {
        assert_eq!(guarded(-1, || 7), 7);
        assert_eq!(guarded(-1, || panic!("on purpose")), -1);
    }
}
