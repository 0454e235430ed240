//! A measured parallel program, simulated from its begin to its archive.

use std::{
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use kymo_recorder::{
    clock::{Clock, Fit, Node, Synchronisation, Synchronised, Unsynchronised},
    ranks::{Ipc, all_join},
};

use super::{
    machine::{Clocks, MICROSECOND, Make, NANOSECOND, Numbers, SECOND},
    network::{Fault, Latency, Network, Rank, USUAL},
};

/// The parameters of a simulation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Program {
    pub(crate) seed: u64,
    pub(crate) ranks: u32,
    /// The machine of a rank.
    pub(crate) placement: fn(u32) -> u32,
    pub(crate) make: Make,
    pub(crate) latency: Latency,
    pub(crate) waits: bool,
    /// The clock of the host's timestamps; `None` for timestamps unrelated to any clock.
    pub(crate) clock: fn(u32) -> Option<Clock>,
    /// The true times before the ranks meet and until they meet again.
    pub(crate) before: u64,
    pub(crate) during: u64,
    /// The rounds of messages between the two meetings.
    pub(crate) rounds: u64,
    /// Whether machines falsely report that they are the same.
    pub(crate) is_copied: bool,
    /// The true time at which all machines set their clocks back by a second.
    pub(crate) set_back: u64,
    pub(crate) fault: Option<Fault>,
}

/// 100 seconds on machines whose clocks differ by up to ten seconds and drift.
pub(crate) const USUAL_PROGRAM: Program = Program {
    seed: 1,
    ranks: 16,
    placement: |rank| rank,
    make: Make { apart: 10, drift: 50, counters: &[2_600_000_000] },
    latency: USUAL,
    waits: false,
    clock: |_| Some(Clock::MonotonicRaw),
    before: SECOND,
    during: 100 * SECOND,
    rounds: 20,
    is_copied: false,
    set_back: u64::MAX,
    fault: None,
};

/// An event of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// All ranks have this event at the same true time.
    Moment,
    /// Sent to a rank, with a number.
    Send(u32, u32),
    /// Received from a rank, with a number.
    Receive(u32, u32),
}

/// The result of a rank.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) rank: u32,
    pub(crate) synchronised: Result<Synchronised, Unsynchronised>,
    /// The offset known after the first meeting.
    pub(crate) ahead: Option<i64>,
    pub(crate) events: Vec<(u64, What)>,
    /// The begin and end of all ranks together.
    pub(crate) range: (u64, u64),
    /// The number of the recorder's messages in `start` and `finish`.
    pub(crate) calls: u64,
}

impl Program {
    /// Runs the program. The test fails if a rank does not finish.
    pub(crate) fn run(self) -> Vec<Outcome> {
        let clocks = self.machines();
        let node = |clocks: &Clocks| if self.is_copied { Node::copied() } else { clocks.node };
        let nodes: Arc<Vec<Option<Node>>> = Arc::new(clocks.iter().map(node).collect());
        let network = Arc::new(Network::new(self.ranks, self.latency, self.waits, self.fault));
        let (sender, outcomes) = mpsc::channel();
        for (rank, clocks) in clocks.into_iter().enumerate() {
            let rank = Rank::new(network.clone(), rank as u32, clocks, nodes.clone(), self.seed);
            let sender = sender.clone();
            let run = move || drop(sender.send(self.play(&rank)));
            thread::Builder::new().stack_size(256 << 10).spawn(run).expect("a thread");
        }
        drop(sender);
        let outcome = |_| outcomes.recv_timeout(Duration::from_secs(60)).expect("no rank waits forever");
        let mut all: Vec<Outcome> = (0..self.ranks).map(outcome).collect();
        all.sort_by_key(|outcome| outcome.rank);
        all
    }

    fn machines(&self) -> Vec<Clocks> {
        let machine = |rank: u32| {
            let number = (self.placement)(rank);
            let clocks = self.make.machine(number, &mut Numbers(self.seed ^ u64::from(number)));
            Clocks { set_back: self.set_back, ..clocks }
        };
        (0..self.ranks).map(machine).collect()
    }

    fn play(&self, rank: &Rank) -> Outcome {
        let mut events = Vec::new();
        rank.work_until(rank.random(5_000 * MICROSECOND));
        let begin = self.timestamp(rank);
        rank.work_until(rank.time.get() + rank.random(3 * MICROSECOND));
        let fit = Fit::new(begin, &kymo_recorder::clock::Machine::now(rank));
        self.moment(rank, 6_000 * MICROSECOND, &mut events);
        rank.work_until(self.before + rank.random(500 * MICROSECOND));
        let synchronisation = Synchronisation::start(rank, rank);
        for round in 0..self.rounds {
            rank.work_until(self.before + self.during * round / self.rounds);
            self.messages(rank, round as u32, &mut events);
        }
        self.moment(rank, self.before + self.during, &mut events);
        let end = self.timestamp(rank);
        let synchronised = synchronisation.finish(rank, rank, fit);
        let calls = rank.calls.get();
        let correct = |time| synchronised.map_or(time, |synchronised| synchronised.line.correct(time));
        let own = [correct(begin), correct(end)];
        let range = all_join(rank, own, |[begin, end], [other_begin, other_end]| {
            [begin.min(other_begin), end.max(other_end)]
        });
        let [begin, end] = range.unwrap_or(own);
        let ahead = (self.clock)(rank.rank()).and_then(|clock| synchronisation.ahead(clock));
        Outcome { rank: rank.rank(), synchronised, ahead, events, range: (begin, end), calls }
    }

    /// Every rank sends to the neighbours at distances that are powers of two, then receives from
    /// them.
    fn messages(&self, rank: &Rank, round: u32, events: &mut Vec<(u64, What)>) {
        let (own, size) = (rank.rank(), self.ranks);
        let distances = || (0..size.ilog2()).map(|bit| 1 << bit);
        for (step, distance) in (0..).zip(distances()) {
            let (to, number) = ((own + distance) % size, round * 32 + step);
            events.push((self.timestamp(rank), What::Send(to, number)));
            rank.send_program(to);
        }
        for (step, distance) in (0..).zip(distances()) {
            let (from, number) = ((own + size - distance) % size, round * 32 + step);
            rank.receive_program(from);
            events.push((self.timestamp(rank), What::Receive(from, number)));
        }
    }

    fn moment(&self, rank: &Rank, time: u64, events: &mut Vec<(u64, What)>) {
        rank.work_until(time);
        assert_eq!(rank.time.get(), time, "the moment is over");
        events.push((self.timestamp(rank), What::Moment));
    }

    /// Returns the host's timestamp, which takes no time.
    fn timestamp(&self, rank: &Rank) -> u64 {
        match (self.clock)(rank.rank()) {
            Some(clock) => rank.clocks.of(clock, rank.time.get()),
            None => rank.time.get() / NANOSECOND + 4711,
        }
    }
}

trait Copied {
    /// Returns the node reported by a machine that was copied while it ran.
    fn copied() -> Option<Self>
    where
        Self: Sized;
}

impl Copied for Node {
    fn copied() -> Option<Node> {
        std::num::NonZeroU64::new(1).map(Node)
    }
}
