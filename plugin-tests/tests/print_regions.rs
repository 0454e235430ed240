//! The example plugin `print_regions` counts the visits that a recording has.

mod common;

use common::{number, parsed, recorded_calls, recording};
use kymo_plugin_tests::testing::{Replay, TemporaryFolder, build_plugin};
use std::collections::BTreeMap;

/// How often each region is left while recording is on, by name.
fn recorded_visits(calls: &str) -> BTreeMap<String, u64> {
    let mut names = BTreeMap::new();
    let mut visits = BTreeMap::new();
    for call in calls.lines().map(parsed) {
        if call["type"] == "REGION" {
            names.insert(number(&call, "handle"), call["name"].as_str().expect("a name").to_owned());
        }
        if call["name"] == "EXIT_REGION" && call["table"].is_null() {
            *visits.entry(names[&number(&call, "regionHandle")].clone()).or_default() += 1;
        }
    }
    visits
}

#[test]
fn visits_are_those_of_the_recording() {
    for recording in ["user", "omp-rusage"].map(recording) {
        let plugin = build_plugin("kymo-print-regions");
        let folder = TemporaryFolder::new("print-regions");
        let replay = Replay::new(&recording, &folder.join("out")).plugins("print_regions");
        let output = replay.libraries(plugin.parent().expect("a folder")).run();
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let mut printed: BTreeMap<String, u64> = BTreeMap::new();
        for line in stdout.lines().skip(1) {
            let mut words = line.split_whitespace();
            let visits: u64 =
                words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{line}"));
            let name =
                words.skip_while(|word| word.starts_with(|c: char| c.is_ascii_digit()) || *word == "%");
            *printed.entry(name.collect::<Vec<_>>().join(" ")).or_default() += visits;
        }
        assert_eq!(printed, recorded_visits(&recorded_calls(&recording)), "{}: {stdout}", recording.name);
    }
}
