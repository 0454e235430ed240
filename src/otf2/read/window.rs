//! The part of a file that a reader has in memory. It moves along the file and grows only if a
//! record requires it.

use super::budget::Lease;
use super::stream::View;
use crate::archive::FileName;
use crate::error::{Error, FormatError, Result};
use crate::storage::{Content, Storage};
use crate::wire::AMPLE;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A file of an archive, which stays open only while descriptors are not scarce.
pub(super) struct File {
    storage: Arc<dyn Storage>,
    name: FileName,
    open: Option<(Box<dyn Content>, Descriptor)>,
    descriptors: Descriptors,
}

/// The number of further files that may stay open.
#[derive(Debug, Clone)]
pub(super) struct Descriptors(Arc<AtomicUsize>);

impl Descriptors {
    pub(super) fn new(limit: usize) -> Self {
        Descriptors(Arc::new(AtomicUsize::new(limit)))
    }

    fn take(&self) -> Option<Descriptor> {
        let take = |left: usize| left.checked_sub(1);
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).ok()?;
        Some(Descriptor(self.clone()))
    }
}

/// The permission for one open file, returned when it is dropped.
struct Descriptor(Descriptors);

impl Drop for Descriptor {
    fn drop(&mut self) {
        self.0.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl File {
    /// Opens the file, which proves that it exists.
    pub(super) fn open(storage: Arc<dyn Storage>, name: FileName, descriptors: Descriptors) -> Result<File> {
        let mut file = File { storage, name, open: None, descriptors };
        let content = file.content()?;
        file.open = file.descriptors.take().map(|descriptor| (content, descriptor));
        Ok(file)
    }

    pub(super) fn name(&self) -> FileName {
        self.name
    }

    fn content(&self) -> Result<Box<dyn Content>> {
        self.storage.open(self.name).map_err(|source| Error::Io { file: Some(self.name), source })
    }

    fn with<T>(&self, work: impl FnOnce(&dyn Content) -> std::io::Result<T>) -> Result<T> {
        let done = match &self.open {
            Some((content, _)) => work(&**content),
            None => work(&*self.content()?),
        };
        done.map_err(|source| Error::Io { file: Some(self.name), source })
    }

    pub(super) fn length(&self) -> Result<u64> {
        self.with(|content| content.length())
    }

    /// Reads from an offset on; returns 0 only at the end of the file.
    pub(super) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.with(|content| content.read_at(offset, buffer))
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The source of the bytes of a window.
#[derive(Debug)]
pub(super) enum Source {
    File(File),
    /// The whole content in memory, up to a fault if there is one.
    Inflated {
        bytes: Vec<u8>,
        fault: Option<FormatError>,
        _lease: Lease,
    },
}

impl Source {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        match self {
            Source::File(file) => file.read_at(offset, buffer),
            Source::Inflated { bytes, fault, .. } => {
                let count =
                    bytes.read_at(offset, buffer).map_err(|source| Error::Io { file: None, source })?;
                match fault {
                    Some(fault) if count == 0 => Err(Error::Format(*fault)),
                    _ => Ok(count),
                }
            }
        }
    }
}

/// The alignment of the window: an offset in the file and the address of its byte have the same
/// remainder, which makes the system's copy fastest.
const ALIGNMENT: usize = 64;

/// The bytes of a file from one offset to another.
#[derive(Debug)]
pub(super) struct Window {
    source: Source,
    lease: Lease,
    _owner: Lease,
    buffer: Vec<u8>,
    /// The length of the buffer, unless records are longer, as soon as more than the start of the
    /// file is read.
    size: usize,
    /// The positions in the buffer where the bytes of the file begin and end.
    start: usize,
    end: usize,
    /// The offset in the file of the first byte of the buffer. It wraps if it would be before the
    /// start of the file.
    origin: u64,
    is_last: bool,
}

impl Window {
    /// Creates an empty window. `owner` is the memory of the structure that it belongs to, `size`
    /// its length in bytes, unless records are longer. The buffer begins with `first` bytes:
    /// readers that wait for their turn require little memory, and those that take turns use the
    /// same memory.
    pub(super) fn new(source: Source, owner: Lease, first: usize, size: usize) -> Result<Window> {
        let (buffer, lease) = (Vec::new(), owner.another());
        let mut window = Window {
            source,
            lease,
            _owner: owner,
            buffer,
            size,
            start: 0,
            end: 0,
            origin: 0,
            is_last: false,
        };
        window.lengthen(first)?;
        Ok(window)
    }

    #[inline]
    pub(super) fn view(&self) -> View<'_> {
        View::new(&self.buffer[self.start..self.end], self.base(), self.is_last)
    }

    /// Returns the bytes from an offset in the window on, if the buffer has enough. Those after the
    /// end of the window may be anything.
    #[inline(always)]
    pub(super) fn ample(&self, at: u64) -> Option<&[u8; AMPLE]> {
        self.buffer.get(at.wrapping_sub(self.origin) as usize..)?.first_chunk()
    }

    /// Moves the window on, so that it begins at `keep` or slightly before, and ends later than
    /// before.
    pub(super) fn advance(&mut self, keep: u64) -> Result<()> {
        self.keep(keep);
        let is_full = self.end == self.buffer.len();
        if is_full || (self.base() > 0 && self.buffer.len() < self.size) {
            let length = if is_full { 2 * self.buffer.len() } else { 0 };
            self.lengthen(length.max(self.size))?;
        }
        let offset = self.base() + self.filled() as u64;
        let count = self.source.read_at(offset, &mut self.buffer[self.end..])?;
        self.end += count;
        self.is_last = count == 0;
        Ok(())
    }

    /// Changes the length of the buffer and keeps its content.
    fn lengthen(&mut self, length: usize) -> Result<()> {
        self.lease.resize(&mut self.buffer, length)?;
        let aligned = self.buffer.as_ptr().align_offset(ALIGNMENT);
        let start = aligned.min(ALIGNMENT).min(self.buffer.len() - self.filled());
        self.buffer.copy_within(self.start..self.end, start);
        let base = self.base();
        (self.start, self.end) = (start, start + self.filled());
        self.set_base(base);
        Ok(())
    }

    /// Returns the offset in the file of the first byte, a multiple of the alignment.
    #[inline]
    fn base(&self) -> u64 {
        self.origin.wrapping_add(self.start as u64)
    }

    fn set_base(&mut self, base: u64) {
        self.origin = base.wrapping_sub(self.start as u64);
    }

    /// Returns the number of bytes of the file in the window.
    fn filled(&self) -> usize {
        self.end - self.start
    }

    /// Returns whether more than half of the bytes are before an offset.
    pub(super) fn is_mostly_before(&self, offset: u64) -> bool {
        offset.saturating_sub(self.base()) > self.filled() as u64 / 2
    }

    /// Returns an empty lease for data that belongs to the same file.
    pub(super) fn another_lease(&self) -> Lease {
        self.lease.another()
    }

    fn keep(&mut self, keep: u64) {
        let keep = aligned(keep);
        let passed = keep.checked_sub(self.base()).and_then(|passed| usize::try_from(passed).ok());
        match passed {
            Some(0) => {}
            Some(passed) if passed <= self.filled() => {
                self.buffer.copy_within(self.start + passed..self.end, self.start);
                self.end -= passed;
            }
            _ => self.end = self.start,
        }
        self.set_base(keep);
    }

    /// Empties the window and moves it to an offset, or slightly before.
    pub(super) fn go_to(&mut self, offset: u64) {
        (self.end, self.is_last) = (self.start, false);
        self.set_base(aligned(offset));
    }

    /// Returns the length of the file.
    pub(super) fn length(&self) -> Result<u64> {
        match &self.source {
            Source::File(file) => file.length(),
            Source::Inflated { bytes, .. } => Ok(bytes.len() as u64),
        }
    }

    /// Reads bytes of the file without moving the window.
    pub(super) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.source.read_at(offset, buffer)
    }
}

/// Returns the largest offset up to this one at which a window can begin.
fn aligned(offset: u64) -> u64 {
    offset - offset % ALIGNMENT as u64
}

#[cfg(test)]
mod tests {
    use super::super::budget::Budget;
    use super::*;

    /// Checks several positions and lengths.
    #[test]
    fn the_window_has_the_bytes_and_the_alignment_of_the_file() {
        let file: Vec<u8> = (0..20_000_u32).map(|at| ((at * 7) >> 3) as u8).collect();
        let lease = Budget::new(1 << 20).lease(FileName::Events(0), 0).unwrap();
        let source = Source::Inflated { bytes: file.clone(), fault: None, _lease: lease.another() };
        let mut window = Window::new(source, lease, 200, 1000).unwrap();
        for keep in [0, 0, 63, 64, 1000, 1001, 1001, 1001, 5000, 17, 8191, 8191, 8191, 8191, 19_999] {
            window.advance(keep).unwrap();
            let (from, to) = (window.base() as usize, window.base() as usize + window.filled());
            assert!(from as u64 <= keep && keep < to as u64, "{keep}: {from} to {to}");
            let bytes = window.view().slice(from as u64, to as u64);
            assert_eq!(bytes, &file[from..to], "{keep}");
            if !cfg!(miri) {
                assert_eq!(bytes.as_ptr().align_offset(ALIGNMENT), 0, "{keep}");
                assert_eq!(from % ALIGNMENT, 0, "{keep}");
            }
        }
        assert!(window.buffer.len() >= 2000);
    }
}
