//! The critical path of operations that are joined for another purpose.

use super::chains::{Chains, LastWaitsFirst};
use super::critical_path::{CriticalPath, Segment};
use super::thread_selection::is_thread;
use crate::error::Error;
use crate::sorted_rows::SortedRows;
use crate::spill::Spill;
use crate::statistics::{Communicated, Statistics};
use crate::trace::Trace;
use kymo_otf2::references::LocationRef;

/// Finds the critical path in wait states, without another reading.
#[derive(Debug)]
pub struct PathSearch<'s> {
    spill: &'s Spill,
    waits: LastWaitsFirst<'s>,
    failure: Option<Error>,
}

impl<'s> PathSearch<'s> {
    /// Starts without wait states.
    pub fn new(spill: &'s Spill) -> Self {
        Self { spill, waits: LastWaitsFirst::new(spill), failure: None }
    }

    /// Adds a fact about communication, in any order.
    pub fn add(&mut self, communicated: &Communicated<'_>) {
        let pushed = match communicated {
            Communicated::Wait(wait) => self.waits.push(wait),
            Communicated::Creation(creation) => self.waits.push_creation(creation),
            Communicated::Operation(_) => Ok(()),
        };
        if let Err(error) = pushed {
            self.failure.get_or_insert(error);
        }
    }

    /// Passes the segments of the path, in the order of time. `statistics` are those of the same
    /// operations.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be used.
    pub fn finish(
        self,
        trace: &Trace,
        statistics: &Statistics,
        mut each: impl FnMut(Segment),
    ) -> Result<(), Error> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let times = &statistics.known_times;
        let end = last_event(trace, times.iter().map(|(id, time)| (*id, time.1)));
        let path = CriticalPath::new(self.spill, end, 0).with_table(Some(SortedRows::new(self.spill)));
        let mut chains = Chains::of(self.waits, path, self.spill)?;
        chains.path.finish(|it| times.get(&it).map_or(0, |time| time.0))?;
        let Some(segments) = chains.path.table else { return Ok(()) };
        segments.each(|[start, location, length]| {
            each(Segment { location: LocationRef(location), start, end: start + length });
            Ok(())
        })
    }
}

/// Returns the last event of all threads, and its location: the first one of several. Locations
/// come in the order of their ids, each with its last event.
pub(super) fn last_event(
    trace: &Trace,
    ends: impl DoubleEndedIterator<Item = (LocationRef, u64)>,
) -> Option<(LocationRef, u64)> {
    ends.filter(|(id, _)| is_thread(trace, *id)).rev().max_by_key(|(_, end)| *end)
}
