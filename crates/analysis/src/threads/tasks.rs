//! The explicit tasks of a process, and waiting for them.
//!
//! A thread that waits for tasks executes others meanwhile. Invariant: a wait is passed at the
//! first operation of the process after its end, so that all tasks that ended inside it are known.

use super::busy_time::BusyTime;
use super::operation::TaskId;
use crate::waits::EnclosingCall;
use foldhash::HashMap;
use kymo_otf2::references::LocationRef;
use std::mem;

/// A task that creates others or waits for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum WaitingTask {
    Explicit(TaskId),
    /// The implicit task of a thread in a team, by the number of the team, if it is in one.
    Implicit(LocationRef, Option<u64>),
}

/// A call that waits for tasks.
#[derive(Debug)]
pub(super) struct TaskWait {
    pub(super) location: LocationRef,
    pub(super) call: EnclosingCall,
    /// When the thread has begun to wait.
    pub(super) since: u64,
    pub(super) busy: BusyTime,
    /// The location that executed the last task that was complete, and when.
    pub(super) last: Option<(LocationRef, u64)>,
    task: WaitingTask,
    /// The number of the group, if it waits for one.
    group: Option<u64>,
    /// Whether tasks were created in the group.
    has_members: bool,
}

/// The tasks of a process.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    running: HashMap<LocationRef, (TaskId, u64)>,
    /// The tasks that are not complete: the task that has created each, and its group.
    origins: HashMap<TaskId, (WaitingTask, Option<u64>)>,
    waits: Vec<TaskWait>,
    /// The number of groups so far.
    groups: u64,
    /// When the first wait ends.
    next_end: Option<u64>,
}

/// A thread has executed a task, without others: the begin and the end.
pub(super) type Executed = Option<(u64, u64)>;

impl Tasks {
    /// Returns the task that a thread executes. `team` is the number of the last team of which the
    /// thread is a member.
    fn task_of(&self, location: LocationRef, team: Option<u64>) -> WaitingTask {
        match self.running.get(&location) {
            Some((task, _)) => WaitingTask::Explicit(*task),
            None => WaitingTask::Implicit(location, team),
        }
    }

    pub(super) fn create(&mut self, location: LocationRef, time: u64, team: Option<u64>, task: TaskId) {
        let creator = self.task_of(location, team);
        let inherited = match creator {
            WaitingTask::Explicit(task) => self.origins.get(&task).and_then(|it| it.1),
            WaitingTask::Implicit(..) => None,
        };
        let innermost = self.waits.iter_mut().rfind(|it| it.group.is_some() && it.task == creator);
        let group = innermost.and_then(|group| {
            group.has_members = true;
            group.since = time;
            group.group
        });
        self.origins.insert(task, (creator, group.or(inherited)));
    }

    /// A thread goes on with another task, or its implicit one. Returns what it executed: a task
    /// runs until the next one, after its completion as well, as in the calls of the thread.
    pub(super) fn switch(&mut self, location: LocationRef, time: u64, next: Option<TaskId>) -> Executed {
        let last = match next {
            Some(task) => self.running.insert(location, (task, time)),
            None => self.running.remove(&location),
        };
        let (task, since) = last?;
        let executed = WaitingTask::Explicit(task);
        for it in self.waits.iter_mut().filter(|it| it.location == location && it.task != executed) {
            it.busy.add(since, time);
        }
        Some((since, time))
    }

    /// A task is complete.
    pub(super) fn complete(&mut self, location: LocationRef, time: u64, task: TaskId) {
        let Some((creator, group)) = self.origins.remove(&task) else { return };
        for wait in self.waits.iter_mut().filter(|wait| wait.location != location) {
            let is_awaited = match wait.group {
                Some(_) if wait.has_members => wait.group == group,
                _ => wait.task == creator,
            };
            if is_awaited && wait.call.start < time {
                wait.last = Some((location, time));
            }
        }
    }

    /// A call begins that waits for tasks, at its end if they are those of a group.
    pub(super) fn wait(
        &mut self,
        location: LocationRef,
        team: Option<u64>,
        call: EnclosingCall,
        is_group: bool,
    ) {
        self.groups += u64::from(is_group);
        self.waits.push(TaskWait {
            location,
            since: call.start,
            busy: BusyTime::default(),
            last: None,
            task: self.task_of(location, team),
            group: is_group.then_some(self.groups),
            has_members: false,
            call,
        });
        self.next_end = Some(self.next_end.map_or(call.end, |end| end.min(call.end)));
    }

    /// The end of a call is known only now.
    pub(super) fn leave(&mut self, location: LocationRef, call: u64, end: u64) {
        for wait in self.waits.iter_mut().filter(|it| it.location == location && it.call.call == call) {
            wait.call.end = end;
        }
        self.next_end = self.waits.iter().map(|it| it.call.end).min();
    }

    /// Takes the waits that ended before a time.
    pub(super) fn take_ended(&mut self, time: u64) -> Vec<TaskWait> {
        if self.next_end.is_none_or(|end| time <= end) {
            return Vec::new();
        }
        self.end_inner(time);
        let (ended, open): (Vec<_>, Vec<_>) =
            mem::take(&mut self.waits).into_iter().partition(|it| it.call.end < time);
        self.waits = open;
        self.next_end = self.waits.iter().map(|it| it.call.end).min();
        ended
    }

    /// A task does not wait for its group before it has ended to wait for something else in it:
    /// what ended before a time.
    fn end_inner(&mut self, time: u64) {
        let ended = |it: &&TaskWait| it.call.end < time;
        let inner: Vec<_> =
            self.waits.iter().filter(ended).map(|it| (it.location, it.task, it.call)).collect();
        for (location, task, call) in inner {
            let is_around = |it: &&mut TaskWait| {
                (it.location, it.task) == (location, task)
                    && it.call.call < call.call
                    && call.end <= it.call.end
            };
            for around in self.waits.iter_mut().filter(is_around) {
                around.since = around.since.max(call.end);
            }
        }
    }

    /// Takes all waits.
    pub(super) fn take_all(&mut self) -> Vec<TaskWait> {
        self.end_inner(u64::MAX);
        self.next_end = None;
        mem::take(&mut self.waits)
    }
}
