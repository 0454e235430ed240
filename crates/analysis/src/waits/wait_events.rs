//! The events of wait states, and the calls in which they were.

use super::enclosing_call::EnclosingCall;
use crate::communication::{Member, Post};
use kymo_otf2::references::LocationRef;
use serde::{Deserialize, Serialize};

/// An event of a location, and the call in which it was. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EventCall {
    pub(crate) location: LocationRef,
    /// The time of the event.
    pub(crate) time: u64,
    /// The place of the event among those of the call.
    pub(crate) place: u64,
    /// The number of the call, of all those of the location; 0 if it is not known.
    pub(crate) call: u64,
    pub(crate) start: u64,
    pub(crate) end: u64,
}

impl EventCall {
    pub(crate) const NUMBERS: usize = 6;

    /// Returns an event at a time, in its call.
    pub(crate) fn at(location: LocationRef, time: u64, call: &EnclosingCall) -> Self {
        let EnclosingCall { call, start, end, place, .. } = *call;
        Self { location, time, place, call, start, end }
    }

    /// Returns the event at which the part of a location was complete.
    pub(crate) fn of<P>(member: &Member<P, EnclosingCall>) -> Self {
        Self::at(member.location, member.time, &member.known)
    }

    /// Returns the event at which a receive was posted, as of the begin of the call.
    pub(crate) fn of_post(location: LocationRef, post: Post) -> Self {
        let Post { start, end, call, .. } = post;
        Self { location, time: start, place: 0, call, start, end }
    }

    pub(crate) fn to_row(self) -> [u64; Self::NUMBERS] {
        [self.location.0, self.time, self.place, self.call, self.start, self.end]
    }

    pub(crate) fn from_row([location, time, place, call, start, end]: [u64; Self::NUMBERS]) -> Self {
        Self { location: LocationRef(location), time, place, call, start, end }
    }
}

/// With whom a location synchronises at the event of a wait state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SynchronisationPartners {
    /// The one that waits and the one that it waits for, with each other.
    EachOther,
    /// All members, which have events of their own.
    All,
    Nobody,
}

/// The events of a wait state: of the location that waits, and of the one that it waits for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WaitEvents {
    pub(crate) waiting: EventCall,
    pub(crate) cause: EventCall,
    /// By how much each lasted longer than the other one needed it to.
    pub(crate) completions: [u64; 2],
    pub(crate) partners: SynchronisationPartners,
}

impl WaitEvents {
    /// Returns the events of a message.
    pub(crate) fn of_pair(waiting: EventCall, cause: EventCall) -> Self {
        let own = waiting.end.saturating_sub(cause.end);
        let other = cause.end.saturating_sub(waiting.end);
        Self::of_members(waiting, cause, [own, other])
    }

    /// Returns the events of two members of a collective operation, which synchronise.
    pub(crate) fn of_members(waiting: EventCall, cause: EventCall, completions: [u64; 2]) -> Self {
        Self { waiting, cause, completions, partners: SynchronisationPartners::EachOther }
    }

    /// Returns the events of two members of an operation in which all synchronise with all.
    pub(crate) fn of_all(waiting: EventCall, cause: EventCall) -> Self {
        Self { waiting, cause, completions: [0; 2], partners: SynchronisationPartners::All }
    }

    /// Returns the events of two members of an operation that synchronises nobody.
    pub(crate) fn of_nobody(waiting: EventCall, cause: EventCall) -> Self {
        Self { waiting, cause, completions: [0; 2], partners: SynchronisationPartners::Nobody }
    }
}
