//! The memory a location encodes into.
//!
//! One piece is filled, handed over to the storage and filled again. Until the location's file is known, full pieces go to an
//! image of the file in memory. Either way the bytes of a file are those last handed over for their offset, so going back to a
//! rewind mark is writing again from there.

use core::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Release},
};
use std::io;

use kymo_otf2::{
    Error, FileName, Result,
    write::{Pieces, SLACK},
};

use crate::{
    memory::{Budget, PageVec, Pages},
    output::Output,
};

/// Bytes of a piece: small enough to stay in the second-level cache.
const PIECE: usize = if cfg!(miri) { 4 * 1024 } else { 64 * 1024 };

/// Which event file belongs to a location: the one of its global id, which is known only when the processes know each other.
///
/// Set by one thread while another one may be recording.
#[derive(Debug)]
pub struct LocationFile(AtomicU64);

impl LocationFile {
    const UNKNOWN: u64 = u64::MAX;

    /// Gives the location its file. The output has to be open by then.
    pub fn set(&self, location: u64) {
        self.0.store(location, Release);
    }

    /// The file, if it is known.
    pub fn get(&self) -> Option<FileName> {
        match self.0.load(Acquire) {
            Self::UNKNOWN => None,
            location => Some(FileName::Events(location)),
        }
    }
}

impl Default for LocationFile {
    fn default() -> Self {
        Self(AtomicU64::new(Self::UNKNOWN))
    }
}

#[derive(Debug)]
pub(super) struct LocationBuffer {
    piece: Pages,
    /// The beginning of the file, as long as it has not been written.
    image: PageVec<u8>,
    file: &'static LocationFile,
    output: &'static Output,
    /// Writes refused since the last one that the storage took.
    refused: u32,
    /// Pieces handed over.
    handed_over: u64,
}

/// How many writes are given up before a storage that refused is asked again: it need not be asked for every event.
const PATIENCE: u32 = 4096;

impl LocationBuffer {
    pub(super) fn new(
        file: &'static LocationFile,
        output: &'static Output,
        budget: &'static Budget,
    ) -> Option<Self> {
        Some(Self {
            piece: budget.take(PIECE)?,
            image: PageVec::new(budget),
            file,
            output,
            refused: 0,
            handed_over: 0,
        })
    }

    /// Asks the storage again although it has refused before.
    pub(super) fn try_again(&mut self) {
        self.refused = 0;
    }

    /// An error if it never became known which file this is.
    pub(super) fn check_file(&self) -> Result<()> {
        let unknown = || Error::Io { file: None, source: io::ErrorKind::NotConnected.into() };
        self.file.get().map(|_| ()).ok_or_else(unknown)
    }

    /// Cuts the file behind its end: after a rewind there can be old bytes.
    pub(super) fn truncate(&self, length: u64) -> Result<()> {
        let Some(file) = self.file.get() else { return Ok(()) };
        self.output.set_len(file, length).map_err(|source| Error::Io { file: Some(file), source })
    }

    /// Number of pieces that were handed over.
    pub(super) fn handed_over(&self) -> u64 {
        self.handed_over
    }

    fn write(&mut self, file: FileName, offset: u64, used: usize) -> Result<()> {
        let written = match self.refused % PATIENCE {
            0 => self.write_all(file, offset, used),
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        };
        self.refused = if written.is_ok() { 0 } else { self.refused.wrapping_add(1) };
        written.map_err(|source| Error::Io { file: Some(file), source })
    }

    fn write_all(&mut self, file: FileName, offset: u64, used: usize) -> io::Result<()> {
        if !self.image.is_empty() {
            self.output.write_at(file, 0, &self.image)?;
            self.image.truncate(0);
        }
        self.output.write_at(file, offset, &self.piece[..used])
    }
}

impl Pieces for LocationBuffer {
    fn bytes(&mut self) -> &mut [u8] {
        &mut self.piece
    }

    fn set_view(&mut self, length: usize) {
        self.piece.set_view(length);
    }

    #[inline(always)]
    fn view(&mut self) -> &mut [u8] {
        self.piece.view()
    }

    fn hand_over(&mut self, offset: u64, used: usize, room: usize) -> Result<()> {
        self.piece.grow(room + SLACK).ok_or_else(out_of_memory)?;
        match self.file.get() {
            _ if used == 0 => return Ok(()),
            Some(file) => self.write(file, offset, used)?,
            None => put(&mut self.image, offset, &self.piece[..used]).ok_or_else(out_of_memory)?,
        }
        self.handed_over += 1;
        Ok(())
    }

    fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        let at = offset as usize;
        if let Some(place) = self.image.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
            return Ok(());
        }
        let Some(file) = self.file.get() else { return Ok(()) };
        self.output.write_at(file, offset, bytes).map_err(|source| Error::Io { file: Some(file), source })
    }
}

/// Makes `bytes` the end of the image, from `offset` on; what was there before has been rewound.
fn put(image: &mut PageVec<u8>, offset: u64, bytes: &[u8]) -> Option<()> {
    image.truncate(usize::try_from(offset).ok()?);
    image.extend_from_slice(bytes)
}

fn out_of_memory() -> Error {
    Error::Io { file: None, source: io::ErrorKind::OutOfMemory.into() }
}
