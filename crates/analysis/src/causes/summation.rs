//! The sums of the times of a location by calling context, while its events are read again.

use super::place_times::PlaceTimes;
use super::sampled_times::SampledTimes;
use crate::calls::{ActiveCall, ActivitySink, Sampled};
use crate::contexts::ContextId;
use crate::waits::WaitState;

/// Intervals in the order of time, with a value each, of which a position moves along.
#[derive(Debug, Default)]
pub(super) struct Intervals {
    /// Begins, ends and values. They do not overlap.
    all: Vec<(u64, u64, u64)>,
    next: usize,
}

impl Intervals {
    /// Takes intervals, the last one first.
    pub(super) fn reversed(mut all: Vec<(u64, u64, u64)>) -> Self {
        all.reverse();
        Self { all, next: 0 }
    }

    /// Returns the value at a time, if it is in an interval, and when that changes.
    fn at(&mut self, time: u64) -> (Option<u64>, u64) {
        while self.all.get(self.next).is_some_and(|(_, to, _)| *to <= time) {
            self.next += 1;
        }
        match self.all.get(self.next) {
            Some((from, to, value)) if *from <= time => (Some(*value), *to),
            Some((from, ..)) => (None, *from),
            None => (None, u64::MAX),
        }
    }

    /// Passes lengths and values of the parts in a time that is later than all before it.
    #[inline]
    fn each(&mut self, since: u64, until: u64, mut each: impl FnMut(u64, u64)) {
        while let Some(&(from, to, value)) = self.all.get(self.next).filter(|it| it.0 < until) {
            let (begin, end) = (from.max(since), to.min(until));
            if begin < end {
                each(end - begin, value);
            }
            if to > until {
                return;
            }
            self.next += 1;
        }
    }
}

/// The state of the location in a part of time.
#[derive(Debug, Default)]
struct Present {
    is_waiting: bool,
    /// The number of other locations that wait.
    weight: u64,
    is_critical: bool,
    /// The end of the part; 0 before the first one.
    until: u64,
}

/// Sums the times of a location.
#[derive(Debug)]
pub(super) struct Summation {
    /// By context.
    times: Vec<PlaceTimes>,
    waits: Intervals,
    /// With the number of locations that wait.
    weights: Intervals,
    segments: Intervals,
    present: Present,
    /// The weight of all other locations together.
    all_others: u64,
    /// The blame of the location before its first event.
    before_start: u128,
    /// The part of the critical path on it before that.
    critical_before_start: u128,
    sampled: SampledTimes,
    /// The end of the time so far, once there was an event.
    until: Option<u64>,
    /// The numbers of the calls with wait states, in their order, and the contexts of those that
    /// have begun.
    calls: Vec<u64>,
    contexts: Vec<ContextId>,
}

/// The sums of a location.
#[derive(Debug)]
pub(super) struct LocationTimes {
    /// By context.
    pub(super) times: Vec<PlaceTimes>,
    pub(super) before_start: u128,
    /// The contexts of calls with wait states, by their numbers.
    pub(super) calls: Vec<(u64, ContextId)>,
    /// The part of the time in no call in which, by samples, the location computed.
    pub(super) ran_outside: f64,
}

impl Summation {
    /// Starts with the wait states of the location, in the order of time, and the other intervals.
    pub(super) fn new(waits: &[WaitState], weights: Intervals, segments: Intervals, all_others: u64) -> Self {
        let mut calls: Vec<_> = waits.iter().map(|wait| wait.call).filter(|call| *call > 0).collect();
        calls.sort_unstable();
        calls.dedup();
        Self {
            times: Vec::new(),
            waits: Intervals { all: without_overlaps(waits), next: 0 },
            weights,
            segments,
            present: Present::default(),
            all_others,
            before_start: 0,
            critical_before_start: 0,
            sampled: SampledTimes::default(),
            until: None,
            contexts: Vec::with_capacity(calls.len()),
            calls,
        }
    }

    /// Returns the sums after the last event.
    pub(super) fn finish(mut self) -> LocationTimes {
        if self.until.is_none() {
            self.begin(u64::MAX);
        }
        let ran_outside = std::mem::take(&mut self.sampled).correct(&mut self.times);
        let mut rest = 0;
        self.weights
            .each(self.until.unwrap_or(0), u64::MAX, |length, weight| rest += product(length, weight));
        let critical = self.critical_before_start;
        if rest > 0 || critical > 0 {
            *self.of(ContextId::ROOT) += PlaceTimes { blame: rest, critical, ..PlaceTimes::default() };
        }
        let calls = self.calls.into_iter().zip(self.contexts).collect();
        LocationTimes { times: self.times, before_start: self.before_start, calls, ran_outside }
    }

    /// Finds the state from a time on.
    fn change(&mut self, time: u64) {
        let mut until = u64::MAX;
        let mut value = |intervals: &mut Intervals| {
            let (value, change) = intervals.at(time);
            until = until.min(change);
            value
        };
        let [waiting, weight, critical] =
            [&mut self.waits, &mut self.weights, &mut self.segments].map(&mut value);
        self.present = Present {
            is_waiting: waiting.is_some(),
            weight: weight.unwrap_or(0),
            is_critical: critical.is_some(),
            until,
        };
    }

    /// Adds time of the present part.
    #[inline]
    fn add(&mut self, context: ContextId, time: u64) {
        let Present { is_waiting, weight, is_critical, .. } = self.present;
        let is_serial = weight >= self.all_others;
        let times = self.of(context);
        let place = if is_waiting { &mut times.waiting } else { &mut times.working };
        *place += u128::from(time);
        if is_critical {
            times.critical += u128::from(time);
        }
        if weight > 0 {
            times.blame += product(time, weight);
            times.serial += if is_serial { u128::from(time) } else { 0 };
        }
    }

    /// The first event: the time before it is in no call.
    fn begin(&mut self, first: u64) {
        let before = &mut self.before_start;
        self.weights.each(0, first, |length, weight| *before += product(length, weight));
        let critical = &mut self.critical_before_start;
        self.segments.each(0, first, |length, _| *critical += u128::from(length));
    }

    #[inline]
    fn of(&mut self, context: ContextId) -> &mut PlaceTimes {
        if context.index() >= self.times.len() {
            self.times.resize(context.index() + 1, PlaceTimes::default());
        }
        &mut self.times[context.index()]
    }
}

fn product(length: u64, weight: u64) -> u128 {
    u128::from(length) * u128::from(weight)
}

/// Returns the time in wait states; those of calls inside other ones can overlap.
fn without_overlaps(waits: &[WaitState]) -> Vec<(u64, u64, u64)> {
    let mut waits: Vec<_> = waits.iter().collect();
    waits.sort_by_key(|wait| wait.start);
    let mut all: Vec<(u64, u64, u64)> = Vec::with_capacity(waits.len());
    for wait in waits {
        match all.last_mut() {
            Some((_, to, _)) if wait.start < *to => *to = wait.end.max(*to),
            _ => all.push((wait.start, wait.end, 0)),
        }
    }
    all
}

impl ActivitySink for Summation {
    #[inline]
    fn spend(&mut self, context: ContextId, mut since: u64, until: u64) {
        if self.until.replace(until).is_none() {
            self.begin(since);
        }
        if since >= self.present.until {
            self.change(since);
        }
        while self.present.until < until {
            let change = self.present.until;
            self.add(context, change - since);
            self.change(change);
            since = change;
        }
        self.add(context, until - since);
    }

    #[inline]
    fn call(&mut self, call: &ActiveCall) {
        if self.calls.get(self.contexts.len()) == Some(&call.number) {
            self.contexts.push(call.context);
        }
    }

    fn sampled(&mut self, sampled: &Sampled) {
        // The time before the first event is in no call here.
        if self.until.is_some() {
            self.sampled.add(sampled);
        }
    }

    fn rename(&mut self, ids: &[ContextId]) {
        self.sampled.rename(ids);
        let times = std::mem::take(&mut self.times);
        for (times, id) in times.into_iter().zip(ids) {
            if times != PlaceTimes::default() {
                *self.of(*id) += times;
            }
        }
        for context in &mut self.contexts {
            *context = ids[context.index()];
        }
    }
}
