//! What a kind of instrumentation adds to the measurement of a process.

use crate::settings::Settings;

/// Its part in the life cycle. Functions are called on the thread that begins the measurement, which cannot record
/// events meanwhile: `measurement::here` gives nothing there. One that does not take part is called no more.
#[derive(Debug)]
pub struct Adapter {
    /// Name, for messages.
    pub name: &'static str,
    /// Before everything else: reads settings, and decides whether it takes part.
    pub prepare: fn(&Settings) -> bool,
    /// Defines regions and the like; plugins exist, the main location does not yet act.
    pub define: fn(),
    /// The metrics that it reads at every enter and leave; none for most.
    pub metrics: fn() -> Option<StrictMetrics>,
    /// The measurement begins with the first event: has those of this adapter begin it. Called after `prepare`, before there are plugins.
    pub awaited: fn(),
    /// The measurement runs: `init_mpp` is over.
    pub begun: fn(),
    /// The measurement ends; no events are recorded any more.
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

/// Values that are read at every enter and leave of every CPU location.
#[derive(Debug)]
pub struct StrictMetrics {
    /// What they are, in the order of the values.
    pub metrics: Vec<MetricDefinition>,
    /// Reads all of them for the calling thread.
    pub read: fn(&mut [u64]),
}

/// A metric.
#[derive(Clone, Debug)]
pub struct MetricDefinition {
    /// Name.
    pub name: String,
    /// Description, possibly empty.
    pub description: String,
    /// Unit.
    pub unit: String,
    /// Source: 0 PAPI, 1 rusage, 2 user, 3 other …
    pub source: u32,
    /// Mode: 0 accumulated from the start … 4 absolute point.
    pub mode: u32,
    /// Type of the values: 0 `i64`, 1 `u64`, 2 `f64`.
    pub value_type: u32,
    /// Base of the factor: 0 two, 1 ten.
    pub base: u32,
    /// Exponent of the factor.
    pub exponent: i64,
    /// How a profile sums it up: 0 exclusive, 1 inclusive, 2 simple, 3 max, 4 min.
    pub profiling: u32,
}
