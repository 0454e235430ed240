//! The properties of a metric to be defined.

use kymo_substrate::bindings::*;

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

impl MetricDefinition {
    /// A metric whose values the program gives, each at a point in time.
    pub(crate) fn of_program(name: String, unit: String, value_type: u32) -> Self {
        Self {
            name,
            description: String::new(),
            unit,
            source: SCOREP_METRIC_SOURCE_TYPE_USER,
            mode: SCOREP_METRIC_MODE_ABSOLUTE_POINT,
            value_type,
            base: SCOREP_METRIC_BASE_DECIMAL,
            exponent: 0,
            profiling: SCOREP_METRIC_PROFILING_TYPE_EXCLUSIVE,
        }
    }

    /// Bytes of memory that are held from one value to the next.
    pub(crate) fn held_memory(name: String, description: String) -> Self {
        Self {
            name,
            description,
            unit: "bytes".to_owned(),
            source: SCOREP_METRIC_SOURCE_TYPE_OTHER,
            mode: SCOREP_METRIC_MODE_ABSOLUTE_NEXT,
            value_type: SCOREP_METRIC_VALUE_UINT64,
            base: SCOREP_METRIC_BASE_DECIMAL,
            exponent: 0,
            profiling: SCOREP_METRIC_PROFILING_TYPE_MAX,
        }
    }
}
