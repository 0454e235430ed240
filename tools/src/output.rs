//! Writing to stdout, where a reader that has gone away (`kymo --help | head -1`) is no error.

use std::io::{self, ErrorKind, Write};

use crate::status::Status;

/// Writes `text` to stdout.
pub(crate) fn print(text: &str) -> Status {
    // Not `print!`, which panics when it fails.
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => Status::Done,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Status::Done,
        Err(error) => {
            complain(&format!("standard output: {error}"));
            Status::Environment
        }
    }
}

/// Writes the line `kymo: what` to stderr. A failure has nowhere to be reported.
pub(crate) fn complain(what: &str) {
    let _ = writeln!(io::stderr(), "kymo: {what}");
}
