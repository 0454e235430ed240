//! The system fails under the plugin: each n-th call of each kind once, and from the n-th on for ever.
//!
//! A loop over a kind ends when a run makes fewer calls. Here some of the calls are left out (`STRIDE`); `scripts/faults` has all of
//! them fail (variable `KYMO_FAULTS_STRIDE=1`).

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use kymo_plugin_tests::testing::made_up::rank::{MAIN, Rank, program, write};
use kymo_plugin_tests::testing::{
    Fault, Outcome, Program, TemporaryFolder, build_plugin, compile_failures, compile_raw,
};

/// A replay of the recording `threads`.
fn replay(_: &Path, out: &Path) -> Command {
    replay_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data/recordings/threads"), out)
}

fn replay_of(recording: &Path, out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kymo-replay"));
    command.arg("--patience").arg("20").arg(recording).arg(out).env("SCOREP_SUBSTRATE_PLUGINS", "kymo");
    command.env("LD_LIBRARY_PATH", build_plugin("kymo").parent().expect("a folder"));
    command
}

const REPLAY: Program<'_> =
    Program { command: &replay, status: 0, stdout: "", events: 974, needs_archive: false, findings: &[] };

/// How many calls apart those are that fail.
fn stride(usual: u64) -> u64 {
    std::env::var("KYMO_FAULTS_STRIDE").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A kind of call, the error that it fails with, and whether it is one that goes to the system without the C library.
type Kind = (&'static str, i32, bool);

/// Has the calls of a kind fail, `stride` apart, each once or from it on for ever.
fn sweep(program: &Program<'_>, (kind, error, is_raw): Kind, is_once: bool, stride: u64) {
    // Not while the program runs.
    compile_failures();
    compile_raw();
    let (next, is_over, problems) = (AtomicU64::new(1), AtomicBool::new(false), Mutex::new(Vec::new()));
    let work = || {
        while !is_over.load(Relaxed) {
            let first = next.fetch_add(stride, Relaxed);
            let last = if is_once { first } else { u64::MAX >> 1 };
            match program.run(Some(Fault { kind, first, last, error, is_raw, rank: None })) {
                Ok(Outcome::NotMet) => is_over.store(true, Relaxed),
                Ok(Outcome::Good) => {}
                Err(problem) => problems.lock().expect("no panic").push(problem),
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let problems = problems.into_inner().expect("no panic");
    let runs = next.into_inner() / stride;
    let how = if is_once { "once" } else { "for ever" };
    println!("{kind}{}, error {error}, {how}: {runs} runs", if is_raw { " (raw)" } else { "" });
    assert!(
        problems.is_empty(),
        "{} of {runs} runs: {:#?}",
        problems.len(),
        &problems[..problems.len().min(5)]
    );
}

#[test]
fn a_run_without_a_fault_is_whole() {
    assert_eq!(REPLAY.run(None), Ok(Outcome::NotMet));
}

/// 547 of 564 did.
#[test]
fn a_refused_allocation_ended_the_program() {
    sweep(&REPLAY, ("malloc", libc::ENOMEM, false), true, stride(11));
    sweep(&REPLAY, ("malloc", libc::ENOMEM, false), false, stride(31));
}

/// The others waited for it in the broadcast.
#[test]
fn a_rank_without_a_plugin_hung_all_others() {
    let folder = TemporaryFolder::new("absent");
    let ranks = program(4, |rank| {
        rank.init_mpi();
        rank.visit(MAIN, "work");
        rank.finalize_mpi();
    });
    write(&ranks, &folder);
    let events = |of: &Rank| of.events.values().map(|&count| count as u64).sum::<u64>();
    for absent in 0..4 {
        let replay = |_: &Path, out: &Path| replay_of(&folder, out);
        // Rank 0 is who writes it.
        let others =
            ranks.iter().enumerate().filter(|&(rank, _)| rank != absent).map(|(_, rank)| events(rank));
        let program = Program {
            command: &replay,
            status: 0,
            stdout: "",
            events: others.sum(),
            needs_archive: absent > 0,
            findings: &["undefined-location", "collective-missing"],
        };
        let no_memory = Fault {
            kind: "mmap",
            first: 1,
            last: u64::MAX >> 1,
            error: libc::ENOMEM,
            is_raw: true,
            rank: Some(absent as u32),
        };
        assert_eq!(program.run(Some(no_memory)), Ok(Outcome::Good), "rank {absent}");
    }
}
