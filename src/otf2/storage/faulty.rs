//! A storage that fails on purpose. A test of error paths loops over the number of the failing
//! call.

use super::{Content, Storage};
use crate::archive::FileName;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which calls fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Only the call with this number, counted from 0.
    Once(u64),
    /// The call with this number, counted from 0, and all later ones.
    From(u64),
}

/// A storage some of whose calls fail, including those on opened files. A failing call changes
/// nothing.
#[derive(Debug)]
pub struct Faulty<S> {
    storage: S,
    faults: Arc<Faults>,
}

#[derive(Debug)]
struct Faults {
    fault: Fault,
    errno: i32,
    calls: AtomicU64,
}

impl<S: Storage> Faulty<S> {
    /// Wraps a storage. `errno` is the number of the error, e.g. 28 (no space left on device).
    pub fn new(storage: S, fault: Fault, errno: i32) -> Self {
        Faulty { storage, faults: Arc::new(Faults { fault, errno, calls: AtomicU64::new(0) }) }
    }

    /// Returns the number of calls so far.
    pub fn calls(&self) -> u64 {
        self.faults.calls.load(Ordering::Relaxed)
    }

    /// Returns the wrapped storage.
    pub fn inner(&self) -> &S {
        &self.storage
    }

    fn check(&self) -> io::Result<&S> {
        self.faults.check()?;
        Ok(&self.storage)
    }
}

impl Faults {
    fn check(&self) -> io::Result<()> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let fails = match self.fault {
            Fault::Once(number) => call == number,
            Fault::From(number) => call >= number,
        };
        if fails { Err(io::Error::from_raw_os_error(self.errno)) } else { Ok(()) }
    }
}

struct FaultyContent {
    content: Box<dyn Content>,
    faults: Arc<Faults>,
}

impl Content for FaultyContent {
    fn length(&self) -> io::Result<u64> {
        self.faults.check()?;
        self.content.length()
    }
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.faults.check()?;
        self.content.read_at(offset, buffer)
    }
}

impl<S: Storage> Storage for Faulty<S> {
    fn create(&self) -> io::Result<()> {
        self.check()?.create()
    }
    fn write_at(&self, file: FileName, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.check()?.write_at(file, offset, bytes)
    }
    fn set_len(&self, file: FileName, length: u64) -> io::Result<()> {
        self.check()?.set_len(file, length)
    }
    fn sync(&self, file: FileName) -> io::Result<()> {
        self.check()?.sync(file)
    }
    fn sync_names(&self) -> io::Result<()> {
        self.check()?.sync_names()
    }
    fn open(&self, file: FileName) -> io::Result<Box<dyn Content>> {
        let content = self.check()?.open(file)?;
        Ok(Box::new(FaultyContent { content, faults: self.faults.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Memory;

    /// It was reported as a success.
    #[test]
    fn a_failed_sync_is_reported() {
        let storage = Faulty::new(Memory::new(), Fault::From(0), 5);
        assert_eq!(storage.sync(FileName::Anchor).unwrap_err().raw_os_error(), Some(5));
        assert_eq!(storage.sync_names().unwrap_err().raw_os_error(), Some(5));
        assert_eq!(storage.calls(), 2);
    }
}
