//! The call that a thread may be waiting in, as other threads see it.
//!
//! When the measurement ends, the threads that wait are found here: nothing is recorded of a call
//! before it returns. Invariant: a call is stored by its thread, and is open until that ends it or
//! jumps.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::locations::Location;
use crate::measurement::LazyRegion;
use crate::slots::Key;

/// The call that a thread may be waiting in.
#[derive(Debug)]
pub(super) struct OpenCall {
    /// The region; null outside of such calls.
    region: AtomicPtr<LazyRegion>,
    begin: AtomicU64,
    /// The number of jumps before the call.
    jumps: AtomicU32,
}

static OPEN: Key<OpenCall> = Key::new();

impl OpenCall {
    /// Gives a new location one.
    pub(super) fn provide(location: &Location) {
        let none = Self {
            region: AtomicPtr::new(ptr::null_mut()),
            begin: AtomicU64::new(0),
            jumps: AtomicU32::new(0),
        };
        location.slots.set(&OPEN, Some(Box::leak(Box::new(none))));
    }

    /// Returns that of a location.
    #[inline(always)]
    pub(super) fn of(location: &Location) -> Option<&'static Self> {
        location.slots.get(&OPEN)
    }

    /// Begins a call; returns the region of the one in which the thread already was.
    #[inline(always)]
    pub(super) fn begin(
        &self,
        location: &Location,
        region: &'static LazyRegion,
        begin: u64,
    ) -> *const LazyRegion {
        let outer = self.region.load(Relaxed);
        self.jumps.store(location.jumps.load(Relaxed), Relaxed);
        self.begin.store(begin, Relaxed);
        self.region.store(ptr::from_ref(region).cast_mut(), Relaxed);
        outer
    }

    /// Ends a call. The one around it goes on, from now on as far as is known here.
    #[inline(always)]
    pub(super) fn end(&self, outer: *const LazyRegion) {
        self.region.store(outer.cast_mut(), Relaxed);
    }

    /// Returns the region and the begin of the call of a location that is open, and ends it.
    pub(super) fn take(location: &Location) -> Option<(&'static LazyRegion, u64)> {
        let open = Self::of(location)?;
        let region = open.region.swap(ptr::null_mut(), Relaxed);
        if open.jumps.load(Relaxed) != location.jumps.load(Relaxed) {
            return None;
        }
        // SAFETY: null, or a region that lives forever, as `begin` was given.
        unsafe { region.as_ref() }.map(|region| (region, open.begin.load(Relaxed)))
    }
}
