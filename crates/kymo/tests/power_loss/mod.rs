//! Loss of power while a program is measured with `SCOREP_SUBSTRATE_KYMO_SYNC`. The system calls of
//! a run are recorded, and states of the disk that may exist afterwards are built from them and
//! recovered.
//!
//! The test assumes only the guarantees of a file system: data written before an fsync of the file
//! is present, and so are names created before an fsync of the folder. Everything else is present
//! or not, in units of 512 bytes and in any order. A file may be longer than its data, and is then
//! filled with zeros.

mod disk;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::record_common::TestFolder;
use disk::{Disk, Numbers};

/// Returns the number of disk states that are recovered.
fn states() -> usize {
    if kymo_testdata::is_long() { 1000 } else { 100 }
}

/// The events of each location as text without ids, which depend on the other definitions.
type Events = BTreeMap<String, Vec<String>>;

/// Recovers the contents of a folder. Returns `None` if there is nothing to recover.
fn recover(folder: &Path, out: &Path) -> Option<Events> {
    let _ = fs::remove_dir_all(out);
    let mut command = Command::new(env!("CARGO_BIN_EXE_kymo"));
    command.args(["recover", "--leave-open"]).arg(folder).arg("-o").arg(out).env_remove("TMPDIR");
    let output = command.output().unwrap();
    match output.status.code() {
        Some(0 | 3) => {}
        Some(4) => return None,
        _ => panic!("{output:?}"),
    }
    let mut print = Command::new(env!("CARGO_BIN_EXE_kymo"));
    let printed = print.arg("print").arg(out.join("traces.otf2")).output().unwrap();
    assert!(printed.status.success(), "{printed:?}");
    let mut events = Events::new();
    for line in String::from_utf8(printed.stdout).unwrap().lines() {
        let Some(location) = line.split_whitespace().nth(1) else { continue };
        if ["ENTER", "LEAVE", "THREAD_", "PROGRAM_", "PARAMETER"].iter().any(|kind| line.starts_with(kind)) {
            let text = line.split('<').map(|part| part.split_once('>').map_or(part, |it| it.1)).collect();
            events.entry(location.to_owned()).or_default().push(text);
        }
    }
    Some(events)
}

/// Asserts that every location has at least its events in `least`, and no events that are not in
/// `all`.
#[track_caller]
fn assert_between(least: &Events, found: &Events, all: &Events, when: &str) {
    for (location, events) in found {
        let all = all.get(location).unwrap_or_else(|| panic!("{when}: location {location} is new"));
        let same = events.iter().zip(all).take_while(|(a, b)| a == b).count();
        assert_eq!(same, events.len(), "{when}: location {location}: {:?} is false", events.get(same));
    }
    for (location, least) in least {
        let found = found.get(location).map_or(0, Vec::len);
        assert!(found >= least.len(), "{when}: location {location}: {found} of {} events", least.len());
    }
}

/// Returns the log without the calls by which `kymo record` recovers the files of the program. The
/// first process is kymo, which creates its folder before the program creates one.
fn of_the_program(log: &str) -> String {
    let process = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let kymo = log.lines().next().map(process);
    let mut has_begun = false;
    let is_kept = |line: &&str| {
        let is_kymo = Some(process(line)) == kymo;
        has_begun |= !is_kymo && line.contains(" mkdir");
        !(has_begun && is_kymo)
    };
    log.lines().filter(is_kept).map(|line| format!("{line}\n")).collect()
}

/// Records the program, and returns the states of the disk and the moments of its syncs. A busy
/// machine may record with fewer syncs than are tested.
fn recorded() -> Option<(TestFolder, Disk, Vec<usize>)> {
    for _ in 0..20 {
        let place = TestFolder::new();
        let program = place.compile("cc", &["-g", "-O1", "-finstrument-functions", "-pthread"], "power.c");
        let variables = [
            ("SCOREP_SUBSTRATE_KYMO_SYNC", "0.04"),
            ("SCOREP_SUBSTRATE_KYMO_DRAIN", "0.01"),
            ("SCOREP_SUBSTRATE_KYMO_SCRATCH", place.path("").to_str().unwrap()),
        ]
        .map(|(name, value)| (name, value.to_owned()));
        let variables: Vec<(&str, &str)> =
            variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let log = place.traced(&variables, &[&program])?;
        // The memory of the node is lost in every state.
        for entry in fs::read_dir(place.path("")).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|it| it == "scratch") {
                fs::remove_file(path).unwrap();
            }
        }
        let folder = place.path("").canonicalize().unwrap().join("o");
        let disk = Disk::of(&of_the_program(&log), &folder);
        let syncs = disk.syncs();
        if syncs.len() >= 5 {
            return Some((place, disk, syncs));
        }
        eprintln!("{} syncs in {} calls", syncs.len(), disk.calls());
    }
    panic!("too few syncs each time");
}

#[test]
fn synced_events_survive_a_loss_of_power() {
    let Some((place, disk, syncs)) = recorded() else { return };
    let (state, out) = (place.path("state"), place.path("out"));
    // Nothing is lost, and the node keeps running.
    disk.write_whole(disk.calls(), false, &state);
    let all = recover(&disk.part(&state), &out).expect("events");
    let least: Vec<Events> = syncs
        .iter()
        .map(|&sync| {
            disk.write_whole(sync, true, &state);
            recover(&disk.part(&state), &out).expect("events")
        })
        .collect();
    let count = |events: &Events| events.values().map(Vec::len).sum::<usize>();
    // How much of the end was not drained depends on the machine.
    assert!(count(&all) > count(&least[0]) && count(&least[0]) > 0, "{} {}", count(&all), count(&least[0]));
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let (mut before, mut kept) = (0, 0);
    let states = states();
    for number in 0..states {
        let crash = numbers.below(disk.calls()) + 1;
        disk.write_crashed(crash, &mut numbers, &state);
        let found = recover(&disk.part(&state), &out).unwrap_or_default();
        let done = syncs.iter().take_while(|&&sync| sync <= crash).count();
        let nothing = Events::new();
        let least = done.checked_sub(1).map_or(&nothing, |last| &least[last]);
        assert_between(least, &found, &all, &format!("state {number}, after call {crash}"));
        before += usize::from(done == 0);
        kept += count(&found);
    }
    eprintln!(
        "{states} states, {before} of them before the first sync; {} events kept on average",
        kept / states
    );
}
