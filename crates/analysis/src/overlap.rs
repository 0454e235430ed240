//! How much of the communication in the background is hidden by computation.
//!
//! A non-blocking operation is *open* from its begin to its completion. While a location computes
//! and has open operations, their transfer can be hidden. That is an upper bound: a library may
//! transfer nothing until it is called. An operation for whose completion the last call took more
//! than a tenth of the time that it was open *waited*: it is taken as not hidden at all for the
//! lower bound.

use crate::calls::{ActiveCall, ActivitySink};
use crate::class::Class;
use crate::contexts::{ContextId, Contexts};
use crate::trace::Trace;
use crate::waits::WaitState;
use foldhash::{HashMap, HashMapExt};
use kymo_otf2::events::Event;
use std::collections::BTreeMap;
use std::ops::AddAssign;

/// The time with open operations. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overlap {
    /// The time with at least one open operation.
    pub open: u128,
    /// The part of it in computation.
    pub hidden: u128,
    /// The part of that with at least one open operation that did not wait later.
    pub surely_hidden: u128,
    /// The part of `open` in communication.
    pub exposed: u128,
    /// The time of calls until the completion of operations that waited in them, without wait
    /// states.
    pub waited: u128,
}

impl Overlap {
    /// Returns by how much the operations that waited could wait less, if they were transferred
    /// while the location computes.
    pub fn hideable(&self) -> u128 {
        self.waited.min(self.hidden - self.surely_hidden)
    }
}

impl AddAssign for Overlap {
    fn add_assign(&mut self, other: Self) {
        self.open += other.open;
        self.hidden += other.hidden;
        self.surely_hidden += other.surely_hidden;
        self.exposed += other.exposed;
        self.waited += other.waited;
    }
}

/// An operation waited if this many times the time of its last call is more than it was open.
const WAITED: u64 = 10;

/// The begin of an operation.
#[derive(Debug, Clone, Copy)]
struct Begin {
    time: u64,
    /// The time of computation until then.
    computation: u64,
}

/// Sums the time of a location with open operations.
#[derive(Debug)]
pub(crate) struct OpenOperations<'t> {
    trace: &'t Trace,
    /// Whether the location records when its sends are complete.
    completes_sends: bool,
    open: HashMap<u64, Begin>,
    /// The time with open operations by context.
    times: Vec<u64>,
    /// The classes of contexts so far.
    classes: Vec<Class>,
    /// The time of computation with open operations.
    computation: u64,
    hidden: CoveredTime,
    /// The outermost call that communicates, which may have ended.
    call: CommunicationCall,
    /// The time of calls in which operations waited, by context.
    waited: BTreeMap<ContextId, u128>,
    /// The wait states by call.
    waits: HashMap<u64, u64>,
}

#[derive(Debug, Clone, Copy)]
struct CommunicationCall {
    number: u64,
    context: ContextId,
    start: u64,
    /// The time up to which it was counted as waiting.
    counted: u64,
}

impl<'t> OpenOperations<'t> {
    pub(crate) fn new(trace: &'t Trace, completes_sends: bool, waits: &[WaitState]) -> Self {
        let mut by_call = HashMap::with_capacity(waits.len());
        waits.iter().for_each(|wait| *by_call.entry(wait.call).or_default() += wait.time());
        Self {
            trace,
            completes_sends,
            open: HashMap::new(),
            times: Vec::new(),
            classes: vec![Class::Computation],
            computation: 0,
            hidden: CoveredTime::default(),
            call: CommunicationCall { number: 0, context: ContextId::ROOT, start: 0, counted: 0 },
            waited: BTreeMap::new(),
            waits: by_call,
        }
    }

    /// Returns the sums, and the time that operations waited by context.
    pub(crate) fn finish(self, contexts: &Contexts) -> (Overlap, BTreeMap<ContextId, u128>) {
        let mut overlap = Overlap::default();
        if self.times.is_empty() {
            return (overlap, self.waited);
        }
        let classes = Class::of_contexts(self.trace, contexts);
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
        overlap.surely_hidden = self.hidden.sum().min(overlap.hidden);
        overlap.waited = self.waited.values().sum();
        (overlap, self.waited)
    }

    fn begin(&mut self, request: u64, time: u64) {
        self.open.insert(request, Begin { time, computation: self.computation });
    }

    fn complete(&mut self, request: u64, time: u64) {
        let Some(begin) = self.open.remove(&request) else { return };
        let start = self.call.start.max(begin.time);
        let own = time.saturating_sub(start);
        if own.saturating_mul(WAITED) <= time - begin.time {
            self.hidden.add(begin.computation, self.computation);
            return;
        }
        let since = self.call.counted.max(start);
        let unblamed = time.saturating_sub(since);
        // What was a wait state has another cause.
        let wait = self.waits.get_mut(&self.call.number);
        let wait = wait.map_or(0, |wait| std::mem::replace(wait, wait.saturating_sub(unblamed)));
        let own = unblamed.saturating_sub(wait);
        *self.waited.entry(self.call.context).or_default() += u128::from(own);
        self.call.counted = time.max(since);
    }
}

impl ActivitySink for OpenOperations<'_> {
    #[inline]
    fn spend(&mut self, context: ContextId, since: u64, until: u64) {
        if self.open.is_empty() {
            return;
        }
        if context.index() >= self.times.len() {
            self.times.resize(context.index() + 1, 0);
        }
        self.times[context.index()] += until - since;
        let is_computation = context != ContextId::ROOT
            && self.classes.get(context.index()).is_some_and(|class| *class == Class::Computation);
        self.computation += if is_computation { until - since } else { 0 };
    }

    #[inline]
    fn call(&mut self, call: &ActiveCall) {
        let class = |context: ContextId| self.classes.get(context.index()).copied();
        let around = class(call.around).unwrap_or(Class::Computation);
        let own = class(call.context).unwrap_or_else(|| {
            let own = Class::of_call(self.trace, call.region, around);
            self.classes.resize(call.context.index() + 1, own);
            own
        });
        if own == Class::Communication && around != Class::Communication {
            self.call = CommunicationCall {
                number: call.number,
                context: call.context,
                start: call.time,
                counted: 0,
            };
        }
    }

    fn event(&mut self, time: u64, event: &Event<'_>) {
        match event {
            Event::MpiIsend(it) if self.completes_sends => self.begin(it.request_id, time),
            Event::MpiIrecvRequest(it) => self.begin(it.request_id, time),
            Event::MpiImrecvRequest(it) => self.begin(it.request_id, time),
            Event::NonBlockingCollectiveRequest(it) => self.begin(it.request_id, time),
            Event::MpiIsendComplete(it) => self.complete(it.request_id, time),
            Event::MpiIrecv(it) => self.complete(it.request_id, time),
            Event::MpiImrecv(it) => self.complete(it.request_id, time),
            Event::NonBlockingCollectiveComplete(it) => self.complete(it.request_id, time),
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
        let waited = std::mem::take(&mut self.waited).into_iter();
        self.waited = waited.map(|(context, time)| (ids[context.index()], time)).collect();
        self.call.context = ids[self.call.context.index()];
        let classes = std::mem::take(&mut self.classes);
        for (class, id) in classes.into_iter().zip(ids) {
            if id.index() >= self.classes.len() {
                self.classes.resize(id.index() + 1, Class::Computation);
            }
            self.classes[id.index()] = class;
        }
    }
}

/// The largest number of parts that are kept.
const MOST: usize = 1024;

/// The length of a union of intervals that come in the order of their ends. It can be shorter than
/// that, if more than [`MOST`] are apart and a later one reaches back before the last of them.
#[derive(Debug, Default)]
struct CoveredTime {
    /// The parts, which do not overlap, in their order.
    parts: Vec<(u64, u64)>,
    /// The length of the parts before `since`.
    before: u128,
    since: u64,
}

impl CoveredTime {
    fn add(&mut self, start: u64, end: u64) {
        let mut start = start.max(self.since);
        if start >= end {
            return;
        }
        while let Some((first, _)) = self.parts.pop_if(|(_, last)| *last >= start) {
            start = start.min(first);
        }
        if self.parts.len() == MOST {
            self.before += length(&self.parts);
            self.since = self.parts.last().map_or(self.since, |part| part.1);
            self.parts.clear();
        }
        self.parts.push((start, end));
    }

    fn sum(&self) -> u128 {
        self.before + length(&self.parts)
    }
}

fn length(parts: &[(u64, u64)]) -> u128 {
    parts.iter().map(|(start, end)| u128::from(end - start)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_that_overlap_count_once() {
        let mut covered = CoveredTime::default();
        let parts = [(0, 10), (20, 30), (25, 40), (50, 60), (5, 60), (70, 80)];
        parts.iter().for_each(|(start, end)| covered.add(*start, *end));
        assert_eq!((covered.sum(), covered.parts.len()), (70, 2));
    }

    #[test]
    fn of_many_intervals_the_length_is_never_too_long() {
        let mut covered = CoveredTime::default();
        (0..5000).for_each(|number| covered.add(number * 10, number * 10 + 5));
        assert_eq!(covered.sum(), 25_000);
        covered.add(0, 50_000);
        assert!((25_000..=50_000).contains(&covered.sum()), "{}", covered.sum());
    }
}
