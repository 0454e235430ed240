//! The limit on the memory that reading an archive takes.
//!
//! Everything that grows with the input takes its memory here first, so that no length field in a
//! file can cause a larger allocation.

use crate::archive::FileName;
use crate::error::{Error, Limit, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The memory that all readers of an archive share, in bytes.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    left: Arc<AtomicUsize>,
    limit: usize,
}

impl Budget {
    pub(super) fn new(limit: usize) -> Budget {
        Budget { left: Arc::new(AtomicUsize::new(limit)), limit }
    }

    /// Takes memory for data that belongs to a file.
    pub(super) fn lease(&self, file: FileName, bytes: usize) -> Result<Lease> {
        let mut lease = Lease { budget: self.clone(), file, bytes: 0 };
        lease.grow(bytes)?;
        Ok(lease)
    }
}

/// Memory taken from a budget, returned when the lease is dropped.
#[derive(Debug)]
pub(super) struct Lease {
    budget: Budget,
    file: FileName,
    bytes: usize,
}

impl Lease {
    /// Returns an empty lease from the same budget.
    pub(super) fn another(&self) -> Lease {
        Lease { budget: self.budget.clone(), file: self.file, bytes: 0 }
    }

    /// Takes more memory.
    pub(super) fn grow(&mut self, bytes: usize) -> Result<()> {
        let take = |left: usize| left.checked_sub(bytes);
        match self.budget.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(_) => {
                self.bytes += bytes;
                Ok(())
            }
            Err(left) => {
                let limit = self.budget.limit;
                Err(Error::Limit(Limit { file: self.file, needed: bytes as u64, left: left as u64, limit }))
            }
        }
    }

    /// Returns part of the memory.
    fn shrink(&mut self, bytes: usize) {
        self.bytes -= bytes;
        self.budget.left.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Reserves room for `length` elements in a list whose memory this lease covers. While the list
    /// moves, both copies count.
    pub(super) fn reserve<T>(&mut self, list: &mut Vec<T>, length: usize) -> Result<()> {
        let before = list.capacity();
        if length > before {
            self.grow(length.saturating_mul(size_of::<T>()))?;
            list.reserve_exact(length - list.len());
            self.shrink(before * size_of::<T>());
        }
        Ok(())
    }

    /// Changes the length of a buffer whose memory this lease covers.
    pub(super) fn resize(&mut self, buffer: &mut Vec<u8>, length: usize) -> Result<()> {
        if buffer.capacity() == 0 {
            // The system provides zeroed pages, and unused pages are never touched.
            self.grow(length)?;
            *buffer = vec![0; length];
            return Ok(());
        }
        self.reserve(buffer, length)?;
        buffer.resize(length, 0);
        Ok(())
    }

    /// Appends `more` zero bytes to a buffer whose memory this lease covers. Reserves half as much
    /// again if the budget allows, so that a buffer that grows often is rarely copied.
    #[cfg(feature = "zlib")]
    pub(super) fn extend(&mut self, buffer: &mut Vec<u8>, more: usize) -> Result<()> {
        let length = buffer.len().saturating_add(more);
        if length > buffer.capacity() {
            let ample = length.max(buffer.len() / 2 * 3);
            self.reserve(buffer, ample).or_else(|_| self.reserve(buffer, length))?;
        }
        buffer.resize(length, 0);
        Ok(())
    }

    /// Appends an element to a list whose memory this lease covers.
    pub(super) fn push<T>(&mut self, list: &mut Vec<T>, element: T) -> Result<()> {
        if list.len() == list.capacity() {
            self.reserve(list, (2 * list.len()).max(4))?;
        }
        list.push(element);
        Ok(())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.budget.left.fetch_add(self.bytes, Ordering::Relaxed);
    }
}
