//! User counters (events 41 to 43), post-mortem metrics (62), and the metric values that the host
//! has at an event.
//!
//! A synchronous metric record immediately precedes the record of its event and has the same time.
//! Asynchronous values belong to other locations and are recorded first
//! (docs/spec/scorep-to-otf2.md, §3).

use kymo_otf2::{enums::Type, events::Metric, list::List, value::MetricValue};
use kymo_substrate::{Location, Metrics, SamplingSetHandle, Timestamp};

use crate::{definitions::SamplingSet, events::Sink, host};

/// Callbacks of counters: the name of each and the type of its value.
macro_rules! counters {
    ($($name:ident: $value:ty),* $(,)?) => {
        impl Sink {
            $(pub(super) fn $name(&self, at: Location, time: Timestamp, counter: SamplingSetHandle, value: $value) {
                self.record_counter(at, time, counter, value.into());
            })*
        }
    };
}

counters! {
    trigger_counter_int64: i64,
    trigger_counter_uint64: u64,
    trigger_counter_double: f64,
}

impl Sink {
    fn record_counter(&self, at: Location, time: Timestamp, counter: SamplingSetHandle, value: MetricValue) {
        let Some(set) = self.definitions.sampling_set(counter) else {
            return self.recorder.count_untracked();
        };
        set.recorded_by(at);
        self.record(at, time, &Metric { metric: set.id(), metric_values: List::truncated(&[value]) });
    }

    pub(super) fn write_post_mortem_metrics(
        &self,
        at: Location,
        time: Timestamp,
        set: SamplingSetHandle,
        values: &[u64],
    ) {
        self.record_set(at, time, set, values);
    }

    /// Records all metrics that the host has for an event of `at`. Must be called before the event
    /// itself is recorded.
    pub(super) fn record_metrics(&self, at: Location, time: Timestamp, metrics: Metrics) {
        if metrics.is_none() {
            return;
        }
        self.record_asynchronous_metrics(at, time, metrics);
        let host = host();
        let mut write = |at: Location, time: Timestamp, set: SamplingSetHandle, values: &[u64]| {
            self.record_set(at, time, set, values)
        };
        let without_location = host.write_strictly_synchronous_metrics(at, time, &mut write)
            + host.write_synchronous_metrics(at, time, &mut write);
        for _ in 0..without_location {
            self.recorder.count_untracked();
        }
    }

    pub(super) fn record_asynchronous_metrics(&self, at: Location, _time: Timestamp, metrics: Metrics) {
        if !metrics.is_none() {
            let without_location = host().write_asynchronous_metrics(at, &mut |at, time, set, values| {
                self.record_set(at, time, set, values)
            });
            for _ in 0..without_location {
                self.recorder.count_untracked();
            }
        }
    }

    /// Records the values of a sampling set, each as its metric's value type. An empty set is not
    /// recorded but counted as lost.
    fn record_set(&self, at: Location, time: Timestamp, set: SamplingSetHandle, values: &[u64]) {
        let Some(set) = self.definitions.sampling_set(set) else { return self.recorder.count_untracked() };
        set.recorded_by(at);
        match values.len() {
            0 => self.recorder.count_untracked(),
            1..=FEW_METRICS => self.record_typed::<FEW_METRICS>(at, time, set, values),
            _ => self.record_typed::<{ SamplingSet::MOST_METRICS }>(at, time, set, values),
        }
    }

    /// Records at most `N` values, whose types are added on the stack.
    fn record_typed<const N: usize>(&self, at: Location, time: Timestamp, set: &SamplingSet, values: &[u64]) {
        let mut typed = [MetricValue { type_: Type::UINT64, bits: 0 }; N];
        let types = set.value_types();
        for ((slot, &bits), &type_) in typed.iter_mut().zip(values).zip(types) {
            *slot = MetricValue { type_, bits };
        }
        let metric_values = List::truncated(&typed[..values.len().min(types.len()).min(N)]);
        self.record(at, time, &Metric { metric: set.id(), metric_values });
    }
}

/// The number of metrics that most sampling sets do not exceed.
const FEW_METRICS: usize = 8;
