//! Folders of `kymo record`, and cleaning after a successful recovery.

use std::fs;
use std::process::Command;

use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::read::Archive;

use super::run::{Run, calls, process};
use kymo_recorder_testing::scratch::stream;

/// Adds a killed process of a measurement: `rec/process-<process>-1000` with this number of events.
pub(crate) fn cut_off(run: &Run, process_number: u32, events: u64) {
    let mut scratch = process(0, 1, &stream(&calls(1000, events)));
    scratch.process = process_number;
    run.rank(&scratch, 0, 1);
    fs::create_dir_all(run.path("rec")).unwrap();
    fs::rename(run.path("exp"), run.path(&format!("rec/process-{process_number}-1000"))).unwrap();
    for folder in ["exp/kymo/traces", "exp/kymo/recovery"] {
        fs::create_dir_all(run.path(folder)).unwrap();
    }
}

/// Two killed processes, and the archive of those that ended.
fn measurement() -> Run {
    let run = Run::new();
    run.rank(&process(0, 1, &stream(&calls(1000, 30))), 0, 1);
    run.recover(&["exp", "-o", "rec/kymo"]).ends(0);
    fs::remove_file(run.path("shm/kymo-0-4000000-3e8.scratch")).unwrap();
    fs::remove_file(run.path("exp/kymo/recovery/0.note")).unwrap();
    cut_off(&run, 4_100_001, 20);
    cut_off(&run, 4_100_002, 10);
    run
}

/// Returns the numbers of events of all locations, from their definitions.
fn events(run: &Run, folder: &str) -> Vec<u64> {
    run.recovered_in(folder);
    let archive = Archive::open(run.path(folder).join("traces.otf2")).unwrap();
    let file = archive.global_definitions().unwrap();
    let mut counts: Vec<u64> = file
        .records()
        .unwrap()
        .filter_map(|record| match record.unwrap() {
            GlobalDefinition::Location(location) => Some(location.number_of_events),
            _ => None,
        })
        .collect();
    counts.sort_unstable();
    counts
}

/// They were left out.
#[test]
fn recovering_a_folder_of_record_includes_killed_processes() {
    let run = measurement();
    let before = run.files("rec");
    run.recover(&["rec"]).ends(0).reports("rec-recovered/traces.otf2");
    assert_eq!(events(&run, "rec-recovered"), [10, 20, 30]);
    assert_eq!(run.files("rec"), before);
    assert!(!run.path("rec-recovered").join("../.rec-recovered.kymo-parts").exists());
    // Without a complete archive.
    fs::remove_dir_all(run.path("rec/kymo")).unwrap();
    run.recover(&["rec", "-o", "two"]).ends(0);
    assert_eq!(events(&run, "two"), [10, 20]);
    // Only one of them.
    run.recover(&["rec/process-4100001-1000", "-o", "one"]).ends(0);
    assert_eq!(events(&run, "one"), [20]);
    // The only one in the folder.
    fs::remove_dir_all(run.path("rec/process-4100001-1000")).unwrap();
    run.recover(&["rec", "-o", "last.otf2"]).ends(0);
    assert!(run.path("last.otf2").is_file());
}

#[test]
fn a_part_that_cannot_be_recovered_is_reported() {
    let run = measurement();
    fs::remove_file(run.path("shm/kymo-0-4100001-3e8.scratch")).unwrap();
    run.recover(&["rec"]).ends(3).reports("kymo-0-4100001-3e8.scratch").reports("process-4100001-1000");
    assert_eq!(events(&run, "rec-recovered"), [10, 30]);
}

#[test]
fn clean_removes_all_parts_immediately_or_later() {
    for is_later in [false, true] {
        let run = measurement();
        if is_later {
            run.recover(&["rec"]).ends(0);
            assert_eq!(fs::read_dir(run.path("shm")).unwrap().count(), 2);
        }
        run.recover(&["rec", "--clean"]).ends(0);
        assert_eq!(events(&run, "rec-recovered"), [10, 20, 30]);
        assert_eq!(fs::read_dir(run.path("shm")).unwrap().count(), 0, "later: {is_later}");
        assert!(!run.path("rec/process-4100001-1000/kymo/recovery").exists());
        // The second time, nothing is left to do.
        run.recover(&["rec", "--clean"]).ends(2).reports("already exists");
    }
}

/// It was refused because the archive exists.
#[test]
fn clean_after_a_success_is_accepted() {
    let run = Run::new();
    run.rank(&process(0, 1, &stream(&calls(1000, 100))), 0, 1);
    run.recover(&["exp"]).ends(0);
    let before = run.files("exp-recovered");
    run.recover(&["exp", "--clean"]).ends(0).reports("already contains everything");
    assert_eq!(run.files("exp-recovered"), before);
    assert!(!run.path("exp/kymo/recovery").exists());
    assert_eq!(fs::read_dir(run.path("shm")).unwrap().count(), 0);
}

#[test]
fn clean_does_not_trust_an_existing_archive_of_other_contents() {
    // The archives: of another run; of this run, but truncated since.
    let run = Run::new();
    run.rank(&process(0, 1, &stream(&calls(1000, 100))), 0, 1);
    run.recover(&["exp"]).ends(0);
    let other = Run::new();
    let mut scratch = process(1, 1, &stream(&calls(1000, 100)));
    scratch.rank = Some(0);
    other.rank(&scratch, 0, 1);
    let mut copy = Command::new("cp");
    copy.arg("-r").args([run.path("exp-recovered"), other.path("exp-recovered")]);
    assert!(copy.status().unwrap().success());
    other.recover(&["exp", "--clean"]).ends(2).reports("already exists");
    assert!(other.path("exp/kymo/recovery/0.note").exists());
    let events = run.path("exp-recovered/traces/0.evt");
    fs::write(&events, &fs::read(&events).unwrap()[..100]).unwrap();
    run.recover(&["exp", "--clean"]).ends(2).reports("already exists");
    assert!(run.path("exp/kymo/recovery/0.note").exists());
}

/// They were listed at every call.
#[test]
fn other_runs_are_listed_only_if_nothing_is_found() {
    let run = Run::new();
    run.rank(&process(0, 1, &stream(&calls(1000, 100))), 0, 1);
    let mut other = process(0, 1, &stream(&calls(1000, 100)));
    (other.process, other.directory) = (4_200_000, "/elsewhere/kymo".into());
    run.write("shm/kymo-0-4200000-3e8.scratch", other.bytes());
    let line = "another run can be recovered";
    let result = run.recover(&["exp", "--scratch", "shm"]);
    assert!(!result.all().contains(line), "{}", result.all());
    assert!(run.recover(&["nowhere", "--scratch", "shm"]).ends(4).all().contains(line));
}
