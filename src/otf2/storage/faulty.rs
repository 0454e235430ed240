//! A storage that fails on purpose: a test of error paths is a loop over the number of the failing call.

use super::Storage;
use crate::archive::FileName;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which calls fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The call of this number, counted from 0, and no other.
    Once(u64),
    /// The call of this number, counted from 0, and all later ones.
    From(u64),
}

/// Storage of which some calls fail. A failing call changes nothing.
#[derive(Debug)]
pub struct Faulty<S> {
    storage: S,
    fault: Fault,
    errno: i32,
    calls: AtomicU64,
}

impl<S: Storage> Faulty<S> {
    /// `errno` is the number of the error, e.g. 28 (no space left on device).
    pub fn new(storage: S, fault: Fault, errno: i32) -> Self {
        Faulty { storage, fault, errno, calls: AtomicU64::new(0) }
    }

    /// Number of calls so far.
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// The storage behind.
    pub fn inner(&self) -> &S {
        &self.storage
    }

    fn check(&self) -> io::Result<&S> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let fails = match self.fault {
            Fault::Once(number) => call == number,
            Fault::From(number) => call >= number,
        };
        match fails {
            true => Err(io::Error::from_raw_os_error(self.errno)),
            false => Ok(&self.storage),
        }
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
    fn read(&self, file: FileName) -> io::Result<Vec<u8>> {
        self.check()?.read(file)
    }
}
