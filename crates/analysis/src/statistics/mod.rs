//! The contents of a trace: regions, messages, collective operations, waiting, files, metrics.
//!
//! Locations are read once, in parallel (`collect.rs`). Their common operations wait in a
//! [`Spill`] until all are read, and is then matched in the order of time.

mod collect;
mod efficiency;
mod files;
mod messages;
mod metrics;
mod process_times;
mod spread;
mod windows;

use crate::calls::Visitor;
use crate::class::Class;
use crate::communication::{Matched, Matcher};
use crate::contexts::Contexts;
use crate::delays::Encounters;
use crate::error::Error;
use crate::functions::{CommunicationFunctions, Hypothesis};
use crate::iterations::RepeatedCalls;
use crate::lateness::LatenessByLocation;
use crate::pass::{self, Selection};
use crate::profile::{self, Sums};
use crate::remarks::Remarks;
use crate::replay::{IdealRun, LocationRun, Replay, SendRule};
use crate::sorted_rows::SortedRows;
use crate::spill::{Spill, SpilledRows};
use crate::threads::{Creation, IdleTime};
use crate::trace::{Location, Trace};
use crate::waits::{CommunicationFacts, EnclosingCall, WaitFinder, WaitState, WaitSums, selected};
use collect::Collecting;
use kymo_otf2::enums::LocationType;
use kymo_otf2::references::*;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

pub use efficiency::{Efficiency, NetworkEfficiency, ProcessEfficiency, RegionEfficiency};
pub use files::{FileKey, FileSums, Transfers};
pub use messages::{Collectives, CollectivesByKind, Messages};
pub use metrics::Values;
pub use process_times::{ParallelTimes, ProcessTimes};
pub use spread::Spread;
pub use windows::{Amount, Window};

/// The contents of a trace.
#[derive(Debug, Default)]
pub struct Statistics {
    /// The number of locations that were read.
    pub locations: u64,
    /// The number of locations that have events.
    pub active: u64,
    /// The number of threads that have none.
    pub threads_without_events: u64,
    /// The number of events.
    pub events: u64,
    /// The times of the first and the last event, in nanoseconds, if there are events.
    pub span: Option<(u64, u64)>,
    /// Begin and end of the part of the selected time in which the locations are known, in
    /// nanoseconds: from their first to their last events, or from and to the ends of that time.
    pub known_time: Option<(u64, u64)>,
    /// The same of each location that is known then.
    pub known_times: BTreeMap<LocationRef, (u64, u64)>,
    /// The number of events that are neither enters nor leaves, by name.
    pub kinds: BTreeMap<Cow<'static, str>, u64>,
    /// The sums and the spread of exclusive times by region.
    pub regions: BTreeMap<RegionRef, RegionStatistics>,
    /// The exclusive time by class of region, in nanoseconds.
    pub classes: BTreeMap<Class, u128>,
    /// The time in no call, in nanoseconds.
    pub outside: u128,
    /// The time of computation of the threads that were active.
    pub computation: Spread,
    /// The processes of these threads.
    pub processes: BTreeMap<LocationGroupRef, ProcessTimes>,
    /// The messages.
    pub messages: Messages,
    /// The collective operations.
    pub collectives: CollectivesByKind,
    /// The wait states.
    pub waits: WaitSums,
    /// The times that the threads of teams but the first ones of processes spent in no team.
    pub idle: BTreeMap<LocationRef, IdleTime>,
    /// The run on an ideal network, if locations communicate.
    pub ideal_run: Option<IdealRun>,
    /// The input and output.
    pub files: BTreeMap<FileKey, FileSums>,
    /// The one-sided communication.
    pub windows: BTreeMap<RmaWinRef, Window>,
    /// The metrics.
    pub metrics: BTreeMap<MetricMemberRef, Values>,
    /// The counts of irregular events.
    pub remarks: Remarks,
    /// The locations whose events could not all be read.
    pub failures: Vec<(LocationRef, Error)>,
}

/// The calls of a region.
#[derive(Debug, Default)]
pub struct RegionStatistics {
    /// The sums.
    pub sums: Sums,
    /// The exclusive times of the locations that called it.
    pub spread: Spread,
}

/// The contribution of a location, but for its messages and collective operations.
#[derive(Debug, Serialize, Deserialize)]
pub struct Contribution {
    /// The time by the class of the calling context, in nanoseconds.
    classes: BTreeMap<Class, u128>,
    /// The time in no call, in nanoseconds.
    outside: u128,
    parallel_times: ParallelTimes,
    regions: BTreeMap<RegionRef, Sums>,
    kinds: Vec<(Cow<'static, str>, u64)>,
    files: BTreeMap<FileKey, FileSums>,
    windows: BTreeMap<RmaWinRef, Window>,
    metrics: Vec<Values>,
    events: u64,
    span: Option<(u64, u64)>,
    known_time: Option<(u64, u64)>,
    unknown_messages: u64,
    communication: CommunicationFacts,
    /// Only `kymo explain` needs it.
    #[serde(skip)]
    repeated: Option<RepeatedCalls>,
    remarks: Remarks,
    /// Why the events after the last one could not be read.
    pub failure: Option<Error>,
}

impl Contribution {
    /// Returns the times of the first and the last event, in nanoseconds, if there are events.
    pub(crate) fn span(&self) -> Option<(u64, u64)> {
        self.span
    }

    /// Returns the facts about the communication.
    pub(crate) fn communication(&self) -> CommunicationFacts {
        self.communication
    }

    /// Returns the calls that repeat.
    pub(crate) fn repeated(&mut self) -> Option<RepeatedCalls> {
        self.repeated.take()
    }

    /// Returns the part of the selected time in which the location is known, if there is one: from
    /// its first event to its last one, or to the end of the selected time if that is later.
    pub(crate) fn known_time(&self) -> Option<(u64, u64)> {
        self.known_time
    }
}

/// Collects the statistics of a trace.
///
/// # Errors
///
/// If there are too many calling contexts, or a temporary file cannot be used. Locations that
/// cannot be read are in [`Statistics::failures`].
pub fn of(trace: &Trace, selection: &Selection) -> Result<Statistics, Error> {
    let spill = Spill::default();
    let mut joining = Joining::new(trace);
    contributions(trace, selection, &spill, |location, contribution, rows| {
        joining.add(location, contribution, rows);
        Ok(())
    })?;
    joining.finish(&spill)
}

/// Passes the contribution of each selected location, in any order: to [`Joining`], now or later.
///
/// # Errors
///
/// Like [`of`], and the errors of `each`.
pub fn contributions(
    trace: &Trace,
    selection: &Selection,
    spill: &Spill,
    mut each: impl FnMut(&Location, Contribution, SpilledRows) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    contributions_with(
        trace,
        selection,
        spill,
        |_| (),
        |location, contribution, rows, _| each(location, contribution, rows),
    )
}

/// Does the same, and passes another visitor that has seen the same calls, with their contexts.
///
/// # Errors
///
/// Like [`of`], and the errors of `each`.
pub fn contributions_with<V: Visitor + Send>(
    trace: &Trace,
    selection: &Selection,
    spill: &Spill,
    visitor: impl Fn(&Location) -> V + Sync,
    each: impl FnMut(&Location, Contribution, SpilledRows, (V, Contexts)) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let functions = CommunicationFunctions::of(trace);
    let read = FirstReading { trace, selection, spill, functions: &functions, keeps_postings: false };
    read.each(visitor, each)
}

/// Replays a run as if the work in some calls took another time.
///
/// # Errors
///
/// Like [`of`].
pub fn ideal_run_if(
    trace: &Trace,
    selection: &Selection,
    hypothesis: &Hypothesis,
    sends: SendRule,
) -> Result<Option<IdealRun>, Error> {
    let (spill, mut joining) = (Spill::default(), Joining::new(trace).with_sends(sends));
    let functions = CommunicationFunctions::of(trace).with(hypothesis);
    let read = FirstReading { trace, selection, spill: &spill, functions: &functions, keeps_postings: false };
    read.each(
        |_| (),
        |location, contribution, rows, _| {
            joining.add(location, contribution, rows);
            Ok(())
        },
    )?;
    Ok(joining.finish(&spill)?.ideal_run)
}

/// The inputs of the first reading of locations.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FirstReading<'r> {
    pub(crate) trace: &'r Trace,
    pub(crate) selection: &'r Selection,
    pub(crate) spill: &'r Spill,
    pub(crate) functions: &'r CommunicationFunctions,
    /// Whether operations have the numbers and the ends of the calls that posted receives.
    pub(crate) keeps_postings: bool,
}

impl FirstReading<'_> {
    /// Passes the contribution of each selected location, in any order.
    pub(crate) fn each<V: Visitor + Send>(
        self,
        visitor: impl Fn(&Location) -> V + Sync,
        mut each: impl FnMut(&Location, Contribution, SpilledRows, (V, Contexts)) -> Result<(), Error> + Send,
    ) -> Result<(), Error> {
        let Self { trace, selection, spill, functions, keeps_postings } = self;
        let work = |location: &Location| {
            let mut collecting = Collecting::new(trace, functions, location.id, spill, selection.from);
            if keeps_postings {
                collecting.keep_postings();
            }
            contribution(trace, selection, location, collecting, visitor(location))
        };
        pass::each(trace, selection, work, |location, result| {
            let (contribution, rows, visited) = result?;
            each(location, contribution, rows, visited)
        })
    }
}

/// The facts that are noted while operations are joined, if they are asked for.
#[derive(Debug, Default)]
pub(crate) struct Noted<'s> {
    /// The encounters of locations.
    pub(crate) encounters: Option<Encounters<'s>>,
    /// Location, time and ideal time of the steps of the replay.
    pub(crate) steps: Option<SortedRows<'s, 3>>,
    /// Whether it is noted how late operations were.
    pub(crate) has_lateness: bool,
    pub(crate) lateness: Option<LatenessByLocation>,
}

/// Joins the contributions of locations.
#[derive(Debug)]
pub struct Joining<'t> {
    trace: &'t Trace,
    statistics: Statistics,
    rows: HashMap<LocationRef, SpilledRows>,
    communication: BTreeMap<LocationRef, CommunicationFacts>,
    runs: BTreeMap<LocationRef, LocationRun>,
    sends: SendRule,
}

/// A fact about communication that is known when all operations are joined.
#[derive(Debug)]
pub enum Communicated<'m> {
    /// A message or a collective operation.
    Operation(&'m Matched<EnclosingCall>),
    /// A wait state, after all operations.
    Wait(&'m WaitState),
    /// Who created a thread, after all wait states.
    Creation(&'m Creation),
}

impl<'t> Joining<'t> {
    /// Starts without locations.
    pub fn new(trace: &'t Trace) -> Self {
        Self {
            trace,
            statistics: Statistics::default(),
            rows: HashMap::new(),
            communication: BTreeMap::new(),
            runs: BTreeMap::new(),
            sends: SendRule::default(),
        }
    }

    /// Replays sends by a rule.
    pub fn with_sends(self, sends: SendRule) -> Self {
        Self { sends, ..self }
    }

    /// Adds the contribution of a location.
    pub fn add(&mut self, location: &Location, contribution: Contribution, rows: SpilledRows) {
        let facts = contribution.communication;
        self.communication.insert(location.id, facts);
        if let Some(known_time) = contribution.known_time() {
            self.runs.insert(location.id, LocationRun { known_time, facts });
            self.statistics.known_times.insert(location.id, known_time);
        }
        self.statistics.add(location, contribution);
        self.rows.insert(location.id, rows);
    }

    /// Matches messages and collective operations, whose rows are in `spill`.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be read.
    pub fn finish(self, spill: &Spill) -> Result<Statistics, Error> {
        self.finish_with(spill, |_| ())
    }

    /// Does the same, and passes all messages and collective operations in the order in which they
    /// are complete, then all wait states.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be used.
    pub fn finish_with(self, spill: &Spill, each: impl FnMut(Communicated<'_>)) -> Result<Statistics, Error> {
        Ok(self.finish_noting(spill, Noted::default(), each)?.0)
    }

    /// Does the same, and notes more, if that is asked for.
    pub(crate) fn finish_noting<'s>(
        mut self,
        spill: &'s Spill,
        noted: Noted<'s>,
        mut each: impl FnMut(Communicated<'_>),
    ) -> Result<(Statistics, Noted<'s>), Error> {
        let (trace, functions) = (self.trace, CommunicationFunctions::of(self.trace));
        let mut finder = WaitFinder::new(trace, &functions, spill).noting(noted.encounters);
        self.communication.iter().for_each(|(location, facts)| finder.location(*location, facts));
        self.runs.iter().for_each(|(location, run)| finder.known_time(*location, run.known_time));
        let mut replay = Replay::new(trace, &functions, &self.runs, self.sends).with_table(noted.steps);
        let has_steps = noted.has_lateness;
        let mut steps = has_steps.then(|| Replay::of_steps(trace, &functions, &self.runs, spill));
        self.join(spill, &mut finder, (&mut replay, steps.as_mut()), &mut each)?;
        let lateness = steps.map(Replay::finish_steps).transpose()?.flatten();
        let (ideal_run, ideal_steps) = replay.finish()?;
        self.statistics.ideal_run = ideal_run;
        let mut waits = finder.finish()?;
        let mut sums = WaitSums { incomplete: waits.incomplete, ..WaitSums::default() };
        waits.each(trace, spill, |wait| {
            sums.add(trace, wait);
            each(Communicated::Wait(wait));
        })?;
        waits.creations(spill, |creation| each(Communicated::Creation(creation)))?;
        self.statistics.waits = sums;
        self.statistics.idle = waits.idle;
        self.statistics.failures.sort_by_key(|(location, _)| *location);
        Ok((
            self.statistics,
            Noted { encounters: waits.encounters, steps: ideal_steps, has_lateness: has_steps, lateness },
        ))
    }

    /// Joins the operations of all locations.
    fn join(
        &mut self,
        spill: &Spill,
        finder: &mut WaitFinder<'_, '_>,
        (replay, mut steps): (&mut Replay<'_, '_>, Option<&mut Replay<'_, '_>>),
        mut each: impl FnMut(Communicated<'_>),
    ) -> Result<(), Error> {
        let (trace, statistics) = (self.trace, &mut self.statistics);
        let mut add = |finder: &mut WaitFinder<'_, '_>,
                       replay: &mut Replay<'_, '_>,
                       steps: &mut Option<&mut Replay<'_, '_>>,
                       matched: &Matched<EnclosingCall>| {
            let Some(matched) = selected(matched) else { return };
            statistics.matched(trace, &matched);
            finder.matched(&matched);
            replay.matched(&matched);
            if let Some(steps) = steps {
                steps.matched(&matched);
            }
            each(Communicated::Operation(&matched));
        };
        let ids: Vec<_> =
            trace.locations().iter().map(|it| it.id).filter(|id| self.rows.contains_key(id)).collect();
        let streams = ids.iter().filter_map(|id| self.rows.remove(id)).collect();
        let mut matcher = Matcher::new(trace);
        spill.merge(streams, |stream, row| {
            let (time, operation, inside) = EnclosingCall::from_row(row);
            let step = replay.operation(ids[stream], time, &operation, &inside);
            if let Some(steps) = &mut steps {
                steps.operation(ids[stream], time, &operation, &inside);
            }
            let inside = EnclosingCall { step, ..inside };
            if !finder.operation(ids[stream], time, &operation, inside)
                && let Some(matched) = matcher.add(ids[stream], time, operation, inside)
            {
                add(finder, replay, &mut steps, &matched);
            }
            Ok(())
        })?;
        for matched in matcher.finish() {
            add(finder, replay, &mut steps, &matched);
        }
        Ok(())
    }
}

fn contribution<V: Visitor>(
    trace: &Trace,
    selection: &Selection,
    location: &Location,
    collecting: Collecting<'_, '_>,
    other: V,
) -> Result<(Contribution, SpilledRows, (V, Contexts)), Error> {
    let read = pass::location(trace, selection, location.id, (collecting, other));
    let (mut visitor, other) = read.visitor;
    let (rows, communication) = visitor.operations()?;
    let unknown_messages = visitor.unknown_messages();
    let kinds = visitor.kinds().map(|(name, count)| (name.into(), count)).collect();
    let of_contexts = Class::of_contexts(trace, &read.contexts);
    let mut classes: BTreeMap<Class, u128> = BTreeMap::new();
    for (context, exclusive) in visitor.summing.exclusive().filter(|(_, exclusive)| *exclusive > 0) {
        *classes.entry(of_contexts[context.index()]).or_default() += exclusive;
    }
    let length = read.span.map_or(0, |span| selection.length_of(span));
    let parallel_times = ParallelTimes::of(trace, &read.contexts, &of_contexts, visitor.summing.exclusive());
    let repeated = RepeatedCalls::of(trace, &read.contexts, &visitor.summing, length);
    let known_time = read.span.and_then(|(first, last)| {
        let end = if read.is_cut { selection.to } else { last };
        (end >= selection.from).then_some((first.max(selection.from), end))
    });
    let contribution = Contribution {
        outside: u128::from(length).saturating_sub(classes.values().sum()),
        classes,
        parallel_times,
        regions: profile::regions_of(trace, &read.contexts, visitor.summing)?,
        kinds,
        files: visitor.files.into_sums(trace),
        windows: visitor.windows.0,
        metrics: visitor.metrics.into_values().collect(),
        events: read.events,
        span: read.span,
        known_time,
        unknown_messages,
        communication,
        repeated,
        remarks: read.remarks,
        failure: read.failure,
    };
    Ok((contribution, rows, (other, read.contexts)))
}

impl Statistics {
    /// Returns whether there are samples.
    pub fn has_samples(&self) -> bool {
        self.regions.values().any(|region| region.sums.samples > 0)
    }

    fn add(&mut self, location: &Location, it: Contribution) {
        self.locations += 1;
        self.active += u64::from(it.span.is_some());
        let is_thread = location.location_type == LocationType::CPU_THREAD;
        self.threads_without_events += u64::from(is_thread && it.span.is_none());
        self.events += it.events;
        for (all, own) in [(&mut self.span, it.span), (&mut self.known_time, it.known_time)] {
            if let Some((first, last)) = own {
                let span = all.get_or_insert((first, last));
                *span = (span.0.min(first), span.1.max(last));
            }
        }
        for (name, count) in it.kinds {
            *self.kinds.entry(name).or_default() += count;
        }
        self.outside += it.outside;
        let computation = it.classes.get(&Class::Computation).copied().unwrap_or(0);
        for (class, time) in &it.classes {
            *self.classes.entry(*class).or_default() += time;
        }
        for (region, sums) in it.regions {
            let all = self.regions.entry(region).or_default();
            all.sums += &sums;
            all.spread.add(location.id, u64::try_from(sums.exclusive()).unwrap_or(u64::MAX));
        }
        // Streams of accelerators do not compute by the same measure.
        if is_thread && it.span.is_some() {
            self.computation.add(location.id, u64::try_from(computation).unwrap_or(u64::MAX));
            self.processes.entry(location.group).or_default().add(location.id, it.parallel_times);
        }
        for (key, sums) in &it.files {
            *self.files.entry(*key).or_default() += sums;
        }
        for (id, sums) in &it.windows {
            *self.windows.entry(*id).or_default() += sums;
        }
        for values in it.metrics {
            self.metrics.entry(values.metric).and_modify(|all| all.add(&values)).or_insert(values);
        }
        self.messages.unknown += it.unknown_messages;
        self.remarks += it.remarks;
        self.failures.extend(it.failure.map(|failure| (location.id, failure)));
    }

    fn matched(&mut self, trace: &Trace, matched: &Matched<EnclosingCall>) {
        match matched {
            Matched::Message(pair) => self.messages.add(pair),
            Matched::Collective(collective) => {
                messages::add_collective(&mut self.collectives, trace, collective);
            }
        }
    }

    /// Returns the time from the first to the last event, in nanoseconds.
    pub fn length(&self) -> u64 {
        self.span.map_or(0, |(first, last)| last - first)
    }

    /// Returns the length of the run in the selected time, in nanoseconds.
    pub fn known_length(&self) -> u64 {
        self.known_time.map_or(0, |(begin, end)| end - begin)
    }
}
