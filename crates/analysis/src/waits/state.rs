//! A wait state, and its row.

use super::enclosing_call::EnclosingCall;
use super::kind::WaitKind;
use super::receive_order::WrongOrder;
use super::wait_events::WaitEvents;
use crate::spill::Row;
use kymo_otf2::references::{LocationRef, RegionRef};

/// An interval in which a location waited. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitState {
    /// Why.
    pub kind: WaitKind,
    /// The location that waited.
    pub location: LocationRef,
    /// The number of the call in which it waited, of all those of the location.
    pub call: u64,
    /// The region of the call.
    pub region: RegionRef,
    /// When the wait began.
    pub start: u64,
    /// When it ended; later than `start`.
    pub end: u64,
    /// The location that ended the wait; undefined if it is not known.
    pub cause: LocationRef,
    /// When the cause acted: `end`, or later if the wait was clipped at the end of its call.
    pub cause_time: u64,
    /// The length of the message, in bytes; 0 where there is none.
    pub length: u64,
    /// The number of the receive on the location, for a late sender.
    pub(super) receive: u64,
    /// Whether the send cannot be buffered.
    pub(super) is_synchronous: bool,
    /// Whether the sender may not have waited for the receiver: as long messages were buffered.
    pub is_doubtful: bool,
    /// Whether the location received a message later that was sent earlier.
    pub wrong_order: Option<WrongOrder>,
    /// Of an early wait, the time after the last access: the last origin completed its epoch late.
    /// Of a fence, the time until the last access to the location was complete.
    pub part: u64,
}

/// A wait state as it is found.
#[derive(Debug)]
pub(super) struct FoundWait {
    pub(super) wait: WaitState,
    /// The events of both locations, if they are asked for and delay costs need them.
    pub(super) events: Option<Box<WaitEvents>>,
}

impl FoundWait {
    /// Returns a wait state that has no delay costs.
    pub(super) fn of(wait: WaitState) -> Self {
        Self { wait, events: None }
    }
}

impl WaitState {
    /// The length of a row.
    pub(crate) const NUMBERS: usize = 12;

    /// Returns the wait in a call from `since` on for an action of `cause`, or until `until` if
    /// that was later; `None` if it is empty.
    pub(crate) fn new(
        kind: WaitKind,
        location: LocationRef,
        call: &EnclosingCall,
        [since, until]: [u64; 2],
        (cause, cause_time): (LocationRef, u64),
    ) -> Option<Self> {
        let end = cause_time.min(until);
        (since < end).then_some(Self {
            kind,
            location,
            call: call.call,
            region: call.region,
            start: since,
            end,
            cause,
            cause_time,
            length: 0,
            receive: 0,
            is_synchronous: false,
            is_doubtful: false,
            wrong_order: None,
            part: 0,
        })
    }

    /// Returns the wait state with the part that accesses determine.
    pub(crate) fn with_part(self, part: u64) -> Self {
        Self { part, ..self }
    }

    /// Returns the time that the location waited, in nanoseconds.
    pub fn time(&self) -> u64 {
        self.end - self.start
    }

    /// Returns whether the cause acted after the end of the call, as clocks that contradict each
    /// other or operations that do not synchronise state.
    pub fn is_clipped(&self) -> bool {
        self.cause_time > self.end
    }

    /// Returns the wait state as numbers.
    pub(crate) fn to_row(self) -> [u64; Self::NUMBERS] {
        let order = match self.wrong_order {
            None => 0,
            Some(WrongOrder::SameSender) => 1,
            Some(WrongOrder::DifferentSender) => 2,
        };
        [
            self.start,
            self.kind as u64,
            self.location.0,
            self.call,
            self.region.0.into(),
            self.time(),
            self.cause.0,
            self.cause_time.wrapping_sub(self.end),
            self.length,
            self.receive,
            order << 2 | u64::from(self.is_doubtful) << 1 | u64::from(self.is_synchronous),
            self.part,
        ]
    }

    /// Reads the row that [`to_row`](Self::to_row) returns.
    pub(crate) fn from_row(row: &mut Row<'_>) -> Self {
        Self::from_numbers(std::array::from_fn(|_| row.number()))
    }

    /// Reads the numbers that [`to_row`](Self::to_row) returns.
    pub(crate) fn from_numbers(numbers: [u64; Self::NUMBERS]) -> Self {
        let [start, kind, location, call, region, time, cause, after, length, receive, flags, part] = numbers;
        let end = start.saturating_add(time);
        Self {
            kind: WaitKind::numbered(kind),
            location: LocationRef(location),
            call,
            region: RegionRef(region as u32),
            start,
            end,
            cause: LocationRef(cause),
            cause_time: end.wrapping_add(after),
            length,
            receive,
            is_synchronous: flags & 1 == 1,
            is_doubtful: flags & 2 == 2,
            wrong_order: match flags >> 2 {
                1 => Some(WrongOrder::SameSender),
                2 => Some(WrongOrder::DifferentSender),
                _ => None,
            },
            part,
        }
    }
}
