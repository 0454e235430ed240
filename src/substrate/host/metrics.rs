//! The metric values of the event being delivered.
//!
//! The host passes values to a C function without a pointer that belongs to the caller.
//! Thread-local storage could identify the closure, but its first use may allocate, and samples are
//! delivered in a signal handler. There is therefore a fixed number of C functions, each with its
//! own cell. A call takes a free cell for its duration.

use core::any::Any;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread::yield_now;

use crossbeam_utils::CachePadded;

use super::{Host, entry};
use crate::bindings::SCOREP_Location;
use crate::handles::{Location, SamplingSetHandle, Timestamp};

/// Receives the values of one sampling set: the location, the timestamp, the set, and one value per
/// metric of the set in the order of [`Host::metric_handles`]. Each value must be read as the
/// metric's value type.
pub type WriteMetrics<'a> = dyn FnMut(Location, Timestamp, SamplingSetHandle, &[u64]) + 'a;

/// A delivery in progress.
struct Delivery<'a> {
    host: Host,
    write: &'a mut WriteMetrics<'a>,
    /// The number of deliveries without a location.
    without_location: u64,
    panic: Option<Box<dyn Any + Send>>,
}

/// The [`Delivery`] that uses the function, or null if there is none. Each cell has its own cache
/// line.
type Cell = CachePadded<AtomicPtr<()>>;

type Deliver = unsafe extern "C" fn(*mut SCOREP_Location, u64, u32, *const u64);

/// The maximum number of concurrent calls. A further call waits for the end of another.
const CELLS: usize = 64;

static BUSY: [Cell; CELLS] = [const { CachePadded::new(AtomicPtr::new(ptr::null_mut())) }; CELLS];

macro_rules! functions {
    ($($cell:literal)*) => {
        static FUNCTIONS: [Deliver; CELLS] = [$(deliver::<$cell>),*];
    };
}

functions! {
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
    32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63
}

impl Host {
    /// Delivers the strictly synchronous metrics of `location` to `write`: one sampling set or
    /// none. Returns how often the host delivered values without a location, which are dropped.
    ///
    /// Call this and the two functions that follow in the function of an event with
    /// [`Metrics`](crate::Metrics), for its location and timestamp. They do nothing if the location
    /// records no metrics.
    pub fn write_strictly_synchronous_metrics(
        &self,
        location: Location,
        timestamp: Timestamp,
        write: &mut WriteMetrics<'_>,
    ) -> u64 {
        let Some(call) = entry!(self, SCOREP_Metric_WriteStrictlySynchronousMetrics) else { return 0 };
        // SAFETY: the location was passed by the host.
        self.deliver(write, |function| unsafe { call(location.as_ptr(), timestamp, Some(function)) })
    }

    /// Delivers the additional synchronous metrics of `location` to `write`: any number of sets.
    pub fn write_synchronous_metrics(
        &self,
        location: Location,
        timestamp: Timestamp,
        write: &mut WriteMetrics<'_>,
    ) -> u64 {
        let Some(call) = entry!(self, SCOREP_Metric_WriteSynchronousMetrics) else { return 0 };
        // SAFETY: the location was passed by the host.
        self.deliver(write, |function| unsafe { call(location.as_ptr(), timestamp, Some(function)) })
    }

    /// Delivers asynchronous metrics to `write`: any number of sets, with their own locations and
    /// times.
    pub fn write_asynchronous_metrics(&self, location: Location, write: &mut WriteMetrics<'_>) -> u64 {
        let Some(call) = entry!(self, SCOREP_Metric_WriteAsynchronousMetrics) else { return 0 };
        // SAFETY: the location was passed by the host.
        self.deliver(write, |function| unsafe { call(location.as_ptr(), Some(function)) })
    }

    /// Makes `call` pass a function to the host that forwards the values to `write`. A panic in
    /// `write` is resumed in the caller once the host has returned.
    fn deliver(&self, write: &mut WriteMetrics<'_>, call: impl FnOnce(Deliver)) -> u64 {
        let mut delivery = Delivery { host: *self, write, without_location: 0, panic: None };
        let cell = take(ptr::from_mut(&mut delivery).cast());
        call(FUNCTIONS[cell]);
        BUSY[cell].store(ptr::null_mut(), Ordering::Release);
        if let Some(payload) = delivery.panic {
            resume_unwind(payload);
        }
        delivery.without_location
    }
}

/// Takes a free cell for `delivery`. The search starts at a cell that depends on the address on the
/// stack, and thus on the thread.
fn take(delivery: *mut ()) -> usize {
    let mut cell = delivery.addr().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (usize::BITS - CELLS.ilog2());
    loop {
        for _ in 0..CELLS {
            let free = ptr::null_mut();
            if BUSY[cell].compare_exchange(free, delivery, Ordering::Acquire, Ordering::Relaxed).is_ok() {
                return cell;
            }
            cell = (cell + 1) % CELLS;
        }
        yield_now();
    }
}

/// The function that the host calls while cell `CELL` is taken.
unsafe extern "C" fn deliver<const CELL: usize>(
    location: *mut SCOREP_Location,
    timestamp: u64,
    set: u32,
    values: *const u64,
) {
    let delivery: *mut Delivery<'_> = BUSY[CELL].load(Ordering::Relaxed).cast();
    // SAFETY: the cell was taken by the call that this one is part of. Its delivery lives until
    // that call ends and is not used by other code in the meantime.
    let Some(delivery) = (unsafe { delivery.as_mut() }) else { return };
    // SAFETY: the host passes a location that exists, or null, and a sampling set.
    let (location, set) = unsafe { (Location::from_raw(location), SamplingSetHandle::from_raw(set)) };
    let Some(location) = location else {
        delivery.without_location += 1;
        return;
    };
    if delivery.panic.is_some() {
        return;
    }
    // SAFETY: the host passes one value per metric of the set, valid during the call.
    let values = unsafe { delivery.host.metric_values(set, values) };
    let write = AssertUnwindSafe(|| (delivery.write)(location, timestamp, set, values));
    delivery.panic = catch_unwind(write).err();
}
