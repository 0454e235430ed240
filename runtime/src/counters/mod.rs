//! Counters: metrics of threads at every enter, leave and sample.
//!
//! `SCOREP_METRIC_PERF` names events of the kernel and the processor ([`perf`]). Invariant: what a
//! thread counts is opened before its first event, on that thread, and closed after its last one.

mod names;
pub(crate) mod perf;

use std::ptr;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use kymo_substrate::bindings::{
    SCOREP_METRIC_BASE_DECIMAL, SCOREP_METRIC_MODE_ACCUMULATED_START, SCOREP_METRIC_PROFILING_TYPE_INCLUSIVE,
    SCOREP_METRIC_VALUE_UINT64,
};

use crate::adapter::MetricDefinition;
use crate::locations::Location;

/// What a thread counts. All of them are in a list.
#[derive(Debug)]
pub(crate) struct Counters {
    next: AtomicPtr<Counters>,
    perf: perf::Events,
}

static FIRST: AtomicPtr<Counters> = AtomicPtr::new(ptr::null_mut());

/// Returns the definition of a metric that counts something from the start on.
fn counted(name: &str, description: &str, source: u32) -> MetricDefinition {
    MetricDefinition {
        name: name.to_owned(),
        description: description.to_owned(),
        unit: "#".to_owned(),
        source,
        mode: SCOREP_METRIC_MODE_ACCUMULATED_START,
        value_type: SCOREP_METRIC_VALUE_UINT64,
        base: SCOREP_METRIC_BASE_DECIMAL,
        exponent: 0,
        profiling: SCOREP_METRIC_PROFILING_TYPE_INCLUSIVE,
    }
}

/// Begins to count for the calling thread, which gets this location.
pub(crate) fn thread_begins(location: &Location) {
    if location.metrics.is_empty() {
        return;
    }
    let next = AtomicPtr::new(ptr::null_mut());
    let counters: &'static Counters = Box::leak(Box::new(Counters { next, perf: perf::Events::open() }));
    let own = ptr::from_ref(counters).cast_mut();
    let mut first = FIRST.load(Relaxed);
    loop {
        counters.next.store(first, Relaxed);
        match FIRST.compare_exchange_weak(first, own, Release, Relaxed) {
            Ok(_) => break,
            Err(other) => first = other,
        }
    }
    location.counters.store(own, Release);
}

/// Ends counting for a location.
pub(crate) fn thread_ends(location: &Location) {
    location.counters().into_iter().for_each(|counters| counters.perf.close());
}

/// Closes what the threads of the parent counted, in a forked child.
pub(crate) fn forget() {
    // SAFETY: null, or counters, which are never freed.
    let at = |place: &AtomicPtr<Counters>| unsafe { place.load(Acquire).as_ref::<'static>() };
    let all = std::iter::successors(at(&FIRST), |counters| at(&counters.next));
    all.for_each(|counters| counters.perf.close());
}

impl Location {
    /// Returns the counters of the location's thread.
    fn counters(&self) -> Option<&'static Counters> {
        // SAFETY: null, or counters, which are never freed.
        unsafe { self.counters.load(Acquire).as_ref() }
    }
}
