//! Where the files of an archive lie: a directory, memory, or a storage that fails on purpose.
//!
//! Writing names the file and the offset, so that no descriptor stays open per location, and so that several threads
//! can share one storage. What is opened for reading belongs to the caller.

mod directory;
mod faulty;
mod memory;

pub use directory::Directory;
pub(crate) use directory::descriptor_limit;
pub use faulty::{Fault, Faulty};
pub use memory::Memory;

use crate::archive::FileName;
use std::io::{self, IoSlice};

/// Files of one archive.
pub trait Storage: Send + Sync {
    /// Makes the folder of the per-location files. Fails if it is there already: then the archive belongs to somebody
    /// else.
    fn create(&self) -> io::Result<()>;

    /// Writes all bytes at an offset, or fails; creates the file if need be.
    fn write_at(&self, file: FileName, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Writes these parts one after another from an offset on, or fails; creates the file if need
    /// be. The parts may be changed.
    fn write_all_at(&self, file: FileName, offset: u64, parts: &mut [IoSlice<'_>]) -> io::Result<()> {
        let mut offset = offset;
        for part in parts {
            self.write_at(file, offset, part)?;
            offset += part.len() as u64;
        }
        Ok(())
    }

    /// Cuts or extends a file; creates it if need be.
    fn set_len(&self, file: FileName, length: u64) -> io::Result<()>;

    /// Has a file that was written survive a loss of power, where there is such a thing.
    fn sync(&self, file: FileName) -> io::Result<()> {
        let _ = file;
        Ok(())
    }

    /// Has the names of the files that there are survive a loss of power, where there is such a thing.
    fn sync_names(&self) -> io::Result<()> {
        Ok(())
    }

    /// Opens a file for reading.
    fn open(&self, file: FileName) -> io::Result<Box<dyn Content>>;

    /// The whole content of a file.
    fn read(&self, file: FileName) -> io::Result<Vec<u8>> {
        let content = self.open(file)?;
        let mut bytes = Vec::new();
        let mut part = vec![0; 65536];
        loop {
            match content.read_at(bytes.len() as u64, &mut part)? {
                0 => return Ok(bytes),
                count => bytes.extend_from_slice(&part[..count]),
            }
        }
    }
}

/// A file that is open for reading.
pub trait Content: Send + Sync {
    /// Length in bytes.
    fn length(&self) -> io::Result<u64>;

    /// Reads bytes from an offset on; returns how many, 0 only at the end of the file.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
}

macro_rules! forward {
    ($($type:ty),*) => {$(
        impl<S: Storage + ?Sized> Storage for $type {
            fn create(&self) -> io::Result<()> {
                (**self).create()
            }
            fn write_at(&self, file: FileName, offset: u64, bytes: &[u8]) -> io::Result<()> {
                (**self).write_at(file, offset, bytes)
            }
            fn write_all_at(&self, file: FileName, offset: u64, parts: &mut [IoSlice<'_>]) -> io::Result<()> {
                (**self).write_all_at(file, offset, parts)
            }
            fn set_len(&self, file: FileName, length: u64) -> io::Result<()> {
                (**self).set_len(file, length)
            }
            fn sync(&self, file: FileName) -> io::Result<()> {
                (**self).sync(file)
            }
            fn sync_names(&self) -> io::Result<()> {
                (**self).sync_names()
            }
            fn open(&self, file: FileName) -> io::Result<Box<dyn Content>> {
                (**self).open(file)
            }
        }
    )*};
}

forward!(&S, Box<S>, std::sync::Arc<S>);
