//! Finds the wait states of threads.

use super::creation::Creation;
use super::idle::IdleTime;
use super::operation::{LockId, ThreadOperation};
use super::process::ProcessThreads;
use super::states;
use super::teams::Barrier;
use crate::communicators::Process;
use crate::functions::{CommunicationFunctions, ThreadFunction};
use crate::trace::Trace;
use crate::waits::{EnclosingCall, WaitKind, WaitState};
use foldhash::{HashMap, HashMapExt};
use kymo_otf2::references::LocationRef;
use std::collections::BTreeMap;
use std::mem;

/// A finding about threads.
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
    /// The threads with the lowest ids, whether they are read or not.
    first_threads: HashMap<Process, LocationRef>,
    /// Acquisitions at the time of the last operation: their releases may come next.
    acquired: Vec<Acquisition>,
    found: Vec<ThreadFinding>,
    /// The times that threads spent in no team.
    pub(crate) idle: BTreeMap<LocationRef, IdleTime>,
    /// The number of barriers without wait states, and of calls that wait for tasks without a known
    /// end: members are missing, or the trace ends.
    pub(crate) incomplete: u64,
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
        Self {
            trace,
            functions,
            processes: HashMap::new(),
            first_threads: trace.first_threads(trace.locations()).into_iter().collect(),
            acquired: Vec::new(),
            found: Vec::new(),
            idle: BTreeMap::new(),
            incomplete: 0,
        }
    }

    /// Adds the begin and the end of the known time of a location. Locations come in the order of
    /// their ids.
    pub(crate) fn location(&mut self, location: LocationRef, (begin, end): (u64, u64)) {
        let threads = self.process(location);
        let [first, last] = threads.known_time.unwrap_or([begin, end]);
        threads.known_time = Some([first.min(begin), last.max(end)]);
    }

    /// Returns the threads of the process of a location.
    fn process(&mut self, location: LocationRef) -> &mut ProcessThreads {
        let process = self.trace.process(location);
        let first = self.first_threads.get(&process).copied().unwrap_or(location);
        self.processes.entry(process).or_insert_with(|| ProcessThreads::new(first))
    }

    /// Adds an operation of a thread in a call. Returns the findings that are known then.
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
        self.end_waits(location, time, call.call);
        // The end may become known later.
        let end = if call.has_end() { call.end } else { u64::MAX };
        match operation {
            ThreadOperation::Acquire { lock, order } => {
                let process = self.trace.process(location);
                self.acquired.push(Acquisition { process, location, time, lock, order, call });
            }
            ThreadOperation::Create(..)
            | ThreadOperation::Begin(..)
            | ThreadOperation::End(..)
            | ThreadOperation::Wait(..) => self.add_thread(location, time, operation, &call),
            _ if operation.waits() => self.begin_wait(location, operation, EnclosingCall { end, ..call }),
            _ => self.add_team_or_task(location, time, operation, &call),
        }
        mem::take(&mut self.found)
    }

    /// Adds the begin or the end of a thread.
    fn add_thread(
        &mut self,
        location: LocationRef,
        time: u64,
        operation: ThreadOperation,
        call: &EnclosingCall,
    ) {
        let created = &mut self.process(location).created;
        let found = match operation {
            ThreadOperation::Create(contingent, sequence) => {
                created.create((contingent, sequence), location, time).map(ThreadFinding::Creation)
            }
            ThreadOperation::Begin(contingent, sequence) => {
                created.begin((contingent, sequence), location, time).map(ThreadFinding::Creation)
            }
            ThreadOperation::End(contingent, sequence) => {
                let joined = created.end((contingent, sequence), location, time);
                joined
                    .and_then(|(by, call)| states::of_join(by, &call, (location, time)))
                    .map(ThreadFinding::Wait)
            }
            ThreadOperation::Wait(contingent, sequence) => {
                let end = created.join((contingent, sequence), location, *call);
                end.and_then(|end| states::of_join(location, call, end)).map(ThreadFinding::Wait)
            }
            _ => None,
        };
        self.found.extend(found);
    }

    /// Adds the begin of a call that waits for others.
    fn begin_wait(&mut self, location: LocationRef, operation: ThreadOperation, call: EnclosingCall) {
        let mut barriers = Vec::new();
        let threads = self.process(location);
        let (task, mut is_known, mut before) = (threads.task_of(location), true, Vec::new());
        match operation {
            ThreadOperation::Barrier => {
                is_known = threads.teams.barrier(location, call, |it| barriers.push(it));
            }
            ThreadOperation::TaskWait => threads.tasks.wait(task, location, call, false),
            ThreadOperation::TaskGroup => threads.tasks.wait(task, location, call, true),
            ThreadOperation::PthreadBarrier => before = threads.barriers.enter(location, call),
            _ => threads.semaphore_waits.push((location, call)),
        }
        self.incomplete += u64::from(!is_known);
        self.found.extend(states::of_pthread_barrier(&before).into_iter().map(ThreadFinding::Wait));
        barriers.iter().for_each(|barrier| self.add_barrier(barrier));
    }

    fn add_team_or_task(
        &mut self,
        location: LocationRef,
        time: u64,
        operation: ThreadOperation,
        call: &EnclosingCall,
    ) {
        let mut barriers = Vec::new();
        let threads = self.process(location);
        let ProcessThreads { first, locks, signals, posts, teams, team_times, tasks, .. } = threads;
        let is_first = location == *first;
        let (team, mut executed, mut ended) = (teams.team(location), None, Vec::new());
        match operation {
            ThreadOperation::Release { lock, order } => locks.release(lock, order, location, time),
            ThreadOperation::Signal => signals.add(location, time),
            ThreadOperation::SemaphorePost => posts.add(location, time),
            ThreadOperation::Fork => {
                teams.fork(location, time);
                if is_first {
                    team_times.fork(time);
                }
            }
            ThreadOperation::Join => {
                if let Some(team) = teams.join(location, |it| barriers.push(it)) {
                    team_times.end_team(team, time);
                }
                if is_first {
                    team_times.join(time);
                }
            }
            ThreadOperation::TeamBegin(team) => {
                let creation = teams.begin(team, location, |it| barriers.push(it));
                let forked = creation.map_or(time, |it| it.time);
                team_times.begin(location, teams.team(location), forked);
                self.found.extend(creation.map(ThreadFinding::Creation));
            }
            ThreadOperation::TeamEnd(team) => {
                teams.end(team, location);
                team_times.end(location, time);
            }
            ThreadOperation::TaskCreate(task) => tasks.create(tasks.task_of(location, team), time, task),
            ThreadOperation::TaskSwitch(task) => executed = tasks.switch(location, time, team, task),
            ThreadOperation::TaskComplete(task) => {
                ended = tasks.complete(location, time, task);
                teams.complete_task(location, time, task);
            }
            ThreadOperation::Leave => threads.leave(location, call),
            _ => {}
        }
        if let Some((since, until)) = executed {
            self.process(location).teams.execute(location, since, until);
        }
        ended.iter().for_each(|wait| self.add_known(states::of_tasks(self.functions, wait)));
        barriers.iter().for_each(|barrier| self.add_barrier(barrier));
    }

    /// Passes the waits that ended before an operation of a location at a time, in a call.
    fn end_waits(&mut self, location: LocationRef, time: u64, call: u64) {
        let threads = self.process(location);
        let task = threads.task_of(location);
        let tasks = threads.tasks.end(task, time, call);
        let members = threads.barriers.take_ended(time);
        let ends: Vec<_> = threads.semaphore_waits.extract_if(.., |it| it.1.end < time).collect();
        let at_semaphores: Vec<_> = ends.iter().filter_map(|wait| threads.at_semaphore(wait)).collect();
        let waits = states::of_pthread_barrier(&members).into_iter().chain(at_semaphores);
        self.found.extend(waits.map(ThreadFinding::Wait));
        tasks.iter().for_each(|wait| self.add_known(states::of_tasks(self.functions, wait)));
    }

    /// Adds the wait states of a barrier or a call, if they are known.
    fn add_known(&mut self, waits: Option<Vec<WaitState>>) {
        self.incomplete += u64::from(waits.is_none());
        self.found.extend(waits.into_iter().flatten().map(ThreadFinding::Wait));
    }

    fn add_barrier(&mut self, barrier: &Barrier) {
        self.add_known(states::of_barrier(self.trace, self.functions, barrier));
    }

    /// Returns the findings that are known in the end.
    pub(crate) fn finish(&mut self) -> Vec<ThreadFinding> {
        self.resolve();
        let mut processes: Vec<_> = mem::take(&mut self.processes).into_iter().collect();
        processes.sort_unstable_by_key(|(process, _)| *process);
        for (_, mut threads) in processes {
            let (tasks, running) = threads.tasks.finish();
            for (location, since) in running {
                threads.teams.execute(location, since, u64::MAX);
            }
            self.incomplete += threads.tasks.left_out;
            threads.teams.finish(|barrier| self.add_barrier(&barrier));
            tasks.iter().for_each(|wait| self.add_known(states::of_tasks(self.functions, wait)));
            let at_barrier = states::of_pthread_barrier(&threads.barriers.take_ended(u64::MAX));
            let at_semaphores = threads.semaphore_waits.iter().filter_map(|wait| threads.at_semaphore(wait));
            self.found.extend(at_barrier.into_iter().chain(at_semaphores).map(ThreadFinding::Wait));
            if let Some(known_time) = threads.known_time {
                self.idle.extend(threads.team_times.finish(threads.first, known_time));
            }
        }
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
                ThreadFunction::WriteLock => (WaitKind::PthreadRwlock, it.call.start),
                ThreadFunction::Lock => (WaitKind::OmpLock, it.call.start),
                ThreadFunction::Critical => (WaitKind::OmpCritical, it.call.start),
                ThreadFunction::Ordered => (WaitKind::OmpOrdered, it.call.start),
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
}
