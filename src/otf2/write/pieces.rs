//! Memory for writers that write directly to storage: tools and tests.

use super::{Pieces, SLACK};
use crate::archive::FileName;
use crate::error::{Error, Result};
use crate::storage::Storage;

/// One buffer, which is written to a file of a storage whenever it is full.
#[derive(Debug)]
pub struct StoragePieces<S> {
    storage: S,
    file: FileName,
    buffer: Vec<u8>,
    view: usize,
}

impl<S: Storage> StoragePieces<S> {
    /// Creates a buffer of `size` usable bytes, which grows if a record needs more.
    pub fn new(storage: S, file: FileName, size: usize) -> Self {
        StoragePieces { storage, file, buffer: vec![0; size + SLACK], view: 0 }
    }

    /// Truncates the file to the length with which its writer closed it.
    pub fn truncate(&self, length: u64) -> Result<()> {
        self.storage.set_len(self.file, length).map_err(|source| self.error(source))
    }

    fn error(&self, source: std::io::Error) -> Error {
        Error::Io { file: Some(self.file), source }
    }
}

impl<S: Storage> Pieces for StoragePieces<S> {
    #[inline]
    fn bytes(&mut self) -> &mut [u8] {
        &mut self.buffer
    }

    fn set_view(&mut self, length: usize) {
        self.view = length;
    }

    #[inline]
    fn view(&mut self) -> &mut [u8] {
        &mut self.buffer[..self.view]
    }

    fn hand_over(&mut self, offset: u64, used: usize, room: usize) -> Result<()> {
        if used > 0 {
            let written = self.storage.write_at(self.file, offset, &self.buffer[..used]);
            written.map_err(|source| self.error(source))?;
        }
        if self.buffer.len() < room + SLACK {
            self.buffer.resize(room + SLACK, 0);
        }
        Ok(())
    }

    fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.storage.write_at(self.file, offset, bytes).map_err(|source| self.error(source))
    }
}
