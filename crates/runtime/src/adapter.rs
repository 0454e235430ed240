//! The interface through which a kind of instrumentation takes part in the measurement of a
//! process.

use core::fmt::Debug;
use std::sync::OnceLock;

pub use crate::definitions::metric::MetricDefinition;

use crate::host::Host;
use crate::job::interface::Job;
use crate::locations::Location;
use crate::measurement::handles::{Caller, Region};
use crate::settings::Settings;
use crate::slots::Key;

/// A kind of instrumentation.
///
/// A function that an adapter does not need does nothing. If [`prepare`](Self::prepare) returns
/// `false`, the adapter does not take part in the measurement: of the functions below, only those
/// that say so are called.
///
/// Unless a function says otherwise, it runs on the thread that begins or ends the measurement.
/// That thread cannot record events meanwhile: `measurement::here` returns `None` there.
pub(crate) trait Adapter: Debug + Sync {
    /// Returns the name, for settings and messages.
    fn name(&self) -> &'static str;

    // The measurement, in the order of the calls.

    /// The runtime was loaded into a program, which is recorded or not. Called of all adapters,
    /// before the program's own code runs.
    fn loaded(&self, _is_recorded: bool) {}

    /// Reads the settings and returns whether the adapter takes part. Called of all adapters,
    /// before everything else.
    fn prepare(&self, _settings: &Settings) -> bool {
        true
    }

    /// Enables the adapter's events, the first of which begins the measurement. Called after
    /// `prepare` and before plugins are loaded, only if the measurement waits for its first event.
    fn awaited(&self) {}

    /// Returns the time of the first event that waits to be recorded, in ticks. Called of all
    /// adapters.
    fn first_time(&self) -> Option<u64> {
        None
    }

    /// Returns whether the process must not load libraries any more. Called of all adapters.
    fn is_loader_broken(&self) -> bool {
        false
    }

    /// Defines regions and other objects. Plugins are loaded; the main location is not yet active.
    fn define(&self) {}

    /// Returns the metrics that the adapter reads at events; none for most adapters.
    fn metrics(&self) -> Vec<Metrics> {
        Vec::new()
    }

    /// Returns whether [`collect_metrics`](Self::collect_metrics) is to be called at events.
    fn has_collected_metrics(&self) -> bool {
        false
    }

    /// Returns whether the process may become one of several, about which
    /// [`life::join`](crate::life::join) will be told.
    fn may_join(&self) -> bool {
        false
    }

    /// The processes of the job are known, and the plugins know them.
    fn joined(&self) {}

    /// The measurement runs.
    fn begun(&self) {}

    /// The measurement ends. No thread of these locations records any more.
    fn ending(&self, _host: &'static Host, _quiet: &[&'static Location]) {}

    /// Returns names and values of properties of the process.
    fn properties(&self, _host: &Host) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Completes definitions, together with the other processes of the job.
    fn unify(&self, _host: &Host) {}

    /// The measurement has ended, or did not begin. Called of all adapters in the latter case.
    fn ended(&self) {}

    /// The loader is about to end the libraries of the program, while the measurement continues.
    fn libraries_end(&self) {}

    // The job. Called of all adapters.

    /// Returns the processes that run together with this one, if there are others.
    fn job(&self) -> Option<&'static dyn Job> {
        None
    }

    /// Returns whether this process takes part in a job, even if it is the only one there.
    fn is_in_job(&self) -> bool {
        false
    }

    /// Returns whether other processes of the job may be gone, so that nothing can be done together
    /// with them.
    fn is_job_broken(&self) -> bool {
        false
    }

    /// Returns the name of this process in the archive.
    fn process_name(&self) -> Option<String> {
        None
    }

    // Threads, on the thread itself.

    /// The thread has got its location, which is not active yet.
    fn location_created(&self, _host: &'static Host, _location: &'static Location) {}

    /// The thread has a location, which is active.
    fn thread_begun(&self, _location: &'static Location) {}

    /// The thread takes over a location that several threads share. Called before the location is
    /// the thread's.
    fn location_taken(&self, _host: &'static Host, _location: &'static Location) {}

    /// A location that several threads share has none any more.
    fn location_abandoned(&self, _host: &'static Host, _location: &'static Location) {}

    /// The thread is about to end, before its last events.
    fn thread_ending(&self) {}

    /// Closes the open calls and constructs of a location that records no more, before its regions
    /// are left.
    fn close(&self, _host: &'static Host, _location: &'static Location, _now: u64) {}

    /// Records the last events of a location, after its regions were left.
    fn location_ended(&self, _host: &Host, _location: &Location) {}

    /// Returns the name that the program gave the thread of a location through an interface of the
    /// adapter.
    fn thread_name(&self, _location: &Location) -> Option<String> {
        None
    }

    /// The thread has ended.
    fn thread_ended(&self) {}

    /// A thread that only ever shares locations has ended. Called of all adapters.
    fn pooled_thread_ended(&self) {}

    // Events, on the thread of the location, which is inside the runtime.

    /// Records the events that wait on a location whose `has_pending` was set. The program may be
    /// in a function of its allocator.
    fn record_pending(&self, _host: &'static Host, _location: &'static Location) {}

    /// A sample is about to be taken, in a handler. Returns the last time that it may have, for
    /// events of the adapter that follow it. If it `must_wait` to be recorded, nothing may be
    /// recorded now.
    fn sampling(
        &self,
        _host: &'static Host,
        _location: &'static Location,
        now: u64,
        _must_wait: bool,
    ) -> u64 {
        now
    }

    /// Returns the function that enters regions with their calling contexts. At most one adapter
    /// has one.
    fn context_entry(&self) -> Option<EnterContext> {
        None
    }

    /// Returns the region of a function of the program. If it has not been defined, `may_define`
    /// allows to do so.
    fn region_of(&self, _function: usize, _may_define: bool) -> Option<Region> {
        None
    }

    /// Collects values that were measured up to an event.
    fn collect_metrics(&self, _host: &Host, _location: &Location) {}

    /// Passes each value that was collected at the last event to `write`, once for each `writer`.
    fn each_collected(&self, _location: &Location, _writer: usize, _write: &WriteMetric<'_>) {}

    // The process. Called of all adapters.

    /// Takes the locks of the adapter, on a thread that forks.
    fn hold(&self) {}

    /// Returns the level of these locks: one of a higher level is taken while those of lower levels
    /// are held.
    fn lock_level(&self) -> u8 {
        0
    }

    /// Releases the locks after the fork, in both processes.
    fn release(&self) {}

    /// Forgets the state of the parent, in a forked child.
    fn forget(&self) {}

    /// A forked child begins; `is_awaited` if it may be measured.
    fn child_begun(&self, _is_awaited: bool) {}

    /// Returns whether the adapter has begun in a process whose measurement has not.
    fn is_awaiting(&self) -> bool {
        false
    }

    /// The process is about to become another program.
    fn executing(&self) {}

    /// A library is about to be unloaded.
    fn unloading(&self) {}

    /// Follows [`unloading`](Self::unloading). If it `is_gone`, other functions may be at its
    /// addresses.
    fn unloaded(&self, _is_gone: bool) {}
}

static ALL: OnceLock<&[&dyn Adapter]> = OnceLock::new();

/// Makes the adapters known, in the order in which they create their definitions. Called when the
/// runtime is loaded.
pub(crate) fn register(adapters: &'static [&'static dyn Adapter]) {
    ALL.get_or_init(|| adapters);
}

/// Returns all adapters; none before the runtime is loaded.
pub(crate) fn all() -> &'static [&'static dyn Adapter] {
    ALL.get().copied().unwrap_or_default()
}

/// The adapters of a measurement.
struct ChosenAdapters {
    adapters: Vec<&'static dyn Adapter>,
    context_entry: Option<EnterContext>,
}

static CHOSEN: Key<ChosenAdapters> = Key::new();

/// Makes these the adapters that take part in a measurement.
pub(crate) fn choose(host: &Host, adapters: Vec<&'static dyn Adapter>) {
    let context_entry = adapters.iter().find_map(|adapter| adapter.context_entry());
    host.slots.set(&CHOSEN, Some(Box::leak(Box::new(ChosenAdapters { adapters, context_entry }))));
}

/// Returns the adapters that take part in a measurement.
pub(crate) fn of(host: &Host) -> &'static [&'static dyn Adapter] {
    host.slots.get(&CHOSEN).map_or(&[], |chosen| &chosen.adapters)
}

/// Returns the function that enters regions with their calling contexts, if an adapter has one.
pub(crate) fn context_entry(host: &Host) -> Option<EnterContext> {
    host.slots.get(&CHOSEN)?.context_entry
}

/// Enters a region, which is the innermost one of the location already, with its calling context.
/// Returns `false`, and records nothing, if the context is not known.
pub(crate) type EnterContext = fn(&'static Host, &'static Location, Region, u64, Caller) -> bool;

/// Receives a location, a time, a sampling set and a value.
pub(crate) type WriteMetric<'a> = dyn Fn(&Location, u64, u32, *const u64) + 'a;

/// Values that are read at every enter, leave and sample.
#[derive(Debug)]
pub struct Metrics {
    /// The scope of the values.
    pub(crate) scope: Scope,
    /// The metrics, in the order of the values.
    pub metrics: Vec<MetricDefinition>,
    /// Reads all values of this scope for the calling thread, whose location this is. Returns which
    /// are missing at this event: bit n is set for value n.
    pub(crate) read: fn(&'static Location, Scope, &mut [u64]) -> Missing,
    /// Signal handlers may read the values, whatever they interrupted.
    pub(crate) is_for_handlers: bool,
}

/// The values that an event lacks, one bit each. Strictly synchronous metrics lack none: a value
/// that cannot be read stays as it was.
pub(crate) type Missing = u64;

/// The scope of values. The values of a location are in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// Each thread, in one set with those of all adapters, at all its events: strictly synchronous.
    Strict,
    /// Each thread, where there is a value.
    Thread,
    /// The process. The first thread records it.
    Process,
    /// The machine that the process runs on. The first thread of one process records it.
    Host,
    /// The whole job. The first thread of one process records it.
    Job,
}
