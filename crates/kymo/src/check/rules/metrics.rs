//! Metric events: as many values as the class has metrics, of their types, recorded by the
//! locations that the class lists.

use kymo_otf2::events::{Event, Metric};

use super::{CheckedEvent, EventRule};
use crate::check::definitions::DefinitionIndex;
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;

pub(super) struct Metrics<'a> {
    definitions: &'a DefinitionIndex<'a>,
}

impl<'a> Metrics<'a> {
    pub(super) fn new(definitions: &'a DefinitionIndex<'a>) -> Self {
        Metrics { definitions }
    }

    fn check(&self, event: &Metric<'_>, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        let Some(metric) = self.definitions.metrics.get(&event.metric.0) else { return };
        let id = event.metric.0;
        let (has, expected) = (event.metric_values.len(), metric.types.len());
        if has != expected {
            findings.find(
                FindingKind::MetricCount,
                here.spot,
                format_args!("{has} values for metric class {id}, which has {expected} metrics"),
            );
        }
        let pairs = event.metric_values.iter().zip(&metric.types).zip(0..);
        for ((value, &expected), index) in pairs.filter(|((value, expected), _)| value.type_ != **expected) {
            findings.find(
                FindingKind::MetricType,
                here.spot,
                format_args!("value {index} of metric class {id} is {}, expected {expected}", value.type_),
            );
        }
        if !metric.recorders.is_empty() && !metric.recorders.contains(&here.spot.location) {
            findings.find(
                FindingKind::MetricRecorder,
                here.spot,
                format_args!("location {} is not a recorder of metric class {id}", here.spot.location),
            );
        }
    }
}

impl EventRule for Metrics<'_> {
    fn event(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        if let Event::Metric(event) = &here.event {
            self.check(event, here, findings);
        }
    }
}
