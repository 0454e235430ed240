//! Which locations are late, step by step.
//!
//! Operations that have nothing before them are in step 1, others one step after the last one of
//! those before them: the previous operation of the location and, for a receive, its send. The
//! members of a collective operation share the step after the last of those before any of them. The
//! *lateness* of an operation is how much later than the first one of its step it ended. The part
//! of it beyond that of all those before it is its *new* lateness: it arises there.
//!
//! Invariant: a location has at most one operation in a step.

use crate::error::Error;
use crate::sorted_rows::SortedRows;
use crate::spill::Spill;
use foldhash::{HashMap, HashMapExt, HashSet};
use kymo_otf2::references::LocationRef;
use std::collections::BTreeMap;

/// How late the operations of a location ended. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lateness {
    /// The number of operations in steps that count.
    pub operations: u64,
    /// How many of them were the last ones of their steps, and late.
    pub last: u64,
    /// The sum of their lateness.
    pub time: u128,
    /// The sum of their new lateness.
    pub new: u128,
    /// The largest new lateness, and when that operation ended.
    pub most: (u64, u64),
}

/// The lateness of all locations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LatenessByLocation {
    /// By location.
    pub locations: BTreeMap<LocationRef, Lateness>,
    /// The number of steps.
    pub steps: u64,
    /// The number of those in which fewer than half of these locations have operations; they do
    /// not count.
    pub left_out: u64,
    /// The number of operations whose steps are too low, since operations before them on other
    /// locations were not awaited: too many operations waited, or clocks contradict each other.
    pub not_awaited: u64,
}

/// The predecessors of an operation, beside the previous one of its location. Locations are
/// numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StepLink {
    /// Nothing.
    None,
    /// A send: the location, and the step.
    Send(usize, u64),
    /// The predecessors of all members of the collective operation with this number.
    Members(usize),
}

/// An operation.
#[derive(Debug, Clone, Copy)]
struct SteppedOperation {
    location: usize,
    /// When its call ended.
    end: u64,
    link: StepLink,
}

/// The operations of all locations with their steps, in any order.
#[derive(Debug)]
pub(crate) struct SteppedOperations<'s> {
    /// Step, number of the location, end, and the link in two numbers.
    rows: SortedRows<'s, 5>,
    locations: Vec<LocationRef>,
    has_operations: Vec<bool>,
    failure: Option<Error>,
}

/// The end in the row of a send that is received: not of an operation, but that its lateness will
/// be asked for.
const IS_RECEIVED: u64 = u64::MAX;

impl<'s> SteppedOperations<'s> {
    /// Starts without operations of locations, which have numbers by their order from now on.
    pub(crate) fn new(spill: &'s Spill, locations: Vec<LocationRef>) -> Self {
        let has_operations = vec![false; locations.len()];
        Self { rows: SortedRows::new(spill), locations, has_operations, failure: None }
    }

    /// Adds the operation of a location in a step.
    pub(crate) fn push(&mut self, step: u64, location: usize, end: u64, link: StepLink) {
        let (kind, number) = match link {
            StepLink::None => (0, 0),
            StepLink::Members(operation) => (1, operation as u64),
            StepLink::Send(sender, sent) => {
                self.push_row([sent, sender as u64, IS_RECEIVED, 0, 0]);
                (2 + sender as u64, sent)
            }
        };
        self.has_operations[location] = true;
        self.push_row([step, location as u64, end.min(IS_RECEIVED - 1), kind, number]);
    }

    fn push_row(&mut self, row: [u64; 5]) {
        if let Err(error) = self.rows.push(row) {
            self.failure.get_or_insert(error);
        }
    }

    /// Returns how late the operations were, of which this many were not awaited.
    ///
    /// # Errors
    ///
    /// If a temporary file could not be used.
    pub(crate) fn lateness(self, not_awaited: u64) -> Result<LatenessByLocation, Error> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        let active = self.has_operations.iter().filter(|it| **it).count();
        let mut steps = StepSums::new(self.locations.len(), active);
        self.rows.each(|[step, location, end, kind, number]| {
            steps.begin(step);
            let location = location as usize;
            if end == IS_RECEIVED {
                steps.received.insert(location);
                return Ok(());
            }
            let link = match kind {
                0 => StepLink::None,
                1 => StepLink::Members(number as usize),
                sender => StepLink::Send(sender as usize - 2, number),
            };
            steps.operations.push(SteppedOperation { location, end, link });
            Ok(())
        })?;
        steps.end_step();
        let sums = self.locations.into_iter().zip(steps.sums);
        Ok(LatenessByLocation {
            locations: sums.filter(|(_, sums)| sums.operations > 0).collect(),
            steps: steps.count,
            left_out: steps.left_out,
            not_awaited,
        })
    }
}

/// The sums of the steps before the current one.
#[derive(Debug)]
struct StepSums {
    sums: Vec<Lateness>,
    count: u64,
    left_out: u64,
    /// The least number of operations in a step that counts.
    least: usize,
    current: u64,
    /// The operations of the current step.
    operations: Vec<SteppedOperation>,
    /// The locations whose sends in it are received.
    received: HashSet<usize>,
    /// The lateness of the last operation of each location.
    latest: Vec<u64>,
    /// The lateness of the sends that are received in later steps, by location and step.
    sent: HashMap<(usize, u64), u64>,
}

impl StepSums {
    fn new(locations: usize, active: usize) -> Self {
        Self {
            sums: vec![Lateness::default(); locations],
            count: 0,
            left_out: 0,
            least: active.div_ceil(2),
            current: 0,
            operations: Vec::new(),
            received: HashSet::default(),
            latest: vec![0; locations],
            sent: HashMap::new(),
        }
    }

    /// A row of a step follows.
    fn begin(&mut self, step: u64) {
        if step != self.current {
            self.end_step();
            self.current = step;
        }
    }

    fn end_step(&mut self) {
        let mut operations = std::mem::take(&mut self.operations);
        let ends = || operations.iter().map(|it| it.end);
        let (Some(first), Some(last)) = (ends().min(), ends().max()) else { return };
        let mut before_members: HashMap<usize, u64> = HashMap::new();
        for it in &operations {
            if let StepLink::Members(operation) = it.link {
                let latest = before_members.entry(operation).or_default();
                *latest = self.latest[it.location].max(*latest);
            }
        }
        let counts = operations.len() >= self.least;
        self.count += 1;
        self.left_out += u64::from(!counts);
        for it in operations.drain(..) {
            let before = match it.link {
                StepLink::None => 0,
                StepLink::Members(operation) => before_members.get(&operation).copied().unwrap_or(0),
                StepLink::Send(sender, step) => self.sent.remove(&(sender, step)).unwrap_or(0),
            };
            let late = it.end - first;
            let new = late.saturating_sub(before.max(self.latest[it.location]));
            self.latest[it.location] = late;
            if self.received.contains(&it.location) {
                self.sent.insert((it.location, self.current), late);
            }
            if counts {
                let sums = &mut self.sums[it.location];
                sums.operations += 1;
                sums.last += u64::from(it.end == last && late > 0);
                sums.time += u128::from(late);
                sums.new += u128::from(new);
                if new > sums.most.0 {
                    sums.most = (new, it.end);
                }
            }
        }
        self.received.clear();
        self.operations = operations;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row = (u64, usize, u64, StepLink);

    fn lateness(rows: &[Row]) -> LatenessByLocation {
        let spill = Spill::default();
        let mut operations = SteppedOperations::new(&spill, (0..3).map(LocationRef).collect());
        rows.iter().for_each(|(step, location, end, link)| operations.push(*step, *location, *end, *link));
        operations.lateness(0).expect("lateness")
    }

    fn of(all: &LatenessByLocation, location: u64) -> [u128; 4] {
        let it = all.locations[&LocationRef(location)];
        [it.operations.into(), it.last.into(), it.time, it.new]
    }

    #[test]
    fn what_an_operation_is_later_than_those_before_it_is_new() {
        let send = |sender, step| StepLink::Send(sender, step);
        // The first location is 30 late in step 1; its receiver is as late in step 2, and 10 more.
        let all = lateness(&[
            (2, 1, 90, send(0, 1)),
            (1, 0, 50, StepLink::None),
            (1, 2, 20, StepLink::None),
            (2, 2, 50, StepLink::None),
        ]);
        assert_eq!([0, 1, 2].map(|it| of(&all, it)), [[1, 1, 30, 30], [1, 1, 40, 10], [2, 0, 0, 0]]);
        assert_eq!(all.locations[&LocationRef(1)].most, (10, 90));
    }

    #[test]
    fn before_a_collective_operation_is_what_was_before_all_members() {
        let members = StepLink::Members(0);
        let all = lateness(&[
            (1, 0, 50, StepLink::None),
            (1, 1, 20, StepLink::None),
            (2, 0, 60, members),
            (2, 1, 95, members),
        ]);
        assert_eq!([0, 1].map(|it| of(&all, it)), [[2, 1, 30, 30], [2, 1, 35, 5]]);
    }

    #[test]
    fn steps_of_fewer_than_half_of_the_locations_do_not_count() {
        let rows = [(1, 0, 50), (1, 1, 20), (1, 2, 30), (2, 0, 60), (3, 0, 70), (3, 1, 75)];
        let all = lateness(&rows.map(|(step, location, end)| (step, location, end, StepLink::None)));
        assert_eq!((all.steps, all.left_out, of(&all, 0), of(&all, 1)), (3, 1, [2, 1, 30, 30], [2, 1, 5, 5]));
    }
}
