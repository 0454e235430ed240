//! Children forked while threads record (`c-hosts/races.c`), in a loop: they change no byte of the
//! parent's archive.
//!
//! Events of the parent have consecutive timestamps, so one that is missing, duplicated or foreign
//! is detected. `KYMO_RACES=10000` sets the number of children.

use std::process::Command;

use kymo_otf2::events::Event;
use kymo_otf2::read::{Archive, Options};
use kymo_plugin_tests::testing::{TemporaryFolder, build_plugin, compile_host, kymo_check};

#[test]
fn children_do_not_change_their_parents_archive() {
    let folder = TemporaryFolder::new("races");
    let scratch = TemporaryFolder::in_memory("races");
    let races = std::env::var("KYMO_RACES").unwrap_or_else(|_| "300".to_owned());
    let mut command = Command::new(compile_host("races.c"));
    command.arg(build_plugin("kymo-plugin")).arg(folder.join("out")).arg("fork_races");
    command.env("SCOREP_SUBSTRATE_KYMO_SCRATCH", &*scratch).env("KYMO_RACES", &races);
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert_eq!(output.status.code(), Some(7), "{}\n{stderr}", output.status);
    assert!(stderr.lines().all(|line| line.starts_with("kymo: ")), "{stderr}");
    assert_eq!(std::fs::read_dir(&*scratch).expect("the folder").count(), 0, "a scratch file is left");

    let anchor = folder.join("out/kymo/traces.otf2");
    // Each location counts on its own.
    kymo_check(&anchor, &["time-outside", "outside-program"])
        .unwrap_or_else(|what| panic!("{what}\n{stderr}"));
    let archive = Archive::open_with(&anchor, Options { clock_correction: false, ..Options::default() });
    let archive = archive.expect("an archive");
    let lasts: Vec<u64> = stdout.lines().map(|line| line.parse().expect("a number")).collect();
    let locations = archive.locations().expect("locations");
    assert_eq!(locations.len(), lasts.len());
    for (location, last) in locations.into_iter().zip(lasts) {
        check(&archive, location, last);
    }
}

/// Checks that the events of a location have consecutive timestamps up to `last`, and that enters
/// and leaves alternate.
fn check(archive: &Archive, location: u64, last: u64) {
    let mut events = archive.events(location).expect("events");
    let (mut expected, mut is_inside) = (None, false);
    while let Some(event) = events.next().expect("an event") {
        match event.record {
            Event::Enter(_) | Event::Leave(_) => {
                assert_eq!(matches!(event.record, Event::Leave(_)), is_inside, "at {}", event.time);
                is_inside = !is_inside;
            }
            // The program's begin and end, and flushes of the plugin.
            _ => {}
        }
        if !matches!(event.record, Event::BufferFlush(_)) {
            assert_eq!(event.time, expected.unwrap_or(event.time), "location {location}");
            expected = Some(event.time + 1);
        }
    }
    let end = expected.expect("events");
    assert_eq!(end, last + 1, "location {location}");
}
