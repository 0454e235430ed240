//! Barriers of POSIX threads.
//!
//! OTF2 names no barriers. Threads of a process are in the same one if each enters before any of
//! them leaves. Invariant: a barrier is passed at the first operation of the process after the end
//! of its first call.

use crate::waits::EnclosingCall;
use kymo_otf2::references::LocationRef;
use std::cmp::Reverse;
use std::mem;

/// How long the last thread may stay in a barrier, in nanoseconds. If it stays longer, another
/// thread was later whose call was too short to be recorded: `kymo record` leaves out calls below
/// this length.
const LONGEST_OF_THE_LAST: u64 = 50_000;

/// The barriers of a process.
#[derive(Debug, Default)]
pub(super) struct PthreadBarriers {
    members: Vec<(LocationRef, EnclosingCall)>,
    /// When the first of `members` leaves.
    end: u64,
}

impl PthreadBarriers {
    /// A thread enters a barrier. Returns the members of the one before it, if it has just left
    /// that.
    pub(super) fn enter(
        &mut self,
        location: LocationRef,
        call: EnclosingCall,
    ) -> Vec<(LocationRef, EnclosingCall)> {
        let is_next = self.members.iter().any(|(member, _)| *member == location);
        let before = if is_next { mem::take(&mut self.members) } else { Vec::new() };
        self.end = if self.members.is_empty() { call.end } else { self.end.min(call.end) };
        self.members.push((location, call));
        before
    }

    /// The end of a call is known only now.
    pub(super) fn leave(&mut self, location: LocationRef, call: u64, end: u64) {
        for (_, it) in self.members.iter_mut().filter(|it| it.0 == location && it.1.call == call) {
            it.end = end;
        }
        self.end = self.members.iter().map(|it| it.1.end).min().unwrap_or(0);
    }

    /// Takes the members of a barrier if its first member left before a time.
    pub(super) fn take_ended(&mut self, time: u64) -> Vec<(LocationRef, EnclosingCall)> {
        if self.members.is_empty() || time <= self.end { Vec::new() } else { mem::take(&mut self.members) }
    }
}

/// Returns the last one of the members of a barrier, and when it entered, if it is known.
pub(super) fn last_member(members: &[(LocationRef, EnclosingCall)]) -> Option<(LocationRef, u64)> {
    let last = members.iter().max_by_key(|(location, call)| (call.start, Reverse(*location)));
    let (location, call) = last.filter(|_| members.len() > 1)?;
    (call.end - call.start < LONGEST_OF_THE_LAST).then_some((*location, call.start))
}

/// Returns for whom a member waited if the last one is not known, if it waited at all.
pub(super) fn unknown_member(call: &EnclosingCall) -> Option<(LocationRef, u64)> {
    (call.end - call.start >= LONGEST_OF_THE_LAST).then_some((LocationRef::UNDEFINED, call.end))
}
