//! The bytes of a trace file: a window that moves over it.
//!
//! The file may grow while it is read. What was read before stays as it is, since traces are only appended to. Invariant: memory is
//! that of the window.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::regular;

/// Bytes of the largest window: a whole number of records in every layout, and small enough for the processor's second cache. Larger
/// ones are not copied faster.
const LARGEST: usize = 192 << 10;
/// Bytes that are read first and after a jump.
const SMALLEST: usize = 6 << 10;

/// Offsets beyond are refused by the system; no file has bytes there.
const FARTHEST: u64 = i64::MAX as u64 - LARGEST as u64;

/// A trace file and the part of it that is in memory.
#[derive(Debug)]
pub(crate) struct TraceFile {
    file: File,
    pub(crate) path: PathBuf,
    window: Vec<u8>,
    /// Offset of the window and how many of its bytes are valid.
    start: u64,
    valid: usize,
    /// Bytes to read next.
    next: usize,
}

impl TraceFile {
    /// Opens a file.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = regular::open(path)?;
        Ok(TraceFile { file, path: path.to_owned(), window: Vec::new(), start: 0, valid: 0, next: SMALLEST })
    }

    /// Bytes of the file, at the moment.
    pub(crate) fn length(&self) -> Result<u64> {
        let metadata = self.file.metadata().map_err(|source| Error::io(&self.path, None, source))?;
        Ok(metadata.len())
    }

    /// Bytes from `offset` on, `least` of them unless the file ends before.
    #[inline]
    pub(crate) fn bytes(&mut self, offset: u64, least: usize) -> Result<&[u8]> {
        match self.place(offset) {
            Some(place) if self.valid - place >= least => {}
            place => self.fill(offset, least, place == Some(self.valid))?,
        }
        let place = self.place(offset).unwrap_or(self.valid);
        Ok(self.window.get(place..self.valid).unwrap_or_default())
    }

    /// Place of an offset in the window.
    fn place(&self, offset: u64) -> Option<usize> {
        let place = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        (place <= self.valid).then_some(place)
    }

    /// Reads the window anew. One that goes on where the last one ended is twice as large.
    #[cold]
    fn fill(&mut self, offset: u64, least: usize, goes_on: bool) -> Result<()> {
        let wanted = if goes_on { self.next.saturating_mul(2).min(LARGEST) } else { SMALLEST };
        (self.start, self.valid, self.next) = (offset, 0, wanted.max(least));
        if self.window.len() < self.next {
            self.window = vec![0; self.next];
        }
        while let Some(room) = self.window.get_mut(self.valid..self.next)
            && !room.is_empty()
        {
            let place = offset.saturating_add(self.valid as u64);
            if place > FARTHEST {
                break;
            }
            match self.file.read_at(room, place) {
                Ok(0) => break,
                Ok(count) => self.valid += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                // What was read before is delivered first.
                Err(_) if self.valid >= least => break,
                Err(source) => return Err(Error::io(&self.path, Some(place), source)),
            }
        }
        Ok(())
    }
}
