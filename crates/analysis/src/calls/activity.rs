//! The context that a location is in at each time.

use super::{Call, Inside, Sampled, Task, Visitor};
use crate::contexts::ContextId;
use kymo_otf2::events::Event;
use kymo_otf2::references::RegionRef;
use std::collections::HashMap;

/// Receives the activity of a location, in the order of time, from its first event on.
pub trait ActivitySink {
    /// The location was in a context itself, or in no call, from `since` until later.
    fn spend(&mut self, context: ContextId, since: u64, until: u64);

    /// A call begins.
    fn call(&mut self, _call: &ActiveCall) {}

    /// A call of a context ends.
    fn ended(&mut self, _context: ContextId, _time: u64) {}

    /// Another event. Those before the selected time are passed with the time at which that begins.
    fn event(&mut self, _time: u64, _event: &Event<'_>) {}

    /// See [`Visitor::sampled`].
    fn sampled(&mut self, _sampled: &Sampled) {}

    /// All contexts so far have new ids, the root as well: see [`Visitor::enclose`].
    fn rename(&mut self, ids: &[ContextId]);
}

/// A call that begins. Times are in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActiveCall {
    /// The number of the call, of all those of the location.
    pub number: u64,
    /// The calling context.
    pub context: ContextId,
    /// The region.
    pub region: RegionRef,
    /// When it begins, which may be before the selected time.
    pub time: u64,
    /// The context that the location was in.
    pub around: ContextId,
    /// Whether only samples have seen it.
    pub is_sampled: bool,
}

/// Passes everything to both sinks, to the first one first.
impl<A: ActivitySink, B: ActivitySink> ActivitySink for (A, B) {
    #[inline]
    fn spend(&mut self, context: ContextId, since: u64, until: u64) {
        self.0.spend(context, since, until);
        self.1.spend(context, since, until);
    }

    #[inline]
    fn call(&mut self, call: &ActiveCall) {
        self.0.call(call);
        self.1.call(call);
    }

    #[inline]
    fn ended(&mut self, context: ContextId, time: u64) {
        self.0.ended(context, time);
        self.1.ended(context, time);
    }

    fn event(&mut self, time: u64, event: &Event<'_>) {
        self.0.event(time, event);
        self.1.event(time, event);
    }

    fn sampled(&mut self, sampled: &Sampled) {
        self.0.sampled(sampled);
        self.1.sampled(sampled);
    }

    fn rename(&mut self, ids: &[ContextId]) {
        self.0.rename(ids);
        self.1.rename(ids);
    }
}

/// Without a sink, nobody receives the activity.
impl<S: ActivitySink> ActivitySink for Option<S> {
    #[inline]
    fn spend(&mut self, context: ContextId, since: u64, until: u64) {
        if let Some(sink) = self {
            sink.spend(context, since, until);
        }
    }

    #[inline]
    fn call(&mut self, call: &ActiveCall) {
        if let Some(sink) = self {
            sink.call(call);
        }
    }

    #[inline]
    fn ended(&mut self, context: ContextId, time: u64) {
        if let Some(sink) = self {
            sink.ended(context, time);
        }
    }

    fn event(&mut self, time: u64, event: &Event<'_>) {
        if let Some(sink) = self {
            sink.event(time, event);
        }
    }

    fn sampled(&mut self, sampled: &Sampled) {
        if let Some(sink) = self {
            sink.sampled(sampled);
        }
    }

    fn rename(&mut self, ids: &[ContextId]) {
        if let Some(sink) = self {
            sink.rename(ids);
        }
    }
}

/// Passes the activity of a location to a sink.
///
/// A context that only samples have seen lasts from the begin of the time for which its first
/// sample stands to the next event that ends it. Numbers of calls start with 1.
#[derive(Debug)]
pub struct Activity<S> {
    sink: S,
    running: ContextId,
    /// The contexts that the other tasks were in, but those in none.
    suspended: HashMap<Option<Task>, ContextId>,
    calls: u64,
    /// New ids of contexts by old ones, for each time that all contexts got new ones while other
    /// tasks had open calls.
    renames: Vec<Vec<ContextId>>,
    from: u64,
    /// The time up to which everything is passed, once there was an event.
    since: Option<u64>,
    /// Whether the selected time has begun.
    has_started: bool,
}

impl<S: ActivitySink> Activity<S> {
    /// Starts before the first event. The selected time begins at `from`.
    pub fn new(sink: S, from: u64) -> Self {
        Self {
            sink,
            running: ContextId::ROOT,
            suspended: HashMap::new(),
            calls: 0,
            renames: Vec::new(),
            from,
            since: None,
            has_started: false,
        }
    }

    /// Returns the sink.
    pub fn into_sink(self) -> S {
        self.sink
    }

    /// Returns the present id of the context of an open call.
    #[inline]
    fn renamed(&self, ActiveContext(context, renames): ActiveContext) -> ContextId {
        match self.renames.get(renames..) {
            Some(since) if context != ContextId::ROOT => {
                since.iter().fold(context, |id, ids| ids[id.index()])
            }
            _ => context,
        }
    }

    #[inline]
    fn spend(&mut self, now: u64) {
        let since = self.since.unwrap_or(now);
        if since < now {
            self.sink.spend(self.running, since, now);
        }
        self.since = Some(now.max(since));
    }
}

/// The context that the location is in while a call runs, and how often contexts had been renamed
/// when it began.
#[derive(Debug, Clone, Copy)]
pub struct ActiveContext(ContextId, usize);

impl Default for ActiveContext {
    fn default() -> Self {
        Self(ContextId::ROOT, 0)
    }
}

impl<S: ActivitySink> Visitor for Activity<S> {
    type Mark = ActiveContext;

    #[inline]
    fn enter(&mut self, context: ContextId, region: RegionRef, time: u64, is_sampled: bool) -> ActiveContext {
        self.spend(time);
        self.calls += 1;
        let (number, around) = (self.calls, self.running);
        self.sink.call(&ActiveCall { number, context, region, time, around, is_sampled });
        // A call that only samples know has no time of its own until one of them sees it running.
        self.running = if is_sampled { self.running } else { context };
        ActiveContext(self.running, self.renames.len())
    }

    #[inline]
    fn leave(&mut self, call: &Call, _mark: ActiveContext, outer: &mut ActiveContext) {
        self.spend(call.end);
        self.sink.ended(call.context, call.end);
        self.running = self.renamed(*outer);
    }

    fn forget(&mut self, _mark: ActiveContext, outer: &mut ActiveContext) {
        self.running = self.renamed(*outer);
    }

    fn start(&mut self) {
        self.has_started = true;
    }

    fn switch(&mut self, time: u64, from: Option<Task>, to: Option<Task>, _implicit: &mut ActiveContext) {
        self.spend(time);
        if self.running != ContextId::ROOT {
            self.suspended.insert(from, self.running);
        }
        self.running = self.suspended.remove(&to).unwrap_or(ContextId::ROOT);
    }

    fn seen(
        &mut self,
        context: ContextId,
        _region: RegionRef,
        since: Option<u64>,
        time: u64,
        mark: &mut ActiveContext,
    ) {
        let around = self.running;
        self.spend(since.unwrap_or(time));
        self.running = context;
        if since.is_some() {
            self.spend(time);
            self.running = around;
        }
        *mark = ActiveContext(self.running, self.renames.len());
    }

    #[inline]
    fn event(&mut self, time: u64, event: &Event<'_>, _inside: Inside<'_, ActiveContext>) {
        // Before the selected time, this shows that the location is there when it begins.
        let time = if self.has_started { time } else { self.from };
        self.spend(time);
        self.sink.event(time, event);
    }

    fn sampled(&mut self, sampled: &Sampled) {
        self.sink.sampled(sampled);
    }

    fn enclose(&mut self, ids: &[ContextId]) {
        self.sink.rename(ids);
        if !self.suspended.is_empty() {
            self.renames.push(ids.to_vec());
        }
        for context in self.suspended.values_mut().chain([&mut self.running]) {
            if *context != ContextId::ROOT {
                *context = ids[context.index()];
            }
        }
    }
}
