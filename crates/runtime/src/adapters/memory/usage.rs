//! The memory that the process holds: its metric, on a location of its own.
//!
//! Each change is recorded on the metric's location, whose events are in order of time. One thread
//! at a time records them. A thread that finds another at it leaves it to that one, so that no
//! thread waits: of changes at the same time only the last value is recorded, and the largest one
//! if it was larger. Invariant: after the last change has returned, the last value is recorded.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering::*};

use kymo_substrate::bindings::{
    SCOREP_LOCATION_TYPE_METRIC, SCOREP_METRIC_OCCURRENCE_ASYNCHRONOUS, SCOREP_METRIC_SCOPE_LOCATION_GROUP,
    SCOREP_SAMPLING_SET_ABSTRACT,
};

use crate::adapter::MetricDefinition;
use crate::events::call;
use crate::host::Host;
use crate::life::threads;
use crate::locations::Location;

/// The bytes that the process holds.
static TOTAL: AtomicU64 = AtomicU64::new(0);
/// The most since the last recorded value.
static PEAK: AtomicU64 = AtomicU64::new(0);
/// A thread is recording values.
static IS_BUSY: AtomicBool = AtomicBool::new(false);
/// There was a change while a thread was recording.
static IS_MISSED: AtomicBool = AtomicBool::new(false);
static LOCATION: AtomicPtr<Location> = AtomicPtr::new(ptr::null_mut());
/// The sampling set of the metric.
static SET: AtomicU32 = AtomicU32::new(0);

/// Defines the metric and its location.
pub(super) fn define(host: &Host) {
    let definitions = &host.definitions;
    let name = "Process memory usage".to_owned();
    let metric = definitions.metric(&MetricDefinition::held_memory(name.clone(), name));
    let set = definitions.sampling_set(
        &[metric],
        SCOREP_METRIC_OCCURRENCE_ASYNCHRONOUS,
        SCOREP_SAMPLING_SET_ABSTRACT,
    );
    let group = host.group();
    let location =
        threads::create_without_thread(host, b"Per process metrics", SCOREP_LOCATION_TYPE_METRIC, group);
    let scope = (SCOREP_METRIC_SCOPE_LOCATION_GROUP, group);
    SET.store(definitions.scoped_sampling_set(set, location.handle, scope), Relaxed);
    LOCATION.store(ptr::from_ref(location).cast_mut(), Release);
}

/// Changes the number of bytes that the process holds, and returns it.
pub(super) fn change(more: usize, less: usize) -> u64 {
    let by = (more as u64).wrapping_sub(less as u64);
    let total = TOTAL.fetch_add(by, Relaxed).wrapping_add(by);
    if more > less {
        PEAK.fetch_max(total, Relaxed);
    }
    total
}

/// Records the number of bytes after a change. The thread is inside the runtime.
pub(super) fn record(host: &Host) {
    // SAFETY: null, or a location, which is never freed.
    let Some(location) = (unsafe { LOCATION.load(Acquire).as_ref() }) else { return };
    loop {
        if IS_BUSY.swap(true, SeqCst) {
            IS_MISSED.store(true, SeqCst);
            // The other thread may have looked for the last time before.
            if IS_BUSY.load(SeqCst) {
                return;
            }
            continue;
        }
        IS_MISSED.store(false, SeqCst);
        let peak = PEAK.swap(0, Relaxed);
        let total = TOTAL.load(Relaxed);
        if peak > total {
            send(host, location, peak);
        }
        send(host, location, total);
        IS_BUSY.store(false, SeqCst);
        if !IS_MISSED.load(SeqCst) {
            return;
        }
    }
}

fn send(host: &Host, location: &Location, bytes: u64) {
    // A counter of the processor may be read before the thread sees that the last one is ready.
    let now = host.clock.now().max(location.last_time.load(Relaxed));
    location.last_time.store(now, Relaxed);
    call!(
        host.table(),
        SCOREP_EVENT_TRIGGER_COUNTER_UINT64: SCOREP_Substrates_TriggerCounterUint64Cb,
        location.address(), now, SET.load(Relaxed), bytes
    );
}

/// Forgets the location of the parent's measurement in a forked child, which holds the same memory.
pub(super) fn forget() {
    LOCATION.store(ptr::null_mut(), Relaxed);
    IS_BUSY.store(false, Relaxed);
    IS_MISSED.store(false, Relaxed);
    PEAK.store(0, Relaxed);
}
