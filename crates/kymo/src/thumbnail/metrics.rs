//! Samples of metrics: the values of their first members, added up over all locations.
//!
//! How a value changes in an interval depends on the mode of the member: an accumulated value
//! counts by its increase, relative values by their sum, an absolute one by its last value.

use std::collections::HashMap;

use kymo_otf2::enums::{MetricMode, Type};
use kymo_otf2::events::Event;
use kymo_otf2::read::TimedRecord;
use kymo_otf2::value::MetricValue;

use super::sampler::{Definitions, Sampler};
use kymo_analysis::index::Index;

/// The bits of a mode that state how values relate to each other.
const VALUE_BITS: u8 = 0x0F;

/// Sums up values by metric.
#[derive(Debug)]
pub(super) struct Metrics {
    /// The place of the value of a metric, and its mode.
    places: Index<(usize, MetricMode)>,
    /// The value of each metric: of the interval, or, for absolute values, the current one.
    sums: Vec<i128>,
    is_absolute: Vec<bool>,
    /// The last value of each metric on each location that has one.
    last: HashMap<(usize, usize), i128>,
}

impl Metrics {
    pub(super) fn new(definitions: &Definitions, ids: &[u32]) -> Self {
        let mut places = Index::default();
        let mut is_absolute = Vec::with_capacity(ids.len());
        for (&id, place) in ids.iter().zip(0..) {
            let mode = definitions.mode(id);
            places.insert(id.into(), (place, mode));
            is_absolute.push(value_bits(mode) == value_bits(MetricMode::ABSOLUTE_POINT));
        }
        Self { places, sums: vec![0; ids.len()], is_absolute, last: HashMap::new() }
    }
}

fn value_bits(mode: MetricMode) -> u8 {
    mode.0 & VALUE_BITS
}

/// Returns a value without its fraction.
fn whole(value: MetricValue) -> i128 {
    match value.type_ {
        Type::INT64 => (value.bits as i64).into(),
        Type::DOUBLE => f64::from_bits(value.bits) as i128,
        _ => value.bits.into(),
    }
}

impl Sampler for Metrics {
    fn event(&mut self, location: usize, event: &TimedRecord<'_, Event<'_>>) {
        let Event::Metric(metric) = &event.record else { return };
        let Some(&(place, mode)) = self.places.get(metric.metric.0.into()) else { return };
        let Some(value) = metric.metric_values.iter().next().map(whole) else { return };
        let Some(sum) = self.sums.get_mut(place) else { return };
        let is_relative = value_bits(mode) == value_bits(MetricMode::RELATIVE_POINT);
        let before = match is_relative {
            true => 0,
            false => self.last.insert((place, location), value).unwrap_or(0),
        };
        *sum = sum.saturating_add(value.saturating_sub(before));
    }

    fn sample(&mut self, _: u64, values: &mut Vec<u64>) -> u64 {
        for (sum, &is_absolute) in self.sums.iter_mut().zip(&self.is_absolute) {
            values.push(u64::try_from((*sum).max(0)).unwrap_or(u64::MAX));
            if !is_absolute {
                *sum = 0;
            }
        }
        // The values of different metrics do not add up to anything.
        0
    }
}
