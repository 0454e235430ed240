//! A run with every event of the plugin interface in both tables, every kind of definition, and no
//! two equal arguments.
//!
//! The main location has all 83 events in the order of their numbers, then further cases:
//! attributes of memory events, rewound regions, metrics of all occurrences, every defined
//! enumeration value and some undefined ones, and all events again while recording is off. Other
//! locations are a thread of a team, a thread that appears late, a GPU stream, two for metrics, and
//! a thread without events.

use super::SyntheticRecording;
use super::handles::{Handles, define, unify};
use super::sweep;
use serde_json::{Value, json};

/// The location with most of the events.
pub const MAIN: u32 = 0;
const TEAM_THREAD: u32 = 1;
const STREAM: u32 = 2;
const PROCESS_METRICS: u32 = 3;
const POLLED_METRICS: u32 = 4;
const LATE_THREAD: u32 = 5;
const SILENT_THREAD: u32 = 6;
pub(super) const CPU_THREADS: [u32; 4] = [MAIN, TEAM_THREAD, LATE_THREAD, SILENT_THREAD];
/// All locations, with their final names.
const LOCATIONS: [(u32, &str); 7] = [
    (MAIN, "Master thread"),
    (TEAM_THREAD, "OMP thread 1"),
    (STREAM, "CUDA[0:7]"),
    (PROCESS_METRICS, "Per process metrics"),
    (POLLED_METRICS, "Polled metrics"),
    (LATE_THREAD, "Pthread thread 1"),
    (SILENT_THREAD, "Pthread thread 2"),
];

/// Returns the recording.
pub fn every_event() -> SyntheticRecording {
    let mut recording = SyntheticRecording::new();
    let mut handles = define(&mut recording);
    begin(&mut recording, &handles);
    all_events(&mut recording, &handles, Table::Enabled);
    memory(&mut recording, &handles);
    metrics(&mut recording, &handles);
    rewinds(&mut recording, &handles);
    equal_times(&mut recording, &handles);
    sweep::known(&mut recording, &handles);
    sweep::unknown(&mut recording, &handles);
    recording_off(&mut recording, &handles);
    others(&mut recording, &mut handles);
    end(&mut recording, &handles);
    recording
}

/// Returns a short run whose user left recording off: PROGRAM_END arrives through the second table.
pub fn ends_off() -> SyntheticRecording {
    let mut recording = SyntheticRecording::new();
    let mut handles = define(&mut recording);
    begin(&mut recording, &handles);
    late_threads(&mut recording, &mut handles);
    recording.event(MAIN, "ENTER_REGION", json!({"regionHandle": handles.regions[1], "metrics": none()}));
    recording.event(MAIN, "DISABLE_RECORDING", json!({"regionHandle": handles.special[0]}));
    let region = json!({"regionHandle": handles.regions[1], "table": "disabled"});
    recording.event(MAIN, "EXIT_REGION", region);
    let status = json!({"exitStatus": 9_223_372_036_854_775_808_u64, "programRegionHandle": handles.special[2], "table": "disabled"});
    recording.event(MAIN, "PROGRAM_END", status);
    recording.call("deactivate_cpu_location", json!({"location": MAIN}));
    recording.pre_unify_names(&handles);
    recording.pre_unify();
    unify(&mut recording, &handles);
    recording.write_data(&LOCATIONS);
    recording
}

/// Returns the empty metrics of an event that could have some.
pub(super) fn none() -> Value {
    json!({"async": [], "strict": [], "sync": []})
}

fn begin(recording: &mut SyntheticRecording, handles: &Handles) {
    recording.create_location(MAIN, 0, "Master thread", None);
    recording.call("core_task_create", json!({"location": MAIN, "task": 4096}));
    for (location, kind, name) in [
        (STREAM, 1, "CUDA[?]"),
        (PROCESS_METRICS, 2, "Per process metrics"),
        (POLLED_METRICS, 2, "Polled metrics"),
    ] {
        recording.create_location(location, kind, name, Some(MAIN));
    }
    recording.call("activate_cpu_location", json!({"location": MAIN, "fork_sequence_count": 0}));
    let members = json!({
        "programName": handles.program_name,
        "numberOfProgramArgs": handles.arguments.len(),
        "programArguments": handles.arguments,
        "programRegionHandle": handles.special[2],
        "processId": 4711,
        "threadId": 4712,
    });
    recording.event(MAIN, "PROGRAM_BEGIN", members);
    recording.init_mpp();
    recording.on_thread(1);
    recording.create_location(TEAM_THREAD, 0, "OMP thread 1", Some(MAIN));
    recording.call("core_task_create", json!({"location": TEAM_THREAD, "task": 8192}));
    let activation = json!({"location": TEAM_THREAD, "parent": MAIN, "fork_sequence_count": 1});
    recording.call("activate_cpu_location", activation);
    recording.on_thread(0);
}

/// The table through which events arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Table {
    Enabled,
    Disabled,
}

/// Returns values that no other argument has.
struct Values(u64);

impl Values {
    fn next(&mut self) -> u64 {
        self.0 += 7;
        self.0
    }
}

/// Adds all events except those of the program, in the order of their numbers.
fn all_events(recording: &mut SyntheticRecording, h: &Handles, table: Table) {
    let mut values = Values(if table == Table::Enabled { 1000 } else { 9000 });
    let (r, io) = (&h.regions, &h.io);
    let mut v = || values.next();
    let metrics = || none();
    let events: Vec<(&str, Value)> = vec![
        ("ENABLE_RECORDING", json!({"regionHandle": h.special[0]})),
        ("ENTER_REGION", json!({"regionHandle": r[1], "metrics": metrics()})),
        ("EXIT_REGION", json!({"regionHandle": r[1], "metrics": metrics()})),
        (
            "SAMPLE",
            json!({"callingContext": h.contexts[2], "previousCallingContext": h.contexts[1], "unwindDistance": 2, "interruptGeneratorHandle": h.generators[0], "metrics": metrics()}),
        ),
        (
            "CALLING_CONTEXT_ENTER",
            json!({"callingContext": h.contexts[1], "previousCallingContext": h.contexts[0], "unwindDistance": 3, "metrics": metrics()}),
        ),
        (
            "CALLING_CONTEXT_EXIT",
            json!({"callingContext": h.contexts[1], "previousCallingContext": h.contexts[3], "unwindDistance": 4, "metrics": metrics()}),
        ),
        ("ENTER_REWIND_REGION", json!({"regionHandle": r[2]})),
        ("EXIT_REWIND_REGION", json!({"regionHandle": r[2], "doRewind": 0})),
        (
            "MPI_SEND",
            json!({"destinationRank": 1, "communicatorHandle": h.world, "tag": v(), "bytesSent": v()}),
        ),
        (
            "MPI_RECV",
            json!({"sourceRank": 3, "communicatorHandle": h.inter, "tag": v(), "bytesReceived": v()}),
        ),
        ("MPI_COLLECTIVE_BEGIN", json!({})),
        (
            "MPI_COLLECTIVE_END",
            json!({"communicatorHandle": h.half, "rootRank": 1, "collectiveType": 6, "bytesSent": v(), "bytesReceived": v()}),
        ),
        ("MPI_ISEND_COMPLETE", json!({"requestId": v()})),
        ("MPI_IRECV_REQUEST", json!({"requestId": v()})),
        ("MPI_REQUEST_TESTED", json!({"requestId": v()})),
        ("MPI_REQUEST_CANCELLED", json!({"requestId": v()})),
        (
            "MPI_ISEND",
            json!({"destinationRank": 2, "communicatorHandle": h.world, "tag": v(), "bytesSent": v(), "requestId": v()}),
        ),
        (
            "MPI_IRECV",
            json!({"sourceRank": 1, "communicatorHandle": h.half, "tag": v(), "bytesReceived": v(), "requestId": v()}),
        ),
        ("RMA_WIN_CREATE", json!({"windowHandle": h.windows[0]})),
        ("RMA_WIN_DESTROY", json!({"windowHandle": h.windows[1]})),
        ("RMA_COLLECTIVE_BEGIN", json!({"syncLevel": 2})),
        (
            "RMA_COLLECTIVE_END",
            json!({"collectiveOp": 14, "syncLevel": 1, "windowHandle": h.windows[0], "root": 2, "bytesSent": v(), "bytesReceived": v()}),
        ),
        ("RMA_TRY_LOCK", json!({"windowHandle": h.windows[0], "remote": 1, "lockId": v(), "lockType": 1})),
        (
            "RMA_ACQUIRE_LOCK",
            json!({"windowHandle": h.windows[0], "remote": 2, "lockId": v(), "lockType": 0}),
        ),
        (
            "RMA_REQUEST_LOCK",
            json!({"windowHandle": h.windows[0], "remote": 3, "lockId": v(), "lockType": 1}),
        ),
        ("RMA_RELEASE_LOCK", json!({"windowHandle": h.windows[0], "remote": 2, "lockId": v()})),
        ("RMA_SYNC", json!({"windowHandle": h.windows[0], "remote": 3, "syncType": 2})),
        ("RMA_GROUP_SYNC", json!({"syncLevel": 3, "windowHandle": h.windows[0], "groupHandle": h.groups[1]})),
        ("RMA_PUT", json!({"windowHandle": h.windows[0], "remote": 1, "bytes": v(), "matchingId": v()})),
        ("RMA_GET", json!({"windowHandle": h.windows[1], "remote": 0, "bytes": v(), "matchingId": v()})),
        (
            "RMA_ATOMIC",
            json!({"windowHandle": h.windows[0], "remote": 3, "type": 3, "bytesSent": v(), "bytesReceived": v(), "matchingId": v()}),
        ),
        ("RMA_WAIT_CHANGE", json!({"windowHandle": h.windows[0]})),
        ("RMA_OP_COMPLETE_BLOCKING", json!({"windowHandle": h.windows[0], "matchingId": v()})),
        ("RMA_OP_COMPLETE_NON_BLOCKING", json!({"windowHandle": h.windows[0], "matchingId": v()})),
        ("RMA_OP_TEST", json!({"windowHandle": h.windows[0], "matchingId": v()})),
        ("RMA_OP_COMPLETE_REMOTE", json!({"windowHandle": h.windows[0], "matchingId": v()})),
        ("THREAD_ACQUIRE_LOCK", json!({"paradigm": 9, "lockId": v(), "acquisitionOrder": v()})),
        ("THREAD_RELEASE_LOCK", json!({"paradigm": 8, "lockId": v(), "acquisitionOrder": v()})),
        ("TRIGGER_COUNTER_INT64", json!({"counterHandle": h.counters[0], "value": -(v() as i64)})),
        ("TRIGGER_COUNTER_UINT64", json!({"counterHandle": h.counters[1], "value": v() | 1 << 63})),
        (
            "TRIGGER_COUNTER_DOUBLE",
            json!({"counterHandle": h.counters[2], "value": v() as f64 / -16.0 - 0.031_25}),
        ),
        ("TRIGGER_PARAMETER_INT64", json!({"parameterHandle": h.parameters[0], "value": -(v() as i64)})),
        ("TRIGGER_PARAMETER_UINT64", json!({"parameterHandle": h.parameters[1], "value": v()})),
        (
            "TRIGGER_PARAMETER_STRING",
            json!({"parameterHandle": h.parameters[2], "string_handle": h.arguments[1]}),
        ),
        ("THREAD_FORK_JOIN_FORK", json!({"paradigm": 8, "nRequestedThreads": v(), "forkSequenceCount": v()})),
        ("THREAD_FORK_JOIN_JOIN", json!({"paradigm": 17})),
        ("THREAD_FORK_JOIN_TEAM_BEGIN", json!({"paradigm": 8, "threadTeam": h.teams[0], "threadId": v()})),
        ("THREAD_FORK_JOIN_TEAM_END", json!({"paradigm": 8, "threadTeam": h.teams[1]})),
        (
            "THREAD_FORK_JOIN_TASK_CREATE",
            json!({"paradigm": 8, "threadTeam": h.teams[0], "threadId": 1, "generationNumber": v()}),
        ),
        (
            "THREAD_FORK_JOIN_TASK_SWITCH",
            json!({"paradigm": 8, "threadTeam": h.teams[0], "threadId": 0, "generationNumber": v(), "taskHandle": v()}),
        ),
        (
            "THREAD_FORK_JOIN_TASK_BEGIN",
            json!({"regionHandle": r[30], "paradigm": 8, "threadTeam": h.teams[0], "threadId": 1, "generationNumber": v(), "taskHandle": v(), "metrics": metrics()}),
        ),
        (
            "THREAD_FORK_JOIN_TASK_END",
            json!({"regionHandle": r[30], "paradigm": 8, "threadTeam": h.teams[0], "threadId": 0, "generationNumber": v(), "taskHandle": v(), "metrics": metrics()}),
        ),
        (
            "THREAD_CREATE_WAIT_CREATE",
            json!({"paradigm": 9, "threadTeam": h.threads, "createSequenceCount": v()}),
        ),
        (
            "THREAD_CREATE_WAIT_WAIT",
            json!({"paradigm": 9, "threadTeam": h.threads, "createSequenceCount": v()}),
        ),
        (
            "THREAD_CREATE_WAIT_BEGIN",
            json!({"paradigm": 9, "threadTeam": h.threads, "createSequenceCount": v(), "threadId": v()}),
        ),
        (
            "THREAD_CREATE_WAIT_END",
            json!({"paradigm": 9, "threadTeam": h.threads, "createSequenceCount": v()}),
        ),
        (
            "TRACK_ALLOC",
            json!({"addrAllocated": v(), "bytesAllocated": v(), "bytesAllocatedMetric": v(), "bytesAllocatedProcess": v()}),
        ),
        (
            "TRACK_REALLOC",
            json!({"oldAddr": v(), "oldBytesAllocated": v(), "newAddr": v(), "newBytesAllocated": v(), "bytesAllocatedMetric": v(), "bytesAllocatedProcess": v()}),
        ),
        (
            "TRACK_FREE",
            json!({"addrFreed": v(), "bytesFreed": v(), "bytesAllocatedMetric": v(), "bytesAllocatedProcess": v()}),
        ),
        ("IO_CREATE_HANDLE", json!({"handle": io[2], "mode": 3, "creationFlags": 5, "statusFlags": 6})),
        ("IO_DUPLICATE_HANDLE", json!({"oldHandle": io[2], "newHandle": io[4], "statusFlags": 65})),
        ("IO_DESTROY_HANDLE", json!({"handle": io[4]})),
        (
            "IO_SEEK",
            json!({"handle": io[2], "offsetRequest": -(v() as i64), "whence": 2, "offsetResult": v()}),
        ),
        ("IO_CHANGE_STATUS_FLAGS", json!({"handle": io[3], "statusFlags": 24})),
        ("IO_DELETE_FILE", json!({"ioParadigm": 1, "ioFile": h.files[1]})),
        (
            "IO_OPERATION_BEGIN",
            json!({"handle": io[2], "mode": 1, "operationFlags": 2, "bytesRequest": v(), "matchingId": v(), "offset": v()}),
        ),
        ("IO_OPERATION_ISSUED", json!({"handle": io[3], "matchingId": v()})),
        ("IO_OPERATION_TEST", json!({"handle": io[2], "matchingId": v()})),
        ("IO_OPERATION_COMPLETE", json!({"handle": io[3], "mode": 2, "bytesResult": v(), "matchingId": v()})),
        ("IO_OPERATION_CANCELLED", json!({"handle": io[2], "matchingId": v()})),
        ("IO_ACQUIRE_LOCK", json!({"handle": io[2], "lockType": 0})),
        ("IO_TRY_LOCK", json!({"handle": io[3], "lockType": 1})),
        ("IO_RELEASE_LOCK", json!({"handle": io[2], "lockType": 1})),
        ("MPI_NON_BLOCKING_COLLECTIVE_REQUEST", json!({"requestId": v()})),
        (
            "MPI_NON_BLOCKING_COLLECTIVE_COMPLETE",
            json!({"communicatorHandle": h.world, "rootRank": 3, "collectiveType": 11, "bytesSent": v(), "bytesReceived": v(), "requestId": v()}),
        ),
        ("COMM_CREATE", json!({"communicatorHandle": h.inter})),
        ("COMM_DESTROY", json!({"communicatorHandle": h.half})),
    ];
    for (name, mut members) in events {
        if table == Table::Disabled {
            // Enabling recording while it is off arrives through the first table.
            if name == "ENABLE_RECORDING" {
                continue;
            }
            let all = members.as_object_mut().expect("an object");
            all.remove("metrics");
            all.insert("table".to_owned(), "disabled".into());
        }
        recording.event(MAIN, name, members);
    }
    flush(recording, h, table);
    post_mortem(recording, h, table, v());
}

fn in_table(mut members: Value, table: Table) -> Value {
    if table == Table::Disabled {
        members.as_object_mut().expect("an object").insert("table".to_owned(), "disabled".into());
    }
    members
}

/// Adds a flush of the host's buffers: the event that caused it follows with an earlier time.
fn flush(recording: &mut SyntheticRecording, h: &Handles, table: Table) {
    let earlier = recording.time;
    for (name, later) in [("ON_TRACING_BUFFER_FLUSH_BEGIN", 2), ("ON_TRACING_BUFFER_FLUSH_END", 5)] {
        recording.event_at(
            MAIN,
            name,
            earlier + later,
            in_table(json!({"regionHandle": h.special[1]}), table),
        );
    }
    let mut members = json!({"regionHandle": h.regions[2]});
    if table == Table::Enabled {
        members["metrics"] = none();
    }
    recording.event_at(MAIN, "ENTER_REGION", earlier, in_table(members.clone(), table));
    recording.time = earlier + 10;
    recording.event(MAIN, "EXIT_REGION", in_table(members, table));
}

fn post_mortem(recording: &mut SyntheticRecording, h: &Handles, table: Table, value: u64) {
    let values = json!({"samplingSet": h.sets[2], "metricValues": [value, (-0.5_f64).to_bits()]});
    let time = recording.time;
    recording.event_at(POLLED_METRICS, "WRITE_POST_MORTEM_METRICS", time - 500, in_table(values, table));
}

/// Adds events for the rows of the table of memory events and attributes.
fn memory(recording: &mut SyntheticRecording, h: &Handles) {
    let [malloc, free, realloc, alloc_mem] = h.memory;
    let alloc = |address: u64, bytes: u64| {
        (
            "TRACK_ALLOC",
            json!({"addrAllocated": address, "bytesAllocated": bytes, "bytesAllocatedMetric": bytes, "bytesAllocatedProcess": bytes}),
        )
    };
    let freed = |address: u64, bytes: u64| {
        (
            "TRACK_FREE",
            json!({"addrFreed": address, "bytesFreed": bytes, "bytesAllocatedMetric": 0, "bytesAllocatedProcess": 0}),
        )
    };
    let moved = (
        "TRACK_REALLOC",
        json!({"oldAddr": 0x1000, "oldBytesAllocated": 24, "newAddr": 0x2000, "newBytesAllocated": 48, "bytesAllocatedMetric": 48, "bytesAllocatedProcess": 48}),
    );
    let rows = [
        (malloc, Some(alloc(0x1000, 24))),
        (free, Some(freed(0x2000, 48))),
        (realloc, Some(moved)),
        (realloc, Some(alloc(0x3000, 72))),
        (realloc, Some(freed(0x3000, 72))),
        (malloc, None),
        (free, None),
        (realloc, None),
        (alloc_mem, Some(alloc(0x4000, 96))),
    ];
    for (region, track) in rows {
        recording.event(MAIN, "ENTER_REGION", json!({"regionHandle": region, "metrics": none()}));
        if let Some((name, members)) = track {
            recording.event(MAIN, name, members);
        }
        recording.event(MAIN, "EXIT_REGION", json!({"regionHandle": region, "metrics": none()}));
    }
    // A record between the enter and the call removes the attributes of the enter.
    recording.event(MAIN, "ENTER_REGION", json!({"regionHandle": malloc, "metrics": none()}));
    recording.event(MAIN, "TRIGGER_COUNTER_UINT64", json!({"counterHandle": h.counters[1], "value": 5}));
    let (name, members) = alloc(0x5000, 120);
    recording.event(MAIN, name, members);
    recording.event(MAIN, "EXIT_REGION", json!({"regionHandle": malloc, "metrics": none()}));
}

/// Adds metrics of every occurrence at every event that may have some.
fn metrics(recording: &mut SyntheticRecording, h: &Handles) {
    let mut polled = recording.time - 400;
    let lists = |time: u64, polled: &mut u64| {
        let strict = json!({"location": MAIN, "timestamp": time, "samplingSet": h.sets[0], "values": [(time as i64).wrapping_neg() as u64, time, (time as f64 / 4.0).to_bits()]});
        let synchronous =
            json!({"location": MAIN, "timestamp": time, "samplingSet": h.sets[1], "values": [time + 1]});
        let asynchronous = [1, 2].map(|more| {
            *polled += 3;
            json!({"location": POLLED_METRICS, "timestamp": *polled, "samplingSet": h.sets[2], "values": [time + more, (time as f64 * 8.0).to_bits()]})
        });
        SyntheticRecording::metrics([
            ("async", asynchronous.to_vec()),
            ("strict", vec![strict]),
            ("sync", vec![synchronous]),
        ])
    };
    let context = |unwind: u32| json!({"callingContext": h.contexts[3], "previousCallingContext": h.contexts[1], "unwindDistance": unwind});
    let task = |region: Option<u32>| {
        let mut members = json!({"paradigm": 8, "threadTeam": h.teams[0], "threadId": 1, "generationNumber": 3, "taskHandle": 12288});
        if let Some(region) = region {
            members["regionHandle"] = region.into();
        }
        members
    };
    let mut sample = context(1);
    sample["interruptGeneratorHandle"] = h.generators[1].into();
    let closing = json!({"callingContext": 0, "previousCallingContext": h.contexts[3], "unwindDistance": 1, "interruptGeneratorHandle": 0});
    let region = json!({"regionHandle": h.regions[3]});
    let events = [
        ("ENTER_REGION", region.clone()),
        ("EXIT_REGION", region),
        ("CALLING_CONTEXT_ENTER", context(5)),
        ("CALLING_CONTEXT_EXIT", context(6)),
        ("SAMPLE", sample),
        ("THREAD_FORK_JOIN_TASK_BEGIN", task(Some(h.regions[31]))),
        ("THREAD_FORK_JOIN_TASK_END", task(Some(h.regions[31]))),
        ("THREAD_FORK_JOIN_TASK_SWITCH", task(None)),
        ("SAMPLE", closing),
        ("ENTER_REGION", json!({"regionHandle": h.memory[0]})),
        ("EXIT_REGION", json!({"regionHandle": h.memory[0]})),
    ];
    for (name, mut members) in events {
        members["metrics"] = lists(recording.time, &mut polled);
        recording.event(MAIN, name, members);
    }
}

fn rewinds(recording: &mut SyntheticRecording, h: &Handles) {
    let mark = |recording: &mut SyntheticRecording, region: usize| {
        recording.event(MAIN, "ENTER_REWIND_REGION", json!({"regionHandle": h.regions[region]}));
    };
    let leave = |recording: &mut SyntheticRecording, region: usize, rewind: bool| {
        let members = json!({"regionHandle": h.regions[region], "doRewind": u32::from(rewind)});
        recording.event(MAIN, "EXIT_REWIND_REGION", members);
    };
    let parameter = |recording: &mut SyntheticRecording, value: i64| {
        let members = json!({"parameterHandle": h.parameters[0], "value": value});
        recording.event(MAIN, "TRIGGER_PARAMETER_INT64", members);
    };
    // Kept; dropped with the records inside; kept again.
    parameter(recording, 1);
    mark(recording, 10);
    parameter(recording, 2);
    mark(recording, 11);
    parameter(recording, -3);
    leave(recording, 11, true);
    parameter(recording, 4);
    leave(recording, 10, false);
    mark(recording, 12);
    parameter(recording, -5);
    mark(recording, 13);
    parameter(recording, -6);
    leave(recording, 13, false);
    leave(recording, 12, true);
    // A mark that is set again moves; leaving the outer one drops the inner.
    mark(recording, 14);
    parameter(recording, 7);
    mark(recording, 14);
    parameter(recording, -8);
    leave(recording, 14, true);
    mark(recording, 15);
    parameter(recording, 9);
    mark(recording, 16);
    parameter(recording, 10);
    leave(recording, 15, false);
    leave(recording, 16, true);
    parameter(recording, 11);
    // Never marked.
    leave(recording, 17, true);
    parameter(recording, 12);
}

/// Adds events with the same time as the previous one.
fn equal_times(recording: &mut SyntheticRecording, h: &Handles) {
    let time = recording.time;
    recording.time += 10;
    recording.event_at(MAIN, "ENTER_REGION", time, json!({"regionHandle": h.regions[4], "metrics": none()}));
    recording.event_at(MAIN, "MPI_COLLECTIVE_BEGIN", time, json!({}));
    recording.event_at(MAIN, "RMA_WAIT_CHANGE", time, json!({"windowHandle": h.windows[1]}));
    recording.event(MAIN, "EXIT_REGION", json!({"regionHandle": h.regions[4], "metrics": none()}));
}

fn recording_off(recording: &mut SyntheticRecording, h: &Handles) {
    let off = json!({"regionHandle": h.special[0]});
    recording.event(MAIN, "DISABLE_RECORDING", off.clone());
    recording.event(MAIN, "DISABLE_RECORDING", in_table(off.clone(), Table::Disabled));
    all_events(recording, h, Table::Disabled);
    recording.event(MAIN, "ENABLE_RECORDING", off.clone());
    recording.event(MAIN, "ENABLE_RECORDING", off);
}

/// Adds events of the other locations, one of which appears only now.
fn others(recording: &mut SyntheticRecording, h: &mut Handles) {
    for (name, value) in
        [("ENTER_REGION", 45), ("EXIT_REGION", 45), ("ENTER_REGION", 46), ("EXIT_REGION", 46)]
    {
        recording.event(STREAM, name, json!({"regionHandle": h.regions[value], "metrics": none()}));
    }
    recording.event(
        STREAM,
        "RMA_PUT",
        json!({"windowHandle": h.windows[1], "remote": 1, "bytes": 4096, "matchingId": 1}),
    );
    recording.event(STREAM, "TRIGGER_COUNTER_DOUBLE", json!({"counterHandle": h.counters[2], "value": 1.5}));
    recording.event(
        PROCESS_METRICS,
        "TRIGGER_COUNTER_DOUBLE",
        json!({"counterHandle": h.scoped[0], "value": 0.125}),
    );
    recording.event(
        PROCESS_METRICS,
        "TRIGGER_COUNTER_INT64",
        json!({"counterHandle": h.scoped[1], "value": -4}),
    );
    recording.event(
        PROCESS_METRICS,
        "TRIGGER_COUNTER_UINT64",
        json!({"counterHandle": h.scoped[2], "value": 6}),
    );
    recording.on_thread(1);
    recording.event(
        TEAM_THREAD,
        "THREAD_FORK_JOIN_TEAM_BEGIN",
        json!({"paradigm": 8, "threadTeam": h.teams[1], "threadId": 0}),
    );
    recording.event(
        TEAM_THREAD,
        "THREAD_FORK_JOIN_TEAM_END",
        json!({"paradigm": 8, "threadTeam": h.teams[1]}),
    );
    recording.call("deactivate_cpu_location", json!({"location": TEAM_THREAD, "parent": MAIN}));
    late_threads(recording, h);
}

/// Adds two threads that appear late, one of which has no events.
fn late_threads(recording: &mut SyntheticRecording, h: &mut Handles) {
    for (thread, location, name) in
        [(2, LATE_THREAD, "Pthread thread 1"), (3, SILENT_THREAD, "Pthread thread 2")]
    {
        recording.on_thread(thread);
        h.locations.push(recording.location(name, 0, h.group));
        recording.create_location(location, 0, name, Some(MAIN));
        recording.call("core_task_create", json!({"location": location, "task": 4096 * (location + 1)}));
        recording.call(
            "activate_cpu_location",
            json!({"location": location, "parent": MAIN, "fork_sequence_count": location}),
        );
        if location == LATE_THREAD {
            let members = json!({"paradigm": 9, "threadTeam": h.threads, "createSequenceCount": u32::MAX, "threadId": 4713});
            recording.event(location, "THREAD_CREATE_WAIT_BEGIN", members);
            let members = json!({"paradigm": 9, "threadTeam": h.threads, "createSequenceCount": 2});
            recording.event(location, "THREAD_CREATE_WAIT_END", members);
        }
        recording.call("deactivate_cpu_location", json!({"location": location, "parent": MAIN}));
    }
    recording.on_thread(0);
}

fn end(recording: &mut SyntheticRecording, h: &Handles) {
    post_mortem(recording, h, Table::Enabled, 31);
    recording.event(MAIN, "PROGRAM_END", json!({"exitStatus": 3, "programRegionHandle": h.special[2]}));
    recording.call("deactivate_cpu_location", json!({"location": MAIN}));
    recording.pre_unify_names(h);
    recording.pre_unify();
    unify(recording, h);
    recording.write_data(&LOCATIONS);
}
