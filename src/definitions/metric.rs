//! Metrics and sampling sets.
//!
//! A sampling set becomes a metric class or, if it is scoped, an instance of the class with the
//! same metrics.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use kymo_otf2::{
    definitions::{MetricClass, MetricInstance, MetricMember},
    enums::{Base, MetricScope, Type},
    list::List,
    references::{LocationRef, MetricMemberRef, MetricRef},
};
use kymo_recorder::tables::Addressed;
use kymo_substrate::{Definition, Host, Location, MetricHandle, SamplingSetHandle};

use super::{CountedSpace, DefinitionIds, DefinitionState, text};
use crate::mapping;

/// The data of a sampling set that events require.
#[derive(Debug)]
pub(crate) struct SamplingSet {
    handle: u32,
    id: MetricRef,
    types: [Type; Self::MOST_METRICS],
    count: u8,
    /// The address of the location that records a scoped set, or 0 before its first values.
    recorder: AtomicUsize,
}

impl Addressed for SamplingSet {
    fn address(&self) -> usize {
        self.handle as usize
    }
}

impl SamplingSet {
    /// The maximum number of metrics in a class: OTF2 counts them in one byte.
    pub(crate) const MOST_METRICS: usize = u8::MAX as usize;

    pub(crate) fn id(&self) -> MetricRef {
        self.id
    }

    /// The types of the values, in order.
    pub(crate) fn value_types(&self) -> &[Type] {
        &self.types[..self.count.into()]
    }

    /// Stores the location that records the set.
    pub(crate) fn recorded_by(&self, location: Location) {
        self.recorder.store(location.address(), Relaxed);
    }
}

impl DefinitionIds {
    /// Finds an announced sampling set.
    pub(crate) fn sampling_set(&self, set: SamplingSetHandle) -> Option<&'static SamplingSet> {
        self.sets.get(set.raw() as usize)
    }

    /// Defines a metric. Its unit, description, base and exponent are not public, so the unit stays
    /// empty.
    pub(super) fn define_metric(&self, state: &mut DefinitionState, metric: MetricHandle, host: &Host) {
        let record = MetricMember {
            id: MetricMemberRef(self.assign(state, CountedSpace::MetricMember, metric)),
            name: text(&mut state.log, host.metric_name(metric)),
            description: text(&mut state.log, None),
            metric_type: mapping::metric_type(host.metric_source_type(metric)),
            metric_mode: mapping::metric_mode(host.metric_mode(metric)),
            value_type: mapping::metric_value_type(host.metric_value_type(metric)),
            base: Base::DECIMAL,
            exponent: 0,
            unit: text(&mut state.log, None),
        };
        state.log.define(&record);
    }

    /// Defines a sampling set without scope as a class. A scoped one becomes an instance at the
    /// end, when its recorder is known.
    pub(super) fn define_sampling_set(
        &self,
        state: &mut DefinitionState,
        set: SamplingSetHandle,
        host: &Host,
    ) {
        let id = MetricRef(self.assign(state, CountedSpace::Metric, set));
        self.keep(state, id, set, host);
        if !host.sampling_set_is_scoped(set) {
            self.define_class(state, id, set, host);
        }
    }

    /// Defines instances for the scoped sets that were recorded. `number` returns the id of the
    /// location at an address.
    pub(super) fn define_instances(
        &self,
        state: &mut DefinitionState,
        host: &Host,
        number: impl Fn(usize) -> Option<LocationRef>,
    ) {
        for at in 0..state.announced.len() {
            let Definition::SamplingSet(set) = state.announced[at] else { continue };
            let Some(kept) = self.sampling_set(set).filter(|_| host.sampling_set_is_scoped(set)) else {
                continue;
            };
            let Some(recorder) = number(kept.recorder.load(Relaxed)) else { continue };
            let metric_class = self.class_of(state, set, host);
            let (metric_scope, scope) = scope(state, host.sampling_set_scope(set), recorder);
            state.log.define(&MetricInstance { id: kept.id, metric_class, recorder, metric_scope, scope });
        }
    }

    fn define_class(&self, state: &mut DefinitionState, id: MetricRef, set: SamplingSetHandle, host: &Host) {
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

    /// The class of a scoped set: the one for which the host returns the same metrics array.
    fn class_of(&self, state: &DefinitionState, set: SamplingSetHandle, host: &Host) -> MetricRef {
        let metrics = host.metric_handles(set).as_ptr();
        let class = state.announced.iter().find_map(|definition| match *definition {
            Definition::SamplingSet(other) => (host.metric_handles(other).as_ptr() == metrics
                && !host.sampling_set_is_scoped(other))
            .then_some(other),
            _ => None,
        });
        class.map_or(MetricRef::UNDEFINED, |class| MetricRef(self.id(class.raw())))
    }

    fn keep(&self, state: &mut DefinitionState, id: MetricRef, set: SamplingSetHandle, host: &Host) {
        let mut types = [Type::UINT64; SamplingSet::MOST_METRICS];
        let metrics = host.metric_handles(set);
        for (type_, &metric) in types.iter_mut().zip(metrics) {
            *type_ = mapping::metric_value_type(host.metric_value_type(metric));
        }
        let count = u8::try_from(metrics.len()).unwrap_or(u8::MAX);
        let kept = self.bump.place(SamplingSet {
            handle: set.raw(),
            id,
            types,
            count,
            recorder: AtomicUsize::new(0),
        });
        if kept.and_then(|kept| self.sets.insert(kept)).is_none() {
            state.log.count_lost();
        }
    }
}

/// The kind and id of a scope. For groups and nodes, only those of this process are known.
fn scope(
    state: &mut DefinitionState,
    scope: kymo_substrate::MetricScope,
    recorder: LocationRef,
) -> (MetricScope, u64) {
    match scope {
        kymo_substrate::MetricScope::LOCATION => (MetricScope::LOCATION, recorder.0),
        kymo_substrate::MetricScope::SYSTEM_TREE_NODE => (MetricScope::SYSTEM_TREE_NODE, 0),
        kymo_substrate::MetricScope::GROUP => (MetricScope::GROUP, state.unknown_group().0.into()),
        _ => (MetricScope::LOCATION_GROUP, 0),
    }
}
