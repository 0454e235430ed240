//! Exchanges of readings between two ranks: one reading of the parent between two of the child.
//!
//! | message | bytes |
//! | --- | --- |
//! | request, child to parent | 1: 1 to continue, 0 to end |
//! | answer, parent to child | 8: node of the parent, or 0; 4 times 8: its reading |

use std::num::NonZeroU64;

use super::{Clock, Machine, Node, Reading};
use crate::ranks::{Ipc, IpcFailed};

/// A reading of the parent, and the own readings before and after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exchange {
    before: Reading,
    theirs: Reading,
    after: Reading,
}

/// How the clocks of a rank relate to those of its parent.
#[derive(Debug)]
pub(super) enum ClockRelation {
    /// They are the same clocks.
    Same(Reading),
    /// The parent's clocks were read between two readings of the own.
    Measured(Exchange),
}

const GO_ON: [u8; 1] = [1];
const END: [u8; 1] = [0];
const ANSWER: usize = 5 * 8;

/// The minimum and maximum number of exchanges with a parent.
const FEWEST: usize = 10;
const MOST: usize = 100;
/// How many exchanges must be about as fast as the fastest. Otherwise, faster ones are likely to
/// follow.
const ABOUT_AS_FAST: usize = 3;
/// After this many exchanges without a contradiction, a parent on the same node has the same
/// clocks.
const ENOUGH_ON_NODE: usize = 3;

impl Exchange {
    /// Returns the time between the two own readings in nanoseconds.
    fn duration(&self) -> u64 {
        self.after.monotonic_raw.saturating_sub(self.before.monotonic_raw)
    }

    /// Returns whether all readings can be from the same clocks.
    fn is_in_order(&self) -> bool {
        let [before, theirs, after] = [self.before, self.theirs, self.after].map(|reading| reading.numbers());
        before
            .iter()
            .zip(theirs)
            .zip(after)
            .all(|((&before, theirs), after)| before <= theirs && theirs <= after)
    }

    /// Returns the own time at which the parent most probably read its clock.
    pub(super) fn own(&self, clock: Clock) -> u64 {
        self.before.of(clock).midpoint(self.after.of(clock))
    }

    pub(super) fn theirs(&self, clock: Clock) -> u64 {
        self.theirs.of(clock)
    }

    /// Returns the maximum error of [`own`](Self::own).
    pub(super) fn half(&self, clock: Clock) -> u64 {
        self.after.of(clock).saturating_sub(self.before.of(clock)) / 2 + 1
    }
}

/// Exchanges readings with the parent until the fastest exchange is found.
pub(super) fn ask(
    ipc: &(impl Ipc + ?Sized),
    parent: u32,
    machine: &impl Machine,
    node: Option<Node>,
) -> Result<ClockRelation, IpcFailed> {
    let relation = exchange(ipc, parent, machine, node)?;
    ipc.send(parent, &END)?;
    Ok(relation)
}

fn exchange(
    ipc: &(impl Ipc + ?Sized),
    parent: u32,
    machine: &impl Machine,
    node: Option<Node>,
) -> Result<ClockRelation, IpcFailed> {
    let mut exchanges = Vec::with_capacity(FEWEST);
    loop {
        let before = machine.now();
        let (theirs, their_node) = request(ipc, parent)?;
        exchanges.push(Exchange { before, theirs, after: machine.now() });
        if node.is_some() && node == their_node && exchanges.iter().all(Exchange::is_in_order) {
            if exchanges.len() == ENOUGH_ON_NODE {
                return Ok(ClockRelation::Same(before));
            }
        } else if let Some(fastest) = fastest(&exchanges) {
            return Ok(ClockRelation::Measured(fastest));
        }
    }
}

/// Returns the fastest exchange, if no more are needed.
fn fastest(exchanges: &[Exchange]) -> Option<Exchange> {
    let fastest = exchanges.iter().min_by_key(|exchange| exchange.duration())?;
    let slow = fastest.duration() + fastest.duration() / 4;
    let fast = exchanges.iter().filter(|exchange| exchange.duration() <= slow).count();
    let is_enough = exchanges.len() >= FEWEST && fast >= ABOUT_AS_FAST;
    (is_enough || exchanges.len() >= MOST).then_some(*fastest)
}

fn request(ipc: &(impl Ipc + ?Sized), parent: u32) -> Result<(Reading, Option<Node>), IpcFailed> {
    let mut answer = [0; ANSWER];
    ipc.send(parent, &GO_ON)?;
    ipc.receive(parent, &mut answer)?;
    let mut numbers = [0; ANSWER / 8];
    for (number, bytes) in numbers.iter_mut().zip(answer.as_chunks().0) {
        *number = u64::from_le_bytes(*bytes);
    }
    let [node, reading @ ..] = numbers;
    Ok((Reading::from_numbers(reading), NonZeroU64::new(node).map(Node)))
}

/// Answers the requests of a child until the child ends the exchange.
pub(super) fn answer(
    ipc: &(impl Ipc + ?Sized),
    child: u32,
    machine: &impl Machine,
    node: Option<Node>,
) -> Result<(), IpcFailed> {
    let mut request = END;
    loop {
        ipc.receive(child, &mut request)?;
        if request != GO_ON {
            return Ok(());
        }
        let [counter, monotonic_raw, monotonic, realtime] = machine.now().numbers();
        let numbers = [node.map_or(0, |node| node.0.get()), counter, monotonic_raw, monotonic, realtime];
        let mut answer = [0; ANSWER];
        for (bytes, number) in answer.as_chunks_mut().0.iter_mut().zip(numbers) {
            *bytes = number.to_le_bytes();
        }
        ipc.send(child, &answer)?;
    }
}
