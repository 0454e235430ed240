//! The files that are found, the reports about them, and the files that are removed.

use std::fs;
use std::process::Command;

use kymo_otf2::definitions::GlobalDefinition;
use kymo_recorder::journal::Entry;

use super::run::{Recovered, Run, calls, definitions, location, process, texts};
use kymo_recorder_testing::scratch::{Scratch, stream};

fn usual(run: &Run) -> Scratch {
    let scratch = process(0, 1, &stream(&calls(1000, 100)));
    run.rank(&scratch, 0, 1);
    scratch
}

#[test]
fn the_experiment_directory_its_folder_and_the_scratch_file_give_the_same_archive() {
    let run = Run::new();
    usual(&run);
    run.recover(&["exp/kymo", "-o", "a"]).ends(0);
    run.recover(&["./exp/", "-o", "b/c.otf2"]).ends(0).reports("b/c.otf2");
    run.recover(&["shm/kymo-0-4000000-3e8.scratch"])
        .ends(0)
        .reports("kymo-0-4000000-3e8-recovered/traces.otf2");
    for folder in ["a", "kymo-0-4000000-3e8-recovered"] {
        assert_eq!(run.recovered_in(folder).events(0), texts(&calls(1000, 100)));
    }
    assert!(run.path("b/c.otf2").is_file() && run.path("b/c/0.evt").is_file());
}

#[test]
fn the_scratch_file_of_a_renamed_directory_is_found_by_the_note() {
    let run = Run::new();
    usual(&run);
    fs::rename(run.path("exp"), run.path("scorep-failed-1")).unwrap();
    run.recover(&["scorep-failed-1"]).ends(0);
    assert_eq!(run.recovered_in("scorep-failed-1-recovered").events(0).len(), 100);
}

/// A process that does not yet have its rank has no note, and no id for its location.
fn early(process: u32) -> Scratch {
    let mut scratch = Scratch::new(process);
    (scratch.node, scratch.boot) = ("somewhere".into(), "once".into());
    scratch.note(&Entry::Definitions(&definitions(["main", "solve", "exchange"])));
    scratch.note(&location(0, u64::MAX, "Master thread"));
    scratch.note(&location(2, u64::MAX, "a thread"));
    scratch.slot(0, None, 0);
    scratch.slot(2, None, 0);
    let bytes = stream(&calls(1000, 11));
    scratch.piece(0, 1, 0, &bytes[..50]);
    scratch.piece(0, 2, 50, &bytes[50..]);
    scratch.piece(2, 1, 0, &stream(&calls(2000, 4)));
    scratch
}

#[test]
fn processes_that_died_early_are_found_by_their_hint() {
    let run = Run::new();
    fs::remove_dir_all(run.path("exp")).unwrap();
    let mut scratch = early(4_100_000);
    scratch.hint = [run.path("").to_str().unwrap().to_owned(), "exp".into()];
    run.write("shm/kymo-0-4100000-3e8.scratch", scratch.bytes());
    scratch.hint[1] = "another".into();
    run.write("shm/kymo-0-4100001-3e8.scratch", scratch.bytes());
    run.recover(&["exp"]).ends(4).reports("there is nothing to recover");
    assert!(!run.path("exp-recovered").exists());
    run.recover(&["exp", "--scratch", "shm"]).ends(0).reports("15 events kept");
    let recovered = run.recovered();
    assert_eq!(recovered.events(0)[..11], texts(&calls(1000, 11)));
    assert_eq!(recovered.events(2 << 32), texts(&calls(2000, 4)));
}

#[test]
fn processes_that_died_early_are_numbered_in_sequence() {
    let run = Run::new();
    run.write("a.scratch", early(4_100_000).bytes());
    run.write("b.scratch", early(4_100_001).bytes());
    let result = run.recover(&["a.scratch", "b.scratch", "-o", "out"]);
    result.ends(0).reports("process 4100001 ended before it knew its rank: it is number 1 in the archive");
    let recovered = run.recovered_in("out");
    assert_eq!(recovered.events(1 | 2 << 32), texts(&calls(2000, 4)));
    assert_eq!(processes(&recovered), ["Process 4100000", "Process 4100001"]);
}

/// Returns the names of the location groups.
fn processes(recovered: &Recovered) -> Vec<String> {
    let strings = recovered.strings();
    recovered.definitions(|it| match it {
        GlobalDefinition::LocationGroup(group) => Some(strings[&group.name.0].clone()),
        _ => None,
    })
}

fn launched(process: u32, text: &str) -> Scratch {
    Scratch { launch: text.to_owned(), ..early(process) }
}

/// They were numbered in the order in which they were found, after the processes with a known rank.
#[test]
fn processes_that_died_early_keep_the_ranks_from_their_launcher() {
    let run = Run::new();
    run.write("a.scratch", launched(4_100_000, "3 4 job 7").bytes());
    run.write("b.scratch", launched(4_100_001, "1 4 job 7").bytes());
    let mut known = process(0, 4, &stream(&calls(1000, 10)));
    known.launch = "0 4 job 7".to_owned();
    run.rank(&known, 0, 4);
    let result = run.recover(&["exp", "a.scratch", "b.scratch"]);
    result.ends(3).reports("missing ranks: 2");
    result.reports("process 4100000 ended before it knew its rank: it is rank 3 according to its launcher");
    let recovered = run.recovered();
    assert_eq!(recovered.events(3 | 2 << 32), texts(&calls(2000, 4)));
    assert_eq!(recovered.events(1 | 2 << 32), texts(&calls(2000, 4)));
    assert_eq!(processes(&recovered), ["MPI Rank 0", "MPI Rank 1", "MPI Rank 3"]);
}

/// It was not reported.
#[test]
fn a_missing_rank_is_reported_even_if_the_launcher_gives_no_size() {
    let run = Run::new();
    run.write("a.scratch", launched(4_100_000, "2 0 job 7").bytes());
    run.write("b.scratch", launched(4_100_001, "0 0 job 7").bytes());
    run.recover(&["a.scratch", "b.scratch", "-o", "two"]).ends(3).reports("missing ranks: 1");
    assert_eq!(run.recovered_in("two").property("KYMO::RANKS_MISSING").as_deref(), Some("1"));
    run.write("c.scratch", launched(4_100_002, "5 0 job 7").bytes());
    run.recover(&["c.scratch", "-o", "one"]).ends(3).reports("missing ranks: 0-4");
    assert_eq!(processes(&run.recovered_in("one")), ["MPI Rank 5"]);
}

#[test]
fn ranks_from_launchers_that_disagree_are_ignored() {
    for other in ["1 4 job 8", "3 4 job 7", "1 5 job 7", "", "nonsense"] {
        let run = Run::new();
        run.write("a.scratch", launched(4_100_000, "3 4 job 7").bytes());
        run.write("b.scratch", launched(4_100_001, other).bytes());
        let result = run.recover(&["a.scratch", "b.scratch", "-o", "out"]);
        result
            .ends(0)
            .reports("process 4100001 ended before it knew its rank: it is number 1 in the archive");
        assert_eq!(processes(&run.recovered_in("out")), ["Process 4100000", "Process 4100001"]);
    }
}

#[test]
fn a_running_process_is_skipped_unless_requested() {
    let run = Run::new();
    let mut child = Command::new("sleep").arg("1000").spawn().unwrap();
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let mut scratch = process(0, 1, &stream(&calls(1000, 100)));
    scratch.process = child.id();
    scratch.started = stat.rsplit(')').next().unwrap().split_whitespace().nth(19).unwrap().parse().unwrap();
    scratch.node = fs::read_to_string("/proc/sys/kernel/hostname").unwrap().trim().to_owned();
    scratch.boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap().trim().to_owned();
    run.rank(&scratch, 0, 1);
    let what = format!("process {} (rank 0) is still running", child.id());
    run.recover(&["exp"]).ends(4).reports(&what).reports("--running");
    assert!(!run.path("exp-recovered").join("traces").exists());
    run.recover(&["exp", "--running", "--clean"]).ends(0);
    assert_eq!(run.recovered().events(0).len(), 100);
    assert!(run.path("exp/kymo/recovery/0.note").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    run.recover(&["exp", "-o", "later"]).ends(0);
}

#[test]
fn a_complete_archive_is_copied() {
    let run = Run::new();
    usual(&run);
    run.recover(&["exp", "-o", "exp2/kymo"]).ends(0);
    fs::create_dir(run.path("exp2/kymo/recovery")).unwrap();
    run.recover(&["exp2"]).ends(0).reports("the archive is complete; copying it");
    for file in ["traces.otf2", "traces.def", "traces/0.evt", "traces/0.def"] {
        let read = |folder: &str| fs::read(run.path(folder).join(file)).unwrap();
        assert_eq!(read("exp2/kymo"), read("exp2-recovered"), "{file}");
    }
}

/// Their files are next to the folder of the archive. They were left out.
#[test]
fn a_complete_archive_keeps_its_thumbnails() {
    let run = Run::new();
    usual(&run);
    run.recover(&["exp", "-o", "exp2/kymo"]).ends(0);
    for name in ["traces.0.thumb", "traces.12.thumb", "traces.x.thumb", "other.0.thumb"] {
        run.write(&format!("exp2/kymo/{name}"), name);
    }
    run.recover(&["exp2"]).ends(0);
    let copied = |name: &str| run.path("exp2-recovered").join(name).exists();
    let names = ["traces.0.thumb", "traces.12.thumb", "traces.x.thumb", "other.0.thumb"];
    assert_eq!(names.map(copied), [true, true, false, false]);
}

/// They stayed: the process was killed while it cleaned up, which starts with the note.
#[test]
fn clean_removes_side_files_without_a_note() {
    let run = Run::new();
    usual(&run);
    run.recover(&["exp", "-o", "exp2/kymo"]).ends(0);
    fs::create_dir(run.path("exp2/kymo/recovery")).unwrap();
    for name in ["0.journal", "0.locations"] {
        fs::write(run.path("exp2/kymo/recovery").join(name), "something").unwrap();
    }
    run.recover(&["exp2", "--clean"]).ends(0);
    assert!(!run.path("exp2/kymo/recovery").exists());
}

/// The archive counted as complete: the process was killed while it wrote the anchor file.
#[test]
fn a_truncated_anchor_file_does_not_make_an_archive_complete() {
    let run = Run::new();
    usual(&run);
    run.recover(&["exp", "-o", "whole"]).ends(0);
    let anchor = fs::read(run.path("whole/traces.otf2")).unwrap();
    for length in [0, 1, anchor.len() / 2, anchor.len() - 3] {
        fs::write(run.path("exp/kymo/traces.otf2"), &anchor[..length]).unwrap();
        run.recover(&["exp", "-o", &format!("cut-{length}")]).ends(0);
        let read = |folder: &str| fs::read(run.path(folder).join("traces/0.evt")).ok();
        assert_eq!(read(&format!("cut-{length}")), read("whole"), "{length} bytes");
    }
}

#[test]
fn nothing_is_removed_before_success_or_without_clean() {
    let run = Run::new();
    let scratch = usual(&run);
    let file = format!("shm/kymo-0-{}-3e8.scratch", scratch.process);
    run.recover(&["exp"]).ends(0);
    assert!(run.path(&file).exists() && run.path("exp/kymo/recovery/0.note").exists());
    // A rank is missing.
    let partial = Run::new();
    partial.rank(&process(0, 2, &stream(&calls(1000, 100))), 0, 2);
    partial.recover(&["exp", "--clean"]).ends(3).reports("missing ranks: 1");
    assert!(partial.path("exp/kymo/recovery/0.note").exists() && partial.path(&file).exists());
    run.recover(&["exp", "--clean", "-o", "clean"]).ends(0);
    assert!(!run.path(&file).exists() && !run.path("exp/kymo/recovery").exists());
}

#[test]
fn the_output_must_be_new_and_outside_the_input() {
    let run = Run::new();
    usual(&run);
    run.recover(&["exp", "-o", "exp/kymo/new"]).ends(2).reports("is inside the directory to recover");
    run.recover(&["exp", "-o", "exp/../exp/new"]).ends(2).reports("is inside the directory to recover");
    run.recover(&["exp"]).ends(0);
    let before = run.files("exp-recovered");
    run.recover(&["exp"]).ends(2).reports("already exists");
    assert_eq!(run.files("exp-recovered"), before);
}

#[test]
fn a_file_that_is_not_a_scratch_file_is_an_error() {
    let run = Run::new();
    run.write("text", "no scratch file");
    run.recover(&["text"]).ends(1).reports("text: is not a Kymo scratch file");
    let mut foreign = process(0, 1, b"").bytes();
    foreign[8..12].reverse();
    run.write("foreign", foreign);
    run.recover(&["foreign"]).ends(1).reports("foreign: was written on a machine with another byte order");
    run.recover(&["nowhere"]).ends(4).reports("nowhere: there is nothing to recover");
    run.recover(&["exp", "shm"]).ends(2).reports("only one directory");
}

#[test]
fn a_note_whose_scratch_file_belongs_to_another_process_is_ignored() {
    let run = Run::new();
    let mut scratch = usual(&run);
    scratch.started += 1;
    let path = run.path("shm/kymo-0-4000000-3e8.scratch");
    run.write("exp/kymo/recovery/0.note", scratch.note_text(path.to_str().unwrap(), 0, 1));
    run.recover(&["exp"])
        .ends(4)
        .reports("belongs to another process")
        .reports("there is nothing to recover");
    // A copy given as an argument is used.
    run.write("copy", scratch.bytes());
    run.recover(&["exp", "copy"]).ends(0);
    assert_eq!(run.recovered().events(0).len(), 100);
}

#[test]
fn a_scratch_file_copied_from_another_node_is_found() {
    let run = Run::new();
    let scratch = process(0, 1, &stream(&calls(1000, 100)));
    run.write("exp/kymo/recovery/0.note", scratch.note_text("/dev/shm/kymo-0-4000000-3e8.scratch", 0, 1));
    run.recover(&["exp"]).ends(4).reports("is on node somewhere: recover there, or copy it here");
    run.write("exp/kymo-0-4000000-3e8.scratch", scratch.bytes());
    run.recover(&["exp"]).ends(0).reports("100 events kept");
}

#[test]
fn scratch_files_of_two_runs_do_not_mix() {
    let run = Run::new();
    run.write("a", process(0, 1, &stream(&calls(1000, 100))).bytes());
    run.write("b", process(0, 1, &stream(&calls(1000, 10))).bytes());
    run.recover(&["a", "b"]).ends(2).reports("two processes claim to be rank 0");
}

#[test]
fn processes_that_recorded_nothing_leave_nothing() {
    let run = Run::new();
    let mut scratch = early(4_100_000);
    scratch.slots.clear();
    scratch.pieces.clear();
    scratch.journal = vec![Vec::new()];
    scratch.note(&Entry::Definitions(&definitions(["main", "solve", "exchange"])));
    run.write("a", scratch.bytes());
    let result = run.recover(&["a", "-o", "out"]);
    result
        .ends(4)
        .reports("process 4100000 ended before it had recorded anything")
        .reports("there is nothing to recover");
    assert!(!run.path("out").exists());
    run.write("b", early(4_100_001).bytes());
    run.recover(&["a", "b", "-o", "out"]).ends(0).reports("15 events kept");
}

#[test]
fn scratch_files_of_an_earlier_run_are_not_mixed_in() {
    let run = Run::new();
    usual(&run);
    let folder = run.path("exp/kymo").to_str().unwrap().to_owned();
    let mut known = process(0, 1, &stream(&calls(5, 7)));
    (known.process, known.directory) = (4_200_000, folder);
    run.write("shm/kymo-0-4200000-3e8.scratch", known.bytes());
    let mut unknown = early(4_200_001);
    unknown.hint = [run.path("").to_str().unwrap().to_owned(), "exp".into()];
    run.write("shm/kymo-0-4200001-3e8.scratch", unknown.bytes());
    run.recover(&["exp", "--scratch", "shm"]).ends(0).reports("1 process and 1 location: 100 events kept");
    // Without a note, the first scratch file counts as part of the run.
    fs::remove_file(run.path("exp/kymo/recovery/0.note")).unwrap();
    fs::remove_file(run.path("shm/kymo-0-4000000-3e8.scratch")).unwrap();
    run.recover(&["exp", "--scratch", "shm", "-o", "out"]).ends(0).reports("7 events kept");
}
