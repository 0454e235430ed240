//! Opening files for reading. Only regular ones: a named pipe would wait for a writer, a device may never end.

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

/// Opens a regular file that the last part of the path names itself, and not by a symbolic link.
pub(crate) fn open_itself(path: &Path) -> io::Result<File> {
    match open_with(path, OFlags::NOFOLLOW) {
        Err(error) if Errno::from_io_error(&error) == Some(Errno::LOOP) => Err(irregular()),
        file => file,
    }
}

/// A regular file that has at most so many bytes; of a longer one its beginning.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn open_with(path: &Path, flags: OFlags) -> io::Result<File> {
    let flags = (flags | OFlags::NONBLOCK).bits();
    let flags = i32::try_from(flags).map_err(|_| ErrorKind::Unsupported)?;
    let file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        // As sockets do, and devices that are not there.
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
