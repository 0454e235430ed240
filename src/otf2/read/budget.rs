//! The limit of the memory that reading an archive takes.
//!
//! Everything that grows with the input takes its memory here first, so that no length field of a file can ask for more.

use crate::archive::FileName;
use crate::error::{Error, Limit, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Memory that all readers of an archive share, in bytes.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    left: Arc<AtomicUsize>,
    limit: usize,
}

impl Budget {
    pub(super) fn new(limit: usize) -> Budget {
        Budget { left: Arc::new(AtomicUsize::new(limit)), limit }
    }

    /// Takes memory for what belongs to a file.
    pub(super) fn lease(&self, file: FileName, bytes: usize) -> Result<Lease> {
        let mut lease = Lease { budget: self.clone(), file, bytes: 0 };
        lease.grow(bytes)?;
        Ok(lease)
    }
}

/// Memory taken from a budget, given back when this is dropped.
#[derive(Debug)]
pub(super) struct Lease {
    budget: Budget,
    file: FileName,
    bytes: usize,
}

impl Lease {
    /// Nothing yet, of the same budget.
    pub(super) fn another(&self) -> Lease {
        Lease { budget: self.budget.clone(), file: self.file, bytes: 0 }
    }

    /// Takes more.
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

    /// Gives back a part.
    fn shrink(&mut self, bytes: usize) {
        self.bytes -= bytes;
        self.budget.left.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Takes memory for a list, which this lease is for, to have room for so many elements. While it moves, it is there twice.
    fn reserve<T>(&mut self, list: &mut Vec<T>, length: usize) -> Result<()> {
        let before = list.capacity();
        if length > before {
            self.grow(length.saturating_mul(size_of::<T>()))?;
            list.reserve_exact(length - list.len());
            self.shrink(before * size_of::<T>());
        }
        Ok(())
    }

    /// Takes memory for the buffer, which this lease is for, to have this length, and makes it so.
    pub(super) fn resize(&mut self, buffer: &mut Vec<u8>, length: usize) -> Result<()> {
        if buffer.capacity() == 0 {
            // From the system it comes as zeros, and what is not used of it is never touched.
            self.grow(length)?;
            *buffer = vec![0; length];
            return Ok(());
        }
        self.reserve(buffer, length)?;
        buffer.resize(length, 0);
        Ok(())
    }

    /// The same for as many more bytes. Takes half as much again if it can, so that a buffer that grows often is not copied often.
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

    /// Takes memory for one more element of a list, which this lease is for, and appends it.
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
