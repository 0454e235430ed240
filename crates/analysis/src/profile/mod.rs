//! Profiles: the calls of a trace, summed by calling context or region.
//!
//! Sums are exact integers, so a profile does not depend on the order in which locations are read.

mod metrics;
mod sums;

use crate::calls::{Call, Sampled, Visitor};
use crate::contexts::{ContextId, Contexts};
use crate::error::Error;
use crate::pass::{self, Read, Selection};
use crate::remarks::Remarks;
use crate::trace::{Location, MetricMember, Trace};
use kymo_otf2::references::{LocationRef, RegionRef};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use metrics::{Counting, MetricSums, MetricsByContext, Quantity, counting};
pub use sums::{CallSums, Sums};

/// The name of the time for which there is neither a call nor a sample: the thread waited too
/// briefly to be recorded, had no processor, or ran without a sample.
pub const OUTSIDE: &str = "not running";

/// The sums of the calls of each location.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Profile {
    /// The contexts of all calls, in depth-first order.
    pub contexts: Contexts,
    /// The sums by the key of their group: see [`of_groups`].
    pub groups: BTreeMap<u64, Group>,
    /// The metrics that are counted.
    pub metrics: Vec<MetricMember>,
    /// The counts of irregular events.
    pub remarks: Remarks,
    /// The locations whose events could not all be read.
    pub failures: Vec<(LocationRef, Error)>,
}

/// The sums of a group of locations.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The sums by context, without those that are 0.
    pub contexts: BTreeMap<ContextId, Sums>,
    /// The sums of [`Profile::metrics`] by context.
    pub metrics: MetricsByContext,
    /// The number of locations.
    pub locations: u64,
    /// The number of events.
    pub events: u64,
    /// The sum of the times from the first to the last event of each location, in nanoseconds.
    pub length: u128,
    /// The sum of the times of each location that are in no call and for which no sample stands, in
    /// nanoseconds.
    pub outside: u128,
}

impl Group {
    fn add(&mut self, other: &Group, ids: &[ContextId]) {
        for (context, sums) in &other.contexts {
            *self.contexts.entry(ids[context.index()]).or_default() += sums;
        }
        for (context, sums) in &other.metrics {
            add_metrics(self.metrics.entry(ids[context.index()]).or_default(), sums);
        }
        self.locations += other.locations;
        self.events += other.events;
        self.length += other.length;
        self.outside += other.outside;
    }

    /// Returns whether there are samples.
    pub fn has_samples(&self) -> bool {
        self.contexts.values().any(|sums| sums.samples > 0)
    }
}

/// Adds sums, metric by metric.
fn add_metrics(sums: &mut Vec<MetricSums>, other: &[MetricSums]) {
    sums.resize(other.len(), MetricSums::default());
    for (sum, other) in sums.iter_mut().zip(other) {
        *sum += other;
    }
}

/// Sums the calls of a location.
#[derive(Debug, Default)]
pub(crate) struct Summing {
    /// By context.
    sums: Vec<Sums>,
}

impl Summing {
    #[inline]
    fn of(&mut self, context: ContextId) -> &mut Sums {
        if context.index() >= self.sums.len() {
            self.grow(context);
        }
        &mut self.sums[context.index()]
    }

    #[cold]
    fn grow(&mut self, context: ContextId) {
        self.sums.resize(context.index() + 1, Sums::default());
    }

    /// Returns the number of calls of a context, 0 if only samples have seen it, and the time in
    /// them in nanoseconds.
    pub(crate) fn calls(&self, context: ContextId) -> (u64, u128) {
        self.sums.get(context.index()).map_or((0, 0), |sums| (sums.calls.visits, sums.inclusive()))
    }

    /// Returns the time in each context itself, in nanoseconds.
    pub(crate) fn exclusive(&self) -> impl Iterator<Item = (ContextId, u128)> {
        self.sums.iter().zip(0..).map(|(sums, id)| (ContextId(id), sums.exclusive()))
    }

    /// Returns the sums that are not 0.
    fn into_group(self) -> Group {
        let sums = self.sums.into_iter().zip(0..).map(|(sums, id)| (ContextId(id), sums));
        let contexts = sums.filter(|(_, sums)| *sums != Sums::default()).collect();
        Group { contexts, ..Group::default() }
    }
}

impl Visitor for Summing {
    type Mark = ();

    #[inline]
    fn leave(&mut self, call: &Call, (): (), (): &mut ()) {
        if !call.is_sampled {
            self.of(call.context).calls.add(call.duration, call.exclusive);
        }
    }

    fn sampled(&mut self, sampled: &Sampled) {
        self.of(sampled.context).add_sampled(sampled);
    }

    fn enclose(&mut self, ids: &[ContextId]) {
        for (old, sums) in std::mem::take(&mut self.sums).into_iter().enumerate() {
            if let Some(id) = ids.get(old).filter(|_| sums != Sums::default()) {
                *self.of(*id) = sums;
            }
        }
    }
}

/// Sums all calls of a trace in one group, without metrics.
///
/// # Errors
///
/// If there are too many calling contexts. Locations that cannot be read are in
/// [`Profile::failures`].
pub fn of(trace: &Trace, selection: &Selection) -> Result<Profile, Error> {
    of_groups(trace, selection, &[], |_| 0)
}

/// Sums the calls of locations whose `key` is equal in one group, with these metrics.
///
/// # Errors
///
/// Like [`of`].
pub fn of_groups(
    trace: &Trace,
    selection: &Selection,
    metrics: &[MetricMember],
    key: impl Fn(&Location) -> u64 + Sync,
) -> Result<Profile, Error> {
    let mut profile = Profile { metrics: metrics.to_vec(), ..Profile::default() };
    let work = |location: &Location| {
        if metrics.is_empty() {
            let read = pass::location(trace, selection, location.id, Summing::default());
            return read.map(|summing| (summing, MetricsByContext::new()));
        }
        let metering = metrics::Metering::new(trace, metrics);
        let both = (Summing::default(), metering);
        pass::location(trace, selection, location.id, both)
            .map(|(summing, metering)| (summing, metering.sums))
    };
    pass::each(trace, selection, work, |location, read: Read<(Summing, MetricsByContext)>| {
        profile.remarks += read.remarks;
        profile.failures.extend(read.failure.map(|failure| (location.id, failure)));
        let (summing, metrics) = read.visitor;
        let ids =
            profile.contexts.add(ContextId::ROOT, &read.contexts, |region| trace.same_region(region))?;
        let length: u128 = read.span.map_or(0, |span| selection.length_of(span)).into();
        let group = summing.into_group();
        // A call that is open at the end of the trace may end after the last event.
        let outside = length.saturating_sub(group.contexts.values().map(Sums::exclusive).sum());
        let group = Group { metrics, locations: 1, events: read.events, length, outside, ..group };
        profile.groups.entry(key(location)).or_default().add(&group, &ids);
        Ok(())
    })?;
    profile.sort();
    Ok(profile)
}

/// Returns the sums of the calls of a location by region; regions that are defined alike are one.
pub(crate) fn regions_of(
    trace: &Trace,
    contexts: &Contexts,
    summing: Summing,
) -> Result<BTreeMap<RegionRef, Sums>, Error> {
    let mut profile = Profile::default();
    let ids = profile.contexts.add(ContextId::ROOT, contexts, |region| trace.same_region(region))?;
    profile.groups.entry(0).or_default().add(&summing.into_group(), &ids);
    profile.sort();
    Ok(profile.groups.get(&0).map(|group| profile.regions(group)).unwrap_or_default())
}

impl Profile {
    /// Adds the profile of another part of the trace, with the same metrics and keys.
    ///
    /// # Errors
    ///
    /// If there are too many calling contexts, or the other profile is not one that this crate
    /// made.
    pub fn join(&mut self, other: Profile) -> Result<(), Error> {
        let known = other.contexts.len();
        let is_known = |group: &Group| {
            let contexts = group.contexts.keys().chain(group.metrics.keys());
            contexts.into_iter().all(|context| context.index() < known)
                && group.metrics.values().all(|metrics| metrics.len() == other.metrics.len())
        };
        if !other.groups.values().all(is_known) {
            return Err(Error::BadPart("a profile with unknown calling contexts or metrics"));
        }
        let ids = self.contexts.add(ContextId::ROOT, &other.contexts, |region| region)?;
        for (key, group) in &other.groups {
            self.groups.entry(*key).or_default().add(group, &ids);
        }
        self.metrics = other.metrics;
        self.remarks += other.remarks;
        self.failures.extend(other.failures);
        self.sort();
        Ok(())
    }

    /// Makes the result independent of the order in which locations were read.
    fn sort(&mut self) {
        self.failures.sort_by_key(|(location, _)| *location);
        let (contexts, ids) = self.contexts.sorted();
        self.contexts = contexts;
        for group in self.groups.values_mut() {
            let contexts = std::mem::take(&mut group.contexts).into_iter();
            group.contexts = contexts.map(|(context, sums)| (ids[context.index()], sums)).collect();
            let metrics = std::mem::take(&mut group.metrics).into_iter();
            group.metrics = metrics.map(|(context, sums)| (ids[context.index()], sums)).collect();
        }
    }

    /// Returns the sums of all groups together.
    pub fn total(&self) -> Group {
        let ids: Vec<_> = (0..self.contexts.len() as u32).map(ContextId).collect();
        let mut total = Group::default();
        for group in self.groups.values() {
            total.add(group, &ids);
        }
        total
    }

    /// Returns the sums of a group by region. The inclusive time of a region counts calls inside
    /// calls of the same region only once.
    pub fn regions(&self, group: &Group) -> BTreeMap<RegionRef, Sums> {
        let mut regions: BTreeMap<RegionRef, Sums> = BTreeMap::new();
        self.each_context(|context, is_outermost| {
            let Some(sums) = group.contexts.get(&context) else { return };
            let mut sums = *sums;
            if !is_outermost {
                sums.nested += sums.inclusive();
            }
            *regions.entry(self.contexts.region(context)).or_default() += &sums;
        });
        regions
    }

    /// Returns the sums of the metrics of a group by region, with the same rule.
    pub fn metrics_by_region(&self, group: &Group) -> BTreeMap<RegionRef, Vec<MetricSums>> {
        let mut regions: BTreeMap<RegionRef, Vec<MetricSums>> = BTreeMap::new();
        self.each_context(|context, is_outermost| {
            let Some(sums) = group.metrics.get(&context) else { return };
            let mut sums = sums.clone();
            if !is_outermost {
                for it in sums.iter_mut() {
                    it.inclusive = Quantity::default();
                }
            }
            add_metrics(regions.entry(self.contexts.region(context)).or_default(), &sums);
        });
        regions
    }

    /// Passes each context, and whether none of its callers has the same region.
    fn each_context(&self, mut pass: impl FnMut(ContextId, bool)) {
        let is_outermost = self.contexts.outermost();
        self.contexts.iter().for_each(|context| pass(context, is_outermost[context.index()]));
    }
}
