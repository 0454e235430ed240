//! The call that a thread may be waiting in, as handlers and other threads see it.
//!
//! Nothing is recorded of a call before it returns, unless a sample is taken in it: that is later
//! than the begin of the call, which is recorded before. When the measurement ends, the threads
//! that wait are found here. Invariant: a call is stored by its thread, and is open until that ends
//! it or jumps. A call inside of it, made by a signal handler, is not stored.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::locations::Location;
use crate::measurement::LazyRegion;
use crate::own_stack::OwnStack;
use crate::slots::Key;
use crate::walk_start::{KEPT, Registers};

/// The call that a thread may be waiting in.
#[derive(Debug, Default)]
pub(super) struct OpenCall {
    /// The region; null outside of such calls.
    region: AtomicPtr<LazyRegion>,
    begin: AtomicU64,
    /// The registers in the function that makes the call.
    address: AtomicU64,
    stack_pointer: AtomicU64,
    frame: AtomicU64,
    link: AtomicU64,
    kept: [AtomicU64; KEPT],
    /// The number of jumps before the call.
    jumps: AtomicU32,
    /// The region has been entered, as the call with this number.
    is_entered: AtomicBool,
    number: AtomicUsize,
    /// The end of the stack on which calls are recorded; 0 before the first one.
    stack: AtomicUsize,
}

static OPEN: Key<OpenCall> = Key::new();

impl OpenCall {
    /// Gives a new location one.
    pub(super) fn provide(location: &Location) {
        location.slots.set(&OPEN, Some(Box::leak(Box::default())));
    }

    /// Returns that of a location.
    #[inline(always)]
    pub(super) fn of(location: &Location) -> Option<&'static Self> {
        location.slots.get(&OPEN)
    }

    /// Begins a call, unless one is open.
    #[inline(always)]
    pub(super) fn begin(
        &self,
        location: &Location,
        region: &'static LazyRegion,
        begin: u64,
        registers: Registers,
    ) -> bool {
        if self.is_open(location) {
            return false;
        }
        let Registers { address, stack, frame, link, kept } = registers;
        self.begin.store(begin, Relaxed);
        self.address.store(address, Relaxed);
        self.stack_pointer.store(stack, Relaxed);
        self.frame.store(frame, Relaxed);
        self.link.store(link, Relaxed);
        self.kept.iter().zip(kept).for_each(|(place, value)| place.store(value, Relaxed));
        self.jumps.store(location.jumps.load(Relaxed), Relaxed);
        self.is_entered.store(false, Relaxed);
        self.region.store(ptr::from_ref(region).cast_mut(), Relaxed);
        true
    }

    /// Returns whether a call of the location is open.
    #[inline(always)]
    fn is_open(&self, location: &Location) -> bool {
        !self.region.load(Relaxed).is_null() && self.jumps.load(Relaxed) == location.jumps.load(Relaxed)
    }

    /// Ends the call. Returns its number if its region has been entered.
    #[inline(always)]
    pub(super) fn end(&self) -> Option<usize> {
        self.region.store(ptr::null_mut(), Relaxed);
        self.is_entered.load(Relaxed).then(|| self.number.load(Relaxed))
    }

    /// Returns the region and the begin of the call of a location that is open and has not been
    /// entered.
    pub(super) fn waiting(&self, location: &Location) -> Option<(&'static LazyRegion, u64)> {
        let region = self.region.load(Relaxed);
        if !self.is_open(location) || self.is_entered.load(Relaxed) {
            return None;
        }
        // SAFETY: null, or a region that lives forever, as `begin` was given.
        unsafe { region.as_ref() }.map(|region| (region, self.begin.load(Relaxed)))
    }

    /// Returns the registers in the function that makes the call.
    pub(super) fn registers(&self) -> Registers {
        Registers {
            address: self.address.load(Relaxed),
            stack: self.stack_pointer.load(Relaxed),
            frame: self.frame.load(Relaxed),
            link: self.link.load(Relaxed),
            kept: self.kept.each_ref().map(|place| place.load(Relaxed)),
        }
    }

    /// Notes that the region of the call is entered, as the call with this number.
    pub(super) fn set_entered(&self, number: usize) {
        self.number.store(number, Relaxed);
        self.is_entered.store(true, Relaxed);
    }

    /// Returns the stack on which the thread records calls: that of the program may have room only
    /// for the functions of the C library.
    pub(super) fn stack(&self) -> OwnStack {
        match self.stack.load(Relaxed) {
            0 => {
                let stack = OwnStack::take();
                self.stack.store(stack.end(), Relaxed);
                stack
            }
            end => OwnStack::with_end(end),
        }
    }

    /// Gives the stack back, when the thread records no more.
    pub(super) fn give_back_stack(&self) {
        OwnStack::with_end(self.stack.swap(0, Relaxed)).give_back();
    }
}
