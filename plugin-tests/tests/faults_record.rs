//! System calls and calls of the C library fail under `kymo record`: like `faults.rs`, for the
//! runtime with the plugin, in a program of one process and in one that forks.

use std::path::Path;
use std::process::Command;

use kymo_plugin_tests::testing::{
    CallKind, Fault, Outcome, Program, build_plugin, build_program, compile_failures, compile_host,
    compile_raw, stride, sweep,
};

/// Returns the number of events that `kymo record` writes for a program; only a run can determine
/// it.
fn events(command: &(dyn Fn(&Path, &Path) -> Command + Sync)) -> u64 {
    let none = Fault { kind: "malloc", first: u64::MAX >> 1, last: 0, error: 0, is_raw: false, rank: None };
    let program =
        |events| Program { command, status: 7, stdout: "done\n", events, needs_archive: true, findings: &[] };
    let wrong = program(0).run(Some(none)).expect_err("there are events");
    let count =
        wrong.split(" events are there").next().and_then(|text| text.rsplit(' ').next()?.parse().ok());
    let count = count.unwrap_or_else(|| panic!("{wrong}"));
    assert_eq!(program(count).run(Some(none)), Ok(Outcome::NotReached));
    count
}

fn with_record(argument: Option<&str>, test: impl Fn(&Program<'_>)) {
    compile_failures();
    compile_raw();
    // Build them into the directory of the command, where it searches for them.
    build_plugin("kymo-plugin");
    build_plugin("kymo-runtime");
    let record = |_: &Path, out: &Path| {
        let mut command = Command::new(build_program("kymo"));
        // Whether a call takes long is chance.
        command.args(["record", "--min-wait", "3600s", "-o"]).arg(out);
        command.arg("--").arg(compile_host("forks.c")).args(argument);
        command
    };
    let events = events(&record);
    test(&Program {
        command: &record,
        status: 7,
        stdout: "done\n",
        events,
        needs_archive: false,
        findings: &[],
    });
}

/// `pthread_create` is missing because threads belong to the program: the runtime only forwards its
/// calls.
const KINDS: [CallKind; 15] = [
    ("open", libc::EMFILE, false),
    ("write", libc::ENOSPC, false),
    ("write", 0, false),
    ("read", libc::EIO, false),
    ("mkdir", libc::EACCES, false),
    ("rename", libc::EIO, false),
    ("unlink", libc::EPERM, false),
    ("stat", libc::EIO, false),
    ("close", libc::EIO, false),
    ("readlink", libc::ENOENT, false),
    ("memfd", libc::EMFILE, false),
    ("pthread_key_create", libc::EAGAIN, false),
    ("open", libc::EIO, true),
    ("write", libc::ENOSPC, true),
    ("mmap", libc::ENOMEM, true),
];

fn sweeps(program: &Program<'_>) {
    for is_once in [true, false] {
        sweep(program, ("malloc", libc::ENOMEM, false), is_once, stride(211));
        KINDS.iter().for_each(|&kind| sweep(program, kind, is_once, stride(53)));
    }
}

#[test]
fn calls_of_a_recorded_program_fail() {
    with_record(None, sweeps);
}

#[test]
fn calls_of_a_recorded_program_that_forks_fail() {
    with_record(Some("fork"), sweeps);
}

/// The events of an attempt that fails: a call before it and one after it; creation, begin, end and
/// join of its thread; and enter and leave of `pthread_create` and of `pthread_join`.
const TRY: u64 = 4 + 8;
/// The events of the child: 50 calls, begin and end.
const CHILD: u64 = 2 * 50 + 2;

/// The program tries up to four times; all of its events are in the archive, and those of the child
/// if a fork succeeds.
#[test]
fn a_fork_of_a_recorded_program_is_refused() {
    with_record(Some("refused"), |whole| {
        for error in [libc::EAGAIN, libc::ENOMEM] {
            let none = whole.events + 3 * TRY + 2 - CHILD;
            let tries = [(1, whole.events + TRY), (3, whole.events + 3 * TRY), (u64::MAX >> 1, none)];
            for (last, events) in tries {
                let fault = Fault { kind: "fork", first: 1, last, error, is_raw: false, rank: None };
                let program = Program { events, needs_archive: true, ..*whole };
                assert_eq!(program.run(Some(fault)), Ok(Outcome::Good), "error {error}, up to {last}");
            }
        }
    });
}
