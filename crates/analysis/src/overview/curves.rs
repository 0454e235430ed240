//! Metrics as curves: a value for each slice of time.

use super::shape::Shape;
use crate::profile::{Counting, Quantity, counting};
use crate::trace::Trace;
use kymo_otf2::events::Metric;
use kymo_otf2::references::MetricMemberRef;
use std::collections::BTreeMap;

/// The values of a location by metric.
pub type Curves = BTreeMap<MetricMemberRef, Curve>;

/// The values of a metric in the slices of time: the mean of absolute ones, which lasts until the
/// next value, or the rate of counting per second. Not a number before the first value.
pub type Curve = Vec<f64>;

/// The values of a metric that are being collected.
#[derive(Debug)]
struct Collected {
    counting: Counting,
    last: Option<f64>,
    /// Sums and numbers of values by slice.
    slices: Vec<(f64, u64)>,
}

/// Collects the values of a location.
#[derive(Debug, Default)]
pub(super) struct Collecting(BTreeMap<MetricMemberRef, Collected>);

impl Collecting {
    /// Adds the values of an event.
    pub(super) fn add(&mut self, trace: &Trace, shape: &Shape, time: u64, event: &Metric<'_>) {
        let slice = shape.slice(time);
        let members = trace.metric_members(event.metric);
        for (member, value) in members.iter().zip(event.metric_values.iter()) {
            let Some(metric) = trace.metric(*member) else { continue };
            let collected = self.0.entry(*member).or_insert_with(|| Collected {
                counting: counting(metric),
                last: None,
                slices: vec![(0.0, 0); shape.slices],
            });
            collected.add(slice, Quantity::of(value).number(metric));
        }
    }

    /// Returns the curves.
    pub(super) fn into_curves(self, shape: &Shape) -> Curves {
        let seconds = shape.slice_width() as f64 / 1e9;
        self.0.into_iter().map(|(member, collected)| (member, collected.into_curve(seconds))).collect()
    }
}

impl Collected {
    fn add(&mut self, slice: usize, value: f64) {
        let last = self.last.replace(value);
        let (sum, number) = &mut self.slices[slice];
        *number += 1;
        *sum += match self.counting {
            Counting::Accumulated => value - last.unwrap_or(value),
            _ => value,
        };
    }

    fn into_curve(self, seconds: f64) -> Curve {
        let mut last = f64::NAN;
        let counting = self.counting;
        let value = |(sum, number): (f64, u64)| {
            last = match counting {
                Counting::Absolute if number > 0 => sum / number as f64,
                Counting::Absolute => last,
                _ if number == 0 && last.is_nan() => last,
                _ => sum / seconds,
            };
            last
        };
        self.slices.into_iter().map(value).collect()
    }
}
