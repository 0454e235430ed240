//! Programs that end badly (`c-hosts/ends.c`): they end as they would without the plugin, and
//! everything that was recorded is in the archive that `kymo recover` makes.

use kymo_plugin_tests::scenarios::{Faults, Outcome, Plan, Scratch, play, status_without_plugin};
use kymo_plugin_tests::testing::{TemporaryFolder, scenario_programs};

/// Plays a plan, which must end as it does without the plugin.
fn check(mut plan: Plan, status: i32) -> Outcome {
    let programs = scenario_programs();
    let folder = TemporaryFolder::new("ends");
    let without = status_without_plugin(&plan, programs, &folder);
    assert_eq!(without, Ok(status), "{plan}: without a plugin");
    plan.seed += status as u64;
    let folder = TemporaryFolder::new("ends");
    let outcome = play(&plan, programs, &folder).unwrap_or_else(|what| panic!("{plan}\n{what}"));
    assert!(outcome.counts.returned >= plan.events, "{plan}: {outcome:?}");
    assert_eq!(outcome.counts.dropped, 0, "{plan}");
    outcome
}

/// Checks an end with one thread, and with five of which four keep recording. The end is caused by
/// the first thread, or by one without a location.
fn check_end(end: &'static str, status: i32, handler: &'static str) {
    for (threads, who) in [(1, 0), (5, 0), (5, 1)] {
        check(Plan { who, ..Plan::ending(end, status, handler, threads) }, status);
    }
}

/// One test for each end: its name, its name in the host, the exit status as a shell shows it, and
/// the program's reaction to the signal.
macro_rules! ends {
    ($($name:ident: $end:literal, $status:expr, $handler:literal;)*) => {
        $(#[test]
        fn $name() {
            check_end($end, $status, $handler);
        })*
    };
}

ends! {
    well: "well", 7, "none";
    killed: "kill", 128 + 9, "none";
    terminated: "term", 128 + 15, "none";
    terminated_and_handled: "term", 7, "return";
    terminated_and_exits: "term", 6, "exit";
    terminated_again: "term", 128 + 15, "again";
    interrupted: "int", 128 + 2, "none";
    interrupted_and_handled: "int", 7, "return";
    interrupted_and_exits: "int", 6, "exit";
    interrupted_again: "int", 128 + 2, "again";
    hung_up: "hup", 128 + 1, "none";
    hung_up_and_handled: "hup", 7, "return";
    hung_up_and_exits: "hup", 6, "exit";
    hung_up_again: "hup", 128 + 1, "again";
    time_is_up: "xcpu", 128 + 24, "none";
    time_is_up_and_handled: "xcpu", 7, "return";
    time_is_up_and_exits: "xcpu", 6, "exit";
    time_is_up_again: "xcpu", 128 + 24, "again";
    user_signal: "usr1", 128 + 10, "none";
    segmentation_fault: "segv", 128 + 11, "none";
    segmentation_fault_and_exits: "segv", 6, "exit";
    segmentation_fault_again: "segv", 128 + 11, "again";
    bus_error: "bus", 128 + 7, "none";
    bus_error_and_exits: "bus", 6, "exit";
    stack_overflow: "stack", 128 + 11, "none";
    aborted: "abort", 128 + 6, "none";
    aborted_and_exits: "abort", 6, "exit";
    uncaught_exception: "exception", 128 + 6, "none";
    exit_without_handlers: "_exit", 5, "none";
    quick_exit: "quick_exit", 5, "none";
    exit_without_end: "exit", 5, "none";
    becomes_another: "exec", 5, "none";
}

/// A limit on processor time that the system enforces, as batch systems set it.
#[test]
fn a_limit_on_processor_time() {
    check(Plan::ending("time-limit", 128 + 24, "none", 1), 128 + 24);
    check(Plan::ending("time-limit", 6, "exit", 1), 6);
}

/// The host waits for memory when it is full: the trace is complete even if the storage is slow.
#[test]
fn the_program_waits_when_memory_is_full() {
    let faults = Some(Faults { delay: 2000, first: 0, count: 0, error: 0 });
    let plan = Plan { memory: Some("1M"), faults, late: true, ..Plan::ending("well", 7, "none", 8) };
    let outcome = check(plan, 7);
    assert!(outcome.counts.records > 100_000, "{outcome:?}");
}

/// With the policy `drop`, events are dropped: they are counted where they are missing, and in
/// total.
#[test]
fn events_are_dropped_when_memory_is_full() {
    let faults = Some(Faults { delay: 20_000, first: 0, count: 0, error: 0 });
    let plan = Plan {
        memory: Some("1M"),
        drops: true,
        rewinds: 0,
        faults,
        late: true,
        events: 60_000,
        leaves_open: true,
        ..Plan::ending("well", 7, "none", 8)
    };
    let folder = TemporaryFolder::new("ends");
    let outcome = play(&plan, scenario_programs(), &folder).unwrap_or_else(|what| panic!("{plan}\n{what}"));
    assert!(outcome.counts.dropped > 1000, "nothing was full: {outcome:?}");
}

/// A program without a scratch file that ends regularly loses nothing.
#[test]
fn nothing_is_missing_without_a_scratch_file() {
    check(Plan { scratch: Scratch::Nowhere, ..Plan::ending("well", 7, "none", 5) }, 7);
}

/// The storage is full from some write on: data that cannot be written is kept for recovery, and so
/// are the definitions.
#[test]
fn data_that_full_storage_refuses_is_recovered() {
    const ENOSPC: i32 = 28;
    for first in [0, 1, 7, 30] {
        let faults = Some(Faults { delay: 0, first, count: u64::MAX / 2, error: ENOSPC });
        let outcome = check(Plan { faults, rewinds: 0, ..Plan::ending("well", 7, "none", 5) }, 7);
        assert!(outcome.counts.records > 50_000, "from write {first} on: {outcome:?}");
    }
}
