//! The example plugin `print_regions` prints the events of a recording, line by line.

use crate::common::{number, parsed, recorded_calls, recording};
use kymo_plugin_tests::testing::{Replay, TemporaryFolder, build_plugin};
use std::collections::HashMap;

/// Returns the lines for the enters, exits and recording switches of a recording.
fn expected(calls: &str) -> Vec<String> {
    let (mut regions, mut locations, mut depths) = (HashMap::new(), HashMap::new(), HashMap::new());
    let mut lines = Vec::new();
    for call in calls.lines().map(parsed) {
        let name = || call["name"].as_str().expect("a name").to_owned();
        match call["call"].as_str().expect("a call") {
            "new_definition_handle" if call["type"] == "REGION" => {
                regions.insert(number(&call, "handle"), name());
            }
            "create_location" => {
                locations.insert(number(&call, "location"), name());
            }
            "event" if call["table"].is_null() => {
                let place = number(&call, "location");
                let depth: &mut i64 = depths.entry(place).or_default();
                let region = || regions[&number(&call, "regionHandle")].clone();
                let what = match name().as_str() {
                    "ENTER_REGION" => {
                        *depth += 1;
                        format!(">{depth} Enter {}", region())
                    }
                    "EXIT_REGION" => {
                        *depth -= 1;
                        format!(">{} Exit {}", *depth + 1, region())
                    }
                    "ENABLE_RECORDING" => "Recording on".to_owned(),
                    "DISABLE_RECORDING" => "Recording off".to_owned(),
                    _ => continue,
                };
                lines.push(format!("{}: {} {what}", number(&call, "timestamp"), locations[&place]));
            }
            _ => {}
        }
    }
    lines
}

#[test]
fn every_enter_exit_and_switch_is_printed() {
    for recording in ["user", "omp-rusage"].map(recording) {
        let plugin = build_plugin("kymo-print-regions");
        let folder = TemporaryFolder::new("print-regions");
        let replay = Replay::new(&recording, &folder.join("out")).plugins("print_regions");
        let output = replay.libraries(plugin.parent().expect("a folder")).run();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let stdout = String::from_utf8_lossy(&output.stdout);
        let expected = expected(&recorded_calls(&recording));
        assert!(!expected.is_empty());
        assert!(stdout.lines().eq(expected.iter().map(String::as_str)), "{}: {stdout}", recording.name);
    }
}
