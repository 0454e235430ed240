//! Listing and removing folders. The standard library panics if closing a folder fails, so it is
//! not used for listing here.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::{fs, iter};

use rustix::fs::{Dir, Mode, OFlags, open};
use rustix::io::retry_on_intr;

/// Returns the names in a folder, in no particular order.
pub(crate) fn names(folder: &Path) -> io::Result<Vec<OsString>> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    names_of(&retry_on_intr(|| open(folder, flags, Mode::empty()))?)
}

/// Like [`names`], but for a folder that is open.
pub(crate) fn names_of(folder: &OwnedFd) -> io::Result<Vec<OsString>> {
    let mut entries = Dir::read_from(folder)?;
    let next = iter::from_fn(|| entries.read());
    let names = next.map(|entry| Ok(OsStr::from_bytes(entry?.file_name().to_bytes()).to_owned()));
    names.filter(|name| !matches!(name, Ok(name) if name == "." || name == "..")).collect()
}

/// Removes a file, or a folder with all its contents. A missing file is not an error. A removal
/// that fails is tried once more.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    remove_once(path).or_else(|_| remove_once(path))
}

fn remove_once(path: &Path) -> io::Result<()> {
    let is_folder = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        metadata => metadata?.is_dir(),
    };
    if !is_folder {
        return fs::remove_file(path);
    }
    for name in names(path)? {
        remove_once(&path.join(name))?;
    }
    fs::remove_dir(path)
}
