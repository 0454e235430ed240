//! Tests of the reader with handmade traces.

use std::fs;
use std::io::{ErrorKind, SeekFrom};

use kymo_tau::{Callbacks, Complaint, Error, Item, Layout, LineProblem, Message, Reader, Record, Thread};
use kymo_tau_testing::traces::{EVENTS, MAIN, OTHER, Pair, START, WORKER, bytes, record, records, written};
use tempfile::TempDir;

fn state(id: u32, name: &str, group: u32, group_name: &str) -> Item {
    Item::State { id, name: name.into(), group, group_name: group_name.into() }
}

#[test]
fn everything_in_order_in_all_layouts() {
    let message = |partner| Message { partner, length: 100_000, tag: 300, communicator: 0 };
    let group = |number, name: &str| Item::Group { number, name: name.into() };
    let expected = [
        Item::Clock { period: 1e-6, first_time: START },
        group(1, "G1"),
        state(1, "main", 1, "G1"),
        group(2, "G2"),
        state(2, "work [{w.c} {3,1}-{9,2}]", 2, "G2"),
        Item::UserEvent { id: 3, name: b"bytes".to_vec(), monotonic: 0 },
        // The first line of its group is a control record, so the group is not reported.
        state(60_001, "FLUSH", 4, "TRACER"),
        state(9, "late", 2, "G2"),
        Item::Thread { thread: MAIN },
        Item::Enter { time: START + 10, thread: MAIN, state: 1 },
        Item::Send { time: START + 20, thread: MAIN, message: message(1) },
        Item::Thread { thread: OTHER },
        Item::Enter { time: START + 12, thread: OTHER, state: 1 },
        Item::Receive { time: START + 25, thread: OTHER, message: message(0) },
        Item::Thread { thread: WORKER },
        Item::Enter { time: START + 26, thread: WORKER, state: 2 },
        Item::Trigger { time: START + 27, thread: WORKER, event: 3, value: -7 },
        Item::Leave { time: START + 28, thread: WORKER, state: 2 },
        Item::Enter { time: START + 30, thread: MAIN, state: 60_001 },
        Item::Leave { time: START + 31, thread: MAIN, state: 60_001 },
        Item::Leave { time: START + 40, thread: OTHER, state: 1 },
        Item::Leave { time: START + 41, thread: MAIN, state: 1 },
        Item::End { thread: MAIN },
    ];
    for layout in Layout::ALL {
        let pair = Pair::new(&records(), layout);
        assert_eq!(pair.items().expect("items"), expected, "{layout:?}");
        let mut reader = pair.open();
        assert_eq!(reader.records().expect("a number"), 15);
        assert_eq!((reader.layout(), reader.first_time()), (None, None));
        reader.items().next();
        assert_eq!((reader.layout(), reader.first_time()), (Some(layout), Some(START)));
    }
}

/// Counts calls.
#[derive(Default)]
struct Count {
    clocks: u32,
    enters: u32,
    unknown: Vec<(u64, i32)>,
    passes: bool,
}

impl Callbacks for Count {
    fn clock(&mut self, _period: f64, _first_time: u64) {
        self.clocks += 1;
    }

    fn enter(&mut self, _time: u64, _thread: Thread, _state: u32) {
        self.enters += 1;
    }

    fn unknown(&mut self, offset: u64, record: &Record) -> bool {
        self.unknown.push((offset, record.event));
        self.passes
    }
}

#[test]
fn a_growing_trace_can_be_read_further() {
    for layout in Layout::ALL {
        let whole = bytes(&records(), layout);
        let pair = Pair::of(b"", EVENTS.as_bytes());
        let mut reader = pair.open();
        let mut count = Count::default();
        for byte in &whole {
            let records = fs::metadata(pair.trace()).expect("a file").len() / layout.record_size() as u64;
            // A record is not read while its last byte is missing.
            if reader.position() == records {
                assert_eq!(reader.read(100, &mut count).expect("no error"), 0);
            } else {
                assert_eq!(reader.read(100, &mut count).expect("a record"), 1);
            }
            pair.append(&[*byte]);
        }
        assert_eq!(reader.read(100, &mut count).expect("a record"), 1);
        assert_eq!((count.clocks, count.enters, reader.position()), (1, 4, 15), "{layout:?}");
    }
}

#[test]
fn an_iterator_continues_when_the_trace_grows() {
    let all = records();
    let (first, more) = all.split_at(5);
    let pair = Pair::new(first, Layout::Be32);
    let mut reader = pair.open();
    let mut items = reader.items();
    let before: Vec<_> = items.by_ref().map(|item| item.expect("an item")).collect();
    assert!(items.next().is_none());
    pair.append(&bytes(more, Layout::Be32));
    let after = items.map(|item| item.expect("an item"));
    assert_eq!(before.into_iter().chain(after).collect::<Vec<_>>(), pair.items().expect("items"));
}

#[test]
fn seeking() {
    let pair = Pair::new(&records(), Layout::Le64);
    let mut reader = pair.open();
    let mut seek = |to| reader.seek(to).map_err(|error| error.to_string());
    assert_eq!(seek(SeekFrom::End(0)), Ok(15));
    assert_eq!(seek(SeekFrom::Current(-15)), Ok(0));
    let before = format!("{}: expected a position at or after record 0, found -1", pair.trace().display());
    assert_eq!(seek(SeekFrom::Current(-1)), Err(before.clone()));
    assert_eq!(seek(SeekFrom::End(-16)), Err(before));
    assert_eq!(seek(SeekFrom::Start(u64::MAX)), Ok(u64::MAX));
    assert_eq!(seek(SeekFrom::Current(i64::MAX)).map_err(|error| error.contains("before")), Err(false));
    let mut count = Count::default();
    assert_eq!(reader.read(1, &mut count).expect("no error"), 0);
    // Reads each record again, in reverse order.
    for (number, record) in records().iter().enumerate().rev() {
        reader.seek(SeekFrom::Start(number as u64)).expect("a record");
        let item = reader.items().next().map(|item| item.expect("an item"));
        if record.event == 1 && record.parameter == 1 {
            let (time, thread) = (record.time, record.thread);
            assert_eq!(item, Some(Item::Enter { time, thread, state: 1 }), "{number}");
        }
    }
}

#[test]
fn an_unknown_event_is_an_error_until_the_event_file_has_it() {
    let mut with_unknown = records();
    with_unknown.insert(5, record(77, OTHER, 1, 13));
    let pair = Pair::new(&with_unknown, Layout::Le32);
    let mut reader = pair.open();
    let mut count = Count::default();
    for _ in 0..2 {
        let error = reader.read(100, &mut count).expect_err("an unknown event");
        assert!(matches!(error, Error::UnknownEvent { offset: 120, record: 5, event: 77, .. }), "{error:?}");
        let (trace, events) = (pair.trace(), pair.event_file());
        let text = format!(
            "{}: byte 120: record 5: expected an event of {}, found 77",
            trace.display(),
            events.display()
        );
        assert_eq!(error.to_string(), text);
        assert_eq!((reader.position(), count.enters), (5, 2));
    }
    let events = EVENTS.replace("10 dynamic", "11 dynamic") + "77 G3 0 \"new\" EntryExit";
    fs::write(pair.event_file(), events).expect("writing");
    let items: Vec<_> = reader.items().take(3).map(|item| item.expect("an item")).collect();
    let group = Item::Group { number: 6, name: b"G3".to_vec() };
    let enter = Item::Enter { time: START + 13, thread: OTHER, state: 77 };
    assert_eq!(items, [group, state(77, "new", 6, "G3"), enter]);
    assert_eq!(reader.position(), 16);
}

#[test]
fn unknown_events_can_be_skipped() {
    let mut with_unknown = records();
    with_unknown.insert(5, record(77, Thread { node: 9, thread: 9 }, 1, 13));
    with_unknown.insert(7, record(i32::MIN, OTHER, 1, 13));
    let pair = Pair::new(&with_unknown, Layout::Be64);
    let mut count = Count { passes: true, ..Count::default() };
    assert_eq!(pair.open().read(u64::MAX, &mut count).expect("all records"), 17);
    assert_eq!((count.unknown, count.enters), (vec![(160, 77), (224, i32::MIN)], 4));
}

#[test]
fn a_reader_reads_the_requested_number_of_records() {
    let folder = TempDir::new().expect("a folder");
    let threads = [MAIN, WORKER, Thread { node: 65_535, thread: 65_535 }];
    for layout in Layout::ALL {
        let (trace, events) = written(folder.path(), layout, &threads, 5000);
        let total = 1 + 3 * 5000 * 3 + 3 * 2;
        for most in [1, 7, 1024, 8192, 8193, u64::MAX] {
            let mut reader = Reader::open(&trace, &events).expect("a reader");
            let (mut count, mut done) = (Count::default(), 0);
            loop {
                match reader.read(most, &mut count).expect("records") {
                    0 => break,
                    read => {
                        done += read;
                        assert!(read == most || done == total, "{read} of {most}");
                    }
                }
            }
            assert_eq!((done, count.enters), (total, 15_000), "{layout:?} {most}");
        }
    }
}

fn complaints(events: &str) -> (Vec<(u64, u64, LineProblem)>, Vec<String>) {
    let pair = Pair::of(&bytes(&[record(60_000, MAIN, 3, 0)], Layout::Le32), events.as_bytes());
    let (mut complaints, mut names) = (Vec::new(), Vec::new());
    for item in pair.items().expect("items") {
        match item {
            Item::Complaint(Complaint::Line { line, offset, problem, .. }) => {
                complaints.push((line, offset, problem))
            }
            Item::State { name, .. } => names.push(String::from_utf8(name).expect("text")),
            _ => {}
        }
    }
    (complaints, names)
}

const INIT: &str = "60000 TRACER 0 \"EV_INIT\" none\n";

#[test]
fn bad_lines_are_skipped_and_reported() {
    let long = "x".repeat(2 << 20);
    let text = format!(
        "99 dynamic_trace_events\n1 G 0 no name EntryExit\n2 G 0 \"one quote EntryExit\n3 \"no group\" EntryExit\n\
         x G 0 \"no id\" EntryExit\n4 G - \"no tag\" EntryExit\n5 G 0 \"{long}\" EntryExit\n\r\n  \n-6 G 0 \"six\" EntryExit\n\
         7 {long} 0 \"seven\" EntryExit\n8 G 0 \"\" EntryExit\n9 G 0 \"nine\"\n{INIT}"
    );
    let (found, names) = complaints(&text);
    let problems: Vec<_> = found.iter().map(|(line, _, problem)| (*line, *problem)).collect();
    use LineProblem::{NegativeId, NoName, TooLong, Words};
    let expected = [
        (2, NoName),
        (3, NoName),
        (4, Words),
        (5, Words),
        (6, Words),
        (7, TooLong),
        (10, NegativeId),
        (11, TooLong),
    ];
    assert_eq!(problems, expected);
    assert_eq!(names, ["six", ""]);
    for (line, offset, _) in found {
        let before = text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum::<usize>();
        assert_eq!(offset, before as u64, "line {line}");
    }
}

#[test]
fn forms_of_lines() {
    let text = format!(
        "\t 7   dynamic_trace_events and more\r\n#\n\n1 G 0 \"a \"b\" c\"   EntryExit  \r\n  2\tG\t 0  \"tab\"\tEntryExit\n\
         3 G 0 \"no blank\"EntryExit\n4 G 0 \"\u{e9}\" EntryExit\n1 G 0 \"again\" EntryExit\n{INIT}5 G 0 \"seventh\" EntryExit\n\
         6 G 0 \"one too many\" EntryExit\n"
    );
    assert_eq!(
        complaints(&text),
        (vec![], ["a \"b\" c", "tab", "no blank", "\u{e9}", "seventh"].map(str::to_owned).to_vec())
    );
    // The last line has no newline, and the file has fewer events than it states.
    let (_, names) =
        complaints(&format!("18446744073709551615 dynamic_trace_events\n{INIT}1 G 0 \"a\" EntryExit"));
    assert_eq!(names, ["a"]);
}

#[test]
fn files_without_the_event_file_header_are_refused() {
    for (text, found) in [
        ("", ""),
        ("\n", ""),
        ("1\n", "1"),
        ("1 static_trace_events\n", "1 static_trace_events"),
        ("x dynamic_trace_events\n", "x dynamic_trace_events"),
        // The two files are swapped: control bytes must not reach a terminal.
        ("\u{1b}[2J\0\u{9b}", "\\x1b[2J\\x00\\xc2\\x9b"),
    ] {
        let pair = Pair::of(&bytes(&records(), Layout::Le32), text.as_bytes());
        let error = pair.items().expect_err("no event file").to_string();
        let expected = "expected a number of events and `dynamic_trace_events`";
        assert_eq!(error, format!("{}: byte 0: {expected}, found `{found}`", pair.event_file().display()));
    }
}

#[test]
fn only_regular_files_are_opened() {
    let pair = Pair::new(&records(), Layout::Le32);
    let kind = |trace: &std::path::Path, events: &std::path::Path| match Reader::open(trace, events) {
        Err(Error::Io { source, .. }) => source.kind(),
        other => panic!("{other:?}"),
    };
    let (trace, events, folder) = (pair.trace(), pair.event_file(), pair.folder.path());
    let nothing = folder.join("nothing");
    assert_eq!(kind(&nothing, &events), ErrorKind::NotFound);
    assert_eq!(kind(&trace, &nothing), ErrorKind::NotFound);
    assert_eq!(kind(folder, &events), ErrorKind::IsADirectory);
    assert_eq!(kind(&trace, folder), ErrorKind::IsADirectory);
    assert_eq!(kind("/dev/zero".as_ref(), &events), ErrorKind::InvalidInput);
}

/// The parameter that begins a trace is missing, or is also 3 in another layout by chance.
#[test]
fn layouts_are_detected_without_a_clear_first_record() {
    let layout_of = |pair: &Pair| {
        let mut reader = pair.open();
        let complained = reader.items().take(9).any(|item| matches!(item, Ok(Item::Complaint(_))));
        (reader.layout(), complained)
    };
    for layout in Layout::ALL {
        let without_begin = &records()[1..];
        assert_eq!(layout_of(&Pair::new(without_begin, layout)), (Some(layout), true), "{layout:?}");
        let mut node_3 = records();
        node_3.iter_mut().for_each(|record| record.thread = Thread { node: 3, thread: 0 });
        assert_eq!(layout_of(&Pair::new(&node_3, layout)), (Some(layout), false), "{layout:?}");
        let mut time_3 = records();
        time_3.iter_mut().for_each(|record| record.time -= START - 3);
        assert_eq!(layout_of(&Pair::new(&time_3, layout)), (Some(layout), false), "{layout:?}");
    }
    // No layout is plausible, so the native one is used.
    let (found, complained) = layout_of(&Pair::of(&[0xAA; 240], EVENTS.as_bytes()));
    assert_eq!((found, complained), (Some(Layout::NATIVE), true));
}
