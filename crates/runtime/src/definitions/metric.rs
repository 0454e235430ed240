//! The properties of a metric to be defined.

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
