//! Random programs of a few ranks, with their messages and collective operations.

use crate::waits::{irecv, irecv_request, isend, isend_complete, receive, send};
use kymo_analysis_testing::*;
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::events::*;
use kymo_otf2::references::RegionRef;
use proptest::prelude::*;

pub(crate) type Path = Vec<RegionRef>;

pub(crate) const RANKS: usize = 4;

/// A step of a program: its kind, two ranks, work, and other cost.
type Step = (u8, usize, usize, u64, u64);

/// An event of a rank, by its place among all of them.
pub(crate) type Place = (usize, usize);

/// A message, by its events.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TestMessage {
    pub(crate) sent: Place,
    pub(crate) completed: Place,
    pub(crate) posted: Place,
    pub(crate) received: Place,
}

/// A collective operation: the ends of its members, by rank.
#[derive(Debug, Clone)]
pub(crate) struct TestCollective {
    pub(crate) operation: CollectiveOp,
    pub(crate) root: usize,
    pub(crate) ends: Vec<Place>,
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

/// A trace, with the facts about its program.
pub(crate) struct RandomTrace {
    pub(crate) events: Vec<Vec<Timed>>,
    pub(crate) messages: Vec<TestMessage>,
    pub(crate) collectives: Vec<TestCollective>,
    pub(crate) starts: Vec<Place>,
    pub(crate) finalizes: Vec<Place>,
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

pub(crate) fn programs() -> impl Strategy<Value = RandomTrace> {
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
