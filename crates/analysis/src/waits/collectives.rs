//! Waiting in collective operations.

use super::enclosing_call::EnclosingCall;
use super::kind::WaitKind;
use super::state::{FoundWait, WaitState};
use super::wait_events::{EventCall, WaitEvents};
use crate::communication::{Collective, CollectivePart, Communicator, Member, Scope};
use crate::error::Error;
use crate::functions::{CommunicationFunction, CommunicationFunctions};
use crate::trace::Trace;
use kymo_otf2::enums::{CollectiveOp, Paradigm};
use kymo_otf2::references::{CommRef, LocationRef};
use std::cmp::Reverse;

/// The part of a location in an operation.
pub(crate) type MemberPart = Member<CollectivePart, EnclosingCall>;

/// Which members wait for which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CollectiveShape {
    /// All wait for the last one.
    Barrier,
    /// All wait for the last one, or those that receive for the last one that sends.
    AllToAll,
    /// Those that receive wait for the root.
    OneToAll,
    /// The root waits for the last one that sends.
    AllToOne,
    /// Each waits for the last one of lower rank that sends.
    Prefix,
}

impl CollectiveShape {
    /// Returns whether a member is the root.
    pub(crate) fn has_root(self) -> bool {
        matches!(self, Self::OneToAll | Self::AllToOne)
    }
}

/// Returns the shape of an operation. In `alltoallv` and `alltoallw`, any two members may have
/// exchanged nothing, and other operations do not move data.
fn shape(operation: CollectiveOp) -> Option<(CollectiveShape, WaitKind)> {
    Some(match operation {
        CollectiveOp::BARRIER => (CollectiveShape::Barrier, WaitKind::Barrier),
        CollectiveOp::ALLGATHER
        | CollectiveOp::ALLGATHERV
        | CollectiveOp::ALLTOALL
        | CollectiveOp::ALLREDUCE
        | CollectiveOp::REDUCE_SCATTER
        | CollectiveOp::REDUCE_SCATTER_BLOCK => (CollectiveShape::AllToAll, WaitKind::Nxn),
        CollectiveOp::BCAST | CollectiveOp::SCATTER | CollectiveOp::SCATTERV => {
            (CollectiveShape::OneToAll, WaitKind::LateBroadcast)
        }
        CollectiveOp::REDUCE | CollectiveOp::GATHER | CollectiveOp::GATHERV => {
            (CollectiveShape::AllToOne, WaitKind::EarlyReduce)
        }
        CollectiveOp::SCAN | CollectiveOp::EXSCAN => (CollectiveShape::Prefix, WaitKind::EarlyScan),
        _ => return None,
    })
}

/// Returns the kind of wait state of an operation of all members of a window of MPI.
fn window_kind(operation: CollectiveOp) -> Option<WaitKind> {
    Some(match operation {
        CollectiveOp::BARRIER => WaitKind::RmaFence,
        CollectiveOp::CREATE_HANDLE | CollectiveOp::ALLOCATE | CollectiveOp::CREATE_HANDLE_AND_ALLOCATE => {
            WaitKind::RmaCreate
        }
        CollectiveOp::DESTROY_HANDLE
        | CollectiveOp::DEALLOCATE
        | CollectiveOp::DESTROY_HANDLE_AND_DEALLOCATE => WaitKind::RmaFree,
        _ => return None,
    })
}

/// Which members synchronise with which.
#[derive(Debug, Clone, Copy)]
enum EncounterShape {
    /// All with all.
    All,
    /// Each that waits with the one that it waits for. With when the first of those that wait was
    /// complete, if their completion counts.
    Pairs(Option<u64>),
    /// Nobody with anybody.
    None,
}

/// An operation of all members.
struct CompleteOperation<'o> {
    trace: &'o Trace,
    functions: &'o CommunicationFunctions,
    communicator: &'o Communicator,
    operation: &'o Collective<EnclosingCall>,
    has_events: bool,
}

/// Returns the shape of an operation, and its members in the order of their ranks. `None` if
/// members do not wait for each other, or are missing.
pub(crate) fn synchronised<'o>(
    trace: &Trace,
    operation: &'o Collective<EnclosingCall>,
) -> Option<(CollectiveShape, Vec<&'o MemberPart>)> {
    let first = operation.members.first()?;
    let communicator = trace.communicator_of(first.part.scope)?;
    operation.instance?;
    let mut members: Vec<_> = operation.members.iter().collect();
    if members.len() < 2 || (members.len() as u64) < communicator.members() {
        return None;
    }
    let shape = match first.part.scope {
        Scope::Window(_) if is_of_mpi(trace, operation) => {
            window_kind(first.part.operation).map(|_| CollectiveShape::Barrier)
        }
        _ => shape(first.part.operation).map(|it| it.0),
    }?;
    let rank = |member: &&MemberPart| communicator.rank(member.location, trace.process(member.location));
    members.sort_by_cached_key(|member| rank(member).map_or(u32::MAX, |it| it.rank));
    Some((shape, members))
}

fn is_of_mpi(trace: &Trace, operation: &Collective<EnclosingCall>) -> bool {
    let paradigm = |member: &MemberPart| trace.region(member.known.region).map(|region| region.paradigm);
    operation.members.iter().any(|member| paradigm(member) == Some(Paradigm::MPI))
}

/// Passes the members of an operation, each with its wait state if it has one, and the events of
/// that state if they are asked for. Returns false if members are missing, so that nobody knows who
/// waited.
pub(super) fn each_member(
    trace: &Trace,
    functions: &CommunicationFunctions,
    operation: &Collective<EnclosingCall>,
    has_events: bool,
    mut each: impl FnMut(&MemberPart, Option<FoundWait>),
) -> bool {
    let first = operation.members.first();
    let communicator = first.and_then(|first| trace.communicator_of(first.part.scope));
    let (Some(first), Some(communicator), Some(_)) = (first, communicator, operation.instance) else {
        operation.members.iter().for_each(|member| each(member, None));
        return true;
    };
    let is_complete = operation.members.len() as u64 >= communicator.members();
    if !is_complete || operation.members.len() < 2 {
        operation.members.iter().for_each(|member| each(member, None));
        return is_complete;
    }
    let it = CompleteOperation { trace, functions, communicator, operation, has_events };
    match first.part.scope {
        Scope::Window(_) if is_of_mpi(trace, operation) => {
            it.of_window(window_kind(first.part.operation), each)
        }
        _ => it.of_shape(shape(first.part.operation), each),
    }
    true
}

/// Passes the members of a complete operation of a communicator in which all synchronised with all,
/// each with the time by which it lasted longer than the first one.
pub(super) fn each_of_all(
    operation: &Collective<EnclosingCall>,
    mut each: impl FnMut(CommRef, &MemberPart, u64) -> Result<(), Error>,
) -> Result<(), Error> {
    let members = &operation.members;
    let instance = operation.instance.filter(|it| it.unordered.is_none());
    let Some(Scope::Communicator(communicator)) = instance.map(|it| it.scope) else { return Ok(()) };
    let moves_data = || members.iter().any(|member| member.part.sent > 0 || member.part.received > 0);
    let may_synchronise = match members.first().and_then(|first| shape(first.part.operation)) {
        Some((CollectiveShape::Barrier, _)) => true,
        Some((CollectiveShape::AllToAll, _)) => moves_data(),
        _ => false,
    };
    let latest = members.iter().map(|member| member.part.start).max();
    let end = members.iter().map(|member| member.time).min();
    match end.filter(|end| may_synchronise && members.len() > 1 && Some(*end) > latest) {
        Some(end) => members.iter().try_for_each(|member| each(communicator, member, member.time - end)),
        None => Ok(()),
    }
}

impl CompleteOperation<'_> {
    /// Returns the rank of a member.
    fn rank(&self, member: &MemberPart) -> u32 {
        let rank = self.communicator.rank(member.location, self.trace.process(member.location));
        rank.map_or(u32::MAX, |it| it.rank)
    }

    /// Returns the member that was last at a time; of several, that of the lowest rank.
    fn latest<'m>(
        &self,
        members: impl Iterator<Item = &'m MemberPart> + Clone,
        time: impl Fn(&MemberPart) -> u64,
    ) -> Option<&'m MemberPart> {
        let latest = members.clone().map(&time).max()?;
        let mut last = members.filter(|member| time(member) == latest);
        let first = last.next()?;
        match last.next() {
            None => Some(first),
            Some(second) => [first, second].into_iter().chain(last).min_by_key(|member| self.rank(member)),
        }
    }

    fn of_window(&self, kind: Option<WaitKind>, mut each: impl FnMut(&MemberPart, Option<FoundWait>)) {
        let members = self.operation.members.iter();
        let latest = self.latest(members.clone(), |member| member.known.start);
        let earliest_end = members.clone().map(|member| member.known.end).min();
        let overlapping = latest.filter(|latest| earliest_end > Some(latest.known.start));
        for member in members {
            let wait = kind.zip(overlapping).and_then(|(kind, latest)| {
                let cause = (latest.location, latest.known.start);
                let wait = self.wait(kind, member, cause, [member.known.start, member.known.end]);
                wait.map(FoundWait::of)
            });
            each(member, wait);
        }
    }

    fn of_shape(
        &self,
        shape: Option<(CollectiveShape, WaitKind)>,
        mut each: impl FnMut(&MemberPart, Option<FoundWait>),
    ) {
        let members = &self.operation.members;
        let Some((shape, kind)) = shape else {
            return members.iter().for_each(|member| each(member, None));
        };
        let mut add_to = |encounter: EncounterShape, member: &MemberPart, cause: Option<&MemberPart>| {
            let found = cause.and_then(|cause| {
                let start = (cause.location, cause.part.start);
                let wait = self.wait(kind, member, start, self.limits(member))?;
                Some(FoundWait { wait, events: self.events(encounter, member, cause).map(Box::new) })
            });
            each(member, found);
        };
        let mut add = |member: &MemberPart, cause| add_to(EncounterShape::Pairs(None), member, cause);
        let senders = members.iter().filter(|member| member.part.sent > 0);
        let start = |member: &MemberPart| member.part.start;
        match shape {
            CollectiveShape::Barrier => {
                let latest = self.latest(members.iter(), start);
                let encounter = self.encounter(latest, false);
                members.iter().for_each(|member| add_to(encounter, member, latest));
            }
            CollectiveShape::AllToAll => {
                let (latest, only_receivers) = self.latest_of_all();
                let encounter = self.encounter(latest, only_receivers);
                for member in members {
                    let may_wait = !only_receivers || member.part.received > 0;
                    add_to(encounter, member, latest.filter(|_| may_wait));
                }
            }
            CollectiveShape::OneToAll => {
                let root = self.operation.root(self.trace).filter(|root| root.part.sent > 0);
                for member in members {
                    add(member, root.filter(|_| member.part.received > 0));
                }
            }
            CollectiveShape::AllToOne => {
                let root = self.operation.root(self.trace).filter(|root| root.part.received > 0);
                let latest = self.latest(senders, start);
                for member in members {
                    let is_root = root.is_some_and(|root| root.location == member.location);
                    add(member, latest.filter(|_| is_root));
                }
            }
            CollectiveShape::Prefix => {
                let mut by_rank: Vec<_> = members.iter().collect();
                by_rank.sort_by_cached_key(|member| self.rank(member));
                let mut latest: Option<&MemberPart> = None;
                for member in by_rank {
                    let is_later = latest.is_none_or(|latest| latest.part.start < member.part.start);
                    latest = if is_later && member.part.sent > 0 { Some(member) } else { latest };
                    add_to(EncounterShape::None, member, latest);
                }
            }
        }
    }

    /// Returns for whom the members of an operation of all with all wait, and whether only those
    /// that received anything do: if not all were in it at the same time.
    fn latest_of_all(&self) -> (Option<&MemberPart>, bool) {
        let members = self.operation.members.iter();
        let start = |member: &MemberPart| member.part.start;
        if members.clone().all(|member| member.part.sent == 0 && member.part.received == 0) {
            return (None, false);
        }
        let latest = self.latest(members.clone(), start);
        if self.earliest_end() > latest.map(start) {
            return (latest, false);
        }
        (self.latest(members.filter(|member| member.part.sent > 0), start), true)
    }

    /// Returns when the first member was complete.
    fn earliest_end(&self) -> Option<u64> {
        self.operation.members.iter().map(|member| member.time).min()
    }

    fn is_blocking(&self) -> bool {
        self.operation.instance.is_none_or(|it| it.unordered.is_none())
    }

    /// Returns which members synchronise in an operation in which members wait for the latest one,
    /// or only those that receive.
    fn encounter(&self, latest: Option<&MemberPart>, only_receivers: bool) -> EncounterShape {
        let Some(latest) = latest else { return EncounterShape::None };
        if self.earliest_end() > Some(latest.part.start) {
            return EncounterShape::All;
        }
        let waits = |member: &&MemberPart| {
            member.part.start < latest.part.start && (!only_receivers || member.part.received > 0)
        };
        EncounterShape::Pairs(self.operation.members.iter().filter(waits).map(|member| member.time).min())
    }

    /// Returns the events of a member and of the one for which it waits, for blocking operations
    /// of communicators.
    fn events(&self, shape: EncounterShape, member: &MemberPart, cause: &MemberPart) -> Option<WaitEvents> {
        if !self.has_events || !self.is_blocking() || !matches!(cause.part.scope, Scope::Communicator(_)) {
            return None;
        }
        let (own, other) = (EventCall::of(member), EventCall::of(cause));
        let completion =
            |it: &MemberPart, end: u64| it.time.saturating_sub(end.max(cause.part.start.min(it.time)));
        Some(match shape {
            EncounterShape::All => WaitEvents::of_all(own, other),
            EncounterShape::None => WaitEvents::of_nobody(own, other),
            EncounterShape::Pairs(end) => {
                let completions = end.map_or([0; 2], |end| [member, cause].map(|it| completion(it, end)));
                WaitEvents::of_members(own, other, completions)
            }
        })
    }

    /// Returns when a member can have begun to wait, and when it was complete at the latest.
    fn limits(&self, member: &MemberPart) -> [u64; 2] {
        match self.is_blocking() {
            // The call may be cut at the start of the selected time.
            true => [member.part.start.max(member.known.start), member.time],
            false => [member.known.start, member.known.end],
        }
    }

    fn wait(
        &self,
        kind: WaitKind,
        member: &MemberPart,
        cause: (LocationRef, u64),
        limits: [u64; 2],
    ) -> Option<WaitState> {
        let function = self.functions.get(member.known.region);
        let blocks = function.is_some_and(|it| it != CommunicationFunction::Test);
        WaitState::new(kind, member.location, &member.known, limits, cause).filter(|_| blocks)
    }
}

/// Returns whether all processes call `MPI_Finalize`.
pub(crate) fn all_finalize(trace: &Trace, calls: &[(LocationRef, EnclosingCall)]) -> bool {
    let communicators = trace.communicators();
    let rank = |location| communicators.world_rank(Paradigm::MPI, location, trace.process(location));
    let mut ranks: Vec<_> = calls.iter().filter_map(|(location, _)| rank(*location)).collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks.len() == communicators.world_size(Paradigm::MPI)
}

/// Returns the waits of the processes that call `MPI_Finalize` for the last one, if all do.
pub(super) fn of_finalize(trace: &Trace, calls: &[(LocationRef, EnclosingCall)]) -> Vec<FoundWait> {
    let communicators = trace.communicators();
    let rank = |location| communicators.world_rank(Paradigm::MPI, location, trace.process(location));
    let latest = calls.iter().max_by_key(|(location, call)| (call.start, Reverse(rank(*location))));
    let Some((cause, last)) = latest.filter(|_| all_finalize(trace, calls)) else { return Vec::new() };
    let event = |location: LocationRef, call: &EnclosingCall| EventCall::at(location, call.end, call);
    let (cause, other) = ((*cause, last.start), event(*cause, last));
    let wait = |(location, call): &(LocationRef, EnclosingCall)| {
        let wait = WaitState::new(WaitKind::Finalize, *location, call, [call.start, call.end], cause)?;
        Some(FoundWait { wait, events: Some(Box::new(WaitEvents::of_all(event(*location, call), other))) })
    };
    calls.iter().filter_map(wait).collect()
}
