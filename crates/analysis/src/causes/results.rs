//! The causes of a run, and how the second reading adds to them.

use super::critical_path::PathFacts;
use super::longest_waits::{LongestWaits, PlacedWait};
use super::place_times::PlaceTimes;
use super::second_reading::{LocationFindings, SecondReading};
use super::summation::LocationTimes;
use super::thread_selection::{comparable, is_thread};
use crate::alike::{AlikeGroups, AlikeLocations};
use crate::communication_times::CommunicationTimes;
use crate::contexts::{ContextId, Contexts};
use crate::delays::{DelayTimes, Delays};
use crate::error::Error;
use crate::iterations::{IterationRows, IterationSums, Iterations};
use crate::lateness::LatenessByLocation;
use crate::message_times::MessageTimes;
use crate::overlap::Overlap;
use crate::pass::{self, Selection};
use crate::replay::SendRule;
use crate::statistics::Statistics;
use crate::trace::{Location, Trace};
use crate::waits::{WaitKind, WaitState, Waited};
use kymo_otf2::references::LocationRef;
use std::collections::{BTreeMap, HashMap, HashSet};

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
    /// The time that these operations waited for their completion, without wait states, by context,
    /// of the locations that can be compared.
    pub waited_in_background: BTreeMap<ContextId, u128>,
    /// The time of calls that send or receive short messages, without wait states, by context, of
    /// the locations that can be compared.
    pub small_message_times: BTreeMap<ContextId, u128>,
    /// How long messages take.
    pub message_times: MessageTimes,
    /// Begin and end of each location in the selected time: its first and its last event there,
    /// or the begin and the end of that time if there are others before and after.
    pub spans: BTreeMap<LocationRef, (u64, u64)>,
    /// The costs of delays, if they were asked for.
    pub delays: Option<Delays>,
    /// How late operations were, step by step, if that was asked for.
    pub lateness: Option<LatenessByLocation>,
}

/// The results to find beside the causes, and how to find them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extras {
    /// Whether to find the costs of delays: [`Causes::delays`].
    pub delays: bool,
    /// Whether to find how late operations were: [`Causes::lateness`].
    pub lateness: bool,
    /// The rule by which the ideal run replays sends.
    pub sends: SendRule,
}

/// How many rows to keep of tables that grow with the events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// The number of wait states and of segments of the critical path.
    pub most: usize,
}

impl Causes {
    /// Returns the length of the run in the selected time, in nanoseconds.
    pub fn length(&self) -> u64 {
        let begin = self.spans.values().map(|span| span.0).min().unwrap_or(0);
        self.spans.values().map(|span| span.1).max().unwrap_or(0).saturating_sub(begin)
    }

    /// Notes for whom a location waited.
    pub(super) fn caused(&mut self, wait: &WaitState) {
        let key = |it: &WaitState| (it.time(), std::cmp::Reverse((it.start, it.location)));
        let is_marked = wait.is_doubtful || wait.wrong_order.is_some();
        let of_kind = self.longest_of_kind.entry((wait.kind, is_marked)).or_insert(*wait);
        for longest in [of_kind, self.longest_caused.entry(wait.cause).or_insert(*wait)] {
            if key(wait) > key(longest) {
                *longest = *wait;
            }
        }
    }

    /// Reads all locations again. Returns the rows of their iterations, if there is a table for
    /// them.
    pub(super) fn read_again<'s>(
        &mut self,
        trace: &Trace,
        selection: &Selection,
        intervals: &SecondReading<'s>,
        kept: Kept,
        table: Option<IterationRows<'s>>,
    ) -> Result<(DelayTimes<'s>, Option<IterationRows<'s>>), Error> {
        // Failures were found by the first reading.
        let comparable = comparable(trace, &self.spans);
        self.comparable_locations.clone_from(&comparable);
        let mut longest = LongestWaits::new(kept.most);
        let mut iterations = IterationSums::new(kept.most == usize::MAX, table);
        let mut alike = AlikeGroups::new(comparable.iter().copied());
        let mut delay_times = DelayTimes::new(intervals.spill);
        let work = |location: &Location| intervals.read(trace, selection, location);
        pass::each(trace, selection, work, |location, found| {
            let LocationFindings { waits, times, contexts, boundaries, communication, delays } = found?;
            if communication.overlap.open > 0 {
                self.overlap.insert(location.id, communication.overlap);
            }
            let ids = self.contexts.add(ContextId::ROOT, &contexts, |it| trace.same_region(it))?;
            if intervals.first_threads.contains(&location.id) {
                let length = self.spans.get(&location.id).map_or(0, |(begin, end)| end - begin);
                iterations.add(location.id, boundaries, &ids, &waits, length)?;
            }
            let is_comparable = comparable.contains(&location.id);
            if is_comparable {
                let CommunicationTimes { waited, small, .. } = communication;
                let sums = [(&mut self.waited_in_background, waited), (&mut self.small_message_times, small)];
                for (all, own) in sums {
                    own.iter().for_each(|(id, time)| *all.entry(ids[id.index()]).or_default() += time);
                }
            }
            let is_other_thread = !is_comparable && is_thread(trace, location.id);
            self.comparable += u64::from(is_comparable);
            self.add(location.id, is_comparable, &times, &ids);
            if let Some(mut found) = delays {
                delay_times.add(location.id, &mut found, &ids)?;
            }
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
        let table = iterations.take_table();
        self.iterations = iterations.finish();
        self.alike = alike.finish();
        Ok((delay_times, table))
    }

    pub(super) fn add(
        &mut self,
        location: LocationRef,
        is_comparable: bool,
        times: &LocationTimes,
        ids: &[ContextId],
    ) {
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
    pub(super) fn sort(&mut self) {
        let (contexts, ids) = self.contexts.sorted();
        self.contexts = contexts;
        let new = |id: ContextId| ids[id.index()];
        let places = std::mem::take(&mut self.places).into_iter();
        self.places = places.map(|((id, location), times)| ((new(id), location), times)).collect();
        let by_context = std::mem::take(&mut self.by_context).into_iter();
        self.by_context = by_context.map(|(id, times)| (new(id), times)).collect();
        let others = std::mem::take(&mut self.of_other_threads).into_iter();
        self.of_other_threads = others.map(|(id, time)| (new(id), time)).collect();
        for by_context in [&mut self.waited_in_background, &mut self.small_message_times] {
            let all = std::mem::take(by_context).into_iter();
            *by_context = all.map(|(id, time)| (new(id), time)).collect();
        }
        let waits = std::mem::take(&mut self.waits_by_context).into_iter();
        self.waits_by_context = waits.map(|((kind, id), waited)| ((kind, new(id)), waited)).collect();
        if let Some(delays) = &mut self.delays {
            delays.rename(&ids);
        }
        for placed in &mut self.waits {
            placed.context = new(placed.context);
        }
        if let Some(iterations) = &mut self.iterations {
            iterations.context = new(iterations.context);
        }
    }
}
