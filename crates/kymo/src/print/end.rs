//! Why printing ends before everything was printed.

use std::io;

use crate::status::Status;

/// A reason to stop.
#[derive(Debug)]
pub(crate) enum End {
    /// Standard output cannot be written.
    Output(io::Error),
    /// The reason was reported on standard error, or belongs there.
    Reported(Status),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        End::Output(error)
    }
}
