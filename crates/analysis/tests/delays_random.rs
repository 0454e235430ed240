//! Delay costs of random traces, compared with those that follow wait by wait from the definition:
//! a recursion over the events of all locations, in memory.

use crate::waits::{irecv, irecv_request, isend, isend_complete, receive, send, waits_of};
use kymo_analysis::causes::{self, Kept};
use kymo_analysis::delays::{DelayTerm, Delays};
use kymo_analysis::waits::{WaitKind, WaitState};
use kymo_analysis::{Contexts, Selection, Trace};
use kymo_analysis_testing::*;
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::events::*;
use kymo_otf2::references::RegionRef;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::num::NonZero;

type Path = Vec<RegionRef>;

const RANKS: usize = 4;

/// A step of a program: what happens, two ranks, work, and what else it takes.
type Step = (u8, usize, usize, u64, u64);

/// An event of a rank, by its place among all of them.
type Place = (usize, usize);

/// A message, by its events.
#[derive(Debug, Clone, Copy)]
struct TestMessage {
    sent: Place,
    completed: Place,
    posted: Place,
    received: Place,
}

/// A collective operation: the ends of its members, by rank.
#[derive(Debug, Clone)]
struct TestCollective {
    operation: CollectiveOp,
    root: usize,
    ends: Vec<Place>,
}

/// A program while it runs.
#[derive(Debug, Default)]
struct RandomProgram {
    times: [u64; RANKS],
    events: [Vec<Timed>; RANKS],
    messages: Vec<TestMessage>,
    collectives: Vec<TestCollective>,
    requests: u64,
}

impl RandomProgram {
    /// Adds an event now. Returns its place.
    fn event(&mut self, rank: usize, event: Event<'static>) -> Place {
        self.events[rank].push((self.times[rank], event));
        (rank, self.events[rank].len() - 1)
    }

    fn enter(&mut self, rank: usize, region: RegionRef) {
        self.event(rank, Event::Enter(Enter { region }));
    }

    fn leave(&mut self, rank: usize, region: RegionRef) -> Place {
        self.event(rank, Event::Leave(Leave { region }))
    }

    /// A call that takes some time, with an event at its begin.
    fn call(&mut self, rank: usize, name: RegionRef, event: Event<'static>, time: u64) -> Place {
        self.enter(rank, name);
        let place = self.event(rank, event);
        self.times[rank] += time;
        self.leave(rank, name);
        place
    }

    fn work(&mut self, rank: usize, name: u8, time: u64) {
        self.enter(rank, region(name));
        self.times[rank] += time;
        self.leave(rank, region(name));
    }

    /// A message that is sent by a blocking call, which waits for the receiver if it must.
    fn message(&mut self, from: usize, to: usize, is_synchronous: bool, cost: u64) {
        let name = if is_synchronous { function("MPI_Ssend") } else { region(b'h') };
        let starts = [self.times[from], self.times[to]];
        let both = starts[0].max(starts[1]);
        self.enter(from, name);
        let sent = self.event(from, send(to as u32, 8, 0));
        self.times[from] = if is_synchronous { both } else { starts[0] } + cost;
        self.leave(from, name);
        self.enter(to, region(b'i'));
        self.times[to] = both + cost + u64::from(is_synchronous);
        let received = self.event(to, receive(from as u32, 8, 0));
        self.leave(to, region(b'i'));
        self.messages.push(TestMessage { sent, completed: sent, posted: received, received });
    }

    /// Messages with requests: from two ranks to a third one, which works in between.
    fn requests(&mut self, one: usize, other: usize, work: u64, cost: u64) {
        let to = (0..RANKS).rev().find(|it| *it != one && *it != other).unwrap_or(0);
        let mut from = vec![one, other];
        from.dedup();
        let first = self.requests;
        let (mut posted, mut sent) = (Vec::new(), Vec::new());
        for rank in &from {
            let place = self.call(to, region(b'j'), irecv_request(self.requests), cost);
            posted.push((place, self.times[to]));
            self.requests += 1;
            let request = self.requests;
            sent.push((self.call(*rank, region(b'j'), isend(to as u32, 8, 1, request), cost), request));
            self.requests += 1;
        }
        self.work(to, b'c', work);
        let arrived = from.iter().map(|it| self.times[*it]).max().unwrap_or(0);
        for ((rank, (sent, request)), (_, ready)) in from.iter().zip(&sent).zip(&posted) {
            self.enter(*rank, function("MPI_Wait"));
            self.times[*rank] = self.times[*rank].max(*ready) + cost;
            let completed = self.event(*rank, isend_complete(*request));
            self.leave(*rank, function("MPI_Wait"));
            let none = (0, 0);
            self.messages.push(TestMessage { sent: *sent, completed, posted: none, received: none });
        }
        self.enter(to, function("MPI_Wait"));
        self.times[to] = self.times[to].max(arrived) + cost;
        let begin = self.messages.len() - from.len();
        for (number, rank) in from.iter().enumerate() {
            let received = self.event(to, irecv(*rank as u32, 8, 1, first + 2 * number as u64));
            let message = &mut self.messages[begin + number];
            (message.posted, message.received) = (posted[number].0, received);
            self.times[to] += 1;
        }
        self.leave(to, function("MPI_Wait"));
    }

    /// Two ranks send and receive in one call each.
    fn exchange(&mut self, ranks: [usize; 2], cost: u64) {
        let both = self.times[ranks[0]].max(self.times[ranks[1]]);
        let sent = [0, 1].map(|side| {
            self.enter(ranks[side], region(b'h'));
            self.event(ranks[side], send(ranks[1 - side] as u32, 8, 2))
        });
        for side in [0, 1] {
            self.times[ranks[side]] = both + cost * (1 + side as u64);
            let received = self.event(ranks[side], receive(ranks[1 - side] as u32, 8, 2));
            self.leave(ranks[side], region(b'h'));
            let sent = sent[1 - side];
            self.messages.push(TestMessage { sent, completed: sent, posted: received, received });
        }
    }

    fn collective(&mut self, operation: CollectiveOp, root: usize, cost: u64) {
        let starts = self.times;
        let last = starts.into_iter().max().unwrap_or(0);
        let mut ends = Vec::new();
        for rank in 0..RANKS {
            let (is_root, spread) = (rank == root, cost * (rank as u64 % 2));
            let end = match operation {
                CollectiveOp::BCAST => starts[rank].max(starts[root]) + 1 + spread,
                CollectiveOp::REDUCE if is_root => last + 1 + spread,
                CollectiveOp::REDUCE => starts[rank] + 1 + spread,
                CollectiveOp::SCAN => starts[..=rank].iter().copied().max().unwrap_or(0) + 1 + spread,
                _ => last + 1 + spread,
            };
            self.enter(rank, region(b'i'));
            self.event(rank, Event::MpiCollectiveBegin(MpiCollectiveBegin {}));
            self.times[rank] = end;
            let sizes = match operation {
                CollectiveOp::BARRIER => [0, 0],
                CollectiveOp::BCAST => [u64::from(is_root) * 8, 8],
                CollectiveOp::REDUCE => [8, u64::from(is_root) * 8],
                _ => [8, 8],
            };
            ends.push(self.event(
                rank,
                Event::MpiCollectiveEnd(MpiCollectiveEnd {
                    collective_op: operation,
                    communicator: WORLD,
                    root: root as u32,
                    size_sent: sizes[0],
                    size_received: sizes[1],
                }),
            ));
            self.leave(rank, region(b'i'));
        }
        self.collectives.push(TestCollective { operation, root, ends });
    }

    fn step(&mut self, (kind, one, other, work, cost): Step) {
        match kind {
            0 => self.work(one, b'b', work),
            1 => {
                self.enter(one, region(b'd'));
                self.times[one] += work / 2;
                self.work(one, b'b', work);
                self.leave(one, region(b'd'));
                self.times[one] += cost;
            }
            2 | 3 if one != other => self.message(one, other, kind == 3, cost),
            4 => self.requests(one, other, work, cost),
            5 => self.collective(CollectiveOp::BARRIER, 0, cost),
            6 => self.collective(CollectiveOp::BCAST, one, cost),
            7 => self.collective(CollectiveOp::REDUCE, one, cost),
            8 => self.collective(CollectiveOp::ALLREDUCE, 0, cost),
            9 if one != other => self.exchange([one, other], cost),
            10 => self.collective(CollectiveOp::SCAN, 0, cost),
            _ => self.work(one, b'c', work),
        }
    }
}

/// A trace, with what is known of its program.
struct RandomTrace {
    events: Vec<Vec<Timed>>,
    messages: Vec<TestMessage>,
    collectives: Vec<TestCollective>,
    starts: Vec<Place>,
    finalizes: Vec<Place>,
}

/// Runs steps between the begin and the end of MPI. Clocks differ by `skews`.
fn run(steps: &[Step], skews: &[u64]) -> RandomTrace {
    let mut program = RandomProgram::default();
    let mut starts = Vec::new();
    for rank in 0..RANKS {
        program.enter(rank, region(b'a'));
        program.times[rank] += rank as u64;
        program.enter(rank, function("MPI_Init"));
        program.times[rank] = 10 + rank as u64 % 2;
        starts.push(program.leave(rank, function("MPI_Init")));
    }
    steps.iter().for_each(|step| program.step(*step));
    let last = program.times.into_iter().max().unwrap_or(0);
    let mut finalizes = Vec::new();
    for rank in 0..RANKS {
        program.enter(rank, function("MPI_Finalize"));
        program.times[rank] = last + 1 + rank as u64;
        finalizes.push(program.leave(rank, function("MPI_Finalize")));
        program.leave(rank, region(b'a'));
    }
    let skewed = |(rank, events): (usize, Vec<Timed>)| {
        events.into_iter().map(|(time, event)| (time + skews[rank], event)).collect()
    };
    let events = program.events.into_iter().enumerate().map(skewed).collect();
    let RandomProgram { messages, collectives, .. } = program;
    RandomTrace { events, messages, collectives, starts, finalizes }
}

fn programs() -> impl Strategy<Value = RandomTrace> {
    let step = (0..12_u8, 0..RANKS, 0..RANKS, 0..40_u64, 0..6_u64);
    let skews = prop_oneof![Just(vec![0; RANKS]), prop::collection::vec(0..25_u64, RANKS)];
    (prop::collection::vec(step, 1..40), skews).prop_map(|(steps, skews)| run(&steps, &skews))
}

impl std::fmt::Debug for RandomTrace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (rank, events) in self.events.iter().enumerate() {
            writeln!(f, "rank {rank}")?;
            events.iter().try_for_each(|(time, event)| writeln!(f, "  {time} {event:?}"))?;
        }
        Ok(())
    }
}

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

/// What the definition says, from all events in memory.
struct DelayReference<'r> {
    run: &'r RandomTrace,
    /// The calls of each rank in the order in which they begin, and the call of each event.
    calls: Vec<Vec<TestCall>>,
    inside: Vec<Vec<usize>>,
    /// Begin, end and path of what each rank does.
    activities: Vec<Vec<(u64, u64, Path)>>,
    waits: Vec<TestWait>,
    partners: BTreeMap<Place, Vec<Partner>>,
    /// The delays of the cause of each wait, and its own waits among which the rest is.
    delays: Vec<(BTreeMap<Path, i64>, Vec<usize>)>,
}

impl<'r> DelayReference<'r> {
    fn of(run: &'r RandomTrace, waits: &[WaitState]) -> Self {
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

    fn meet(&mut self, one: Place, other: Place, completions: [u64; 2]) {
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
                    self.meet(it.waiting, it.cause, [0, 0]);
                    assert!(it.waiting.0 == collective.root || it.cause.0 == collective.root);
                }
            }
        }
        for wait in self.waits.clone() {
            if matches!(wait.kind, WaitKind::LateSender | WaitKind::LateReceiver) {
                let ends = [wait.waiting, wait.cause].map(|it| self.call(it).end);
                let completions = [ends[0].saturating_sub(ends[1]), ends[1].saturating_sub(ends[0])];
                self.meet(wait.waiting, wait.cause, completions);
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
            self.meet(it.waiting, it.cause, completions);
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

    /// Returns what a wait costs others.
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

type Expected = BTreeMap<(WaitKind, DelayTerm, u64, Path), f64>;

/// Returns the costs and the unattributed times of the definition, unless it has circles.
fn expected(reference: &DelayReference<'_>) -> Option<(Expected, BTreeMap<WaitKind, f64>)> {
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

fn found(events: &[Vec<Timed>], threads: usize) -> (Trace, Delays, Contexts) {
    let length = events.iter().flatten().map(|it| it.0).max().unwrap_or(0);
    let trace = trace(events, clock(length));
    let threads = NonZero::new(threads).expect("a number");
    let selection = Selection { threads, ..Selection::default() };
    let causes = causes::with_delays(&trace, &selection, Kept { most: 0 }).expect("causes");
    (trace, causes.delays.expect("delays"), causes.contexts)
}

/// Compares sums by key: they are ratios, so they need not be the same to the last bit.
fn differs<K: Ord + std::fmt::Debug>(one: &BTreeMap<K, f64>, other: &BTreeMap<K, f64>) -> Option<String> {
    let keys = one.keys().chain(other.keys());
    let value = |map: &BTreeMap<K, f64>, key| map.get(key).copied().unwrap_or(0.0);
    let mut different = keys.filter(|key| {
        let (one, other) = (value(one, key), value(other, key));
        (one - other).abs() > 1e-6 * one.abs().max(1e-3)
    });
    different.next().map(|key| format!("{key:?}: {} instead of {}", value(one, key), value(other, key)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn delay_costs_are_those_of_the_definition(run in programs()) {
        let (trace, delays, contexts) = found(&run.events, 2);
        let waits = waits_of(&trace);
        let waited: u64 = waits.iter().map(WaitState::time).sum();
        let sum: f64 = delays.costs.values().chain(delays.unattributed.values()).sum();
        prop_assert!((sum - waited as f64).abs() <= 1e-6 * waited as f64, "{sum} instead of {waited}");
        let reference = DelayReference::of(&run, &waits);
        let Some((costs, rest)) = expected(&reference) else { return Ok(()) };
        let path = |context| contexts.path(context).iter().map(|it| contexts.region(*it)).collect();
        let found: Expected = delays
            .costs
            .iter()
            .map(|((kind, term, location, context), cost)| ((*kind, *term, location.0, path(*context)), *cost))
            .collect();
        prop_assert_eq!(differs(&found, &costs), None);
        prop_assert_eq!(differs(&delays.unattributed, &rest), None);
    }

    #[test]
    fn the_number_of_threads_makes_no_difference_to_delays(run in programs()) {
        let [(_, one, _), (_, four, _)] = [1, 4].map(|threads| found(&run.events, threads));
        prop_assert_eq!(one, four);
    }
}

/// The generator makes what the comparison is about.
#[test]
fn random_programs_have_costs_of_all_kinds_and_terms() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let (mut kinds, mut circles, mut long, mut rest) = (BTreeMap::new(), 0, 0, 0);
    for _ in 0..150 {
        let run = programs().new_tree(&mut runner).expect("a program").current();
        let (trace, delays, _) = found(&run.events, 1);
        for (kind, term, ..) in delays.costs.keys() {
            *kinds.entry(*kind).or_insert(0) += 1;
            long += usize::from(*term == DelayTerm::Long);
        }
        rest += usize::from(!delays.unattributed.is_empty());
        circles += usize::from(expected(&DelayReference::of(&run, &waits_of(&trace))).is_none());
    }
    assert_eq!(kinds.len(), 8, "{kinds:?}");
    assert!(kinds.values().all(|count| *count >= 20), "{kinds:?}");
    assert!(long >= 300 && rest >= 30 && circles <= 100, "{long} {rest} {circles}");
}
