//! Where the files of an archive are stored: in a directory, in memory, or in a storage that fails
//! on purpose.
//!
//! Each write names the file and the offset. No descriptor therefore stays open per location, and
//! several threads can share one storage. A file opened for reading belongs to the caller.

mod directory;
mod faulty;
mod memory;

pub use directory::Directory;
pub(crate) use directory::descriptor_limit;
pub use faulty::{Fault, Faulty};
pub use memory::Memory;

use crate::archive::FileName;
use std::io::{self, IoSlice};

/// The files of one archive.
pub trait Storage: Send + Sync {
    /// Creates the folder of the per-location files. Fails if it exists, since the archive then
    /// belongs to another writer.
    fn create(&self) -> io::Result<()>;

    /// Writes all bytes at an offset, or fails. Creates the file if it does not exist.
    fn write_at(&self, file: FileName, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Writes the parts in sequence, starting at an offset, or fails. Creates the file if it does
    /// not exist. The slices in `parts` may be modified.
    fn write_all_at(&self, file: FileName, offset: u64, parts: &mut [IoSlice<'_>]) -> io::Result<()> {
        let mut offset = offset;
        for part in parts {
            self.write_at(file, offset, part)?;
            offset += part.len() as u64;
        }
        Ok(())
    }

    /// Truncates or extends a file. Creates it if it does not exist.
    fn set_len(&self, file: FileName, length: u64) -> io::Result<()>;

    /// Flushes a file to permanent storage, so that it survives a power failure. Does nothing if
    /// the storage is not permanent.
    fn sync(&self, file: FileName) -> io::Result<()> {
        let _ = file;
        Ok(())
    }

    /// Flushes the names of the existing files, so that they survive a power failure. Does nothing
    /// if the storage is not permanent.
    fn sync_names(&self) -> io::Result<()> {
        Ok(())
    }

    /// Opens a file for reading.
    fn open(&self, file: FileName) -> io::Result<Box<dyn Content>>;

    /// Reads the whole content of a file.
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
    /// Returns the length in bytes.
    fn length(&self) -> io::Result<u64>;

    /// Reads bytes starting at an offset. Returns their number, which is 0 only at the end of the
    /// file.
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
