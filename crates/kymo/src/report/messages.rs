//! Messages: each of few, and the density and the matrix of all.

use std::collections::{BTreeMap, HashMap};

use kymo_analysis::Trace;
use kymo_analysis::communication::{Matched, Pair};
use kymo_analysis::overview::Shape;
use kymo_analysis::statistics::Communicated;
use kymo_analysis::waits::{WaitKind, WaitState};
use kymo_otf2::references::{LocationGroupRef, LocationRef};

/// The largest number of messages that are drawn as lines.
const MOST_LINES: u64 = 20_000;

/// The messages with both sides.
#[derive(Debug)]
pub(crate) struct Messages {
    shape: Shape,
    groups: HashMap<LocationRef, LocationGroupRef>,
    pub(crate) count: u64,
    /// The messages themselves, unless there are too many.
    pub(crate) lines: Vec<Line>,
    /// Messages and bytes by the slice of their send.
    pub(crate) density: Vec<(f64, f64)>,
    /// By sending and receiving process.
    pub(crate) matrix: BTreeMap<(LocationGroupRef, LocationGroupRef), Sum>,
}

/// A message. Times are in nanoseconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    pub(crate) source: LocationRef,
    pub(crate) destination: LocationRef,
    pub(crate) send: u64,
    pub(crate) receive: u64,
    pub(crate) bytes: u64,
}

/// The messages of two processes.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Sum {
    pub(crate) count: u64,
    pub(crate) bytes: u64,
    /// For how long both sides waited, in nanoseconds.
    pub(crate) wait: u64,
}

/// The matrix with neighbouring processes in one row and column.
#[derive(Debug)]
pub(crate) struct Joined {
    /// The processes of each row and column.
    pub(crate) rows: Vec<Vec<LocationGroupRef>>,
    /// The largest number of processes in a row.
    pub(crate) most: usize,
    /// By sending and receiving row.
    pub(crate) sums: BTreeMap<(u32, u32), Sum>,
}

impl Sum {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.wait = self.wait.saturating_add(other.wait);
    }
}

impl Messages {
    pub(crate) fn new(trace: &Trace, shape: Shape) -> Self {
        Self {
            shape,
            groups: trace.locations().iter().map(|it| (it.id, it.group)).collect(),
            count: 0,
            lines: Vec::new(),
            density: vec![(0.0, 0.0); shape.slices],
            matrix: BTreeMap::new(),
        }
    }

    /// Adds a message that has both sides, or the wait for one.
    pub(crate) fn add(&mut self, communicated: &Communicated<'_>) {
        match communicated {
            Communicated::Operation(Matched::Message(pair)) => self.message(pair),
            Communicated::Operation(Matched::Collective(_)) => {}
            Communicated::Wait(wait) => self.wait(wait),
            Communicated::Creation(_) => {}
        }
    }

    fn wait(&mut self, wait: &WaitState) {
        let (sender, receiver) = match wait.kind {
            WaitKind::LateSender => (wait.cause, wait.location),
            WaitKind::LateReceiver => (wait.location, wait.cause),
            _ => return,
        };
        self.add_to_matrix(sender, receiver, Sum { wait: wait.time(), ..Sum::default() });
    }

    fn add_to_matrix(&mut self, sender: LocationRef, receiver: LocationRef, sum: Sum) {
        let ends = [sender, receiver].map(|it| self.groups.get(&it).copied());
        if let [Some(source), Some(destination)] = ends {
            self.matrix.entry((source, destination)).or_default().add(sum);
        }
    }

    fn message<T>(&mut self, pair: &Pair<T>) {
        let (Some(send), Some(receive)) = (&pair.send, &pair.receive) else { return };
        let bytes = send.part.length;
        self.count += 1;
        match self.count <= MOST_LINES {
            true => self.lines.push(Line {
                source: send.location,
                destination: receive.location,
                send: send.time,
                receive: receive.time,
                bytes,
            }),
            false => self.lines = Vec::new(),
        }
        let density = &mut self.density[self.shape.slice(send.time)];
        *density = (density.0 + 1.0, density.1 + bytes as f64);
        self.add_to_matrix(send.location, receive.location, Sum { count: 1, bytes, wait: 0 });
    }

    /// Returns the lines, unless there are too many.
    pub(crate) fn lines(&self) -> Option<&[Line]> {
        (self.count <= MOST_LINES).then_some(&self.lines)
    }

    /// Returns the matrix of the processes that send or receive, with at most `most` rows.
    pub(crate) fn joined(&self, most: usize) -> Joined {
        let mut used: Vec<_> =
            self.matrix.keys().flat_map(|(source, destination)| [*source, *destination]).collect();
        used.sort_unstable();
        used.dedup();
        let joined = used.len().div_ceil(most).max(1);
        let place = |group: &LocationGroupRef| (used.binary_search(group).unwrap_or(0) / joined) as u32;
        let mut sums = BTreeMap::<_, Sum>::new();
        for ((source, destination), sum) in &self.matrix {
            sums.entry((place(source), place(destination))).or_default().add(*sum);
        }
        Joined { rows: used.chunks(joined).map(<[_]>::to_vec).collect(), most: joined, sums }
    }
}
