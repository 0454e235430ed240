//! Programs that do not end as they should: the launcher's status is the same as without recording,
//! nothing hangs, and the events before the end are in an archive.

use std::ffi::OsString;

use super::counts::Counts;
use super::libraries::{Ended, Library, Order, compile_c};

/// The statuses of Hydra if ranks end without MPI_Finalize: it kills the others unless they have
/// ended before. Without recording, one of thirty runs had the second status if one rank did so;
/// if both did, one of 140 had the second one, and two of 600, four at a time, the third one.
const BY_CHANCE: [(&str, &[i32]); 2] = [("one-without-finalize", &[0, 9]), ("no-finalize", &[0, 9, 1])];

/// Runs `c/ends.c`, in which each rank sends itself a message and takes part in a barrier before it
/// ends.
fn judge(how: &str) {
    for library in Library::installed() {
        let program = [library.compile_one("ends").into_os_string(), how.into()];
        let recorded = library.run(Order::Outside, 2, &program);
        let what = format!("{how} with {library:?}");
        let plain = library.run(Order::Plain, 2, &program);
        let statuses = [&plain, &recorded].map(|ended| ended.visible().0);
        let by_chance = BY_CHANCE.iter().find(|(it, _)| *it == how && matches!(library, Library::Mpich));
        match by_chance {
            Some((_, known)) => {
                let is_known = |status: Option<i32>| status.is_some_and(|it| known.contains(&it));
                assert!(statuses.into_iter().all(is_known), "{what}: {statuses:?}");
            }
            None => assert_eq!(statuses[1], statuses[0], "{what}: {}", recorded.messages()),
        }
        let found = Counts::of(&recorded.archive());
        for rank in 0..2 {
            let calls = &found.ranks[&rank].calls;
            assert_eq!((calls.get("MPI_Send"), calls.get("MPI_Barrier")), (Some(&1), Some(&1)), "{what}");
            assert_eq!(found.ranks[&rank].events.get("MPI_SEND"), Some(&1), "{what}");
        }
    }
}

macro_rules! ends {
    ($($test:ident: $how:literal,)*) => {
        $(#[test] fn $test() { judge($how); })*
    };
}

ends! {
    no_rank_calls_mpi_finalize: "no-finalize",
    one_rank_does_not_call_mpi_finalize: "one-without-finalize",
    a_status_without_mpi_finalize: "exit-code",
    all_ranks_call_mpi_abort: "MPI_Abort",
    one_rank_calls_mpi_abort: "one-MPI_Abort",
    ranks_that_abort: "abort",
    a_rank_that_is_killed: "killed",
    underscore_exit_after_mpi_finalize: "_exit",
    a_status_after_mpi_finalize: "status-after-finalize",
    a_rank_that_is_killed_after_mpi_finalize: "killed-after-finalize",
    another_program_after_mpi_finalize: "exec",
}

/// A fatal error inside MPI ends the job: a message to a rank that is not there.
#[test]
fn a_fatal_error() {
    for library in Library::installed() {
        let program = [library.compile_one("ends").into_os_string(), "fatal".into()];
        let [plain, recorded] = [Order::Plain, Order::Outside].map(|order| library.run(order, 2, &program));
        assert_eq!(recorded.visible().0, plain.visible().0, "{library:?}");
        let found = Counts::of(&recorded.archive());
        assert_eq!(found.ranks[&1].calls.get("MPI_Send"), Some(&2), "{library:?}");
    }
}

/// The runtime exports MPI functions into programs without MPI; they must not work there.
#[test]
fn a_program_without_mpi() {
    let program: OsString = compile_c("no-mpi").into_os_string();
    let recorded = Ended::of(&[&super::libraries::record()[..], &[program]].concat());
    assert_eq!(recorded.visible(), (Some(0), String::new(), String::new()));
}

/// Memory that the plugin allocated in `MPI_Init`, with a lock held, was recorded as the program's.
/// Before that, waiting samples were recorded, and their definitions need the lock.
#[test]
fn samples_and_memory_are_recorded_while_mpi_begins() {
    for library in Library::installed() {
        let program = library.compile_one("singleton").into_os_string();
        let mut words = super::libraries::record().to_vec();
        words[3] = "memory,sampling=5000,mpi".into();
        words.push(program);
        let recorded = Ended::of(&words);
        assert_eq!(recorded.visible().0, Some(0), "{library:?}");
    }
}
