//! The clocks of all ranks, measured early and late, and the lines computed from both.
//!
//! Invariant: every rank takes part in every step, whatever has failed before, so that none waits
//! for another that has given up. Unless communication breaks in the last step, all ranks arrive at
//! the same result: either all have lines of one clock, or none has a line.

use std::{collections::BTreeMap, num::NonZeroU64};

use super::{
    Clock, Fit, Line, Machine, Node,
    exchange::{ClockRelation, answer, ask},
    line,
};
use crate::ranks::{Ipc, IpcFailed, Tree, combine};

/// The result of the first meeting of the ranks, until the second.
#[derive(Debug)]
pub struct Synchronisation {
    node: Option<Node>,
    start: Result<ClockRelation, IpcFailed>,
    ahead: Option<Ahead>,
}

/// A 1, followed by how far each clock of rank 0 is ahead of this rank's, in two's complement.
type Ahead = [u64; 1 + Clock::ALL.len()];

/// The clock of all ranks' timestamps, and the line from this rank's clock to that of rank 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Synchronised {
    /// The clock.
    pub clock: Clock,
    /// The line that corrects the times of this rank.
    pub line: Line,
}

/// The reason why there are no lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unsynchronised {
    /// No clock of the machines fits the timestamps of all ranks.
    NoClock,
    /// A rank could not be reached, or its clock was set back.
    Failed,
}

impl Synchronisation {
    /// Performs the first meeting of the ranks.
    pub fn start(ipc: &(impl Ipc + ?Sized), machine: &impl Machine) -> Self {
        let node = machine.node();
        let start = compare_clocks(ipc, machine, node);
        let ahead = hand_down(ipc, |parent| ahead_from_parent(parent, start.as_ref().ok()?));
        Self { node, start, ahead }
    }

    /// Returns the state of a rank that does not know its clocks, and takes part only so that the
    /// others do not wait.
    pub fn absent() -> Self {
        Self { node: None, start: Err(IpcFailed), ahead: None }
    }

    /// Returns how far the clock of rank 0 was ahead of this rank's when they met, in ticks. For a
    /// program that is killed, this is all the information available.
    pub fn ahead(&self, clock: Clock) -> Option<i64> {
        let at = Clock::ALL.iter().position(|&it| it == clock)?;
        self.ahead.map(|ahead| ahead[1 + at].cast_signed())
    }

    /// Performs the second meeting of the ranks and computes the lines. `fit` is the fit of a
    /// timestamp of this rank.
    pub fn finish(
        &self,
        ipc: &(impl Ipc + ?Sized),
        machine: &impl Machine,
        fit: Fit,
    ) -> Result<Synchronised, Unsynchronised> {
        let end = compare_clocks(ipc, machine, self.node);
        let meetings = self.start.as_ref().ok().zip(end.as_ref().ok());
        let fit = agree(ipc, meetings.map(|_| fit));
        let clock = fit.and_then(|fit| fit.clock());
        let line = hand_down(ipc, |parent| {
            let (start, end) = meetings?;
            let parent = parent.map(|numbers| Line::from_numbers(&numbers).ok_or(())).transpose().ok()?;
            line_from_parent(parent.as_ref(), [start, end], clock?).map(|line| line.numbers())
        });
        let line = line.and_then(|numbers| Line::from_numbers(&numbers));
        let lines = share(ipc, self.node, line);
        fit.ok_or(Unsynchronised::Failed)?;
        let clock = clock.ok_or(Unsynchronised::NoClock)?;
        let (line, lines) = line.zip(lines).ok_or(Unsynchronised::Failed)?;
        let shared = self.node.and_then(|node| lines.get(&node.0.get()));
        let line = shared.filter(|shared| line.agrees_with(shared)).copied().unwrap_or(line);
        Ok(Synchronised { clock, line })
    }
}

/// Exchanges readings with the children, in the order of the tree's rounds, and then with the
/// parent.
fn compare_clocks(
    ipc: &(impl Ipc + ?Sized),
    machine: &impl Machine,
    node: Option<Node>,
) -> Result<ClockRelation, IpcFailed> {
    let tree = Tree::of(ipc);
    let mut answered = Ok(());
    for child in tree.children() {
        // Continue even if an earlier child failed.
        answered = answered.and(answer(ipc, child, machine, node));
    }
    let relation = match tree.parent() {
        Some(parent) => ask(ipc, parent, machine, node),
        None => Ok(ClockRelation::Same(machine.now())),
    };
    answered.and(relation)
}

/// Combines the fits of all ranks.
fn agree(ipc: &(impl Ipc + ?Sized), fit: Option<Fit>) -> Option<Fit> {
    let fits = combine(ipc, fit.map(|fit| fit.numbers().to_vec()), |left, right| {
        let both = Fit::from_numbers(&left)?.and(Fit::from_numbers(&right)?);
        Some(both.numbers().to_vec())
    })?;
    Fit::from_numbers(&fits)
}

/// Computes this rank's numbers from those of its parent, or from `None` on rank 0, and sends them
/// to the children; sends zeros if something has failed.
fn hand_down<const N: usize>(
    ipc: &(impl Ipc + ?Sized),
    own: impl FnOnce(Option<[u64; N]>) -> Option<[u64; N]>,
) -> Option<[u64; N]> {
    let tree = Tree::of(ipc);
    let numbers = match tree.parent() {
        None => own(None),
        Some(parent) => receive_numbers(ipc, parent).and_then(|parent| own(Some(parent))),
    };
    let message: Vec<u8> = numbers.unwrap_or([0; N]).iter().flat_map(|number| number.to_le_bytes()).collect();
    for child in tree.children().rev() {
        // A child that cannot be reached has no line, and reports that in the next step.
        let _ = ipc.send(child, &message);
    }
    numbers
}

fn receive_numbers<const N: usize>(ipc: &(impl Ipc + ?Sized), parent: u32) -> Option<[u64; N]> {
    let mut message = vec![0; N * 8];
    ipc.receive(parent, &mut message).ok()?;
    let mut numbers = [0; N];
    for (number, bytes) in numbers.iter_mut().zip(message.as_chunks().0) {
        *number = u64::from_le_bytes(*bytes);
    }
    Some(numbers)
}

fn ahead_from_parent(parent: Option<Ahead>, relation: &ClockRelation) -> Option<Ahead> {
    const NOTHING: Ahead = [1, 0, 0, 0, 0, 0];
    let mut ahead = parent.unwrap_or(NOTHING);
    if let ClockRelation::Measured(exchange) = relation {
        for (number, clock) in ahead.iter_mut().skip(1).zip(Clock::ALL) {
            *number = number.wrapping_add(exchange.theirs(clock)).wrapping_sub(exchange.own(clock));
        }
    }
    Some(ahead).filter(|ahead| ahead[0] == NOTHING[0])
}

fn line_from_parent(parent: Option<&Line>, meetings: [&ClockRelation; 2], clock: Clock) -> Option<Line> {
    match (meetings, parent) {
        ([ClockRelation::Same(start), ClockRelation::Same(end)], None) => {
            Line::of_reference([start.of(clock), end.of(clock)])
        }
        ([ClockRelation::Same(_), ClockRelation::Same(_)], Some(parent)) => Some(*parent),
        ([ClockRelation::Measured(start), ClockRelation::Measured(end)], Some(parent)) => {
            Line::through(parent, [start, end], clock)
        }
        // They appeared to be the same at only one meeting, so they are not.
        _ => None,
    }
}

/// The most certain line of each node, by node.
type Lines = BTreeMap<u64, Line>;

/// Returns the best lines of all nodes, or `None` if a rank has none.
fn share(ipc: &(impl Ipc + ?Sized), node: Option<Node>, line: Option<Line>) -> Option<Lines> {
    let own: Option<Lines> =
        line.map(|line| node.map(|node: Node| (NonZeroU64::get(node.0), line)).into_iter().collect());
    let lines = combine(ipc, own.as_ref().map(to_numbers), |left, right| {
        Some(to_numbers(&best(from_numbers(&left)?, from_numbers(&right)?)))
    })?;
    from_numbers(&lines)
}

/// Merges lines, keeping the more certain one of each node. If both are equally certain, keeps that
/// of the smaller rank.
fn best(mut lines: Lines, of_greater_ranks: Lines) -> Lines {
    for (node, line) in of_greater_ranks {
        let best = lines.entry(node).or_insert(line);
        if line.is_better_than(best) {
            *best = line;
        }
    }
    lines
}

fn to_numbers(lines: &Lines) -> Vec<u64> {
    lines.iter().flat_map(|(&node, line)| [node].into_iter().chain(line.numbers())).collect()
}

fn from_numbers(numbers: &[u64]) -> Option<Lines> {
    let of_one = numbers.chunks(1 + line::NUMBERS);
    of_one.map(|numbers| Some((*numbers.first()?, Line::from_numbers(numbers.get(1..)?)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_certain_line_of_a_node_is_kept() {
        let line = |start, uncertainty| Line::from_numbers(&[start, 9, start, 9, uncertainty]).unwrap();
        let left = Lines::from([(1, line(1, 5)), (2, line(2, 5)), (3, line(3, 5))]);
        let right = Lines::from([(1, line(4, 4)), (2, line(5, 5)), (4, line(6, 9))]);
        let kept = [(1, line(4, 4)), (2, line(2, 5)), (3, line(3, 5)), (4, line(6, 9))];
        assert_eq!(best(left, right), Lines::from(kept));
    }

    #[test]
    fn lines_survive_a_round_trip_and_truncated_ones_are_refused() {
        let lines = Lines::from([7, 8].map(|node| (node, Line::of_reference([1, node]).unwrap())));
        let numbers = to_numbers(&lines);
        assert_eq!(from_numbers(&numbers), Some(lines));
        assert_eq!(from_numbers(&numbers[..numbers.len() - 1]), None);
    }
}
