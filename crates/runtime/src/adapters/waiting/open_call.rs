//! The call that a thread may be waiting in, as other threads see it.
//!
//! When the measurement ends, the threads that wait are found here: nothing is recorded of a call
//! before it returns. Invariant: a call is stored by its thread, and is open until that ends it or
//! jumps.

use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::locations::Location;
use crate::measurement::LazyRegion;
use crate::own_stack::OwnStack;
use crate::slots::Key;

/// The call that a thread may be waiting in.
#[derive(Debug)]
pub(super) struct OpenCall {
    /// The region; null outside of such calls.
    region: AtomicPtr<LazyRegion>,
    begin: AtomicU64,
    /// The number of jumps before the call.
    jumps: AtomicU32,
    /// The end of the stack on which calls are recorded; 0 before the first one.
    stack: AtomicUsize,
}

static OPEN: Key<OpenCall> = Key::new();
/// The stacks of threads that have ended.
static FREE_STACKS: Mutex<Vec<OwnStack>> = Mutex::new(Vec::new());

impl OpenCall {
    /// Gives a new location one.
    pub(super) fn provide(location: &Location) {
        let none = Self {
            region: AtomicPtr::new(ptr::null_mut()),
            begin: AtomicU64::new(0),
            jumps: AtomicU32::new(0),
            stack: AtomicUsize::new(0),
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

    /// Returns the stack on which the thread records calls: that of the program may have room only
    /// for the functions of the C library.
    pub(super) fn stack(&self) -> OwnStack {
        match self.stack.load(Relaxed) {
            0 => {
                let free = FREE_STACKS.try_lock().ok().and_then(|mut free| free.pop());
                let stack = free.unwrap_or_else(OwnStack::new);
                self.stack.store(stack.end(), Relaxed);
                stack
            }
            end => OwnStack::with_end(end),
        }
    }

    /// Gives the stack back, when the thread records no more.
    pub(super) fn give_back_stack(&self) {
        let end = self.stack.swap(0, Relaxed);
        if end != 0 {
            // In a forked child another thread may have the lock for good.
            FREE_STACKS.try_lock().into_iter().for_each(|mut free| free.push(OwnStack::with_end(end)));
        }
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
