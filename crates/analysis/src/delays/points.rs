//! Synchronisation points: events of locations, in the order of time.
//!
//! Invariant: the points of an event are passed together, those of a location in the order of its
//! events.

use crate::error::Error;
use crate::sorted_rows::SortedRows;
use crate::spill::Spill;
use crate::waits::EventCall;
use kymo_otf2::references::LocationRef;

/// The part of a location in a synchronisation. In the order in which those of an event are passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PointRole {
    /// It synchronises with all members of a communicator.
    Member,
    /// Another location waits for it.
    Cause,
    /// It waits.
    Waiting,
}

/// A synchronisation point of a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PointRow {
    pub(super) event: EventCall,
    pub(super) role: PointRole,
    /// The number of the wait state.
    pub(super) wait: u64,
    /// The other location of the wait state; or, of a member, 0 for the world, or the communicator
    /// and 1.
    pub(super) partner: u64,
    /// Whether the location synchronises with the partner here.
    pub(super) synchronises: bool,
    /// By how much the call lasted longer than the partner needed it to.
    pub(super) completion: u64,
    /// The kind of wait state.
    pub(super) kind: u64,
    /// The time of the wait state.
    pub(super) waited: u64,
}

impl PointRow {
    const NUMBERS: usize = 13;

    /// Returns a point with a role.
    pub(super) fn of(event: EventCall, role: PointRole) -> Self {
        let synchronises = role == PointRole::Member;
        Self { event, role, wait: 0, partner: 0, synchronises, completion: 0, kind: 0, waited: 0 }
    }

    fn to_row(self) -> [u64; Self::NUMBERS] {
        let EventCall { location, time, place, call, start, end } = self.event;
        [
            time,
            location.0,
            place,
            call,
            start,
            end,
            self.role as u64,
            self.wait,
            self.partner,
            self.synchronises.into(),
            self.completion,
            self.kind,
            self.waited,
        ]
    }

    fn from_row(row: [u64; Self::NUMBERS]) -> Self {
        let [time, location, place, call, start, end, role, rest @ ..] = row;
        let [wait, partner, synchronises, completion, kind, waited] = rest;
        Self {
            event: EventCall { location: LocationRef(location), time, place, call, start, end },
            role: match role {
                0 => PointRole::Member,
                1 => PointRole::Cause,
                _ => PointRole::Waiting,
            },
            wait,
            partner,
            synchronises: synchronises == 1,
            completion,
            kind,
            waited,
        }
    }

    /// Returns the values that are the same for all points of an event.
    fn of_event(&self) -> (LocationRef, u64, u64) {
        (self.event.location, self.event.call, self.event.place)
    }
}

/// The synchronisation points of all locations.
#[derive(Debug)]
pub(super) struct SynchronisationPoints<'s> {
    rows: SortedRows<'s, { PointRow::NUMBERS }>,
}

impl<'s> SynchronisationPoints<'s> {
    pub(super) fn new(spill: &'s Spill) -> Self {
        Self { rows: SortedRows::new(spill) }
    }

    /// Adds a point, in any order.
    pub(super) fn push(&mut self, point: &PointRow) -> Result<(), Error> {
        self.rows.push(point.to_row())
    }

    /// Passes the points of each event.
    pub(super) fn each(self, mut each: impl FnMut(&[PointRow]) -> Result<(), Error>) -> Result<(), Error> {
        let mut events = |points: &mut Vec<PointRow>| {
            points.sort_unstable_by_key(|it| (it.of_event(), it.role, it.wait));
            points.chunk_by(|one, other| one.of_event() == other.of_event()).try_for_each(&mut each)?;
            points.clear();
            Ok(())
        };
        let mut together: Vec<PointRow> = Vec::new();
        self.rows.each(|row| {
            let point = PointRow::from_row(row);
            if together.last().is_some_and(|last| last.event.time != point.event.time) {
                events(&mut together)?;
            }
            together.push(point);
            Ok(())
        })?;
        events(&mut together)
    }
}
