//! The inputs of the rules.

use super::finding::{Evidence, nanoseconds};
use super::work::WorkTree;
use crate::causes::{Causes, PlaceTimes};
use crate::class::Class;
use crate::contexts::{ContextId, TooManyContexts};
use crate::trace::Trace;
use crate::waits::WaitKind;
use kymo_otf2::references::LocationRef;
use std::collections::BTreeMap;

/// The inputs of the rules. Places are ids of [`Self::work`].
pub(super) struct Run<'r> {
    pub(super) causes: &'r Causes,
    pub(super) work: WorkTree,
    /// The times of all locations that can be compared, by place.
    all: Vec<PlaceTimes>,
    /// The time of the other threads, by place.
    others: Vec<u128>,
    /// The times of a location, where there was blame or critical path.
    pub(super) places: BTreeMap<(LocationRef, ContextId), PlaceTimes>,
    /// The first threads of processes with teams, and the other threads of these.
    pub(super) teams: BTreeMap<LocationRef, OtherThreads>,
    /// Whether places are in calls that start or end MPI.
    startup: Vec<bool>,
    /// Whether there are samples that stand for all processor time.
    pub(super) samples_are_whole: bool,
}

/// The threads of a process with teams, but the first one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OtherThreads {
    pub(super) count: u64,
    /// The time in which they are in no team, all together.
    pub(super) idle: u128,
}

/// The functions that start and end MPI.
const STARTUP: [&str; 6] = [
    "MPI_Init",
    "MPI_Init_thread",
    "MPI_Finalize",
    "MPI_Session_init",
    "MPI_Session_finalize",
    "MPI_Comm_create_from_group",
];

impl<'r> Run<'r> {
    pub(super) fn of(trace: &Trace, causes: &'r Causes) -> Result<Self, TooManyContexts> {
        let work = WorkTree::of(trace, &causes.contexts)?;
        let mut all = vec![PlaceTimes::default(); work.len()];
        for (context, times) in &causes.by_context {
            all[work.of_call(*context).index()] += *times;
        }
        let mut others = vec![0; work.len()];
        for (context, time) in &causes.of_other_threads {
            others[work.of_call(*context).index()] += time;
        }
        let mut places: BTreeMap<_, PlaceTimes> = BTreeMap::new();
        for ((context, location), times) in &causes.places {
            *places.entry((*location, work.of_call(*context))).or_default() += *times;
        }
        let mut startup = vec![false; work.len()];
        for place in work.tree.iter() {
            let is_inside = startup[work.tree.parent(place).index()];
            startup[place.index()] =
                is_inside || STARTUP.contains(&&*trace.region_name(work.tree.region(place)));
        }
        let samples_are_whole = samples_are_whole(trace) && causes.statistics.has_samples();
        let teams = teams(trace, causes);
        Ok(Self { causes, work, all, others, places, teams, startup, samples_are_whole })
    }

    /// Returns the length of the run.
    pub(super) fn length(&self) -> u128 {
        self.causes.length().into()
    }

    /// Returns for how long locations waited, or had not begun or had ended.
    pub(super) fn not_working(&self) -> u128 {
        let absent = self.causes.comparable_locations.iter().filter_map(|id| {
            let (begin, end) = self.causes.spans.get(id)?;
            Some(self.length().saturating_sub(u128::from(end - begin)))
        });
        self.causes.statistics.waits.total() + absent.sum::<u128>()
    }

    /// Returns the number of locations that can be compared.
    pub(super) fn comparable(&self) -> u128 {
        self.causes.comparable.into()
    }

    /// Returns the times of all comparable locations at a place.
    pub(super) fn all_at(&self, place: ContextId) -> PlaceTimes {
        self.all.get(place.index()).copied().unwrap_or_default()
    }

    /// Returns the times of a location by place.
    pub(super) fn of_location(&self, id: LocationRef) -> impl Iterator<Item = (ContextId, PlaceTimes)> {
        let places = self.places.range((id, ContextId::ROOT)..=(id, ContextId(u32::MAX)));
        places.map(|((_, place), times)| (*place, *times))
    }

    /// Returns whether processes have one thread each, and communicate.
    pub(super) fn communicates_alone(&self) -> bool {
        let has_threads = self.causes.threads > self.causes.comparable;
        let statistics = &self.causes.statistics;
        let communicates = statistics.messages.total().count > 0 || !statistics.collectives.is_empty();
        !has_threads && self.causes.threads > 1 && communicates
    }

    /// Returns whether a place is the work of the program, and not waiting for others.
    pub(super) fn is_work(&self, place: ContextId) -> bool {
        // Outside all calls, a location that samples have not seen did not run.
        let is_known = place != ContextId::ROOT || !self.causes.statistics.has_samples();
        is_known && !matches!(self.work.class(place), Class::Communication | Class::Threading)
    }

    /// Returns whether a place is in a call that starts or ends MPI.
    pub(super) fn is_startup(&self, place: ContextId) -> bool {
        self.startup.get(place.index()).is_some_and(|it| *it)
    }

    /// Returns the mean time of the other locations at a place where a location has this time.
    pub(super) fn mean_of_others(&self, location: LocationRef, place: ContextId, own: u128) -> u128 {
        let all = self.all_at(place).working;
        if !self.causes.comparable_locations.contains(&location) {
            let all = all + self.of_other_threads(place);
            return all.saturating_sub(own) / (self.threads().max(2) - 1);
        }
        all.saturating_sub(own) / self.comparable().saturating_sub(1).max(1)
    }

    /// Returns the mean time of the comparable locations at a place; if only other threads work
    /// there, that of a process.
    pub(super) fn mean(&self, place: ContextId) -> u128 {
        let all = match self.all_at(place).working {
            0 => self.of_other_threads(place),
            all => all,
        };
        all / self.comparable().max(1)
    }

    fn of_other_threads(&self, place: ContextId) -> u128 {
        self.others.get(place.index()).copied().unwrap_or(0)
    }

    /// Returns the number of threads.
    pub(super) fn threads(&self) -> u128 {
        self.causes.threads.into()
    }

    /// Returns whether a place is the work of a location alone: others spend less than a tenth of
    /// its time there.
    pub(super) fn is_own_work(&self, location: LocationRef, place: ContextId, own: u128) -> bool {
        self.mean_of_others(location, place, own) * 10 < own
    }

    /// Returns an amount for each place.
    pub(super) fn amounts(&self, amounts: impl Iterator<Item = (ContextId, u128)>) -> Vec<i128> {
        let mut all = vec![0_i128; self.work.len()];
        for (place, amount) in amounts {
            all[place.index()] += i128::from(nanoseconds(amount));
        }
        all
    }

    /// Returns where most of the waiting of some kinds is, and its kind.
    pub(super) fn main_wait(&self, is_one: impl Fn(WaitKind) -> bool) -> Option<(WaitKind, ContextId)> {
        let waits = self.causes.waits_by_context.iter().filter(|((kind, _), _)| is_one(*kind));
        let ((kind, context), _) = waits.max_by_key(|(_, waited)| waited.time)?;
        Some((*kind, self.work.of_call(*context)))
    }

    /// Returns where the longest wait for a location can be seen.
    pub(super) fn longest_wait_for(&self, location: LocationRef) -> Evidence {
        self.causes.longest_caused.get(&location).map_or_else(Evidence::default, |wait| Evidence {
            time: Some((wait.start, wait.end)),
            locations: vec![wait.location, location],
        })
    }
}

/// Returns the first threads of processes with teams, and the other threads of these.
fn teams(trace: &Trace, causes: &Causes) -> BTreeMap<LocationRef, OtherThreads> {
    let first_threads = trace.first_threads(trace.locations());
    let mut teams: BTreeMap<LocationRef, OtherThreads> = BTreeMap::new();
    for (member, time) in &causes.statistics.idle {
        if let Some(first) = first_threads.get(&trace.process(*member)) {
            let others = teams.entry(*first).or_default();
            others.count += 1;
            others.idle += u128::from(time.idle);
        }
    }
    teams
}

/// Returns whether samples stand for all processor time, so that a location that they have not seen
/// did not run: those of Kymo do. Those of others come at the ticks of the kernel, whatever period
/// their generators state.
pub fn samples_are_whole(trace: &Trace) -> bool {
    trace.archive().anchor().creator.as_bytes().starts_with(b"Kymo ")
}
