//! Traces written by the tests, one for each rule.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Output;

use kymo_otf2::enums::MetricMode;
use kymo_tau::{Layout, Message, Record, Thread, Writer};
use tempfile::TempDir;

use super::content::{Converted, Events, WordedEvent, convert, converted, run};
use crate::check_common::kymo;
use kymo_tau_testing::traces::{self, MAIN, Pair, START, bytes, record, records};

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
        // This group is never announced.
        group("TRACER", &["FLUSH"]),
    ];
    assert_eq!(found.groups, BTreeMap::from(groups));
    assert_eq!(found.places, BTreeMap::from([(0, (0, 0)), (1, (1, 0)), (2, (1, 2))]));
    assert_eq!(found.counts, BTreeMap::from([(0, 5), (1, 3), (2, 3)]));
    assert_eq!((found.ranks, found.communicators), (vec![0, 1], vec!["MPI_COMM_WORLD".to_owned()]));
    // The first and the last record, and the wall-clock time.
    assert_eq!(found.clock, (START, 43, START * 1000));
}

#[test]
fn times_of_a_shifted_trace_have_a_wall_clock() {
    let mut shifted = records();
    shifted.iter_mut().for_each(|record| record.time -= START);
    let pair = Pair::new(&shifted, Layout::Be64);
    let (offset, length, realtime) = converted(&pair.trace(), &pair.event_file()).definitions().clock;
    assert_eq!((offset, length, realtime), (0, 43, (START - 43) * 1000));
    // No record has the wall-clock time.
    shifted.truncate(shifted.len() - 1);
    let pair = Pair::new(&shifted, Layout::Be64);
    assert_eq!(converted(&pair.trace(), &pair.event_file()).definitions().clock, (0, 42, u64::MAX));
}

/// The numbers of nodes and threads have gaps, nodes differ in their threads, and some threads
/// begin late.
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
        // Enough records that the next thread begins in another piece of the file.
        for step in 0..2000 {
            writer.enter(begin + 2 * step, thread, 1).expect("room");
            writer.leave(begin + 2 * step + 1, thread, 1).expect("room");
        }
        let place = (thread.node.into(), thread.thread.into());
        let main = || "main".to_owned();
        let events = (0..2000).flat_map(|step| {
            [
                (begin + 2 * step, WordedEvent::Enter(main())),
                (begin + 2 * step + 1, WordedEvent::Leave(main())),
            ]
        });
        expected.insert(place, events.collect());
        assert!(begin < end);
    }
    writer.finish().expect("room");
    let archive = converted(&trace, &event_file);
    assert_eq!(archive.events(), expected);
}

/// Returns a trace with these records for thread 0 of node 0. Times count from [`START`].
fn single(rows: &[(i32, i64, u64)]) -> Pair {
    let record = |&(event, parameter, time): &(i32, i64, u64)| record(event, MAIN, parameter, time);
    let records: Vec<Record> = [(60_000, 3, 0)].iter().chain(rows).map(record).collect();
    Pair::new(&records, Layout::Le32)
}

/// Converts a trace. Returns the events of the only thread and the messages.
fn events_of(pair: &Pair, status: i32) -> (Vec<(u64, WordedEvent)>, String) {
    let folder = TempDir::new().expect("a folder");
    let output = convert(&pair.trace(), &pair.event_file(), &folder.path().join("out.otf2"));
    assert_eq!(output.status.code(), Some(status), "{output:?}");
    let events = Converted::read(folder).events().remove(&(0, 0)).expect("the thread");
    let events = events.into_iter().map(|(time, what)| (time - START, what)).collect();
    (events, String::from_utf8(output.stderr).expect("text"))
}

fn enter(name: &str) -> WordedEvent {
    WordedEvent::Enter(name.to_owned())
}

fn leave(name: &str) -> WordedEvent {
    WordedEvent::Leave(name.to_owned())
}

const WORK: &str = "work [{w.c} {3,1}-{9,2}]";

#[test]
fn calls_are_balanced() {
    // First a leave while nothing is open, then open states at the end.
    let (events, stderr) = events_of(&single(&[(1, -1, 5), (1, 1, 6), (2, 1, 7), (60_005, 0, 9)]), 3);
    let expected = [(6, enter("main")), (7, enter(WORK)), (9, leave(WORK)), (9, leave("main"))];
    assert_eq!(events, expected);
    let lines = "kymo: 1 leave events left out: their states are not open\n\
                 kymo: 2 states that are never left; they end with the enclosing state, or with their thread\n";
    assert_eq!(stderr, lines);
    // The states overlap.
    let (events, stderr) =
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
    assert_eq!(
        stderr,
        "kymo: 1 leave events of states in which others were open; these are left with them\n"
    );
}

#[test]
fn times_are_in_order() {
    let (events, stderr) =
        events_of(&single(&[(1, 1, 50), (2, 1, 20), (3, 7, 20), (2, -1, 30), (3, 8, 20), (1, -1, 60)]), 0);
    let value = |value| WordedEvent::Value("bytes".to_owned(), value);
    let expected = [
        (20, enter(WORK)),
        (20, value(7)),
        (20, value(8)),
        (30, leave(WORK)),
        (50, enter("main")),
        (60, leave("main")),
    ];
    assert_eq!((events, stderr), (expected.to_vec(), String::new()));
}

#[test]
fn unreadable_records_are_left_out_and_reported() {
    let pair = single(&[(1, 1, 5), (77, 1, 6), (78, 1, 6), (1, -1, 7)]);
    pair.append(&[1, 2, 3]);
    let (events, stderr) = events_of(&pair, 3);
    assert_eq!(events, [(5, enter("main")), (7, leave("main"))]);
    let first =
        format!("kymo: {}: byte 48: expected an event of the event file, found 77\n", pair.trace().display());
    let rest = "kymo: 2 records left out: the event file does not define their events\nkymo: 3 bytes left out: the last record is incomplete\n";
    assert_eq!(stderr, first + rest);
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
        WordedEvent::Send(4, 6, 5, 63),
        WordedEvent::Receive(4, 6, 5, 63),
        WordedEvent::Send(0, 6, 5, 2),
        WordedEvent::Receive(9, 6, 5, 0),
    ];
    assert_eq!(events.iter().map(|(_, what)| what.clone()).collect::<Vec<_>>(), expected);
    let definitions = archive.definitions();
    assert_eq!(definitions.communicators, ["MPI_COMM_WORLD", "Communicator 2", "Communicator 63"]);
    assert_eq!(definitions.ranks, [0, 4, 9]);
}

#[test]
fn a_failed_conversion_leaves_nothing() {
    let folder = TempDir::new().expect("a folder");
    let pair = Pair::new(&records(), Layout::Le32);
    let (trace, events, out) = (pair.trace(), pair.event_file(), folder.path().join("out"));
    let outcome = |output: Output| (output.status.code(), String::from_utf8(output.stderr).expect("text"));
    let nothing = folder.path().join("nothing.trc");
    let text = format!("kymo: {}: No such file or directory (os error 2)\n", nothing.display());
    assert_eq!(outcome(convert(&nothing, &events, &out)), (Some(4), text));
    fs::write(&nothing, [0; 23]).expect("writing");
    let text = format!("kymo: {}: byte 0: expected a record, found the end of the file\n", nothing.display());
    assert_eq!(outcome(convert(&nothing, &events, &out)), (Some(1), text));
    fs::write(&nothing, "no events").expect("writing");
    let text = format!(
        "kymo: {}: byte 0: expected a number of events and `dynamic_trace_events`, found `no events`\n",
        nothing.display()
    );
    assert_eq!(outcome(convert(&trace, &nothing, &out)), (Some(1), text));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "only the input");
    // Existing files are kept.
    assert_eq!(outcome(convert(&trace, &events, &out)).0, Some(0));
    let (status, text) = outcome(convert(&trace, &events, &out));
    assert_eq!(status, Some(2));
    assert!(text.ends_with("already exists\n"), "{text}");
    assert_eq!(outcome(run(&[&trace, &out])).0, Some(2));
    assert_eq!(outcome(run(&[&trace, &events, &events, &out])).0, Some(2));
}

/// Writes the records of each thread to its own file, with different event ids per node, as a
/// running program does.
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

/// Returns an event line with a larger id.
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
fn unmerged_traces_give_the_archive_of_the_merged_trace() {
    let pair = Pair::new(&records(), Layout::Le32);
    let merged = converted(&pair.trace(), &pair.event_file());
    let folder = unmerged(&records());
    let path = |name: &str| folder.path().join(name);
    let traces = ["tautrace.0.0.0.trc", "tautrace.1.0.0.trc", "tautrace.1.0.2.trc"].map(path);
    let events = ["events.1.edf", "events.0.edf"].map(path);
    // The folder, only the traces, and all files in arbitrary order.
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
fn traces_without_event_files_are_refused() {
    let folder = unmerged(&records());
    fs::remove_file(folder.path().join("events.1.edf")).expect("an event file");
    fs::write(folder.path().join("events.5.edf"), "").expect("writing");
    let out = folder.path().join("out");
    let output =
        kymo().args(["tau2otf2", "--merge"]).arg(folder.path()).arg(&out).output().expect("running kymo");
    assert_eq!(output.status.code(), Some(2));
    let trace = folder.path().join("tautrace.1.0.0.trc");
    let expected = format!("kymo: {}: found no event file (*.edf) for this trace\n", trace.display());
    assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
}

/// The event files next to the traces are found, and none of another node is used.
#[test]
fn each_trace_has_the_event_file_of_its_node() {
    let folder = unmerged(&records());
    let path = |name: &str| folder.path().join(name);
    let traces = ["tautrace.0.0.0.trc", "tautrace.1.0.0.trc", "tautrace.1.0.2.trc"].map(path);
    let pair = Pair::new(&records(), Layout::Le32);
    let expected = converted(&pair.trace(), &pair.event_file()).events();
    let out = TempDir::new().expect("a folder");
    let mut command = kymo();
    command.args(["tau2otf2", "--merge"]).args(&traces).arg(path("events.0.edf")).arg(out.path().join("out"));
    assert!(command.output().expect("running kymo").status.success());
    assert_eq!(Converted::read(out).events(), expected);

    // Traces with other names take event files in order.
    let out = TempDir::new().expect("a folder");
    let mut command = kymo();
    command.args(["tau2otf2", "--merge"]);
    for (number, trace) in traces.iter().enumerate() {
        let [copy, events] = ["trc", "edf"].map(|ending| out.path().join(format!("part-{number}.{ending}")));
        fs::copy(trace, &copy).expect("a copy");
        fs::copy(path(["events.0.edf", "events.1.edf"][number.min(1)]), &events).expect("a copy");
        command.args([copy, events]);
    }
    assert!(command.arg(out.path().join("out")).output().expect("running kymo").status.success());
    assert_eq!(Converted::read(out).events(), expected);
}
