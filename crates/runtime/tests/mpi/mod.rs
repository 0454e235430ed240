//! MPI programs in C and Fortran, run with Open MPI and with MPICH, with and without recording.
//!
//! `expected/NAME.toml` states what `c/NAME.c` or `fortran/NAME.F90` does; it was derived from the
//! program, and compared with Score-P 8.4 where that survives the program. Recording must change
//! neither output nor status, and the archive must contain the expected records, no more and no
//! less.

mod counts;
mod ends;
mod expectation;
mod fake;
mod libraries;

use counts::Counts;
use expectation::Expectation;
use libraries::{Library, Order, words};

/// Runs a program with each library that is installed.
fn judge(name: &str, order: Order) {
    let expectation = Expectation::read(name);
    for library in Library::installed().filter(|&library| expectation.applies_to(library)) {
        for program in library.compile(name, &expectation) {
            let words = words(&program, &expectation);
            let plain = library.run(Order::Plain, expectation.ranks, &words);
            let recorded = library.run(order, expectation.ranks, &words);
            let what = format!("{} with {library:?}, {order:?}", program.display());
            assert_eq!(recorded.visible(), plain.visible(), "{what}");
            if !expectation.is_loose() {
                assert_eq!(recorded.complaints(), [""; 0], "{what}");
                let differences = expectation.differences(&Counts::of(&recorded.archive()));
                assert!(differences.is_empty(), "{what}:\n{}", differences.join("\n"));
            }
        }
    }
}

/// Each rank can have a `kymo record` of its own.
#[test]
fn ranks_that_are_recorded_one_by_one() {
    for name in ["communicators", "opened", "send-modes"] {
        judge(name, Order::Inside);
    }
}

macro_rules! programs {
    ($($test:ident: $name:literal,)*) => {
        $(#[test] fn $test() { judge($name, Order::Outside); })*

        #[test]
        fn every_program_is_judged() {
            assert_eq!(Expectation::names(), [$($name),*]);
        }
    };
}

programs! {
    calls_before_and_after: "around",
    a_buffered_send_that_is_started_again: "buffered-restart",
    callbacks_that_call_mpi: "callbacks",
    cancelled_receives: "cancel",
    collective_operations: "collectives",
    communicators_of_every_origin: "communicators",
    calls_that_fail: "errors",
    fortran_in_three_bindings: "exchange",
    independent_files: "files",
    collective_files: "files-collective",
    a_flush_before_the_wait: "flush-before-wait",
    a_copy_that_is_freed_at_once: "idup-free",
    a_copy_that_one_rank_waits_for: "idup-order",
    collective_operations_in_place: "in-place",
    two_sides_of_an_inter_communicator: "intercommunicator",
    functions_of_mpi_4: "large",
    a_tool_that_is_linked_into_the_program: "linked-tool",
    more_communicators_than_score_p_allows: "many-communicators",
    c_and_fortran_in_one_program: "mixed",
    non_blocking_messages: "nonblocking",
    a_library_opened_with_rtld_local: "opened",
    a_library_that_asks_for_missing_functions: "opened-weak",
    persistent_requests: "persistent",
    probes_plain_and_matched: "probes",
    a_put_after_a_local_flush: "put-after-flush-local",
    the_program_of_a_recording: "recorded",
    requests_without_completion: "request-ends",
    blocking_messages: "send-modes",
    messages_both_ways: "sendrecv",
    sessions_without_a_world: "sessions",
    a_job_of_one_process: "singleton",
    a_process_that_starts_another: "spawn",
    two_threads_on_each_rank: "threads",
    grids_and_graphs: "topologies",
    messages_from_any_source: "wildcards",
    windows_and_fences: "windows-fence",
    windows_and_groups: "windows-groups",
    windows_of_every_kind: "windows-kinds",
    windows_and_locks: "windows-locks",
}
