//! The calls of a location that have not returned, for users who want them closed.
//!
//! After a location switches to a task, its current calls are those of that task. The calls of
//! other tasks, and the location's own calls below, cannot be left before it switches back, and
//! whether it would have done so is unknown.

use std::collections::HashMap;

use kymo_otf2::{
    events::{CallingContextLeave, Event, Leave},
    references::{CallingContextRef, RegionRef},
};

/// The identity of a task.
type Task = (u32, u32, u32);

/// A call that has not returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    Region(RegionRef),
    Context(CallingContextRef),
}

impl Call {
    /// Returns the event that ends the call.
    pub(super) fn leave(self) -> Event<'static> {
        match self {
            Self::Region(region) => Leave { region }.into(),
            Self::Context(calling_context) => CallingContextLeave { calling_context }.into(),
        }
    }
}

/// The maximum number of calls that one leave may end: it ends all calls inside its own that have
/// not returned. Where recording was off, there can be millions of unmatched enters and leaves, and
/// each leave searches for its enter.
const FARTHEST: usize = 256;
/// The maximum number of calls to remember; deeper ones are only counted.
const DEEPEST: usize = 1 << 20;

/// Nested calls, each made in the previous one.
#[derive(Debug, Default)]
struct Stack {
    calls: Vec<Call>,
    deeper: u64,
}

impl Stack {
    #[inline]
    fn enter(&mut self, call: Call) {
        match self.calls.len() < DEEPEST {
            true => self.calls.push(call),
            false => self.deeper += 1,
        }
    }

    /// Continues as if the calls in between had returned. A leave without an enter has no effect.
    #[inline]
    fn leave(&mut self, call: Call) {
        if self.deeper > 0 {
            self.deeper -= 1;
        } else if let Some(inside) =
            self.calls.iter().rev().take(FARTHEST).position(|&entered| entered == call)
        {
            self.calls.truncate(self.calls.len() - 1 - inside);
        }
    }

    fn open(&self) -> u64 {
        self.calls.len() as u64 + self.deeper
    }
}

/// The calls of a location.
#[derive(Debug, Default)]
pub(super) struct LocationCalls {
    own: Stack,
    task: Option<Task>,
    tasks: HashMap<Task, Stack>,
}

impl LocationCalls {
    /// Processes the location's next event.
    #[inline]
    pub(super) fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::Enter(it) => self.current().enter(Call::Region(it.region)),
            Event::Leave(it) => self.current().leave(Call::Region(it.region)),
            Event::CallingContextEnter(it) => self.current().enter(Call::Context(it.calling_context)),
            Event::CallingContextLeave(it) => self.current().leave(Call::Context(it.calling_context)),
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
    fn current(&mut self) -> &mut Stack {
        match self.task {
            None => &mut self.own,
            Some(task) => self.tasks.entry(task).or_default(),
        }
    }

    /// Switches to a task. Number 0 is the implicit task of a thread, whose calls are the
    /// location's own.
    fn switch(&mut self, task: Task) {
        self.task = Some(task).filter(|(_, _, number)| *number != 0);
    }

    fn complete(&mut self, task: Task) {
        self.tasks.remove(&task);
        if self.task == Some(task) {
            self.task = None;
        }
    }

    /// Returns the number of open calls.
    pub(super) fn open(&self) -> u64 {
        self.tasks.values().chain([&self.own]).map(Stack::open).sum()
    }

    /// Closes the calls that can be closed and returns them, innermost first.
    pub(super) fn close(&mut self) -> Vec<Call> {
        let mut calls = std::mem::take(&mut self.current().calls);
        calls.reverse();
        calls
    }
}

// Too slow under Miri, and there is no unsafe code here.
#[cfg(all(test, not(miri)))]
mod tests {
    use kymo_otf2::{
        events::{Enter, ThreadTaskComplete, ThreadTaskSwitch},
        references::CommRef,
    };

    use super::*;

    fn enter(region: u32) -> Event<'static> {
        Enter { region: RegionRef(region) }.into()
    }

    fn leave(region: u32) -> Event<'static> {
        Leave { region: RegionRef(region) }.into()
    }

    fn switch(generation_number: u32) -> Event<'static> {
        ThreadTaskSwitch { thread_team: CommRef(0), creating_thread: 1, generation_number }.into()
    }

    fn after(events: &[Event<'_>]) -> (Vec<u32>, u64) {
        let mut calls = LocationCalls::default();
        for event in events.iter() {
            calls.take(event);
        }
        let region = |call| match call {
            Call::Region(region) => region.0,
            Call::Context(context) => context.0,
        };
        (calls.close().into_iter().map(region).collect(), calls.open())
    }

    #[test]
    fn calls_are_ended_innermost_first() {
        assert_eq!(after(&[enter(1), enter(2), leave(2), enter(3), enter(4)]), (vec![4, 3, 1], 0));
        assert_eq!(after(&[enter(1), enter(2), enter(3), leave(1)]), (vec![], 0));
        assert_eq!(after(&[leave(1), enter(2), leave(7)]), (vec![2], 0));
        let context = |calling_context| CallingContextLeave { calling_context }.into();
        assert_eq!(after(&[enter(1), context(CallingContextRef(1))]), (vec![1], 0));
    }

    #[test]
    fn tasks_have_calls_of_their_own() {
        let complete =
            ThreadTaskComplete { thread_team: CommRef(0), creating_thread: 1, generation_number: 5 };
        let begin = [enter(1), switch(5), enter(2), switch(6), enter(3)];
        assert_eq!(after(&begin), (vec![3], 2));
        assert_eq!(after(&[&begin[..], &[switch(5), enter(4)]].concat()), (vec![4, 2], 2));
        assert_eq!(after(&[&begin[..], &[switch(0), leave(1)]].concat()), (vec![], 2));
        assert_eq!(after(&[&begin[..], &[switch(5), complete.into()]].concat()), (vec![1], 1));
    }

    #[test]
    fn a_million_unmatched_enters_and_leaves_are_handled_quickly() {
        let mut calls = LocationCalls::default();
        for _ in 0..2 * DEEPEST {
            calls.take(&enter(1));
        }
        assert_eq!(calls.open(), 2 * DEEPEST as u64);
        for _ in 0..DEEPEST {
            calls.take(&leave(1));
        }
        for _ in 0..1 << 16 {
            calls.take(&leave(2));
        }
        assert_eq!(calls.open(), DEEPEST as u64);
        assert_eq!(calls.close().len(), DEEPEST);
    }
}
