//! The costs of delays by the definition, computed from all events in memory.

use crate::delays_programs::*;
use kymo_analysis::delays::DelayTerm;
use kymo_analysis::waits::{WaitKind, WaitState};
use kymo_analysis_testing::*;
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::events::*;
use std::collections::BTreeMap;

/// A call of a rank.
#[derive(Debug, Clone)]
struct TestCall {
    start: u64,
    end: u64,
    path: Path,
}

/// A wait state by its two events.
#[derive(Debug, Clone, Copy)]
struct TestWait {
    kind: WaitKind,
    time: u64,
    waiting: Place,
    cause: Place,
}

/// A synchronisation with another rank at an event: how much of its call counts.
type Partner = (usize, u64);

/// The delays by the definition, from all events in memory.
pub(crate) struct DelayReference<'r> {
    run: &'r RandomTrace,
    /// The calls of each rank in the order in which they begin, and the call of each event.
    calls: Vec<Vec<TestCall>>,
    inside: Vec<Vec<usize>>,
    /// Begin, end and path of the activities of each rank.
    activities: Vec<Vec<(u64, u64, Path)>>,
    waits: Vec<TestWait>,
    partners: BTreeMap<Place, Vec<Partner>>,
    /// The delays of the cause of each wait, and its own waits among which the rest is.
    delays: Vec<(BTreeMap<Path, i64>, Vec<usize>)>,
}

impl<'r> DelayReference<'r> {
    pub(crate) fn of(run: &'r RandomTrace, waits: &[WaitState]) -> Self {
        let mut it = Self {
            run,
            calls: Vec::new(),
            inside: Vec::new(),
            activities: Vec::new(),
            waits: Vec::new(),
            partners: BTreeMap::new(),
            delays: Vec::new(),
        };
        run.events.iter().for_each(|events| it.read(events));
        for wait in waits {
            let found = it.events_of(wait);
            it.waits.push(found);
        }
        it.synchronise();
        it.delays = it.waits.iter().map(|wait| it.delays_of(wait)).collect();
        it
    }

    fn read(&mut self, events: &[Timed]) {
        let (mut calls, mut open, mut inside) = (Vec::<TestCall>::new(), Vec::new(), Vec::new());
        let (mut activities, mut path, mut since) = (Vec::new(), Path::new(), None);
        for (time, event) in events {
            if let Some(since) = since.filter(|since| since < time) {
                activities.push((since, *time, path.clone()));
            }
            since = Some(*time);
            if let Event::Enter(it) = event {
                path.push(it.region);
                open.push(calls.len());
                calls.push(TestCall { start: *time, end: *time, path: path.clone() });
            }
            inside.push(*open.last().expect("a call"));
            if let Event::Leave(_) = event {
                path.pop();
                calls[open.pop().expect("a call")].end = *time;
            }
        }
        self.calls.push(calls);
        self.inside.push(inside);
        self.activities.push(activities);
    }

    fn call(&self, (rank, event): Place) -> &TestCall {
        &self.calls[rank][self.inside[rank][event]]
    }

    fn time(&self, (rank, event): Place) -> u64 {
        self.run.events[rank][event].0
    }

    /// Returns when the collective operation of an event began.
    fn begin(&self, (rank, event): Place) -> u64 {
        self.time((rank, event - 1))
    }

    /// Finds the events of a wait state.
    fn events_of(&self, wait: &WaitState) -> TestWait {
        let (rank, cause) = (wait.location.0 as usize, wait.cause.0 as usize);
        let is_here = |place: Place| place.0 == rank && self.inside[rank][place.1] as u64 + 1 == wait.call;
        let (waiting, cause) = match wait.kind {
            WaitKind::LateSender => {
                let of = |it: &&TestMessage| is_here(it.received) && it.sent.0 == cause;
                let message = self.run.messages.iter().find(of).expect("a message");
                (message.received, message.sent)
            }
            WaitKind::LateReceiver => {
                let of = |it: &&TestMessage| is_here(it.completed) && it.posted.0 == cause;
                let message = self.run.messages.iter().find(of).expect("a message");
                (message.completed, message.posted)
            }
            WaitKind::Finalize => (self.run.finalizes[rank], self.run.finalizes[cause]),
            _ => {
                let of = |it: &&TestCollective| is_here(it.ends[rank]);
                let collective = self.run.collectives.iter().find(of).expect("an operation");
                (collective.ends[rank], collective.ends[cause])
            }
        };
        TestWait { kind: wait.kind, time: wait.time(), waiting, cause }
    }

    fn add_pair(&mut self, one: Place, other: Place, completions: [u64; 2]) {
        self.partners.entry(one).or_default().push((other.0, completions[0]));
        self.partners.entry(other).or_default().push((one.0, completions[1]));
    }

    /// Adds an event at which all ranks meet.
    fn meet_all(&mut self, places: &[Place], since: u64) {
        for place in places {
            let completion = self.time(*place).saturating_sub(since);
            let others = (0..RANKS).filter(|rank| *rank != place.0).map(|rank| (rank, completion));
            self.partners.entry(*place).or_default().extend(others);
        }
    }

    /// Finds who synchronises with whom.
    fn synchronise(&mut self) {
        let starts = self.run.starts.clone();
        let latest = starts.iter().map(|it| self.call(*it).start).max().unwrap_or(0);
        let end = starts.iter().map(|it| self.time(*it)).min().unwrap_or(0);
        for place in &starts {
            let since = end.max(latest.min(self.time(*place)));
            let completion = self.time(*place).saturating_sub(since);
            let others = (0..RANKS).filter(|rank| *rank != place.0).map(|rank| (rank, completion));
            self.partners.entry(*place).or_default().extend(others);
        }
        for collective in &self.run.collectives {
            let is_of_all = matches!(collective.operation, CollectiveOp::BARRIER | CollectiveOp::ALLREDUCE);
            let latest = collective.ends.iter().map(|it| self.begin(*it)).max().unwrap_or(0);
            let end = collective.ends.iter().map(|it| self.time(*it)).min().unwrap_or(0);
            if is_of_all && end > latest {
                self.meet_all(&collective.ends, end);
            } else if is_of_all {
                self.meet_in_part(&collective.ends, latest);
            } else if collective.operation != CollectiveOp::SCAN {
                let waits = self.waits.clone();
                for it in waits.iter().filter(|it| collective.ends.contains(&it.waiting)) {
                    self.add_pair(it.waiting, it.cause, [0, 0]);
                    assert!(it.waiting.0 == collective.root || it.cause.0 == collective.root);
                }
            }
        }
        for wait in self.waits.clone() {
            if matches!(wait.kind, WaitKind::LateSender | WaitKind::LateReceiver) {
                let ends = [wait.waiting, wait.cause].map(|it| self.call(it).end);
                let completions = [ends[0].saturating_sub(ends[1]), ends[1].saturating_sub(ends[0])];
                self.add_pair(wait.waiting, wait.cause, completions);
            }
        }
    }

    /// Adds an operation that some left before others came.
    fn meet_in_part(&mut self, places: &[Place], latest: u64) {
        let waiting: Vec<_> = self.waits.iter().filter(|it| places.contains(&it.waiting)).copied().collect();
        let early = places.iter().filter(|it| self.begin(**it) < latest);
        let end = early.map(|it| self.time(*it)).min().unwrap_or(0);
        for it in waiting {
            let completions = [it.waiting, it.cause].map(|place| {
                let since = end.max(latest.min(self.time(place)));
                self.time(place).saturating_sub(since)
            });
            self.add_pair(it.waiting, it.cause, completions);
        }
    }

    /// Returns the last point before an event with another rank, and how much of it counts.
    fn last_with(&self, (rank, event): Place, other: usize) -> Option<(Place, u64)> {
        let before = self.partners.range((rank, 0)..(rank, event)).rev();
        before
            .flat_map(|(place, all)| all.iter().map(|it| (*place, *it)))
            .find_map(|(place, (partner, completion))| (partner == other).then_some((place, completion)))
    }

    /// Returns the waits of a rank between two events.
    fn inside_of(&self, since: Option<Place>, until: Place) -> Vec<usize> {
        let is_inside = |it: &TestWait| {
            it.waiting.0 == until.0 && it.waiting < until && since.is_none_or(|since| since < it.waiting)
        };
        (0..self.waits.len()).filter(|it| is_inside(&self.waits[*it])).collect()
    }

    /// Returns the times by path since the last point with another rank.
    fn times(&self, until: Place, other: usize) -> BTreeMap<&Path, i64> {
        let since = self.last_with(until, other);
        let from = since.map_or(0, |(place, _)| self.call(place).start);
        let to = self.call(until).start;
        let mut times: BTreeMap<&Path, i64> = BTreeMap::new();
        for (begin, end, path) in &self.activities[until.0] {
            let time = (*end).min(to).saturating_sub((*begin).max(from));
            *times.entry(path).or_default() += time as i64;
        }
        for wait in self.inside_of(since.map(|it| it.0), until) {
            let wait = &self.waits[wait];
            *times.entry(&self.call(wait.waiting).path).or_default() -= wait.time as i64;
        }
        if let Some((place, completion)) = since {
            let call = self.call(place);
            *times.entry(&call.path).or_default() += completion as i64 - (call.end - call.start) as i64;
        }
        times.retain(|_, time| *time > 0);
        times
    }

    /// Returns the delays of the cause of a wait by path, and the waits among which the rest is.
    fn delays_of(&self, wait: &TestWait) -> (BTreeMap<Path, i64>, Vec<usize>) {
        let mut delays = self.times(wait.cause, wait.waiting.0);
        for (path, time) in self.times(wait.waiting, wait.cause.0) {
            delays.entry(path).and_modify(|it| *it -= time);
        }
        delays.retain(|_, time| *time > 0);
        let since = self.last_with(wait.cause, wait.waiting.0);
        let delays = delays.into_iter().map(|(path, time)| (path.clone(), time)).collect();
        (delays, self.inside_of(since.map(|it| it.0), wait.cause))
    }
}

/// The costs of waits, each computed once all that pass theirs on to it are.
struct DelayReferenceCosts<'r> {
    reference: &'r DelayReference<'r>,
    /// The waits that pass costs on to each wait.
    followers: Vec<Vec<usize>>,
    known: Vec<Option<BTreeMap<WaitKind, f64>>>,
    is_open: Vec<bool>,
    /// Whether a wait passes costs on to itself, through others.
    has_circle: bool,
}

impl<'r> DelayReferenceCosts<'r> {
    fn of(reference: &'r DelayReference<'r>) -> Self {
        let count = reference.waits.len();
        let mut followers = vec![Vec::new(); count];
        for (number, (_, inner)) in reference.delays.iter().enumerate() {
            inner.iter().for_each(|inner| followers[*inner].push(number));
        }
        let mut it = Self {
            reference,
            followers,
            known: vec![None; count],
            is_open: vec![false; count],
            has_circle: false,
        };
        (0..count).for_each(|number| drop(it.cost(number)));
        it
    }

    /// Returns all delays and waits of the cause, and which part of the wait each nanosecond has.
    fn factor(&self, number: usize) -> (f64, f64) {
        let (wait, (delays, inner)) = (&self.reference.waits[number], &self.reference.delays[number]);
        let inner: u64 = inner.iter().map(|it| self.reference.waits[*it].time).sum();
        let all = delays.values().sum::<i64>() as f64 + inner as f64;
        let is_message = matches!(wait.kind, WaitKind::LateSender | WaitKind::LateReceiver);
        let factor = wait.time as f64 / all;
        (all, if is_message { factor.min(1.0) } else { factor })
    }

    /// Returns the costs of a wait for others.
    fn cost(&mut self, number: usize) -> BTreeMap<WaitKind, f64> {
        if let Some(known) = &self.known[number] {
            return known.clone();
        }
        if self.is_open[number] {
            self.has_circle = true;
            return BTreeMap::new();
        }
        self.is_open[number] = true;
        let (mut cost, own) = (BTreeMap::new(), self.reference.waits[number].time as f64);
        for follower in self.followers[number].clone() {
            let (all, factor) = self.factor(follower);
            *cost.entry(self.reference.waits[follower].kind).or_default() += factor * own;
            for (kind, passed) in self.cost(follower) {
                *cost.entry(kind).or_default() += passed * own / all;
            }
        }
        self.known[number] = Some(cost.clone());
        cost
    }
}

pub(crate) type Expected = BTreeMap<(WaitKind, DelayTerm, u64, Path), f64>;

/// Returns the costs and the unattributed times of the definition, unless it has circles.
pub(crate) fn expected(reference: &DelayReference<'_>) -> Option<(Expected, BTreeMap<WaitKind, f64>)> {
    let mut costs = DelayReferenceCosts::of(reference);
    let (mut all, mut rest) = (Expected::new(), BTreeMap::new());
    for (number, wait) in reference.waits.iter().enumerate() {
        let (sum, factor) = costs.factor(number);
        let cost = costs.cost(number);
        if sum == 0.0 {
            *rest.entry(wait.kind).or_default() += wait.time as f64;
            cost.into_iter().for_each(|(kind, cost)| *rest.entry(kind).or_default() += cost);
            continue;
        }
        *rest.entry(wait.kind).or_default() += wait.time as f64 - factor * sum;
        let location = wait.cause.0 as u64;
        for (path, delay) in &reference.delays[number].0 {
            let key = |kind, term| (kind, term, location, path.clone());
            *all.entry(key(wait.kind, DelayTerm::Short)).or_default() += factor * *delay as f64;
            for (kind, cost) in &cost {
                *all.entry(key(*kind, DelayTerm::Long)).or_default() += cost * *delay as f64 / sum;
            }
        }
    }
    (!costs.has_circle).then_some((all, rest))
}
