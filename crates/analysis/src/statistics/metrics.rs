//! The values of metrics.

use crate::profile::{Counting, Quantity, counting};
use crate::trace::{MetricMember, Trace};
use kymo_otf2::events::Event;
use kymo_otf2::references::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The values of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Values {
    /// The metric.
    pub metric: MetricMemberRef,
    /// The number of values.
    pub values: u64,
    /// The lowest value, and a location that recorded it.
    pub lowest: (Quantity, LocationRef),
    /// The highest value, and a location that recorded it.
    pub highest: (Quantity, LocationRef),
    /// The count: the sum of the last values of accumulated metrics, or of all values of
    /// relative ones; `None` for absolute ones.
    pub count: Option<Quantity>,
}

/// The values that a location has recorded.
#[derive(Debug)]
pub(super) struct Metrics<'t> {
    trace: &'t Trace,
    location: LocationRef,
    values: BTreeMap<MetricMemberRef, (Counting, Values)>,
}

impl<'t> Metrics<'t> {
    pub(super) fn new(trace: &'t Trace, location: LocationRef) -> Self {
        Self { trace, location, values: BTreeMap::new() }
    }

    pub(super) fn event(&mut self, event: &Event<'_>) {
        let Event::Metric(event) = event else { return };
        let members = self.trace.metric_members(event.metric);
        for (member, value) in members.iter().zip(event.metric_values.iter()) {
            self.value(*member, Quantity::of(value));
        }
    }

    fn value(&mut self, metric: MetricMemberRef, value: Quantity) {
        let here = (value, self.location);
        let trace = self.trace;
        let (counting, values) = self.values.entry(metric).or_insert_with(|| {
            let counting = trace.metric(metric).map_or(Counting::Absolute, counting);
            let count = (counting != Counting::Absolute).then(Quantity::default);
            (counting, Values { metric, values: 0, lowest: here, highest: here, count })
        });
        values.values += 1;
        values.lowest = values.lowest.min(here);
        if value > values.highest.0 {
            values.highest = here;
        }
        match (counting, &mut values.count) {
            (Counting::Relative, Some(count)) => *count += value,
            (Counting::Accumulated, Some(count)) => *count = value,
            _ => {}
        }
    }

    /// Returns the values of all metrics.
    pub(super) fn into_values(self) -> impl Iterator<Item = Values> {
        self.values.into_values().map(|(_, values)| values)
    }
}

impl Values {
    /// Adds the values of another location.
    pub(crate) fn add(&mut self, other: &Self) {
        self.values += other.values;
        self.lowest = self.lowest.min(other.lowest);
        let is_first = other.highest.1 < self.highest.1;
        if other.highest.0 > self.highest.0 || (other.highest.0 == self.highest.0 && is_first) {
            self.highest = other.highest;
        }
        if let (Some(count), Some(other)) = (&mut self.count, other.count) {
            *count += other;
        }
    }

    /// Returns whether the values are amounts of memory by their unit.
    pub fn is_memory(trace: &Trace, metric: &MetricMember) -> bool {
        matches!(trace.string(metric.unit), Some("B" | "bytes" | "byte" | "Bytes"))
    }
}
