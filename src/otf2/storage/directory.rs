//! An archive in a directory.
//!
//! Holds one descriptor of the directory and no path. Every call that writes opens the file and closes it again: the number of
//! descriptors stays constant however many locations there are. Names are formatted on the stack, calls allocate
//! nothing (except those that read).

use super::{Content, Storage};
use crate::archive::{DEFAULT_NAME, FileName};
use rustix::fd::OwnedFd;
use rustix::fs::{FileType, Mode, OFlags, fdatasync, fstat, ftruncate, mkdirat, open, openat};
use rustix::io::{Errno, pread, pwrite, retry_on_intr};
use rustix::process::{Resource, getrlimit};
use std::ffi::CStr;
use std::fmt::{self, Write};
use std::io;
use std::path::Path;

/// Archive in a directory.
#[derive(Debug)]
pub struct Directory {
    directory: OwnedFd,
    name: Name,
}

/// Longest name of an archive in bytes: what a directory entry may have. With the longer names of its files the system has the last word.
const NAME_LIMIT: usize = 255;

/// Room for the name, a slash, twenty digits, the suffix and the NUL.
const PATH_LIMIT: usize = NAME_LIMIT + 32;

impl Directory {
    /// The archive named `traces` in an existing directory.
    pub fn open(path: &Path) -> io::Result<Directory> {
        Self::open_named(path, DEFAULT_NAME)
    }

    /// The archive of this name in an existing directory. The name has at most 255 bytes and no slash.
    pub fn open_named(path: &Path, name: &str) -> io::Result<Directory> {
        if name.is_empty() || name.len() > NAME_LIMIT || name.contains(['/', '\0']) {
            return Err(Errno::INVAL.into());
        }
        let mut copy = Name::default();
        copy.write_str(name).map_err(|_| Errno::NAMETOOLONG)?;
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = retry_on_intr(|| open(path, flags, Mode::empty()))?;
        Ok(Directory { directory, name: copy })
    }

    /// As [`open_named`](Self::open_named); makes the directory and its parents if need be.
    pub fn make(path: &Path, name: &str) -> io::Result<Directory> {
        std::fs::create_dir_all(path)?;
        Self::open_named(path, name)
    }

    fn open_file(&self, file: FileName, flags: OFlags) -> Result<OwnedFd, Errno> {
        let mut path = Name::default();
        write!(path, "{}", file.path(self.name.as_str())).map_err(|_| Errno::NAMETOOLONG)?;
        let mode = Mode::from_raw_mode(0o666);
        retry_on_intr(|| openat(&self.directory, path.as_c_str(), flags | OFlags::CLOEXEC, mode))
    }
}

impl Storage for Directory {
    fn create(&self) -> io::Result<()> {
        let mode = Mode::from_raw_mode(0o777);
        Ok(retry_on_intr(|| mkdirat(&self.directory, self.name.as_c_str(), mode))?)
    }

    fn write_at(&self, file: FileName, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let file = self.open_file(file, OFlags::WRONLY | OFlags::CREATE)?;
        let mut written = 0;
        while written < bytes.len() {
            match retry_on_intr(|| pwrite(&file, &bytes[written..], offset + written as u64))? {
                0 => return Err(Errno::NOSPC.into()),
                count => written += count,
            }
        }
        Ok(())
    }

    fn set_len(&self, file: FileName, length: u64) -> io::Result<()> {
        let file = self.open_file(file, OFlags::WRONLY | OFlags::CREATE)?;
        Ok(retry_on_intr(|| ftruncate(&file, length))?)
    }

    fn sync(&self, file: FileName) -> io::Result<()> {
        let file = self.open_file(file, OFlags::WRONLY)?;
        Ok(retry_on_intr(|| fdatasync(&file))?)
    }

    fn open(&self, file: FileName) -> io::Result<Box<dyn Content>> {
        // A named pipe of that name would wait for a writer.
        let irregular = || io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
        let file = match self.open_file(file, OFlags::RDONLY | OFlags::NONBLOCK) {
            // As sockets do, and devices that are not there.
            Err(Errno::NXIO) => return Err(irregular()),
            file => file?,
        };
        match FileType::from_raw_mode(fstat(&file)?.st_mode) {
            FileType::RegularFile => Ok(Box::new(file)),
            FileType::Directory => Err(Errno::ISDIR.into()),
            _ => Err(irregular()),
        }
    }
}

/// How many descriptors this process may have.
pub(crate) fn descriptor_limit() -> usize {
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(limit).unwrap_or(usize::MAX)
}

impl Content for OwnedFd {
    fn length(&self) -> io::Result<u64> {
        Ok(u64::try_from(fstat(self)?.st_size).unwrap_or(0))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(retry_on_intr(|| pread(self, &mut *buffer, offset))?)
    }
}

/// Path on the stack, always with a NUL behind it.
#[derive(Clone, Copy)]
struct Name {
    bytes: [u8; PATH_LIMIT],
    length: usize,
}

impl Default for Name {
    fn default() -> Self {
        Name { bytes: [0; PATH_LIMIT], length: 0 }
    }
}

impl Name {
    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }

    fn as_c_str(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.bytes).unwrap_or_default()
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl Write for Name {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let end = self.length + part.len();
        if end >= PATH_LIMIT {
            return Err(fmt::Error);
        }
        self.bytes[self.length..end].copy_from_slice(part.as_bytes());
        self.length = end;
        Ok(())
    }
}
