//! The number of enters and exits that have returned, in a file that outlives the host
//! (`--progress`).
//!
//! The file contains 8 bytes, little endian, and is mapped shared, so killing the host loses no
//! count.

use crate::replay::Error;
use std::fs::OpenOptions;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU64, Ordering};

/// The mapped count.
#[derive(Debug)]
pub(crate) struct Progress(NonNull<AtomicU64>);

// SAFETY: an atomic number that stays mapped until the process ends.
unsafe impl Send for Progress {}
// SAFETY: as above.
unsafe impl Sync for Progress {}

impl Progress {
    /// Creates or truncates the file.
    pub(crate) fn new(path: &Path) -> Result<Self, Error> {
        let error = |error| Error::io(path, error);
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(true).open(path).map_err(error)?;
        let length = size_of::<AtomicU64>();
        file.set_len(length as u64).map_err(error)?;
        // SAFETY: a new mapping of a file that is long enough.
        let mapped = unsafe {
            libc::mmap(
                ptr::null_mut(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                0,
            )
        };
        if mapped == libc::MAP_FAILED {
            return Err(error(io::Error::last_os_error()));
        }
        Ok(Self(NonNull::new(mapped.cast()).expect("a mapping is never at address 0")))
    }

    /// Counts one more return.
    #[inline]
    pub(crate) fn count(&self) {
        // SAFETY: mapped until the process ends.
        let count = unsafe { self.0.as_ref() };
        // Little endian in memory, whatever the machine's byte order.
        if cfg!(target_endian = "little") {
            count.fetch_add(1, Ordering::Relaxed);
        } else {
            let next = |count: u64| Some((u64::from_le(count) + 1).to_le());
            let _ = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        }
    }
}
