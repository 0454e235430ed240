//! Values with times of their own, which a plugin keeps until they are collected: at events, or at
//! the end of the measurement.
//!
//! Each metric of each thread has a location of its own. Invariant: the times of a location are in
//! order, and within the measurement; values with other times are left out and counted.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use kymo_substrate::bindings::{
    SCOREP_LOCATION_TYPE_METRIC, SCOREP_METRIC_OCCURRENCE_ASYNCHRONOUS, SCOREP_SAMPLING_SET_ABSTRACT,
};

use super::interface::{GetAllValues, Pairs};
use super::is_due;
use super::plugin::{Metric, Plugin};
use crate::adapter::WriteMetric;
use crate::events::call;
use crate::host::Host;
use crate::life::metrics::define_scoped;
use crate::life::threads;
use crate::locations::Location;
use crate::message::report;
use crate::processes::may_allocate;
use crate::served::Served;

/// The time before which plugins cannot have measured anything.
static BEGIN: AtomicU64 = AtomicU64::new(0);
/// The number of values that were left out.
static LOST: AtomicU64 = AtomicU64::new(0);

/// Notes the time before plugins are loaded.
pub(super) fn begin(host: &Host) {
    BEGIN.store(host.clock.now(), Relaxed);
}

/// The metrics of a thread. Only the thread uses them, and the end of the measurement once the
/// thread is outside of the runtime.
#[derive(Debug, Default)]
pub(super) struct Collected {
    metrics: Vec<Asynchronous>,
    served: Served,
}

#[derive(Debug)]
struct Asynchronous {
    get: GetAllValues,
    id: i32,
    delta: u64,
    is_at_events: bool,
    /// The location that the values are recorded on, and their set.
    location: &'static Location,
    set: u32,
    /// The time of the last call, and of the last value.
    last: AtomicU64,
    last_value: AtomicU64,
    /// The values that were collected at the last event.
    pairs: RefCell<Pairs>,
}

// SAFETY: as the documentation of `Collected` states, one thread at a time uses them.
unsafe impl Sync for Collected {}
// SAFETY: the pairs are memory from `malloc`, which any thread may use and free.
unsafe impl Send for Collected {}

impl Collected {
    /// Adds a metric of a thread, with a location for its values.
    pub(super) fn add(
        &mut self,
        host: &Host,
        thread: &'static Location,
        plugin: &Plugin,
        metric: &Metric,
        id: i32,
        is_at_events: bool,
    ) {
        let Some(get) = plugin.info.get_all_values else { return };
        let (name, kind) = (metric.name.to_bytes(), SCOREP_LOCATION_TYPE_METRIC);
        let location = threads::create_without_thread(host, name, kind, host.group());
        let definition = host.definitions.metric(&metric.definition);
        let occurrence = SCOREP_METRIC_OCCURRENCE_ASYNCHRONOUS;
        let class = host.definitions.sampling_set(&[definition], occurrence, SCOREP_SAMPLING_SET_ABSTRACT);
        self.metrics.push(Asynchronous {
            get,
            id,
            delta: plugin.info.delta,
            is_at_events,
            location,
            set: define_scoped(host, class, plugin.scope, location, thread),
            last: AtomicU64::new(0),
            last_value: AtomicU64::new(BEGIN.load(Relaxed)),
            pairs: RefCell::new(Pairs::NONE),
        });
    }

    /// Collects the values up to an event. Plugins allocate memory for them, so that nothing is
    /// collected in a signal handler of the program that interrupted an allocator.
    #[inline]
    pub(super) fn at_event(&self, host: &Host) {
        if !self.metrics.is_empty() {
            self.collect_due(host);
        }
    }

    #[cold]
    fn collect_due(&self, host: &Host) {
        self.served.forget();
        let now = host.clock.now();
        let at_events = || self.metrics.iter().filter(|metric| metric.is_at_events);
        at_events().for_each(|metric| drop(metric.pairs.replace(Pairs::NONE)));
        let mut due = at_events().filter(|metric| is_due(&metric.last, now, metric.delta)).peekable();
        if due.peek().is_some() && may_allocate() {
            due.for_each(|metric| metric.collect(host));
        }
    }

    /// Passes each value that was collected to `write`, once for each `writer`.
    pub(super) fn each(&self, writer: usize, write: &WriteMetric<'_>) {
        if self.metrics.is_empty() || !self.served.is_first(writer) {
            return;
        }
        for metric in self.metrics.iter().filter(|metric| metric.set != 0) {
            let mut pairs = metric.pairs.borrow_mut();
            pairs
                .all()
                .iter()
                .for_each(|it| write(metric.location, it.time, metric.set, &raw const it.value));
        }
    }

    /// Collects all values that are left, and records them.
    pub(super) fn at_end(&self, host: &Host) {
        for metric in self.metrics.iter().filter(|metric| metric.set != 0) {
            metric.collect(host);
            for pair in metric.pairs.replace(Pairs::NONE).all() {
                call!(
                    host.table(),
                    SCOREP_EVENT_WRITE_POST_MORTEM_METRICS: SCOREP_Substrates_WriteMetricsCb,
                    metric.location.address(), pair.time, metric.set, &raw const pair.value
                );
            }
        }
    }
}

impl Asynchronous {
    fn collect(&self, host: &Host) {
        // SAFETY: the number is that of this metric.
        let mut pairs = unsafe { Pairs::of(self.get, self.id) };
        let allowed = self.last_value.load(Relaxed)..=host.clock.now();
        let lost = pairs.restrict(&allowed);
        LOST.fetch_add(lost as u64, Relaxed);
        if let Some(last) = pairs.all().last() {
            self.last_value.store(last.time, Relaxed);
        }
        self.pairs.replace(pairs);
    }
}

/// Reports the values that were left out.
pub(super) fn report_lost() {
    let lost = LOST.swap(0, Relaxed);
    if lost > 0 {
        report(format_args!(
            "{lost} values of metric plugins are left out: their times are not within the measurement, or \
             before those of earlier values"
        ));
    }
}
