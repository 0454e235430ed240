//! Writing to stdout and stderr. A reader that has gone away (`kymo --help | head -1`) is not an
//! error.
//!
//! Invariant: nothing from a trace or a file name can control a terminal. Output to other
//! destinations is unchanged, except for lines on stderr, which are always escaped.

use std::env;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::escape;
use crate::status::Status;

/// Writes `text` to stdout; on a terminal, characters that would control it are escaped.
pub(crate) fn print(text: impl AsRef<[u8]>) -> Status {
    let text = text.as_ref();
    match io::stdout().is_terminal() {
        true => print_as_it_is(escape::for_terminal(text)),
        false => print_as_it_is(text),
    }
}

/// Writes lines to stdout; on a terminal, characters that would control it or end a line are
/// escaped.
pub(crate) fn print_lines(lines: &[String]) -> Status {
    let is_terminal = io::stdout().is_terminal();
    let line = |line: &String| if is_terminal { escape::line(line) } else { line.clone() };
    print_as_it_is(lines.iter().map(|it| line(it) + "\n").collect::<String>())
}

/// Returns the width of the terminal that stdout is, in characters; `None` if it is none.
pub(crate) fn terminal_width() -> Option<usize> {
    let stdout = io::stdout();
    let size = stdout.is_terminal().then(|| rustix::termios::tcgetwinsize(&stdout).ok()).flatten();
    size.map(|it| it.ws_col.into()).filter(|it| *it > 0)
}

/// Writes text of our own, in which names are escaped, to stdout.
pub(crate) fn print_as_it_is(text: impl AsRef<[u8]>) -> Status {
    // Not `print!`, which panics when it fails.
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_ref()).and_then(|()| stdout.flush()) {
        Ok(()) => Status::Done,
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Status::Done,
        Err(error) => {
            complain(&format!("standard output: {error}"));
            Status::Environment
        }
    }
}

/// Writes the line `kymo: what` to stderr. If this fails, there is no place to report it.
pub(crate) fn complain(what: &str) {
    let _ = writeln!(io::stderr(), "kymo: {}", escape::line(what));
}

/// Whether only problems are reported.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Suppresses everything but problems from now on.
pub(crate) fn be_quiet() {
    IS_QUIET.store(true, Relaxed);
}

/// Whether only problems are reported.
pub(crate) fn is_quiet() -> bool {
    IS_QUIET.load(Relaxed)
}

/// Writes a remark as [`complain`] does, unless only problems are reported.
pub(crate) fn inform(what: &str) {
    if !is_quiet() {
        complain(what);
    }
}

/// Whether stdout is a terminal and colours are wanted.
pub(crate) fn has_colours() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    io::stdout().is_terminal() && !is_set("NO_COLOR") && env::var_os("TERM").is_none_or(|it| it != "dumb")
}

/// Quotes a path for a shell if necessary.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |it: char| it.is_alphanumeric() || "/._-+,:=@%".contains(it);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// Writes text of our own, which may contain colours, to stdout.
pub(crate) fn print_own(text: &clap::builder::StyledStr) -> Status {
    if !has_colours() {
        return print(text.to_string());
    }
    print_as_it_is(text.ansi().to_string())
}

/// Writes a further line, without the prefix, to stderr.
pub(crate) fn hint(what: &str) {
    let _ = writeln!(io::stderr(), "{}", escape::line(what));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// They did not quote them, so that a printed command could fail.
    #[test]
    fn hints_quote_paths() {
        let quoted = |path: &str| quoted(Path::new(path));
        assert_eq!(quoted("a/b-1_2.otf2"), "a/b-1_2.otf2");
        assert_eq!(quoted("my run/x"), "'my run/x'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
