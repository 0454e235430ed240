//! The content of archives, checked with `kymo check`, the reference's printer and counts known in
//! advance.

use crate::common::{Run, names};
use kymo_plugin_tests::testing::{Archive, otf2_print};
use std::path::Path;

const MAIN: u64 = 0;

fn location(number: u64) -> u64 {
    number << 32
}

#[test]
fn regions_values_and_jumps_are_recorded() {
    let archive = Run::new("regions", &["region", "values", "jump", "open"]).measured();
    assert_eq!(archive.entered(MAIN), ["outer", "inner", "outer", "jumped out of", "left open"]);
    let count = |kind| archive.count(MAIN, kind);
    assert_eq!((count("ENTER"), count("LEAVE"), count("METRIC")), (5, 5, 1));
    assert_eq!((count("PARAMETER_INT64"), count("PARAMETER_STRING")), (1, 1));
}

#[test]
fn threads_are_locations_and_a_communicator() {
    let archive = Run::new("threads", &["threads"]).measured();
    assert_eq!((archive.count(MAIN, "THREAD_CREATE"), archive.count(MAIN, "THREAD_WAIT")), (4, 4));
    for thread in 1..=4 {
        assert_eq!(archive.entered(location(thread)), ["in a thread"; 3]);
        assert_eq!(archive.count(location(thread), "THREAD_END"), 1);
    }
    let members = archive.of_kind("GROUP").filter(|group| group.contains("5 Members")).count();
    assert_eq!((members, archive.of_kind("COMM").count()), (2, 1));
}

#[test]
fn a_thread_that_is_still_running_is_closed_at_the_end() {
    let archive = Run::new("endless", &["endless"]).measured();
    let thread = location(1);
    assert_eq!(archive.count(thread, "ENTER"), archive.count(thread, "LEAVE"));
    assert_eq!((archive.count(thread, "THREAD_END"), archive.count(MAIN, "PROGRAM_END")), (1, 1));
}

#[test]
fn threads_that_were_not_announced_are_recorded() {
    let archive = Run::new("orphans", &["orphan"]).measured();
    assert_eq!(archive.entered(location(1)), ["in an orphan"]);
}

#[test]
fn nothing_is_recorded_while_recording_is_off() {
    let archive = Run::new("off", &["region", "off", "region", "on", "region"]).measured();
    assert_eq!(archive.entered(MAIN), ["outer", "inner", "outer", "inner"]);
    assert_eq!(archive.count(MAIN, "MEASUREMENT_ON_OFF"), 2);
}

#[test]
fn a_measurement_ends_on_request() {
    let archive = Run::new("end", &["region", "end", "region"]).measured();
    assert_eq!((archive.count(MAIN, "ENTER"), archive.count(MAIN, "PROGRAM_END")), (2, 1));
}

#[test]
fn a_child_measures_itself_without_changing_its_parent() {
    let mut run = Run::new("fork", &["region", "fork", "region"]);
    run.succeed();
    let directories = run.directories();
    let [parent, child] = directories.as_slice() else { panic!("{directories:?}") };
    assert!(parent == "measured" && child.starts_with("measured-process-"), "{directories:?}");
    let entered = |directory: &str| -> Vec<String> {
        let archive: Archive = run.archive(Path::new(directory));
        archive.entered(MAIN).into_iter().map(str::to_owned).collect()
    };
    assert_eq!(entered(parent), ["outer", "inner", "outer", "inner"]);
    assert_eq!(entered(child), ["in a child"]);
}

#[test]
fn children_are_not_measured_if_switched_off() {
    let mut run = Run::new("no-children", &["fork"]).env("KYMO_RECORD_CHILDREN", "no");
    run.succeed();
    assert_eq!(run.directories(), ["measured"]);
}

#[test]
fn processes_of_a_tree_have_adjacent_folders() {
    let mut run = Run::new("tree", &["fork"]).env("KYMO_RECORD_DIRECTORY", "tree");
    run.succeed();
    let folder = run.folder.join("tree");
    let all = names(&folder);
    assert!(all.len() == 2 && all.iter().all(|name| name.starts_with("process-")), "{all:?}");
    let resolution = |process: &String| {
        let printed = otf2_print(&folder.join(process).join("kymo/traces.otf2"));
        let (_, clock) = printed.split_once("Ticks per Seconds: ").expect("a clock");
        clock.split(',').next().expect("a number").to_owned()
    };
    assert_eq!(resolution(&all[0]), resolution(&all[1]));
}

#[test]
fn an_earlier_directory_of_the_same_name_is_kept() {
    let mut run = Run::new("again", &["region"]);
    run.succeed();
    run.succeed();
    let directories = run.directories();
    assert!(
        directories.len() == 2 && directories.iter().all(|name| name.starts_with("measured")),
        "{directories:?}"
    );
    directories
        .iter()
        .for_each(|directory| assert_eq!(run.archive(Path::new(directory)).count(MAIN, "ENTER"), 2));
}

#[test]
fn definitions_without_room_are_reported_once_and_dropped() {
    let mut run = Run::new("full", &["many"]).env("SCOREP_TOTAL_MEMORY", "1M");
    let output = run.output();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{stderr}", output.status);
    assert_eq!(stderr.matches("SCOREP_TOTAL_MEMORY").count(), 1, "{stderr}");
    let archive = run.archive(Path::new("measured"));
    let (entered, left) = (archive.count(MAIN, "ENTER"), archive.count(MAIN, "LEAVE"));
    assert!(entered == left && entered > 1000, "{entered} enters, {left} leaves");
}

#[test]
fn a_program_that_cannot_be_measured_runs_normally() {
    let mut run =
        Run::new("nothing", &["region", "threads", "fork"]).env("SCOREP_SUBSTRATE_PLUGINS", "missing");
    let output = run.output();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && stderr.contains("`missing` is not used"),
        "{}\n{stderr}",
        output.status
    );
    assert!(run.directories().is_empty());
}

#[test]
fn an_aborted_program_leaves_recoverable_data() {
    let mut run = Run::new("abort", &["region", "abort"]);
    assert!(!run.output().status.success());
    assert!(run.folder.join("measured/running").exists());
}
