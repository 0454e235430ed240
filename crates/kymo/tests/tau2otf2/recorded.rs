//! Traces that TAU wrote, with the callbacks of its reader and the output of its converter.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use kymo_tau::{Layout, Thread};
use tempfile::TempDir;

use super::content::{Converted, Events, WordedEvent, convert, converted};
use crate::check_common::kymo;

/// Folders with traces that TAU or its library wrote.
fn recorded() -> Vec<PathBuf> {
    let cases = kymo_testdata::cases("tau").into_iter();
    let cases: Vec<_> = cases.filter(|folder| folder.join("tau.trc").is_file()).collect();
    assert!(cases.len() >= 9, "only {cases:?}");
    cases
}

/// Returns the events of the callbacks of the TAU reader. Their times count from the first record,
/// whose time is given.
fn expected_events(callbacks: &str, first_time: u64) -> Events {
    let mut names: HashMap<&str, &str> = HashMap::new();
    let mut events = Events::new();
    for line in callbacks.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |field: usize| fields[field].parse::<u32>().expect("a number");
        let name = |id: &str| names[id].to_owned();
        let (place, what) = match fields[0] {
            "DefState" | "DefUserEvent" => {
                let quoted = fields[2].strip_prefix('"').and_then(|name| name.strip_suffix('"'));
                names.insert(fields[1], quoted.expect("a name in quotes"));
                continue;
            }
            "EnterState" => ((number(2), number(3)), WordedEvent::Enter(name(fields[4]))),
            "LeaveState" => ((number(2), number(3)), WordedEvent::Leave(name(fields[4]))),
            "SendMessage" => {
                ((number(2), number(3)), WordedEvent::Send(number(4), number(7), number(6).into(), number(8)))
            }
            "RecvMessage" => (
                (number(4), number(5)),
                WordedEvent::Receive(number(2), number(7), number(6).into(), number(8)),
            ),
            "EventTrigger" => {
                let value = fields[5].parse().expect("a value");
                ((number(2), number(3)), WordedEvent::Value(name(fields[4]), value))
            }
            _ => continue,
        };
        let time = fields[1].parse::<f64>().expect("a time") as i64;
        events.entry(place).or_default().push((first_time.wrapping_add_signed(time), what));
    }
    events.values_mut().for_each(|events| events.sort_by_key(|&(time, _)| time));
    events
}

fn first_time(trace: &Path) -> u64 {
    let bytes = fs::read(trace).expect("bytes");
    u64::from_le_bytes(*bytes[16..].first_chunk().expect("a record"))
}

fn same(found: &Events, expected: &Events, what: &Path) {
    for (place, expected) in expected {
        let found = &found[place];
        let difference = found.iter().zip(expected).position(|(found, expected)| found != expected);
        if let Some(at) = difference {
            panic!("{}: {place:?}: event {at}: {:?}, expected {:?}", what.display(), found[at], expected[at]);
        }
        assert_eq!(found.len(), expected.len(), "{}: {place:?}", what.display());
    }
    let others = found.iter().filter(|(place, _)| !expected.contains_key(place));
    assert!(others.clone().all(|(_, events)| events.is_empty()), "{}: events of others", what.display());
}

#[test]
fn archives_match_the_callbacks_of_taus_reader() {
    for case in recorded() {
        let callbacks = fs::read_to_string(case.join("callbacks.txt")).expect("callbacks");
        let expected = expected_events(&callbacks, first_time(&case.join("tau.trc")));
        for trace in ["tau.trc", "tau.be32.trc", "tau.le64.trc", "tau.be64.trc"] {
            if case.join(trace).is_file() {
                let archive = converted(&case.join(trace), &case.join("tau.edf"));
                same(&archive.events(), &expected, &case.join(trace));
            }
        }
    }
}

/// Parses an event line of otf2-print: location, time, and the fields that the TAU converter gets
/// right.
fn printed(line: &str, threads: u32) -> Option<(u64, u64, String)> {
    let (kind, rest) = line.split_once(' ')?;
    let mut words = rest.split_whitespace();
    let (location, time) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let attribute = |name: &str| {
        let (_, value) = line.split_once(name)?;
        Some(value.split([',', ' ', ')']).next().unwrap_or_default().to_owned())
    };
    let what = match kind {
        // The name is in quotes and followed by the id.
        "ENTER" | "LEAVE" => line.split_once("Region: ")?.1.rsplit_once(" <")?.0.to_owned(),
        "MPI_SEND" | "MPI_RECV" => {
            // The converter writes a location here, which identifies the node if all nodes have the
            // same number of threads.
            let partner: u32 = attribute("Receiver: ").or(attribute("Sender: "))?.parse().ok()?;
            let node = partner / threads;
            format!("{node} {} {}", attribute("Tag: ")?, attribute("Length: ")?)
        }
        // The converter writes wrong names, and values without a sign.
        "METRIC" => {
            let value = line.rsplit_once("64; ")?.1.trim_end_matches(')');
            let value = value.parse::<i64>().or(value.parse::<u64>().map(|value| value as i64)).ok()?;
            format!("{} {value}", attribute("Metric: ")?)
        }
        other => panic!("{other}"),
    };
    Some((location, time, format!("{kind} {what}")))
}

/// Returns the events by location. Events at the same time are in file order.
fn by_location(print: &str, threads: u32) -> BTreeMap<u64, Vec<(u64, String)>> {
    let (_, events) = print.split_once("=== Events ").expect("events");
    let mut all: BTreeMap<u64, Vec<_>> = BTreeMap::new();
    for (location, time, what) in events.lines().skip(3).filter_map(|line| printed(line, threads)) {
        all.entry(location).or_default().push((time, what));
    }
    all
}

#[test]
fn events_match_those_of_taus_converter() {
    let mut compared = 0;
    for case in recorded() {
        let Ok(reference) = fs::read_to_string(case.join("otf2-print.txt")) else { continue };
        let archive = converted(&case.join("tau.trc"), &case.join("tau.edf"));
        let output = kymo().args(["print", "-A"]).arg(archive.anchor()).output().expect("running kymo");
        let found = String::from_utf8(output.stdout).expect("text");
        let threads = if case.ends_with("writer-messages") { 2 } else { 1 };
        let (found, mut expected) = (by_location(&found, 1), by_location(&reference, threads));
        expected.values_mut().for_each(|events| events.sort_by_key(|&(time, _)| time));
        assert!(!expected.is_empty());
        assert_eq!(found, expected, "{}", case.display());
        compared += 1;
    }
    assert!(compared >= 8, "only {compared} cases");
}

/// The edge cases whose records are all sound.
#[test]
fn edge_cases() {
    let data = kymo_testdata::own("tau");
    let index = fs::read_to_string(data.join("edge/INDEX.md")).expect("the table of edge cases");
    let mut compared = 0;
    for cells in index.lines().skip(2).map(|line| line.split('|').map(str::trim).collect::<Vec<_>>()) {
        let case = data.join("edge").join(cells[1]);
        let folder = TempDir::new().expect("a folder");
        let output = convert(&case.join("tau.trc"), &case.join("tau.edf"), &folder.path().join("out"));
        let callbacks = fs::read_to_string(case.join("callbacks.txt")).expect("callbacks");
        match output.status.code() {
            Some(0 | 3) => {
                let archive = Converted::read(folder);
                // Events can be compared exactly if the reader was run without arguments and is
                // right, and the conversion printed no message.
                let whole = cells[3].is_empty() && cells[5] == "yes" && output.stderr.is_empty();
                if whole && cells[1].starts_with("layout-") {
                    // Their first time is that of the same records in the usual layout.
                    let expected = expected_events(&callbacks, first_time(&data.join("edge/plain/tau.trc")));
                    same(&archive.events(), &expected, &case);
                } else if whole && !cells[1].contains("64") {
                    same(
                        &archive.events(),
                        &expected_events(&callbacks, first_time(&case.join("tau.trc"))),
                        &case,
                    );
                    compared += 1;
                }
            }
            Some(1) => {
                assert!(
                    ["edf-not-dynamic", "edf-header-only-number"].contains(&cells[1]),
                    "{}",
                    case.display()
                );
                let message = String::from_utf8_lossy(&output.stderr);
                assert!(message.contains("tau.edf: byte 0: expected"), "{message}");
            }
            other => panic!("{}: {other:?} {output:?}", case.display()),
        }
    }
    assert!(compared >= 20, "only {compared} cases");
}

/// A recorded trace split into the files of its threads and merged again.
#[test]
fn a_recorded_trace_can_be_split_and_merged() {
    let data = kymo_testdata::own("tau");
    for case in ["mpi-4", "pthread", "counters"].map(|case| data.join(case)) {
        let merged = converted(&case.join("tau.trc"), &case.join("tau.edf"));
        let folder = TempDir::new().expect("a folder");
        let mut parts: BTreeMap<Thread, Vec<u8>> = BTreeMap::new();
        for record in fs::read(case.join("tau.trc")).expect("bytes").chunks(24) {
            let thread = Layout::Le32.decode(record).expect("a record").thread;
            parts.entry(thread).or_default().extend(record);
        }
        for (Thread { node, thread }, part) in &parts {
            fs::write(folder.path().join(format!("tautrace.{node}.0.{thread}.trc")), part).expect("writing");
            fs::copy(case.join("tau.edf"), folder.path().join(format!("events.{node}.edf"))).expect("a copy");
        }
        let out = TempDir::new().expect("a folder");
        let output = kymo()
            .args(["tau2otf2", "--merge"])
            .arg(folder.path())
            .arg(out.path().join("out"))
            .output()
            .expect("running kymo");
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let found = Converted::read(out);
        assert_eq!(found.events(), merged.events(), "{}", case.display());
        assert_eq!(found.definitions().clock, merged.definitions().clock);
    }
}
