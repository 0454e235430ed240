//! The call in which an operation took place.

use crate::communication::{Matched, Operation, Pair};
use crate::spill::Row;
use kymo_otf2::references::RegionRef;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The call in which an operation took place. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnclosingCall {
    /// The number of the call, of all those of the location.
    pub call: u64,
    /// The region; undefined outside all calls.
    pub region: RegionRef,
    /// When the call began; the time of the operation if the region does not communicate.
    pub start: u64,
    /// When the call ended; the time of the operation if the region does not communicate.
    pub end: u64,
    /// The number of operations for which the call may have waited.
    pub waiting: u64,
    /// The number of such operations before this one.
    pub place: u64,
    /// Whether the call received a message.
    pub receives: bool,
    /// The time of the operation without the communication of the location so far.
    pub work: u64,
    /// The number of the operation in a [replay](crate::replay) of the location.
    pub step: u64,
}

/// The number of operations of a call whose end is not awaited, since too many operations wait: it
/// is never reached, so that its wait state is found at the end.
const UNKNOWN: u64 = u64::MAX >> 1;

/// The number of operations of a call before the selected time.
const UNSELECTED: u64 = UNKNOWN - 1;

impl EnclosingCall {
    /// Returns a placeholder for the call of an operation before the selected time.
    pub fn unselected(region: RegionRef, time: u64) -> Self {
        Self { waiting: UNSELECTED, ..Self::new(0, region, time, time) }
    }

    /// Returns whether the operation is in the selected time.
    pub fn is_selected(&self) -> bool {
        self.waiting != UNSELECTED
    }
    /// Returns the call as one whose end is not known.
    pub(super) fn without_end(self) -> Self {
        Self { waiting: UNKNOWN, ..self }
    }

    /// Returns whether the end of the call is known.
    pub(crate) fn has_end(&self) -> bool {
        self.waiting != UNKNOWN
    }

    /// Returns a call with one operation.
    pub(crate) fn new(call: u64, region: RegionRef, start: u64, end: u64) -> Self {
        Self { call, region, start, end, waiting: 1, place: 0, receives: false, work: start, step: 0 }
    }

    /// Returns an operation in the call at a time, as numbers.
    pub fn to_row(self, time: u64, operation: &Operation) -> impl Iterator<Item = u64> {
        let of_call = [
            time,
            self.call,
            self.region.0.into(),
            time.wrapping_sub(self.start),
            self.end.wrapping_sub(time),
            self.waiting << 1 | u64::from(self.receives),
            self.place,
            time.wrapping_sub(self.work),
        ];
        of_call.into_iter().chain(operation.to_row())
    }

    /// Reads the time of an operation, the operation, and its call.
    pub fn from_row(row: &mut Row<'_>) -> (u64, Operation, Self) {
        let [time, call, region, since, rest, waiting, place, communication] = [(); 8].map(|()| row.number());
        let inside = Self {
            call,
            region: RegionRef(region as u32),
            start: time.wrapping_sub(since),
            end: time.wrapping_add(rest),
            waiting: waiting >> 1,
            place,
            receives: waiting & 1 == 1,
            work: time.wrapping_sub(communication),
            step: 0,
        };
        (time, Operation::from_row(row), inside)
    }
}

/// Returns the part of a message or a collective operation that is in the selected time, if there
/// is one. A message of which one side is before that time has the other one alone.
pub fn selected(matched: &Matched<EnclosingCall>) -> Option<Cow<'_, Matched<EnclosingCall>>> {
    let Matched::Message(pair) = matched else { return Some(Cow::Borrowed(matched)) };
    let [send, receive] = [pair.send, pair.receive].map(|side| side.filter(|it| it.known.is_selected()));
    if (send, receive) == (pair.send, pair.receive) {
        return Some(Cow::Borrowed(matched));
    }
    let rest = Cow::Owned(Matched::Message(Pair { send, receive, ..*pair }));
    (send.is_some() || receive.is_some()).then_some(rest)
}
