//! The regions of library functions, of which a program calls few.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::handles::Region;
use crate::filtering;

/// The region of a library function. It can be defined before its first event, or at its first
/// event.
#[derive(Debug)]
pub(crate) struct LazyRegion {
    name: &'static str,
    /// The source file that Score-P reports for the function.
    file: &'static str,
    paradigm: u32,
    kind: u32,
    /// The handle; 0 before the region is defined.
    handle: AtomicU32,
}

/// In place of the handle, if a filter leaves the function out.
const EXCLUDED: u32 = u32::MAX;

impl LazyRegion {
    pub(crate) const fn new(name: &'static str, file: &'static str, paradigm: u32, kind: u32) -> Self {
        Self { name, file, paradigm, kind, handle: AtomicU32::new(0) }
    }

    /// Returns the region if it is defined, else none.
    #[inline]
    pub(crate) fn defined(&self) -> Region {
        match self.handle.load(Relaxed) {
            EXCLUDED => Region::default(),
            handle => Region(handle),
        }
    }

    /// Returns whether a filter leaves the function out, as far as is known.
    #[inline]
    pub(crate) fn is_excluded(&self) -> bool {
        self.handle.load(Relaxed) == EXCLUDED
    }

    /// Returns the region, which is defined if it was not; none if a filter leaves the function
    /// out, or if it cannot be defined.
    pub(crate) fn define(&self) -> Region {
        if self.handle.load(Relaxed) == 0 {
            let (name, file) = (self.name.as_bytes(), Some(self.file.as_bytes()));
            let handle = match filtering::excludes(name, None, file) {
                true => EXCLUDED,
                false => super::define_region(name, name, file, 0, 0, self.paradigm, self.kind).0,
            };
            // Another thread that defines it has the same one.
            self.handle.store(handle, Relaxed);
        }
        self.defined()
    }
}
