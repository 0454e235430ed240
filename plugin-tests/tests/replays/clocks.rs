//! Programs with several ranks whose timestamps come from another time and machine.

use kymo_plugin_tests::testing::synthetic::rank::{MAIN, program, write};
use kymo_plugin_tests::testing::{Replay, TemporaryFolder, build_plugin};

/// Replays a program of five ranks that do little; returns its folder and the output on standard
/// error.
fn replayed(test: &str, verbose: &str) -> (TemporaryFolder, String) {
    let folder = TemporaryFolder::new(test);
    let ranks = program(5, |rank| {
        rank.init_mpi();
        rank.visit(MAIN, "work");
    });
    let recording = folder.join("recording");
    std::fs::create_dir(&recording).expect("a folder");
    write(&ranks, &recording);
    let plugin = build_plugin("kymo-plugin");
    let replay = Replay::of_folder(&recording, &folder.join("out")).plugins("kymo");
    let replay = replay.libraries(plugin.parent().expect("a folder")).env("SCOREP_VERBOSE", verbose);
    kymo_testdata::require_shared_memory();
    let output = replay.run();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}\n{stderr}", output.status);
    (folder, stderr)
}

#[test]
fn one_rank_reports_that_the_timestamps_fit_no_clock() {
    let (_folder, stderr) = replayed("clocks-verbose", "true");
    assert_eq!(stderr.matches("the timestamps fit no clock").count(), 1, "{stderr}");
    let (_folder, stderr) = replayed("clocks-silent", "false");
    assert_eq!(stderr, "");
}

#[test]
fn timestamps_that_fit_no_clock_are_not_corrected() {
    let (folder, _) = replayed("clocks-offsets", "false");
    let anchor = folder.join("out/kymo/traces.otf2");
    let output =
        kymo_testdata::program("otf2-print").arg("-C").arg(anchor).output().expect("running otf2-print");
    let print = String::from_utf8_lossy(&output.stdout);
    let offsets: Vec<&str> = print.lines().filter(|line| line.starts_with("CLOCK_OFFSET ")).collect();
    assert!(output.status.success() && offsets.len() >= 2 * 5, "{print}");
    assert!(offsets.iter().all(|line| line.contains("Offset: +0,")), "{print}");
}
