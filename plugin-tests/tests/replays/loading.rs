//! The plugins that are loaded, and the treatment of invalid ones.

use crate::common::{Logged, recording};
use kymo_plugin_tests::testing::{Replay, TemporaryFolder, compile_plugin};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Output;

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn every_call_goes_to_all_plugins_in_order() {
    let logged = Logged::new("first", &[]);
    compile_plugin("second", "log.c", &[]);
    logged.replay(&recording("user"), "second,first,second").succeed();
    let calls = logged.calls();
    assert_eq!(calls.len() % 2, 0);
    for pair in calls.chunks(2) {
        let [mut second, mut first] = [pair[0].clone(), pair[1].clone()];
        assert_eq!((&second["plugin"], &first["plugin"]), (&"second".into(), &"first".into()));
        if second["call"] == "assign_id" {
            assert_eq!((&second["id"], &first["id"]), (&0.into(), &1.into()));
            second["id"] = 1.into();
        }
        second["plugin"] = "first".into();
        first["plugin"] = "first".into();
        assert_eq!(second, first);
    }
}

#[test]
fn every_character_of_the_separator_separates() {
    let logged = Logged::new("separated", &[]);
    let replay = logged.replay(&recording("user"), "separated;missing:also");
    let output = replay.env("SCOREP_SUBSTRATE_PLUGINS_SEP", ":;").run();
    assert!(output.status.success());
    assert!(
        stderr(&output).contains("`missing`") && stderr(&output).contains("`also`"),
        "{}",
        stderr(&output)
    );
    assert!(!logged.calls().is_empty());
}

#[test]
fn a_missing_plugin_is_skipped_with_a_warning() {
    let logged = Logged::new("present", &[]);
    let output = logged.replay(&recording("user"), "absent,present").run();
    assert!(output.status.success());
    let expected = "kymo-replay: warning: cannot load the substrate plugin `absent`";
    assert!(stderr(&output).starts_with(expected), "{}", stderr(&output));
    assert_eq!(stderr(&output).lines().count(), 1);
    assert!(logged.calls().iter().any(|call| call["call"] == "finalize"));
}

#[test]
fn a_library_without_the_entry_is_skipped_with_a_warning() {
    let libraries = compile_plugin("misnamed", "empty.c", &[]);
    let out = TemporaryFolder::new("misnamed");
    let output = Replay::new(&recording("user"), &out).plugins("misnamed").libraries(&libraries).run();
    assert!(output.status.success());
    assert!(stderr(&output).contains("`misnamed` has no entry"), "{}", stderr(&output));
}

#[test]
fn a_plugin_may_implement_nothing() {
    let libraries = compile_plugin("empty", "empty.c", &[]);
    let out = TemporaryFolder::new("empty");
    Replay::new(&recording("omp-rusage"), &out).plugins("empty").libraries(&libraries).succeed();
}

#[test]
fn a_plugin_whose_init_fails_is_dropped() {
    let logged = Logged::new("failing", &["INIT_RESULT=7"]);
    compile_plugin("working", "log.c", &[]);
    let output = logged.replay(&recording("user"), "failing,working").run();
    assert!(output.status.success());
    assert!(stderr(&output).contains("`failing` is not used: its init returned 7"), "{}", stderr(&output));
    let calls = logged.calls();
    let of_failing: Vec<_> = calls.iter().filter(|call| call["plugin"] == "failing").collect();
    assert_eq!(of_failing.len(), 1, "{of_failing:?}");
    // The plugins are numbered without it.
    let assigned = calls.iter().find(|call| call["call"] == "assign_id").expect("assign_id");
    assert_eq!(assigned["id"], 0);
}

#[test]
fn a_newer_plugin_is_loaded_with_a_warning() {
    let logged = Logged::new("newer", &["VERSION=4"]);
    let output = logged.replay(&recording("user"), "newer").run();
    assert!(output.status.success());
    assert!(stderr(&output).contains("version 4"), "{}", stderr(&output));
    assert!(logged.calls().iter().any(|call| call["call"] == "event"));
}

#[test]
fn a_short_array_is_read_only_to_its_end() {
    // Up to the enter, without the exit.
    let logged = Logged::new("short", &["EVENTS=5"]);
    logged.replay(&recording("user"), "short").succeed();
    let calls = logged.calls();
    let named =
        |name: &str| calls.iter().filter(|call| call["name"] == name && call["call"] == "event").count();
    assert!(named("ENTER_REGION") > 0);
    assert_eq!((named("EXIT_REGION"), named("PROGRAM_BEGIN")), (0, 0));
}

#[test]
fn the_rest_of_a_long_array_is_ignored_with_a_warning_per_mode() {
    let logged = Logged::new("long", &["EVENTS=90"]);
    let output = logged.replay(&recording("user"), "long").run();
    assert!(output.status.success());
    let warnings = stderr(&output).lines().filter(|line| line.contains("events from 83 on")).count();
    assert_eq!(warnings, 2, "{}", stderr(&output));
    assert_eq!(logged.calls().len(), 287);
}

#[test]
fn the_directory_exists_only_if_a_plugin_requires_it() {
    let logged = Logged::new("frugal", &["REQUIRES=0"]);
    logged.replay(&recording("user"), "frugal").succeed();
    assert!(!logged.out().exists());
    let calls = logged.calls();
    assert!(calls.iter().all(|call| call["call"] != "dump_manifest"));
    let mpp = calls.iter().find(|call| call["call"] == "init_mpp").expect("init_mpp");
    assert_eq!(mpp["experiment_dir_set"], "no");
}

#[test]
fn the_manifest_contains_the_additions_of_plugins() {
    let logged = Logged::new("listed", &[]);
    logged.replay(&recording("user"), "listed").succeed();
    let manifest = fs::read_to_string(logged.out().join("MANIFEST.md")).expect("a manifest");
    assert!(manifest.contains("## listed\n\n* `log`: 7 lines of text, 0.25 each\n"), "{manifest}");
}

#[test]
fn definitions_cannot_be_read_after_write_data() {
    let logged = Logged::new("late", &["AFTER_WRITE_DATA=1"]);
    let output = logged.replay(&recording("user"), "late").run();
    assert_eq!(output.status.signal(), Some(6), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("SCOREP_SourceFileHandle_GetName: expected a handle"),
        "{}",
        stderr(&output)
    );
}
