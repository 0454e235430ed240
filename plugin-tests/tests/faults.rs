//! The system fails under the plugin: each n-th call of each kind once, and from the n-th on for ever.
//!
//! A loop over a kind ends when a run makes fewer calls. Here some of the calls are left out (`STRIDE`); `scripts/faults` has all of
//! them fail (variable `KYMO_FAULTS_STRIDE=1`).

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use kymo_plugin_tests::testing::{Fault, Outcome, Program, build_plugin, compile_failures};

/// A replay of the recording `threads`, and its events.
fn replay(_: &Path, out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kymo-replay"));
    let recording = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/recordings/threads");
    command.arg(recording).arg(out).env("SCOREP_SUBSTRATE_PLUGINS", "kymo");
    command.env("LD_LIBRARY_PATH", build_plugin("kymo").parent().expect("a folder"));
    command
}

const REPLAY: Program<'_> = Program { command: &replay, status: 0, stdout: "", events: 974 };

/// How many calls apart those are that fail.
fn stride(usual: u64) -> u64 {
    std::env::var("KYMO_FAULTS_STRIDE").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Has the calls of a kind fail, `stride` apart, each once or from it on for ever.
fn sweep(program: &Program<'_>, kind: &'static str, error: i32, is_once: bool, stride: u64) {
    // Not while the program runs.
    compile_failures();
    let (next, is_over, problems) = (AtomicU64::new(1), AtomicBool::new(false), Mutex::new(Vec::new()));
    let work = || {
        while !is_over.load(Relaxed) {
            let first = next.fetch_add(stride, Relaxed);
            let fault = Fault { kind, first, last: if is_once { first } else { u64::MAX >> 1 }, error };
            match program.run(Some(fault)) {
                Ok(Outcome::NotMet) => is_over.store(true, Relaxed),
                Ok(Outcome::Good) => {}
                Err(problem) => problems.lock().expect("no panic").push(problem),
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let problems = problems.into_inner().expect("no panic");
    let met = next.into_inner() / stride;
    eprintln!("{kind}, error {error}, {}: {met} runs", if is_once { "once" } else { "for ever" });
    assert!(
        problems.is_empty(),
        "{} of {met} runs: {:#?}",
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
    sweep(&REPLAY, "malloc", libc::ENOMEM, true, stride(11));
    sweep(&REPLAY, "malloc", libc::ENOMEM, false, stride(31));
}
