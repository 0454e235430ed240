//! Locations: the objects by which plugins identify threads. They have stable addresses and are
//! never freed.
//!
//! Invariant: events of a location are delivered by its thread, marked by `inside`, until the
//! finalising thread has made sure that the thread is outside and will not enter again. The
//! location of a member of a team belongs to several threads, one after the other: to the one whose
//! token is in `owner`. A thread that takes it over waits until no other is inside.

use crate::calls::InterposedCalls;
use crate::durations::LeftOut;
use crate::interrupted::Interrupted;
use crate::program;
use crate::served::Served;
use crate::slots::SharedSlots;
use crate::stack::RegionStack;
use crate::thread;
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release, SeqCst},
};
use kymo_substrate::bindings::{SCOREP_LOCATION_TYPE_CPU_THREAD, SCOREP_Location, SCOREP_Task};
use std::sync::{Mutex, PoisonError};

/// How often a thread that takes a location over looks again before it lets other threads run.
const SPINS_BEFORE_YIELD: u32 = 1000;

/// A location.
#[derive(Debug)]
pub(crate) struct Location {
    /// The place on the stack where the thread entered the runtime; 0 outside.
    inside: AtomicUsize,
    /// Entering takes more than a look at `inside`: the location is shared, or a child may use the
    /// memory of its thread.
    is_special: AtomicBool,
    /// Several threads have the location, one after the other.
    pub(crate) is_shared: bool,
    /// The token of the thread that has the location; 0 if none has.
    owner: AtomicUsize,
    /// The number in the process.
    pub(crate) id: u32,
    /// The handle of the definition.
    pub(crate) handle: u32,
    pub(crate) kind: u32,
    pub(crate) parent: Option<&'static Location>,
    /// The number of the creation of its thread; 0 for the main thread.
    pub(crate) sequence: u32,
    /// The system's id of the thread.
    pub(crate) thread: u64,
    pub(crate) regions: RegionStack,
    pub(crate) left_out: LeftOut,
    pub(crate) interrupted: Interrupted,
    /// The calls that the runtime makes for the program.
    pub(crate) calls: InterposedCalls,
    /// The number of jumps of the thread (`longjmp`).
    pub(crate) jumps: AtomicU32,
    /// The time of the last event that the thread recorded itself, in ticks.
    pub(crate) last_time: AtomicU64,
    /// The location records metrics, with values of its own or on other locations.
    pub(crate) has_metrics: bool,
    /// The values of the metrics at the last event (`life::metrics`).
    pub(crate) metrics: Box<[AtomicU64]>,
    /// Whether the last event has a value, for each metric.
    pub(crate) is_new: Box<[AtomicBool]>,
    /// The plugins that received the synchronous values of the last event.
    pub(crate) served: Served,
    /// One slot for each plugin.
    data: Box<[AtomicPtr<c_void>]>,
    /// Activated, and not deactivated since.
    pub(crate) is_active: AtomicBool,
    /// Regions are entered with their calling contexts.
    pub(crate) has_contexts: AtomicBool,
    /// Adapters have events that must be recorded before the next one.
    pub(crate) has_pending: AtomicBool,
    /// The objects of adapters.
    pub(crate) slots: SharedSlots,
    /// The address of this field represents the implicit task.
    task: u8,
}

/// The properties of a new location.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) id: u32,
    pub(crate) handle: u32,
    pub(crate) kind: u32,
    pub(crate) parent: Option<&'static Location>,
    pub(crate) sequence: u32,
    pub(crate) has_metrics: bool,
    pub(crate) metrics: usize,
    pub(crate) plugins: usize,
    /// Functions with short calls are left out.
    pub(crate) has_durations: bool,
    /// Several threads have the location, one after the other.
    pub(crate) is_shared: bool,
}

impl Location {
    /// Creates the location of the calling thread.
    pub(crate) fn new(plan: &Plan) -> &'static Self {
        Box::leak(Box::new(Self {
            inside: AtomicUsize::new(0),
            is_special: AtomicBool::new(plan.is_shared),
            is_shared: plan.is_shared,
            owner: AtomicUsize::new(thread::token()),
            id: plan.id,
            handle: plan.handle,
            kind: plan.kind,
            parent: plan.parent,
            sequence: plan.sequence,
            thread: program::thread_id(),
            regions: RegionStack::new(plan.has_durations),
            left_out: LeftOut::new(plan.has_durations),
            interrupted: Interrupted::new(),
            calls: InterposedCalls::default(),
            jumps: AtomicU32::new(0),
            last_time: AtomicU64::new(0),
            has_metrics: plan.has_metrics,
            metrics: (0..plan.metrics).map(|_| AtomicU64::new(0)).collect(),
            is_new: (0..plan.metrics).map(|_| AtomicBool::new(false)).collect(),
            served: Served::default(),
            data: (0..plan.plugins).map(|_| AtomicPtr::new(ptr::null_mut())).collect(),
            is_active: AtomicBool::new(false),
            has_contexts: AtomicBool::new(false),
            has_pending: AtomicBool::new(false),
            slots: SharedSlots::default(),
            task: 0,
        }))
    }

    /// Returns the location that a plugin refers to.
    ///
    /// # Safety
    ///
    /// `address` must be null or an address that a plugin received from this runtime.
    pub(crate) unsafe fn at(address: *const SCOREP_Location) -> Option<&'static Self> {
        // SAFETY: the address is null or that of a location, which is never freed.
        unsafe { address.cast::<Self>().as_ref() }
    }

    /// Returns the address by which plugins identify the location.
    #[inline]
    pub(crate) fn address(&self) -> *mut SCOREP_Location {
        ptr::from_ref(self).cast_mut().cast()
    }

    /// Returns the implicit task, which lives as long as the location.
    pub(crate) fn task(&self) -> *mut SCOREP_Task {
        (&raw const self.task).cast_mut().cast()
    }

    /// Returns the buffer of metric values; null without metrics. Plugins only compare the address
    /// with null.
    #[inline]
    pub(crate) fn values(&self) -> *mut u64 {
        if self.has_metrics { self.metrics.as_ptr().cast_mut().cast() } else { ptr::null_mut() }
    }

    /// Returns the slot of a plugin.
    pub(crate) fn slot(&self, plugin: usize) -> Option<&AtomicPtr<c_void>> {
        self.data.get(plugin)
    }

    /// Returns whether the calling thread has the location.
    #[inline]
    pub(crate) fn is_own(&self) -> bool {
        self.owner.load(Relaxed) == thread::token()
    }

    /// Enters the runtime; returns false if the thread is inside. Only for the location's thread.
    #[inline]
    pub(crate) fn enter_runtime(&self) -> bool {
        if self.is_special() && !self.is_plain_again() {
            return self.is_shared && self.enter_shared();
        }
        self.enter_plainly()
    }

    /// Returns whether entering takes more than [`Self::enter_plainly`].
    #[inline(always)]
    pub(crate) fn is_special(&self) -> bool {
        self.is_special.load(Relaxed)
    }

    /// Enters the runtime for a location that is not special.
    #[inline(always)]
    pub(crate) fn enter_plainly(&self) -> bool {
        if self.inside.load(Relaxed) != 0 {
            return false;
        }
        self.inside.store(thread::stack_pointer(), Relaxed);
        true
    }

    /// Notes that the thread's memory is lent to a child.
    pub(crate) fn lend(&self) {
        self.is_special.store(true, Relaxed);
    }

    /// Returns whether the location is not shared, and the caller is the thread itself and not a
    /// child that borrows its memory.
    #[inline]
    fn is_plain_again(&self) -> bool {
        !self.is_shared && self.is_returned()
    }

    #[cold]
    fn is_returned(&self) -> bool {
        let is_thread = !thread::is_borrowed();
        if is_thread && !thread::is_lent() {
            self.is_special.store(false, Relaxed);
        }
        is_thread
    }

    #[inline]
    fn enter_shared(&self) -> bool {
        if thread::is_borrowed() {
            return false;
        }
        let place = thread::stack_pointer();
        if self.inside.compare_exchange(0, place, Acquire, Relaxed).is_err() {
            return false;
        }
        if self.is_own() {
            return true;
        }
        self.leave_runtime();
        false
    }

    /// Enters the runtime for the location in place of the thread that has it, whose events are
    /// dropped from now on. Returns false if that thread does not leave the runtime in time.
    pub(crate) fn seize(&self) -> bool {
        self.owner.store(0, SeqCst);
        let mut deadline = None;
        let mut count = 0_u32;
        let place = thread::stack_pointer();
        while self.inside.compare_exchange(0, place, Acquire, Relaxed).is_err() {
            count += 1;
            if count < SPINS_BEFORE_YIELD {
                core::hint::spin_loop();
                continue;
            }
            std::thread::yield_now();
            let now = std::time::Instant::now();
            if now > *deadline.get_or_insert(now + std::time::Duration::from_secs(1)) {
                return false;
            }
        }
        true
    }

    /// Gives the location to the calling thread, which is inside.
    pub(crate) fn own(&self) {
        self.owner.store(thread::token(), SeqCst);
    }

    /// Takes the location from the thread that has it; no thread has it until the next
    /// [`Self::own`].
    pub(crate) fn disown(&self) {
        self.owner.store(0, SeqCst);
    }

    /// Leaves the runtime.
    #[inline]
    pub(crate) fn leave_runtime(&self) {
        self.inside.store(0, Release);
    }

    /// Returns whether the location is that of a thread.
    pub(crate) fn is_thread(&self) -> bool {
        self.kind == SCOREP_LOCATION_TYPE_CPU_THREAD
    }

    /// Returns whether events of adapters or of signal handlers wait to be recorded.
    #[inline]
    pub(crate) fn has_waiting(&self) -> bool {
        self.has_pending.load(Relaxed) || !self.interrupted.is_empty()
    }

    /// Returns the place on the stack where the thread entered the runtime; 0 outside.
    pub(crate) fn place_inside(&self) -> usize {
        self.inside.load(Acquire)
    }

    pub(crate) fn is_inside(&self) -> bool {
        self.place_inside() != 0
    }
}

/// All locations, ordered by number.
#[derive(Debug, Default)]
pub(crate) struct Locations(Mutex<Vec<&'static Location>>);

impl Locations {
    pub(crate) fn add(&self, location: &'static Location) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = all.partition_point(|other| other.id < location.id);
        all.insert(place, location);
    }

    /// Returns the location with this number.
    pub(crate) fn get(&self, id: u32) -> Option<&'static Location> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.binary_search_by_key(&id, |location| location.id).ok().and_then(|place| all.get(place).copied())
    }

    /// Returns the location with the lowest number.
    pub(crate) fn first(&self) -> Option<&'static Location> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).first().copied()
    }

    /// Returns all locations that exist now.
    pub(crate) fn all(&self) -> Vec<&'static Location> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each location is added by its own thread, in any order of the numbers.
    #[test]
    fn locations_are_found_by_number_whatever_their_order() {
        let locations = Locations::default();
        assert!(locations.first().is_none() && locations.get(0).is_none());
        for id in [3, 0, 7, 1] {
            let plan = Plan {
                id,
                handle: 0,
                kind: 0,
                parent: None,
                sequence: 0,
                has_metrics: false,
                metrics: 0,
                plugins: 0,
                has_durations: false,
                is_shared: false,
            };
            locations.add(Location::new(&plan));
        }
        let found = |id| locations.get(id).map(|location| location.id);
        assert_eq!([0, 1, 2, 3, 7, 8].map(found), [Some(0), Some(1), None, Some(3), Some(7), None]);
        assert_eq!(locations.first().map(|location| location.id), Some(0));
    }
}
