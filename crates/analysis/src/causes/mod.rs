//! Why locations waited, and what the length of the run depends on.
//!
//! Wait states say for whom a location waited. What that location did meanwhile is to blame; if it
//! waited as well, the one for which it waited is, and so on (`chains.rs`). The critical path is
//! followed in the same way from the end of the run (`critical_path.rs`). Both give intervals of
//! locations, in which a second reading finds the calling contexts (`place_times.rs`).
//!
//! Invariants: the blame of all places, with that of nobody, is exactly the time of all wait
//! states; the critical path has no gaps, and its times by context add up to its length. Memory
//! grows with the wait states of the locations that are being read, not with all of them.

mod chains;
mod critical_path;
mod longest_waits;
mod place_times;
mod weights;

use crate::alike::AlikeGroups;
use crate::calls::Activity;
use crate::contexts::{ContextId, Contexts};
use crate::error::Error;
use crate::iterations::{Boundaries, BoundarySearch, IterationSums, Iterations, RepeatedCalls};
use crate::overlap::OpenOperations;
use crate::pass::{self, Read, Selection};
use crate::spill::{Spill, SpilledRows};
use crate::statistics::{self, Communicated, Joining, Statistics};
use crate::trace::{Location, Trace};
use crate::waits::{WaitKind, WaitState, Waited};
use chains::{Chains, LastWaitsFirst};
use critical_path::CriticalPath;
use kymo_otf2::enums::LocationType;
use kymo_otf2::references::LocationRef;
use longest_waits::LongestWaits;
use place_times::{Intervals, LocationTimes, Summation};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Mutex;

pub use crate::alike::AlikeLocations;
pub use crate::overlap::Overlap;
pub use critical_path::{PathFacts, Segment};
pub use longest_waits::PlacedWait;
pub use place_times::PlaceTimes;

/// Why locations waited. Times are in nanoseconds.
#[derive(Debug, Default)]
pub struct Causes {
    /// The statistics of the same events.
    pub statistics: Statistics,
    /// The calling contexts, in depth-first order.
    pub contexts: Contexts,
    /// The times by context and location, where there was blame or critical path;
    /// [`ContextId::ROOT`] stands for the time in no call.
    pub places: BTreeMap<(ContextId, LocationRef), PlaceTimes>,
    /// The times by context: of the locations that can be compared and, on the critical path, of
    /// all.
    pub by_context: BTreeMap<ContextId, PlaceTimes>,
    /// The number of threads with events.
    pub threads: u64,
    /// The time without waiting of the threads that cannot be compared, by context.
    pub of_other_threads: BTreeMap<ContextId, u128>,
    /// The number of locations that can be compared: the first ones of processes, or all threads
    /// if there is one process.
    pub comparable: u64,
    /// These locations.
    pub comparable_locations: HashSet<LocationRef>,
    /// The waiting for locations before their first event.
    pub before_start: BTreeMap<LocationRef, u128>,
    /// The waiting for which nobody is to blame: of locations that wait for each other.
    pub of_nobody: u128,
    /// The critical path.
    pub path: PathFacts,
    /// The longest wait states, the longest one first.
    pub waits: Vec<PlacedWait>,
    /// The wait states by kind and the context of the call in which the location waited.
    pub waits_by_context: BTreeMap<(WaitKind, ContextId), Waited>,
    /// The longest wait state of each kind: those that are doubtful or in the wrong order, and the
    /// others.
    pub longest_of_kind: BTreeMap<(WaitKind, bool), WaitState>,
    /// The longest wait state that each location caused.
    pub longest_caused: BTreeMap<LocationRef, WaitState>,
    /// The iterations of the first threads of processes, if calls repeat.
    pub iterations: Option<Iterations>,
    /// The locations that can be compared, in groups that spend their time in the same way, and the
    /// number of those that are in none, since there are too many groups.
    pub alike: (Vec<AlikeLocations>, u64),
    /// The time with open non-blocking operations, of the locations that have it.
    pub overlap: BTreeMap<LocationRef, Overlap>,
    /// Begin and end of each location in the selected time: its first and its last event there,
    /// or the begin and the end of that time if there are others before and after.
    pub spans: BTreeMap<LocationRef, (u64, u64)>,
}

/// How many rows to keep of tables that grow with the events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// The number of wait states and of segments of the critical path.
    pub most: usize,
}

/// Finds the causes of wait states in a trace, which is read twice.
///
/// # Errors
///
/// If there are too many calling contexts, or a temporary file cannot be used. Locations that
/// cannot be read are in [`Statistics::failures`].
pub fn of(trace: &Trace, selection: &Selection, kept: Kept) -> Result<Causes, Error> {
    let spill = Spill::default();
    let mut causes = Causes::default();
    let mut joining = Joining::new(trace);
    let mut searched = HashMap::new();
    statistics::contributions(trace, selection, &spill, |location, mut contribution, rows| {
        if let Some(span) = contribution.known_time() {
            causes.spans.insert(location.id, span);
            let completes_sends = contribution.communication().completes_sends;
            searched.insert(location.id, Searched { repeated: contribution.repeated(), completes_sends });
        }
        joining.add(location, contribution, rows);
        Ok(())
    })?;
    let (mut waits, mut failure) = (LastWaitsFirst::new(&spill), None);
    causes.statistics = joining.finish_with(&spill, |it| {
        let pushed = match it {
            Communicated::Wait(wait) => {
                causes.caused(wait);
                waits.push(wait)
            }
            Communicated::Creation(creation) => waits.push_creation(creation),
            Communicated::Operation(_) => Ok(()),
        };
        if let Err(error) = pushed {
            failure.get_or_insert(error);
        }
    })?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    let path = CriticalPath::new(&spill, causes.end(trace), kept.most);
    let mut chains = Chains::of(waits, path, &spill)?;
    causes.path = chains.path.finish(|it| causes.spans.get(&it).map_or(0, |span| span.0))?;
    causes.of_nobody = chains.of_nobody;
    causes.threads = causes.spans.keys().filter(|id| is_thread(trace, **id)).count() as u64;
    let all_others = if causes.threads > 2 { causes.threads - 1 } else { u64::MAX };
    let first_threads = first_threads(trace, &causes.spans);
    searched.retain(|id, it| {
        it.repeated.take_if(|_| !first_threads.contains(id));
        it.repeated.is_some() || it.completes_sends
    });
    let intervals =
        Reread { spill: &spill, rows: Mutex::new(rows(chains)?), all_others, searched, first_threads };
    causes.read_again(trace, selection, &intervals, kept)?;
    causes.sort();
    Ok(causes)
}

/// The rows of intervals of a location.
#[derive(Debug, Default)]
struct IntervalRows {
    waits: SpilledRows,
    weights: SpilledRows,
    segments: SpilledRows,
}

/// What the second reading needs.
#[derive(Debug)]
struct Reread<'s> {
    spill: &'s Spill,
    rows: Mutex<HashMap<LocationRef, IntervalRows>>,
    all_others: u64,
    searched: HashMap<LocationRef, Searched>,
    first_threads: HashSet<LocationRef>,
}

/// What the first reading says about a location.
#[derive(Debug, Clone, Default)]
struct Searched {
    repeated: Option<RepeatedCalls>,
    completes_sends: bool,
}

/// What the second reading of a location finds.
struct LocationFindings {
    waits: Vec<WaitState>,
    times: LocationTimes,
    contexts: Contexts,
    boundaries: Option<Boundaries>,
    overlap: Overlap,
}

/// Returns the rows by location.
fn rows(chains: Chains<'_>) -> Result<HashMap<LocationRef, IntervalRows>, Error> {
    let mut all: HashMap<LocationRef, IntervalRows> = HashMap::new();
    for (location, rows) in chains.waits.groups()? {
        all.entry(LocationRef(location)).or_default().waits = rows;
    }
    for (location, rows) in chains.weights.groups()? {
        all.entry(LocationRef(location)).or_default().weights = rows;
    }
    for (location, rows) in chains.path.segments.groups()? {
        all.entry(LocationRef(location)).or_default().segments = rows;
    }
    Ok(all)
}

impl Reread<'_> {
    /// Returns the wait states of a location in the order of time, and the sums to begin with.
    fn of(&self, location: LocationRef) -> Result<(Vec<WaitState>, Summation), Error> {
        let rows = self.rows.lock().ok().and_then(|mut all| all.remove(&location));
        let mut rows = rows.unwrap_or_default();
        let mut waits = Vec::new();
        self.spill.each(&mut rows.waits, |row| {
            row.number();
            waits.push(WaitState::from_row(row));
        })?;
        waits.reverse();
        let mut weights = Vec::new();
        self.spill.each(&mut rows.weights, |row| {
            let [_, from, length, weight] = [(); 4].map(|()| row.number());
            weights.push((from, from + length, weight));
        })?;
        let mut segments = Vec::new();
        self.spill.each(&mut rows.segments, |row| {
            let [_, from, length] = [(); 3].map(|()| row.number());
            segments.push((from, from + length, 0));
        })?;
        let [weights, segments] = [weights, segments].map(Intervals::reversed);
        let summation = Summation::new(&waits, weights, segments, self.all_others);
        Ok((waits, summation))
    }

    fn read(
        &self,
        trace: &Trace,
        selection: &Selection,
        location: &Location,
    ) -> Result<LocationFindings, Error> {
        let (waits, summation) = self.of(location.id)?;
        let Searched { repeated, completes_sends } =
            self.searched.get(&location.id).cloned().unwrap_or_default();
        let boundaries = BoundarySearch::new(trace, repeated, selection.from);
        let sinks = (summation, (boundaries, OpenOperations::new(completes_sends)));
        let read = pass::location(trace, selection, location.id, Activity::new(sinks, selection.from));
        let Read { visitor, contexts, .. } = read;
        let (summation, (boundaries, operations)) = visitor.into_sink();
        let overlap = operations.finish(trace, &contexts);
        Ok(LocationFindings {
            waits,
            times: summation.finish(),
            contexts,
            boundaries: boundaries.finish(),
            overlap,
        })
    }
}

impl Causes {
    /// Returns the length of the run in the selected time, in nanoseconds.
    pub fn length(&self) -> u64 {
        let begin = self.spans.values().map(|span| span.0).min().unwrap_or(0);
        self.spans.values().map(|span| span.1).max().unwrap_or(0).saturating_sub(begin)
    }

    /// Notes for whom a location waited.
    fn caused(&mut self, wait: &WaitState) {
        let key = |it: &WaitState| (it.time(), std::cmp::Reverse((it.start, it.location)));
        let is_marked = wait.is_doubtful || wait.wrong_order.is_some();
        let of_kind = self.longest_of_kind.entry((wait.kind, is_marked)).or_insert(*wait);
        for longest in [of_kind, self.longest_caused.entry(wait.cause).or_insert(*wait)] {
            if key(wait) > key(longest) {
                *longest = *wait;
            }
        }
    }

    /// Returns the last event of all threads, and its location: the first one of several.
    fn end(&self, trace: &Trace) -> Option<(LocationRef, u64)> {
        let ends = self.spans.iter().filter(|(id, _)| is_thread(trace, **id)).map(|(id, span)| (*id, span.1));
        ends.rev().max_by_key(|(_, end)| *end)
    }

    fn read_again(
        &mut self,
        trace: &Trace,
        selection: &Selection,
        intervals: &Reread<'_>,
        kept: Kept,
    ) -> Result<(), Error> {
        // Failures were found by the first reading.
        let comparable = comparable(trace, &self.spans);
        self.comparable_locations.clone_from(&comparable);
        let mut longest = LongestWaits::new(kept.most);
        let mut iterations = IterationSums::new(kept.most == usize::MAX);
        let mut alike = AlikeGroups::default();
        let work = |location: &Location| intervals.read(trace, selection, location);
        pass::each(trace, selection, work, |location, found| {
            let LocationFindings { waits, times, contexts, boundaries, overlap } = found?;
            if overlap.open > 0 {
                self.overlap.insert(location.id, overlap);
            }
            let ids = self.contexts.add(ContextId::ROOT, &contexts, |it| trace.same_region(it))?;
            if intervals.first_threads.contains(&location.id) {
                let length = self.spans.get(&location.id).map_or(0, |(begin, end)| end - begin);
                iterations.add(location.id, boundaries, &ids, &waits, length);
            }
            let is_comparable = comparable.contains(&location.id);
            let is_other_thread = !is_comparable && is_thread(trace, location.id);
            self.comparable += u64::from(is_comparable);
            self.add(location.id, is_comparable, &times, &ids);
            if is_comparable {
                let times = times.times.iter().zip(&ids);
                alike.add(location.id, times.map(|(times, id)| (*id, times.working + times.waiting)));
            }
            if is_other_thread {
                for (times, id) in times.times.iter().zip(&ids).filter(|it| it.0.working > 0) {
                    *self.of_other_threads.entry(*id).or_default() += times.working;
                }
            }
            let contexts: HashMap<u64, ContextId> =
                times.calls.iter().map(|(call, id)| (*call, ids[id.index()])).collect();
            for wait in waits {
                let context = contexts.get(&wait.call).copied().unwrap_or(ContextId::ROOT);
                self.waits_by_context.entry((wait.kind, context)).or_default().add(&wait);
                longest.add(PlacedWait { wait, context });
            }
            Ok(())
        })?;
        self.waits = longest.finish();
        self.iterations = iterations.finish();
        self.alike = alike.finish();
        Ok(())
    }

    fn add(&mut self, location: LocationRef, is_comparable: bool, times: &LocationTimes, ids: &[ContextId]) {
        if times.before_start > 0 {
            self.before_start.insert(location, times.before_start);
        }
        for (times, id) in times.times.iter().zip(ids).filter(|(times, _)| **times != PlaceTimes::default()) {
            if times.blame > 0 || times.critical > 0 {
                *self.places.entry((*id, location)).or_default() += *times;
            }
            // Other threads than these can be on the path, but do not count for means.
            let times = match is_comparable {
                true => *times,
                false => PlaceTimes { critical: times.critical, ..PlaceTimes::default() },
            };
            if times != PlaceTimes::default() {
                *self.by_context.entry(*id).or_default() += times;
            }
        }
    }

    /// Makes the result independent of the order in which locations were read.
    fn sort(&mut self) {
        let (contexts, ids) = self.contexts.sorted();
        self.contexts = contexts;
        let new = |id: ContextId| ids[id.index()];
        let places = std::mem::take(&mut self.places).into_iter();
        self.places = places.map(|((id, location), times)| ((new(id), location), times)).collect();
        let by_context = std::mem::take(&mut self.by_context).into_iter();
        self.by_context = by_context.map(|(id, times)| (new(id), times)).collect();
        let others = std::mem::take(&mut self.of_other_threads).into_iter();
        self.of_other_threads = others.map(|(id, time)| (new(id), time)).collect();
        let waits = std::mem::take(&mut self.waits_by_context).into_iter();
        self.waits_by_context = waits.map(|((kind, id), waited)| ((kind, new(id)), waited)).collect();
        for placed in &mut self.waits {
            placed.context = new(placed.context);
        }
        if let Some(iterations) = &mut self.iterations {
            iterations.context = new(iterations.context);
        }
    }
}

fn is_thread(trace: &Trace, id: LocationRef) -> bool {
    trace.location(id).is_some_and(|it| it.location_type == LocationType::CPU_THREAD)
}

/// Returns the first thread with events of each process, or all threads of a single one.
fn comparable(trace: &Trace, spans: &BTreeMap<LocationRef, (u64, u64)>) -> HashSet<LocationRef> {
    let first = first_threads(trace, spans);
    match first.len() {
        1 => spans.keys().copied().filter(|id| is_thread(trace, *id)).collect(),
        _ => first,
    }
}

/// Returns the first thread with events of each process.
fn first_threads(trace: &Trace, spans: &BTreeMap<LocationRef, (u64, u64)>) -> HashSet<LocationRef> {
    let mut first = HashMap::new();
    for location in spans.keys().filter(|id| is_thread(trace, **id)).filter_map(|id| trace.location(*id)) {
        first.entry(location.group).or_insert(location.id);
    }
    first.into_values().collect()
}
