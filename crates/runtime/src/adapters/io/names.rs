//! The names of files.

use std::ffi::{CStr, OsStr, OsString, c_char, c_int};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Returns the real path of a file, or its name if it does not exist.
pub(crate) fn real_path(name: &[u8]) -> Vec<u8> {
    let path = Path::new(OsStr::from_bytes(name));
    path.canonicalize().map_or_else(|_| name.to_vec(), |path| path.into_os_string().into_vec())
}

/// Returns the system's name for the file that a descriptor refers to: a path, or a text such as
/// `pipe:[17]`.
pub(super) fn of_descriptor(descriptor: c_int) -> Option<Vec<u8>> {
    let link = fs::read_link(format!("/proc/self/fd/{descriptor}")).ok()?;
    Some(OsString::from(link).into_vec())
}

/// Returns the name of a file that was opened with `path`.
///
/// # Safety
///
/// The path must be a C string.
pub(super) unsafe fn of_opened(descriptor: c_int, path: *const c_char) -> Vec<u8> {
    let known = of_descriptor(descriptor).filter(|name| name.starts_with(b"/"));
    // SAFETY: the path is a C string, which the system has accepted.
    known.unwrap_or_else(|| real_path(unsafe { CStr::from_ptr(path) }.to_bytes()))
}

/// Returns the name of a file that is about to be removed from a folder; `None` if the folder does
/// not exist. A symbolic link has its own name, not that of its target.
///
/// # Safety
///
/// The path must be null or a C string.
pub(super) unsafe fn of_entry(folder: c_int, path: *const c_char) -> Option<Vec<u8>> {
    if path.is_null() {
        return None;
    }
    // SAFETY: the path is not null, so it is a C string.
    let path = Path::new(OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes()));
    let (name, parent) = (path.file_name()?, path.parent()?);
    let parent = match (path.is_absolute(), folder) {
        (true, _) | (_, libc::AT_FDCWD) => parent.to_owned(),
        _ => PathBuf::from(OsString::from_vec(of_descriptor(folder)?)).join(parent),
    };
    let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { &parent };
    Some(parent.canonicalize().ok()?.join(name).into_os_string().into_vec())
}

/// Returns whether a descriptor refers to a regular file.
pub(super) fn is_regular(descriptor: c_int) -> bool {
    // SAFETY: the structure consists of integers.
    let mut status: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: the structure is writable.
    let result = unsafe { libc::fstat(descriptor, &raw mut status) };
    result == 0 && status.st_mode & libc::S_IFMT == libc::S_IFREG
}

/// Returns the descriptors that are open.
pub(super) fn open_descriptors() -> Vec<c_int> {
    let numbers = |folder: fs::ReadDir| -> Vec<c_int> {
        folder.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
    };
    let mut all = fs::read_dir("/proc/self/fd").map(numbers).unwrap_or_else(|_| vec![0, 1, 2]);
    // One of them was that of the folder itself.
    // SAFETY: only reads flags.
    all.retain(|&descriptor| unsafe { libc::fcntl(descriptor, libc::F_GETFD) } != -1);
    all.sort_unstable();
    all
}
