//! The costs of delays: how much waiting comes from work that locations did longer than those that
//! then waited for them, at any time before.
//!
//! The definition is that of Böhme et al. (TOPC 3(2), 2016), for the first locations of processes.
//! `Encounters` are noted while operations are joined. They give the intervals of wait states
//! (`intervals.rs`), in which a second reading finds the times by calling context
//! (`interval_times.rs`). Work that one side did longer than the other one is a delay; its costs
//! are found from the last wait state on (`propagation.rs`).
//!
//! Invariants: all costs and the unattributed times are the time of the wait states of MPI between
//! first locations, but for one-sided and non-blocking collective operations. Memory grows with the
//! intervals that are open, the wait states of the locations that are being read, and the result.

mod encounters;
mod interval_times;
mod intervals;
mod points;
mod propagation;
mod recency;
mod starts;

use crate::contexts::ContextId;
use crate::error::Error;
use crate::sorted_rows::SortedRows;
use crate::spill::{Spill, SpilledRows};
use crate::trace::Trace;
use crate::waits::{WaitKind, WaitState};
use foldhash::HashMap;
use intervals::IntervalRow;
use kymo_otf2::references::LocationRef;
use propagation::DELAY_ROW;
use std::collections::BTreeMap;
use std::sync::Mutex;

pub(crate) use encounters::{Encounters, EventCall, Meeting};
pub(crate) use interval_times::{FoundTimes, IntervalTimes};
pub(crate) use starts::StartCall;

/// Whether those that waited because of a delay made others wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DelayTerm {
    /// The waiting for the location itself.
    Short,
    /// The waiting for locations that waited because of the delay.
    Long,
}

impl DelayTerm {
    /// Returns the name for programs.
    pub fn key(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Long => "long",
        }
    }
}

/// The costs of delays, in nanoseconds of waiting.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Delays {
    /// By the kind of wait state, and the location and the calling context that were late;
    /// [`ContextId::ROOT`] is in no call.
    pub costs: BTreeMap<(WaitKind, DelayTerm, LocationRef, ContextId), f64>,
    /// The rest: waiting for which no delay was found.
    pub unattributed: BTreeMap<WaitKind, f64>,
}

impl Delays {
    /// Returns all costs and the unattributed times: the waiting that was divided.
    pub fn total(&self) -> f64 {
        self.costs.values().chain(self.unattributed.values()).fold(0.0, |sum, time| sum + time)
    }

    /// Gives the contexts new ids, by the present ones.
    pub(crate) fn rename(&mut self, ids: &[ContextId]) {
        let costs = std::mem::take(&mut self.costs).into_iter();
        let new = |id: ContextId| ids.get(id.index()).copied().unwrap_or(ContextId::ROOT);
        self.costs =
            costs.map(|((kind, term, location, id), cost)| ((kind, term, location, new(id)), cost)).collect();
    }
}

/// The intervals of all locations.
#[derive(Debug)]
pub(crate) struct DelayIntervals<'s> {
    spill: &'s Spill,
    rows: Mutex<HashMap<u64, SpilledRows>>,
}

impl<'s> DelayIntervals<'s> {
    /// Finds the intervals.
    pub(crate) fn of(trace: &Trace, encounters: Encounters<'s>, spill: &'s Spill) -> Result<Self, Error> {
        let rows = intervals::of_points(trace, encounters.points()?, spill)?;
        Ok(Self { spill, rows: Mutex::new(rows.into_iter().collect()) })
    }

    /// Returns the sums to begin with of a location that has these wait states.
    pub(crate) fn times(
        &self,
        location: LocationRef,
        waits: &[WaitState],
    ) -> Result<IntervalTimes<'s>, Error> {
        let rows = self.rows.lock().ok().and_then(|mut all| all.remove(&location.0));
        let (mut rows, mut intervals) = (rows.unwrap_or_default(), Vec::new());
        self.spill.each(&mut rows, |row| intervals.push(IntervalRow::from_row(row)))?;
        if let (Ok(mut all), false) = (self.rows.lock(), intervals.is_empty()) {
            all.insert(location.0, rows);
        }
        Ok(IntervalTimes::new(&intervals, waits, self.spill))
    }

    /// Returns the costs of delays.
    pub(crate) fn costs(self, times: DelayTimes<'s>) -> Result<Delays, Error> {
        let delays = times.delays()?.into_iter().collect();
        let rows = self.rows.into_inner().unwrap_or_default();
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_unstable_by_key(|it| it.0);
        propagation::costs(rows, delays, self.spill)
    }
}

/// The times of both sides of wait states.
#[derive(Debug)]
pub(crate) struct DelayTimes<'s> {
    spill: &'s Spill,
    /// The number of the wait state, the location, whether others wait, context and time.
    rows: SortedRows<'s, 5>,
}

impl<'s> DelayTimes<'s> {
    /// Starts without times.
    pub(crate) fn new(spill: &'s Spill) -> Self {
        Self { spill, rows: SortedRows::new(spill) }
    }

    /// Adds the times of a location, whose contexts have these ids.
    pub(crate) fn add(
        &mut self,
        location: LocationRef,
        found: &mut FoundTimes,
        ids: &[ContextId],
    ) -> Result<(), Error> {
        let Self { spill, rows } = self;
        found.each(spill, ids, |wait, is_cause, context, time| {
            rows.push([wait, location.0, is_cause.into(), context.0.into(), time])
        })
    }

    /// Returns the delays of each location: by how much it was longer in a context than the one
    /// that waited for it.
    fn delays(self) -> Result<Vec<(u64, SpilledRows)>, Error> {
        let mut delays = SortedRows::new(self.spill);
        let mut side_rows: Vec<[u64; 5]> = Vec::new();
        self.rows.each(|row| {
            if side_rows.last().is_some_and(|last| last[0] != row[0]) {
                push_delays(&mut side_rows, &mut delays)?;
            }
            side_rows.push(row);
            Ok(())
        })?;
        push_delays(&mut side_rows, &mut delays)?;
        delays.groups()
    }
}

/// Compares the times of the two sides of a wait state.
fn push_delays(rows: &mut Vec<[u64; 5]>, delays: &mut SortedRows<'_, DELAY_ROW>) -> Result<(), Error> {
    let waiting = rows.iter().filter(|[_, _, is_cause, ..]| *is_cause == 0);
    let waiting: HashMap<u64, u64> = waiting.map(|[.., context, time]| (*context, *time)).collect();
    for [wait, location, is_cause, context, time] in rows.drain(..) {
        let delay = time.saturating_sub(waiting.get(&context).copied().unwrap_or(0));
        if is_cause == 1 && delay > 0 {
            delays.push([location, wait, context, delay])?;
        }
    }
    Ok(())
}
