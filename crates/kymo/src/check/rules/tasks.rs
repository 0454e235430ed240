//! Tasks: created once, switched to while they exist, and finally completed.

use std::fmt;

use kymo_otf2::events::Event;

use super::lives::Lives;
use super::{CheckedEvent, Claims, EventRule, EventSpot};
use crate::check::findings::Findings;
use crate::check::kinds::FindingKind;
use crate::check::tables::HashSet;
use kymo_analysis::communication::Process;

/// A task of a process, other than the implicit tasks of its threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Task {
    Thread { team: u32, creator: u32, generation: u32 },
    Omp(u64),
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Thread { team, creator, generation } => {
                write!(f, "task {generation} of thread {creator} of communicator {team}")
            }
            Self::Omp(id) => write!(f, "task {id}"),
        }
    }
}

/// Distinguishes implicit tasks, which have number 0 and no creation, from tasks that a writer
/// counts from 0.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    created: HashSet<(Process, Task)>,
}

impl Numbering {
    /// Returns the task that a task event concerns; `None` for implicit tasks and for other events.
    pub(super) fn task(&mut self, here: &CheckedEvent<'_>) -> Option<Task> {
        let (task, is_creation) = of(&here.event)?;
        let is_zero = matches!(task, Task::Thread { generation: 0, .. } | Task::Omp(0));
        if is_zero && is_creation {
            self.created.insert((here.process, task));
        }
        (!is_zero || self.created.contains(&(here.process, task))).then_some(task)
    }
}

/// Returns the task of a task event, and whether the event creates it.
fn of(event: &Event<'_>) -> Option<(Task, bool)> {
    let thread = |team, creator, generation| Task::Thread { team, creator, generation };
    Some(match *event {
        Event::ThreadTaskCreate(it) => {
            (thread(it.thread_team.0, it.creating_thread, it.generation_number), true)
        }
        Event::ThreadTaskSwitch(it) => {
            (thread(it.thread_team.0, it.creating_thread, it.generation_number), false)
        }
        Event::ThreadTaskComplete(it) => {
            (thread(it.thread_team.0, it.creating_thread, it.generation_number), false)
        }
        Event::OmpTaskCreate(it) => (Task::Omp(it.task_id), true),
        Event::OmpTaskSwitch(it) => (Task::Omp(it.task_id), false),
        Event::OmpTaskComplete(it) => (Task::Omp(it.task_id), false),
        _ => return None,
    })
}

pub(super) struct Tasks {
    claims: Claims,
    numbering: Numbering,
    lives: Lives<(Process, Task), ()>,
}

impl Tasks {
    pub(super) fn new(claims: Claims) -> Self {
        Tasks { claims, numbering: Numbering::default(), lives: Lives::new() }
    }

    fn report(&mut self, now: Option<u64>, findings: &mut Findings<'_>) {
        let early = match now {
            Some(now) => self.lives.overdue(now),
            None => self.lives.all_overdue(),
        };
        for early in early.into_iter().filter(|_| self.claims.fork_join) {
            findings.find(
                FindingKind::TaskNotAlive,
                early.spot,
                format_args!("{} was not created, or is complete", early.key.1),
            );
        }
    }
}

impl EventRule for Tasks {
    fn event(&mut self, here: &CheckedEvent<'_>, findings: &mut Findings<'_>) {
        if self.lives.has_overdue(here.spot.time) {
            self.report(Some(here.spot.time), findings);
        }
        let Some(task) = self.numbering.task(here) else { return };
        let key = (here.process, task);
        match here.event {
            Event::ThreadTaskCreate(_) | Event::OmpTaskCreate(_) => {
                if let Some(life) = self.lives.begin(key, here.spot, ()) {
                    let EventSpot { number, location, .. } = life.spot;
                    findings.find(
                        FindingKind::TaskCreatedTwice,
                        here.spot,
                        format_args!("{task} has existed since event {number} of location {location}"),
                    );
                }
            }
            Event::ThreadTaskSwitch(_) | Event::OmpTaskSwitch(_) => drop(self.lives.get(key, here.spot)),
            _ => drop(self.lives.end(key, here.spot)),
        }
    }

    fn end(&mut self, complete: bool, findings: &mut Findings<'_>) {
        self.report(None, findings);
        for ((_, task), life) in self.lives.rest().into_iter().filter(|_| complete) {
            findings.find(FindingKind::TaskNotComplete, life.spot, format_args!("{task} is never completed"));
        }
    }
}
