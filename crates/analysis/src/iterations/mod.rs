//! The iterations of a run, found without marks in the program.
//!
//! On the first thread of each process, the calls that repeat and have most time begin iterations
//! (`repeated_calls.rs`, `boundaries.rs`). Iterations of different processes belong together if
//! they have the same number of them. How much the time of each context varies from one to the next
//! is found by readings of its own (`blocks.rs`).
//!
//! Invariant: unless the iterations of each location are asked for, memory grows with the number of
//! iterations, not with locations.

mod blocks;
mod boundaries;
mod repeated_calls;

use crate::contexts::ContextId;
use crate::error::Error;
use crate::robust::{RobustSpread, deviation, median, trend};
use crate::sorted_rows::SortedRows;
use crate::waits::WaitState;
use kymo_otf2::references::{LocationRef, RegionRef};
use std::collections::BTreeMap;

pub use blocks::{IterationBlocks, add_by_block};
pub(crate) use boundaries::{Boundaries, BoundarySearch};
pub use repeated_calls::RepeatedCalls;

/// The least number of iterations whose spread says how certain the length of a run is.
const LEAST_FOR_ERROR: usize = 5;
/// Iterations are most of the time from this part of it on.
const MOST_OF_TIME: f64 = 0.5;

/// An iteration of all processes. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Iteration {
    /// The first begin and the last end.
    pub span: (u64, u64),
    /// The sum of the lengths.
    pub length: u128,
    /// The sum of the times of computation.
    pub useful: u128,
    /// The longest time of computation, and the location.
    pub most_useful: (u64, LocationRef),
    /// The sum of the times in wait states.
    pub waiting: u128,
    /// The longest time beside wait states, and the location.
    pub busiest: (u64, LocationRef),
}

/// The iterations of a location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocationIterations {
    /// The location.
    pub location: LocationRef,
    /// The region with which each iteration begins.
    pub anchor: RegionRef,
    /// When the iterations begin.
    pub starts: Vec<u64>,
    /// When the last one ends.
    pub end: u64,
}

/// The iterations of a run. Times are in nanoseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Iterations {
    /// The region with which each iteration begins on the first location.
    pub anchor: RegionRef,
    /// The context of these calls.
    pub context: ContextId,
    /// The iterations, in their order.
    pub all: Vec<Iteration>,
    /// The number of locations that have them.
    pub locations: u64,
    /// The number of locations that have another number of iterations.
    pub others: u64,
    /// The part of the time of these locations that is in iterations, from 0 to 1.
    pub share: f64,
    /// By how much an iteration is longer than the one before, if that is certain, in nanoseconds.
    pub trend: Option<f64>,
    /// The iterations of each location, if all are kept.
    pub of_locations: Vec<LocationIterations>,
}

impl Iterations {
    /// Returns the mean lengths.
    pub fn lengths(&self) -> Vec<f64> {
        self.all.iter().map(|it| it.length as f64 / self.locations.max(1) as f64).collect()
    }

    /// Returns the numbers of the iterations whose mean lengths are far from the others.
    pub fn outliers(&self) -> Vec<usize> {
        let lengths = self.lengths();
        let Some(spread) = RobustSpread::of(&lengths) else { return Vec::new() };
        let outlying = lengths.iter().enumerate().filter(|(_, length)| spread.is_outlier(**length));
        outlying.map(|(number, _)| number).collect()
    }

    /// Returns the median of the mean lengths, in nanoseconds.
    pub fn median(&self) -> f64 {
        median(self.lengths()).unwrap_or(0.0)
    }

    /// Returns the standard error of the sum of the lengths, in nanoseconds: 1.4826 times the
    /// median absolute deviation, times the root of their number. `None` for fewer than five
    /// iterations, or if they are not most of the time.
    pub fn error(&self) -> Option<f64> {
        let lengths = self.lengths();
        let is_known = self.is_most() && lengths.len() >= LEAST_FOR_ERROR;
        deviation(&lengths).filter(|_| is_known).map(|it| it * (lengths.len() as f64).sqrt())
    }

    /// Returns whether most of the time of the locations is in iterations.
    pub fn is_most(&self) -> bool {
        self.share >= MOST_OF_TIME
    }
}

/// An iteration of a location. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocationIteration {
    /// The location.
    pub location: LocationRef,
    /// The number, from 0.
    pub number: u64,
    /// The region with which it begins.
    pub anchor: RegionRef,
    /// When it begins.
    pub start: u64,
    /// Its length.
    pub length: u64,
    /// The time of computation.
    pub useful: u64,
    /// The time in wait states.
    pub waiting: u64,
}

impl LocationIteration {
    /// The length of a row, which begins with the id of the location.
    pub(crate) const NUMBERS: usize = 7;

    fn to_row(self) -> [u64; Self::NUMBERS] {
        let Self { location, number, anchor, start, length, useful, waiting } = self;
        [location.0, number, anchor.0.into(), start, length, useful, waiting]
    }

    /// Reads a row.
    pub(crate) fn from_row(row: [u64; Self::NUMBERS]) -> Self {
        let [location, number, anchor, start, length, useful, waiting] = row;
        let (location, anchor) = (LocationRef(location), RegionRef(anchor as u32));
        Self { location, number, anchor, start, length, useful, waiting }
    }
}

/// The iterations of all locations as rows.
pub(crate) type IterationRows<'s> = SortedRows<'s, { LocationIteration::NUMBERS }>;

/// Joins the iterations of locations.
#[derive(Debug, Default)]
pub(crate) struct IterationSums<'s> {
    /// By the number of iterations.
    groups: BTreeMap<usize, Group>,
    /// The number of locations without iterations.
    without: u64,
    keeps_all: bool,
    of_locations: Vec<LocationIterations>,
    table: Option<IterationRows<'s>>,
}

#[derive(Debug, Default)]
struct Group {
    /// The first location, and the context and the region with which its iterations begin.
    anchor: Option<(LocationRef, ContextId, RegionRef)>,
    all: Vec<Iteration>,
    locations: u64,
    /// The sum of the times that are in iterations, and of the lengths.
    times: [u128; 2],
}

impl<'s> IterationSums<'s> {
    /// Starts without locations. With `keeps_all`, the iterations of each one are kept; with a
    /// table, they are rows of that.
    pub(crate) fn new(keeps_all: bool, table: Option<IterationRows<'s>>) -> Self {
        Self { keeps_all, table, ..Self::default() }
    }

    /// Adds a location, with its wait states in the order of time and its length. `ids` are the ids
    /// of its contexts in the trace.
    pub(crate) fn add(
        &mut self,
        location: LocationRef,
        boundaries: Option<Boundaries>,
        ids: &[ContextId],
        waits: &[WaitState],
        length: u64,
    ) -> Result<(), Error> {
        let Some(boundaries) = boundaries else {
            self.without += 1;
            return Ok(());
        };
        let Boundaries { anchor: (context, anchor), starts, useful, end } = boundaries;
        let group = self.groups.entry(starts.len()).or_default();
        // The first location decides, whichever is read first.
        let context = ids.get(context.index()).copied().unwrap_or(ContextId::ROOT);
        let first = (location, context, anchor);
        group.anchor = Some(group.anchor.map_or(first, |it| it.min(first)));
        group.locations += 1;
        let first = starts.first().copied().unwrap_or(end);
        group.times[0] += u128::from(end.saturating_sub(first));
        group.times[1] += u128::from(length);
        if group.all.is_empty() {
            let none = Iteration {
                span: (u64::MAX, 0),
                most_useful: (0, LocationRef::UNDEFINED),
                busiest: (0, LocationRef::UNDEFINED),
                ..Iteration::default()
            };
            group.all.resize(starts.len(), none);
        }
        let mut waits = waits.iter().peekable();
        for (number, iteration) in group.all.iter_mut().enumerate() {
            let start = starts[number];
            let until = starts.get(number + 1).copied().unwrap_or(end).max(start);
            iteration.span = (iteration.span.0.min(start), iteration.span.1.max(until));
            iteration.length += u128::from(until - start);
            iteration.useful += u128::from(useful[number]);
            iteration.most_useful = longest(iteration.most_useful, (useful[number], location));
            let mut waiting = 0;
            while let Some(wait) = waits.peek().filter(|wait| wait.start < until) {
                waiting += wait.end.min(until).saturating_sub(wait.start.max(start));
                if wait.end > until {
                    break;
                }
                waits.next();
            }
            iteration.waiting += u128::from(waiting);
            let busy = (until - start).saturating_sub(waiting);
            iteration.busiest = longest(iteration.busiest, (busy, location));
            if let Some(table) = &mut self.table {
                let (length, useful) = (until - start, useful[number]);
                let number = number as u64;
                let row = LocationIteration { location, number, anchor, start, length, useful, waiting };
                table.push(row.to_row())?;
            }
        }
        if self.keeps_all {
            self.of_locations.push(LocationIterations { location, anchor, starts, end });
        }
        Ok(())
    }

    /// Takes the table.
    pub(crate) fn take_table(&mut self) -> Option<IterationRows<'s>> {
        self.table.take()
    }

    /// Returns the iterations that most locations have; of several, the most ones.
    pub(crate) fn finish(mut self) -> Option<Iterations> {
        let locations: u64 = self.groups.values().map(|group| group.locations).sum::<u64>() + self.without;
        let (number, _) = self.groups.iter().max_by_key(|(number, group)| (group.locations, **number))?;
        let group = self.groups.remove(&number.clone())?;
        let (_, context, anchor) = group.anchor?;
        self.of_locations.sort_by_key(|it| it.location);
        let mut iterations = Iterations {
            anchor,
            context,
            all: group.all,
            locations: group.locations,
            others: locations - group.locations,
            share: group.times[0] as f64 / group.times[1].max(1) as f64,
            trend: None,
            of_locations: self.of_locations,
        };
        iterations.trend = trend(&iterations.lengths());
        Some(iterations)
    }
}

/// Returns the longer one of two times, or that of the first location.
fn longest(one: (u64, LocationRef), other: (u64, LocationRef)) -> (u64, LocationRef) {
    std::cmp::max_by_key(one, other, |(time, location)| (*time, std::cmp::Reverse(*location)))
}
