//! An archive in memory, for tests.

use super::{Content, Storage};
use crate::archive::FileName;
use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An archive in memory.
#[derive(Debug, Default)]
pub struct Memory {
    state: Mutex<MemoryState>,
}

#[derive(Debug, Default)]
struct MemoryState {
    created: bool,
    files: BTreeMap<FileName, Vec<u8>>,
}

impl Memory {
    /// Creates an archive without files.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Returns the names of the existing files, in order.
    pub fn files(&self) -> Vec<FileName> {
        self.state().files.keys().copied().collect()
    }

    fn state(&self) -> MutexGuard<'_, MemoryState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, file: FileName, change: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        let mut state = self.state();
        if file.location().is_some() && !state.created {
            return Err(io::ErrorKind::NotFound.into());
        }
        change(state.files.entry(file).or_default());
        Ok(())
    }
}

impl Storage for Memory {
    fn create(&self) -> io::Result<()> {
        match std::mem::replace(&mut self.state().created, true) {
            true => Err(io::ErrorKind::AlreadyExists.into()),
            false => Ok(()),
        }
    }

    fn write_at(&self, file: FileName, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let start = usize::try_from(offset).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let end = start.checked_add(bytes.len()).ok_or(io::ErrorKind::FileTooLarge)?;
        self.change(file, |content| {
            content.resize(content.len().max(end), 0);
            content[start..end].copy_from_slice(bytes);
        })
    }

    fn set_len(&self, file: FileName, length: u64) -> io::Result<()> {
        let length = usize::try_from(length).map_err(|_| io::ErrorKind::FileTooLarge)?;
        self.change(file, |content| content.resize(length, 0))
    }

    fn open(&self, file: FileName) -> io::Result<Box<dyn Content>> {
        let content = self.state().files.get(&file).cloned().ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(content))
    }
}

impl Content for Vec<u8> {
    fn length(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.get(offset..)).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}
