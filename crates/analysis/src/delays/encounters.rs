//! The encounters of locations: the events of wait states, and those at which all members of a
//! communicator synchronise.
//!
//! Invariant: only first locations of processes are in them, so that each process is one location.

use super::points::{PointRole, PointRow, SynchronisationPoints};
use crate::communication::Process;
use crate::error::Error;
use crate::sorted_rows::SortedRows;
use crate::spill::Spill;
use crate::trace::Trace;
use crate::waits::{EventCall, SynchronisationPartners, WaitEvents, WaitKind, WaitState};
use foldhash::{HashMap, HashSet};
use kymo_otf2::enums::LocationType;
use kymo_otf2::references::{CommRef, LocationRef};
use std::iter::once;

/// The length of the row of a wait state.
const WAIT_ROW: usize = 6 + 2 * EventCall::NUMBERS;

/// The encounters of first locations.
#[derive(Debug)]
pub(crate) struct Encounters<'s> {
    first: HashSet<LocationRef>,
    /// Sorted by the time of the event that ended the wait.
    waits: SortedRows<'s, WAIT_ROW>,
    points: SynchronisationPoints<'s>,
}

impl<'s> Encounters<'s> {
    /// Starts without encounters.
    pub(crate) fn new(trace: &Trace, spill: &'s Spill) -> Self {
        Self {
            first: first_locations(trace),
            waits: SortedRows::new(spill),
            points: SynchronisationPoints::new(spill),
        }
    }

    /// Adds a wait state with its events.
    pub(crate) fn wait(&mut self, wait: &WaitState, events: &WaitEvents) -> Result<(), Error> {
        let WaitEvents { waiting, cause, completions: [own, other], partners } = *events;
        let is_of_two = cause.location != waiting.location;
        let are_first = [waiting, cause].iter().all(|it| self.first.contains(&it.location));
        if !is_of_two || !are_first {
            return Ok(());
        }
        let mut row = [0; WAIT_ROW];
        row[..6].copy_from_slice(&[cause.time, wait.kind as u64, wait.time(), partners as u64, own, other]);
        row[6..12].copy_from_slice(&waiting.to_row());
        row[12..].copy_from_slice(&cause.to_row());
        self.waits.push(row)
    }

    /// Adds an event at which a location synchronises with all members of a communicator, or of the
    /// world; it lasted longer by `completion` than the others needed it to.
    pub(crate) fn of_all(
        &mut self,
        communicator: Option<CommRef>,
        event: &EventCall,
        completion: u64,
    ) -> Result<(), Error> {
        if !self.first.contains(&event.location) {
            return Ok(());
        }
        let partner = communicator.map_or(0, |it| u64::from(it.0) + 1);
        self.points.push(&PointRow { partner, completion, ..PointRow::of(*event, PointRole::Member) })
    }

    /// Adds the ends of the calls that began MPI, at which all of them synchronise.
    pub(crate) fn starts(&mut self, calls: &[EventCall]) -> Result<(), Error> {
        let latest = calls.iter().map(|call| call.start).max().unwrap_or(0);
        let end = calls.iter().map(|call| call.end).min().unwrap_or(0);
        calls.iter().try_for_each(|call| {
            let since = end.max(latest.min(call.end));
            self.of_all(None, call, call.end.saturating_sub(since))
        })
    }

    /// Returns the events of all locations. Wait states have numbers in the order of the events
    /// that ended them.
    pub(super) fn points(self) -> Result<SynchronisationPoints<'s>, Error> {
        let Self { waits, mut points, .. } = self;
        let mut number = 0;
        let mut add = |rows: &mut Vec<WaitRow>| {
            rows.sort_unstable_by_key(|it| {
                (it.cause.location, it.cause.call, it.cause.place, it.waiting.location)
            });
            rows.drain(..).try_for_each(|row| {
                number += 1;
                row.points(number).try_for_each(|point| points.push(&point))
            })
        };
        let mut together: Vec<WaitRow> = Vec::new();
        waits.each(|row| {
            let row = WaitRow::from_row(row);
            if together.last().is_some_and(|last| last.cause.time != row.cause.time) {
                add(&mut together)?;
            }
            together.push(row);
            Ok(())
        })?;
        add(&mut together)?;
        Ok(points)
    }
}

/// A wait state with its events.
#[derive(Debug)]
struct WaitRow {
    kind: u64,
    time: u64,
    synchronises: bool,
    completions: [u64; 2],
    waiting: EventCall,
    cause: EventCall,
}

impl WaitRow {
    fn from_row(row: [u64; WAIT_ROW]) -> Self {
        let [_, kind, time, partners, own, other, a, b, c, d, e, f, rest @ ..] = row;
        Self {
            kind,
            time,
            synchronises: partners == SynchronisationPartners::EachOther as u64,
            completions: [own, other],
            waiting: EventCall::from_row([a, b, c, d, e, f]),
            cause: EventCall::from_row(rest),
        }
    }

    /// Returns the two events.
    fn points(&self, number: u64) -> impl Iterator<Item = PointRow> {
        let point = |role, event, partner: &EventCall, completion| PointRow {
            wait: number,
            partner: partner.location.0,
            synchronises: self.synchronises,
            completion,
            kind: self.kind,
            waited: self.time,
            ..PointRow::of(event, role)
        };
        let [own, other] = self.completions;
        once(point(PointRole::Waiting, self.waiting, &self.cause, own)).chain(once(point(
            PointRole::Cause,
            self.cause,
            &self.waiting,
            other,
        )))
    }
}

/// Returns the first thread of each process.
fn first_locations(trace: &Trace) -> HashSet<LocationRef> {
    let mut first: HashMap<Process, LocationRef> = HashMap::default();
    let threads = trace.locations().iter().filter(|it| it.location_type == LocationType::CPU_THREAD);
    for location in threads {
        let known = first.entry(trace.process(location.id)).or_insert(location.id);
        *known = location.id.min(*known);
    }
    first.into_values().collect()
}

/// The number of kinds of wait states that have delay costs: the first ones.
pub(super) const KINDS: usize = WaitKind::Finalize as usize + 1;
