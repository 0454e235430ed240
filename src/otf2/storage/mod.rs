//! Where the files of an archive lie: a directory, memory, or a storage that fails on purpose.
//!
//! Writing names the file and the offset, so that no descriptor stays open per location, and so that several threads
//! can share one storage.

mod directory;
mod faulty;
mod memory;

pub use directory::Directory;
pub use faulty::{Fault, Faulty};
pub use memory::Memory;

use crate::archive::FileName;
use std::io;

/// Files of one archive.
pub trait Storage: Send + Sync {
    /// Makes the folder of the per-location files. Fails if it is there already: then the archive belongs to somebody
    /// else.
    fn create(&self) -> io::Result<()>;

    /// Writes all bytes at an offset, or fails; creates the file if need be.
    fn write_at(&self, file: FileName, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Cuts or extends a file; creates it if need be.
    fn set_len(&self, file: FileName, length: u64) -> io::Result<()>;

    /// The whole content of a file.
    fn read(&self, file: FileName) -> io::Result<Vec<u8>>;
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
            fn set_len(&self, file: FileName, length: u64) -> io::Result<()> {
                (**self).set_len(file, length)
            }
            fn read(&self, file: FileName) -> io::Result<Vec<u8>> {
                (**self).read(file)
            }
        }
    )*};
}

forward!(&S, Box<S>, std::sync::Arc<S>);
