//! Counters: metrics of threads and of the process at every enter, leave and sample, and values of
//! metric plugins with times of their own.
//!
//! `SCOREP_METRIC_PERF` names events of the kernel and the processor ([`perf`]),
//! `SCOREP_METRIC_PAPI` those of PAPI ([`papi`]), `SCOREP_METRIC_PLUGINS` metric plugins
//! ([`plugins`]). Invariant: the counters of a thread are opened before its first event, on that
//! thread, and closed after its last one.

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

use crate::adapter::{Adapter, MetricDefinition, Metrics, WriteMetric};
use crate::host::Host;
use crate::life::end::stop_adapter;
use crate::locations::Location;
use crate::settings::Settings;
use crate::slots::Key;
use crate::switch::is_chosen;

/// The adapter of counters of the kernel and the processor, PAPI, and metric plugins.
#[derive(Debug)]
pub(crate) struct CounterMetrics;

/// The name by which settings choose it.
const NAME: &str = "counters";

impl Adapter for CounterMetrics {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare(&self, settings: &Settings) -> bool {
        prepare(settings)
    }

    fn define(&self) {
        papi::load();
        plugins::load();
    }

    fn metrics(&self) -> Vec<Metrics> {
        [papi::metrics(), plugins::metrics(), perf::metrics()].into_iter().flatten().collect()
    }

    fn has_collected_metrics(&self) -> bool {
        plugins::are_asynchronous()
    }

    fn joined(&self) {
        plugins::begin();
    }

    fn location_created(&self, host: &'static Host, location: &'static Location) {
        if location.has_metrics {
            open(host, location);
        }
    }

    // A thread begins to count with its first location.
    fn location_taken(&self, host: &'static Host, location: &'static Location) {
        if location.has_metrics {
            match OF_THREAD.of_thread() {
                Some(own) => location.slots.set(&OF_LOCATION, Some(own)),
                None => open(host, location),
            }
        }
    }

    fn collect_metrics(&self, host: &Host, location: &Location) {
        if let Some(counters) = location.counters() {
            counters.plugins.collect(host);
        }
    }

    fn each_collected(&self, location: &Location, writer: usize, write: &WriteMetric<'_>) {
        if let Some(counters) = location.counters() {
            counters.plugins.each(writer, write);
        }
    }

    fn thread_ended(&self) {
        thread_ends();
    }

    fn pooled_thread_ended(&self) {
        thread_ends();
    }

    fn ending(&self, host: &'static Host, quiet: &[&'static Location]) {
        plugins::stop();
        end(host, quiet);
    }

    fn libraries_end(&self) {
        if plugins::has_plugins() {
            stop_adapter(plugins::stop, |host, quiet| {
                end(host, quiet);
                plugins::finalize();
            });
        }
    }

    fn ended(&self) {
        plugins::finalize();
    }

    fn forget(&self) {
        forget();
    }
}

fn prepare(settings: &Settings) -> bool {
    let has_others = [papi::prepare(settings), plugins::prepare(settings)].contains(&true);
    // `--with counters` alone asks for those that most programs want.
    let is_default = settings.names(NAME) && !has_others;
    is_chosen(settings, NAME) && (perf::prepare(settings, is_default) || has_others)
}

/// The counters of a thread. All of them are in a list.
#[derive(Debug)]
pub(crate) struct Counters {
    next: AtomicPtr<Counters>,
    papi: papi::Events,
    perf: perf::Events,
    plugins: plugins::PluginCounters,
}

/// The counters of a thread, and those of the thread that has a location.
static OF_THREAD: Key<Counters> = Key::new();
static OF_LOCATION: Key<Counters> = Key::new();

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

fn open(host: &Host, location: &'static Location) {
    let counters: &'static Counters = Box::leak(Box::new(Counters {
        next: AtomicPtr::new(ptr::null_mut()),
        papi: papi::Events::open(location.parent.is_none()),
        perf: perf::Events::open(location.parent.is_none()),
        plugins: plugins::PluginCounters::open(host, location),
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
    location.slots.set(&OF_LOCATION, Some(counters));
    OF_THREAD.set_of_thread(Some(counters));
}

/// Ends counting for the calling thread.
fn thread_ends() {
    if let Some(counters) = OF_THREAD.of_thread() {
        counters.papi.close();
        counters.perf.close();
    }
}

/// Ends the metric plugins' measurement, and records the values that they measured. The threads of
/// these locations are outside of the runtime.
fn end(host: &Host, quiet: &[&'static Location]) {
    plugins::end(host, quiet.iter().filter_map(|location| location.counters()).map(|it| &it.plugins));
}

/// Closes the counters of the parent's threads, in a forked child.
fn forget() {
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
        self.slots.get(&OF_LOCATION)
    }
}
