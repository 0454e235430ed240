//! Recordings with several ranks: each rank is played by a process of its own, and the processes
//! communicate like those of a real program.

use crate::common::text_of;
use kymo_plugin_tests::testing::synthetic::rank::{MAIN, program, write};
use kymo_plugin_tests::testing::{Replay, TemporaryFolder, compile_plugin};
use std::fs;
use std::process::Output;

/// Creates a recording of a program of this many ranks that does little.
fn little(size: u32) -> TemporaryFolder {
    let folder = TemporaryFolder::new(&format!("ranks-{size}"));
    let ranks = program(size, |rank| {
        rank.init_mpi();
        rank.visit(MAIN, "work");
    });
    write(&ranks, &folder);
    folder
}

/// Returns a replay of that program with the plugin of `plugins/ipc.c`, and the folders that it
/// reads and writes.
fn communicating(test: &str, size: u32) -> (TemporaryFolder, TemporaryFolder, Replay) {
    let libraries = compile_plugin("ipc", "ipc.c", &[]);
    let (recording, folder) = (little(size), TemporaryFolder::new(test));
    let replay = Replay::of_folder(&recording, &folder.join("out")).plugins("ipc").libraries(&libraries);
    let replay = replay.env("KYMO_IPC_OUT", folder.join("checks")).env("KYMO_IPC_SIZE", size.to_string());
    (recording, folder, replay)
}

/// Calls every function with every type, operation and root; returns the number of results that
/// each rank checked.
fn check_everything(size: u32) -> Vec<u64> {
    let (_recording, folder, replay) = communicating(&format!("of_{size}"), size);
    replay.succeed();
    let checks = |rank| text_of(&folder.join(format!("checks.{rank}"))).trim().parse().expect("a number");
    (0..size).map(checks).collect()
}

#[test]
fn thirteen_functions_of_one_rank() {
    assert!(check_everything(1)[0] > 50_000);
}

#[test]
fn thirteen_functions_of_two_ranks() {
    assert!(check_everything(2).into_iter().all(|checks| checks > 100_000));
}

#[test]
fn thirteen_functions_of_three_ranks() {
    assert!(check_everything(3).into_iter().all(|checks| checks > 150_000));
}

#[test]
fn thirteen_functions_of_five_ranks() {
    assert!(check_everything(5).into_iter().all(|checks| checks > 250_000));
}

#[test]
fn thirteen_functions_of_eight_ranks() {
    assert!(check_everything(8).into_iter().all(|checks| checks > 400_000));
}

#[test]
fn sixty_four_ranks_communicate() {
    let (_recording, folder, replay) = communicating("many", 64);
    replay.env("KYMO_IPC_CASE", "nothing").succeed();
    assert!((0..64).all(|rank| folder.join(format!("checks.{rank}")).exists()));
}

/// Plays four ranks with an error: the replay fails with this message. Ranks wait for each other
/// for longer than a busy machine delays them.
fn expect_failure(case: &str, message: &str) {
    expect_failure_within("120", case, message);
}

/// Like [`expect_failure`], with this many seconds of patience.
fn expect_failure_within(patience: &str, case: &str, message: &str) {
    let stderr = failure_within(patience, case);
    assert!(stderr.contains(message), "{case}: expected `{message}` in:\n{stderr}");
}

/// Returns the messages of a replay that fails.
fn failure_within(patience: &str, case: &str) -> String {
    let (_recording, _folder, replay) = communicating(case, 4);
    let output = replay.env("KYMO_IPC_CASE", case).arg("--patience").arg(patience).run();
    let stderr = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{case}: {stderr}");
    stderr
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_rank_that_ends_is_noticed() {
    expect_failure("dies", "rank 0: SCOREP_Ipc_Barrier: rank 1 has ended");
    expect_failure("dies", "rank 1 ended with exit status 5");
    expect_failure("dies-before-receive", "SCOREP_Ipc_Send or SCOREP_Ipc_Recv CHAR: rank 1 has ended");
}

#[test]
fn ranks_must_agree() {
    expect_failure(
        "other-size",
        "SCOREP_Ipc_Gather of 4 CHAR at root 0: rank 1 calls SCOREP_Ipc_Gather of 3 CHAR at root 0",
    );
    expect_failure("other-length", "rank 1 sent an unexpected number of bytes, 4");
    expect_failure("other-part", "rank 1 sent an unexpected number of bytes, 3");
    // Ranks that wait for each other end when one of them has waited for too long.
    expect_failure_within("2", "other-function", "SCOREP_Ipc_B");
    expect_failure_within("2", "other-root", "SCOREP_Ipc_Bcast of 1 INT at root");
    expect_failure("other-type", "rank 1 calls SCOREP_Ipc_Allgather of 1 UNSIGNED");
}

#[test]
fn ranks_types_and_operations_must_exist() {
    expect_failure("no-rank", "there is no rank 4; the program has 4");
    expect_failure("no-root", "there is no rank -1; the program has 4");
    expect_failure("no-type", "unknown data type 10");
    expect_failure("no-operation", "operation 1 is not defined for DOUBLE");
}

#[test]
fn no_rank_waits_forever() {
    expect_failure_within("2", "silence", "did not respond in time");
    // They send one message each before; that takes them longer on a busy machine.
    let mut patience = ["2", "20", "200"].into_iter();
    assert!(patience.any(|patience| failure_within(patience, "both-send").contains("CHAR: rank")));
}

#[test]
fn messages_that_are_not_received_are_an_error() {
    expect_failure("left-over", "rank 0: a message from rank 1 was never received");
}

/// Ranks other than 0 may only wait for the directory.
#[test]
fn directories_appear_late_on_other_ranks() {
    let played = |case: &str| {
        let (_recording, folder, replay) = communicating(case, 4);
        let output = replay.env("KYMO_IPC_CASE", case).arg("--late-directory").arg("50").run();
        let left =
            fs::read_dir(&*folder).expect("the folder").map(|entry| entry.expect("an entry").file_name());
        let left = left.filter(|name| name.to_string_lossy().starts_with("out")).count();
        (output.status.success(), stderr(&output), left)
    };
    assert_eq!(played("nothing"), (true, String::new(), 1), "links are removed");
    let (_, complaint, _) = played("makes-directory");
    assert!(complaint.contains("rank 1: cannot let the directory appear as"), "{complaint}");
}

#[test]
fn plugins_must_not_communicate_in_events() {
    expect_failure(
        "in-event",
        "SCOREP_Ipc_Barrier: called outside of init_mpp, pre_unify, write_data and finalize",
    );
}

#[test]
fn a_single_rank_can_be_played_alone() {
    let recording = little(3);
    let play = |arguments: [&str; 2], case: &str| {
        let libraries = compile_plugin("ipc", "ipc.c", &[]);
        let folder = TemporaryFolder::new("alone");
        let replay = Replay::of_folder(&recording, &folder.join("out")).plugins("ipc").libraries(&libraries);
        let replay = arguments.into_iter().fold(replay, Replay::arg);
        let output = replay.env("KYMO_IPC_OUT", folder.join("checks")).env("KYMO_IPC_CASE", case).run();
        (output.status.success(), stderr(&output), folder.join("checks.2").exists())
    };
    assert_eq!(play(["--rank", "2"], "nothing"), (true, String::new(), true));
    let (_, complaint, _) = play(["--rank", "2"], "dies");
    assert!(complaint.contains("only rank 2 of the 3 ranks of the program is played"), "{complaint}");
    let (_, complaint, _) = play(["--rank", "3"], "nothing");
    assert!(complaint.contains("it has no rank 3, only [0, 1, 2]"), "{complaint}");
}

#[test]
fn each_rank_counts_its_enters_and_exits() {
    let (_recording, folder, replay) = communicating("progress", 3);
    let file = folder.join("progress");
    replay.env("KYMO_IPC_CASE", "nothing").arg("--progress").arg(&file).succeed();
    for rank in 0..3 {
        let count = fs::read(file.with_extension(rank.to_string())).expect("the file of the rank");
        // Enters of MPI_Init and `work`: the plugin has no function for exits.
        assert_eq!(count, 2_u64.to_le_bytes(), "rank {rank}");
    }
}

#[test]
fn a_recording_must_have_all_ranks() {
    let missing = little(4);
    fs::remove_file(missing.join("rank1.jsonl.gz")).expect("a rank");
    let output = Replay::of_folder(&missing, &missing.join("out")).run();
    assert!(stderr(&output).contains("expected all ranks from 0 on, but it has [0, 2, 3]"), "{output:?}");
    let fewer = little(4);
    for file in ["jsonl.gz", "pre_unify.arena.gz", "write_data.arena.gz"] {
        fs::remove_file(fewer.join(format!("rank3.{file}"))).expect("a file of the last rank");
    }
    let output = Replay::of_folder(&fewer, &fewer.join("out")).run();
    let expected = "the program was recorded with 4 ranks, but only 3 are played";
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains(expected), "{output:?}");
}

#[test]
fn a_rank_that_cannot_be_read_fails_the_program() {
    let recording = little(3);
    fs::write(recording.join("rank1.jsonl.gz"), "no recording").expect("a file");
    let output = Replay::of_folder(&recording, &recording.join("out")).run();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("kymo-replay: rank 1: ") && stderr(&output).contains("rank1.jsonl.gz"));
}
