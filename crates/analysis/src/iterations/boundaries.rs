//! When the iterations of a location begin, and how long it computes in each.

use super::repeated_calls::RepeatedCalls;
use crate::calls::{ActiveCall, ActivitySink};
use crate::class::Class;
use crate::contexts::ContextId;
use crate::trace::Trace;
use kymo_otf2::enums::Paradigm;
use kymo_otf2::references::RegionRef;

/// The iterations of a location. Times are in nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Boundaries {
    /// The context and the region with which each iteration begins.
    pub(crate) anchor: (ContextId, RegionRef),
    /// When the iterations begin.
    pub(super) starts: Vec<u64>,
    /// The time of computation in each of them.
    pub(super) useful: Vec<u64>,
    /// When the last one ends.
    pub(super) end: u64,
}

/// Finds the iterations of a location, if calls repeat.
///
/// The first of the repeated contexts that is called begins each iteration. The last one ends with
/// the last of these calls, but for those of contexts that are not called once in each: a loop that
/// joins threads is not the end of the one that creates them.
#[derive(Debug)]
pub(crate) struct BoundarySearch<'t> {
    trace: &'t Trace,
    /// Whether contexts are repeated.
    repeated: Vec<bool>,
    /// How often the contexts were called that do not begin iterations.
    called: Vec<usize>,
    from: u64,
    anchor: Option<(ContextId, RegionRef)>,
    /// The region of the last repeated call.
    region: RegionRef,
    starts: Vec<u64>,
    times: Vec<KnownTimes>,
    /// The end of the last repeated call, and the times since then.
    end: u64,
    times_since: KnownTimes,
    /// Whether a repeated call is open.
    is_open: bool,
    /// Whether contexts compute.
    computes: Vec<bool>,
}

/// Times of an iteration, in nanoseconds.
#[derive(Debug, Clone, Copy, Default)]
struct KnownTimes {
    /// In calls that compute.
    computation: u64,
    /// In no call.
    outside: u64,
}

impl<'t> BoundarySearch<'t> {
    /// Starts a location. The selected time begins at `from`.
    pub(crate) fn new(trace: &'t Trace, repeated: Option<RepeatedCalls>, from: u64) -> Self {
        let contexts = repeated.map_or_else(Vec::new, |it| it.contexts);
        let mut repeated = vec![false; contexts.iter().map(|it| it.index() + 1).max().unwrap_or(0)];
        contexts.iter().for_each(|it| repeated[it.index()] = true);
        Self {
            trace,
            called: vec![0; repeated.len()],
            repeated,
            region: RegionRef::UNDEFINED,
            from,
            anchor: None,
            starts: Vec::new(),
            times: Vec::new(),
            end: 0,
            times_since: KnownTimes::default(),
            is_open: false,
            computes: Vec::new(),
        }
    }

    /// Returns the iterations. Of the time in no call, this part is computation.
    pub(crate) fn finish(self, ran_outside: f64) -> Option<Boundaries> {
        let Self { anchor, starts, times, end, .. } = self;
        let useful = times.iter().map(|it| it.computation + (it.outside as f64 * ran_outside) as u64);
        Some(Boundaries { anchor: anchor?, starts, useful: useful.collect(), end })
    }

    #[inline]
    fn is_repeated(&self, context: ContextId) -> bool {
        self.repeated.get(context.index()).is_some_and(|it| *it)
    }

    fn give_up(&mut self) {
        self.repeated.clear();
        self.anchor = None;
    }

    fn begin(&mut self, context: ContextId, region: RegionRef, time: u64) {
        let is_anchor = self.anchor.is_none_or(|(anchor, _)| anchor == context);
        if !is_anchor && !self.is_next(context) {
            self.repeated[context.index()] = false;
            return;
        }
        if let Some(last) = self.times.last_mut() {
            last.computation += self.times_since.computation;
            last.outside += self.times_since.outside;
        }
        let (anchor, _) = *self.anchor.get_or_insert((context, region));
        if anchor == context {
            self.starts.push(time);
            self.times.push(KnownTimes::default());
        }
        self.times_since = KnownTimes::default();
        self.is_open = true;
    }

    /// Counts a call. Returns whether it is the first one of its context in the iteration, as in
    /// all before.
    fn is_next(&mut self, context: ContextId) -> bool {
        let called = &mut self.called[context.index()];
        *called += 1;
        *called == self.starts.len()
    }

    /// Notes whether a context computes. A function that samples have seen belongs to the call
    /// around it.
    fn classify(&mut self, call: &ActiveCall) {
        let place = call.context.index();
        if place >= self.computes.len() {
            self.computes.resize(place + 1, false);
        }
        let is_found = call.is_sampled
            || self.trace.region(call.region).is_some_and(|it| it.paradigm == Paradigm::SAMPLING);
        self.computes[place] = match is_found && call.around != ContextId::ROOT {
            true => self.computes.get(call.around.index()).copied().unwrap_or(true),
            false => Class::of(self.trace, call.region) == Class::Computation,
        };
    }
}

impl ActivitySink for BoundarySearch<'_> {
    #[inline]
    fn spend(&mut self, context: ContextId, since: u64, until: u64) {
        if self.starts.is_empty() {
            return;
        }
        let times = self.times.last_mut().filter(|_| self.is_open);
        let times = times.unwrap_or(&mut self.times_since);
        if context == ContextId::ROOT {
            times.outside += until - since;
        } else if self.computes.get(context.index()).is_some_and(|it| *it) {
            times.computation += until - since;
        }
    }

    #[inline]
    fn call(&mut self, call: &ActiveCall) {
        if self.repeated.is_empty() {
            return;
        }
        // Each context is classified at its first call.
        if call.context.index() >= self.computes.len() {
            self.classify(call);
        }
        if self.is_repeated(call.context) {
            self.region = call.region;
            if call.time >= self.from {
                self.begin(call.context, call.region, call.time);
            }
        }
    }

    #[inline]
    fn ended(&mut self, context: ContextId, time: u64) {
        if !self.is_repeated(context) {
            return;
        }
        if !self.is_open {
            // The call began before the selected time.
            if !self.starts.is_empty() || self.end > 0 {
                return self.give_up();
            }
            self.begin(context, self.region, self.from);
        }
        self.is_open = false;
        self.end = time;
    }

    /// The contexts that repeat are known by their last ids.
    fn rename(&mut self, _ids: &[ContextId]) {
        self.give_up();
    }
}
