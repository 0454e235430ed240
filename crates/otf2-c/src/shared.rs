//! The data that all buffers of an archive share: the program's functions for flushing and memory,
//! and where the files are.
//!
//! No lock is held while a function of the program runs.

use crate::table::Table;
use crate::types::{FlushCallbacks, MemoryCallbacks};
use kymo_otf2::storage::Directory;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug, Default)]
struct SharedState {
    flush: Option<Table<FlushCallbacks>>,
    memory: Option<Table<MemoryCallbacks>>,
    storage: Option<StoragePlace>,
}

/// Where the files of an archive are.
#[derive(Debug, Clone)]
enum StoragePlace {
    Open(Arc<Directory>),
    /// A folder with the name of the archive in it. Another rank has made it, perhaps on another
    /// host, so it may not be visible before something is written.
    Later(PathBuf, String),
}

/// The data that all buffers of an archive share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    state: Mutex<SharedState>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, SharedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_flush(&self, table: Table<FlushCallbacks>) {
        self.state().flush = Some(table);
    }

    pub(crate) fn set_memory(&self, table: Table<MemoryCallbacks>) {
        self.state().memory = Some(table);
    }

    pub(crate) fn set_storage(&self, storage: Arc<Directory>) {
        self.state().storage = Some(StoragePlace::Open(storage));
    }

    /// Sets a folder that is opened when it is needed.
    pub(crate) fn set_later(&self, path: PathBuf, name: String) {
        self.state().storage = Some(StoragePlace::Later(path, name));
    }

    pub(crate) fn has_storage(&self) -> bool {
        self.state().storage.is_some()
    }

    pub(crate) fn has_flush_callbacks(&self) -> bool {
        self.state().flush.is_some()
    }

    pub(crate) fn flush(&self) -> Option<Table<FlushCallbacks>> {
        self.state().flush
    }

    pub(crate) fn memory(&self) -> Option<Table<MemoryCallbacks>> {
        self.state().memory
    }

    /// Returns where files are written; `None` if they are not. Opens the folder if that was not
    /// done; after a failure, the next call tries again.
    pub(crate) fn storage(&self) -> io::Result<Option<Arc<Directory>>> {
        let mut state = self.state();
        let opened = match &state.storage {
            None => return Ok(None),
            Some(StoragePlace::Open(directory)) => return Ok(Some(directory.clone())),
            Some(StoragePlace::Later(path, name)) => Arc::new(Directory::open_named(path, name)?),
        };
        state.storage = Some(StoragePlace::Open(opened.clone()));
        Ok(Some(opened))
    }
}
