//! Findings of small programs whose bottleneck is known. Locations are ranks.

use crate::thread_waits::{fork, member, team_join};
use crate::waits::{call, irecv, irecv_request, mpi_part, receive, send};
use crate::window_locks::{lock, unlock};
use kymo_analysis::causes::{self, Kept};
use kymo_analysis::findings::{Certainty, Fact, Finding, Findings};
use kymo_analysis::waits::WaitKind;
use kymo_analysis::{Selection, Trace};
use kymo_analysis_testing::*;
use kymo_otf2::enums::CollectiveOp;
use kymo_otf2::events::{CallingContextSample, Event, MpiRecv, MpiSend};
use kymo_otf2::references::{CallingContextRef, InterruptGeneratorRef, LocationRef, RegionRef};

const RANKS: usize = 4;

/// The findings, each with the regions of its place.
fn found(locations: &[Vec<Timed>]) -> Vec<(Finding, Vec<RegionRef>)> {
    found_in(&trace(locations, clock(end(locations))))
}

/// The time of the last event.
fn end(locations: &[Vec<Timed>]) -> u64 {
    locations.iter().flatten().map(|it| it.0).max().unwrap_or(0)
}

fn found_in(trace: &Trace) -> Vec<(Finding, Vec<RegionRef>)> {
    let causes = causes::of(trace, &Selection::default(), Kept { most: 5 }).expect("causes");
    let Findings { all, places } = Findings::of(trace, &causes).expect("findings");
    assert!(all.iter().all(|it| Findings::RULES.contains(&it.fact.rule())), "{all:?}");
    let regions = |finding: &Finding| {
        places.path(finding.fact.place()).iter().map(|it| places.region(*it)).collect::<Vec<_>>()
    };
    all.into_iter().map(|it| (it.clone(), regions(&it))).collect()
}

/// Rounds of work in `b`, of these times by rank, then a barrier; all in `a`.
fn rounds(work: &[[u64; RANKS]]) -> Vec<Vec<Timed>> {
    let mut events = vec![Vec::new(); RANKS];
    let mut now = 0;
    for times in work {
        let last = now + times.iter().max().expect("ranks");
        for (events, time) in events.iter_mut().zip(times) {
            events.extend(call(region(b'b'), now, &[], now + time));
            events.extend(mpi_part(CollectiveOp::BARRIER, [now + time, last + 1]));
        }
        now = last + 1;
    }
    events.into_iter().map(|events| call(region(b'a'), 0, &events, now)).collect()
}

#[test]
fn a_balanced_run_has_no_findings() {
    assert_eq!(found(&rounds(&[[100_000; RANKS]; 5])), []);
}

/// Clocks and samples make small differences, for which nobody waits.
#[test]
fn differences_that_nobody_waits_for_are_no_findings() {
    let mut locations = rounds(&[[100_000; RANKS]; 5]);
    // Half of the work of one rank is in another call.
    let work = call(region(b'b'), 10, &call(region(b'c'), 20, &[], 90_000), 100_000);
    locations[1].splice(1..3, work);
    assert_eq!(found(&locations), []);
}

#[test]
fn a_straggler_is_found_with_its_work() {
    let all = found(&rounds(&[[1000, 1000, 3000, 1000]; 5]));
    let (first, place) = &all[0];
    assert_eq!(*place, [region(b'a'), region(b'b')]);
    let Fact::Straggler { location, blame, share, times, .. } = first.fact else { panic!("{all:?}") };
    assert_eq!((location, blame, share, times), (LocationRef(2), 30_000, 1.0, (15_000, 5000)));
    // The path is on it all the time, and would be so for a third.
    assert_eq!((first.gain, first.certainty), (10_000, Certainty::Estimated));
    assert_eq!(first.evidence.locations[1], LocationRef(2));
    assert_eq!(all.len(), 1);
}

#[test]
fn work_of_one_that_all_others_wait_for_is_a_serial_phase() {
    let mut locations = rounds(&[[1000; RANKS]; 5]);
    for (rank, events) in locations.iter_mut().enumerate() {
        let end = 12_000;
        let mut last = if rank == 0 { call(region(b'c'), 6000, &[], 10_000) } else { Vec::new() };
        let begin = if rank == 0 { 10_000 } else { 6000 };
        last.extend(mpi_part(CollectiveOp::BARRIER, [begin, end]));
        let leave = events.pop().expect("a leave");
        events.extend(last);
        events.push((end, leave.1));
    }
    let all = found(&locations);
    let (first, place) = &all[0];
    assert_eq!(*place, [region(b'a'), region(b'c')]);
    let Fact::Serial { location, time, others, .. } = first.fact else { panic!("{all:?}") };
    assert_eq!((location, time, others, first.gain), (LocationRef(0), 4000, 3, 3000));
}

/// In each round another one is late, so that nobody stands out.
#[test]
fn work_that_is_uneven_in_turns_is_an_imbalance() {
    let work: Vec<_> = (0..8)
        .map(|round| std::array::from_fn(|rank| 1000 + 2000 * u64::from(round % RANKS == rank)))
        .collect();
    let all = found(&rounds(&work));
    let (first, place) = &all[0];
    assert_eq!(*place, [region(b'a'), region(b'b')]);
    assert!(matches!(first.fact, Fact::Imbalance { critical: 24_000, mean: 12_000, .. }), "{all:?}");
    assert_eq!((first.gain, all.len()), (12_000, 1));
}

/// Two processes, the first one with two threads. The path leads through the 600 ns in `b` before
/// the team of that, to which the process with one thread adds nothing.
#[test]
fn work_outside_of_the_teams_of_a_process_leaves_its_threads_idle() {
    let team = |begin| member(begin, &[[900, 1000]], 1000);
    let inside = [vec![fork(601)], team(603), vec![team_join(1001)]].concat();
    let parallel = call(function("!$omp parallel"), 600, &inside, 1002);
    let first = [call(region(b'b'), 0, &[], 600), parallel].concat();
    let (first, second) = (call(region(b'a'), 0, &first, 1010), team(610));
    let alone = call(region(b'a'), 0, &call(region(b'b'), 0, &[], 500), 500);
    let locations = [first, second, alone];
    let all = found_in(&trace_of_processes(&locations, &[0, 0, 1], true, clock(end(&locations))));
    let idle: Vec<_> = all.iter().filter(|it| it.0.fact.rule() == "idle_threads").collect();
    let [(finding, place)] = idle[..] else { panic!("{all:?}") };
    assert_eq!(*place, [region(b'a'), region(b'b')]);
    let Fact::IdleThreads { location, time, others, .. } = finding.fact else { panic!("{all:?}") };
    assert_eq!((location, time, others, finding.gain), (LocationRef(0), 600, 1, 300));
    // Without parallel regions, the time outside of them is not known.
    let (first, second) = (call(region(b'a'), 0, &inside, 1010), team(610));
    let all = found_in(&trace_of_processes(&[first, second], &[0, 0], true, clock(1010)));
    assert!(all.iter().all(|it| it.0.fact.rule() != "idle_threads"), "{all:?}");
}

#[test]
fn a_lock_of_a_window_that_another_rank_has_is_found() {
    let holder = [lock([10, 20]), call(region(b'b'), 20, &[], 500), unlock(500, 500, 510)].concat();
    let origin = [lock([30, 510]), unlock(520, 520, 530)].concat();
    let all = found(&[vec![], holder, origin].map(|events| call(region(b'a'), 0, &events, 1000)));
    let of_rule = all.iter().find(|it| it.0.fact.rule() == "locks").expect("locks");
    let Fact::Locks { time, kind, location, .. } = of_rule.0.fact else { panic!("{all:?}") };
    assert_eq!((time, kind, location), (470, WaitKind::RmaLock, (LocationRef(1), 1.0)));
    assert_eq!(of_rule.1, [region(b'a'), function("MPI_Win_lock")]);
}

#[test]
fn sends_that_wait_are_late_receivers_and_doubtful_if_such_messages_were_buffered() {
    let locations = |buffered: u64| {
        let mut sender = call(function("MPI_Ssend"), 0, &[(0, send(1, 8, 1))], 2);
        let mut receiver = call(region(b'h'), 0, &[(2, receive(0, 8, 1))], 2);
        if buffered > 0 {
            sender = call(region(b'h'), 0, &[(0, send(1, buffered, 1))], 1);
            receiver = call(region(b'h'), 5, &[(6, receive(0, buffered, 1))], 6);
        }
        sender.extend(call(region(b'h'), 10, &[(10, send(1, 8, 0))], 60));
        receiver.extend(call(region(b'b'), 10, &[], 50));
        receiver.extend(call(region(b'h'), 50, &[(60, receive(0, 8, 0))], 60));
        [sender, receiver].map(|events| call(region(b'a'), 0, &events, 61)).to_vec()
    };
    let of_rule = |buffered| {
        let all = found(&locations(buffered));
        let of_rule = all.iter().find(|it| it.0.fact.rule() == "late_receivers");
        of_rule.map(|(finding, _)| (finding.gain, finding.certainty))
    };
    assert_eq!(of_rule(0), Some((20, Certainty::Estimated)));
    assert_eq!(of_rule(8), Some((20, Certainty::Doubtful)));
}

/// Of two processes, each waits for the other one alone, which is no serial phase of all.
#[test]
fn of_two_processes_the_one_with_work_of_its_own_is_the_straggler() {
    let (mut one, mut other) = (Vec::new(), Vec::new());
    for round in 0..5 {
        let now = round * 1000;
        one.extend(call(region(b'b'), now, &[], now + 200));
        one.extend(call(region(b'h'), now + 200, &[(now + 900, receive(1, 8, 1))], now + 900));
        other.extend(call(region(b'b'), now, &[], now + 200));
        other.extend(call(region(b'c'), now + 200, &[], now + 880));
        other.extend(call(region(b'h'), now + 880, &[(now + 880, send(0, 8, 1))], now + 900));
    }
    let all = found(&[one, other].map(|events| call(region(b'a'), 0, &events, 5000)));
    let (first, place) = &all[0];
    assert_eq!(*place, [region(b'a'), region(b'c')]);
    let times = (5 * 680, 0);
    assert!(matches!(first.fact, Fact::Straggler { location: LocationRef(1), times: it, .. } if it == times));
    assert_eq!(first.gain, 5 * 680);
}

fn sample(time: u64) -> Timed {
    let (unwind_distance, interrupt_generator) = (u32::MAX, InterruptGeneratorRef(0));
    let calling_context = CallingContextRef(0);
    let sample = CallingContextSample { calling_context, unwind_distance, interrupt_generator };
    (time, Event::CallingContextSample(sample))
}

fn not_running(it: &(Finding, Vec<RegionRef>)) -> Option<(u128, (LocationRef, f64), u64)> {
    match it.0.fact {
        Fact::NotRunning { time, location } => Some((time, location, it.0.gain)),
        _ => None,
    }
}

/// The period is 1000 ns; the thread has no sample for 6000 of 10,000 ns.
#[test]
fn threads_that_do_not_run_on_the_critical_path_are_a_finding() {
    let events: Vec<_> = [0, 1000, 2000, 9000, 10_000].into_iter().map(sample).collect();
    let all = found(&[events]);
    let expected = (6000, (LocationRef(0), 1.0), 6000);
    assert_eq!(all.iter().filter_map(not_running).collect::<Vec<_>>(), [expected]);
}

/// The times between the calls had no samples but two, and were said not to run.
#[test]
fn computation_that_is_shorter_than_the_period_of_samples_runs() {
    let round = |number: u64| {
        let start = number * 100;
        let call = call(region(b'h'), start, &[], start + 10);
        let sample = (number % 10 == 9).then(|| sample(start + 95));
        call.into_iter().chain(sample)
    };
    let events: Vec<_> = (0..20).flat_map(round).collect();
    let all = found(&[events]);
    assert_eq!(all.iter().filter_map(not_running).collect::<Vec<_>>(), []);
}

/// Of 4 ranks, each computes for 80 while a receive is open, and waits 20 for it, although it was
/// sent before.
#[test]
fn operations_in_the_background_that_wait_all_the_same_are_a_finding() {
    let rank = |rank: u32| {
        let (next, previous) = ((rank + 1) % 4, (rank + 3) % 4);
        let events = [
            call(region(b'h'), 0, &[(1, irecv_request(1))], 2),
            call(region(b'h'), 2, &[(3, send(next, 8, 0))], 4),
            call(region(b'b'), 10, &[], 90),
            call(function("MPI_Wait"), 90, &[(110, irecv(previous, 8, 0, 1))], 110),
        ];
        call(region(b'a'), 0, &events.concat(), 110)
    };
    let all = found(&(0..4).map(rank).collect::<Vec<_>>());
    let found: Vec<_> = all.iter().filter(|it| it.0.fact.rule() == "not_hidden").collect();
    let [(finding, place)] = found[..] else { panic!("{all:?}") };
    assert_eq!((finding.gain, &place[..]), (20, &[region(b'a'), function("MPI_Wait")][..]));
}

/// Two ranks exchange 8 bytes in 10 calls that take 8 of 10.
#[test]
fn communication_that_is_short_messages_is_a_finding() {
    let step =
        |number: u64, event| call(region(b'h'), number * 10, &[(number * 10 + 1, event)], number * 10 + 8);
    let one: Vec<_> = (0..10).flat_map(|number| step(number, send(1, 8, 0))).collect();
    let other: Vec<_> = (0..10).flat_map(|number| step(number, receive(0, 8, 0))).collect();
    let trace = |length| {
        let long = |events: &[Timed]| -> Vec<Timed> {
            let change = |(time, event): &Timed| match event {
                Event::MpiSend(it) => (*time, Event::MpiSend(MpiSend { msg_length: length, ..*it })),
                Event::MpiRecv(it) => (*time, Event::MpiRecv(MpiRecv { msg_length: length, ..*it })),
                _ => (*time, *event),
            };
            events.iter().map(change).collect()
        };
        found(&[call(region(b'a'), 0, &long(&one), 100), call(region(b'a'), 0, &long(&other), 100)])
    };
    let is_one = |it: &&(Finding, Vec<RegionRef>)| it.0.fact.rule() == "small_messages";
    let all = trace(512);
    let (finding, place) = all.iter().find(is_one).expect("a finding");
    // Of the 80 of each rank, half would be saved by messages of 1,024 bytes.
    assert_eq!((finding.gain, &place[..]), (40, &[region(b'a'), region(b'h')][..]));
    assert!(!trace(1024).iter().any(|it| is_one(&it)));
}
