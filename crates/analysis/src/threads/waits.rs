//! Finds the wait states of threads.

use super::creation::{CreatedThreads, Creation};
use super::locks::Locks;
use super::operation::{LockId, ThreadOperation};
use super::signals::Signals;
use super::teams::{Barrier, Teams};
use crate::communicators::Process;
use crate::functions::{CommunicationFunctions, ThreadFunction};
use crate::trace::Trace;
use crate::waits::{EnclosingCall, WaitKind, WaitState};
use foldhash::{HashMap, HashMapExt};
use kymo_otf2::references::LocationRef;
use std::cmp::Reverse;
use std::mem;

/// What is found.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ThreadFinding {
    /// A wait state.
    Wait(WaitState),
    /// A thread was created.
    Creation(Creation),
}

/// Finds the wait states of threads in their operations, which come in the order of time.
#[derive(Debug)]
pub(crate) struct ThreadWaits<'t> {
    trace: &'t Trace,
    functions: &'t CommunicationFunctions,
    processes: HashMap<Process, ProcessThreads>,
    /// Acquisitions at the time of the last operation: their releases may come next.
    acquired: Vec<Acquisition>,
    found: Vec<ThreadFinding>,
    /// The number of barriers without wait states: with missing members, or with tasks.
    pub(crate) incomplete: u64,
}

#[derive(Debug, Default)]
struct ProcessThreads {
    locks: Locks,
    signals: Signals,
    created: CreatedThreads,
    teams: Teams,
}

#[derive(Debug)]
struct Acquisition {
    process: Process,
    location: LocationRef,
    time: u64,
    lock: LockId,
    order: u32,
    call: EnclosingCall,
}

impl<'t> ThreadWaits<'t> {
    pub(crate) fn new(trace: &'t Trace, functions: &'t CommunicationFunctions) -> Self {
        let processes = HashMap::new();
        Self { trace, functions, processes, acquired: Vec::new(), found: Vec::new(), incomplete: 0 }
    }

    /// Adds an operation of a thread in a call. Returns what is known then.
    pub(crate) fn add(
        &mut self,
        location: LocationRef,
        time: u64,
        operation: ThreadOperation,
        call: EnclosingCall,
    ) -> Vec<ThreadFinding> {
        if self.acquired.first().is_some_and(|first| first.time < time) {
            self.resolve();
        }
        let process = self.trace.process(location);
        let threads = self.processes.entry(process).or_default();
        let mut barriers = Vec::new();
        match operation {
            ThreadOperation::Acquire { lock, order } => {
                self.acquired.push(Acquisition { process, location, time, lock, order, call });
            }
            ThreadOperation::Release { lock, order } => threads.locks.release(lock, order, location, time),
            ThreadOperation::Signal => threads.signals.add(location, time),
            ThreadOperation::Create(contingent, sequence) => {
                let creation = threads.created.create((contingent, sequence), location, time);
                self.found.extend(creation.map(ThreadFinding::Creation));
            }
            ThreadOperation::Begin(contingent, sequence) => {
                let creation = threads.created.begin((contingent, sequence), location, time);
                self.found.extend(creation.map(ThreadFinding::Creation));
            }
            ThreadOperation::End(contingent, sequence) => {
                let joined = threads.created.end((contingent, sequence), location, time);
                self.found.extend(joined.and_then(|(by, call)| join(by, &call, (location, time))));
            }
            ThreadOperation::Wait(contingent, sequence) => {
                let end = threads.created.join((contingent, sequence), location, call);
                self.found.extend(end.and_then(|end| join(location, &call, end)));
            }
            ThreadOperation::Fork => threads.teams.fork(location, time),
            ThreadOperation::Join => threads.teams.join(location, |it| barriers.push(it)),
            ThreadOperation::TeamBegin(team) => {
                let creation = threads.teams.begin(team, location, |it| barriers.push(it));
                self.found.extend(creation.map(ThreadFinding::Creation));
            }
            ThreadOperation::TeamEnd(team) => threads.teams.end(team, location),
            ThreadOperation::Barrier => {
                let is_known = threads.teams.barrier(location, call, |it| barriers.push(it));
                self.incomplete += u64::from(!is_known);
            }
            ThreadOperation::Task => threads.teams.task(location, time),
        }
        barriers.iter().for_each(|barrier| self.barrier(barrier));
        mem::take(&mut self.found)
    }

    /// Returns what is known in the end.
    pub(crate) fn finish(&mut self) -> Vec<ThreadFinding> {
        self.resolve();
        let mut barriers = Vec::new();
        let mut processes: Vec<_> = self.processes.iter_mut().collect();
        processes.sort_unstable_by_key(|(process, _)| **process);
        for (_, threads) in processes {
            threads.teams.finish(|it| barriers.push(it));
        }
        barriers.iter().for_each(|barrier| self.barrier(barrier));
        mem::take(&mut self.found)
    }

    /// Finds for whom those waited who have acquired locks.
    fn resolve(&mut self) {
        // Each looks for the release before it, and forgets those before that.
        self.acquired.sort_by_key(|it| it.order);
        for it in mem::take(&mut self.acquired) {
            let Some(function) = self.functions.thread(it.call.region) else { continue };
            let Some(threads) = self.processes.get_mut(&it.process) else { continue };
            let release = threads.locks.before(it.lock, it.order).filter(|by| by.location != it.location);
            let (kind, since) = match function {
                ThreadFunction::Mutex => (WaitKind::PthreadMutex, it.call.start),
                ThreadFunction::Lock => (WaitKind::OmpLock, it.call.start),
                ThreadFunction::Critical => (WaitKind::OmpCritical, it.call.start),
                ThreadFunction::Condition => {
                    let signal = threads.signals.for_location(it.location, it.call.start);
                    let (cause, until) = signal.unwrap_or((LocationRef::UNDEFINED, it.time));
                    let times = [it.call.start, it.time];
                    let wait =
                        WaitState::new(WaitKind::PthreadCond, it.location, &it.call, times, (cause, until));
                    self.found.extend(wait.map(ThreadFinding::Wait));
                    (WaitKind::PthreadMutex, until)
                }
                _ => continue,
            };
            let wait = release.and_then(|release| {
                let cause = (release.location, release.time);
                WaitState::new(kind, it.location, &it.call, [since, it.time], cause)
            });
            self.found.extend(wait.map(ThreadFinding::Wait));
        }
    }

    /// Finds for whom the members of a barrier waited: the last one; of several, the one with the
    /// lowest id.
    fn barrier(&mut self, barrier: &Barrier) {
        let team = self.trace.communicators().get(barrier.definition);
        let is_whole = team.is_none_or(|team| team.members() <= barrier.members.len() as u64);
        if !barrier.is_plain || !is_whole {
            self.incomplete += 1;
            return;
        }
        let last = barrier.members.iter().max_by_key(|(location, call)| (call.start, Reverse(*location)));
        let Some((cause, last)) = last else { return };
        for (location, call) in &barrier.members {
            let kind = match self.functions.thread(call.region) {
                Some(ThreadFunction::ImplicitBarrier) => WaitKind::OmpImplicitBarrier,
                _ => WaitKind::OmpBarrier,
            };
            let wait = WaitState::new(kind, *location, call, [call.start, call.end], (*cause, last.start));
            self.found.extend(wait.map(ThreadFinding::Wait));
        }
    }
}

/// Returns the wait state of a location that joins a thread.
fn join(location: LocationRef, call: &EnclosingCall, end: (LocationRef, u64)) -> Option<ThreadFinding> {
    let times = [call.start, call.end];
    WaitState::new(WaitKind::PthreadJoin, location, call, times, end).map(ThreadFinding::Wait)
}
