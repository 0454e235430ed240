//! Tables of a whole run, whose rows are too many for memory.

use super::critical_path::Segment;
use crate::error::Error;
use crate::iterations::{IterationRows, LocationIteration};
use crate::replay::IdealStep;
use crate::sorted_rows::SortedRows;
use crate::spill::Spill;
use kymo_otf2::references::LocationRef;

/// The tables that are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunTables {
    /// The segments of the critical path, in the order of time.
    pub critical_path: bool,
    /// The iterations of the first threads of processes, by location, in their order.
    pub iterations: bool,
    /// The operations of the run on an ideal network, by location, in their order.
    pub replay: bool,
}

/// A row of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunRow {
    /// Of the critical path.
    Segment(Segment),
    /// Of the iterations.
    Iteration(LocationIteration),
    /// Of the replay.
    Step(IdealStep),
}

/// The rows of the tables that are wanted.
#[derive(Debug)]
pub(super) struct TableRows<'s> {
    /// Begin, location and length.
    pub(super) segments: Option<SortedRows<'s, 3>>,
    pub(super) iterations: Option<IterationRows<'s>>,
    /// Location, time and ideal time.
    pub(super) steps: Option<SortedRows<'s, 3>>,
}

impl<'s> TableRows<'s> {
    pub(super) fn new(tables: RunTables, spill: &'s Spill) -> Self {
        Self {
            segments: tables.critical_path.then(|| SortedRows::new(spill)),
            iterations: tables.iterations.then(|| SortedRows::new(spill)),
            steps: tables.replay.then(|| SortedRows::new(spill)),
        }
    }

    /// Passes all rows.
    pub(super) fn each(self, mut each: impl FnMut(RunRow)) -> Result<(), Error> {
        if let Some(segments) = self.segments {
            segments.each(|[start, location, length]| {
                let location = LocationRef(location);
                each(RunRow::Segment(Segment { location, start, end: start + length }));
                Ok(())
            })?;
        }
        if let Some(iterations) = self.iterations {
            iterations.each(|row| {
                each(RunRow::Iteration(LocationIteration::from_row(row)));
                Ok(())
            })?;
        }
        if let Some(steps) = self.steps {
            steps.each(|[location, time, ideal]| {
                each(RunRow::Step(IdealStep { location: LocationRef(location), time, ideal }));
                Ok(())
            })?;
        }
        Ok(())
    }
}
