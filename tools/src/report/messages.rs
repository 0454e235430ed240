//! Messages: each of few, and the density and the matrix of all.

use std::collections::{BTreeMap, HashMap};

use kymo_analysis::Trace;
use kymo_analysis::communication::{Matched, Pair};
use kymo_analysis::overview::Shape;
use kymo_analysis::statistics::{In, message_waits};
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

    /// Adds a message that has both sides.
    pub(crate) fn add(&mut self, matched: &Matched<In>) {
        let Matched::Message(pair) = matched else { return };
        let Pair { send: Some(send), receive: Some(receive), .. } = pair else { return };
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
        let ends = [send.location, receive.location].map(|it| self.groups.get(&it).copied());
        let [Some(source), Some(destination)] = ends else { return };
        let sum = self.matrix.entry((source, destination)).or_default();
        let (late_sender, late_receiver) = message_waits(pair);
        sum.count += 1;
        sum.bytes = sum.bytes.saturating_add(bytes);
        sum.wait = sum.wait.saturating_add(late_sender).saturating_add(late_receiver);
    }

    /// Returns the lines, unless there are too many.
    pub(crate) fn lines(&self) -> Option<&[Line]> {
        (self.count <= MOST_LINES).then_some(&self.lines)
    }
}
