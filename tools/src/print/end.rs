//! Why printing ends before everything was printed.

use std::io;

use crate::status::Status;

/// A reason to stop.
#[derive(Debug)]
pub(crate) enum End {
    /// Standard output does not take any more.
    Output(io::Error),
    /// It was said on standard error, or belongs there.
    Said(Status),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        End::Output(error)
    }
}
