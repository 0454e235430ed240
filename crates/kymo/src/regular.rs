//! Opens files for reading. Only regular files are accepted: a named pipe would wait for a writer,
//! and a device may never end.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::Errno;

/// Opens a regular file.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    open_with(path, OFlags::empty())
}

/// Opens a regular file, but not through a symbolic link as the last component of the path.
pub(crate) fn open_itself(path: &Path) -> io::Result<File> {
    match open_with(path, OFlags::NOFOLLOW) {
        Err(error) if Errno::from_io_error(&error) == Some(Errno::LOOP) => Err(irregular()),
        file => file,
    }
}

/// Reads a regular file, at most its first `most` bytes.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn open_with(path: &Path, flags: OFlags) -> io::Result<File> {
    let flags = (flags | OFlags::NONBLOCK).bits();
    let flags = i32::try_from(flags).map_err(|_| ErrorKind::Unsupported)?;
    let file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        // Sockets fail like this, and devices that do not exist.
        Err(error) if Errno::from_io_error(&error) == Some(Errno::NXIO) => return Err(irregular()),
        file => file?,
    };
    match file.metadata()?.file_type() {
        it if it.is_file() => Ok(file),
        it if it.is_dir() => Err(ErrorKind::IsADirectory.into()),
        _ => Err(irregular()),
    }
}

fn irregular() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "not a regular file")
}
