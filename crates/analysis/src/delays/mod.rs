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

mod costs;
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
use crate::waits::WaitState;
use foldhash::HashMap;
use intervals::IntervalRow;
use kymo_otf2::references::LocationRef;
use propagation::DELAY_ROW;
use std::sync::Mutex;

pub use costs::{DelayTerm, Delays};
pub(crate) use encounters::Encounters;
pub(crate) use interval_times::{FoundTimes, IntervalTimes};
pub(crate) use starts::StartCall;

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
