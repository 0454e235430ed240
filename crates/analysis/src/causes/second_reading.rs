//! The second reading of locations, with the findings of the first one.

use super::chains::Chains;
use super::summation::{Intervals, LocationTimes, Summation};
use crate::calls::Activity;
use crate::communication_times::{CommunicationCalls, CommunicationTimes};
use crate::contexts::Contexts;
use crate::delays::{DelayIntervals, FoundTimes, IntervalTimes};
use crate::error::Error;
use crate::iterations::{Boundaries, BoundarySearch, RepeatedCalls};
use crate::pass::{self, Read, Selection};
use crate::spill::{Spill, SpilledRows};
use crate::trace::{Location, Trace};
use crate::waits::WaitState;
use kymo_otf2::references::LocationRef;
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

/// The rows of intervals of a location.
#[derive(Debug, Default)]
pub(super) struct IntervalRows {
    waits: SpilledRows,
    weights: SpilledRows,
    segments: SpilledRows,
}

/// The inputs of the second reading.
#[derive(Debug)]
pub(super) struct SecondReading<'s> {
    pub(super) spill: &'s Spill,
    pub(super) rows: Mutex<HashMap<LocationRef, IntervalRows>>,
    pub(super) all_others: u64,
    pub(super) searched: HashMap<LocationRef, Searched>,
    pub(super) first_threads: HashSet<LocationRef>,
    pub(super) delays: Option<DelayIntervals<'s>>,
}

/// The findings of the first reading about a location.
#[derive(Debug, Clone, Default)]
pub(super) struct Searched {
    pub(super) repeated: Option<RepeatedCalls>,
    pub(super) completes_sends: bool,
    pub(super) exchanges: bool,
}

/// The findings of the second reading of a location.
pub(super) struct LocationFindings {
    pub(super) waits: Vec<WaitState>,
    pub(super) times: LocationTimes,
    pub(super) contexts: Contexts,
    pub(super) boundaries: Option<Boundaries>,
    pub(super) communication: CommunicationTimes,
    pub(super) delays: Option<FoundTimes>,
}

/// Returns the rows by location.
pub(super) fn rows(chains: Chains<'_>) -> Result<HashMap<LocationRef, IntervalRows>, Error> {
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

impl SecondReading<'_> {
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

    /// Reads a location again.
    pub(super) fn read(
        &self,
        trace: &Trace,
        selection: &Selection,
        location: &Location,
    ) -> Result<LocationFindings, Error> {
        let (waits, summation) = self.of(location.id)?;
        let Searched { repeated, completes_sends, exchanges } =
            self.searched.get(&location.id).cloned().unwrap_or_default();
        let boundaries = BoundarySearch::new(trace, repeated, selection.from);
        let delays = self.delays.as_ref().map(|it| it.times(location.id, &waits)).transpose()?;
        let calls =
            exchanges.then(|| CommunicationCalls::new(trace, completes_sends, &waits, selection.from));
        let sinks = ((summation, delays), (boundaries, calls));
        let read = pass::location(trace, selection, location.id, Activity::new(sinks, selection.from));
        let Read { visitor, contexts, .. } = read;
        let ((summation, delays), (boundaries, calls)) = visitor.into_sink();
        let communication = calls.map(|it| it.finish(&contexts)).unwrap_or_default();
        let times = summation.finish();
        Ok(LocationFindings {
            waits,
            boundaries: boundaries.finish(times.ran_outside),
            times,
            contexts,
            communication,
            delays: delays.map(IntervalTimes::finish).transpose()?,
        })
    }
}
