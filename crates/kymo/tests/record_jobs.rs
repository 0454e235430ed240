//! `kymo record` started by a launcher: the ranks of a job share a folder, which finally contains
//! one archive.
//!
//! The tests set the variables of launchers and start ranks in the orders that launchers leave to
//! chance. A rank that has ended waits a few seconds for those that have not started, which a busy
//! machine may take longer to start: where all must be in one archive, each rank waits in the
//! program until all have come there.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::record_common::{Ended, Kymo, Started, TestFolder, WITHOUT_SAMPLES};

/// Returns the variables in which a launcher passes rank and size.
type Launcher = fn(&str, &str) -> Vec<(&'static str, String)>;

fn open_mpi(rank: &str, size: &str) -> Vec<(&'static str, String)> {
    let variables = [("OMPI_COMM_WORLD_RANK", rank), ("OMPI_COMM_WORLD_SIZE", size), ("PMIX_RANK", rank)];
    let job = [("PMIX_NAMESPACE", "4711"), ("OMPI_MCA_ess_base_jobid", "4711")];
    variables.iter().chain(&job).map(|(name, value)| (*name, (*value).to_owned())).collect()
}

fn hydra(rank: &str, size: &str) -> Vec<(&'static str, String)> {
    [("PMI_RANK", rank), ("PMI_SIZE", size)].map(|(name, value)| (name, value.to_owned())).to_vec()
}

fn slurm(rank: &str, size: &str) -> Vec<(&'static str, String)> {
    let variables = [("SLURM_PROCID", rank), ("SLURM_NTASKS", size), ("SLURM_STEP_NUM_TASKS", size)];
    let job = [("SLURM_JOB_ID", "71"), ("SLURM_STEP_ID", "0")];
    variables.iter().chain(&job).map(|(name, value)| (*name, (*value).to_owned())).collect()
}

const LAUNCHERS: [Launcher; 3] = [open_mpi, hydra, slurm];

/// A program with functions.
fn program(place: &TestFolder) -> String {
    place.compile("cc", &["-g", "-finstrument-functions", "-pthread"], "ends.c")
}

/// Returns a `kymo record` command for a rank of this launcher.
fn rank(
    place: &TestFolder,
    launcher: Launcher,
    number: (u32, u32),
    options: &[&str],
    command: &[&str],
) -> Kymo {
    with_rank(place.kymo(&[&WITHOUT_SAMPLES, options].concat(), command), launcher, number)
}

fn with_rank(kymo: Kymo, launcher: Launcher, (rank, size): (u32, u32)) -> Kymo {
    let variables = launcher(&rank.to_string(), &size.to_string());
    let variables: Vec<(&str, &str)> =
        variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    kymo.with(&variables)
}

/// Returns the number of reports of an archive.
fn archives_reported(all: &[Ended]) -> usize {
    all.iter().map(|ended| ended.stderr.matches("kymo: recorded ").count()).sum()
}

/// Asserts that all ranks succeeded, that one of them reported the archive, and that the archive is
/// complete.
#[track_caller]
fn is_one_archive(place: &TestFolder, folder: &str, all: &[Ended]) {
    assert!(all.iter().all(|ended| ended.status == Some(0)), "{all:?}");
    assert_eq!((archives_reported(all), place.names(folder)), (1, vec!["kymo".to_owned()]), "{all:?}");
    let recording = place.read(folder);
    let expected: Vec<String> = (0..all.len()).map(|rank| format!("rank {rank} ends-c")).collect();
    assert_eq!(recording.programs, expected);
    recording.has_region("work", 10 * all.len() as u64);
}

/// Waits for a file that a rank creates.
fn wait_for(place: &TestFolder, name: &str) {
    let begin = Instant::now();
    while !place.path(name).exists() {
        assert!(begin.elapsed() < Duration::from_secs(120), "{name} takes too long");
        sleep(Duration::from_millis(2));
    }
}

fn send(started: &Started, signal: &str) {
    let status = Command::new("kill").args([signal, &started.0.id().to_string()]).status().expect("kill");
    assert!(status.success());
}

/// Kills a `kymo record` and the processes that it started.
fn kill_with_children(mut killed: Started) {
    let id = killed.0.id();
    let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).expect("children");
    killed.0.kill().expect("a process");
    killed.0.wait().expect("an end");
    let status = Command::new("kill").arg("-9").args(children.split_ascii_whitespace()).status();
    assert!(status.expect("kill").success());
}

/// The second rank found a folder that was not empty, and the launcher ended the job.
#[test]
fn later_ranks_of_a_job_use_the_folder_of_the_first() {
    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let place = TestFolder::new();
    let program = program(&place);
    // Every order in which they can start, each with a different order of their ends.
    for (turn, (begins, ends)) in ORDERS.iter().zip(ORDERS.iter().rev().cycle().skip(2)).enumerate() {
        let folder = format!("o-{turn}");
        let start = |&number: &usize| {
            let [begun, end] = ["begun", "end"].map(|what| format!("{what}-{turn}-{number}"));
            let script = format!("{program} return; touch {begun}; until [ -e {end} ]; do sleep 0.01; done");
            let rank_and_size = (number as u32, 3);
            let rank =
                rank(&place, LAUNCHERS[turn % 3], rank_and_size, &["-o", &folder], &["sh", "-c", &script])
                    .start();
            wait_for(&place, &begun);
            (number, rank)
        };
        let mut started: Vec<_> = begins.iter().map(start).collect();
        let end = |&number: &usize| {
            fs::write(place.path(&format!("end-{turn}-{number}")), "").expect("a file");
            let at = started.iter().position(|(rank, _)| *rank == number).expect("a rank");
            started.remove(at).1.end()
        };
        is_one_archive(&place, &folder, &ends.iter().map(end).collect::<Vec<_>>());
    }
}

/// All but one were refused.
#[test]
fn ranks_that_run_at_the_same_time_make_one_archive() {
    let place = TestFolder::new();
    let program = program(&place);
    for turn in 0..5 {
        let folder = format!("o-{turn}");
        let start = |number| {
            let rank = rank(&place, hydra, (number, 8), &["-o", &folder], &[&program, "wait-for-ranks", "8"]);
            rank.with(&[("ARRIVALS", &folder)]).start()
        };
        let started: Vec<_> = (0..8).rev().map(start).collect();
        let ended: Vec<_> = started.into_iter().rev().map(|it| it.end()).collect();
        is_one_archive(&place, &folder, &ended);
    }
}

/// Each made one of its own.
#[test]
fn ranks_without_a_folder_agree_on_one() {
    let place = TestFolder::new();
    let program = program(&place);
    for turn in 1..4 {
        let arrivals = format!("met-{turn}");
        let start = |number| {
            let rank = rank(&place, open_mpi, (number, 4), &[], &[&program, "wait-for-ranks", "4"]);
            rank.with(&[("ARRIVALS", &arrivals)]).start()
        };
        let started: Vec<_> = (0..4).map(start).collect();
        let ended: Vec<_> = started.into_iter().map(|it| it.end()).collect();
        is_one_archive(&place, &format!("kymo-ends-c-{turn}"), &ended);
        let folders = place.names("").into_iter().filter(|name| name.contains("kymo-"));
        assert_eq!(folders.count(), turn);
    }
}

/// Ranks that had finished the first measurement found its archive and were refused.
#[test]
fn several_measurements_of_one_job_have_a_folder_each() {
    let place = TestFolder::new();
    let program = program(&place);
    let often = ["sh", "-c", "for n in 1 2 3; do ARRIVALS=met-$n \"$@\" || exit 1; done", "sh"];
    let start = |number| {
        let measurements = place.launched(&often, &[], &[&program, "wait-for-ranks", "3"]);
        with_rank(measurements, open_mpi, (number, 3)).start()
    };
    let started: Vec<_> = (0..3).map(start).collect();
    let ended: Vec<_> = started.into_iter().map(|it| it.end()).collect();
    assert!(ended.iter().all(|ended| ended.status == Some(0)), "{ended:?}");
    let expected: Vec<String> = (0..3).map(|rank| format!("rank {rank} ends-c")).collect();
    for number in 1..4 {
        assert_eq!(place.read(&format!("kymo-ends-c-{number}")).programs, expected);
    }
    assert_eq!(place.names("").iter().filter(|name| name.contains("kymo-")).count(), 3);
}

#[test]
fn all_ranks_refuse_the_folder_of_an_earlier_run() {
    let place = TestFolder::new();
    let program = program(&place);
    fs::create_dir(place.path("o")).expect("a folder");
    fs::write(place.path("o/result"), "mine").expect("a file");
    let run = |folder: &str, launcher: Launcher, number| {
        rank(&place, launcher, (number, 2), &["-o", folder], &[&program, "return"]).end()
    };
    for number in [1, 0] {
        let ended = run("o", open_mpi, number);
        assert_eq!(ended.status, Some(125));
        assert!(ended.stderr.starts_with("kymo: o: is not empty\n"), "{ended:?}");
    }
    assert_eq!(place.names("o"), ["result"]);
    // So is the folder of another job, and a rank that is already recorded is refused as well.
    assert_eq!(run("p", open_mpi, 0).status, Some(0));
    assert_eq!(run("p", slurm, 0).status, Some(125));
    let again = run("p", open_mpi, 0);
    assert!(again.stderr.contains("p: another process is recording rank 0 there"), "{again:?}");
    assert_eq!((again.status, run("p", open_mpi, 1).status), (Some(125), Some(0)));
    for (launcher, number) in [(slurm as Launcher, 1), (open_mpi, 0), (open_mpi, 1)] {
        assert_eq!(run("p", launcher, number).status, Some(125));
    }
    assert_eq!(place.read("p").programs, ["rank 0 ends-c", "rank 1 ends-c"]);
}

/// The other ranks must not wait for it forever, and its events must not be lost if it runs later.
#[test]
fn a_rank_that_does_not_start_is_not_waited_for_long() {
    let place = TestFolder::new();
    let program = program(&place);
    let run = |number| rank(&place, hydra, (number, 2), &["-o", "o"], &[&program, "return"]).end();
    let first = run(0);
    assert!(first.stderr.contains("one rank has not started; waiting up to 5 seconds for it"), "{first:?}");
    assert!(first.stderr.contains("events; rank 1 of 2 has not started\n"), "{first:?}");
    assert_eq!(place.read("o").programs, ["rank 0 ends-c"]);
    let late = run(1);
    assert_eq!(late.status, Some(0), "{late:?}");
    assert_eq!(place.names("o"), ["kymo"]);
    assert_eq!(place.read("o").programs, ["rank 0 ends-c", "rank 1 ends-c"]);
}

#[test]
fn a_rank_that_starts_late_is_waited_for() {
    let place = TestFolder::new();
    let program = program(&place);
    let run = |number| rank(&place, slurm, (number, 2), &["-o", "o"], &[&program, "return"]);
    let mut first = run(1).start();
    let mut stderr = BufReader::new(first.0.stderr.take().expect("a pipe"));
    let mut waits = String::new();
    stderr.read_line(&mut waits).expect("a line");
    assert!(waits.contains("one rank has not started; waiting up to 5 seconds for it"), "{waits}");
    // The other one may take longer to start on a busy machine. A stopped rank looks for it before
    // it looks at the time.
    send(&first, "-STOP");
    let late = run(0).start();
    wait_for(&place, "o/ranks/0/record");
    send(&first, "-CONT");
    let mut ended = [first, late].map(|it| it.end());
    stderr.read_to_string(&mut ended[0].stderr).expect("text");
    is_one_archive(&place, "o", &ended);
}

/// No `kymo record` is left to make an archive of its processes.
#[test]
fn a_rank_whose_kymo_was_killed_is_in_the_archive() {
    let place = TestFolder::new();
    let program = program(&place);
    let script = format!("{program} return; touch ready; exec sleep 1000");
    let start = |number, command: &[&str]| rank(&place, open_mpi, (number, 2), &["-o", "o"], command).start();
    let killed = start(1, &["sh", "-c", &script]);
    wait_for(&place, "ready");
    kill_with_children(killed);
    let ended = start(0, &[&program, "return"]).end();
    assert_eq!((ended.status, archives_reported(std::slice::from_ref(&ended))), (Some(0), 1), "{ended:?}");
    assert_eq!(place.names("o"), ["kymo"], "{ended:?}");
    assert!(place.read("o").programs.starts_with(&["rank 0 ends-c".to_owned()]));
    place.read("o").has_region("work", 20);
}

#[test]
fn the_signal_that_ended_a_rank_is_reported_once() {
    let place = TestFolder::new();
    let start =
        |number, script: &str| rank(&place, hydra, (number, 2), &["-o", "o"], &["sh", "-c", script]).start();
    let last = start(1, "touch ready; until [ -e end ]; do sleep 0.01; done; kill -9 $$");
    wait_for(&place, "ready");
    assert_eq!(start(0, "kill -TERM $$").end().status, Some(143));
    fs::write(place.path("end"), "").expect("a file");
    let ended = last.end();
    assert_eq!(ended.status, Some(137));
    // The launcher ended the other rank because of it.
    assert!(
        ended.stderr.contains("2 processes were cut off before their end (signal 9 ended rank 1)"),
        "{ended:?}"
    );
    assert_eq!(place.read("o").values("signal"), ["15", "9"]);
}

/// No `kymo record` is left to join the parts.
#[test]
fn ranks_that_were_never_joined_are_recovered() {
    let place = TestFolder::new();
    let program = program(&place);
    let start = |number, command: &[&str]| rank(&place, slurm, (number, 2), &["-o", "o"], command).start();
    let killed = start(1, &["sh", "-c", "touch ready; exec sleep 1000"]);
    wait_for(&place, "ready");
    assert_eq!(start(0, &[&program, "return"]).end().status, Some(0));
    kill_with_children(killed);
    let mut recover = Command::new(env!("CARGO_BIN_EXE_kymo"));
    recover.args(["recover", "o", "-o", "all/kymo"]).current_dir(place.path(""));
    let output = recover.env("SCOREP_SUBSTRATE_KYMO_SCRATCH", place.path("")).output().expect("kymo");
    assert!(output.status.success(), "{output:?}");
    assert!(place.read("all").programs.contains(&"rank 0 ends-c".to_owned()), "{output:?}");
}

/// A launcher under `kymo record`, which then has no rank of its own.
#[test]
fn ranks_under_one_kymo_are_in_rank_order() {
    let place = TestFolder::new();
    let program = program(&place);
    let script = format!("for r in 2 0 1; do PMI_SIZE=3 PMI_RANK=$r {program} return; done; exit 4");
    let recording = place.record(&WITHOUT_SAMPLES, &["sh", "-c", &script], 4);
    assert_eq!(recording.programs, [0, 1, 2].map(|rank| format!("rank {rank} ends-c")));
}

/// The process followed the ranks, so that their creator referred to a later definition.
#[test]
fn a_process_that_starts_ranks_is_defined_before_them() {
    let place = TestFolder::new();
    let program = program(&place);
    let script =
        format!("echo > file; for r in 1 0; do PMI_SIZE=2 PMI_RANK=$r {program} return; done; exit 4");
    let recording = place.record(&["--with", "functions,io"], &["sh", "-c", &script], 4);
    assert_eq!(recording.programs[1..], [0, 1].map(|rank| format!("rank {rank} ends-c")));
    assert_eq!(recording.creators, [None, Some(0), Some(0)]);
}

#[test]
fn ranks_started_by_open_mpi_become_one_archive() {
    if !kymo_testdata::is_installed("mpirun") {
        return;
    }
    let place = TestFolder::new();
    let program = program(&place);
    let sessions = tempfile::tempdir().expect("a folder");
    let root = [
        ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
        ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
        (kymo_testdata::OPEN_MPI_FOLDER, sessions.path().to_str().expect("text")),
    ];
    for (turn, size) in [2, 2, 2, 4, 4, 16].into_iter().enumerate() {
        let folder = format!("o-{turn}");
        let launcher = ["mpirun", "--oversubscribe", "-n", &size.to_string()];
        let command = [&program, "wait-for-ranks", &size.to_string()];
        let ended = place.launched(&launcher, &["-o", &folder], &command).with(&root);
        let ended = ended.with(&[("ARRIVALS", &folder)]).end();
        assert_eq!(
            (ended.status, archives_reported(std::slice::from_ref(&ended))),
            (Some(0), 1),
            "{ended:?}"
        );
        let recording = place.read(&folder);
        let expected: Vec<String> = (0..size).map(|rank| format!("rank {rank} ends-c")).collect();
        assert_eq!((recording.programs, place.names(&folder)), (expected, vec!["kymo".to_owned()]));
    }
    let below = place.kymo(
        &[&WITHOUT_SAMPLES[..], &["-o", "below"]].concat(),
        &["mpirun", "--oversubscribe", "-n", "3", &program, "return"],
    );
    let ended = below.with(&root).end();
    assert_eq!(ended.status, Some(0), "{ended:?}");
    let programs = place.read("below").programs;
    assert_eq!(programs, [0, 1, 2].map(|rank| format!("rank {rank} ends-c")));
}
