//! Standard output through one buffer, which is written when it is full.
//!
//! Names of traces stand there byte for byte, as otf2-print has them, unless a terminal would obey them.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;

use crate::escape;

/// Bytes that are written at once.
const PIECE: usize = 64 << 10;

/// Where everything is printed to.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) buffer: Vec<u8>,
    file: File,
    is_terminal: bool,
}

impl Output {
    /// Standard output.
    pub(super) fn new() -> io::Result<Self> {
        // Not `Stdout`, which looks for the last line of what it is given.
        let file = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let is_terminal = file.is_terminal();
        Ok(Output { buffer: Vec::with_capacity(2 * PIECE), file, is_terminal })
    }

    /// Writes what there is, if it is much.
    #[inline]
    pub(super) fn write(&mut self) -> io::Result<()> {
        if self.buffer.len() < PIECE { Ok(()) } else { self.flush() }
    }

    /// Writes all.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        match self.is_terminal {
            true => self.file.write_all(escape::for_terminal(&self.buffer).as_bytes())?,
            false => self.file.write_all(&self.buffer)?,
        }
        self.buffer.clear();
        Ok(())
    }
}
