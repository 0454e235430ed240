//! Counters: metrics of threads and of the process at every enter, leave and sample, and values of
//! metric plugins with times of their own.
//!
//! `SCOREP_METRIC_PERF` names events of the kernel and the processor ([`perf`]),
//! `SCOREP_METRIC_PAPI` those of PAPI ([`papi`]), `SCOREP_METRIC_PLUGINS` metric plugins
//! ([`plugins`]). Invariant: what a thread counts is opened before its first event, on that thread,
//! and closed after its last one.

mod names;
mod papi;
mod perf;
mod plugins;

use std::ptr;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use kymo_substrate::bindings::{
    SCOREP_METRIC_BASE_DECIMAL, SCOREP_METRIC_MODE_ACCUMULATED_START, SCOREP_METRIC_PROFILING_TYPE_INCLUSIVE,
    SCOREP_METRIC_VALUE_UINT64,
};

use crate::adapter::{Adapter, MetricDefinition};
use crate::host::Host;
use crate::locations::Location;
use crate::settings::Settings;
use crate::switch::is_chosen;
use crate::thread;

pub(crate) use self::plugins::{are_asynchronous, begin, finalize, has_plugins, stop as stop_plugins};

/// The adapter of this kind of instrumentation.
pub(crate) static ADAPTER: Adapter = Adapter {
    name: "counters",
    prepare,
    define,
    metrics: || [papi::metrics(), plugins::metrics(), perf::metrics()].into_iter().flatten().collect(),
    ended: plugins::finalize,
    ..Adapter::NONE
};

fn prepare(settings: &Settings) -> bool {
    let has_others = [papi::prepare(settings), plugins::prepare(settings)].contains(&true);
    // `--with counters` alone asks for those that most programs want.
    let is_default = settings.names(ADAPTER.name) && !has_others;
    is_chosen(settings, ADAPTER.name) && (perf::prepare(settings, is_default) || has_others)
}

fn define() {
    papi::load();
    plugins::load();
}

/// What a thread counts. All of them are in a list.
#[derive(Debug)]
pub(crate) struct Counters {
    next: AtomicPtr<Counters>,
    papi: papi::Events,
    perf: perf::Events,
    plugins: plugins::Counters,
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
pub(crate) fn thread_begins(host: &Host, location: &'static Location) {
    if location.has_metrics {
        open(host, location);
    }
}

/// Lets a location that threads share have the counters of the calling thread, which begins to
/// count with its first location.
pub(crate) fn thread_takes_over(host: &Host, location: &'static Location) {
    if !location.has_metrics {
        return;
    }
    match thread::counters() {
        Some(own) => location.counters.store(ptr::from_ref(own).cast_mut(), Release),
        None => open(host, location),
    }
}

fn open(host: &Host, location: &'static Location) {
    let counters: &'static Counters = Box::leak(Box::new(Counters {
        next: AtomicPtr::new(ptr::null_mut()),
        papi: papi::Events::open(location.parent.is_none()),
        perf: perf::Events::open(location.parent.is_none()),
        plugins: plugins::Counters::open(host, location),
    }));
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
    thread::set_counters(counters);
}

/// Ends counting for the calling thread.
pub(crate) fn thread_ends() {
    thread::counters().into_iter().for_each(|counters| {
        counters.papi.close();
        counters.perf.close();
    });
}

/// Collects the values that metric plugins measured up to an event of the calling thread.
#[inline]
pub(crate) fn collect(host: &Host, location: &Location) {
    location.counters().into_iter().for_each(|counters| counters.plugins.collect(host));
}

/// Passes each value that [`collect`] found for the last event to `write`, once for each `writer`,
/// with its location, its time and its sampling set.
pub(crate) fn each_asynchronous(
    location: &Location,
    writer: usize,
    write: impl Fn(&Location, u64, u32, *const u64),
) {
    location.counters().into_iter().for_each(|counters| counters.plugins.each(writer, &write));
}

/// Ends the metric plugins' measurement, and records what they measured. The threads of these
/// locations are outside of the runtime.
pub(crate) fn end(host: &Host, quiet: &[&'static Location]) {
    plugins::end(host, quiet.iter().filter_map(|location| location.counters()).map(|it| &it.plugins));
}

/// Closes what the threads of the parent counted, in a forked child.
pub(crate) fn forget() {
    // SAFETY: null, or counters, which are never freed.
    let at = |place: &AtomicPtr<Counters>| unsafe { place.load(Acquire).as_ref::<'static>() };
    let all = std::iter::successors(at(&FIRST), |counters| at(&counters.next));
    all.for_each(|counters| counters.perf.close());
    FIRST.store(ptr::null_mut(), Release);
    papi::forget();
    plugins::forget();
}

impl Location {
    /// Returns the counters of the location's thread.
    fn counters(&self) -> Option<&'static Counters> {
        // SAFETY: null, or counters, which are never freed.
        unsafe { self.counters.load(Acquire).as_ref() }
    }
}
