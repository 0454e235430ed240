//! Metrics, sampling sets and their recorders.

use kymo_otf2::{
    definitions::{MetricClass, MetricClassRecorder, MetricInstance, MetricMember},
    enums::MetricScope,
    list::List,
    references::{MetricMemberRef, MetricRef},
};
use kymo_substrate::{
    MetricHandle, SamplingSetHandle, SamplingSetRecorderHandle,
    arena::{Scope, ScopedSamplingSet},
};

use super::Known;
use crate::mapping;

impl Known<'_> {
    fn metric(&self, set: SamplingSetHandle) -> MetricRef {
        MetricRef(self.id(set.raw()))
    }

    pub(super) fn define_metric(&mut self, handle: MetricHandle) -> Option<()> {
        let facts = self.arena.metric(handle)?;
        let record = MetricMember {
            id: MetricMemberRef(self.id(handle.raw())),
            name: self.string(facts.name),
            description: self.string(facts.description),
            metric_type: mapping::metric_type(facts.source_type),
            metric_mode: mapping::metric_mode(facts.mode),
            value_type: mapping::metric_value_type(facts.value_type),
            base: mapping::metric_base(facts.base),
            exponent: facts.exponent,
            unit: self.string(facts.unit),
        };
        self.log.define(&record);
        Some(())
    }

    pub(super) fn define_sampling_set(&mut self, handle: SamplingSetHandle) -> Option<()> {
        if let Some(facts) = self.arena.scoped_sampling_set(handle) {
            return self.define_instance(handle, &facts);
        }
        let facts = self.arena.sampling_set(handle)?;
        let metrics = self.arena.metrics(handle)?;
        let members: Vec<_> = metrics.iter().map(|metric| MetricMemberRef(self.id(metric.raw()))).collect();
        self.log.define(&MetricClass {
            id: self.metric(handle),
            metric_members: List::truncated(&members),
            metric_occurrence: mapping::metric_occurrence(facts.occurrence),
            recorder_kind: mapping::recorder_kind(facts.class),
        });
        Some(())
    }

    fn define_instance(&mut self, handle: SamplingSetHandle, facts: &ScopedSamplingSet) -> Option<()> {
        let (metric_scope, scope) = match facts.scope {
            Scope::Location(location) => (MetricScope::LOCATION, self.location(location).0),
            Scope::LocationGroup(group) => (MetricScope::LOCATION_GROUP, self.location_group(group).0.into()),
            Scope::SystemTreeNode(node) => (MetricScope::SYSTEM_TREE_NODE, self.node(node).0.into()),
            Scope::Group(group) => (MetricScope::GROUP, self.group(group).0.into()),
            Scope::Other(..) => return None,
        };
        self.log.define(&MetricInstance {
            id: self.metric(handle),
            metric_class: self.metric(facts.sampling_set),
            recorder: self.location(facts.recorder),
            metric_scope,
            scope,
        });
        Some(())
    }

    pub(super) fn define_recorder(&mut self, handle: SamplingSetRecorderHandle) -> Option<()> {
        let facts = self.arena.sampling_set_recorder(handle)?;
        let metric = self.metric(facts.sampling_set);
        self.log.define(&MetricClassRecorder { metric, recorder: self.location(facts.location) });
        Some(())
    }
}
