//! The wait states of threads in calls of which all is known.

use super::pthread_barriers;
use super::tasks::TaskWait;
use super::teams::Barrier;
use crate::functions::{CommunicationFunctions, ThreadFunction};
use crate::trace::Trace;
use crate::waits::{EnclosingCall, WaitKind, WaitState};
use kymo_otf2::references::LocationRef;
use std::cmp::Reverse;

/// Returns the wait states of a location that has joined a thread, which ended.
pub(super) fn of_join(
    location: LocationRef,
    call: &EnclosingCall,
    end: (LocationRef, u64),
) -> Option<WaitState> {
    WaitState::new(WaitKind::PthreadJoin, location, call, [call.start, call.end], end)
}

/// Returns for whom the members of a barrier waited: the last one; of several, the one with the
/// lowest id; or the one that executed the last task, if that was complete later. `None` if members
/// are not known.
pub(super) fn of_barrier(
    trace: &Trace,
    functions: &CommunicationFunctions,
    barrier: &Barrier,
) -> Option<Vec<WaitState>> {
    let team = trace.communicators().get(barrier.definition);
    if !barrier.is_whole || team.is_some_and(|team| team.members() > barrier.members.len() as u64) {
        return None;
    }
    let entered = barrier.members.iter().map(|it| (it.location, it.call.start));
    let latest = entered.max_by_key(|(location, time)| (*time, Reverse(*location)))?;
    let (cause, until) = barrier.last_task.filter(|task| task.1 > latest.1).unwrap_or(latest);
    let mut waits = Vec::new();
    for member in &barrier.members {
        let (location, call) = (member.location, &member.call);
        let kind = match functions.thread(call.region) {
            Some(ThreadFunction::ImplicitBarrier) => WaitKind::OmpImplicitBarrier,
            _ => WaitKind::OmpBarrier,
        };
        if member.busy.is_empty() {
            waits.extend(WaitState::new(kind, location, call, [call.start, call.end], (cause, until)));
        } else {
            let gaps = member.busy.gaps(call.start, until.min(call.end));
            waits.extend(in_gaps(kind, location, call, (cause, until), gaps));
        }
    }
    Some(waits)
}

/// Returns for whom a task waited: who executed the last of its tasks. `None` if it is not known
/// when the call ended.
pub(super) fn of_tasks(functions: &CommunicationFunctions, wait: &TaskWait) -> Option<Vec<WaitState>> {
    if wait.call.end == u64::MAX {
        return None;
    }
    let Some((cause, until)) = wait.last else { return Some(Vec::new()) };
    let kind = match functions.thread(wait.call.region) {
        Some(ThreadFunction::TaskGroup) => WaitKind::Taskgroup,
        _ => WaitKind::TaskWait,
    };
    let gaps = wait.busy.gaps(wait.since, until);
    Some(in_gaps(kind, wait.location, &wait.call, (cause, until), gaps).collect())
}

/// Returns the parts of a call in which the thread executed no tasks.
fn in_gaps(
    kind: WaitKind,
    location: LocationRef,
    call: &EnclosingCall,
    (cause, until): (LocationRef, u64),
    gaps: impl Iterator<Item = [u64; 2]>,
) -> impl Iterator<Item = WaitState> {
    gaps.filter_map(move |[from, to]| {
        // The cause of the last one may have come after the end of the call.
        let time = if to == call.end { until } else { to };
        WaitState::new(kind, location, call, [from, to], (cause, time))
    })
}

/// Returns for whom the members of a barrier of POSIX threads waited: the last one, if known.
pub(super) fn of_pthread_barrier(members: &[(LocationRef, EnclosingCall)]) -> Vec<WaitState> {
    let last = pthread_barriers::last_member(members);
    let wait = |(location, call): &(LocationRef, EnclosingCall)| {
        let cause = last.or_else(|| pthread_barriers::unknown_member(call))?;
        WaitState::new(WaitKind::PthreadBarrier, *location, call, [call.start, call.end], cause)
    };
    members.iter().filter(|it| it.1.end < u64::MAX).filter_map(wait).collect()
}

/// Returns for whom a thread waited at a semaphore: who incremented one last.
pub(super) fn of_semaphore(
    location: LocationRef,
    call: &EnclosingCall,
    post: Option<(LocationRef, u64)>,
) -> Option<WaitState> {
    let cause = post.unwrap_or((LocationRef::UNDEFINED, call.end));
    let wait = WaitState::new(WaitKind::Semaphore, location, call, [call.start, call.end], cause);
    wait.filter(|_| call.end < u64::MAX)
}
