//! The destination of full pieces and finished files: the archive's storage, once it is known.
//!
//! The storage belongs to the process that created the output. A child made by `fork` has a copy of
//! it, but anything that the child wrote would end up in its parent's files. For the child, the
//! output is closed.

use std::{io, sync::OnceLock};

use kymo_otf2::{FileName, Storage};
use rustix::process::{Pid, getpid};

/// The archive's storage. Empty until the host has announced where the archive is.
pub struct Output {
    owner: Pid,
    storage: OnceLock<Box<dyn Storage>>,
}

impl Output {
    /// Creates an output of this process that is not open yet.
    pub fn new() -> Self {
        Self { owner: getpid(), storage: OnceLock::new() }
    }

    /// Returns the id of the process that created the output, without a system call.
    pub fn owner(&self) -> u32 {
        self.owner.as_raw_nonzero().get().unsigned_abs()
    }

    /// Opens the output. A second call has no effect.
    pub fn open(&self, storage: Box<dyn Storage>) {
        let _ = self.storage.set(storage);
    }

    /// Returns the storage, or an error if it is not open or belongs to another process.
    pub fn storage(&self) -> io::Result<&dyn Storage> {
        let storage = self.storage.get().filter(|_| self.is_ours());
        storage.map(|storage| &**storage).ok_or(io::ErrorKind::NotConnected.into())
    }

    /// Returns whether the caller is the process that created the output rather than a child of it.
    /// Makes one system call.
    pub fn is_ours(&self) -> bool {
        getpid() == self.owner
    }

    pub(crate) fn set_len(&self, file: FileName, length: u64) -> io::Result<()> {
        self.storage()?.set_len(file, length)
    }
}

impl Default for Output {
    fn default() -> Self {
        Self::new()
    }
}

impl core::fmt::Debug for Output {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Output")
            .field("owner", &self.owner)
            .field("open", &self.storage.get().is_some())
            .finish()
    }
}
