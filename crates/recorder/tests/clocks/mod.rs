//! Clocks that differ by seconds, drift, or tick at different rates, in a simulated program, and
//! the times that a reader of its archive sees.

// There is no unsafe code here, and this many threads take hours under Miri.
#![cfg(not(miri))]

mod archive;
mod machine;
mod network;
mod program;

use kymo_recorder::clock::{Clock, Unsynchronised};

use self::{
    archive::{Seen, archive, seen},
    machine::{MICROSECOND, Make, NANOSECOND, SECOND},
    network::{Fault, Latency, USUAL},
    program::{Outcome, Program, USUAL_PROGRAM},
};

/// Runs a program. Returns the times that a reader sees with and without the clock offsets.
fn read(program: Program) -> [Seen; 2] {
    let storage = archive(&program.run());
    [true, false].map(|clock_correction| seen(&storage, clock_correction))
}

/// Checks that the program's messages are received after they were sent, but only with the clock
/// offsets.
fn check_order(program: Program) {
    let [corrected, uncorrected] = read(program);
    let least = |seen: &Seen| *seen.messages.iter().min().unwrap();
    assert!(least(&uncorrected) < 0, "{program:?}: nothing to correct");
    assert!(least(&corrected) > 0, "{program:?}: {} ticks", least(&corrected));
    assert!(corrected.range.0 <= corrected.times.0 && corrected.times.1 <= corrected.range.1);
}

#[test]
fn drifting_clocks_that_are_seconds_apart_are_corrected() {
    for seed in 0..20 {
        for clock in [|_| Some(Clock::MonotonicRaw), |_| Some(Clock::Realtime)] {
            check_order(Program { seed, clock, waits: seed % 2 == 1, ..USUAL_PROGRAM });
        }
    }
}

#[test]
fn counters_with_different_rates_are_corrected() {
    const COUNTERS: &[u64] = &[2_600_000_000, 1_999_999_999, 3_100_000_000, 1_000_000_000];
    for seed in 0..10 {
        let make = Make { counters: COUNTERS, ..USUAL_PROGRAM.make };
        check_order(Program { seed, make, clock: |_| Some(Clock::Counter), ..USUAL_PROGRAM });
    }
}

/// A tick of `gettimeofday` is longer than most messages take, so only slow messages can be
/// measured.
#[test]
fn a_coarse_clock_is_corrected_to_its_ticks() {
    let latency = Latency { up: 10 * MICROSECOND, down: 10 * MICROSECOND, ..USUAL };
    for seed in 0..10 {
        check_order(Program { seed, latency, clock: |_| Some(Clock::TimeOfDay), ..USUAL_PROGRAM });
    }
}

/// They were unknown. A program that is killed has only the first meeting: its result is where the
/// line begins.
#[test]
fn the_clocks_of_a_killed_program_are_known() {
    for seed in 0..20 {
        let outcomes = Program { seed, ..USUAL_PROGRAM }.run();
        for outcome in &outcomes {
            let (_, first) = outcome.synchronised.unwrap().line.offsets()[0];
            let difference = (outcome.ahead.unwrap() - first).unsigned_abs();
            assert!(difference < 50_000, "rank {} of seed {seed}: {difference} ns", outcome.rank);
        }
        let most = outcomes.iter().map(|outcome| outcome.ahead.unwrap().unsigned_abs()).max();
        assert!(most > Some(1_000_000_000), "seed {seed}: no clock is ahead by more than {most:?} ns");
    }
}

/// Messages between ranks on one machine are much faster than the error of a measurement between
/// machines.
#[test]
fn ranks_of_one_machine_have_one_line() {
    for placement in [|rank| rank / 4, |rank| rank % 4] {
        for seed in 0..10 {
            let program = Program { seed, placement, ..USUAL_PROGRAM };
            check_order(program);
            let outcomes = program.run();
            let line = |outcome: &Outcome| outcome.synchronised.unwrap().line;
            for outcome in &outcomes {
                let first = outcomes.iter().find(|first| placement(first.rank) == placement(outcome.rank));
                assert_eq!(line(outcome), line(first.unwrap()), "rank {} of seed {seed}", outcome.rank);
                let is_reference = line(outcome).offsets().iter().all(|&(_, offset)| offset == 0);
                assert_eq!(is_reference, placement(outcome.rank) == 0);
            }
        }
    }
}

#[test]
fn machines_that_falsely_report_the_same_node_are_measured() {
    for seed in 0..10 {
        check_order(Program { seed, is_copied: true, ..USUAL_PROGRAM });
    }
}

/// Only half of the round-trip time is known, for each of the up to two times four steps of the
/// tree between ranks.
#[test]
fn asymmetric_latencies_cause_an_error_of_at_most_half_the_round_trip() {
    for (up, down) in [(1, 9), (9, 1)] {
        let latency = Latency { up: up * MICROSECOND, down: down * MICROSECOND, ..USUAL };
        for seed in 0..10 {
            let [corrected, _] = read(Program { seed, latency, ..USUAL_PROGRAM });
            let bound = 8 * (1_000 * (up + down) + 2 * 200 + 2 * 200) as i64 / 2;
            assert!(*corrected.messages.iter().min().unwrap() > -bound, "seed {seed}");
            assert!(
                corrected.moments.iter().all(|&spread| spread as i64 <= bound),
                "{:?}",
                corrected.moments
            );
        }
    }
}

/// If noise were taken for drift, the program would begin at different times on every rank.
#[test]
fn noise_of_a_short_run_is_not_extrapolated() {
    for seed in 0..10 {
        let make = Make { drift: 0, ..USUAL_PROGRAM.make };
        let during = 20_000 * MICROSECOND;
        let [corrected, _] = read(Program { seed, make, during, before: 100 * SECOND, ..USUAL_PROGRAM });
        assert!(corrected.moments[0] < 10_000, "seed {seed}: {:?} ns", corrected.moments);
    }
}

#[test]
fn timestamps_that_fit_no_clock_give_no_offsets_on_any_rank() {
    let replayed: [fn(u32) -> Option<Clock>; 3] = [
        |_| None,
        |rank| (rank != 11).then_some(Clock::Monotonic),
        |rank| Some(if rank < 7 { Clock::Counter } else { Clock::Realtime }),
    ];
    for clock in replayed {
        let outcomes = Program { clock, waits: true, ..USUAL_PROGRAM }.run();
        assert!(outcomes.iter().all(|outcome| outcome.synchronised == Err(Unsynchronised::NoClock)));
    }
}

#[test]
fn a_clock_that_was_set_back_gives_no_offsets() {
    let clock = |_| Some(Clock::Realtime);
    let program = Program { clock, during: SECOND / 2, set_back: SECOND + SECOND / 4, ..USUAL_PROGRAM };
    assert!(program.run().iter().all(|outcome| outcome.synchronised == Err(Unsynchronised::Failed)));
}

#[test]
fn few_ranks_and_many_are_corrected() {
    for ranks in [2, 3, 5, 17] {
        check_order(Program { ranks, waits: true, ..USUAL_PROGRAM });
    }
    let outcome = Program { ranks: 1, rounds: 0, ..USUAL_PROGRAM }.run();
    let offsets = outcome[0].synchronised.unwrap().line.offsets();
    assert_eq!((offsets.map(|(_, offset)| offset), outcome[0].calls), ([0, 0], 0));
}

#[test]
fn messages_of_the_busiest_rank_grow_with_the_depth_of_the_tree() {
    let busiest = |ranks| {
        let outcomes = Program { ranks, rounds: 2, ..USUAL_PROGRAM }.run();
        outcomes.iter().map(|outcome| outcome.calls).max().unwrap()
    };
    let (few, many) = (busiest(16), busiest(1000));
    // The tree has four or ten levels. The number of exchanges between a pair varies.
    assert!(many < few * 3, "{few} messages for one of 16 ranks, {many} for one of 1000");
    let ranks = if kymo_testdata::is_long() { 1000 } else { 200 };
    check_order(Program { ranks, rounds: 2, ..USUAL_PROGRAM });
}

#[test]
fn the_same_simulation_has_the_same_result() {
    let lines = || USUAL_PROGRAM.run().into_iter().map(|outcome| outcome.synchronised).collect::<Vec<_>>();
    assert_eq!(lines(), lines());
}

/// One rank's communication fails at any of its calls. No rank waits for it forever, and no rank
/// has offsets, unless the failure occurred while the result was being distributed.
#[test]
fn if_a_rank_cannot_communicate_no_rank_has_offsets() {
    let program = Program { ranks: 6, rounds: 1, latency: EVEN, ..USUAL_PROGRAM };
    for waits in [false, true] {
        let calls: Vec<u64> =
            Program { waits, ..program }.run().iter().map(|outcome| outcome.calls).collect();
        // The last calls of each rank distribute the result: two for each child, and two for the
        // parent.
        let given_out = [6, 2, 4, 2, 4, 2];
        for (rank, &calls) in (0..).zip(&calls) {
            let before = calls - given_out[rank as usize];
            for call in kymo_testdata::part_of(0..before, 10).chain(before.saturating_sub(6)..calls) {
                let fault = Some(Fault { rank, call });
                let outcomes = Program { waits, fault, ..program }.run();
                let failed = |outcome: &&Outcome| outcome.synchronised == Err(Unsynchronised::Failed);
                let failed = outcomes.iter().filter(failed).count();
                assert!(failed > 0, "{fault:?}");
                assert!(failed == 6 || call >= before, "{fault:?}: {failed} ranks have no offsets");
            }
        }
    }
}

/// Every message takes the same time, so the number of messages is always the same.
const EVEN: Latency =
    Latency { near: 300 * NANOSECOND, up: MICROSECOND, down: MICROSECOND, jitter: 0, stall: 0 };
