//! System calls and calls of the C library fail under the plugin: the n-th call of each kind fails
//! once, or every call from the n-th on.
//!
//! A loop over a kind ends when a run makes fewer calls. By default some calls are skipped
//! (`STRIDE`); `cargo xtask faults` makes every call fail (variable `KYMO_FAULTS_STRIDE=1`), and
//! `KYMO_FAULTS_KINDS=mmap,stat` limits the tests to these kinds.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use kymo_plugin_tests::testing::synthetic::rank::{MAIN, Rank, program, write};
use kymo_plugin_tests::testing::{
    Archive, CallKind, Fault, Outcome, Program, TemporaryFolder, build_faulty_plugin, build_plugin,
    build_program, stride, sweep,
};

/// Returns the command that replays the recording `threads`.
fn replay(_: &Path, out: &Path) -> Command {
    replay_of(&kymo_testdata::own("scorep-recordings/threads"), out)
}

fn replay_of(recording: &Path, out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kymo-replay"));
    command.arg("--patience").arg("120").arg(recording).arg(out).env("SCOREP_SUBSTRATE_PLUGINS", "kymo");
    command.env("LD_LIBRARY_PATH", build_plugin("kymo-plugin").parent().expect("a folder"));
    command
}

const REPLAY: Program<'_> =
    Program { command: &replay, status: 0, stdout: "", events: 974, needs_archive: false, findings: &[] };

#[test]
fn a_run_without_a_fault_is_complete() {
    assert_eq!(REPLAY.run(None), Ok(Outcome::NotReached));
}

/// 547 of 564 refused allocations ended the program.
#[test]
fn a_refused_allocation_does_not_end_the_program() {
    sweep(&REPLAY, ("malloc", libc::ENOMEM, false), true, stride(31));
    sweep(&REPLAY, ("malloc", libc::ENOMEM, false), false, stride(61));
}

/// The kinds of calls, with errors that their manuals name; 0 is a short count. An interrupted call
/// fails once.
const LIBRARY: &[CallKind] = &[
    ("open", libc::EIO, false),
    ("open", libc::EMFILE, false),
    ("write", libc::ENOSPC, false),
    ("write", 0, false),
    ("read", libc::EIO, false),
    ("read", 0, false),
    ("mkdir", libc::ENOSPC, false),
    ("rename", libc::EIO, false),
    ("unlink", libc::EPERM, false),
    ("stat", libc::EIO, false),
    ("close", libc::EIO, false),
    ("readlink", libc::ENOENT, false),
    ("getcwd", libc::ENOENT, false),
    ("fsync", libc::EIO, false),
    ("pthread_create", libc::EAGAIN, false),
];

const SYSTEM: &[CallKind] = &[
    ("open", libc::EIO, true),
    ("open", libc::EMFILE, true),
    ("write", libc::ENOSPC, true),
    ("write", libc::EDQUOT, true),
    ("write", 0, true),
    ("read", libc::EIO, true),
    ("read", 0, true),
    ("mkdir", libc::EACCES, true),
    ("fallocate", libc::ENOSPC, true),
    ("fallocate", libc::EOPNOTSUPP, true),
    ("ftruncate", libc::EIO, true),
    ("mmap", libc::ENOMEM, true),
    ("mmap", libc::ENODEV, true),
    ("mremap", libc::ENOMEM, true),
    ("munmap", libc::ENOMEM, true),
    ("madvise", libc::EINVAL, true),
    ("statfs", libc::EIO, true),
    ("stat", libc::EIO, true),
    ("unlink", libc::EROFS, true),
    ("close", libc::EIO, true),
    ("fsync", libc::EIO, true),
    ("prlimit", libc::EPERM, true),
    ("getrandom", libc::ENOSYS, true),
    ("fcntl", libc::EMFILE, true),
];

const INTERRUPTED: &[CallKind] = &[
    ("open", libc::EINTR, true),
    ("write", libc::EINTR, true),
    ("read", libc::EINTR, true),
    ("fallocate", libc::EINTR, true),
    ("ftruncate", libc::EINTR, true),
    ("fsync", libc::EINTR, true),
    ("open", libc::EINTR, false),
    ("write", libc::EINTR, false),
    ("read", libc::EINTR, false),
];

fn sweep_all(program: &Program<'_>, kinds: &[CallKind], stride: u64) {
    for &kind in kinds {
        sweep(program, kind, true, stride);
        sweep(program, kind, false, stride);
    }
}

#[test]
fn c_library_calls_fail() {
    sweep_all(&REPLAY, LIBRARY, stride(17));
}

#[test]
fn system_calls_fail() {
    sweep_all(&REPLAY, SYSTEM, stride(29));
}

#[test]
fn calls_are_interrupted() {
    INTERRUPTED.iter().for_each(|&kind| sweep(&REPLAY, kind, true, stride(11)));
}

/// Runs a test with a program of four ranks and the expected result of its replay.
fn with_four_ranks(test: impl Fn(&Program<'_>)) {
    let folder = TemporaryFolder::new("ranks");
    let ranks = program(4, |rank| {
        rank.init_mpi();
        rank.visit(MAIN, "work");
        rank.finalize_mpi();
    });
    write(&ranks, &folder);
    let replay = |_: &Path, out: &Path| replay_of(&folder, out);
    let events = ranks.iter().flat_map(|rank| rank.events.values()).map(|&count| count as u64).sum();
    test(&Program { command: &replay, status: 0, stdout: "", events, needs_archive: false, findings: &[] });
}

#[test]
fn calls_of_four_ranks_fail() {
    with_four_ranks(|program| {
        sweep(program, ("malloc", libc::ENOMEM, false), true, stride(151));
        sweep(program, ("malloc", libc::ENOMEM, false), false, stride(151));
        sweep_all(program, LIBRARY, stride(41));
        sweep_all(program, SYSTEM, stride(83));
    });
}

/// A rank that found no room for the details of its definitions wrote them without: communicators
/// that no other rank had, an unknown paradigm, a second node, and not a word.
#[test]
fn definitions_without_room_are_reported() {
    let recording = kymo_testdata::own("scorep-recordings/mpi");
    let replay = |_: &Path, out: &Path| replay_of(&recording, out);
    let folder = TemporaryFolder::new("definitions");
    let output = replay(&folder, &folder.join("out")).output().expect("a replay");
    assert!(output.status.success(), "{output:?}");
    let whole = Archive::read(&folder.join("out/kymo/traces.otf2"));
    let events = whole.counts().values().map(|&count| count as u64).sum();
    let program =
        Program { command: &replay, status: 0, stdout: "", events, needs_archive: false, findings: &[] };
    sweep(&program, ("mmap", libc::ENOMEM, true), true, stride(7));
}

/// The other ranks waited in the broadcast for the rank without a plugin.
#[test]
fn a_rank_without_a_plugin_does_not_block_the_others() {
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
        // Rank 0 writes the archive.
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

/// Recovery returns all events of the other ranks, and those of the rank up to the panic: the
/// events before the ranks communicated.
#[test]
fn a_panic_on_one_rank_of_four() {
    let plugin = build_faulty_plugin();
    let folder = TemporaryFolder::new("panic");
    let ranks = program(4, |rank| {
        (0..100).for_each(|_| rank.visit(MAIN, "early work"));
        rank.init_mpi();
        rank.visit(MAIN, "work");
        rank.finalize_mpi();
    });
    let recording = folder.join("recording");
    write(&ranks, &recording);
    for faulty in 0..4 {
        let scratch = TemporaryFolder::in_memory("panic");
        let (out, to) = (folder.join(format!("out-{faulty}")), folder.join(format!("recovered-{faulty}")));
        let mut command = replay_of(&recording, &out);
        command.env("LD_LIBRARY_PATH", &plugin).env("SCOREP_SUBSTRATE_KYMO_SCRATCH", &*scratch);
        command.env("KYMO_DELIBERATE_FAULT", format!("panic {faulty}"));
        let output = command.output().expect("a replay");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b""[..]), "rank {faulty}: {stderr}");
        assert!(stderr.lines().all(|line| line.starts_with("kymo: ")), "rank {faulty}: {stderr}");
        assert_eq!(stderr.matches("on purpose; switched off\n").count(), 1, "rank {faulty}: {stderr}");
        assert!(
            stderr.contains("`kymo recover` makes one from everything that was recorded"),
            "rank {faulty}: {stderr}"
        );
        let mut recover = Command::new(build_program("kymo"));
        recover.arg("recover").arg(&out).arg("-o").arg(&to).arg("--scratch").arg(&*scratch);
        let recovered = recover.output().expect("kymo recover");
        assert!(recovered.status.success(), "rank {faulty}: {recovered:?}");
        let mut found = Archive::read(&to.join("traces.otf2")).counts();
        let of_faulty = found.insert(faulty, 0).unwrap_or(0);
        assert!(of_faulty >= 200, "rank {faulty}: {of_faulty} events of it");
        let mut expected: BTreeMap<u64, usize> = ranks.iter().flat_map(|rank| rank.events.clone()).collect();
        let all = expected.insert(faulty, 0).expect("its events");
        assert!(of_faulty < all, "rank {faulty} has not panicked");
        assert_eq!(found, expected, "rank {faulty}");
    }
}
