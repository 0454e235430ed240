//! How long a location was in each calling context in the intervals of its wait states.
//!
//! Times are sums since the first event. A context keeps its sum at its first change after each
//! begin of an interval that is open, so that the end of an interval looks only at contexts that
//! have changed in it. Memory grows with open intervals and contexts.

use super::intervals::{IntervalBegin, IntervalRow};
use super::recency::Recency;
use crate::calls::{ActiveCall, ActivitySink};
use crate::contexts::ContextId;
use crate::error::Error;
use crate::spill::{Spill, SpilledRows, Stream};
use crate::waits::WaitState;
use foldhash::HashSet;
use std::collections::BTreeMap;
use std::mem;

/// An action at a point of the location, at the begin of its call.
#[derive(Debug, Clone, Copy)]
enum PointAction {
    /// The interval of a wait state ends.
    End { wait: u64, is_cause: bool, begin: IntervalBegin },
    /// The location waits in a call, which does not count.
    Wait { call: u64, waited: u64 },
    /// This number of intervals begins.
    Begin { position: u64, ends: usize },
}

/// The begin of intervals that have not ended.
#[derive(Debug)]
struct OpenBegin {
    /// The first part of time of the intervals.
    part: u64,
    /// The number of intervals.
    left: usize,
}

/// A context since the first event.
#[derive(Debug, Default)]
struct ContextSum {
    /// The time without waiting, in nanoseconds: negative where calls inside have the time.
    time: i64,
    /// For each part of time in which it changed, as far as intervals that are open begin after the
    /// one before: the number of the part, and the time before the change.
    changes: Vec<(u64, i64)>,
}

impl ContextSum {
    #[inline]
    fn add(&mut self, time: u64) {
        self.time = self.time.wrapping_add_unsigned(time);
    }

    fn subtract(&mut self, time: u64) {
        self.time = self.time.wrapping_sub_unsigned(time);
    }
}

/// Sums the times of a location in intervals.
#[derive(Debug)]
pub(crate) struct IntervalTimes<'s> {
    actions: Vec<(u64, PointAction)>,
    next: usize,
    /// Waits that have no delay costs: begins, calls and lengths.
    others: Vec<(u64, u64, u64)>,
    next_other: usize,
    /// The time of the next action.
    until: u64,
    sums: Vec<ContextSum>,
    recency: Recency,
    /// The number of the present part of time: a part begins where intervals do.
    part: u64,
    open: BTreeMap<u64, OpenBegin>,
    /// The number of changes that are kept, and that from which on needless ones are removed.
    changes: usize,
    most_changes: usize,
    /// The numbers of the calls that are needed, in their order, and the contexts of those that
    /// have begun.
    calls: Vec<u64>,
    contexts: Vec<ContextId>,
    rows: Stream<'s>,
    failure: Option<Error>,
    /// New ids of contexts by old ones, each time that all got new ones.
    renames: Vec<Vec<ContextId>>,
}

/// The times of a location in intervals.
#[derive(Debug)]
pub(crate) struct FoundTimes {
    rows: SpilledRows,
    renames: Vec<Vec<ContextId>>,
}

/// The number of changes that are kept in any case; few in tests, so that some are forgotten.
const FEW_CHANGES: usize = if cfg!(test) { 4 } else { 1 << 12 };

impl<'s> IntervalTimes<'s> {
    /// Starts with the intervals of a location, in the order of its events, and all its wait
    /// states.
    pub(super) fn new(intervals: &[IntervalRow], waits: &[WaitState], spill: &'s Spill) -> Self {
        let own: HashSet<u64> = intervals.iter().filter(|it| !it.is_cause).map(|it| it.call).collect();
        let mut others: Vec<_> = waits
            .iter()
            .filter(|wait| !own.contains(&wait.call))
            .map(|wait| (wait.start, wait.call, wait.time()))
            .collect();
        others.sort_unstable();
        let begins = intervals.iter().map(|it| it.begin.call);
        let mut calls: Vec<u64> = begins.chain(own).chain(others.iter().map(|it| it.1)).collect();
        calls.sort_unstable();
        calls.dedup();
        calls.retain(|call| *call > 0);
        let mut times = Self {
            actions: actions(intervals),
            next: 0,
            others,
            next_other: 0,
            until: 0,
            sums: Vec::new(),
            recency: Recency::default(),
            part: 1,
            open: BTreeMap::new(),
            changes: 0,
            most_changes: FEW_CHANGES,
            contexts: Vec::with_capacity(calls.len()),
            calls,
            rows: spill.stream(),
            failure: None,
            renames: Vec::new(),
        };
        times.until = times.next_time();
        times
    }

    fn next_time(&self) -> u64 {
        let action = self.actions.get(self.next).map_or(u64::MAX, |it| it.0);
        action.min(self.others.get(self.next_other).map_or(u64::MAX, |it| it.0))
    }

    /// Does the next action.
    fn act(&mut self) {
        let action = self.actions.get(self.next).copied();
        let other = self.others.get(self.next_other).copied();
        // At the same time, intervals end before a wait and begin after it.
        let key = |(time, action): (u64, PointAction)| (time, !matches!(action, PointAction::End { .. }));
        match (action, other) {
            (Some(action), other) if other.is_none_or(|it| key(action) < (it.0, true)) => {
                self.next += 1;
                self.do_action(action.1);
            }
            (_, Some((_, call, waited))) => {
                self.next_other += 1;
                self.do_action(PointAction::Wait { call, waited });
            }
            (_, None) => {}
        }
        self.until = self.next_time();
    }

    fn do_action(&mut self, action: PointAction) {
        match action {
            PointAction::End { wait, is_cause, begin } => {
                if let Err(error) = self.end(wait, is_cause, &begin) {
                    self.failure.get_or_insert(error);
                }
            }
            PointAction::Wait { call, waited } => {
                let context = self.context(call).unwrap_or(ContextId::ROOT);
                self.of(context).subtract(waited);
            }
            PointAction::Begin { position, ends } => {
                self.part += 1;
                self.open.insert(position, OpenBegin { part: self.part, left: ends });
            }
        }
    }

    /// Returns the context of a call that is needed and has begun.
    fn context(&self, call: u64) -> Option<ContextId> {
        let place = self.calls.binary_search(&call).ok()?;
        self.contexts.get(place).copied()
    }

    /// Returns a context that changes in the present part.
    #[inline]
    fn of(&mut self, context: ContextId) -> &mut ContextSum {
        if context.index() >= self.sums.len() {
            self.sums.resize_with(context.index() + 1, ContextSum::default);
        }
        if self.sums[context.index()].changes.last().is_none_or(|it| it.0 != self.part) {
            self.change(context);
        }
        &mut self.sums[context.index()]
    }

    #[cold]
    fn change(&mut self, context: ContextId) {
        let sum = &mut self.sums[context.index()];
        sum.changes.push((self.part, sum.time));
        self.changes += 1;
        self.recency.touch(context);
        if self.changes > self.most_changes {
            self.forget_changes();
        }
    }

    /// Removes the changes that no open interval needs.
    fn forget_changes(&mut self) {
        let mut parts: Vec<u64> = self.open.values().map(|it| it.part).chain([self.part]).collect();
        parts.sort_unstable();
        self.changes = 0;
        for sum in &mut self.sums {
            let last = sum.changes.last().copied();
            let mut before = None;
            // The first change of each interval is needed.
            sum.changes.retain(|change| {
                let intervals = parts.partition_point(|part| *part <= change.0);
                let is_first = before.replace(intervals) != Some(intervals);
                is_first && intervals > 0 || Some(*change) == last
            });
            self.changes += sum.changes.len();
        }
        self.most_changes = FEW_CHANGES.max(2 * self.changes);
    }

    /// Writes the times of an interval that ends.
    fn end(&mut self, wait: u64, is_cause: bool, begin: &IntervalBegin) -> Result<(), Error> {
        let Some(open) = self.open.get_mut(&begin.position) else { return Ok(()) };
        let part = open.part;
        open.left -= 1;
        if open.left == 0 {
            self.open.remove(&begin.position);
        }
        let first = self.context(begin.call);
        let mut rest = begin.completion.wrapping_sub(begin.total).cast_signed();
        let mut times = Vec::new();
        for context in self.recency.iter() {
            let sum = &self.sums[context.index()];
            if sum.changes.last().is_none_or(|it| it.0 < part) {
                break;
            }
            let place = sum.changes.partition_point(|it| it.0 < part);
            let mut time = sum.time.wrapping_sub(sum.changes.get(place).map_or(0, |it| it.1));
            if first == Some(context) {
                time = time.wrapping_add(mem::take(&mut rest));
            }
            times.push((context, time));
        }
        times.extend(first.map(|context| (context, rest)));
        times.retain(|(_, time)| *time > 0);
        let head = [wait, is_cause.into(), self.renames.len() as u64, times.len() as u64];
        let pairs = times.iter().flat_map(|(context, time)| [context.0.into(), time.cast_unsigned()]);
        self.rows.push(head.into_iter().chain(pairs))
    }

    /// Returns the times after the last event.
    pub(crate) fn finish(mut self) -> Result<FoundTimes, Error> {
        while self.until < u64::MAX {
            self.act();
        }
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok(FoundTimes { rows: self.rows.finish()?, renames: self.renames }),
        }
    }
}

/// Returns the actions at the points of a location, each at the begin of its call.
fn actions(intervals: &[IntervalRow]) -> Vec<(u64, PointAction)> {
    let mut begins: BTreeMap<u64, (u64, usize)> = BTreeMap::new();
    for interval in intervals {
        let begin = begins.entry(interval.begin.position).or_insert((interval.begin.start, 0));
        begin.1 += 1;
    }
    let mut all: Vec<(u64, u8, u64, PointAction)> = Vec::new();
    for (position, (time, ends)) in begins {
        all.push((position, 2, time, PointAction::Begin { position, ends }));
    }
    for &IntervalRow { wait, is_cause, waited, begin, position, call, start, .. } in intervals {
        all.push((position, 0, start, PointAction::End { wait, is_cause, begin }));
        if !is_cause {
            all.push((position, 1, start, PointAction::Wait { call, waited }));
        }
    }
    all.sort_by_key(|(position, order, ..)| (*position, *order));
    all.into_iter().map(|(_, _, time, action)| (time, action)).collect()
}

impl ActivitySink for IntervalTimes<'_> {
    #[inline]
    fn spend(&mut self, context: ContextId, mut since: u64, until: u64) {
        while self.until < until {
            let time = self.until.max(since);
            if since < time {
                self.of(context).add(time - since);
                since = time;
            }
            self.act();
        }
        self.of(context).add(until - since);
    }

    #[inline]
    fn call(&mut self, call: &ActiveCall) {
        if self.calls.get(self.contexts.len()) == Some(&call.number) {
            self.contexts.push(call.context);
        }
    }

    fn rename(&mut self, ids: &[ContextId]) {
        for (context, sum) in mem::take(&mut self.sums).into_iter().enumerate() {
            let Some(new) = ids.get(context) else { continue };
            if new.index() >= self.sums.len() {
                self.sums.resize_with(new.index() + 1, ContextSum::default);
            }
            self.sums[new.index()] = sum;
        }
        self.recency.rename(ids);
        for context in &mut self.contexts {
            *context = ids[context.index()];
        }
        self.renames.push(ids.to_vec());
    }
}

impl FoundTimes {
    /// Passes the times of each interval: the number of the wait state, whether others wait, and
    /// the time by context. `ids` are those of contexts elsewhere.
    pub(super) fn each(
        &mut self,
        spill: &Spill,
        ids: &[ContextId],
        mut each: impl FnMut(u64, bool, ContextId, u64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (renames, mut result) = (&self.renames, Ok(()));
        spill.each(&mut self.rows, |row| {
            let [wait, is_cause, renamed, count] = [(); 4].map(|()| row.number());
            for _ in 0..count {
                let [context, time] = [(); 2].map(|()| row.number());
                let since = renames.get(renamed as usize..).unwrap_or_default();
                let id = |context: ContextId, ids: &[ContextId]| {
                    ids.get(context.index()).copied().unwrap_or(ContextId::ROOT)
                };
                let context = since.iter().fold(ContextId(context as u32), |it, ids| id(it, ids));
                if result.is_ok() {
                    result = each(wait, is_cause == 1, id(context, ids), time);
                }
            }
        })?;
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kymo_otf2::references::LocationRef;
    use proptest::prelude::*;

    /// An interval without waits that ends at a point, at the begin of a call that is not known.
    fn interval(wait: u64, [from, to]: [u64; 2], [start, end]: [u64; 2]) -> IntervalRow {
        let begin = IntervalBegin { position: from, start, ..IntervalBegin::default() };
        IntervalRow {
            location: LocationRef(0),
            wait,
            is_cause: true,
            kind: 0,
            waited: 0,
            begin,
            position: to,
            time: end,
            call: 0,
            start: end,
            inside: 0,
        }
    }

    /// Returns the times of intervals by wait state and context.
    fn times(intervals: &[IntervalRow], activity: &[(u32, u64)]) -> BTreeMap<(u64, u32), u64> {
        let (spill, mut now, mut found) = (Spill::default(), 0, BTreeMap::new());
        let mut times = IntervalTimes::new(intervals, &[], &spill);
        for (context, length) in activity {
            times.spend(ContextId(*context), now, now + length);
            now += length;
        }
        let ids: Vec<_> = (0..8).map(ContextId).collect();
        let add = |wait, _, context: ContextId, time| {
            found.insert((wait, context.0), time);
            Ok(())
        };
        times.finish().and_then(|mut it| it.each(&spill, &ids, add)).expect("rows");
        found
    }

    proptest! {
        #[test]
        fn intervals_have_the_times_between_their_ends(
            activity in prop::collection::vec((0..6_u32, 1..9_u64), 1..60),
            mut points in prop::collection::vec(0..300_u64, 1..20),
            pairs in prop::collection::vec((0..20_usize, 0..20_usize), 0..40),
        ) {
            points.sort_unstable();
            points.insert(0, 0);
            let pairs = pairs.into_iter().map(|(one, other)| [one % points.len(), other % points.len()]);
            let mut pairs: Vec<_> = pairs.filter(|[from, to]| from < to).collect();
            pairs.sort_by_key(|pair| pair[1]);
            let row = |(wait, pair): (u64, &[usize; 2])| {
                interval(wait, pair.map(|it| it as u64), pair.map(|it| points[it]))
            };
            let intervals: Vec<_> = (0..).zip(&pairs).map(row).collect();
            let mut expected = BTreeMap::new();
            for (wait, pair) in (0..).zip(&pairs) {
                let ([from, to], mut now) = (pair.map(|it| points[it]), 0);
                for (context, length) in &activity {
                    let time = (now + length).min(to).saturating_sub(now.max(from));
                    now += length;
                    if time > 0 {
                        *expected.entry((wait, *context)).or_insert(0) += time;
                    }
                }
            }
            prop_assert_eq!(times(&intervals, &activity), expected);
        }
    }
}
