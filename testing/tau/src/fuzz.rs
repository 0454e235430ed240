//! The body of the fuzz target for TAU traces, and its seeds.
//!
//! An input is a pair of files in one string: the event file, a NUL, the trace. Everything after
//! the first NUL is the trace, so that cutting and joining inputs gives valid inputs.

use kymo_otf2::Storage;
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::events::Event;
use kymo_otf2::read::{Archive, Options};
use kymo_otf2::storage::Memory;
use kymo_tau::convert::{Input, convert};
use kymo_tau::{Item, Layout, Message, Record, Thread};
use std::collections::BTreeMap;
use std::io::SeekFrom;
use std::sync::Arc;

use crate::traces::{Pair, START};

/// The maximum number of items that are compared, as an event file may define a great many.
const ITEMS: usize = 100_000;

/// Splits an input into its files.
fn pair(bytes: &[u8]) -> Pair {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    Pair::of(bytes.get(end + 1..).unwrap_or_default(), &bytes[..end])
}

/// The items that a reader reports, and its error.
type Outcome = (Vec<Item>, Option<String>);

/// Whatever the files contain, reading ends with items or one error that names a file, and the
/// result does not depend on how they are read. Converting them gives an error or a sound archive.
pub fn tau(bytes: &[u8]) {
    let pair = pair(bytes);
    let (items, error) = all_items(&pair);
    let is_named = |error: &String| error.contains("tau.trc: ") || error.contains("tau.edf: ");
    assert!(error.as_ref().is_none_or(is_named), "{error:?}");
    assert_eq!(by_records(&pair), (items.clone(), error));
    converts(&pair, &items);
}

fn all_items(pair: &Pair) -> Outcome {
    let (mut items, mut error) = (Vec::new(), None);
    for item in pair.open().items().take(ITEMS) {
        match item {
            Ok(item) => items.push(item),
            Err(last) => error = Some(last.to_string()),
        }
    }
    (items, error)
}

/// Reads record by record, each after a seek.
fn by_records(pair: &Pair) -> Outcome {
    let (mut reader, mut items) = (pair.open(), Vec::new());
    for record in 0.. {
        let back = reader.seek(SeekFrom::Start(record)).expect("a position");
        assert_eq!(back, record);
        let mut one = ItemCollector(Vec::new());
        match reader.read(1, &mut one) {
            Ok(count) => {
                items.append(&mut one.0);
                assert_eq!(reader.position(), record + count);
                if count == 0 || items.len() > ITEMS {
                    break;
                }
            }
            Err(error) => {
                items.append(&mut one.0);
                items.truncate(ITEMS);
                return (items, Some(error.to_string()));
            }
        }
    }
    items.truncate(ITEMS);
    (items, None)
}

/// Collects the items that a reader reports.
struct ItemCollector(Vec<Item>);

impl kymo_tau::Callbacks for ItemCollector {
    fn clock(&mut self, period: f64, first_time: u64) {
        self.0.push(Item::Clock { period, first_time });
    }
    fn thread(&mut self, thread: Thread) {
        self.0.push(Item::Thread { thread });
    }
    fn group(&mut self, number: u32, name: &[u8]) {
        self.0.push(Item::Group { number, name: name.to_owned() });
    }
    fn state(&mut self, state: &kymo_tau::StateDefinition<'_>) {
        let (name, group_name) = (state.name.to_owned(), state.group_name.to_owned());
        self.0.push(Item::State { id: state.id, name, group: state.group, group_name });
    }
    fn user_event(&mut self, event: &kymo_tau::UserEvent<'_>) {
        let name = event.name.to_owned();
        self.0.push(Item::UserEvent { id: event.id, name, monotonic: event.monotonic });
    }
    fn enter(&mut self, time: u64, thread: Thread, state: u32) {
        self.0.push(Item::Enter { time, thread, state });
    }
    fn leave(&mut self, time: u64, thread: Thread, state: u32) {
        self.0.push(Item::Leave { time, thread, state });
    }
    fn send(&mut self, time: u64, thread: Thread, message: Message) {
        self.0.push(Item::Send { time, thread, message });
    }
    fn receive(&mut self, time: u64, thread: Thread, message: Message) {
        self.0.push(Item::Receive { time, thread, message });
    }
    fn trigger(&mut self, time: u64, thread: Thread, event: u32, value: i64) {
        self.0.push(Item::Trigger { time, thread, event, value });
    }
    fn end(&mut self, thread: Thread) {
        self.0.push(Item::End { thread });
    }
    fn complaint(&mut self, complaint: &kymo_tau::Complaint) {
        self.0.push(Item::Complaint(complaint.clone()));
    }
}

/// Converts the pair and reads the result.
fn converts(pair: &Pair, items: &[Item]) {
    let storage = Memory::new();
    storage.create().expect("a new archive");
    let input = Input { trace: pair.trace(), event_file: pair.event_file() };
    let report = match convert(&[input], &storage, &mut |_| ()) {
        Ok(report) => report,
        Err(error) => {
            let error = error.to_string();
            assert!(error.contains("tau.trc: ") || error.contains("tau.edf: "), "{error}");
            return;
        }
    };
    let archive = Archive::in_storage(Arc::new(storage), Options::default()).expect("an archive");
    let (mut events, mut span) = (0, (0, 0));
    let counts = counts(&archive, &mut span);
    assert_eq!(counts.len() as u64, report.locations);
    for (&location, &count) in &counts {
        let found = balanced(&archive, location, span);
        assert_eq!(found, count, "events of location {location}");
        events += found;
    }
    assert_eq!(events, report.events);
    if !report.is_partial() && items.len() < ITEMS {
        assert_eq!(events, expected(items) + report.never_left, "all events");
    }
}

fn expected(items: &[Item]) -> u64 {
    use Item::{Enter, Leave, Receive, Send, Trigger};
    let is_event = |item: &&Item| {
        matches!(item, Enter { .. } | Leave { .. } | Send { .. } | Receive { .. } | Trigger { .. })
    };
    items.iter().filter(is_event).count() as u64
}

/// Returns the number of events of each location.
fn counts(archive: &Archive, span: &mut (u64, u64)) -> BTreeMap<u64, u64> {
    let file = archive.global_definitions().expect("definitions");
    let mut counts = BTreeMap::new();
    for record in file.records().expect("records") {
        match record.expect("a record") {
            GlobalDefinition::Location(location) => {
                counts.insert(location.id.0, location.number_of_events);
            }
            GlobalDefinition::ClockProperties(clock) => {
                *span = (clock.global_offset, clock.global_offset + clock.trace_length);
            }
            _ => {}
        }
    }
    counts
}

/// Returns the number of events of a location. They must be in order, within the span, and
/// balanced.
fn balanced(archive: &Archive, location: u64, span: (u64, u64)) -> u64 {
    let mut events = archive.events(location).expect("events");
    let (mut open, mut count, mut last) = (Vec::new(), 0, span.0);
    while let Some(event) = events.next().expect("an event") {
        assert!((last..=span.1).contains(&event.time), "{} after {last} in {span:?}", event.time);
        (last, count) = (event.time, count + 1);
        match event.record {
            Event::Enter(enter) => open.push(enter.region),
            Event::Leave(leave) => assert_eq!(open.pop(), Some(leave.region)),
            _ => {}
        }
    }
    assert!(open.is_empty());
    count
}

const LINES: &str = "\
1 G1 0 \"main\" EntryExit
2 TAUEVENT 0 \"bytes\" TriggerValue
3 TAUEVENT 1 \"PAPI_TOT_CYC\" TriggerValue
60000 TRACER 0 \"EV_INIT\" none
60001 TRACER 0 \"FLUSH\" EntryExit
60003 TRACER 0 \"FLUSH_CLOSE\" none
60005 TRACER 0 \"WALL_CLOCK\" none
60007 TAU_MESSAGE -7 \"MESSAGE_SEND\" par
60008 TAU_MESSAGE -8 \"MESSAGE_RECV\" par
";

/// Returns the names and pairs of the seeds. Each exercises one rule.
pub fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let header = "9 dynamic_trace_events\n# FunctionId Group Tag \"Name Type\" Parameters\n";
    let events = format!("{header}{LINES}");
    let mut seeds: Vec<(&'static str, Vec<u8>)> = Vec::new();
    let layouts = ["layout-le32", "layout-be32", "layout-le64", "layout-be64"];
    for (layout, name) in Layout::ALL.into_iter().zip(layouts) {
        seeds.push((name, joined(&events, &records(), layout)));
    }
    /// Changes the text of an event file.
    type Change<'a> = &'a dyn Fn(&str) -> String;
    let changed: [(&str, Change<'_>); 17] = [
        ("edf-crlf", &|text| text.replace('\n', "\r\n")),
        ("edf-no-final-newline", &|text| text.trim_end().to_owned()),
        ("edf-trailing-space", &|text| text.replace("EntryExit", "EntryExit ")),
        ("edf-comments-blank", &|text| text.replace('\n', "\n\n# comment\n")),
        ("edf-count-too-small", &|text| text.replace("9 dyn", "8 dyn")),
        ("edf-count-too-large", &|text| text.replace("9 dyn", "99999999999999999999 dyn")),
        ("edf-quotes-in-name", &|text| text.replace("bytes", "bytes <file=\"socket\">")),
        ("edf-empty-name", &|text| text.replace("main", "")),
        ("edf-not-dynamic", &|text| text.replace("dynamic", "static")),
        ("edf-header-only-number", &|text| text.replace(" dynamic_trace_events", "")),
        ("edf-duplicate-id", &|text| text.replace("2 TAUEVENT", "1 G2")),
        ("edf-tabs", &|text| text.replace(' ', "\t \t")),
        ("edf-negative-id", &|text| text.replace("2 TAUEVENT", "-5 TAUEVENT")),
        ("edf-missing-id", &|text| text.replace("2 TAUEVENT", "20 TAUEVENT")),
        ("edf-trigger-with-send-tag", &|text| text.replace("2 TAUEVENT 0", "2 TAUEVENT -7")),
        ("edf-one-quote", &|text| text.replace("main\"", "main")),
        ("edf-source-position", &|text| text.replace("main", "main [{a.c} {1,2}-{3,4}]")),
    ];
    seeds.extend(
        changed.iter().map(|(name, change)| (*name, joined(&change(&events), &records(), Layout::Le32))),
    );
    let with = |change: &dyn Fn(&mut Vec<Record>), layout| {
        let mut records = records();
        change(&mut records);
        joined(&events, &records, layout)
    };
    let each = |records: &mut Vec<Record>, change: &dyn Fn(&mut Record)| records.iter_mut().for_each(change);
    seeds.push(("trc-empty", with(&Vec::clear, Layout::Le32)));
    seeds.push(("trc-one-record", with(&|all| all.truncate(1), Layout::Le32)));
    seeds.push(("trc-no-init", with(&|all| truncate_front(all), Layout::Le32)));
    seeds.push(("trc-no-init-be", with(&|all| truncate_front(all), Layout::Be64)));
    seeds.push(("trc-node-3", with(&|all| each(all, &|it| it.thread.node = 3), Layout::Le64)));
    seeds.push(("trc-first-time-3", with(&|all| each(all, &|it| it.time -= START - 3), Layout::Be32)));
    seeds.push(("trc-big-time", with(&|all| each(all, &|it| it.time += u64::MAX / 2), Layout::Le32)));
    seeds.push(("trc-times-go-back", with(&|all| all[1..].reverse(), Layout::Le32)));
    seeds
        .push(("trc-threads", with(&|all| each(all, &|it| it.thread.thread = it.time as u16), Layout::Le32)));
    let to_many = |all: &mut Vec<Record>| {
        (0..64).for_each(|bit| all.push(Record { event: 60_007, parameter: 1 << bit, ..all[1] }))
    };
    seeds.push(("trc-messages", with(&to_many, Layout::Le32)));
    let mut tail = joined(&events, &records(), Layout::Le32);
    tail.extend([1, 2, 3, 4, 5]);
    seeds.push(("trc-partial-tail", tail));
    seeds
}

fn truncate_front(records: &mut Vec<Record>) {
    records.remove(0);
}

fn records() -> Vec<Record> {
    let message = |partner| Message { partner, length: 70_000, tag: 300, communicator: 2 }.parameter();
    let rows = [
        (60_000, 0, 3),
        (1, 0, 1),
        (60_007, 0, message(1)),
        (60_000, 1, 3),
        (1, 1, 1),
        (60_008, 1, message(0)),
        (2, 1, 0),
        (2, 1, -7),
        (3, 1, 8),
        (60_001, 0, 1),
        (60_001, 0, -1),
        (1, 1, -1),
        (1, 0, -1),
        (60_003, 0, 0),
        (60_005, 0, 1_500_000_000),
    ];
    let record = |(number, (event, node, parameter)): (u64, (i32, u16, i64))| Record {
        event,
        thread: Thread { node, thread: 0 },
        parameter,
        time: START + number,
    };
    (0..).zip(rows).map(record).collect()
}

fn joined(events: &str, records: &[Record], layout: Layout) -> Vec<u8> {
    let mut bytes = events.as_bytes().to_vec();
    bytes.push(0);
    records.iter().for_each(|record| layout.encode(record, &mut bytes));
    bytes
}
