//! The bytes of a trace file, read through a moving window.
//!
//! The file may grow while it is read. Bytes that were read remain valid, since traces are only
//! appended to. Invariant: memory is limited to the window.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::regular;

/// The size of the largest window in bytes. It is a multiple of the record size in every layout and
/// fits into the processor's second-level cache. Larger windows are not copied faster.
const LARGEST: usize = 192 << 10;
/// The number of bytes read first and after a jump.
const SMALLEST: usize = 6 << 10;

/// The largest offset read. The system refuses larger ones, and no file has bytes there.
const FARTHEST: u64 = i64::MAX as u64 - LARGEST as u64;

/// A trace file and the part of it that is in memory.
#[derive(Debug)]
pub(crate) struct TraceFile {
    file: File,
    pub(crate) path: PathBuf,
    window: Vec<u8>,
    /// The offset of the window, and the number of its valid bytes.
    start: u64,
    valid: usize,
    /// The number of bytes to read next.
    next: usize,
}

impl TraceFile {
    /// Opens a file.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = regular::open(path)?;
        Ok(TraceFile { file, path: path.to_owned(), window: Vec::new(), start: 0, valid: 0, next: SMALLEST })
    }

    /// Returns the current size of the file in bytes.
    pub(crate) fn length(&self) -> Result<u64> {
        let metadata = self.file.metadata().map_err(|source| Error::io(&self.path, None, source))?;
        Ok(metadata.len())
    }

    /// Returns the bytes from `offset` on, at least `least` of them unless the file ends before.
    #[inline]
    pub(crate) fn bytes(&mut self, offset: u64, least: usize) -> Result<&[u8]> {
        match self.place(offset) {
            Some(place) if self.valid - place >= least => {}
            place => self.fill(offset, least, place == Some(self.valid))?,
        }
        let place = self.place(offset).unwrap_or(self.valid);
        Ok(self.window.get(place..self.valid).unwrap_or_default())
    }

    /// Returns the position of an offset in the window.
    fn place(&self, offset: u64) -> Option<usize> {
        let place = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        (place <= self.valid).then_some(place)
    }

    /// Refills the window. A window that continues where the last one ended is twice as large.
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
                // The bytes read so far are delivered first.
                Err(_) if self.valid >= least => break,
                Err(source) => return Err(Error::io(&self.path, Some(place), source)),
            }
        }
        Ok(())
    }
}
