//! A file descriptor that the program may close.
//!
//! A program may close every descriptor that it finds, and then receive the same number for a file
//! of its own. So the number is used only after checking which file it refers to, and never closed
//! once it refers to another file. It is above the numbers that programs usually receive.

use core::sync::atomic::{
    AtomicI32,
    Ordering::{Acquire, Release},
};
use std::{io, path::Path};

use rustix::{
    fd::{AsRawFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd},
    fs::{Mode, OFlags, fstat, open},
    io::fcntl_dupfd_cloexec,
};

use crate::unnoticed::{Resource, limit};

/// The open file.
#[derive(Debug)]
pub(super) struct Descriptor {
    number: AtomicI32,
    /// Device and inode.
    identity: (u64, u64),
}

/// The number of descriptors left above ours.
const ABOVE: u64 = 24;
/// The upper bound for the number: the system keeps a table up to it.
const HIGHEST: u64 = 1024;

impl Descriptor {
    pub(super) fn new(file: OwnedFd) -> io::Result<Self> {
        let identity = identity(&file)?;
        Ok(Self { number: AtomicI32::new(out_of_the_way(file).into_raw_fd()), identity })
    }

    /// Returns the file. If the number refers to another file by now, opens `path` again; returns
    /// an error if that fails or leads to another file.
    pub(super) fn get(&self, path: &Path) -> io::Result<BorrowedFd<'_>> {
        // SAFETY: the descriptor is only inspected, whatever it refers to.
        let file = unsafe { BorrowedFd::borrow_raw(self.number.load(Acquire)) };
        if identity(file).is_ok_and(|identity| identity == self.identity) {
            return Ok(file);
        }
        let file = open(path, OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOFOLLOW, Mode::empty())?;
        if identity(&file)? != self.identity {
            return Err(io::Error::other("another file has taken its place"));
        }
        let number = out_of_the_way(file).into_raw_fd();
        self.number.store(number, Release);
        // SAFETY: it was just opened, and is never closed here unless it is still ours.
        Ok(unsafe { BorrowedFd::borrow_raw(number) })
    }
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        let number = *self.number.get_mut();
        // SAFETY: the descriptor is only inspected, whatever it refers to.
        let file = unsafe { BorrowedFd::borrow_raw(number) };
        if identity(file).is_ok_and(|identity| identity == self.identity) {
            // SAFETY: it is ours, as was just checked, and nothing else closes it.
            drop(unsafe { OwnedFd::from_raw_fd(file.as_raw_fd()) });
        }
    }
}

fn identity(file: impl rustix::fd::AsFd) -> io::Result<(u64, u64)> {
    let stat = fstat(file)?;
    Ok((stat.st_dev, stat.st_ino))
}

/// Moves the file to a high descriptor number, if the limit allows.
fn out_of_the_way(file: OwnedFd) -> OwnedFd {
    let limit = limit(Resource::Descriptors).unwrap_or(HIGHEST).min(HIGHEST);
    let from = limit.saturating_sub(ABOVE) as i32;
    if file.as_raw_fd() >= from { file } else { fcntl_dupfd_cloexec(&file, from).unwrap_or(file) }
}

#[cfg(test)]
#[cfg(not(any(miri, feature = "allocator-memory")))]
mod tests {
    use rustix::io::{DupFlags, dup3};

    use super::*;
    use std::fs;

    fn opened(path: &Path) -> OwnedFd {
        open(path, OFlags::RDWR | OFlags::CREATE | OFlags::CLOEXEC, Mode::RUSR | Mode::WUSR).unwrap()
    }

    /// Such a file was extended and mapped.
    #[test]
    fn a_file_of_the_program_with_the_same_number_is_not_used() {
        let name = |what| std::env::temp_dir().join(format!("kymo-descriptor-{}-{what}", std::process::id()));
        let [own, other] = ["own", "other"].map(name);
        let descriptor = Descriptor::new(opened(&own)).unwrap();
        let number = descriptor.get(&own).unwrap().as_raw_fd();
        assert!(number >= 64, "{number}");
        // One call closes and opens: another test could receive the number in between.
        // SAFETY: the test owns this number.
        let mut theirs = unsafe { OwnedFd::from_raw_fd(number) };
        dup3(opened(&other), &mut theirs, DupFlags::CLOEXEC).unwrap();
        let again = descriptor.get(&own).unwrap();
        assert_ne!(again.as_raw_fd(), number);
        assert_eq!(identity(again).unwrap(), identity(opened(&own)).unwrap());
        // SAFETY: the test owns this number, and the descriptor does not use it any more.
        drop(unsafe { OwnedFd::from_raw_fd(again.as_raw_fd()) });
        fs::remove_file(&own).unwrap();
        assert!(descriptor.get(&own).is_err());
        drop(descriptor);
        assert!(fstat(&theirs).is_ok(), "not ours to close");
        fs::remove_file(other).unwrap();
    }
}
