//! The interface through which a kind of instrumentation takes part in the measurement of a
//! process.

use crate::locations::Location;
use crate::settings::Settings;

/// The part of a kind of instrumentation in the life cycle of a measurement.
///
/// The functions are called on the thread that begins the measurement. That thread cannot record
/// events meanwhile: `measurement::here` returns `None` there. If `prepare` returns `false`, no
/// other function of the adapter is called.
#[derive(Debug)]
pub struct Adapter {
    /// The name, for messages.
    pub name: &'static str,
    /// Reads the settings and returns whether the adapter takes part. Called before everything
    /// else.
    pub prepare: fn(&Settings) -> bool,
    /// Defines regions and other objects. Plugins are loaded; the main location is not yet active.
    pub define: fn(),
    /// Returns the metrics that the adapter reads at events; none for most adapters.
    pub metrics: fn() -> Vec<Metrics>,
    /// Enables the adapter's events, the first of which begins the measurement. Called after
    /// `prepare` and before plugins are loaded, only if the measurement waits for its first event.
    pub awaited: fn(),
    /// Called when the measurement runs, after `init_mpp`.
    pub begun: fn(),
    /// Called when the measurement ends; no events are recorded any more.
    pub ended: fn(),
}

impl Adapter {
    /// An adapter that does nothing.
    pub const NONE: Self = Self {
        name: "",
        prepare: |_| true,
        define: || {},
        metrics: Vec::new,
        awaited: || {},
        begun: || {},
        ended: || {},
    };
}

/// Values that are read at every enter, leave and sample.
#[derive(Debug)]
pub struct Metrics {
    /// What the values are about.
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

/// What values are about. The values of a location are in this order.
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

/// The definition of a metric.
#[derive(Clone, Debug)]
pub struct MetricDefinition {
    /// The name.
    pub name: String,
    /// The description, possibly empty.
    pub description: String,
    /// The unit.
    pub unit: String,
    /// The source: 0 PAPI, 1 rusage, 2 user, 3 other …
    pub source: u32,
    /// The mode: 0 accumulated from the start … 4 absolute point.
    pub mode: u32,
    /// The type of the values: 0 `i64`, 1 `u64`, 2 `f64`.
    pub value_type: u32,
    /// The base of the factor: 0 two, 1 ten.
    pub base: u32,
    /// The exponent of the factor.
    pub exponent: i64,
    /// How a profile aggregates the metric: 0 exclusive, 1 inclusive, 2 simple, 3 max, 4 min.
    pub profiling: u32,
}
