//! Logical steps and lateness: small traces by hand, and random programs against a reference that
//! follows the definitions operation by operation.

use crate::waits::{call, irecv, irecv_request, isend, isend_complete, part, receive, send};
use kymo_analysis::causes::{self, Extras, Kept};
use kymo_analysis::lateness::{Lateness, LatenessByLocation};
use kymo_analysis::{Selection, Trace};
use kymo_analysis_testing::*;
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::references::LocationRef;
use proptest::prelude::*;
use std::collections::BTreeMap;

const RANKS: usize = 4;

fn lateness(trace: &Trace) -> LatenessByLocation {
    let extras = Extras { lateness: true, ..Extras::default() };
    let causes = causes::with(trace, &Selection::default(), Kept { most: 0 }, extras).expect("causes");
    assert_eq!(causes.statistics.ideal_run.map_or(0, |run| run.not_awaited), 0);
    causes.lateness.expect("lateness")
}

/// An operation of the reference.
struct Node {
    rank: usize,
    end: u64,
    /// The operations before it.
    before: Vec<usize>,
}

/// The next step of a program.
#[derive(Debug, Clone, Copy)]
enum Step {
    Message { from: usize, to: usize, is_posted: [bool; 2], gaps: [u64; 2] },
    Complete { rank: usize, gap: u64 },
    Collective { operation: CollectiveOp, gaps: [u64; RANKS] },
}

/// A program that is written as a trace and as operations at the same time.
#[derive(Default)]
struct Program {
    events: [Vec<Timed>; RANKS],
    times: [u64; RANKS],
    nodes: Vec<Node>,
    last: [Option<usize>; RANKS],
    /// The receives that are posted, with their requests, senders and sends.
    posted: [Vec<(u64, usize, usize)>; RANKS],
    /// The requests of sends that are not complete.
    sent: [Vec<u64>; RANKS],
    requests: u64,
}

impl Program {
    /// Adds a call of a rank that lasts for a time, with an event at its end. Returns the end.
    fn call(&mut self, rank: usize, gap: u64, events: &[kymo_otf2::events::Event<'static>]) -> u64 {
        let start = self.times[rank] + 1;
        let end = start + gap;
        let events: Vec<Timed> = events.iter().map(|event| (end, *event)).collect();
        self.events[rank].extend(call(region(b'h'), start, &events, end));
        self.times[rank] = end;
        end
    }

    fn node(&mut self, rank: usize, end: u64, before: &[usize]) -> usize {
        let before = self.last[rank].into_iter().chain(before.iter().copied()).collect();
        self.nodes.push(Node { rank, end, before });
        self.last[rank] = Some(self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Message { from, to, .. } if from == to => {}
            Step::Message { from, to, is_posted: [sends, receives], gaps } => {
                let request = self.requests;
                self.requests += 2;
                if receives {
                    self.call(to, gaps[1], &[irecv_request(request)]);
                }
                let event = if sends { isend(to as u32, 8, 7, request + 1) } else { send(to as u32, 8, 7) };
                let end = self.call(from, gaps[0], &[event]);
                let sent = self.node(from, end, &[]);
                if sends {
                    self.sent[from].push(request + 1);
                }
                if receives {
                    self.posted[to].push((request, from, sent));
                    return;
                }
                // Messages of a channel do not overtake each other.
                self.complete(to, 1);
                let end = self.call(to, gaps[1], &[receive(from as u32, 8, 7)]);
                self.node(to, end, &[sent]);
            }
            Step::Complete { rank, gap } => self.complete(rank, gap),
            Step::Collective { operation, gaps } => {
                let before: Vec<usize> = self.last.iter().flatten().copied().collect();
                for (rank, gap) in gaps.into_iter().enumerate() {
                    let start = self.times[rank] + 1;
                    self.events[rank].extend(part(operation, 0, [start, start + gap], [8, 8]));
                    self.times[rank] = start + gap;
                    self.node(rank, start + gap, &before);
                }
            }
        }
    }

    fn complete(&mut self, rank: usize, gap: u64) {
        for (request, from, sent) in std::mem::take(&mut self.posted[rank]) {
            let end = self.call(rank, gap, &[irecv(from as u32, 8, 7, request)]);
            self.node(rank, end, &[sent]);
        }
        for request in std::mem::take(&mut self.sent[rank]) {
            self.call(rank, gap, &[isend_complete(request)]);
        }
    }

    /// Follows the definitions.
    fn expected(&self) -> LatenessByLocation {
        let mut steps = Vec::new();
        for node in &self.nodes {
            steps.push(1 + node.before.iter().map(|it| steps[*it]).max().unwrap_or(0));
        }
        let mut by_step: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for (node, step) in self.nodes.iter().zip(&steps) {
            by_step.entry(*step).or_default().push(node.end);
        }
        let first = |step: u64| by_step[&step].iter().copied().min().unwrap_or(0);
        let late = |node: usize| self.nodes[node].end - first(steps[node]);
        let active = self.last.iter().flatten().count();
        let counts = |step: &u64| by_step[step].len() * 2 >= active;
        let mut locations: BTreeMap<LocationRef, Lateness> = BTreeMap::new();
        for (number, node) in self.nodes.iter().enumerate().filter(|(number, _)| counts(&steps[*number])) {
            let before = node.before.iter().map(|it| late(*it)).max().unwrap_or(0);
            let new = late(number).saturating_sub(before);
            let sums = locations.entry(LocationRef(node.rank as u64)).or_default();
            sums.operations += 1;
            sums.last +=
                u64::from(late(number) > 0 && by_step[&steps[number]].iter().max() == Some(&node.end));
            sums.time += u128::from(late(number));
            sums.new += u128::from(new);
            if new > sums.most.0 {
                sums.most = (new, node.end);
            }
        }
        let left_out = by_step.keys().filter(|step| !counts(step)).count() as u64;
        LatenessByLocation { locations, steps: by_step.len() as u64, left_out, not_awaited: 0 }
    }
}

fn steps() -> impl Strategy<Value = Step> {
    let rank = || 0..RANKS;
    let operation =
        prop_oneof![Just(CollectiveOp::BARRIER), Just(CollectiveOp::ALLTOALLV), Just(CollectiveOp::BCAST)];
    prop_oneof![
        6 => (rank(), rank(), any::<[bool; 2]>(), [0..90_u64, 0..90]).prop_map(|(from, to, is_posted, gaps)| {
            Step::Message { from, to, is_posted, gaps }
        }),
        1 => (rank(), 0..90_u64).prop_map(|(rank, gap)| Step::Complete { rank, gap }),
        1 => (operation, [0..90_u64, 0..90, 0..90, 0..90])
            .prop_map(|(operation, gaps)| Step::Collective { operation, gaps }),
    ]
}

proptest! {
    #[test]
    fn the_lateness_of_a_program_follows_the_definitions(steps in prop::collection::vec(steps(), 0..60)) {
        let mut program = Program::default();
        steps.iter().for_each(|step| program.step(*step));
        (0..RANKS).for_each(|rank| program.complete(rank, 1));
        let length = program.times.iter().max().copied().unwrap_or(0);
        let found = lateness(&trace(&program.events, clock(length)));
        prop_assert_eq!(found, program.expected());
    }
}
