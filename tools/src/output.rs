//! Writing to stdout, where a reader that has gone away (`kymo --help | head -1`) is no error, and to stderr.
//!
//! Invariant: nothing that steers a terminal gets there. What goes elsewhere is as it is, but for lines on stderr.

use std::io::{self, ErrorKind, IsTerminal, Write};

use crate::escape;
use crate::status::Status;

/// Writes `text` to stdout.
pub(crate) fn print(text: &str) -> Status {
    // Not `print!`, which panics when it fails.
    let mut stdout = io::stdout().lock();
    let shown = stdout.is_terminal().then(|| escape::for_terminal(text.as_bytes()));
    match stdout.write_all(shown.as_deref().unwrap_or(text).as_bytes()).and_then(|()| stdout.flush()) {
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
    let _ = writeln!(io::stderr(), "kymo: {}", escape::line(what));
}

/// Writes a further line to stderr.
pub(crate) fn hint(what: &str) {
    let _ = writeln!(io::stderr(), "{}", escape::line(what));
}
