//! How much of the communication in the background is hidden by computation.
//!
//! A non-blocking operation is *open* from its begin to its completion. While a location computes
//! and has open operations, their transfer can be hidden. That is an upper bound: between the two,
//! a library may transfer nothing.

use crate::calls::ActivitySink;
use crate::class::Class;
use crate::contexts::{ContextId, Contexts};
use crate::trace::Trace;
use foldhash::{HashSet, HashSetExt};
use kymo_otf2::events::Event;
use std::ops::AddAssign;

/// The time with open operations. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overlap {
    /// The time with at least one open operation.
    pub open: u128,
    /// The part of it in computation.
    pub hidden: u128,
    /// The part of it in communication.
    pub exposed: u128,
}

impl AddAssign for Overlap {
    fn add_assign(&mut self, other: Self) {
        self.open += other.open;
        self.hidden += other.hidden;
        self.exposed += other.exposed;
    }
}

/// Sums the time of a location with open operations by context.
#[derive(Debug)]
pub(crate) struct OpenOperations {
    /// Whether the location records when its sends are complete.
    completes_sends: bool,
    open: HashSet<u64>,
    times: Vec<u64>,
}

impl OpenOperations {
    pub(crate) fn new(completes_sends: bool) -> Self {
        Self { completes_sends, open: HashSet::new(), times: Vec::new() }
    }

    /// Returns the sums by class.
    pub(crate) fn finish(self, trace: &Trace, contexts: &Contexts) -> Overlap {
        let mut overlap = Overlap::default();
        if self.times.is_empty() {
            return overlap;
        }
        let classes = Class::of_contexts(trace, contexts);
        for (context, time) in self.times.into_iter().enumerate() {
            let time = u128::from(time);
            overlap.open += time;
            match classes.get(context) {
                // No call computes: of recordings without samples, that is the program.
                _ if context == ContextId::ROOT.index() => {}
                Some(Class::Computation) => overlap.hidden += time,
                Some(Class::Communication) => overlap.exposed += time,
                _ => {}
            }
        }
        overlap
    }
}

impl ActivitySink for OpenOperations {
    #[inline]
    fn spend(&mut self, context: ContextId, since: u64, until: u64) {
        if self.open.is_empty() {
            return;
        }
        if context.index() >= self.times.len() {
            self.times.resize(context.index() + 1, 0);
        }
        self.times[context.index()] += until - since;
    }

    fn event(&mut self, _time: u64, event: &Event<'_>) {
        match event {
            Event::MpiIsend(it) if self.completes_sends => drop(self.open.insert(it.request_id)),
            Event::MpiIrecvRequest(it) => drop(self.open.insert(it.request_id)),
            Event::MpiImrecvRequest(it) => drop(self.open.insert(it.request_id)),
            Event::NonBlockingCollectiveRequest(it) => drop(self.open.insert(it.request_id)),
            Event::MpiIsendComplete(it) => drop(self.open.remove(&it.request_id)),
            Event::MpiIrecv(it) => drop(self.open.remove(&it.request_id)),
            Event::MpiImrecv(it) => drop(self.open.remove(&it.request_id)),
            Event::NonBlockingCollectiveComplete(it) => drop(self.open.remove(&it.request_id)),
            Event::MpiRequestCancelled(it) => drop(self.open.remove(&it.request_id)),
            _ => {}
        }
    }

    fn rename(&mut self, ids: &[ContextId]) {
        let times = std::mem::take(&mut self.times);
        for (time, id) in times.into_iter().zip(ids).filter(|(time, _)| *time > 0) {
            if id.index() >= self.times.len() {
                self.times.resize(id.index() + 1, 0);
            }
            self.times[id.index()] += time;
        }
    }
}
