//! An archive in a directory.
//!
//! Only the directory stays open: every call that writes opens its file and closes it again. Names
//! are formatted on the stack, and calls that write allocate nothing.
//!
//! The measured program may close any descriptor and reuse its number for another file. Each call
//! therefore checks whether the descriptor still refers to the directory, and otherwise reopens the
//! directory by its path.

use super::{Content, Storage};
use crate::archive::{DEFAULT_NAME, FileName};
use rustix::fd::{AsRawFd, IntoRawFd, OwnedFd};
use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, fdatasync, fstat, fsync, ftruncate, mkdirat, open, openat, unlinkat,
};
use rustix::io::{Errno, fcntl_dupfd_cloexec, pread, pwrite, pwritev, retry_on_intr};
use rustix::process::{Resource, getrlimit};
use std::ffi::CStr;
use std::fmt::{self, Write};
use std::io::{self, IoSlice};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// An archive in a directory.
#[derive(Debug)]
pub struct Directory {
    directory: Mutex<Option<OwnedFd>>,
    /// The device and inode of the directory.
    identity: (u64, u64),
    path: PathBuf,
    name: Name,
    /// The lowest number that the descriptor may have.
    from: i32,
}

/// The longest name of an archive in bytes, which is the limit of a directory entry. For the longer
/// names of its files the limit of the system applies.
const NAME_LIMIT: usize = 255;

/// The size of a path: the name, a slash, twenty digits, the suffix and the NUL.
const PATH_LIMIT: usize = NAME_LIMIT + 32;

impl Directory {
    /// Opens the archive named `traces` in an existing directory.
    pub fn open(path: &Path) -> io::Result<Directory> {
        Self::open_named(path, DEFAULT_NAME)
    }

    /// Opens the archive of this name in an existing directory. The name must not be empty, have
    /// more than 255 bytes, or contain a slash.
    pub fn open_named(path: &Path, name: &str) -> io::Result<Directory> {
        if name.is_empty() || name.len() > NAME_LIMIT || name.contains(['/', '\0']) {
            return Err(Errno::INVAL.into());
        }
        let mut copy = Name::default();
        copy.write_str(name).map_err(|_| Errno::NAMETOOLONG)?;
        let directory = open_directory(path, 0)?;
        let identity = identity(&directory)?;
        // The path must stay valid if the program changes its working directory.
        let path = std::path::absolute(path)?;
        Ok(Directory { directory: Mutex::new(Some(directory)), identity, path, name: copy, from: 0 })
    }

    /// Moves the descriptor above the numbers that programs usually use, for libraries that run
    /// inside other programs. In a process with several threads the kernel may take 20 ms to
    /// provide the first descriptor with such a high number.
    #[must_use]
    pub fn out_of_the_way(mut self) -> Self {
        self.from = OUT_OF_THE_WAY;
        let place = self.directory.get_mut().unwrap_or_else(PoisonError::into_inner);
        *place = place.take().map(|directory| moved(directory, OUT_OF_THE_WAY));
        self
    }

    /// Like [`open_named`](Self::open_named), but creates the directory and its parents if they do
    /// not exist.
    pub fn make(path: &Path, name: &str) -> io::Result<Directory> {
        std::fs::create_dir_all(path)?;
        Self::open_named(path, name)
    }

    fn open_file(&self, file: FileName, flags: OFlags) -> Result<OwnedFd, Errno> {
        let mode = Mode::from_raw_mode(0o666);
        self.with_path(file, |directory, path| openat(directory, path, flags | OFlags::CLOEXEC, mode))
    }

    fn with_path<T>(
        &self,
        file: FileName,
        call: impl Fn(&OwnedFd, &CStr) -> Result<T, Errno>,
    ) -> Result<T, Errno> {
        let mut path = Name::default();
        write!(path, "{}", file.path(self.name.as_str())).map_err(|_| Errno::NAMETOOLONG)?;
        self.with(|directory| call(directory, path.as_c_str()))
    }

    /// Calls a function with the directory. Reopens the directory if the descriptor refers to
    /// something else.
    fn with<T>(&self, call: impl Fn(&OwnedFd) -> Result<T, Errno>) -> Result<T, Errno> {
        let mut place = self.directory.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(directory) = &*place
            && identity(directory) == Ok(self.identity)
        {
            return retry_on_intr(|| call(directory));
        }
        let again = open_directory(&self.path, self.from)?;
        if identity(&again)? != self.identity {
            return Err(Errno::STALE);
        }
        forget(place.take());
        let directory = place.insert(again);
        retry_on_intr(|| call(directory))
    }
}

fn write_all(file: &OwnedFd, offset: u64, bytes: &[u8]) -> Result<(), Errno> {
    let mut written = 0;
    while written < bytes.len() {
        match retry_on_intr(|| pwrite(file, &bytes[written..], offset + written as u64))? {
            0 => return Err(Errno::NOSPC),
            count => written += count,
        }
    }
    Ok(())
}

/// Releases the descriptor without closing it: it refers to a file that is not ours.
fn forget(directory: Option<OwnedFd>) {
    directory.map(IntoRawFd::into_raw_fd);
}

impl Drop for Directory {
    fn drop(&mut self) {
        let place = self.directory.get_mut().unwrap_or_else(PoisonError::into_inner);
        if place.as_ref().is_some_and(|directory| identity(directory) != Ok(self.identity)) {
            forget(place.take());
        }
    }
}

/// Opens a directory with a descriptor number of at least `from`.
fn open_directory(path: &Path, from: i32) -> Result<OwnedFd, Errno> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    retry_on_intr(|| open(path, flags, Mode::empty())).map(|directory| moved(directory, from))
}

/// Moves the descriptor to a number of at least `from`, if the limit of the process allows one.
fn moved(directory: OwnedFd, from: i32) -> OwnedFd {
    match directory.as_raw_fd() < from {
        true => fcntl_dupfd_cloexec(&directory, from).unwrap_or(directory),
        false => directory,
    }
}

/// The lowest number that few programs use for descriptors of their own.
const OUT_OF_THE_WAY: i32 = 900;

fn identity(directory: &OwnedFd) -> Result<(u64, u64), Errno> {
    let stat = fstat(directory)?;
    Ok((stat.st_dev, stat.st_ino))
}

impl Storage for Directory {
    fn create(&self) -> io::Result<()> {
        let mode = Mode::from_raw_mode(0o777);
        Ok(self.with(|directory| mkdirat(directory, self.name.as_c_str(), mode))?)
    }

    fn write_at(&self, file: FileName, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let open = self.open_file(file, OFlags::WRONLY | OFlags::CREATE)?;
        let written = write_all(&open, offset, bytes);
        if written.is_err() && file == FileName::Anchor {
            // Readers take an archive with an anchor for complete.
            let _ = self.with_path(file, |directory, path| unlinkat(directory, path, AtFlags::empty()));
        }
        Ok(written?)
    }

    fn write_all_at(&self, file: FileName, offset: u64, parts: &mut [IoSlice<'_>]) -> io::Result<()> {
        if let [part] = parts {
            return self.write_at(file, offset, part);
        }
        let file = self.open_file(file, OFlags::WRONLY | OFlags::CREATE)?;
        let (mut parts, mut offset) = (parts, offset);
        IoSlice::advance_slices(&mut parts, 0);
        while !parts.is_empty() {
            match retry_on_intr(|| pwritev(&file, parts, offset))? {
                0 => return Err(Errno::NOSPC.into()),
                count => {
                    offset += count as u64;
                    IoSlice::advance_slices(&mut parts, count);
                }
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

    fn sync_names(&self) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        for folder in [self.name.as_c_str(), c"."] {
            let folder = self.with(|directory| openat(directory, folder, flags, Mode::empty()))?;
            retry_on_intr(|| fsync(&folder))?;
        }
        Ok(())
    }

    fn open(&self, file: FileName) -> io::Result<Box<dyn Content>> {
        // `NONBLOCK`: opening a named pipe would wait for a writer.
        let irregular = || io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
        let file = match self.open_file(file, OFlags::RDONLY | OFlags::NONBLOCK) {
            // Sockets and missing devices fail with this error.
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

/// Returns the maximum number of descriptors of this process.
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

/// A path on the stack, always terminated by a NUL.
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
