//! Locations: what plugins know a thread by. Objects at stable addresses, never freed.
//!
//! Invariant: events of a location are delivered by its thread, marked by `inside`, until the finalising thread has made sure
//! that it is not inside and will not come in again.

use crate::durations::LeftOut;
use crate::interrupted::Interrupted;
use crate::program;
use crate::stack::Stack;
use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};
use kymo_substrate::bindings::{SCOREP_Location, SCOREP_Task};
use std::sync::{Mutex, PoisonError};

/// A location.
#[derive(Debug)]
pub(crate) struct Location {
    /// The thread is in the runtime.
    inside: AtomicBool,
    /// Number in the process.
    pub(crate) id: u32,
    /// Its definition.
    pub(crate) handle: u32,
    pub(crate) kind: u32,
    pub(crate) parent: Option<&'static Location>,
    /// Number of the creation of its thread; 0 for the main thread.
    pub(crate) sequence: u32,
    /// The system's number of the thread.
    pub(crate) thread: u64,
    pub(crate) regions: Stack,
    pub(crate) left_out: LeftOut,
    pub(crate) interrupted: Interrupted,
    /// Time of the last event that the thread recorded itself, in ticks.
    pub(crate) last_time: AtomicU64,
    /// Values of the strictly synchronous metrics.
    pub(crate) metrics: Box<[AtomicU64]>,
    /// One slot per plugin.
    data: Box<[AtomicPtr<c_void>]>,
    /// Activated and not deactivated since.
    pub(crate) is_active: AtomicBool,
    /// Its address is the implicit task.
    task: u8,
}

/// What a new location is made of.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) id: u32,
    pub(crate) handle: u32,
    pub(crate) kind: u32,
    pub(crate) parent: Option<&'static Location>,
    pub(crate) sequence: u32,
    pub(crate) metrics: usize,
    pub(crate) plugins: usize,
    /// Functions with short calls are left out.
    pub(crate) has_durations: bool,
}

impl Location {
    /// That of the calling thread.
    pub(crate) fn new(plan: &Plan) -> &'static Self {
        Box::leak(Box::new(Self {
            inside: AtomicBool::new(false),
            id: plan.id,
            handle: plan.handle,
            kind: plan.kind,
            parent: plan.parent,
            sequence: plan.sequence,
            thread: program::thread_id(),
            regions: Stack::new(plan.has_durations),
            left_out: LeftOut::new(plan.has_durations),
            interrupted: Interrupted::new(),
            last_time: AtomicU64::new(0),
            metrics: (0..plan.metrics).map(|_| AtomicU64::new(0)).collect(),
            data: (0..plan.plugins).map(|_| AtomicPtr::new(ptr::null_mut())).collect(),
            is_active: AtomicBool::new(false),
            task: 0,
        }))
    }

    /// The object that a plugin names.
    ///
    /// # Safety
    ///
    /// `address` is null or one that a plugin got from this runtime.
    pub(crate) unsafe fn at(address: *const SCOREP_Location) -> Option<&'static Self> {
        // SAFETY: the caller vouches for it.
        unsafe { address.cast::<Self>().as_ref() }
    }

    /// What plugins know it by.
    #[inline]
    pub(crate) fn address(&self) -> *mut SCOREP_Location {
        ptr::from_ref(self).cast_mut().cast()
    }

    /// The implicit task, which lives as long as the location.
    pub(crate) fn task(&self) -> *mut SCOREP_Task {
        (&raw const self.task).cast_mut().cast()
    }

    /// The buffer of metric values; null without metrics.
    #[inline]
    pub(crate) fn values(&self) -> *mut u64 {
        if self.metrics.is_empty() { ptr::null_mut() } else { self.metrics.as_ptr().cast_mut().cast() }
    }

    /// A plugin's slot.
    pub(crate) fn slot(&self, plugin: usize) -> Option<&AtomicPtr<c_void>> {
        self.data.get(plugin)
    }

    /// The thread comes into the runtime; false if it is there already. Only for the location's thread.
    #[inline]
    pub(crate) fn come_in(&self) -> bool {
        if self.inside.load(Relaxed) {
            return false;
        }
        self.inside.store(true, Relaxed);
        true
    }

    /// It leaves the runtime.
    #[inline]
    pub(crate) fn go_out(&self) {
        self.inside.store(false, Release);
    }

    /// Number in the job, of which this is rank 0.
    pub(crate) fn global_id(&self) -> u64 {
        u64::from(self.id) << 32
    }

    pub(crate) fn is_inside(&self) -> bool {
        self.inside.load(Acquire)
    }
}

/// All locations, by number.
#[derive(Debug, Default)]
pub(crate) struct Locations(Mutex<Vec<&'static Location>>);

impl Locations {
    pub(crate) fn add(&self, location: &'static Location) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = all.partition_point(|other| other.id < location.id);
        all.insert(place, location);
    }

    /// The one with this number.
    pub(crate) fn get(&self, id: u32) -> Option<&'static Location> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.binary_search_by_key(&id, |location| location.id).ok().and_then(|place| all.get(place).copied())
    }

    /// The one with the lowest number.
    pub(crate) fn first(&self) -> Option<&'static Location> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).first().copied()
    }

    /// Those that exist now.
    pub(crate) fn all(&self) -> Vec<&'static Location> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A location is added by its thread, which need not come in the order of the numbers.
    #[test]
    fn locations_are_found_by_number_in_whatever_order_they_came() {
        let locations = Locations::default();
        assert!(locations.first().is_none() && locations.get(0).is_none());
        for id in [3, 0, 7, 1] {
            let plan = Plan {
                id,
                handle: 0,
                kind: 0,
                parent: None,
                sequence: 0,
                metrics: 0,
                plugins: 0,
                has_durations: false,
            };
            locations.add(Location::new(&plan));
        }
        let found = |id| locations.get(id).map(|location| location.id);
        assert_eq!([0, 1, 2, 3, 7, 8].map(found), [Some(0), Some(1), None, Some(3), Some(7), None]);
        assert_eq!(locations.first().map(|location| location.id), Some(0));
    }
}
