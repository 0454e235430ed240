//! `kymo tau2otf2`: the archive has what TAU's reader tells of the trace, and what TAU's converter writes where that is right.

mod check_common;
#[path = "../../tau/tests/common/mod.rs"]
mod traces;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use check_common::{check, kymo};
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::{GroupType, MetricMode, Paradigm};
use kymo_otf2::events::Event;
use kymo_otf2::read::Archive;
use kymo_tau::{Layout, Message, Record, Thread, Writer};
use tempfile::TempDir;
use traces::{MAIN, Pair, START, bytes, record, records};

fn run(arguments: &[&Path]) -> Output {
    kymo().arg("tau2otf2").args(arguments).output().expect("running kymo")
}

fn convert(trace: &Path, event_file: &Path, output: &Path) -> Output {
    run(&[trace, event_file, output])
}

/// Converts; nothing must be strange, and `kymo check` must not find anything.
#[track_caller]
fn converted(trace: &Path, event_file: &Path) -> Converted {
    let folder = TempDir::new().expect("a folder");
    let output = convert(trace, event_file, &folder.path().join("out"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*stderr), (Some(0), ""), "{}", trace.display());
    Converted::read(folder)
}

/// An event in words, ids replaced by names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Enter(String),
    Leave(String),
    /// Partner's node, tag, length, communicator.
    Send(u32, u32, u64, u32),
    Receive(u32, u32, u64, u32),
    Value(String, i64),
}

/// Events by node and thread, in order.
type Events = BTreeMap<(u32, u32), Vec<(u64, What)>>;

struct Converted {
    folder: TempDir,
    archive: Archive,
}

impl Converted {
    #[track_caller]
    fn read(folder: TempDir) -> Converted {
        let anchor = folder.path().join("out.otf2");
        let report = check(&anchor, &[]);
        assert_eq!((report.status, report.findings.len()), (0, 0), "{}", report.messages());
        let archive = Archive::open(&anchor).expect("an archive");
        Converted { folder, archive }
    }

    fn anchor(&self) -> PathBuf {
        self.folder.path().join("out.otf2")
    }

    fn definitions(&self) -> Definitions {
        Definitions::read(&self.archive)
    }

    fn events(&self) -> Events {
        let definitions = self.definitions();
        let mut all = Events::new();
        for (&location, &place) in &definitions.places {
            let mut events = self.archive.events(location).expect("events");
            let mut of_place = Vec::new();
            while let Some(event) = events.next().expect("an event") {
                of_place.push((event.time, definitions.what(&event.record)));
            }
            assert_eq!(of_place.len() as u64, definitions.counts[&location], "number of events");
            all.insert(place, of_place);
        }
        all
    }
}

/// Definitions, by what they are for.
#[derive(Debug, Default)]
struct Definitions {
    strings: HashMap<u32, String>,
    regions: BTreeMap<u32, String>,
    canonical: BTreeMap<String, (String, String, u32, u32)>,
    metrics: BTreeMap<u32, (String, MetricMode)>,
    groups: BTreeMap<String, Vec<String>>,
    /// Node and thread of a location.
    places: BTreeMap<u64, (u32, u32)>,
    counts: BTreeMap<u64, u64>,
    /// Nodes by rank.
    ranks: Vec<u32>,
    communicators: Vec<String>,
    clock: (u64, u64, u64),
}

impl Definitions {
    fn read(archive: &Archive) -> Definitions {
        let mut it = Definitions::default();
        let file = archive.global_definitions().expect("definitions");
        let mut nodes: HashMap<u32, u32> = HashMap::new();
        for record in file.records().expect("records") {
            let string = |id: kymo_otf2::references::StringRef| it.strings[&id.0].clone();
            match record.expect("a record") {
                GlobalDefinition::String(text) => {
                    let known = it.strings.values().any(|known| *known == text.string.to_string());
                    assert!(!known, "the string {} is there twice", text.string);
                    it.strings.insert(text.id.0, text.string.to_string());
                }
                GlobalDefinition::ClockProperties(clock) => {
                    assert_eq!(clock.timer_resolution, 1_000_000);
                    it.clock = (clock.global_offset, clock.trace_length, clock.realtime_timestamp);
                }
                GlobalDefinition::Region(region) => {
                    let position = (
                        string(region.canonical_name),
                        string(region.source_file),
                        region.begin_line_number,
                        region.end_line_number,
                    );
                    it.canonical.insert(string(region.name), position);
                    it.regions.insert(region.id.0, string(region.name));
                }
                GlobalDefinition::MetricMember(member) => {
                    it.metrics.insert(member.id.0, (string(member.name), member.metric_mode));
                }
                GlobalDefinition::LocationGroup(group) => {
                    let name = string(group.name);
                    let number = name.strip_prefix("Process ").expect("the name of a process");
                    nodes.insert(group.id.0, number.parse().expect("its number"));
                }
                GlobalDefinition::Location(location) => {
                    let name = string(location.name);
                    let thread = name.strip_prefix("Thread ").map_or(0, |it| it.parse().expect("a number"));
                    it.places.insert(location.id.0, (nodes[&location.location_group.0], thread));
                    it.counts.insert(location.id.0, location.number_of_events);
                }
                GlobalDefinition::Group(group) if group.group_type == GroupType::COMM_LOCATIONS => {
                    assert_eq!(group.paradigm, Paradigm::MPI);
                    it.ranks = group.members.iter().map(|location| it.places[&location].0).collect();
                }
                GlobalDefinition::Group(group) if group.group_type == GroupType::REGIONS => {
                    let members = group.members.iter().map(|region| it.regions[&(region as u32)].clone());
                    it.groups.insert(string(group.name), members.collect());
                }
                GlobalDefinition::Comm(comm) => {
                    assert_eq!(comm.id.0 as usize, it.communicators.len());
                    it.communicators.push(string(comm.name));
                }
                _ => {}
            }
        }
        it
    }

    fn communicator(&self, id: u32) -> u32 {
        match self.communicators[id as usize].strip_prefix("Communicator ") {
            Some(number) => number.parse().expect("a number"),
            None => 0,
        }
    }

    fn what(&self, event: &Event<'_>) -> What {
        match event {
            Event::Enter(enter) => What::Enter(self.regions[&enter.region.0].clone()),
            Event::Leave(leave) => What::Leave(self.regions[&leave.region.0].clone()),
            Event::MpiSend(it) => {
                let communicator = self.communicator(it.communicator.0);
                What::Send(self.ranks[it.receiver as usize], it.msg_tag, it.msg_length, communicator)
            }
            Event::MpiRecv(it) => {
                let communicator = self.communicator(it.communicator.0);
                What::Receive(self.ranks[it.sender as usize], it.msg_tag, it.msg_length, communicator)
            }
            Event::Metric(metric) => {
                let value = metric.metric_values.iter().next().expect("a value");
                What::Value(self.metrics[&metric.metric.0].0.clone(), value.bits as i64)
            }
            other => panic!("{other:?}"),
        }
    }
}

/// The folder of TAU's traces, if it is there.
fn data() -> Option<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/tau");
    if data.is_dir() {
        return Some(data);
    }
    assert!(std::env::var_os("CI").is_none(), "{} is missing", data.display());
    eprintln!("{} is missing: traces that TAU wrote are not converted", data.display());
    None
}

/// Folders with traces that TAU or its library wrote.
fn recorded(data: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(data).expect("cases").map(|entry| entry.expect("a case").path());
    let mut cases: Vec<_> = folders.filter(|folder| folder.join("tau.trc").is_file()).collect();
    cases.sort();
    assert!(cases.len() >= 9, "only {cases:?}");
    cases
}

/// What TAU's reader told of a trace, with the time of the first record, which its times count from.
fn told(callbacks: &str, first_time: u64) -> Events {
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
            "EnterState" => ((number(2), number(3)), What::Enter(name(fields[4]))),
            "LeaveState" => ((number(2), number(3)), What::Leave(name(fields[4]))),
            "SendMessage" => {
                ((number(2), number(3)), What::Send(number(4), number(7), number(6).into(), number(8)))
            }
            "RecvMessage" => {
                ((number(4), number(5)), What::Receive(number(2), number(7), number(6).into(), number(8)))
            }
            "EventTrigger" => {
                let value = fields[5].parse().expect("a value");
                ((number(2), number(3)), What::Value(name(fields[4]), value))
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
fn archives_have_what_taus_reader_tells() {
    let Some(data) = data() else { return };
    for case in recorded(&data) {
        let callbacks = fs::read_to_string(case.join("callbacks.txt")).expect("callbacks");
        let expected = told(&callbacks, first_time(&case.join("tau.trc")));
        for trace in ["tau.trc", "tau.be32.trc", "tau.le64.trc", "tau.be64.trc"] {
            if case.join(trace).is_file() {
                let archive = converted(&case.join(trace), &case.join("tau.edf"));
                same(&archive.events(), &expected, &case.join(trace));
            }
        }
    }
}

/// A line of an event that otf2-print printed: location, time, and what TAU's converter gets right.
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
            // The original has a location here; of equal threads per node that leads to the node.
            let partner: u32 = attribute("Receiver: ").or(attribute("Sender: "))?.parse().ok()?;
            let node = if threads == 0 { partner } else { partner / threads };
            format!("{node} {} {}", attribute("Tag: ")?, attribute("Length: ")?)
        }
        // The names are those of others, and the values have no sign.
        "METRIC" => {
            let value = line.rsplit_once("64; ")?.1.trim_end_matches(')');
            let value = value.parse::<i64>().or(value.parse::<u64>().map(|value| value as i64)).ok()?;
            format!("{} {value}", attribute("Metric: ")?)
        }
        other => panic!("{other}"),
    };
    Some((location, time, format!("{kind} {what}")))
}

/// Lines of the events by location. Those of one time are in the order of the file.
fn by_location(print: &str, threads: u32) -> BTreeMap<u64, Vec<(u64, String)>> {
    let (_, events) = print.split_once("=== Events ").expect("events");
    let mut all: BTreeMap<u64, Vec<_>> = BTreeMap::new();
    for (location, time, what) in events.lines().skip(3).filter_map(|line| printed(line, threads)) {
        all.entry(location).or_default().push((time, what));
    }
    all
}

#[test]
fn events_are_those_of_taus_converter() {
    let Some(data) = data() else { return };
    let mut compared = 0;
    for case in recorded(&data) {
        let Ok(reference) = fs::read_to_string(case.join("otf2-print.txt")) else { continue };
        let archive = converted(&case.join("tau.trc"), &case.join("tau.edf"));
        let output = kymo().args(["print", "-A"]).arg(archive.anchor()).output().expect("running kymo");
        let found = String::from_utf8(output.stdout).expect("text");
        let threads = if case.ends_with("writer-messages") { 2 } else { 1 };
        let (found, mut expected) = (by_location(&found, 0), by_location(&reference, threads));
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
    let Some(data) = data() else { return };
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
                // Where calls of the reader follow each other or times are rounded, less can be said.
                let whole = cells[3].is_empty() && cells[5] == "yes" && output.stderr.is_empty();
                if whole && cells[1].starts_with("layout-") {
                    // Their first time is that of the same records in the usual layout.
                    let expected = told(&callbacks, first_time(&data.join("edge/plain/tau.trc")));
                    same(&archive.events(), &expected, &case);
                } else if whole && !cells[1].contains("64") {
                    same(&archive.events(), &told(&callbacks, first_time(&case.join("tau.trc"))), &case);
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

#[test]
fn definitions() {
    let pair = Pair::new(&records(), Layout::Le32);
    let archive = converted(&pair.trace(), &pair.event_file());
    let found = archive.definitions();
    let position = |name: &str, file: &str, begin, end| (name.to_owned(), file.to_owned(), begin, end);
    let plain = |name: &str| (name.to_owned(), position(name, "", 0, 0));
    let expected = BTreeMap::from([
        plain("FLUSH"),
        plain("late"),
        plain("main"),
        ("work [{w.c} {3,1}-{9,2}]".to_owned(), position("work", "w.c", 3, 9)),
    ]);
    assert_eq!(found.canonical, expected);
    assert_eq!(found.metrics, BTreeMap::from([(0, ("bytes".to_owned(), MetricMode::ABSOLUTE_POINT))]));
    let group =
        |name: &str, members: &[&str]| (name.to_owned(), members.iter().map(|&it| it.to_owned()).collect());
    let groups = [
        group("G1", &["main"]),
        group("G2", &["work [{w.c} {3,1}-{9,2}]", "late"]),
        // It is never announced.
        group("TRACER", &["FLUSH"]),
    ];
    assert_eq!(found.groups, BTreeMap::from(groups));
    assert_eq!(found.places, BTreeMap::from([(0, (0, 0)), (1, (1, 0)), (2, (1, 2))]));
    assert_eq!(found.counts, BTreeMap::from([(0, 5), (1, 3), (2, 3)]));
    assert_eq!((found.ranks, found.communicators), (vec![0, 1], vec!["MPI_COMM_WORLD".to_owned()]));
    // First and last record, and what the wall clock says.
    assert_eq!(found.clock, (START, 43, START * 1000));
}

#[test]
fn times_of_a_shifted_trace_have_a_wall_clock() {
    let mut shifted = records();
    shifted.iter_mut().for_each(|record| record.time -= START);
    let pair = Pair::new(&shifted, Layout::Be64);
    let (offset, length, realtime) = converted(&pair.trace(), &pair.event_file()).definitions().clock;
    assert_eq!((offset, length, realtime), (0, 43, (START - 43) * 1000));
    // Nothing tells.
    shifted.truncate(shifted.len() - 1);
    let pair = Pair::new(&shifted, Layout::Be64);
    assert_eq!(converted(&pair.trace(), &pair.event_file()).definitions().clock, (0, 42, u64::MAX));
}

/// Numbers of nodes and threads have gaps, nodes have unequal threads, and some begin late.
#[test]
fn any_nodes_and_threads() {
    let folder = TempDir::new().expect("a folder");
    let (trace, event_file) = (folder.path().join("tau.trc"), folder.path().join("tau.edf"));
    let mut writer = Writer::create(&trace, &event_file).expect("a writer");
    writer.define_state(1, "main", 1);
    let threads: Vec<Thread> = [(3, 1), (65_535, 65_535), (7, 0), (7, 9), (7, 2)]
        .map(|(node, thread)| Thread { node, thread })
        .to_vec();
    let mut expected = Events::new();
    for (number, &thread) in threads.iter().enumerate() {
        let (begin, end) = (START + 5000 * number as u64, START + 5000 * number as u64 + 4);
        // So many records that the next thread begins in another piece of the file.
        for step in 0..2000 {
            writer.enter(begin + 2 * step, thread, 1).expect("room");
            writer.leave(begin + 2 * step + 1, thread, 1).expect("room");
        }
        let place = (thread.node.into(), thread.thread.into());
        let main = || "main".to_owned();
        let events = (0..2000).flat_map(|step| {
            [(begin + 2 * step, What::Enter(main())), (begin + 2 * step + 1, What::Leave(main()))]
        });
        expected.insert(place, events.collect());
        assert!(begin < end);
    }
    writer.finish().expect("room");
    let archive = converted(&trace, &event_file);
    assert_eq!(archive.events(), expected);
}

/// A trace with these records of thread 0 of node 0, times from [`START`] on.
fn single(rows: &[(i32, i64, u64)]) -> Pair {
    let record = |&(event, parameter, time): &(i32, i64, u64)| record(event, MAIN, parameter, time);
    let records: Vec<Record> = [(60_000, 3, 0)].iter().chain(rows).map(record).collect();
    Pair::new(&records, Layout::Le32)
}

/// Converts; the events of the only thread, and what was said.
fn events_of(pair: &Pair, status: i32) -> (Vec<(u64, What)>, String) {
    let folder = TempDir::new().expect("a folder");
    let output = convert(&pair.trace(), &pair.event_file(), &folder.path().join("out.otf2"));
    assert_eq!(output.status.code(), Some(status), "{output:?}");
    let events = Converted::read(folder).events().remove(&(0, 0)).expect("the thread");
    let events = events.into_iter().map(|(time, what)| (time - START, what)).collect();
    (events, String::from_utf8(output.stderr).expect("text"))
}

fn enter(name: &str) -> What {
    What::Enter(name.to_owned())
}

fn leave(name: &str) -> What {
    What::Leave(name.to_owned())
}

const WORK: &str = "work [{w.c} {3,1}-{9,2}]";

#[test]
fn calls_are_balanced() {
    // Nothing is open, then something is open at the end.
    let (events, said) = events_of(&single(&[(1, -1, 5), (1, 1, 6), (2, 1, 7), (60_005, 0, 9)]), 3);
    let expected = [(6, enter("main")), (7, enter(WORK)), (9, leave(WORK)), (9, leave("main"))];
    assert_eq!(events, expected);
    let lines = "kymo: 1 leaves left out: their states are not open\n\
                 kymo: 2 states still open at the end of their threads, and left there\n";
    assert_eq!(said, lines);
    // States cross.
    let (events, said) =
        events_of(&single(&[(1, 1, 5), (2, 1, 6), (1, -1, 7), (2, 1, 8), (2, -1, 9), (2, -1, 10)]), 0);
    let expected = [
        (5, enter("main")),
        (6, enter(WORK)),
        (7, leave(WORK)),
        (7, leave("main")),
        (8, enter(WORK)),
        (9, leave(WORK)),
    ];
    assert_eq!(events, expected);
    assert_eq!(said, "kymo: 1 leaves of states that had others open, which are left with them\n");
}

#[test]
fn times_are_in_order() {
    let (events, said) =
        events_of(&single(&[(1, 1, 50), (2, 1, 20), (3, 7, 20), (2, -1, 30), (3, 8, 20), (1, -1, 60)]), 0);
    let value = |value| What::Value("bytes".to_owned(), value);
    let expected = [
        (20, enter(WORK)),
        (20, value(7)),
        (20, value(8)),
        (30, leave(WORK)),
        (50, enter("main")),
        (60, leave("main")),
    ];
    assert_eq!((events, said), (expected.to_vec(), String::new()));
}

#[test]
fn what_cannot_be_read_is_left_out_and_said() {
    let pair = single(&[(1, 1, 5), (77, 1, 6), (78, 1, 6), (1, -1, 7)]);
    pair.append(&[1, 2, 3]);
    let (events, said) = events_of(&pair, 3);
    assert_eq!(events, [(5, enter("main")), (7, leave("main"))]);
    let first =
        format!("kymo: {}: byte 48: expected an event of the event file, found 77\n", pair.trace().display());
    let rest = "kymo: 2 records left out: the event file lacks their events\nkymo: 3 bytes left out: the last record is not complete\n";
    assert_eq!(said, first + rest);
}

#[test]
fn communicators_and_partners_that_have_no_records() {
    let message = |partner, communicator| Message { partner, length: 5, tag: 6, communicator }.parameter();
    let pair = single(&[
        (60_007, message(4, 63), 1),
        (60_008, message(4, 63), 2),
        (60_007, message(0, 2), 3),
        (60_008, message(9, 0), 4),
    ]);
    let archive = converted(&pair.trace(), &pair.event_file());
    let events = &archive.events()[&(0, 0)];
    let expected = [
        What::Send(4, 6, 5, 63),
        What::Receive(4, 6, 5, 63),
        What::Send(0, 6, 5, 2),
        What::Receive(9, 6, 5, 0),
    ];
    assert_eq!(events.iter().map(|(_, what)| what.clone()).collect::<Vec<_>>(), expected);
    let definitions = archive.definitions();
    assert_eq!(definitions.communicators, ["MPI_COMM_WORLD", "Communicator 2", "Communicator 63"]);
    assert_eq!(definitions.ranks, [0, 4, 9]);
}

#[test]
fn without_success_there_is_nothing() {
    let folder = TempDir::new().expect("a folder");
    let pair = Pair::new(&records(), Layout::Le32);
    let (trace, events, out) = (pair.trace(), pair.event_file(), folder.path().join("out"));
    let said = |output: Output| (output.status.code(), String::from_utf8(output.stderr).expect("text"));
    let nothing = folder.path().join("nothing.trc");
    let text = format!("kymo: {}: No such file or directory (os error 2)\n", nothing.display());
    assert_eq!(said(convert(&nothing, &events, &out)), (Some(4), text));
    fs::write(&nothing, [0; 23]).expect("writing");
    let text = format!("kymo: {}: byte 0: expected a record, found the end of the file\n", nothing.display());
    assert_eq!(said(convert(&nothing, &events, &out)), (Some(1), text));
    fs::write(&nothing, "no events").expect("writing");
    let text = format!(
        "kymo: {}: byte 0: expected a number of events and `dynamic_trace_events`, found `no events`\n",
        nothing.display()
    );
    assert_eq!(said(convert(&trace, &nothing, &out)), (Some(1), text));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "only what was there");
    // What is there stays.
    assert_eq!(said(convert(&trace, &events, &out)).0, Some(0));
    let (status, text) = said(convert(&trace, &events, &out));
    assert_eq!(status, Some(2));
    assert!(text.ends_with("is there already\n"), "{text}");
    assert_eq!(said(run(&[&trace, &out])).0, Some(2));
    assert_eq!(said(run(&[&trace, &events, &events, &out])).0, Some(2));
}

/// Each thread's records in a file of its own, with event ids of its own per node, as a running program writes them.
fn unmerged(records: &[Record]) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let mut by_thread: BTreeMap<Thread, Vec<Record>> = BTreeMap::new();
    records.iter().for_each(|record| by_thread.entry(record.thread).or_default().push(*record));
    for (Thread { node, thread }, mut records) in by_thread {
        if records[0].parameter != 3 {
            records.insert(0, record(60_000, records[0].thread, 3, records[0].time - START));
        }
        let step = 10 * i32::from(node);
        records.iter_mut().filter(|record| record.event < 100).for_each(|record| record.event += step);
        let layout = Layout::ALL[usize::from(thread) % 4];
        fs::write(folder.path().join(format!("tautrace.{node}.0.{thread}.trc")), bytes(&records, layout))
            .expect("writing");
        let text: Vec<String> = traces::EVENTS.lines().map(|line| with_id(line, step)).collect();
        fs::write(folder.path().join(format!("events.{node}.edf")), text.join("\n") + "\n").expect("writing");
    }
    folder
}

/// An event line with a larger id.
fn with_id(line: &str, step: i32) -> String {
    match line.split_once(' ') {
        Some((id, rest)) if !rest.starts_with("dynamic") => match id.parse::<i32>() {
            Ok(id) if id < 100 => format!("{} {rest}", id + step),
            _ => line.to_owned(),
        },
        _ => line.to_owned(),
    }
}

#[test]
fn unmerged_traces_become_what_the_merged_one_becomes() {
    let pair = Pair::new(&records(), Layout::Le32);
    let merged = converted(&pair.trace(), &pair.event_file());
    let folder = unmerged(&records());
    let path = |name: &str| folder.path().join(name);
    let traces = ["tautrace.0.0.0.trc", "tautrace.1.0.0.trc", "tautrace.1.0.2.trc"].map(path);
    let events = ["events.1.edf", "events.0.edf"].map(path);
    // The folder, the traces alone, and all files in any order.
    let mixed = [&traces[2], &events[0], &traces[0], &events[1], &traces[1]].map(PathBuf::clone);
    for files in [vec![folder.path().to_owned()], traces.to_vec(), mixed.to_vec()] {
        let out = TempDir::new().expect("a folder");
        let output = kymo()
            .args(["tau2otf2", "--merge"])
            .args(&files)
            .arg(out.path().join("out"))
            .output()
            .expect("running kymo");
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let found = Converted::read(out);
        assert_eq!(found.events(), merged.events(), "{files:?}");
        let (found, merged) = (found.definitions(), merged.definitions());
        assert_eq!(
            (found.canonical, found.groups, found.metrics),
            (merged.canonical, merged.groups, merged.metrics)
        );
        assert_eq!((found.places, found.counts, found.clock), (merged.places, merged.counts, merged.clock));
    }
}

#[test]
fn traces_without_their_event_files_are_refused() {
    let folder = unmerged(&records());
    fs::remove_file(folder.path().join("events.1.edf")).expect("it was there");
    fs::write(folder.path().join("events.5.edf"), "").expect("writing");
    let out = folder.path().join("out");
    let output =
        kymo().args(["tau2otf2", "--merge"]).arg(folder.path()).arg(&out).output().expect("running kymo");
    assert_eq!(output.status.code(), Some(2));
    let trace = folder.path().join("tautrace.1.0.0.trc");
    let expected = format!("kymo: {}: no event file (*.edf) belongs to this trace\n", trace.display());
    assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
}

/// The real ranks of a program, taken apart and put together again.
#[test]
fn a_recorded_trace_taken_apart() {
    let Some(data) = data() else { return };
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
