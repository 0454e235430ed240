//! Definitions that are made when they are needed for the first time.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::processes::may_allocate;

/// The handle of a definition; 0 before it is made.
#[derive(Debug)]
pub(super) struct LazyHandle(AtomicU32);

impl LazyHandle {
    pub(super) const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// Returns the handle; 0 if nothing can be defined now.
    pub(super) fn get(&self, define: impl FnOnce() -> u32) -> u32 {
        match self.0.load(Relaxed) {
            0 if may_allocate() => {
                let handle = define();
                self.0.store(handle, Relaxed);
                handle
            }
            handle => handle,
        }
    }
}
