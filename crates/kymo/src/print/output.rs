//! Standard output through a buffer, which is written when it is full.
//!
//! Names in traces are written byte for byte, as by otf2-print, unless standard output is a
//! terminal: they can neither control it nor begin a line there.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::escape;

/// The number of bytes that are written in one step.
const PIECE: usize = 64 << 10;

/// Whether standard output is a terminal. Names are written by functions that know no output.
static IS_TERMINAL: AtomicBool = AtomicBool::new(false);

/// Keeps the bytes from `start` on, a text of the trace, on their line at a terminal. Other control
/// characters are escaped when the buffer is written.
pub(super) fn keep_on_line(out: &mut Vec<u8>, start: usize) {
    if IS_TERMINAL.load(Relaxed) && out[start..].contains(&b'\n') {
        let text = out.split_off(start);
        let lines = text.split(|byte| *byte == b'\n').collect::<Vec<_>>();
        out.extend(lines.join(&b"\\n"[..]));
    }
}

/// The destination of all output.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) buffer: Vec<u8>,
    file: File,
    is_terminal: bool,
}

impl Output {
    /// Opens standard output.
    pub(super) fn new() -> io::Result<Self> {
        // `Stdout` is avoided, because it searches its input for the last line.
        let file = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let is_terminal = file.is_terminal();
        IS_TERMINAL.store(is_terminal, Relaxed);
        Ok(Output { buffer: Vec::with_capacity(2 * PIECE), file, is_terminal })
    }

    /// Writes the buffer if it is nearly full.
    #[inline]
    pub(super) fn write(&mut self) -> io::Result<()> {
        if self.buffer.len() < PIECE { Ok(()) } else { self.flush() }
    }

    /// Writes the whole buffer.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        match self.is_terminal {
            true => self.file.write_all(escape::for_terminal(&self.buffer).as_bytes())?,
            false => self.file.write_all(&self.buffer)?,
        }
        self.buffer.clear();
        Ok(())
    }
}
