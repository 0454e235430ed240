//! Metrics that are read at events: their definitions and values.
//!
//! The strictly synchronous metrics of all adapters are one sampling set, which each thread records
//! at all its events. Each other metric is a set of its own, whose value an event may lack.
//! Invariant: a location has the values of all scopes up to one, in the order of `Sets::sources`:
//! the first location all, the others those of each thread.

use core::sync::atomic::Ordering::Relaxed;

use kymo_substrate::bindings::*;

use crate::adapter;
use crate::adapter::{Adapter, Metrics, Missing, Scope, WriteMetric};
use crate::host::{Host, host};
use crate::locations::Location;
use crate::slots::Key;

/// The maximum number of metrics of a location. All sources together have fewer.
pub(crate) const MOST: usize = 256;
/// The number of metrics that most locations do not exceed.
const FEW: usize = 16;

/// The metrics of a measurement.
#[derive(Debug)]
pub(crate) struct Sets {
    /// The set of the strictly synchronous metrics; 0 without any.
    strict: u32,
    /// The sets of the other metrics.
    others: Box<[u32]>,
    sources: Vec<Metrics>,
    /// The adapters that collect values at events.
    collectors: Vec<&'static dyn Adapter>,
}

static SETS: Key<Sets> = Key::new();

/// Returns the metrics of a measurement, once they are defined.
fn sets(host: &Host) -> Option<&'static Sets> {
    host.slots.get(&SETS)
}

impl Sets {
    /// Returns the number of metrics up to a scope.
    fn count(&self, scope: Scope) -> usize {
        let sources = self.sources.iter().filter(|source| source.scope <= scope);
        sources.map(|source| source.metrics.len()).sum()
    }
}

/// Returns the metrics of the adapters, in the order of the values: that of Score-P, by source.
pub(crate) fn sources(adapters: &[&dyn Adapter]) -> Vec<Metrics> {
    let mut all: Vec<Metrics> = adapters.iter().flat_map(|adapter| adapter.metrics()).collect();
    all.retain(|source| !source.metrics.is_empty());
    all.sort_by_key(|source| (source.scope, source.metrics.first().map(|metric| metric.source)));
    all
}

/// Defines the metrics; `main` records those that are not about a thread.
pub(crate) fn define(host: &Host, main: &Location, sources: Vec<Metrics>) {
    let define = |source: &Metrics| -> Vec<u32> {
        source.metrics.iter().map(|metric| host.definitions.metric(metric)).collect()
    };
    let (strict, others) = sources.split_at(sources.partition_point(|source| source.scope == Scope::Strict));
    let strict: Vec<u32> = strict.iter().flat_map(define).collect();
    let strict = if strict.is_empty() {
        0
    } else {
        let occurrence = SCOREP_METRIC_OCCURRENCE_SYNCHRONOUS_STRICT;
        host.definitions.sampling_set(&strict, occurrence, SCOREP_SAMPLING_SET_CPU)
    };
    let define_one = |metric: u32, scope: Scope| {
        let is_of_thread = scope == Scope::Thread;
        // OTF2 has instances only of abstract classes.
        let class = if is_of_thread { SCOREP_SAMPLING_SET_CPU } else { SCOREP_SAMPLING_SET_ABSTRACT };
        let occurrence = SCOREP_METRIC_OCCURRENCE_SYNCHRONOUS;
        let set = host.definitions.sampling_set(&[metric], occurrence, class);
        if is_of_thread { set } else { define_scoped(host, set, scope, main, main) }
    };
    let others = others
        .iter()
        .flat_map(|source| define(source).into_iter().map(|metric| define_one(metric, source.scope)))
        .collect();
    let collectors =
        adapter::of(host).iter().copied().filter(|adapter| adapter.has_collected_metrics()).collect();
    let sets = Sets { strict, others, sources, collectors };
    host.slots.set(&SETS, Some(Box::leak(Box::new(sets))));
}

/// Defines a set that `recorder` records. `thread` is the location that a scope of threads is
/// about.
pub(crate) fn define_scoped(
    host: &Host,
    set: u32,
    scope: Scope,
    recorder: &Location,
    thread: &Location,
) -> u32 {
    let Some(process) = host.process.get() else { return 0 };
    let scope = match scope {
        Scope::Strict | Scope::Thread => (SCOREP_METRIC_SCOPE_LOCATION, thread.handle),
        Scope::Process => (SCOREP_METRIC_SCOPE_LOCATION_GROUP, process.group),
        Scope::Host => (SCOREP_METRIC_SCOPE_SYSTEM_TREE_NODE, process.node),
        Scope::Job => (SCOREP_METRIC_SCOPE_SYSTEM_TREE_NODE, process.machines),
    };
    host.definitions.scoped_sampling_set(set, recorder.handle, scope)
}

/// Returns the number of values of each thread but the first one.
pub(crate) fn of_each_thread(host: &Host) -> usize {
    sets(host).map_or(0, |sets| sets.count(Scope::Thread))
}

/// Reads the metrics of the calling thread into `location`, the location of that thread.
#[cold]
pub(crate) fn read(host: &'static Host, location: &'static Location) {
    match location.metrics.len() {
        0 => {}
        1..=FEW => read_values::<FEW>(host, location),
        _ => read_values::<MOST>(host, location),
    }
    collect(host, location);
}

fn collect(host: &Host, location: &Location) {
    let collectors = sets(host).into_iter().flat_map(|sets| &sets.collectors);
    collectors.for_each(|adapter| adapter.collect_metrics(host, location));
}

fn read_values<const N: usize>(host: &Host, location: &'static Location) {
    let mut values = last::<N>(location);
    let count = location.metrics.len().min(N);
    read_sources(
        host,
        location,
        &mut values[..count],
        |_| true,
        |at, source, missing| {
            for (n, is_new) in location.is_new.iter().skip(at).take(source.metrics.len()).enumerate() {
                is_new.store(missing >> n & 1 == 0, Relaxed);
            }
        },
    );
    keep(location, &values);
    location.served.forget();
}

fn keep(location: &Location, values: &[u64]) {
    location.metrics.iter().zip(values).for_each(|(place, value)| place.store(*value, Relaxed));
}

/// Returns the values of the last event.
fn last<const N: usize>(location: &Location) -> [u64; N] {
    let mut values = [0; N];
    for (value, last) in values.iter_mut().zip(&location.metrics) {
        *value = last.load(Relaxed);
    }
    values
}

/// Reads the metrics of the calling thread in a signal handler. Those that must not be read there
/// have the values of the last event. `may_work`: the handler interrupted only code of the program.
pub(crate) fn read_in_handler(host: &Host, location: &'static Location, may_work: bool) -> [u64; MOST] {
    let mut values = last(location);
    let count = location.metrics.len().min(MOST);
    let is_read = |source: &Metrics| is_in_samples(source) && (source.is_for_handlers || may_work);
    read_sources(host, location, &mut values[..count], is_read, |_, _, _| {});
    // The next sample may be taken before this one is recorded.
    keep(location, &values);
    values
}

/// Returns whether samples have the values of a source.
fn is_in_samples(source: &Metrics) -> bool {
    source.scope == Scope::Strict || source.is_for_handlers
}

/// Makes the values that a handler read those of the next event, a sample; returns the buffer.
pub(crate) fn put(host: &'static Host, location: &'static Location, values: &[u64]) -> *mut u64 {
    if !location.has_metrics || values.len() != location.metrics.len() {
        return core::ptr::null_mut();
    }
    keep(location, values);
    let sources = sets(host).into_iter().flat_map(|sets| &sets.sources);
    let have = sources.flat_map(|source| source.metrics.iter().map(|_| is_in_samples(source)));
    location.is_new.iter().zip(have).for_each(|(is_new, has)| is_new.store(has, Relaxed));
    location.served.forget();
    collect(host, location);
    location.values()
}

fn read_sources(
    host: &Host,
    location: &'static Location,
    mut values: &mut [u64],
    is_read: impl Fn(&Metrics) -> bool,
    note: impl Fn(usize, &Metrics, Missing),
) {
    let mut at = 0;
    for source in sets(host).into_iter().flat_map(|sets| &sets.sources) {
        let Some((own, rest)) = values.split_at_mut_checked(source.metrics.len()) else { return };
        if is_read(source) {
            note(at, source, (source.read)(location, source.scope, own));
        }
        at += source.metrics.len();
        values = rest;
    }
}

/// Returns the set of the strictly synchronous metrics.
pub(crate) fn strict_set(location: &Location) -> Option<u32> {
    let set = sets(host()?)?.strict;
    (set != 0 && !location.metrics.is_empty()).then_some(set)
}

/// Passes each value that the last event of the location has, and its set, to `write`, once for
/// each `writer`.
pub(crate) fn each_synchronous(location: &Location, writer: usize, write: impl Fn(u32, *const u64)) {
    let Some(sets) = host().and_then(sets).filter(|sets| !sets.others.is_empty()) else {
        return;
    };
    if !location.served.is_first(writer) {
        return;
    }
    let values = location.metrics.iter().zip(&location.is_new).skip(sets.count(Scope::Strict));
    for ((value, is_new), &set) in values.zip(&sets.others) {
        if set != 0 && is_new.load(Relaxed) {
            write(set, &raw const *value.as_ptr());
        }
    }
}

/// Passes each value that adapters collected at the last event to `write`, once for each `writer`.
pub(crate) fn each_collected(location: &Location, writer: usize, write: &WriteMetric<'_>) {
    let collectors = host().and_then(sets).into_iter().flat_map(|sets| &sets.collectors);
    collectors.for_each(|adapter| adapter.each_collected(location, writer, write));
}
