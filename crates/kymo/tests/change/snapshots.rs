//! `kymo snapshots` writes the same as otf2-snapshots where that tool is right, and `kymo print`
//! starts there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use kymo_otf2::attributes::Attribute;
use kymo_otf2::definitions as def;
use kymo_otf2::definitions::GlobalDefinition;
use kymo_otf2::enums::*;
use kymo_otf2::events::*;
use kymo_otf2::read::Archive;
use kymo_otf2::references::*;
use kymo_otf2::snapshots::Snapshot;
use kymo_otf2::value::MetricValue;

use super::{Copy, killed_everywhere, reference, samples};
use crate::check_common::Trace;
use crate::check_common::world::{MORTAL, OWN, WORLD, clock, list, metric_class, metric_member, world};

/// The records of a snapshot as text, without its start and end.
type Records = Vec<String>;

fn copy(trace: &Trace) -> Copy {
    Copy::of(&trace.write().anchor())
}

/// Returns the snapshots of a location: time, records, and where reading continues.
fn snapshots(copy: &Copy, location: u64) -> Vec<(u64, Records, u64)> {
    let archive = Archive::open(copy.anchor()).unwrap();
    let mut reader = archive.snapshots(location).unwrap();
    let (mut all, mut records, mut announced) = (Vec::new(), Vec::new(), 0);
    while let Some(record) = reader.next().unwrap() {
        match record.record {
            Snapshot::SnapshotStart(start) => announced = start.number_of_records,
            Snapshot::SnapshotEnd(end) => {
                assert_eq!(records.len() as u64, announced);
                all.push((record.time, std::mem::take(&mut records), end.cont_read_pos));
            }
            other => records.push(format!("{other:?}")),
        }
    }
    all
}

/// Returns the names of the records of a location in its only snapshot.
fn active(trace: &Trace, location: u64) -> Vec<String> {
    let copy = copy(trace);
    copy.done(&["snapshots", "-n", "1"]);
    assert_eq!(copy.check().kinds().iter().find(|kind| kind.contains("snapshot")), None);
    let [(500, records, _)] = &snapshots(&copy, location)[..] else { panic!("not one snapshot at 500") };
    records.iter().map(|it| it.split('(').next().unwrap().to_owned()).collect()
}

/// Returns a trace with an event at the end, so that there is a snapshot at time 500.
fn trace(events: impl FnOnce(&mut Trace)) -> Trace {
    let mut trace = world();
    events(&mut trace);
    trace.event(2, 1000, enter(1));
    trace
}

fn enter(region: u32) -> Enter {
    Enter { region: RegionRef(region) }
}

fn leave(region: u32) -> Leave {
    Leave { region: RegionRef(region) }
}

fn send(receiver: u32, msg_length: u64) -> MpiSend {
    MpiSend { receiver, communicator: WORLD, msg_tag: 7, msg_length }
}

fn recv(sender: u32, msg_length: u64) -> MpiRecv {
    MpiRecv { sender, communicator: WORLD, msg_tag: 7, msg_length }
}

fn isend(request_id: u64) -> MpiIsend {
    MpiIsend { receiver: 1, communicator: WORLD, msg_tag: 7, msg_length: 8, request_id }
}

fn irecv(request_id: u64) -> MpiIrecv {
    MpiIrecv { sender: 0, communicator: WORLD, msg_tag: 7, msg_length: 8, request_id }
}

fn collective_end(communicator: CommRef) -> MpiCollectiveEnd {
    MpiCollectiveEnd {
        collective_op: CollectiveOp::BARRIER,
        communicator,
        root: u32::MAX,
        size_sent: 0,
        size_received: 0,
    }
}

#[test]
fn regions_that_were_not_left_are_active() {
    let mut trace = world();
    let attributes = [Attribute::new(AttributeRef(0), 5_u64)];
    trace.event_with(0, 10, &attributes, enter(0));
    trace.event(0, 20, enter(1));
    trace.event(0, 30, leave(1));
    trace.event(0, 250, enter(1));
    trace.event(1, 249, enter(0));
    trace.event(0, 600, leave(1));
    trace.event(0, 1000, leave(0));
    let copy = copy(&trace);
    assert_eq!(
        copy.done(&["snapshots", "-n", "3", "--verbose"]),
        "writing new snapshot at timestamp: 250\nwriting new snapshot at timestamp: 500\n\
         writing new snapshot at timestamp: 750\n"
    );
    let region = |time, region| {
        format!("Enter(Enter {{ orig_event_time: Timestamp({time}), region: RegionRef({region}) }})")
    };
    assert_eq!(
        snapshots(&copy, 0),
        [
            (250, vec![region(10, 0)], 4),
            (500, vec![region(10, 0), region(250, 1)], 5),
            (750, vec![region(10, 0)], 6)
        ]
    );
    // Its events have ended: there is none to continue with.
    assert_eq!(snapshots(&copy, 1), [250, 500, 750].map(|time| (time, vec![region(249, 0)], 2)));
    assert_eq!(snapshots(&copy, 2), [250, 500, 750].map(|time| (time, vec![], 1)));
    let archive = Archive::open(copy.anchor()).unwrap();
    assert_eq!(archive.anchor().number_of_snapshots, 3);
    let mut records = archive.snapshots(0).unwrap();
    records.seek(2).unwrap();
    let found: Vec<_> = records.next().unwrap().unwrap().attributes.into_iter().collect();
    assert_eq!(found, attributes);
}

#[test]
fn values_last_as_long_as_their_calls() {
    let value = |value| ParameterInt { parameter: ParameterRef(0), value };
    let trace = trace(|trace| {
        trace.event(0, 0, value(1));
        trace.event(0, 1, MeasurementOnOff { measurement_mode: MeasurementMode::OFF });
        trace.event(0, 2, MeasurementOnOff { measurement_mode: MeasurementMode::ON });
        trace.event(0, 3, enter(0));
        (4..400).for_each(|time| trace.event(0, time, value(time as i64)));
        trace.event(0, 400, enter(1));
        trace.event(0, 401, value(-1));
        trace.event(0, 402, leave(1));
    });
    assert_eq!(active(&trace, 0), ["ParameterInt", "MeasurementOnOff", "Enter", "ParameterInt"]);
    let copy = copy(&trace);
    copy.done(&["snapshots", "-n", "1"]);
    let (_, records, _) = &snapshots(&copy, 0)[0];
    assert!(records[1].contains("ON") && records[3].contains("value: 399"), "{records:?}");
}

#[test]
fn metrics_have_their_last_or_accumulated_values() {
    fn metric(id: u32, value: u64) -> Metric<'static> {
        let values = Box::leak(Box::new([MetricValue::from(value)]));
        Metric { metric: MetricRef(id), metric_values: list(values) }
    }
    let mut trace = trace(|trace| {
        for (time, value) in [(10, 5), (20, 7), (600, 1)] {
            trace.event(0, time, metric(0, value));
            trace.event(0, time, metric(10, value));
        }
    });
    let relative = MetricMode::RELATIVE_NEXT;
    trace.define(def::MetricMember {
        id: MetricMemberRef(10),
        metric_mode: relative,
        ..metric_member(Type::UINT64)
    });
    trace.define(metric_class(MetricRef(10), &[MetricMemberRef(10)], RecorderKind::CPU));
    let copy = copy(&trace);
    copy.done(&["snapshots", "-n", "1"]);
    let (_, records, _) = &snapshots(&copy, 0)[0];
    let has = |record: &str, bits: u64| {
        record.contains("Timestamp(20)") && record.contains(&format!("bits: {bits} "))
    };
    assert!(records.len() == 2 && has(&records[0], 7) && has(&records[1], 12), "{records:?}");
}

#[test]
fn messages_are_active_until_both_sides_have_them() {
    // A send without its receive; another one that was received.
    let one = trace(|trace| {
        trace.event(0, 10, send(1, 8));
        trace.event(0, 20, send(1, 9));
        trace.event(1, 30, recv(0, 9));
    });
    assert_eq!((active(&one, 0), active(&one, 1)), (vec!["MpiSend".to_owned()], vec![]));
    // A receive that precedes its send, by a clock that is not exact.
    let early = trace(|trace| {
        trace.event(1, 30, recv(0, 8));
        trace.event(0, 700, send(1, 8));
    });
    assert_eq!(active(&early, 1), ["MpiRecv"]);
    let both = trace(|trace| {
        trace.event(1, 30, recv(0, 8));
        trace.event(0, 40, send(1, 8));
    });
    assert_eq!((active(&both, 0), active(&both, 1)), (vec![], vec![]));
}

#[test]
fn requests_are_active_until_they_are_complete() {
    let check = |events: &dyn Fn(&mut Trace), sender: &[&str], receiver: &[&str]| {
        let trace = trace(events);
        assert_eq!(
            (&active(&trace, 0)[..], &active(&trace, 1)[..]),
            (&to_owned(sender)[..], &to_owned(receiver)[..])
        );
    };
    fn to_owned(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }
    let posted = |trace: &mut Trace| {
        trace.event(0, 10, isend(5));
        trace.event(1, 10, MpiIrecvRequest { request_id: 6 });
    };
    let sent = |trace: &mut Trace| {
        posted(trace);
        trace.event(0, 20, MpiIsendComplete { request_id: 5 });
    };
    let received = |trace: &mut Trace| {
        posted(trace);
        trace.event(1, 30, irecv(6));
    };
    check(&posted, &["MpiIsend"], &["MpiIrecvRequest"]);
    check(&sent, &["MpiIsend", "MpiIsendComplete"], &["MpiIrecvRequest"]);
    // The send is not complete, although its message has arrived.
    check(&received, &["MpiIsend"], &[]);
    let all = |trace: &mut Trace| {
        sent(trace);
        trace.event(1, 30, irecv(6));
    };
    check(&all, &[], &[]);
    let reverse = |trace: &mut Trace| {
        received(trace);
        trace.event(0, 40, MpiIsendComplete { request_id: 5 });
    };
    check(&reverse, &[], &[]);
    // The receive is complete before the send.
    let early = |trace: &mut Trace| {
        trace.event(1, 10, MpiIrecvRequest { request_id: 6 });
        trace.event(1, 20, irecv(6));
    };
    check(&early, &[], &["MpiIrecvRequest", "MpiIrecv"]);
    let cancelled = |trace: &mut Trace| {
        posted(trace);
        trace.event(0, 20, MpiRequestCancelled { request_id: 5 });
        trace.event(1, 20, MpiRequestCancelled { request_id: 6 });
        trace.event(1, 30, recv(0, 8));
    };
    check(&cancelled, &[], &["MpiRecv"]);
}

#[test]
fn collective_operations_are_active_until_all_have_ended() {
    let one = trace(|trace| {
        trace.event(0, 10, MpiCollectiveBegin {});
        trace.event(0, 20, collective_end(WORLD));
        trace.event(1, 15, MpiCollectiveBegin {});
    });
    let expected = vec!["MpiCollectiveBegin".to_owned(), "MpiCollectiveEnd".to_owned()];
    assert_eq!((active(&one, 0), active(&one, 1)), (expected.clone(), expected[..1].to_vec()));
    let all = trace(|trace| {
        for location in 0..2 {
            trace.event(location, 10, MpiCollectiveBegin {});
            trace.event(location, 20 + location, collective_end(WORLD));
            // Of this one communicator, each location has its own.
            trace.event(location, 30, MpiCollectiveBegin {});
            trace.event(location, 31, collective_end(OWN));
        }
        trace.event(0, 40, MpiCollectiveBegin {});
        trace.event(0, 41, collective_end(MORTAL));
    });
    assert_eq!((active(&all, 0), active(&all, 1)), (expected, vec![]));
}

#[test]
fn threads_locks_and_tasks_are_active_until_they_end() {
    let model = Paradigm::OPENMP;
    let trace = trace(|trace| {
        trace.event(0, 10, ThreadFork { model, number_of_requested_threads: 2 });
        trace.event(0, 11, OmpFork { number_of_requested_threads: 3 });
        trace.event(0, 12, ThreadJoin { model });
        trace.event(0, 13, OmpAcquireLock { lock_id: 1, acquisition_order: 1 });
        trace.event(0, 14, ThreadAcquireLock { model, lock_id: 2, acquisition_order: 1 });
        trace.event(0, 15, OmpReleaseLock { lock_id: 1, acquisition_order: 1 });
        trace.event(0, 16, ThreadFork { model: Paradigm::PTHREAD, number_of_requested_threads: 2 });
        for task_id in [1, 2] {
            trace.event(0, 20, OmpTaskCreate { task_id });
        }
        for time in 30..90 {
            trace.event(1, time, OmpTaskSwitch { task_id: 1 + time % 2 });
        }
        trace.event(1, 100, OmpTaskComplete { task_id: 1 });
    });
    assert_eq!(active(&trace, 0), ["OmpFork", "OmpAcquireLock", "OmpTaskCreate"]);
    assert_eq!(active(&trace, 1), ["OmpTaskSwitch"]);
}

/// The receiver has no events.
#[test]
fn messages_without_an_end_have_a_limit() {
    let trace = trace(|trace| {
        trace.event(0, 0, enter(0));
        for number in 0..70_000 {
            trace.event(0, number / 200, send(1, number));
        }
    });
    let copy = copy(&trace);
    let output = copy.run(&["snapshots", "-n", "1"]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{stderr}");
    let line = "kymo: 4464 messages, operations or calls were too many for the snapshots: left out\n";
    assert_eq!(stderr, line);
    let (_, records, _) = &snapshots(&copy, 0)[0];
    assert!(records.len() == 1 + 65_536 && records[0].starts_with("Enter"), "{}", records.len());
}

#[test]
fn calls_that_are_too_deep_do_not_end_others() {
    let trace = trace(|trace| {
        (0..70_000).for_each(|number| trace.event(0, number / 300, enter(1)));
        (0..69_999).for_each(|number| trace.event(0, 240 + number / 300, leave(1)));
    });
    let copy = copy(&trace);
    let output = copy.run(&["snapshots", "-n", "1"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(snapshots(&copy, 0)[0].1.len(), 1);
}

/// Returns the lines of the snapshots without the fields that otf2-snapshots gets wrong: the
/// attributes, the time of a metric, and where reading continues.
fn comparable(copy: &Copy) -> Vec<String> {
    let printed = copy.run(&["print", "--time", "0", "18446744073709551615"]);
    let text = String::from_utf8_lossy(&printed.stdout).into_owned();
    let (_, snapshots) = text.split_once("=== Snapshots ===").unwrap_or_default();
    let is_kept = |line: &&str| !line.contains("ADDITIONAL ATTRIBUTES") && !line.starts_with("SNAPSHOT_END");
    let words = |line: &str| match line.starts_with("METRIC") {
        true => {
            line.split_whitespace().enumerate().filter(|(at, _)| *at != 2).map(|(_, word)| word).collect()
        }
        false => line.to_owned(),
    };
    snapshots.lines().filter(is_kept).map(words).collect()
}

#[test]
fn otf2_snapshots_writes_the_same_files_for_simple_traces() {
    let mut trace = world();
    // It makes another snapshot if the last event is at the end.
    let longer = def::ClockProperties { trace_length: 1100, ..clock() };
    trace.change(|it| matches!(it, GlobalDefinition::ClockProperties(_)), longer);
    for location in 0..3 {
        for number in 0..250 {
            let time = 4 * number + location;
            trace.event(location, time, enter(u32::from(number % 2 == 0)));
            if number % 3 == 0 {
                trace.event(location, time + 1, leave(u32::from(number % 2 == 0)));
            }
        }
        trace.event(location, 1000, enter(0));
    }
    for number in ["1", "7", "10", "63"] {
        let [ours, theirs] = [copy(&trace), copy(&trace)];
        let Some(output) = reference("otf2-snapshots", &["-n", number], &theirs.anchor()) else { return };
        assert!(output.status.success(), "{output:?}");
        ours.done(&["snapshots", "-n", number]);
        for location in 0..3 {
            let file = format!("traces/{location}.snap");
            let [ours, theirs] = [&ours, &theirs].map(|it| fs::read(it.folder.path().join(&file)).unwrap());
            assert!(ours == theirs, "{number} snapshots: {file}");
        }
    }
}

/// Of these archives the clocks end after the events, and otf2-snapshots does not crash.
#[test]
fn otf2_snapshots_finds_the_same_things_active() {
    let real = kymo_testdata::cases("otf2-real");
    let names =
        ["example-mpi", "example-openmp", "scorep84-mpi", "scorep84-openmp", "scorep71-mpi-pingpong-papi"];
    // The last one is only among those of `KYMO_MORE_ARCHIVES`.
    for (number, name) in names.into_iter().enumerate() {
        let Some(case) = real.iter().find(|case| case.ends_with(name)) else {
            assert_eq!(number, 4, "{name}");
            continue;
        };
        let anchor = &kymo_testdata::anchors(case)[0];
        for number in ["5", "30"] {
            let [ours, theirs] = [Copy::of(anchor), Copy::of(anchor)];
            let Some(output) = reference("otf2-snapshots", &["-n", number], &theirs.anchor()) else { return };
            assert!(output.status.success(), "{name}: {output:?}");
            ours.done(&["snapshots", "-n", number]);
            let [ours, theirs] = [ours, theirs].map(|it| comparable(&it));
            assert!(ours.len() > 4, "{name}: {ours:?}");
            for (ours, theirs) in ours.iter().zip(&theirs) {
                assert_eq!(ours, theirs, "{name}, {number} snapshots");
            }
            assert_eq!(ours.len(), theirs.len(), "{name}, {number} snapshots");
        }
    }
}

/// Reading continues with the first event at or after the snapshot, and the regions are those that
/// were entered before it and not left.
#[test]
fn snapshots_of_all_samples_agree_with_their_events() {
    let mut count = 0;
    let real = kymo_testdata::cases("otf2-real");
    let real = real.iter().flat_map(|case| kymo_testdata::anchors(case));
    for anchor in samples().into_iter().chain(real) {
        let copy = Copy::of(&anchor);
        let output = copy.run(&["snapshots", "-n", "150", "--renew", "--quiet"]);
        // Some are compressed, have no clock, or one that does not fit the events.
        if !output.status.success() {
            assert!(
                [Some(1), Some(2), Some(4)].contains(&output.status.code()),
                "{}: {output:?}",
                anchor.display()
            );
            continue;
        }
        count += agree(&copy, &anchor);
    }
    assert!(count >= 368, "{count}");
}

fn agree(copy: &Copy, anchor: &Path) -> usize {
    let archive = Archive::open(copy.anchor()).unwrap();
    let mut count = 0;
    for location in archive.locations().unwrap() {
        let (mut events, mut number) = (archive.events(location).unwrap(), 1);
        let mut stack = Vec::new();
        for (time, records, continuation) in snapshots(copy, location).into_iter().step_by(7) {
            while number < continuation {
                let event = events.next().unwrap().expect("an event");
                assert!(event.time < time, "{}: {location}: {time}", anchor.display());
                match event.record {
                    Event::Enter(it) => stack.push(it.region),
                    Event::Leave(_) => _ = stack.pop(),
                    Event::CallingContextEnter(_) | Event::CallingContextLeave(_) => return count,
                    _ => {}
                }
                number += 1;
            }
            let entered: Vec<_> = records.iter().filter(|it| it.starts_with("Enter(")).collect();
            assert_eq!(entered.len(), stack.len(), "{}: {location}: {time}", anchor.display());
            for (record, region) in entered.iter().zip(&stack) {
                assert!(record.contains(&format!("{region:?}")), "{record}: {region:?}");
            }
            count += 1;
        }
    }
    count
}

#[test]
fn print_starts_at_a_snapshot_and_prints_the_same() {
    let mut compared = 0;
    let real = kymo_testdata::cases("otf2-real");
    let real = real.iter().flat_map(|case| kymo_testdata::anchors(case));
    for anchor in samples().into_iter().chain(real) {
        let copy = Copy::of(&anchor);
        let spans = [["50%", "100%"], ["20%", "60%"], ["99%", "100%"]];
        let print = |span: [&str; 2]| {
            copy.run(&["print", "--format", "json", "--no-snapshots", "--time", span[0], span[1]])
        };
        let before = spans.map(print);
        if !copy.run(&["snapshots", "--renew", "--quiet", "-n", "50"]).status.success() {
            continue;
        }
        for (span, before) in spans.into_iter().zip(before) {
            let with = copy.run(&["print", "--format", "json", "--time", span[0], span[1]]);
            let events = |text: &[u8]| {
                let text = String::from_utf8_lossy(text).into_owned();
                text.lines()
                    .filter(|line| line.starts_with("{\"kind\":\"event\""))
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            let (with, before) = (events(&with.stdout), events(&before.stdout));
            assert!(
                with == before,
                "{} {span:?}: {} and {} events",
                anchor.display(),
                with.len(),
                before.len()
            );
            compared += usize::from(!with.is_empty());
        }
    }
    assert!(compared > 5, "{compared}");
}

#[test]
fn progress_is_a_line_of_dots() {
    let copy = copy(&trace(|trace| (0..999).for_each(|time| trace.event(0, time, enter(0)))));
    let printed = copy.done(&["snapshots", "--progress", "--verbose"]);
    let dots = ".".repeat(50);
    assert_eq!(
        printed,
        format!("=== Progress ===\n===10===20===30===40===50===60===70===80===90==100\n{dots}\n")
    );
}

#[test]
fn mistakes_are_named_and_change_nothing() {
    let good = trace(|_| {});
    let refused = |trace: &Trace, options: &[&str], status, message| {
        copy(trace).refused(&[&["snapshots"], options].concat(), status, message);
    };
    refused(&good, &["-p", "0"], 2, "'--period': expected at least one tick");
    refused(&good, &["-p", "2000"], 2, "the trace is too short for a snapshot between its begin and end");
    let mut late = world();
    late.event(0, 50, enter(0));
    refused(&late, &[], 2, "no snapshot: no event is at or after the time of the first one");
    let mut trace = trace(|_| {});
    trace.globals.retain(|it| !matches!(it, GlobalDefinition::ClockProperties(_)));
    refused(&trace, &[], 2, "the trace has no clock");
    trace.define(clock());
    trace.after(|folder| fs::write(folder.join("traces/1.evt"), "no events").unwrap());
    refused(&trace, &[], 1, "traces/1.evt: byte 0");
    let copy = copy(&good);
    copy.done(&["snapshots", "-n", "2"]);
    copy.refused(&["snapshots"], 2, "the archive has snapshots (--renew replaces them)");
    let zlib = Copy::of(&kymo_testdata::own("otf2-samples/otf2-2.2-zlib/t.otf2"));
    zlib.refused(
        &["snapshots", "--renew"],
        2,
        "the archive is compressed; 'kymo merge' writes a copy that is not",
    );
}

#[test]
fn check_and_otf2_print_accept_replaced_snapshots() {
    let trace = trace(|trace| (0..99).for_each(|time| trace.event(0, 10 * time, enter(0))));
    let copy = copy(&trace);
    copy.done(&["snapshots", "-n", "20"]);
    copy.done(&["seal"]);
    let before = copy.files();
    copy.done(&["snapshots", "-n", "3", "--renew"]);
    let report = copy.check();
    assert_eq!(report.kinds().iter().find(|kind| kind.contains("seal") || kind.contains("snap")), None);
    let after = copy.files();
    let changed: BTreeMap<_, _> =
        after.iter().filter(|(path, bytes)| before.get(*path) != Some(*bytes)).collect();
    assert_eq!(changed.len(), 5, "{changed:?}");
    if let Some(output) = reference("otf2-print", &["-A"], &copy.anchor()) {
        assert!(output.status.success(), "{output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout).matches("SNAPSHOT_START").count(), 9);
    }
}

/// In between, the archive announces no snapshots, or all that it announces are there.
#[test]
fn a_kill_leaves_whole_snapshots_or_none() {
    let new = || {
        let copy = copy(&trace(|trace| trace.event(0, 1, enter(0))));
        copy.done(&["snapshots", "-n", "1"]);
        copy
    };
    killed_everywhere(new, &["snapshots", "-n", "2", "-p", "300", "--renew"], |copy, when| {
        let announced = Archive::open(copy.anchor()).unwrap().anchor().number_of_snapshots as usize;
        let kinds = copy.check().kinds();
        assert!(!kinds.iter().any(|kind| kind.starts_with("snapshot")), "{when}: {kinds:?}");
        if announced > 0 {
            (0..3).for_each(|location| assert_eq!(snapshots(copy, location).len(), announced, "{when}"));
        }
    });
}
