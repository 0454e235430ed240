//! The intervals of wait states: on both sides, from the last synchronisation point with the other
//! location to the event of the wait state.
//!
//! Invariants: the intervals of a location with one partner do not overlap; the rows of a location
//! are in the order of its events, those of an event that is a cause before that of its own wait.

use super::points::{PointRole, PointRow, SynchronisationPoints};
use crate::error::Error;
use crate::sorted_rows::SortedRows;
use crate::spill::{Row, Spill, SpilledRows};
use crate::trace::Trace;
use crate::waits::EventCall;
use foldhash::HashMap;
use kymo_otf2::enums::Paradigm;
use kymo_otf2::references::{CommRef, LocationRef};

/// The begin of an interval: a synchronisation point, or that of the location.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct IntervalBegin {
    /// The number of the event, of all those with points of the location; 0 for its begin.
    pub(super) position: u64,
    /// The call of the point: its number, which is 0 if there is no known one, and its begin.
    pub(super) call: u64,
    pub(super) start: u64,
    /// The length of the call, and how much of it counts.
    pub(super) total: u64,
    pub(super) completion: u64,
}

/// The interval of one side of a wait state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IntervalRow {
    pub(super) location: LocationRef,
    /// The number of the wait state.
    pub(super) wait: u64,
    /// Whether the other location waits for this one.
    pub(super) is_cause: bool,
    pub(super) kind: u64,
    /// The time of the wait state.
    pub(super) waited: u64,
    pub(super) begin: IntervalBegin,
    /// The event at which the interval ends: its number, its time, and its call.
    pub(super) position: u64,
    pub(super) time: u64,
    pub(super) call: u64,
    pub(super) start: u64,
    /// The time of the location's wait states between begin and end.
    pub(super) inside: u64,
}

impl IntervalRow {
    pub(super) const NUMBERS: usize = 15;

    fn to_row(self) -> [u64; Self::NUMBERS] {
        let IntervalBegin { position, call, start, total, completion } = self.begin;
        [
            self.location.0,
            self.wait,
            self.is_cause.into(),
            self.kind,
            self.waited,
            position,
            call,
            start,
            total,
            completion,
            self.position,
            self.time,
            self.call,
            self.start,
            self.inside,
        ]
    }

    /// Reads a row.
    pub(super) fn from_row(row: &mut Row<'_>) -> Self {
        Self::from_numbers(std::array::from_fn(|_| row.number()))
    }

    /// Reads the numbers of a row.
    pub(super) fn from_numbers(row: [u64; Self::NUMBERS]) -> Self {
        let [location, wait, is_cause, kind, waited, from, from_call, from_start, rest @ ..] = row;
        let [total, completion, position, time, call, start, inside] = rest;
        let begin = IntervalBegin { position: from, call: from_call, start: from_start, total, completion };
        let location = LocationRef(location);
        let is_cause = is_cause == 1;
        Self { location, wait, is_cause, kind, waited, begin, position, time, call, start, inside }
    }
}

/// A point of a location up to which its waits are known.
#[derive(Debug, Clone, Copy, Default)]
struct LastPoint {
    begin: IntervalBegin,
    /// The time of the wait states of the location up to it.
    waited: u64,
}

/// The last points of a location.
#[derive(Debug, Default)]
struct LastPoints {
    position: u64,
    /// The time of its wait states so far.
    waited: u64,
    partners: HashMap<LocationRef, LastPoint>,
    /// With all members of communicators, or of the world, in the order of time.
    communicators: Vec<(Option<CommRef>, LastPoint)>,
}

impl LastPoints {
    /// Returns the last point with a partner, or the begin of the location.
    fn with(&self, trace: &Trace, partner: LocationRef) -> LastPoint {
        let last = self.partners.get(&partner).copied().unwrap_or_default();
        let later =
            self.communicators.iter().rev().take_while(|it| it.1.begin.position > last.begin.position);
        let mut with_all = later.filter(|(communicator, _)| is_member(trace, *communicator, partner));
        with_all.next().map_or(last, |it| it.1)
    }

    /// Notes the points of an event.
    fn note(&mut self, trace: &Trace, points: &[PointRow]) {
        for point in points {
            let waited = if point.role == PointRole::Waiting { point.waited } else { 0 };
            self.waited = self.waited.saturating_add(waited);
        }
        for point in points.iter().filter(|it| it.synchronises) {
            let EventCall { call, start, end, .. } = point.event;
            let total = end.saturating_sub(start);
            let begin =
                IntervalBegin { position: self.position, call, start, total, completion: point.completion };
            let last = LastPoint { begin, waited: self.waited };
            match point.role {
                PointRole::Member => self.note_all(trace, communicator(point), last),
                PointRole::Cause | PointRole::Waiting => {
                    self.partners.insert(LocationRef(point.partner), last);
                }
            }
        }
    }

    /// Notes a point with all members. Earlier ones with them are not needed any more.
    fn note_all(&mut self, trace: &Trace, communicator: Option<CommRef>, last: LastPoint) {
        if is_world(trace, communicator) {
            self.partners.clear();
            self.communicators.clear();
        }
        self.communicators.retain(|(other, _)| *other != communicator);
        self.communicators.push((communicator, last));
    }
}

/// Returns the communicator of a member's point; `None` is the world.
fn communicator(point: &PointRow) -> Option<CommRef> {
    point.partner.checked_sub(1).map(|id| CommRef(id as u32))
}

fn is_member(trace: &Trace, communicator: Option<CommRef>, location: LocationRef) -> bool {
    let Some(id) = communicator else { return true };
    let communicator = trace.communicators().get(id);
    communicator.is_some_and(|it| it.rank(location, trace.process(location)).is_some())
}

fn is_world(trace: &Trace, communicator: Option<CommRef>) -> bool {
    let Some(id) = communicator else { return true };
    let all = trace.communicators().world_size(Paradigm::MPI) as u64;
    trace.communicators().get(id).is_some_and(|it| it.members() == all && !it.is_inter())
}

/// Returns the rows of the intervals of each location.
pub(super) fn of_points<'s>(
    trace: &Trace,
    points: SynchronisationPoints<'s>,
    spill: &'s Spill,
) -> Result<Vec<(u64, SpilledRows)>, Error> {
    let mut locations: HashMap<LocationRef, LastPoints> = HashMap::default();
    let mut rows: SortedRows<'s, { IntervalRow::NUMBERS }> = SortedRows::new(spill);
    points.each(|points| {
        let Some(PointRow { event, .. }) = points.first() else { return Ok(()) };
        let last = locations.entry(event.location).or_default();
        last.position += 1;
        for point in points.iter().filter(|it| it.role != PointRole::Member) {
            let since = last.with(trace, LocationRef(point.partner));
            rows.push(interval(last, since, point).to_row())?;
        }
        last.note(trace, points);
        Ok(())
    })?;
    rows.groups()
}

fn interval(last: &LastPoints, since: LastPoint, point: &PointRow) -> IntervalRow {
    IntervalRow {
        location: point.event.location,
        wait: point.wait,
        is_cause: point.role == PointRole::Cause,
        kind: point.kind,
        waited: point.waited,
        begin: since.begin,
        position: last.position,
        time: point.event.time,
        call: point.event.call,
        start: point.event.start,
        inside: last.waited.saturating_sub(since.waited),
    }
}
