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

    /// Returns the handle; 0 if it cannot be defined now. Two threads may both define it: equal
    /// definitions are one.
    pub(super) fn get(&self, define: impl FnOnce() -> u32) -> u32 {
        let known = self.0.load(Relaxed);
        if known != 0 {
            return known;
        }
        let handle = define();
        if handle != 0 {
            self.0.store(handle, Relaxed);
        }
        handle
    }

    /// Returns the handle; 0 if it cannot be defined now, as where nothing may be allocated.
    pub(super) fn get_if_allowed(&self, define: impl FnOnce() -> u32) -> u32 {
        self.get(|| if may_allocate() { define() } else { 0 })
    }
}
