//! Metrics and sampling sets.
//!
//! A sampling set becomes a metric class, or, if it is scoped, an instance of the class that has the same metrics.

use kymo_otf2::{
    definitions::{MetricClass, MetricInstance, MetricMember},
    enums::{Base, MetricScope, Type},
    list::List,
    references::{LocationRef, MetricMemberRef, MetricRef},
};
use kymo_substrate::{Host, MetricHandle, SamplingSetHandle};

use super::{Definitions, Space, State};
use crate::mapping;

/// What an event has to know of a sampling set.
#[derive(Debug)]
pub(crate) struct SamplingSet {
    types: [Type; Self::MOST_METRICS],
    count: u8,
}

impl SamplingSet {
    /// OTF2 counts the metrics of a class in one byte.
    pub(crate) const MOST_METRICS: usize = u8::MAX as usize;
}

impl Definitions {
    /// The types of the values of a sampling set, in order; none if it was not announced.
    pub(crate) fn value_types(&self, set: SamplingSetHandle) -> &'static [Type] {
        self.sets.get(set.raw() as usize).map_or(&[], |set| &set.types[..set.count.into()])
    }

    /// Unit, description, base and exponent are not public: the unit stays empty.
    pub(super) fn define_metric(&self, state: &mut State, metric: MetricHandle, host: &Host) {
        let record = MetricMember {
            id: MetricMemberRef(self.assign(state, Space::MetricMember, metric.raw())),
            name: state.string(host.metric_name(metric)),
            description: state.string(None),
            metric_type: mapping::metric_type(host.metric_source_type(metric)),
            metric_mode: mapping::metric_mode(host.metric_mode(metric)),
            value_type: mapping::metric_value_type(host.metric_value_type(metric)),
            base: Base::DECIMAL,
            exponent: 0,
            unit: state.string(None),
        };
        state.log.define(&record);
    }

    pub(super) fn define_sampling_set(&self, state: &mut State, set: SamplingSetHandle, host: &Host) {
        self.remember_types(state, set, host);
        let id = MetricRef(self.assign(state, Space::Metric, set.raw()));
        match self.scoped_class(state, set, host) {
            Some(metric_class) => state.log.define(&MetricInstance {
                id,
                metric_class,
                recorder: LocationRef::UNDEFINED,
                metric_scope: MetricScope(host.sampling_set_scope(set).0 as u8),
                scope: u64::MAX,
            }),
            None => self.define_class(state, id, set, host),
        }
    }

    fn define_class(&self, state: &mut State, id: MetricRef, set: SamplingSetHandle, host: &Host) {
        let mut members = [MetricMemberRef::UNDEFINED; SamplingSet::MOST_METRICS];
        let metrics = host.metric_handles(set);
        for (member, metric) in members.iter_mut().zip(metrics) {
            *member = MetricMemberRef(self.id(metric.raw()));
        }
        state.log.define(&MetricClass {
            id,
            metric_members: List::truncated(&members[..metrics.len().min(SamplingSet::MOST_METRICS)]),
            metric_occurrence: mapping::metric_occurrence(host.sampling_set_occurrence(set)),
            recorder_kind: mapping::recorder_kind(host.sampling_set_class(set)),
        });
    }

    /// The class of a scoped set: the host answers for it with the very metrics array of the class.
    fn scoped_class(&self, state: &State, set: SamplingSetHandle, host: &Host) -> Option<MetricRef> {
        if !host.sampling_set_is_scoped(set) {
            return None;
        }
        let metrics = host.metric_handles(set).as_ptr();
        let class = state.announced.iter().find_map(|definition| match *definition {
            kymo_substrate::Definition::SamplingSet(other) if other != set => {
                (host.metric_handles(other).as_ptr() == metrics && !host.sampling_set_is_scoped(other)).then_some(other)
            }
            _ => None,
        });
        Some(class.map_or(MetricRef::UNDEFINED, |class| MetricRef(self.id(class.raw()))))
    }

    fn remember_types(&self, state: &mut State, set: SamplingSetHandle, host: &Host) {
        let metrics = host.metric_handles(set);
        let metrics = &metrics[..metrics.len().min(SamplingSet::MOST_METRICS)];
        let mut types = [Type::UINT64; SamplingSet::MOST_METRICS];
        for (type_, &metric) in types.iter_mut().zip(metrics) {
            *type_ = mapping::metric_value_type(host.metric_value_type(metric));
        }
        let set_info = SamplingSet { types, count: metrics.len() as u8 };
        let placed = self.arena.place(set_info).and_then(|info| self.sets.insert(set.raw() as usize, info));
        if placed.is_none() {
            state.log.count_lost();
        }
    }
}
