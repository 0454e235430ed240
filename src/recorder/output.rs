//! Where full pieces and finished files go: the storage of the archive, once it is known.
//!
//! The storage belongs to the process that made the output. A child made by `fork` has a copy of everything, but whatever it
//! writes would go into its parent's files; to it the output is closed.

use std::{io, sync::OnceLock};

use kymo_otf2::{FileName, Storage};
use rustix::process::{Pid, getpid};

/// The archive's storage. Empty until the host has said where the archive lies.
pub struct Output {
    owner: Pid,
    storage: OnceLock<Box<dyn Storage>>,
}

impl Output {
    /// An output of this process that is not open yet.
    pub fn new() -> Self {
        Self { owner: getpid(), storage: OnceLock::new() }
    }

    /// The number of the process that made the output, without a system call.
    pub fn owner(&self) -> u32 {
        self.owner.as_raw_nonzero().get().unsigned_abs()
    }

    /// Opens the output; a second call changes nothing.
    pub fn open(&self, storage: Box<dyn Storage>) {
        let _ = self.storage.set(storage);
    }

    /// The storage, or an error if it is not open, or not this process's.
    pub fn storage(&self) -> io::Result<&dyn Storage> {
        let storage = self.storage.get().filter(|_| self.is_ours());
        storage.map(|storage| &**storage).ok_or(io::ErrorKind::NotConnected.into())
    }

    /// Whether this is the process that made the output and not a child of it. One system call.
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
