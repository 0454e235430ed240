//! Makes the checkpoints of a location.

use crate::calls::{Call, Checkpoint, OpenCall, OpenCalls, Task, Visitor};
use crate::contexts::ContextId;
use kymo_otf2::events::Event;
use kymo_otf2::references::RegionRef;
use std::mem;
use std::num::NonZero;

/// Makes the checkpoints of a location.
#[derive(Debug)]
pub(super) struct Checkpointer {
    /// The number of events from one checkpoint to the next.
    every: u64,
    events: u64,
    /// The times of the last event and the last sample.
    previous: u64,
    last_sample: Option<u64>,
    running: OpenCalls,
    suspended: Vec<OpenCalls>,
    made: Vec<Checkpoint>,
    /// Whether the next call is around all others.
    is_enclosing: bool,
}

impl Checkpointer {
    pub(super) fn new(every: NonZero<u64>) -> Self {
        Self {
            every: every.get(),
            events: 0,
            previous: 0,
            last_sample: None,
            running: OpenCalls::default(),
            suspended: Vec::new(),
            made: Vec::new(),
            is_enclosing: false,
        }
    }

    /// Returns the checkpoints in the order of events.
    pub(super) fn finish(self) -> Vec<Checkpoint> {
        self.made
    }

    #[cold]
    fn make(&mut self, time: u64) {
        let stacks = self.suspended.iter().chain([&self.running]).cloned().collect();
        let (previous, last_sample) = (self.previous, self.last_sample);
        self.made.push(Checkpoint { number: self.events + 1, time, previous, last_sample, stacks });
    }

    /// Opens a call around all others, whose start is missing.
    fn enclose_all(&mut self, region: RegionRef) {
        let stacks = self.made.iter_mut().flat_map(|it| &mut it.stacks);
        for stack in stacks.filter(|stack| stack.task.is_none()) {
            stack.calls.insert(0, OpenCall { region, is_sampled: false, is_seen: false });
        }
    }
}

impl Visitor for Checkpointer {
    type Mark = ();

    #[inline]
    fn record(&mut self, time: u64, event: &Event<'_>) {
        if self.events.is_multiple_of(self.every) {
            self.make(time);
        }
        self.events += 1;
        self.previous = time;
        if let Event::CallingContextSample(_) = event {
            self.last_sample = Some(time);
        }
    }

    #[inline]
    fn enter(&mut self, _context: ContextId, region: RegionRef, _time: u64, is_sampled: bool) {
        if mem::take(&mut self.is_enclosing) {
            self.enclose_all(region);
        }
        self.running.calls.push(OpenCall { region, is_sampled, is_seen: false });
    }

    fn seen(
        &mut self,
        _context: ContextId,
        _region: RegionRef,
        since: Option<u64>,
        _time: u64,
        _mark: &mut (),
    ) {
        if let Some(innermost) = self.running.calls.last_mut() {
            innermost.is_seen = since.is_none();
        }
    }

    #[inline]
    fn leave(&mut self, _call: &Call, _mark: (), _outer: &mut ()) {
        self.running.calls.pop();
    }

    fn switch(&mut self, _time: u64, _from: Option<Task>, to: Option<Task>, _implicit: &mut ()) {
        let place = self.suspended.iter().position(|it| it.task == to);
        let next = place.map_or_else(
            || OpenCalls { task: to, calls: Vec::new() },
            |place| self.suspended.swap_remove(place),
        );
        let last = mem::replace(&mut self.running, next);
        if last.task.is_none() || !last.calls.is_empty() {
            self.suspended.push(last);
        }
    }

    fn enclose(&mut self, _ids: &[ContextId]) {
        self.is_enclosing = true;
    }
}
