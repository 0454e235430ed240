//! The explicit tasks of a process, and waiting for them.
//!
//! A task that waits is in a call; its thread executes others meanwhile. Invariant: the calls of a
//! task are in each other, so that the last one ends first; a call is passed at the next operation
//! of its task after its end, or when nothing follows.

use super::busy_time::BusyTime;
use super::operation::TaskId;
use crate::waits::EnclosingCall;
use foldhash::HashMap;
use kymo_otf2::references::LocationRef;

/// The largest number of tasks that are not complete.
const MOST_TASKS: usize = 1 << 18;
/// The largest number of groups around a task that are looked at.
const MOST_GROUPS: usize = 64;

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
    /// When the task has begun to wait.
    pub(super) since: u64,
    /// When the thread executed other tasks.
    pub(super) busy: BusyTime,
    /// The location that executed the last task that was complete, and when.
    pub(super) last: Option<(LocationRef, u64)>,
    /// The number of the group, if it waits for one.
    group: Option<u64>,
    /// Since when the thread executes other tasks.
    away: Option<u64>,
}

impl TaskWait {
    /// A task for which it waits is complete.
    fn complete(&mut self, location: LocationRef, time: u64) {
        if location != self.location && self.call.start < time && time <= self.call.end {
            self.last = Some((location, time));
        }
    }
}

/// Where a task comes from.
#[derive(Debug, Clone, Copy)]
struct Origin {
    creator: WaitingTask,
    /// The innermost group to which it belongs.
    group: Option<u64>,
}

/// The tasks of a process.
#[derive(Debug, Default)]
pub(super) struct Tasks {
    running: HashMap<LocationRef, (TaskId, u64)>,
    /// The tasks that are not complete.
    origins: HashMap<TaskId, Origin>,
    /// The calls in which tasks wait, the outermost one first.
    waits: HashMap<WaitingTask, Vec<TaskWait>>,
    /// The groups that have not ended: who waits for them, and the group around each.
    groups: HashMap<u64, (WaitingTask, Option<u64>)>,
    /// The number of groups so far.
    count: u64,
    /// The number of tasks that are not known, since there are too many.
    pub(super) left_out: u64,
}

/// A thread has executed a task, without others: the begin and the end.
pub(super) type Executed = Option<(u64, u64)>;

impl Tasks {
    /// Returns the task that a thread executes. `team` is the number of the last team of which the
    /// thread is a member.
    pub(super) fn task_of(&self, location: LocationRef, team: Option<u64>) -> WaitingTask {
        match self.running.get(&location) {
            Some((task, _)) => WaitingTask::Explicit(*task),
            None => WaitingTask::Implicit(location, team),
        }
    }

    /// Returns the innermost group in which a task creates others.
    fn group_of(&self, task: WaitingTask) -> Option<u64> {
        let own = self.waits.get(&task).and_then(|waits| waits.iter().rev().find_map(|it| it.group));
        own.or_else(|| match task {
            WaitingTask::Explicit(task) => self.origins.get(&task)?.group,
            WaitingTask::Implicit(..) => None,
        })
    }

    pub(super) fn create(&mut self, creator: WaitingTask, time: u64, task: TaskId) {
        let group = self.group_of(creator);
        if let Some(waits) = self.waits.get_mut(&creator)
            && let Some(group) = waits.iter_mut().rfind(|it| it.group.is_some())
        {
            group.since = group.since.max(time);
        }
        match self.origins.len() < MOST_TASKS {
            true => drop(self.origins.insert(task, Origin { creator, group })),
            false => self.left_out += 1,
        }
    }

    /// A thread goes on with another task, or its implicit one. Returns the time of the task that
    /// it executed: a task runs until the next one, after its completion as well, as in the calls
    /// of the thread.
    pub(super) fn switch(
        &mut self,
        location: LocationRef,
        time: u64,
        team: Option<u64>,
        next: Option<TaskId>,
    ) -> Executed {
        let before = self.task_of(location, team);
        let executed = match next {
            Some(task) => self.running.insert(location, (task, time)),
            None => self.running.remove(&location),
        };
        let after = self.task_of(location, team);
        if before != after {
            for wait in self.waits.get_mut(&before).into_iter().flatten() {
                wait.away.get_or_insert(time);
            }
            for wait in self.waits.get_mut(&after).into_iter().flatten() {
                if let Some(away) = wait.away.take() {
                    wait.busy.add(away, time);
                }
            }
        }
        executed.map(|(_, since)| (since, time))
    }

    /// A task is complete. Returns the calls in which it waited.
    pub(super) fn complete(&mut self, location: LocationRef, time: u64, task: TaskId) -> Vec<TaskWait> {
        let Some(Origin { creator, group }) = self.origins.remove(&task) else { return Vec::new() };
        for wait in self.waits.get_mut(&creator).into_iter().flatten().filter(|it| it.group.is_none()) {
            wait.complete(location, time);
        }
        let mut next = group;
        for _ in 0..MOST_GROUPS {
            let Some(group) = next else { break };
            let Some((task, around)) = self.groups.get(&group).copied() else { break };
            let waits = self.waits.get_mut(&task).into_iter().flatten();
            let Some(wait) = waits.into_iter().find(|it| it.group == Some(group)) else { break };
            // A group that has ended before its tasks, as no program does, hides those around it,
            // whether or not its end was passed.
            if wait.call.end < time {
                break;
            }
            wait.complete(location, time);
            next = around;
        }
        self.end(WaitingTask::Explicit(task), u64::MAX, 0)
    }

    /// A call begins that waits for tasks, at its end if they are those of a group.
    pub(super) fn wait(
        &mut self,
        task: WaitingTask,
        location: LocationRef,
        call: EnclosingCall,
        is_group: bool,
    ) {
        let around = self.group_of(task);
        self.count += u64::from(is_group);
        let group = is_group.then_some(self.count);
        if let Some(group) = group {
            self.groups.insert(group, (task, around));
        }
        // The work of a group is that of its task before it waited.
        let since = if is_group { call.start.max(call.work) } else { call.start };
        let (busy, last, away) = (BusyTime::default(), None, None);
        self.waits.entry(task).or_default().push(TaskWait { location, call, since, busy, last, group, away });
    }

    /// The end of a call of a task is known only now.
    pub(super) fn leave(&mut self, task: WaitingTask, call: u64, end: u64) {
        for wait in self.waits.get_mut(&task).into_iter().flatten().filter(|it| it.call.call == call) {
            wait.call.end = end;
        }
    }

    /// Takes the calls of a task that ended before an operation at a time, in a call.
    pub(super) fn end(&mut self, task: WaitingTask, time: u64, call: u64) -> Vec<TaskWait> {
        let Some(waits) = self.waits.get_mut(&task) else { return Vec::new() };
        // At the same time, an operation in a call that began before is outside.
        let has_ended = |it: &mut TaskWait| it.call.end < time || it.call.end == time && call < it.call.call;
        let mut ended = Vec::new();
        while let Some(wait) = waits.pop_if(has_ended) {
            // A task does not wait for its group before it has ended to wait for something else.
            for group in waits.iter_mut() {
                group.since = group.since.max(wait.call.end);
            }
            ended.push(wait);
        }
        if waits.is_empty() {
            self.waits.remove(&task);
        }
        for group in ended.iter().filter_map(|it| it.group) {
            self.groups.remove(&group);
        }
        ended
    }

    /// Takes all calls, and the tasks that threads execute: the location, and since when.
    pub(super) fn finish(&mut self) -> (Vec<TaskWait>, Vec<(LocationRef, u64)>) {
        let mut all = Vec::new();
        for (_, mut waits) in std::mem::take(&mut self.waits) {
            while let Some(mut wait) = waits.pop() {
                for group in &mut waits {
                    group.since = group.since.max(wait.call.end);
                }
                if let Some(away) = wait.away {
                    wait.busy.add(away, u64::MAX);
                }
                all.push(wait);
            }
        }
        all.sort_unstable_by_key(|it| (it.call.start, it.location, it.call.call));
        let running = self.running.drain().map(|(location, (_, since))| (location, since));
        (all, running.collect())
    }
}
