//! Runs on an ideal network: small ones computed by hand, and random programs whose ideal run is
//! known from the program itself.

use crate::waits::{call, irecv, irecv_request, isend, isend_complete, part, receive, send};
use kymo_analysis::replay::{IdealRun, SendRule};
use kymo_analysis::{Hypothesis, Selection, Trace, statistics};
use kymo_analysis_testing::*;
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::events::*;
use kymo_otf2::references::RegionRef;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn trace_of(locations: &[Vec<Timed>]) -> Trace {
    let length = locations.iter().flatten().map(|it| it.0).max().unwrap_or(0);
    let processes: Vec<u32> = (0..locations.len() as u32).collect();
    trace_of_processes(locations, &processes, false, clock(length))
}

fn ideal_run(locations: &[Vec<Timed>]) -> Option<IdealRun> {
    statistics::of(&trace_of(locations), &Selection::default()).expect("statistics").ideal_run
}

/// Returns the length of the ideal run if the work in a region took this part of its time.
fn ideal_if(locations: &[Vec<Timed>], region: RegionRef, factor: f64) -> u64 {
    let hypothesis = Hypothesis { regions: BTreeSet::from([region]), factor };
    let run = statistics::ideal_run_if(
        &trace_of(locations),
        &Selection::default(),
        &hypothesis,
        SendRule::Recorded,
    );
    run.expect("statistics").expect("an ideal run").length
}

/// Returns the length of the ideal run, in which all operations could be awaited.
fn ideal(locations: &[Vec<Timed>]) -> u64 {
    let run = ideal_run(locations).expect("an ideal run");
    assert_eq!(run.not_awaited, 0);
    run.length
}

/// A location that is in a function of its own from 0 on.
fn main(events: &[Vec<Timed>], end: u64) -> Vec<Timed> {
    call(region(b'a'), 0, &events.concat(), end)
}

fn mpi(start: u64, events: &[Timed], end: u64) -> Vec<Timed> {
    call(region(b'h'), start, events, end)
}

#[test]
fn without_communication_there_is_no_ideal_run() {
    assert_eq!(ideal_run(&[main(&[], 100)]), None);
}

#[test]
fn a_receive_waits_for_the_work_before_its_send_alone() {
    let sender = main(&[mpi(70, &[(72, send(1, 10, 7))], 75)], 80);
    let receiver = main(&[mpi(20, &[(91, receive(0, 10, 7))], 95)], 100);
    // 70 before the send, and 5 after it; 5 after the receive.
    assert_eq!(ideal(&[sender, receiver]), 75);
}

#[test]
fn a_send_waits_if_it_waited_for_its_receive() {
    let sender = main(&[mpi(10, &[(11, send(1, 10, 7))], 65)], 100);
    let receiver = main(&[mpi(60, &[(66, receive(0, 10, 7))], 67)], 70);
    assert_eq!(ideal(&[sender, receiver]), 60 + 35);
    let buffered = main(&[mpi(10, &[(11, send(1, 10, 7))], 15)], 100);
    let receiver = main(&[mpi(60, &[(66, receive(0, 10, 7))], 67)], 70);
    assert_eq!(ideal(&[buffered, receiver]), 95);
}

#[test]
fn a_synchronous_send_waits_for_its_receive_even_if_that_was_early() {
    let [sync, work] = [function("MPI_Ssend"), region(b'h')];
    // In the trace, a slow receive of another message made the receiver early. Rank 0 works for
    // 10, rank 2 for 40, of which the replay needs all.
    let ranks = |name| {
        let first = call(name, 50, &[(51, send(1, 10, 7))], 60);
        let sender = [call(work, 10, &[(50, receive(2, 10, 8))], 50), first].concat();
        let receiver = mpi(30, &[(61, receive(0, 10, 7))], 62);
        [main(&[sender], 100), main(&[receiver], 62), main(&[mpi(5, &[(6, send(0, 10, 8))], 7)], 7)]
    };
    assert_eq!(ideal(&ranks(sync)), 30 + 40);
    assert_eq!(ideal(&ranks(work)), 10 + 40);
}

/// It began as much earlier as the first thread was at the first operation.
#[test]
fn a_later_thread_begins_as_much_earlier_as_the_first_one_is_then() {
    // Sending takes the first thread long, but only after the other one has begun.
    let first = main(&[mpi(100, &[(101, send(1, 10, 7))], 1000)], 1100);
    let later = call(region(b'a'), 50, &mpi(1500, &[(1501, send(1, 10, 8))], 1505), 1510);
    let receives =
        [mpi(10, &[(1002, receive(0, 10, 7))], 1003), mpi(1003, &[(1520, receive(0, 10, 8))], 1521)];
    let locations = [first, later, main(&receives, 1521)];
    let trace = trace_of_processes(&locations, &[0, 0, 1], true, clock(1521));
    let statistics = statistics::of(&trace, &Selection::default()).expect("statistics");
    assert_eq!(statistics.ideal_run.map(|run| run.length), Some(1505));
}

#[test]
fn by_their_rule_sends_wait_for_the_receives_for_which_they_waited_for_none_or_for_all() {
    let lengths = |end_of_send| {
        let sender = main(&[mpi(10, &[(11, send(1, 10, 7))], end_of_send)], end_of_send + 100);
        let receiver = main(&[mpi(60, &[(91, receive(0, 10, 7))], 95)], 95);
        let trace = trace_of(&[sender, receiver]);
        [SendRule::Recorded, SendRule::Eager, SendRule::Rendezvous].map(|sends| {
            let run = statistics::ideal_run_if(&trace, &Selection::default(), &Hypothesis::default(), sends);
            run.expect("statistics").expect("an ideal run").length
        })
    };
    // The receive of an exchange is posted with its send, which cannot wait for another exchange.
    let exchange = |rank: u32| {
        let other = 1 - rank;
        main(&[mpi(10, &[(11, send(other, 10, 7)), (12, receive(other, 10, 7))], 13)], 20)
    };
    let trace = trace_of(&[exchange(0), exchange(1)]);
    let rendezvous = SendRule::Rendezvous;
    let run = statistics::ideal_run_if(&trace, &Selection::default(), &Hypothesis::default(), rendezvous);
    let run = run.expect("statistics").expect("an ideal run");
    assert_eq!((run.length, run.not_awaited), (17, 0));
    // The sender has work for 10 and for 100, the receiver for 60 before its receive.
    assert_eq!(lengths(15), [110, 110, 160]);
    assert_eq!(lengths(70), [160, 110, 160]);
}

/// It was replayed like a barrier.
#[test]
fn nobody_waits_in_a_broadcast_whose_root_is_unknown() {
    let broadcast = |start, end| part(CollectiveOp::BCAST, 7, [start, end], [8, 8]);
    let ranks = [main(&[broadcast(10, 20)], 100), main(&[broadcast(80, 90)], 100)];
    assert_eq!(ideal(&ranks), 90);
}

#[test]
fn sends_without_receives_wait_for_nobody() {
    let wait = call(function("MPI_Wait"), 30, &[(31, isend_complete(1))], 35);
    let sender = main(&[mpi(10, &[(11, isend(1, 8, 7, 1))], 12), wait], 50);
    assert_eq!(ideal(&[sender, main(&[], 20)]), 43);
}

#[test]
fn a_hypothesis_alters_the_work_in_calls_and_inner_calls() {
    let inner = call(region(b'c'), 20, &[], 40);
    let solve = call(region(b'b'), 10, &[inner, mpi(45, &[(46, send(1, 8, 0))], 49)].concat(), 60);
    let sender = main(&[solve], 70);
    let receiver = main(&[mpi(5, &[(50, receive(0, 8, 0))], 55)], 56);
    let ranks = [sender, receiver];
    // 10 outside, 46 in b, of which 20 in c, 10 outside.
    assert_eq!(ideal(&ranks), 66);
    assert_eq!(ideal_if(&ranks, region(b'b'), 0.5), 43);
    assert_eq!(ideal_if(&ranks, region(b'b'), 2.0), 112);
    assert_eq!(ideal_if(&ranks, region(b'c'), 0.0), 46);
    assert_eq!(ideal_if(&ranks, region(b'd'), 0.0), 66);
    assert_eq!(ideal_if(&ranks, region(b'h'), 0.0), 66);
}

#[test]
fn members_of_a_barrier_wait_for_the_one_with_most_work() {
    let barrier = |start, end| part(CollectiveOp::BARRIER, u32::MAX, [start, end], [0, 0]);
    // The first rank is late by its slow barrier alone.
    let one = main(&[barrier(10, 50), barrier(60, 80)], 80);
    let other = main(&[barrier(30, 40), barrier(50, 80)], 80);
    // 30, then 10 each.
    assert_eq!(ideal(&[one, other]), 40);
}

const RANKS: usize = 4;

/// A step of a program.
#[derive(Debug, Clone, Copy)]
enum Step {
    Work { rank: usize, time: u64 },
    Message { is_synchronous: bool, from: usize, to: usize, costs: [u64; 2] },
    Start { from: usize, to: usize },
    Complete { rank: usize, cost: u64 },
    Collective { operation: CollectiveOp, root: usize, cost: u64 },
    StartBarrier,
    CompleteBarrier { cost: u64 },
}

/// A non-blocking message.
#[derive(Debug, Clone, Copy)]
struct Request {
    number: u64,
    from: usize,
    to: usize,
    /// When the send and the post of the receive begin in the trace and in the ideal run.
    begins: [[u64; 2]; 2],
}

/// A program that runs on a network and on an ideal one at the same time.
struct Program {
    skews: Vec<u64>,
    events: Vec<Vec<Timed>>,
    times: [u64; RANKS],
    ideal: [u64; RANKS],
    sends: Vec<Request>,
    receives: Vec<Request>,
    barrier: Option<[[u64; RANKS]; 2]>,
    number: u64,
}

impl Program {
    fn run(steps: &[Step], skews: Vec<u64>) -> Self {
        let mut program = Self {
            skews,
            events: vec![Vec::new(); RANKS],
            times: [0; RANKS],
            ideal: [0; RANKS],
            sends: Vec::new(),
            receives: Vec::new(),
            barrier: None,
            number: 0,
        };
        steps.iter().for_each(|step| program.step(*step));
        (0..RANKS).for_each(|rank| program.complete(rank, 1));
        program.complete_barrier(1);
        program
    }

    fn locations(&self) -> Vec<Vec<Timed>> {
        let of_rank = |(rank, events): (usize, &Vec<Timed>)| {
            let skewed: Vec<Timed> =
                events.iter().map(|(time, event)| (time + self.skews[rank], *event)).collect();
            call(region(b'a'), self.skews[rank], &skewed, self.times[rank] + self.skews[rank])
        };
        self.events.iter().enumerate().map(of_rank).collect()
    }

    /// A rank is in a call until a time.
    fn call(&mut self, rank: usize, name: RegionRef, events: &[Timed], end: u64) {
        self.events[rank].extend(call(name, self.times[rank], events, end));
        self.times[rank] = end;
    }

    /// Returns whether a send waits for a post by the clocks of the trace.
    fn is_late(&self, from: usize, [start, end]: [u64; 2], to: usize, post: u64) -> bool {
        let post = post + self.skews[to];
        start + self.skews[from] < post && post < end + self.skews[from]
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Work { rank, time } => {
                self.times[rank] += time;
                self.ideal[rank] += time;
            }
            Step::Message { from, to, .. } | Step::Start { from, to } if from == to => {}
            Step::Message { is_synchronous, from, to, costs } => {
                self.message(is_synchronous, [from, to], costs);
            }
            Step::Start { from, to } => self.start(from, to),
            Step::Complete { rank, cost } => self.complete(rank, cost),
            Step::Collective { operation, root, cost } => self.collective(operation, root, cost),
            Step::StartBarrier => self.start_barrier(),
            Step::CompleteBarrier { cost } => self.complete_barrier(cost),
        }
    }

    fn message(&mut self, is_synchronous: bool, [from, to]: [usize; 2], [one, other]: [u64; 2]) {
        let [start, post] = [self.times[from], self.times[to]];
        let end = if is_synchronous { start.max(post) + one } else { start + one };
        let name = if is_synchronous { function("MPI_Ssend") } else { region(b'h') };
        let waits = is_synchronous || self.is_late(from, [start, end], to, post);
        let received = start.max(post) + other;
        self.call(from, name, &[(start, send(to as u32, 8, 0))], end);
        self.call(to, region(b'h'), &[(received, receive(from as u32, 8, 0))], received);
        let [sent, posted] = [self.ideal[from], self.ideal[to]];
        self.ideal[to] = posted.max(sent);
        self.ideal[from] = if waits { sent.max(posted) } else { sent };
    }

    fn start(&mut self, from: usize, to: usize) {
        self.number += 1;
        let (number, begins) =
            (self.number, [[self.times[from], self.times[to]], [self.ideal[from], self.ideal[to]]]);
        let it = Request { number, from, to, begins };
        let [sent, posted] = begins[0];
        self.call(from, region(b'h'), &[(sent, isend(to as u32, 8, 1, number))], sent + 1);
        self.call(to, region(b'h'), &[(posted, irecv_request(number))], posted + 1);
        self.sends.push(it);
        self.receives.push(it);
    }

    /// A rank waits for all its messages.
    fn complete(&mut self, rank: usize, cost: u64) {
        let start = self.times[rank];
        let (own, other): (Vec<_>, Vec<_>) = self.sends.drain(..).partition(|it| it.from == rank);
        self.sends = other;
        let (received, other): (Vec<_>, Vec<_>) = self.receives.drain(..).partition(|it| it.to == rank);
        self.receives = other;
        if own.is_empty() && received.is_empty() {
            return;
        }
        let arrival = received.iter().map(|it| it.begins[0][0]).max().unwrap_or(0);
        let end = start.max(arrival) + cost;
        let mut events: Vec<Timed> = Vec::new();
        events.extend(own.iter().map(|it| (end, isend_complete(it.number))));
        events.extend(received.iter().map(|it| (end, irecv(it.from as u32, 8, 1, it.number))));
        self.call(rank, function("MPI_Wait"), &events, end);
        let late = own.iter().filter(|it| self.is_late(rank, [start, end], it.to, it.begins[0][1]));
        let posts = late.map(|it| it.begins[1][1]);
        let sends = received.iter().map(|it| it.begins[1][0]);
        let latest = posts.chain(sends).max().unwrap_or(0);
        self.ideal[rank] = self.ideal[rank].max(latest);
    }

    fn collective(&mut self, operation: CollectiveOp, root: usize, cost: u64) {
        let (times, ideal) = (self.times, self.ideal);
        for rank in 0..RANKS {
            let complete = |clocks: [u64; RANKS]| match operation {
                CollectiveOp::BCAST => clocks[rank].max(clocks[root]),
                CollectiveOp::REDUCE if rank != root => clocks[rank],
                CollectiveOp::SCAN => clocks[..=rank].iter().copied().max().unwrap_or(0),
                _ => clocks.into_iter().max().unwrap_or(0),
            };
            let end = complete(times) + cost + rank as u64 % 2;
            self.events[rank].extend(part(operation, root as u32, [times[rank], end], [8, 8]));
            self.times[rank] = end;
            self.ideal[rank] = complete(ideal);
        }
    }

    fn start_barrier(&mut self) {
        if self.barrier.is_some() {
            return;
        }
        self.barrier = Some([self.times, self.ideal]);
        for rank in 0..RANKS {
            let start = self.times[rank];
            let request =
                Event::NonBlockingCollectiveRequest(NonBlockingCollectiveRequest { request_id: 1 << 40 });
            self.call(rank, region(b'h'), &[(start, request)], start + 1);
        }
    }

    fn complete_barrier(&mut self, cost: u64) {
        let Some([times, ideal]) = self.barrier.take() else { return };
        let [latest, latest_ideal] = [times, ideal].map(|clocks| clocks.into_iter().max().unwrap_or(0));
        for rank in 0..RANKS {
            let end = self.times[rank].max(latest) + cost;
            let complete = Event::NonBlockingCollectiveComplete(NonBlockingCollectiveComplete {
                collective_op: CollectiveOp::BARRIER,
                communicator: WORLD,
                root: u32::MAX,
                size_sent: 0,
                size_received: 0,
                request_id: 1 << 40,
            });
            self.call(rank, function("MPI_Wait"), &[(end, complete)], end);
            self.ideal[rank] = self.ideal[rank].max(latest_ideal);
        }
    }
}

fn steps() -> impl Strategy<Value = Step> {
    let rank = || 0..RANKS;
    let cost = || 0..9_u64;
    let operation = prop::sample::select(vec![
        CollectiveOp::BARRIER,
        CollectiveOp::ALLREDUCE,
        CollectiveOp::BCAST,
        CollectiveOp::REDUCE,
        CollectiveOp::SCAN,
    ]);
    prop_oneof![
        5 => (rank(), 0..40_u64).prop_map(|(rank, time)| Step::Work { rank, time }),
        4 => (any::<bool>(), rank(), rank(), [cost(), cost()])
            .prop_map(|(is_synchronous, from, to, costs)| Step::Message { is_synchronous, from, to, costs }),
        3 => (rank(), rank()).prop_map(|(from, to)| Step::Start { from, to }),
        2 => (rank(), cost()).prop_map(|(rank, cost)| Step::Complete { rank, cost }),
        2 => (operation, rank(), cost())
            .prop_map(|(operation, root, cost)| Step::Collective { operation, root, cost }),
        1 => Just(Step::StartBarrier),
        1 => cost().prop_map(|cost| Step::CompleteBarrier { cost }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: kymo_testdata::random_cases(100), ..ProptestConfig::default() })]

    #[test]
    fn the_ideal_run_of_a_program_is_that_without_the_costs_of_its_operations(
        steps in prop::collection::vec(steps(), 1..60),
        skews in prop_oneof![Just(vec![0; RANKS]), prop::collection::vec(0..60_u64, RANKS)],
    ) {
        let program = Program::run(&steps, skews);
        let run = ideal_run(&program.locations());
        let longest = program.ideal.into_iter().max().unwrap_or(0);
        match run {
            Some(run) => {
                prop_assert_eq!(run.length, longest);
                prop_assert_eq!(run.not_awaited, 0);
                let locations = program.locations();
                prop_assert_eq!(ideal_if(&locations, region(b'a'), 0.0), 0);
                prop_assert_eq!(ideal_if(&locations, region(b'a'), 3.0), 3 * longest);
            }
            None => prop_assert!(program.events.iter().all(Vec::is_empty)),
        }
    }
}
