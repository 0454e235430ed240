//! Where full pieces and finished files go: the storage of the archive, once it is known.

use std::{io, sync::OnceLock};

use kymo_otf2::{FileName, Storage};

/// The archive's storage. Empty until the host has said where the archive lies.
#[derive(Default)]
pub struct Output(OnceLock<Box<dyn Storage>>);

impl Output {
    /// Opens the output; a second call changes nothing.
    pub fn open(&self, storage: Box<dyn Storage>) {
        let _ = self.0.set(storage);
    }

    /// The storage, or an error if it is not open.
    pub fn storage(&self) -> io::Result<&dyn Storage> {
        self.0.get().map(|storage| &**storage).ok_or(io::ErrorKind::NotConnected.into())
    }

    pub(crate) fn write_at(&self, file: FileName, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.storage()?.write_at(file, offset, bytes)
    }

    pub(crate) fn set_len(&self, file: FileName, length: u64) -> io::Result<()> {
        self.storage()?.set_len(file, length)
    }
}

impl core::fmt::Debug for Output {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Output").field(&self.0.get().is_some()).finish()
    }
}
