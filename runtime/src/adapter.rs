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
    /// Returns the metrics that the adapter reads at every enter and leave; `None` for most
    /// adapters. The values of all adapters follow each other, in the order of the adapters.
    pub metrics: fn() -> Option<StrictMetrics>,
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
        metrics: || None,
        awaited: || {},
        begun: || {},
        ended: || {},
    };
}

/// Values that are read at every enter, leave and sample of every CPU location.
#[derive(Debug)]
pub struct StrictMetrics {
    /// The metrics, in the order of the values.
    pub metrics: Vec<MetricDefinition>,
    /// Reads all values for the calling thread, whose location this is.
    pub(crate) read: fn(&'static Location, &mut [u64]),
    /// Signal handlers may read the values. Otherwise samples have those of the last event.
    pub(crate) is_for_handlers: bool,
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
