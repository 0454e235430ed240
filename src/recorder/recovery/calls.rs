//! The calls of a location that have not returned, for those who want them closed.
//!
//! A location that switches to a task goes on with that task's calls; those of other tasks, and its own beneath, cannot be left
//! before it switches back, which nobody knows that it would have done.

use std::collections::HashMap;

use kymo_otf2::{
    events::{CallingContextLeave, Event, Leave},
    references::{CallingContextRef, RegionRef},
};

/// Who called.
type Task = (u32, u32, u32);

/// A call that has not returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    Region(RegionRef),
    Context(CallingContextRef),
}

impl Call {
    /// The event that ends it.
    pub(super) fn leave(self) -> Event<'static> {
        match self {
            Self::Region(region) => Leave { region }.into(),
            Self::Context(calling_context) => CallingContextLeave { calling_context }.into(),
        }
    }
}

/// The calls of a location.
#[derive(Debug, Default)]
pub(super) struct Calls {
    own: Vec<Call>,
    task: Option<Task>,
    tasks: HashMap<Task, Vec<Call>>,
}

impl Calls {
    /// Takes in the location's next event.
    #[inline]
    pub(super) fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::Enter(it) => self.current().push(Call::Region(it.region)),
            Event::Leave(it) => self.leave(Call::Region(it.region)),
            Event::CallingContextEnter(it) => self.current().push(Call::Context(it.calling_context)),
            Event::CallingContextLeave(it) => self.leave(Call::Context(it.calling_context)),
            Event::ThreadTaskSwitch(it) => {
                self.switch((it.thread_team.0, it.creating_thread, it.generation_number));
            }
            Event::ThreadTaskComplete(it) => {
                self.complete((it.thread_team.0, it.creating_thread, it.generation_number));
            }
            _ => {}
        }
    }

    #[inline]
    fn current(&mut self) -> &mut Vec<Call> {
        match self.task {
            None => &mut self.own,
            Some(task) => self.tasks.entry(task).or_default(),
        }
    }

    /// Goes on as if the calls in between had returned; what was not entered stays without effect.
    #[inline]
    fn leave(&mut self, call: Call) {
        let calls = self.current();
        if let Some(depth) = calls.iter().rposition(|&entered| entered == call) {
            calls.truncate(depth);
        }
    }

    /// Number 0 is the implicit task of a thread, whose calls are the location's own.
    fn switch(&mut self, task: Task) {
        self.task = Some(task).filter(|(_, _, number)| *number != 0);
    }

    fn complete(&mut self, task: Task) {
        self.tasks.remove(&task);
        if self.task == Some(task) {
            self.task = None;
        }
    }

    /// How many are open.
    pub(super) fn open(&self) -> u64 {
        self.tasks.values().chain([&self.own]).map(|calls| calls.len() as u64).sum()
    }

    /// Ends the calls that can be ended, innermost first.
    pub(super) fn close(&mut self) -> Vec<Call> {
        let mut calls = std::mem::take(self.current());
        calls.reverse();
        calls
    }
}
