//! Metric plugins of Score-P (`SCOREP_METRIC_PLUGINS`): libraries `libNAME.so` that measure the
//! metrics in `SCOREP_METRIC_NAME`.
//!
//! [`interface`] declares the interface as C sees it, [`plugin`] loads a plugin, [`asynchronous`]
//! collects values that have times of their own. Invariants: plugins are loaded when the
//! measurement begins, and each child of `fork` loads copies; they are called only while the thread
//! is inside the runtime, so that nothing they do is recorded; and never in a signal handler that
//! interrupted a library.

mod asynchronous;
mod interface;
mod plugin;

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering::*};

use self::asynchronous::Collected;
use self::interface::{
    ASYNCHRONOUS_AT_EVENTS, BEGIN, BEGIN_MPP, END, GetCurrentValue, GetOptionalValue, STRICTLY_SYNCHRONOUS,
    SYNCHRONOUS,
};
use self::plugin::Plugin;
use crate::adapter::{Metrics, Missing, Scope, WriteMetric};
use crate::host::{Host, generation, host};
use crate::locations::Location;
use crate::message::report;
use crate::settings::{METRIC_PLUGINS, Settings};
use crate::{job, processes, program};

/// As many as Score-P allows.
const MOST: usize = 20;
/// The maximum number of metrics that are read at events, for each scope.
const MOST_METRICS: usize = 20;

/// The loaded plugins; null before.
static PLUGINS: AtomicPtr<Vec<Plugin>> = AtomicPtr::new(ptr::null_mut());
/// The plugins were told to begin.
static HAS_BEGUN: AtomicBool = AtomicBool::new(false);
/// Events do not call plugins any more.
static IS_STOPPED: AtomicBool = AtomicBool::new(false);

fn plugins() -> &'static [Plugin] {
    // SAFETY: null, or a list that is never freed.
    unsafe { PLUGINS.load(Acquire).as_ref::<'static>() }.map_or(&[], Vec::as_slice)
}

/// Returns whether the settings ask for plugins.
pub(super) fn prepare(settings: &Settings) -> bool {
    !settings.metric_plugins.is_empty()
}

/// Loads the plugins.
pub(super) fn load() {
    let Some(host) = host() else { return };
    asynchronous::begin(host);
    let wanted = host.settings.metric_plugins.iter().take(MOST);
    let load = |(name, metrics): &(String, Vec<String>)| {
        let plugin = Plugin::load(name, metrics, generation() > 0);
        plugin.map_err(|why| report(format_args!("the metric plugin `{name}` is not used: {why}"))).ok()
    };
    let mut plugins: Vec<Plugin> = wanted.filter_map(load).collect();
    limit(&mut plugins);
    PLUGINS.store(Box::into_raw(Box::new(plugins)), Release);
}

/// Leaves out the metrics of which there are too many.
fn limit(plugins: &mut [Plugin]) {
    for scope in SCOPES {
        let mut count = 0;
        let of_scope = plugins.iter_mut().filter(|plugin| plugin.scope == scope && !plugin.is_asynchronous());
        for plugin in of_scope {
            count += plugin.metrics.len();
            let excess = count.saturating_sub(MOST_METRICS);
            if excess > 0 {
                plugin.metrics.truncate(plugin.metrics.len().saturating_sub(excess));
                count = MOST_METRICS;
                let name = &plugin.name;
                report(format_args!(
                    "{METRIC_PLUGINS}: more than {MOST_METRICS} metrics of a kind; \
                         {excess} of `{name}` are left out"
                ));
            }
        }
    }
}

/// The scopes of metrics that are read at events.
const SCOPES: [Scope; 5] = [Scope::Strict, Scope::Thread, Scope::Process, Scope::Host, Scope::Job];

/// Returns whether threads of this process measure a scope. A machine, and a job, are measured by
/// the first process or, if a launcher started processes with ranks, by the lowest rank.
fn is_responsible(scope: Scope) -> bool {
    let rank = program::launch_rank();
    match scope {
        Scope::Strict | Scope::Thread | Scope::Process => true,
        _ if generation() > 0 => false,
        Scope::Host => program::local_rank().or(rank).map_or_else(processes::is_first, |rank| rank == 0),
        Scope::Job => rank.map_or_else(processes::is_first, |rank| rank == 0),
    }
}

/// Returns the synchronous metrics.
pub(super) fn metrics() -> Vec<Metrics> {
    let of_scope = |scope: Scope| {
        let plugins = plugins().iter().filter(|plugin| plugin.scope == scope && !plugin.is_asynchronous());
        let metrics = plugins.flat_map(|plugin| &plugin.metrics).map(|metric| metric.definition.clone());
        let read = if scope == Scope::Strict { read_strict } else { read_optional };
        Metrics { scope, metrics: metrics.collect(), read, is_for_handlers: false }
    };
    SCOPES.into_iter().filter(|&scope| is_responsible(scope)).map(of_scope).collect()
}

/// Returns whether there are plugins.
pub(super) fn has_plugins() -> bool {
    !plugins().is_empty()
}

/// Lets events call plugins no more. A thread that is inside the runtime may still do so.
pub(super) fn stop() {
    IS_STOPPED.store(true, SeqCst);
}

fn is_stopped() -> bool {
    IS_STOPPED.load(Relaxed)
}

/// Returns whether any plugin has values that are collected at events.
pub(super) fn are_asynchronous() -> bool {
    plugins().iter().any(Plugin::is_asynchronous)
}

/// The metrics that the plugins measure for a thread.
#[derive(Debug, Default)]
pub(super) struct PluginCounters {
    strict: Vec<Strict>,
    optional: Vec<Optional>,
    collected: Collected,
}

/// A metric that always has a value, if the plugin could add it.
#[derive(Debug)]
struct Strict {
    get: GetCurrentValue,
    id: Option<i32>,
}

/// A metric that may have a value.
#[derive(Debug)]
struct Optional {
    get: GetOptionalValue,
    id: Option<i32>,
    scope: Scope,
    delta: u64,
    /// The time of the last call.
    last: AtomicU64,
}

impl PluginCounters {
    /// Begins to measure for the calling thread.
    pub(super) fn open(host: &Host, location: &'static Location) -> Self {
        let mut counters = Self::default();
        for plugin in plugins().iter().filter(|_| !is_stopped()) {
            let is_own = location.parent.is_none() || plugin.scope <= Scope::Thread;
            if is_own && is_responsible(plugin.scope) {
                counters.add(host, location, plugin);
            }
        }
        counters
    }

    fn add(&mut self, host: &Host, location: &'static Location, plugin: &Plugin) {
        let info = &plugin.info;
        for metric in &plugin.metrics {
            let id = plugin.add(metric);
            match (info.synchronicity, info.get_current_value, info.get_optional_value) {
                (STRICTLY_SYNCHRONOUS, Some(get), _) => self.strict.push(Strict { get, id }),
                (SYNCHRONOUS, _, Some(get)) => self.optional.push(Optional {
                    get,
                    id,
                    scope: plugin.scope,
                    delta: info.delta,
                    last: AtomicU64::new(0),
                }),
                _ => {
                    if let Some(id) = id {
                        let is_at_events = info.synchronicity == ASYNCHRONOUS_AT_EVENTS;
                        self.collected.add(host, location, plugin, metric, id, is_at_events);
                    }
                }
            }
        }
    }

    /// Collects the values that were measured up to an event.
    #[inline]
    pub(super) fn collect(&self, host: &Host) {
        if !is_stopped() {
            self.collected.at_event(host);
        }
    }

    /// Passes each collected value to `write`, once for each `writer`.
    pub(super) fn each(&self, writer: usize, write: &WriteMetric<'_>) {
        if !is_stopped() {
            self.collected.each(writer, write);
        }
    }
}

fn read_strict(location: &'static Location, _: Scope, values: &mut [u64]) -> Missing {
    let counters = location.counters().filter(|_| !is_stopped());
    let strict = counters.into_iter().flat_map(|counters| &counters.plugins.strict);
    for (value, strict) in values.iter_mut().zip(strict) {
        if let Some(id) = strict.id {
            // SAFETY: a function of the plugin, with a number that it gave, on the same thread.
            *value = unsafe { (strict.get)(id) };
        }
    }
    0
}

fn read_optional(location: &'static Location, scope: Scope, values: &mut [u64]) -> Missing {
    let counters = location.counters().filter(|_| !is_stopped());
    let Some((counters, host)) = counters.zip(host()) else { return Missing::MAX };
    let optional = counters.plugins.optional.iter().filter(|optional| optional.scope == scope);
    let now = host.clock.now();
    let mut missing = 0;
    for (n, (value, optional)) in values.iter_mut().zip(optional).enumerate() {
        missing |= Missing::from(!optional.read(now, value)) << n;
    }
    missing
}

impl Optional {
    /// Returns whether there is a value.
    fn read(&self, now: u64, value: &mut u64) -> bool {
        let Some(id) = self.id else { return false };
        if !is_due(&self.last, now, self.delta) {
            return false;
        }
        // SAFETY: a function of the plugin, with a number that it gave, on the same thread.
        unsafe { (self.get)(id, value) }
    }
}

/// Returns whether the shortest time since the last call is over, which was at time 0 if there was
/// none, and notes this call.
fn is_due(last: &AtomicU64, now: u64, delta: u64) -> bool {
    let before = last.load(Relaxed);
    let is_due = before == 0 || now.saturating_sub(before) > delta;
    if is_due {
        last.store(now, Relaxed);
    }
    is_due
}

/// Tells the plugins that the processes of the job are known, and to begin.
pub(super) fn begin() {
    if !plugins().is_empty() && !HAS_BEGUN.swap(true, Relaxed) {
        synchronize(if job::is_there() { BEGIN_MPP } else { BEGIN });
    }
}

/// Tells the plugins that the measurement ends, and records the values that they collected for
/// these threads.
pub(super) fn end<'a>(host: &Host, counters: impl Iterator<Item = &'a PluginCounters>) {
    if plugins().is_empty() {
        return;
    }
    // A program of MPI that has not initialised it.
    begin();
    synchronize(END);
    counters.for_each(|counters| counters.collected.at_end(host));
    asynchronous::report_lost();
}

fn synchronize(point: u32) {
    for plugin in plugins().iter().filter(|plugin| plugin.info.version > 0) {
        if let Some(synchronize) = plugin.info.synchronize {
            // SAFETY: a function of the plugin, called at the point that the interface specifies.
            unsafe { synchronize(is_responsible(plugin.scope), point) };
        }
    }
}

/// Ends the plugins. They stay loaded, since their threads may still run.
pub(super) fn finalize() {
    for finalize in plugins().iter().filter_map(|plugin| plugin.info.finalize) {
        // SAFETY: as above; nothing else of the plugin is called after this.
        unsafe { finalize() };
    }
    PLUGINS.store(ptr::null_mut(), Release);
}

/// Forgets the plugins, in a forked child, which loads copies.
pub(super) fn forget() {
    PLUGINS.store(ptr::null_mut(), Release);
    HAS_BEGUN.store(false, Relaxed);
    IS_STOPPED.store(false, Relaxed);
}
