//! The boundary between C and Rust: no panic crosses it, and errors are reported.

use std::any::Any;
use std::fmt::Display;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use kymo_tau::Error;

/// Runs a closure. Returns `neutral` if it panics.
pub(crate) fn guarded<T>(neutral: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        forget(panic);
        neutral
    })
}

/// Leaks the payload of a panic, because dropping it could panic again.
fn forget(panic: Box<dyn Any + Send>) {
    std::mem::forget(panic);
}

/// Prints an error and sets `errno`.
pub(crate) fn report(error: &Error) {
    complain(error);
    set_errno(errno_of(error));
}

/// Returns the `errno` of an error. A malformed file is an invalid argument.
fn errno_of(error: &Error) -> i32 {
    match error {
        Error::Io { source, .. } => source.raw_os_error().unwrap_or(libc::EINVAL),
        Error::Limit { .. } => libc::ENOMEM,
        _ => libc::EINVAL,
    }
}

/// The last error printed for a file, so that an error is not printed for every call.
#[derive(Debug, Default)]
pub(crate) struct LastError(String);

impl LastError {
    /// Prints an error, unless it is the last one printed, and sets `errno`.
    pub(crate) fn report(&mut self, error: &Error) {
        let what = error.to_string();
        if self.0 != what {
            complain(&what);
            self.0 = what;
        }
        set_errno(errno_of(error));
    }
}

/// Writes a line to standard error. A failure cannot be reported anywhere.
pub(crate) fn complain(what: impl Display) {
    let _ = writeln!(io::stderr(), "{what}");
}

/// Sets the `errno` of this thread.
pub(crate) fn set_errno(number: i32) {
    // SAFETY: the C library returns the address of this thread's `errno`, which is always valid.
    unsafe { *libc::__errno_location() = number };
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn panics_do_not_cross_the_boundary() {
        assert_eq!(guarded(-1, || 7), 7);
        assert_eq!(guarded(-1, || panic!("on purpose")), -1);
    }
}
