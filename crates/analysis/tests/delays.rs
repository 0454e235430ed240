//! Delay costs of small traces, by rule. Locations are ranks; all their calls are in one of `a`.

use crate::thread_waits::{lock, unlock};
use crate::waits::{call, receive, send};
use kymo_analysis::causes::{self, Extras, Kept};
use kymo_analysis::{Selection, Trace};
use kymo_analysis_testing::*;
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::events::*;

/// Returns the delay costs as lines: `kind term location path: cost`, and those of no delay.
fn costs_of(trace: &Trace) -> Vec<String> {
    let causes = causes::with(
        trace,
        &Selection::default(),
        Kept { most: 0 },
        Extras { delays: true, ..Extras::default() },
    )
    .expect("causes");
    let delays = causes.delays.expect("delays");
    let path = |context| {
        let path = causes.contexts.path(context).into_iter();
        path.map(|it| trace.region_name(causes.contexts.region(it)).into_owned())
            .collect::<Vec<_>>()
            .join(";")
    };
    let rounded = |cost: f64| (cost * 1e6).round() / 1e6;
    let costs = delays.costs.iter().map(|((kind, term, location, context), cost)| {
        let cost = rounded(*cost);
        format!("{} {} {} {}: {cost}", kind.key(), term.key(), location.0, path(*context))
    });
    let rest = delays.unattributed.iter().map(|(kind, time)| format!("{}: {}", kind.key(), rounded(*time)));
    costs.chain(rest).collect()
}

/// Returns the delay costs of ranks, each of which is in one call.
fn costs(ranks: &[Vec<Vec<Timed>>]) -> Vec<String> {
    let in_call = |calls: &Vec<Vec<Timed>>| {
        let events = calls.concat();
        let [first, last] = [events.first(), events.last()].map(|it| it.expect("an event").0);
        call(region(b'a'), first, &events, last)
    };
    let locations: Vec<_> = ranks.iter().map(in_call).collect();
    let length = locations.iter().flatten().map(|it| it.0).max().unwrap_or(0);
    costs_of(&trace(&locations, clock(length)))
}

fn work(start: u64, end: u64) -> Vec<Timed> {
    call(region(b'b'), start, &[], end)
}

fn sent(to: u32, start: u64, end: u64) -> Vec<Timed> {
    call(region(b'h'), start, &[(start, send(to, 8, 0))], end)
}

fn received(from: u32, start: u64, end: u64) -> Vec<Timed> {
    call(region(b'i'), start, &[(end, receive(from, 8, 0))], end)
}

/// A member of an operation; the root alone has all the data of a broadcast or a reduction.
fn member(collective_op: CollectiveOp, root: u32, is_root: bool, start: u64, end: u64) -> Vec<Timed> {
    let [size_sent, size_received] = match collective_op {
        CollectiveOp::BARRIER => [0, 0],
        CollectiveOp::BCAST => [if is_root { 8 } else { 0 }, 8],
        CollectiveOp::REDUCE => [8, if is_root { 8 } else { 0 }],
        _ => [8, 8],
    };
    let communicator = WORLD;
    let complete = MpiCollectiveEnd { collective_op, communicator, root, size_sent, size_received };
    let events =
        [(start, Event::MpiCollectiveBegin(MpiCollectiveBegin {})), (end, Event::MpiCollectiveEnd(complete))];
    call(region(b'j'), start, &events, end)
}

fn barrier(start: u64, end: u64) -> Vec<Timed> {
    member(CollectiveOp::BARRIER, u32::MAX, false, start, end)
}

#[test]
fn a_late_sender_costs_what_the_sender_did_longer() {
    let sender = vec![work(0, 60), sent(1, 60, 65)];
    let receiver = vec![work(0, 20), received(0, 20, 70)];
    assert_eq!(costs(&[sender, receiver]), ["late_sender short 0 a;b: 40"]);
}

#[test]
fn a_late_receiver_costs_what_the_receiver_did_longer() {
    let synchronous = call(function("MPI_Ssend"), 10, &[(10, send(1, 8, 0))], 65);
    let sender = vec![work(0, 10), synchronous];
    let receiver = vec![work(0, 60), received(0, 60, 66)];
    assert_eq!(costs(&[sender, receiver]), ["late_receiver short 1 a;b: 50"]);
}

/// The sender did 60 ns more, in two paths; 30 ns were waited.
#[test]
fn delays_share_the_time_of_a_shorter_wait() {
    let sender = vec![work(0, 20), call(region(b'c'), 20, &[], 60), sent(1, 60, 65)];
    let receiver = vec![received(0, 30, 70)];
    let expected = ["late_sender short 0 a;b: 10", "late_sender short 0 a;c: 20"];
    assert_eq!(costs(&[sender, receiver]), expected);
}

#[test]
fn a_message_costs_at_most_the_delay() {
    let sender = vec![work(50, 60), sent(1, 60, 65)];
    let receiver = vec![received(0, 20, 70)];
    assert_eq!(costs(&[sender, receiver]), ["late_sender short 0 a;b: 10", "late_sender: 30"]);
    let members = vec![vec![work(50, 60), barrier(60, 70)], vec![barrier(20, 70)]];
    assert_eq!(costs(&members), ["barrier short 0 a;b: 40"]);
}

#[test]
fn waiting_without_a_delay_is_not_attributed() {
    assert_eq!(costs(&[vec![sent(1, 60, 65)], vec![received(0, 20, 70)]]), ["late_sender: 40"]);
}

/// Rank 2 waits for rank 1, which only waited itself, but for 2 ns.
#[test]
fn waits_of_the_cause_pass_costs_on() {
    let first = vec![work(0, 100), sent(1, 100, 101)];
    let second = vec![received(0, 0, 102), sent(2, 102, 103)];
    let third = vec![received(1, 0, 104)];
    let expected =
        ["late_sender short 0 a;b: 100", "late_sender short 1 a;i: 2", "late_sender long 0 a;b: 100"];
    assert_eq!(costs(&[first, second, third]), expected);
}

/// The waits in the barrier are of another kind than the one that passes them on.
#[test]
fn long_term_costs_are_of_the_kind_of_the_first_wait() {
    let first = vec![work(0, 100), sent(1, 100, 110), barrier(110, 120)];
    let second = vec![received(0, 0, 110), barrier(111, 120)];
    let third = vec![barrier(0, 120)];
    let expected = [
        "late_sender short 0 a;b: 100",
        "barrier short 1 a: 2",
        "barrier short 1 a;i: 10",
        "barrier long 0 a;b: 100",
    ];
    assert_eq!(costs(&[first, second, third]), expected);
}

#[test]
fn all_members_of_a_barrier_pay_for_the_last_one() {
    let rank = |begin| vec![work(0, begin), barrier(begin, 70)];
    assert_eq!(costs(&[10, 30, 60].map(rank)), ["barrier short 2 a;b: 80"]);
}

#[test]
fn members_of_an_operation_of_all_with_all_pay_for_the_last_one() {
    let rank = |begin| vec![work(0, begin), member(CollectiveOp::ALLREDUCE, u32::MAX, false, begin, 70)];
    assert_eq!(costs(&[10, 30, 60].map(rank)), ["nxn short 2 a;b: 80"]);
}

#[test]
fn members_of_a_broadcast_pay_for_the_root() {
    let rank = |(rank, begin): (u32, u64)| {
        vec![work(0, begin), member(CollectiveOp::BCAST, 1, rank == 1, begin, begin.max(60) + 1)]
    };
    let ranks = [(0, 10), (1, 60), (2, 20)].map(rank);
    assert_eq!(costs(&ranks), ["late_broadcast short 1 a;b: 90"]);
}

#[test]
fn the_root_of_a_reduction_pays_for_the_last_one() {
    let rank = |(rank, begin): (u32, u64)| {
        let end = if rank == 0 { 61 } else { begin + 1 };
        vec![work(0, begin), member(CollectiveOp::REDUCE, 0, rank == 0, begin, end)]
    };
    let ranks = [(0, 10), (1, 30), (2, 60)].map(rank);
    assert_eq!(costs(&ranks), ["early_reduce short 2 a;b: 50"]);
}

/// The time from the begin counts in the second one, too: the first one synchronised nobody.
#[test]
fn a_scan_costs_but_does_not_synchronise() {
    let scan = |start, end| member(CollectiveOp::SCAN, u32::MAX, false, start, end);
    let first = vec![work(0, 40), scan(40, 50), work(50, 60), scan(60, 70)];
    let second = vec![work(0, 10), scan(10, 50), scan(50, 70)];
    let found = costs(&[first, second]);
    // 10 ns of waiting for 40 ns of `b` and 10 ns of the scan, without the 30 ns of waiting in it.
    assert_eq!(found, ["early_scan short 0 a;b: 40"]);
}

/// Both compute for 10 ns between the barriers; rank 1 left the first one 3 ns later.
#[test]
fn what_a_call_took_longer_than_those_of_others_is_a_delay() {
    let first = vec![work(0, 10), barrier(10, 61), work(61, 71), barrier(71, 80)];
    let second = vec![work(0, 60), barrier(60, 64), work(64, 74), barrier(74, 80)];
    assert_eq!(costs(&[first, second]), ["barrier short 1 a;b: 50", "barrier short 1 a;j: 3"]);
}

#[test]
fn what_was_before_the_last_synchronisation_does_not_count() {
    let first = vec![work(0, 90), barrier(90, 91), work(91, 92), barrier(92, 121)];
    let second = vec![work(0, 10), barrier(10, 91), call(region(b'c'), 91, &[], 120), barrier(120, 121)];
    assert_eq!(costs(&[first, second]), ["barrier short 0 a;b: 80", "barrier short 1 a;c: 28"]);
}

#[test]
fn all_processes_synchronise_when_mpi_begins() {
    let init = |start| call(function("MPI_Init"), start, &[], 61);
    let sender = vec![call(region(b'c'), 0, &[], 50), init(50), work(61, 71), sent(1, 71, 72)];
    let receiver = vec![init(0), received(0, 61, 73)];
    assert_eq!(costs(&[sender, receiver]), ["late_sender short 0 a;b: 10"]);
}

#[test]
fn processes_pay_for_the_last_one_that_finalises() {
    let rank = |begin| vec![work(0, begin), call(function("MPI_Finalize"), begin, &[], 70)];
    assert_eq!(costs(&[10, 60].map(rank)), ["finalize short 1 a;b: 50"]);
}

#[test]
fn time_outside_all_calls_is_a_delay_without_a_path() {
    let locations = [
        [call(region(b'h'), 0, &[], 1), sent(1, 60, 65)].concat(),
        [call(region(b'h'), 0, &[], 1), received(0, 20, 70)].concat(),
    ];
    assert_eq!(costs_of(&trace(&locations, clock(70))), ["late_sender short 0 : 40"]);
}

#[test]
fn only_the_first_locations_of_processes_have_costs() {
    let locations = [work(0, 90), [work(0, 60), sent(1, 60, 65)].concat(), received(0, 20, 70)];
    let trace = trace_of_processes(&locations, &[0, 0, 1], true, clock(90));
    assert_eq!(costs_of(&trace), [""; 0]);
}

/// The master waits for a mutex from 10 to 50.
#[test]
fn waits_of_threads_are_no_delays() {
    let master = [work(0, 10), lock(10, 2, 50), unlock(51, 2), sent(1, 60, 65)].concat();
    let thread = [lock(0, 1, 1), unlock(50, 1)].concat();
    let receiver = [work(0, 10), received(0, 20, 70)].concat();
    let trace = trace_of_processes(&[master, thread, receiver], &[0, 0, 1], true, clock(70));
    assert_eq!(costs_of(&trace), ["late_sender: 40"]);
}

/// By these clocks, each rank waits for one that waits for the next one before.
#[test]
fn waits_in_a_circle_are_shared_or_not_attributed() {
    let rank = |(number, begin): (u32, u64)| {
        let (from, to) = ((number + 1) % 3, (number + 2) % 3);
        vec![received(from, 0, 10), sent(to, begin, begin + 1)]
    };
    let ranks = [(0, 15), (1, 20), (2, 30)].map(rank);
    let sum: f64 =
        costs(&ranks).iter().filter_map(|line| line.rsplit_once(": ")?.1.parse::<f64>().ok()).sum();
    assert!((sum - 30.0).abs() < 1e-9, "{:?}", costs(&ranks));
}
