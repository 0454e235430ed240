//! Ranks as threads, with messages between them that take simulated time.
//!
//! A receiver names the sender, so the order of the threads has no effect: every run of a
//! simulation is the same.

use std::{
    cell::{Cell, RefCell},
    collections::{HashMap, HashSet, VecDeque},
    sync::{Arc, Condvar, Mutex},
};

use kymo_recorder::{
    clock::{Machine, Node, Reading},
    ranks::{Ipc, IpcFailed},
};

use super::machine::{Clocks, MICROSECOND, NANOSECOND, Numbers};

/// How long messages take, in picoseconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Latency {
    /// The minimum on one machine.
    pub(crate) near: u64,
    /// The minimum between machines, to a greater rank.
    pub(crate) up: u64,
    /// The minimum between machines, to a smaller rank.
    pub(crate) down: u64,
    /// The maximum added to nearly all messages.
    pub(crate) jitter: u64,
    /// The maximum added to one of eight messages.
    pub(crate) stall: u64,
}

impl Latency {
    fn draw(&self, least: u64, numbers: &mut Numbers) -> u64 {
        let most = if numbers.below(8) == 0 { self.stall } else { self.jitter };
        least + numbers.below(most + 1)
    }
}

/// A rank whose calls fail from `call` on, counted from 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fault {
    pub(crate) rank: u32,
    pub(crate) call: u64,
}

/// The state shared by all ranks.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) latency: Latency,
    /// Whether a sending rank waits for the receiving one.
    pub(crate) waits: bool,
    pub(crate) fault: Option<Fault>,
    mailboxes: Vec<Mailbox>,
}

#[derive(Debug, Default)]
struct Mailbox {
    state: Mutex<Arrived>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Arrived {
    letters: HashMap<(Channel, u32), VecDeque<Letter>>,
    /// The times at which waiting senders may continue, by the receiving rank.
    receipts: HashMap<u32, VecDeque<u64>>,
    broken: HashSet<u32>,
}

/// The recorder does not see the program's messages, and these never wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Channel {
    Recorder,
    Program,
}

#[derive(Debug)]
struct Letter {
    bytes: Vec<u8>,
    sent: u64,
    /// The latency of the letter and, if the sender waits, those of the permission to send it and
    /// of the letter itself.
    latencies: [u64; 3],
}

impl Network {
    pub(crate) fn new(size: u32, latency: Latency, waits: bool, fault: Option<Fault>) -> Self {
        Self { latency, waits, fault, mailboxes: (0..size).map(|_| Mailbox::default()).collect() }
    }

    fn deliver(&self, to: u32, put: impl FnOnce(&mut Arrived)) {
        let mailbox = &self.mailboxes[to as usize];
        put(&mut mailbox.state.lock().unwrap());
        mailbox.changed.notify_all();
    }

    fn wait<T>(
        &self,
        rank: u32,
        from: u32,
        channel: Channel,
        mut take: impl FnMut(&mut Arrived) -> Option<T>,
    ) -> Result<T, IpcFailed> {
        let mailbox = &self.mailboxes[rank as usize];
        let mut state = mailbox.state.lock().unwrap();
        loop {
            if channel == Channel::Recorder && state.broken.contains(&from) {
                return Err(IpcFailed);
            }
            match take(&mut state) {
                Some(taken) => return Ok(taken),
                None => state = mailbox.changed.wait(state).unwrap(),
            }
        }
    }
}

/// A rank, on its own thread.
#[derive(Debug)]
pub(crate) struct Rank {
    network: Arc<Network>,
    rank: u32,
    pub(crate) clocks: Clocks,
    nodes: Arc<Vec<Option<Node>>>,
    numbers: RefCell<Numbers>,
    /// The true time.
    pub(crate) time: Cell<u64>,
    /// The number of the recorder's attempts to send or receive a message.
    pub(crate) calls: Cell<u64>,
}

impl Rank {
    pub(crate) fn new(
        network: Arc<Network>,
        rank: u32,
        clocks: Clocks,
        nodes: Arc<Vec<Option<Node>>>,
        seed: u64,
    ) -> Self {
        let numbers = RefCell::new(Numbers(seed ^ (u64::from(rank) << 32)));
        Self { network, rank, clocks, nodes, numbers, time: Cell::new(0), calls: Cell::new(0) }
    }

    /// Does other work until a time.
    pub(crate) fn work_until(&self, time: u64) {
        self.time.set(self.time.get().max(time));
    }

    pub(crate) fn random(&self, limit: u64) -> u64 {
        self.numbers.borrow_mut().below(limit)
    }

    fn advance(&self, by: u64) {
        self.time.set(self.time.get() + by);
    }

    fn is_near(&self, other: u32) -> bool {
        self.nodes[other as usize].is_some() && self.nodes[other as usize] == self.nodes[self.rank as usize]
    }

    fn latency(&self, from: u32, to: u32, near: bool) -> u64 {
        let latency = &self.network.latency;
        let far = if from < to { latency.up } else { latency.down };
        latency.draw(if near { latency.near } else { far }, &mut self.numbers.borrow_mut())
    }

    fn post(&self, channel: Channel, to: u32, bytes: &[u8]) {
        let near = self.is_near(to);
        let [there, back, again] = [(self.rank, to), (to, self.rank), (self.rank, to)];
        let latencies = [there, back, again].map(|(from, to)| self.latency(from, to, near));
        let letter = Letter { bytes: bytes.to_vec(), sent: self.time.get(), latencies };
        self.network.deliver(to, |arrived| {
            arrived.letters.entry((channel, self.rank)).or_default().push_back(letter);
        });
        self.advance(50 * NANOSECOND);
    }

    fn take(&self, channel: Channel, from: u32) -> Result<Letter, IpcFailed> {
        let take = |arrived: &mut Arrived| arrived.letters.get_mut(&(channel, from))?.pop_front();
        self.network.wait(self.rank, from, channel, take)
    }

    /// Sends a message of the program.
    pub(crate) fn send_program(&self, to: u32) {
        self.post(Channel::Program, to, &[]);
    }

    /// Receives a message of the program.
    pub(crate) fn receive_program(&self, from: u32) {
        let letter = self.take(Channel::Program, from).expect("only the recorder's messages can fail");
        self.work_until(letter.sent + letter.latencies[0]);
    }

    fn call(&self, other: u32) -> Result<(), IpcFailed> {
        let call = self.calls.get();
        self.calls.set(call + 1);
        let fault = self.network.fault.filter(|fault| fault.rank == self.rank && fault.call <= call);
        if fault.is_some() {
            for (one, other) in [(self.rank, other), (other, self.rank)] {
                self.network.deliver(one, |arrived| arrived.broken.extend([other]));
            }
            return Err(IpcFailed);
        }
        Ok(())
    }
}

impl Ipc for Rank {
    fn size(&self) -> u32 {
        self.nodes.len() as u32
    }

    fn rank(&self) -> u32 {
        self.rank
    }

    fn send(&self, to: u32, message: &[u8]) -> Result<(), IpcFailed> {
        self.call(to)?;
        self.post(Channel::Recorder, to, message);
        if self.network.waits {
            let receipt = |arrived: &mut Arrived| arrived.receipts.get_mut(&to)?.pop_front();
            self.work_until(self.network.wait(self.rank, to, Channel::Recorder, receipt)?);
        }
        Ok(())
    }

    fn receive(&self, from: u32, message: &mut [u8]) -> Result<(), IpcFailed> {
        self.call(from)?;
        let letter = self.take(Channel::Recorder, from)?;
        let [there, back, again] = letter.latencies;
        self.work_until(letter.sent + there);
        if self.network.waits {
            let receipt = self.time.get() + back;
            self.network.deliver(from, |arrived| {
                arrived.receipts.entry(self.rank).or_default().push_back(receipt);
            });
            self.work_until(receipt + again);
        }
        assert_eq!(letter.bytes.len(), message.len(), "the message from {from} to {}", self.rank);
        message.copy_from_slice(&letter.bytes);
        Ok(())
    }
}

impl Machine for Rank {
    fn now(&self) -> Reading {
        let (reading, time) = self.clocks.read(self.time.get());
        self.time.set(time);
        reading
    }

    fn node(&self) -> Option<Node> {
        self.nodes[self.rank as usize]
    }
}

/// The usual latencies: some microseconds, and an occasional stall.
pub(crate) const USUAL: Latency = Latency {
    near: 300 * NANOSECOND,
    up: 1_500 * NANOSECOND,
    down: 1_500 * NANOSECOND,
    jitter: 200 * NANOSECOND,
    stall: 20 * MICROSECOND,
};
