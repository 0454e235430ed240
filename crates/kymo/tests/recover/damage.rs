//! Archives that have their anchor file but lack other parts.

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use kymo_otf2::read::Archive;

use super::run::{Run, calls, process, texts};
use kymo_recorder_testing::scratch::stream;

/// A run of two ranks whose complete archive is in `done/kymo`.
fn complete() -> Run {
    let run = Run::new();
    for rank in 0..2 {
        run.rank(&process(rank, 2, &stream(&calls(1000, 1000))), rank, 2);
    }
    run.recover(&["exp", "-o", "done/kymo"]).ends(0);
    run
}

fn cut(path: &Path, length: u64) {
    fs::File::options().write(true).open(path).unwrap().set_len(length).unwrap();
}

/// It was reported to be complete.
#[test]
fn an_archive_with_a_missing_and_a_truncated_event_file_is_not_complete() {
    let run = complete();
    let length = fs::metadata(run.path("done/kymo/traces/0.evt")).unwrap().len();
    cut(&run.path("done/kymo/traces/0.evt"), length / 2);
    fs::remove_file(run.path("done/kymo/traces/1.evt")).unwrap();
    let before = run.files("done");
    let result = run.recover(&["done"]);
    result.ends(3).reports("done/kymo/traces/1.evt: the file is missing");
    result.reports("done/kymo/traces/0.evt: byte ").reports("499 events kept, 501 missing, 1 regions closed");
    result.reports("done/kymo/traces.otf2: the archive is damaged; its intact parts are recovered");
    assert_eq!(run.files("done"), before);
    let recovered = run.recovered_in("done-recovered");
    let (kept, all) = (recovered.events(0), texts(&calls(1000, 1000)));
    assert!((450..550).contains(&kept.len()), "{} events", kept.len());
    // The leaves of open regions follow.
    let same = kept.iter().zip(&all).take_while(|(kept, all)| kept == all).count();
    assert!(same + 3 >= kept.len(), "{same} of {}", kept.len());
    assert_eq!(recovered.events(1).len(), 0);
    let lost = recovered.property("KYMO::EVENTS_LOST").unwrap().parse::<usize>().unwrap();
    assert!(lost >= 2000 - kept.len() && lost <= 2003 - kept.len(), "{lost} events lost");
    assert_eq!(recovered.property("OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE").as_deref(), Some("false"));
    assert_eq!(recovered.property("KYMO::RECOVERED").as_deref(), Some("true"));
}

/// It was reported to be complete, because the file has an end.
#[test]
fn an_archive_with_a_shorter_event_file_is_not_complete() {
    let run = complete();
    let other = Run::new();
    other.rank(&process(0, 1, &stream(&calls(1000, 10))), 0, 1);
    other.recover(&["exp", "-o", "few"]).ends(0);
    fs::copy(other.path("few/traces/0.evt"), run.path("done/kymo/traces/0.evt")).unwrap();
    run.recover(&["done"]).ends(3).reports("10 events, but the definition states 1000");
    let recovered = run.recovered_in("done-recovered");
    assert_eq!((recovered.events(0).len(), recovered.events(1).len()), (10, 1000));
    assert_eq!(recovered.property("KYMO::EVENTS_LOST").as_deref(), Some("990"));
}

#[test]
fn scratch_files_repair_a_damaged_archive() {
    let run = complete();
    run.recover(&["exp", "-o", "whole"]).ends(0);
    // The scratch files still exist.
    for name in ["traces.otf2", "traces.def", "traces/0.def", "traces/0.evt", "traces/1.def", "traces/1.evt"]
    {
        fs::copy(run.path("done/kymo").join(name), run.path("exp/kymo").join(name)).unwrap();
    }
    cut(&run.path("exp/kymo/traces/0.evt"), 40);
    run.recover(&["exp"]).ends(0).reports("traces/0.evt: byte 40: ").reports("2000 events kept");
    assert_eq!(run.recovered().events(0), texts(&calls(1000, 1000)));
}

#[test]
fn missing_local_definitions_are_taken_from_the_same_process() {
    let run = Run::new();
    let mut scratch = process(0, 1, &stream(&calls(1000, 100)));
    scratch.note(&super::run::location(2, 2 << 32, "a thread"));
    scratch.slot(2, Some(2 << 32), 0);
    scratch.piece(2, 1, 0, &stream(&calls(2000, 50)));
    run.rank(&scratch, 0, 1);
    run.recover(&["exp", "-o", "done/kymo"]).ends(0);
    let whole = run.recovered_in("done/kymo");
    let lost = format!("done/kymo/traces/{}.def", 2_u64 << 32);
    fs::remove_file(run.path(&lost)).unwrap();
    run.recover(&["done"]).ends(3).reports(&format!("{lost}: the file is missing"));
    let recovered = run.recovered_in("done-recovered");
    assert_eq!(recovered.events(2 << 32), whole.events(2 << 32));
    // They are lost if the process has only one location: its events would refer to other regions.
    let two = complete();
    fs::remove_file(two.path("done/kymo/traces/0.def")).unwrap();
    two.recover(&["done"]).ends(3).reports("traces/0.def: the file is missing");
    let recovered = two.recovered_in("done-recovered");
    assert!(recovered.events(1) == texts(&calls(1000, 1000)));
}

#[test]
fn without_global_definitions_nothing_is_recovered() {
    let run = complete();
    fs::remove_file(run.path("done/kymo/traces.def")).unwrap();
    run.recover(&["done"]).ends(4).reports("done/kymo/traces.def: the file is missing");
    assert!(!run.path("done-recovered").exists());
}

/// Status 0 means that all files are intact, and the result is intact whatever the damage.
#[test]
fn status_0_means_that_all_files_are_intact() {
    let run = complete();
    let original = run.files("done");
    let names: Vec<_> = original.keys().cloned().collect();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    let mut repaired = 0;
    for round in 0..120 {
        for (name, bytes) in &original {
            fs::write(name, bytes).unwrap();
        }
        let name = &names[below(names.len())];
        let mut bytes = original[name].clone();
        let at = below(bytes.len());
        match below(3) {
            0 => fs::remove_file(name).unwrap(),
            1 => fs::write(name, &bytes[..at]).unwrap(),
            _ => {
                bytes[at] ^= 1 << below(8);
                fs::write(name, &bytes).unwrap();
            }
        }
        let out = format!("out-{round}");
        let result = run.recover(&["done", "-o", &out]);
        match result.status() {
            4 => assert!(!run.path(&out).exists(), "round {round}: {}", result.errors()),
            0 | 3 => {
                repaired += usize::from(result.status() == 3);
                let anchor = run.path(&out).join("traces.otf2");
                let check = Command::new(env!("CARGO_BIN_EXE_kymo"))
                    .args(["check", "--json", "--limit", "0"])
                    .arg(&anchor)
                    .output()
                    .unwrap();
                let text = String::from_utf8_lossy(&check.stdout).into_owned();
                let structure = ["bad-", "missing-", "chunk-numbers", "-count", "trailing"];
                assert!(
                    !structure.iter().any(|kind| text.contains(kind)),
                    "round {round}, {}: {text}\n{}",
                    name.display(),
                    result.errors()
                );
                fs::remove_dir_all(run.path(&out)).unwrap();
            }
            other => panic!("round {round}, {}: {other}: {}", name.display(), result.errors()),
        }
    }
    assert!(repaired > 50, "{repaired}");
}

/// Runs the command with a time limit.
fn in_time(run: &Run, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new("timeout");
    command.args(["300", env!("CARGO_BIN_EXE_kymo")]).args(arguments).current_dir(run.path(""));
    let output = command.env_remove("TMPDIR").output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn pipe(path: &Path) {
    let _ = fs::remove_file(path);
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// They waited for a writer of the pipe.
#[test]
fn a_named_pipe_in_place_of_a_file_does_not_block_the_tools() {
    let run = complete();
    let original = run.files("done");
    for (file, bytes) in &original {
        pipe(file);
        for arguments in [
            vec!["check", "done/kymo/traces.otf2"],
            vec!["print", "done/kymo/traces.otf2"],
            vec!["merge", "done/kymo/traces.otf2", "-o", "merged.otf2"],
            vec!["recover", "done", "-o", "out"],
        ] {
            let (status, stderr) = in_time(&run, &arguments);
            let name = file.display();
            assert!(status.is_some_and(|status| status != 124), "{name}: {arguments:?}");
            assert!(status != Some(0), "{name}: {arguments:?}: {stderr}");
            assert!(stderr.contains("not a regular file"), "{name}: {arguments:?}: {stderr}");
            let _ = fs::remove_dir_all(run.path("out"));
        }
        fs::remove_file(file).unwrap();
        fs::write(file, bytes).unwrap();
    }
    assert!(Archive::open(run.path("done/kymo/traces.otf2")).is_ok());
}

#[test]
fn irregular_files_of_a_run_are_reported() {
    for name in ["exp/kymo/recovery/0.note", "shm/kymo-0-4000000-3e8.scratch"] {
        let run = Run::new();
        run.rank(&process(0, 1, &stream(&calls(1000, 10))), 0, 1);
        pipe(&run.path(name));
        let (status, stderr) = in_time(&run, &["recover", "exp"]);
        assert_eq!(status, Some(4), "{name}: {stderr}");
        assert!(stderr.contains("not a regular file"), "{name}: {stderr}");
        fs::remove_file(run.path(name)).unwrap();
        let _socket = UnixListener::bind(run.path(name)).unwrap();
        let (status, stderr) = in_time(&run, &["recover", "exp"]);
        assert_eq!(status, Some(4), "{name}: {stderr}");
        assert!(stderr.contains("not a regular file"), "{name}: {stderr}");
    }
}
