//! A run that has every event of the plugin interface in both tables, every kind of definition, and no two equal arguments.
//!
//! The main location has all 83 events in the order of their numbers, then what a location may see besides: attributes of
//! memory events, rewound regions, metrics of all occurrences, every enumeration value there is and some there are not, and
//! all events again while recording is off. Other locations are a thread of a team, a thread that appears late, a GPU
//! stream, two for metrics, and a thread without events.

use super::MadeUp;
use super::definitions::{Metric, Region};
use super::sweep;
use kymo_substrate::bindings as sys;
use serde_json::{Value, json};

/// The location that has most events.
pub const MAIN: u32 = 0;
const TEAM_THREAD: u32 = 1;
const STREAM: u32 = 2;
const PROCESS_METRICS: u32 = 3;
const POLLED_METRICS: u32 = 4;
const LATE_THREAD: u32 = 5;
const SILENT_THREAD: u32 = 6;
const CPU_THREADS: [u32; 4] = [MAIN, TEAM_THREAD, LATE_THREAD, SILENT_THREAD];
/// All of them, with the names they have in the end.
const LOCATIONS: [(u32, &str); 7] = [
    (MAIN, "Master thread"),
    (TEAM_THREAD, "OMP thread 1"),
    (STREAM, "CUDA[0:7]"),
    (PROCESS_METRICS, "Per process metrics"),
    (POLLED_METRICS, "Polled metrics"),
    (LATE_THREAD, "Pthread thread 1"),
    (SILENT_THREAD, "Pthread thread 2"),
];

/// Handles that events use.
#[derive(Debug)]
pub struct Handles {
    /// MEASUREMENT OFF, TRACE BUFFER FLUSH and the program, in front of one region of each type.
    pub(super) special: [u32; 3],
    pub(super) regions: Vec<u32>,
    pub(super) memory: [u32; 4],
    pub(super) arguments: Vec<u32>,
    pub(super) program_name: u32,
    pub(super) world: u32,
    pub(super) half: u32,
    pub(super) inter: u32,
    pub(super) self_: u32,
    pub(super) teams: [u32; 2],
    pub(super) threads: u32,
    pub(super) streams: u32,
    pub(super) windows: [u32; 2],
    pub(super) groups: [u32; 2],
    pub(super) files: [u32; 2],
    pub(super) io: Vec<u32>,
    pub(super) contexts: Vec<u32>,
    pub(super) generators: [u32; 2],
    pub(super) parameters: [u32; 3],
    /// Strictly synchronous, synchronous in a scope, asynchronous.
    pub(super) sets: [u32; 3],
    /// Of one integer, natural number and fraction.
    pub(super) counters: [u32; 3],
    /// In the scope of the process, of a node, of a group.
    pub(super) scoped: [u32; 3],
    pub(super) group: u32,
    pub(super) accelerator: u32,
    pub(super) locations: Vec<u32>,
    pub(super) topology: u32,
}

/// The recording.
pub fn every_event() -> MadeUp {
    let mut made = MadeUp::new();
    let mut handles = define(&mut made);
    begin(&mut made, &handles);
    all_events(&mut made, &handles, Table::Enabled);
    memory(&mut made, &handles);
    metrics(&mut made, &handles);
    rewinds(&mut made, &handles);
    equal_times(&mut made, &handles);
    sweep::known(&mut made, &handles);
    sweep::unknown(&mut made, &handles);
    recording_off(&mut made, &handles);
    others(&mut made, &mut handles);
    end(&mut made, &handles);
    made
}

/// A short run whose user left recording off: PROGRAM_END comes through the second table.
pub fn ends_off() -> MadeUp {
    let mut made = MadeUp::new();
    let mut handles = define(&mut made);
    begin(&mut made, &handles);
    late_threads(&mut made, &mut handles);
    made.event(MAIN, "ENTER_REGION", json!({"regionHandle": handles.regions[1], "metrics": none()}));
    made.event(MAIN, "DISABLE_RECORDING", json!({"regionHandle": handles.special[0]}));
    let region = json!({"regionHandle": handles.regions[1], "table": "disabled"});
    made.event(MAIN, "EXIT_REGION", region);
    let status = json!({"exitStatus": 9_223_372_036_854_775_808_u64, "programRegionHandle": handles.special[2], "table": "disabled"});
    made.event(MAIN, "PROGRAM_END", status);
    made.call("deactivate_cpu_location", json!({"location": MAIN}));
    made.pre_unify_names(&handles);
    made.pre_unify();
    unify(&mut made, &handles);
    made.write_data(&LOCATIONS);
    made
}

/// No metrics at an event that could have some.
pub(super) fn none() -> Value {
    json!({"async": [], "strict": [], "sync": []})
}

fn define(made: &mut MadeUp) -> Handles {
    let machine = made.system_tree_node(0, 1, "machine", "made-up");
    made.node_property(machine, "platform", "Linux");
    let node = made.system_tree_node(machine, 2 | 4 | 8 | 16 | 32 | 64 | 256, "node", "n1");
    let device = made.system_tree_node(node, 128, "accelerator", "device 0");
    let group = made.location_group(node, 0, 0);
    let mut special = |name, paradigm| made.region(&Region::new(name, 36, paradigm));
    let special = [special("MEASUREMENT OFF", 1), special("TRACE BUFFER FLUSH", 0), {
        let program = Region { canonical_name: Some("/made/up/app"), ..Region::new("app", 36, 0) };
        made.region(&program)
    }];
    made.string("Source code location");
    made.string("SOURCE_CODE_LOCATION");
    let main = made.location("Master thread", 0, group);
    for text in ["Absolute read/write offset within a file.", "Offset", "Process identifier", "ProcessId"] {
        made.string(text);
    }
    made.string("Thread identifier");
    made.string("ThreadId");
    made.call("assign_id", json!({"id": 0}));
    let regions = regions(made);
    let memory =
        [("malloc", 40), ("free", 41), ("realloc", 42), ("MPI_Alloc_mem", 40)].map(|(name, kind)| {
            made.region(&Region::new(name, kind, if kind == 40 && name.starts_with('M') { 6 } else { 4 }))
        });
    for (name, description) in [
        ("ALLOCATION_SIZE", "Size of memory to allocate"),
        ("DEALLOCATION_SIZE", "Size of memory to deallocate"),
        ("ARGUMENT_ADDRESS", "Address argument"),
        ("RESULT_ADDRESS", "Result of allocation"),
    ] {
        made.string(name);
        made.string(description);
    }
    made.paradigm(sys::SCOREP_PARADIGM_MPI, 0, "MPI", [Some("Comm ${id}"), Some("Win ${id}")]);
    made.paradigm(sys::SCOREP_PARADIGM_OPENMP, 1, "OpenMP", [Some("Thread team ${id}"), None]);
    made.paradigm(sys::SCOREP_PARADIGM_PTHREAD, 2, "Pthread", [None, None]);
    made.paradigm(sys::SCOREP_PARADIGM_CUDA, 3, "CUDA", [None, None]);
    let accelerator = made.location_group(device, 1, group);
    let team_thread = made.location("OMP thread 1", 0, group);
    let stream = made.location("CUDA[0:7]", 1, accelerator);
    made.location_property(stream, "queue", "seven");
    let process_metrics = made.location("Per process metrics", 2, group);
    let polled_metrics = made.location("Polled metrics", 2, group);
    let locations = vec![main, team_thread, stream, process_metrics, polled_metrics];
    let (sets, counters, scoped) = sampling_sets(made, &locations, group, node);
    let (files, io) = files(made, node);
    let teams =
        [0, 1].map(|thread| made.interim_communicator(0, sys::SCOREP_PARADIGM_OPENMP, &[2, thread, 0]));
    let threads = made.interim_communicator(0, sys::SCOREP_PARADIGM_PTHREAD, &[]);
    let streams = made.interim_communicator(0, sys::SCOREP_PARADIGM_CUDA, &[]);
    let world = made.interim_communicator(0, sys::SCOREP_PARADIGM_MPI, &[4, 0, 0, 0, 0, 0]);
    let self_ = made.interim_communicator(0, sys::SCOREP_PARADIGM_MPI, &[1, 0, 0, 0, 0, 0]);
    let half = made.interim_communicator(world, sys::SCOREP_PARADIGM_MPI, &[2, 0, 0, 0, 1, 0]);
    let inter = made.interim_communicator(world, sys::SCOREP_PARADIGM_MPI, &[2, 0, 2, 0, 2, 0]);
    let windows = [made.window("Window", world, 1), made.window("device memory", streams, 0)];
    // Ranks are threads of this process, so that all of them have a location.
    made.group(4, "ranks", &CPU_THREADS.map(|id| u64::from(id) << 32));
    let groups = [made.group(5, "odd ranks", &[1, 3]), made.group(5, "some ranks", &[0, 2, 3])];
    let topology = made.topology("grid", world, 0, &[(2, true, "x"), (2, false, "y")]);
    made.coordinates(topology, 0, 0, &[0, 1]);
    let generators = [
        made.interrupt_generator("a timer", 0, 1, -6, 2000),
        made.interrupt_generator("a counter", 1, 0, 10, 77_000_000_000),
    ];
    let contexts = contexts(made, &regions);
    let parameters =
        [("integer", 0), ("natural", 1), ("text", 2)].map(|(name, kind)| made.parameter(name, kind));
    let arguments = ["--first", "--second=2"].map(|text| made.string(text)).to_vec();
    let program_name = made.string("/made/up/app");
    Handles {
        special,
        regions,
        memory,
        arguments,
        program_name,
        world,
        half,
        inter,
        self_,
        teams,
        threads,
        streams,
        windows,
        groups,
        files,
        io,
        contexts,
        generators,
        parameters,
        sets,
        counters,
        scoped,
        group,
        accelerator,
        locations,
        topology,
    }
}

/// A region of every type, the paradigms taking turns, and one of a type and paradigm that no release has.
fn regions(made: &mut MadeUp) -> Vec<u32> {
    made.source_file("/made/up/source.c");
    let mut all = Vec::new();
    for kind in 0..48_u32 {
        let name = format!("region type {kind}");
        let canonical = format!("_Z{kind}");
        all.push(made.region(&Region {
            canonical_name: kind.is_multiple_of(3).then_some(canonical.as_str()),
            file: (!kind.is_multiple_of(4)).then_some("/made/up/source.c"),
            lines: (100 + kind, 200 + kind),
            description: if kind.is_multiple_of(5) { "described" } else { "" },
            group: kind.is_multiple_of(7).then_some("sevenths"),
            ..Region::new(&name, kind, kind % 18)
        }));
    }
    all.push(made.region(&Region::new("region of the future", 4711, 815)));
    all
}

type Sets = ([u32; 3], [u32; 3], [u32; 3]);

/// Metrics of all modes, value types and sources in sets of all occurrences, classes and scopes.
fn sampling_sets(made: &mut MadeUp, locations: &[u32], group: u32, node: u32) -> Sets {
    let metrics: Vec<u32> = (0..10)
        .map(|mode| {
            let name = format!("metric mode {mode}");
            let exponent = i64::from(mode) - 5;
            let numbers = [mode % 7, mode, mode % 3, mode % 2, mode % 4];
            made.metric(&Metric { name: &name, description: "counts", numbers, exponent, unit: "apples" })
        })
        .collect();
    let strict = made.sampling_set(&metrics[..3], 0, 1);
    let synchronous = made.sampling_set(&metrics[3..4], 1, 0);
    let of_main = made.scoped_sampling_set(synchronous, locations[0], 0, locations[0]);
    let asynchronous = made.sampling_set(&metrics[4..6], 2, 2);
    let of_process = made.scoped_sampling_set(asynchronous, locations[4], 1, group);
    // Value types 0, 1, 2.
    let counters = [6, 7, 8].map(|at| made.sampling_set(&metrics[at..=at], 2, 0));
    let of_node = made.scoped_sampling_set(counters[0], locations[3], 2, node);
    let members = made.group(1, "observed", &[0, 1 << 32]);
    let of_group = made.scoped_sampling_set(counters[1], locations[3], 3, members);
    made.recorder(strict, locations[0]);
    made.recorder(strict, locations[1]);
    made.recorder(counters[2], locations[2]);
    let observed = made.scoped_sampling_set(counters[2], locations[3], 1, group);
    ([strict, of_main, of_process], counters, [observed, of_node, of_group])
}

fn files(made: &mut MadeUp, node: u32) -> ([u32; 2], Vec<u32>) {
    made.io_paradigm([0, 0, 1], "POSIX", "POSIX I/O");
    made.io_paradigm([1, 0, 0], "ISOC", "ISO C I/O");
    made.io_paradigm([2, 1, 0], "MPI-IO", "MPI I/O");
    let files = [made.io_file("/made/up/shared", 0), made.io_file("/made/up/local", node)];
    made.io_file_property(files[1], "Lustre stripe count", "3");
    made.io_file_property(files[1], "Lustre stripe size", "65536");
    let mut io = vec![
        made.io_handle("stdin", [0, 0, 1, 0, 0], [1, 0]),
        made.io_handle("sync", [0, 0, 3, 0, 0], [3, 4]),
    ];
    io.push(made.io_handle("first", [files[0], 0, 0, 0, 0], [0, 0]));
    let parent = io[2];
    io.push(made.io_handle("second", [files[1], 1, 0, 0, parent], [0, 0]));
    io.push(made.io_handle("copy", [files[0], 0, 0, 0, 0], [0, 0]));
    (files, io)
}

fn contexts(made: &mut MadeUp, regions: &[u32]) -> Vec<u32> {
    let root = made.calling_context(0, regions[1], 0);
    let mut all = vec![root];
    for (address, region, parent) in
        [(0x5555_0000_1000, 3, 0), (0x5555_0000_2000, 9, 1), (0x7fff_0000_3000, 4, 1)]
    {
        let parent = all[parent];
        all.push(made.calling_context(address, regions[region], parent));
    }
    all
}

fn begin(made: &mut MadeUp, handles: &Handles) {
    made.create_location(MAIN, 0, "Master thread", None);
    made.call("core_task_create", json!({"location": MAIN, "task": 4096}));
    for (location, kind, name) in [
        (STREAM, 1, "CUDA[?]"),
        (PROCESS_METRICS, 2, "Per process metrics"),
        (POLLED_METRICS, 2, "Polled metrics"),
    ] {
        made.create_location(location, kind, name, Some(MAIN));
    }
    made.call("activate_cpu_location", json!({"location": MAIN, "fork_sequence_count": 0}));
    let members = json!({
        "programName": handles.program_name,
        "numberOfProgramArgs": handles.arguments.len(),
        "programArguments": handles.arguments,
        "programRegionHandle": handles.special[2],
        "processId": 4711,
        "threadId": 4712,
    });
    made.event(MAIN, "PROGRAM_BEGIN", members);
    made.init_mpp();
    made.on_thread(1);
    made.create_location(TEAM_THREAD, 0, "OMP thread 1", Some(MAIN));
    made.call("core_task_create", json!({"location": TEAM_THREAD, "task": 8192}));
    let activation = json!({"location": TEAM_THREAD, "parent": MAIN, "fork_sequence_count": 1});
    made.call("activate_cpu_location", activation);
    made.on_thread(0);
}

/// Which of the two tables events come through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Table {
    Enabled,
    Disabled,
}

/// Values that no other argument has.
struct Values(u64);

impl Values {
    fn next(&mut self) -> u64 {
        self.0 += 7;
        self.0
    }
}

/// All events but those of the program, in the order of their numbers.
fn all_events(made: &mut MadeUp, h: &Handles, table: Table) {
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
            // Switching on what is off comes through the first table.
            if name == "ENABLE_RECORDING" {
                continue;
            }
            let all = members.as_object_mut().expect("an object");
            all.remove("metrics");
            all.insert("table".to_owned(), "disabled".into());
        }
        made.event(MAIN, name, members);
    }
    flush(made, h, table);
    post_mortem(made, h, table, v());
}

fn in_table(mut members: Value, table: Table) -> Value {
    if table == Table::Disabled {
        members.as_object_mut().expect("an object").insert("table".to_owned(), "disabled".into());
    }
    members
}

/// A flush of the host's buffers: the event that caused it comes behind with an earlier time.
fn flush(made: &mut MadeUp, h: &Handles, table: Table) {
    let earlier = made.time;
    for (name, later) in [("ON_TRACING_BUFFER_FLUSH_BEGIN", 2), ("ON_TRACING_BUFFER_FLUSH_END", 5)] {
        made.event_at(MAIN, name, earlier + later, in_table(json!({"regionHandle": h.special[1]}), table));
    }
    let mut members = json!({"regionHandle": h.regions[2]});
    if table == Table::Enabled {
        members["metrics"] = none();
    }
    made.event_at(MAIN, "ENTER_REGION", earlier, in_table(members.clone(), table));
    made.time = earlier + 10;
    made.event(MAIN, "EXIT_REGION", in_table(members, table));
}

fn post_mortem(made: &mut MadeUp, h: &Handles, table: Table, value: u64) {
    let values = json!({"samplingSet": h.sets[2], "metricValues": [value, (-0.5_f64).to_bits()]});
    let time = made.time;
    made.event_at(POLLED_METRICS, "WRITE_POST_MORTEM_METRICS", time - 500, in_table(values, table));
}

/// The rows of the table of memory events and attributes.
fn memory(made: &mut MadeUp, h: &Handles) {
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
        made.event(MAIN, "ENTER_REGION", json!({"regionHandle": region, "metrics": none()}));
        if let Some((name, members)) = track {
            made.event(MAIN, name, members);
        }
        made.event(MAIN, "EXIT_REGION", json!({"regionHandle": region, "metrics": none()}));
    }
    // A record between the enter and the call takes the enter its attributes.
    made.event(MAIN, "ENTER_REGION", json!({"regionHandle": malloc, "metrics": none()}));
    made.event(MAIN, "TRIGGER_COUNTER_UINT64", json!({"counterHandle": h.counters[1], "value": 5}));
    let (name, members) = alloc(0x5000, 120);
    made.event(MAIN, name, members);
    made.event(MAIN, "EXIT_REGION", json!({"regionHandle": malloc, "metrics": none()}));
}

/// Metrics of every occurrence at every event that may have some.
fn metrics(made: &mut MadeUp, h: &Handles) {
    let mut polled = made.time - 400;
    let lists = |time: u64, polled: &mut u64| {
        let strict = json!({"location": MAIN, "timestamp": time, "samplingSet": h.sets[0], "values": [(time as i64).wrapping_neg() as u64, time, (time as f64 / 4.0).to_bits()]});
        let synchronous =
            json!({"location": MAIN, "timestamp": time, "samplingSet": h.sets[1], "values": [time + 1]});
        let asynchronous = [1, 2].map(|more| {
            *polled += 3;
            json!({"location": POLLED_METRICS, "timestamp": *polled, "samplingSet": h.sets[2], "values": [time + more, (time as f64 * 8.0).to_bits()]})
        });
        MadeUp::metrics([
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
        members["metrics"] = lists(made.time, &mut polled);
        made.event(MAIN, name, members);
    }
}

fn rewinds(made: &mut MadeUp, h: &Handles) {
    let mark = |made: &mut MadeUp, region: usize| {
        made.event(MAIN, "ENTER_REWIND_REGION", json!({"regionHandle": h.regions[region]}));
    };
    let leave = |made: &mut MadeUp, region: usize, rewind: bool| {
        let members = json!({"regionHandle": h.regions[region], "doRewind": u32::from(rewind)});
        made.event(MAIN, "EXIT_REWIND_REGION", members);
    };
    let parameter = |made: &mut MadeUp, value: i64| {
        let members = json!({"parameterHandle": h.parameters[0], "value": value});
        made.event(MAIN, "TRIGGER_PARAMETER_INT64", members);
    };
    // Kept, dropped with what is inside, kept again.
    parameter(made, 1);
    mark(made, 10);
    parameter(made, 2);
    mark(made, 11);
    parameter(made, -3);
    leave(made, 11, true);
    parameter(made, 4);
    leave(made, 10, false);
    mark(made, 12);
    parameter(made, -5);
    mark(made, 13);
    parameter(made, -6);
    leave(made, 13, false);
    leave(made, 12, true);
    // A mark set again moves; leaving the outer one drops the inner.
    mark(made, 14);
    parameter(made, 7);
    mark(made, 14);
    parameter(made, -8);
    leave(made, 14, true);
    mark(made, 15);
    parameter(made, 9);
    mark(made, 16);
    parameter(made, 10);
    leave(made, 15, false);
    leave(made, 16, true);
    parameter(made, 11);
    // Never marked.
    leave(made, 17, true);
    parameter(made, 12);
}

/// Events that repeat the time of the one before.
fn equal_times(made: &mut MadeUp, h: &Handles) {
    let time = made.time;
    made.time += 10;
    made.event_at(MAIN, "ENTER_REGION", time, json!({"regionHandle": h.regions[4], "metrics": none()}));
    made.event_at(MAIN, "MPI_COLLECTIVE_BEGIN", time, json!({}));
    made.event_at(MAIN, "RMA_WAIT_CHANGE", time, json!({"windowHandle": h.windows[1]}));
    made.event(MAIN, "EXIT_REGION", json!({"regionHandle": h.regions[4], "metrics": none()}));
}

fn recording_off(made: &mut MadeUp, h: &Handles) {
    let off = json!({"regionHandle": h.special[0]});
    made.event(MAIN, "DISABLE_RECORDING", off.clone());
    made.event(MAIN, "DISABLE_RECORDING", in_table(off.clone(), Table::Disabled));
    all_events(made, h, Table::Disabled);
    made.event(MAIN, "ENABLE_RECORDING", off.clone());
    made.event(MAIN, "ENABLE_RECORDING", off);
}

/// Events of the other locations, one of which appears only now.
fn others(made: &mut MadeUp, h: &mut Handles) {
    for (name, value) in
        [("ENTER_REGION", 45), ("EXIT_REGION", 45), ("ENTER_REGION", 46), ("EXIT_REGION", 46)]
    {
        made.event(STREAM, name, json!({"regionHandle": h.regions[value], "metrics": none()}));
    }
    made.event(
        STREAM,
        "RMA_PUT",
        json!({"windowHandle": h.windows[1], "remote": 1, "bytes": 4096, "matchingId": 1}),
    );
    made.event(STREAM, "TRIGGER_COUNTER_DOUBLE", json!({"counterHandle": h.counters[2], "value": 1.5}));
    made.event(
        PROCESS_METRICS,
        "TRIGGER_COUNTER_DOUBLE",
        json!({"counterHandle": h.scoped[0], "value": 0.125}),
    );
    made.event(PROCESS_METRICS, "TRIGGER_COUNTER_INT64", json!({"counterHandle": h.scoped[1], "value": -4}));
    made.event(PROCESS_METRICS, "TRIGGER_COUNTER_UINT64", json!({"counterHandle": h.scoped[2], "value": 6}));
    made.on_thread(1);
    made.event(
        TEAM_THREAD,
        "THREAD_FORK_JOIN_TEAM_BEGIN",
        json!({"paradigm": 8, "threadTeam": h.teams[1], "threadId": 0}),
    );
    made.event(TEAM_THREAD, "THREAD_FORK_JOIN_TEAM_END", json!({"paradigm": 8, "threadTeam": h.teams[1]}));
    made.call("deactivate_cpu_location", json!({"location": TEAM_THREAD, "parent": MAIN}));
    late_threads(made, h);
}

/// Two threads that come late, one of which has no events.
fn late_threads(made: &mut MadeUp, h: &mut Handles) {
    for (thread, location, name) in
        [(2, LATE_THREAD, "Pthread thread 1"), (3, SILENT_THREAD, "Pthread thread 2")]
    {
        made.on_thread(thread);
        h.locations.push(made.location(name, 0, h.group));
        made.create_location(location, 0, name, Some(MAIN));
        made.call("core_task_create", json!({"location": location, "task": 4096 * (location + 1)}));
        made.call(
            "activate_cpu_location",
            json!({"location": location, "parent": MAIN, "fork_sequence_count": location}),
        );
        if location == LATE_THREAD {
            let members = json!({"paradigm": 9, "threadTeam": h.threads, "createSequenceCount": u32::MAX, "threadId": 4713});
            made.event(location, "THREAD_CREATE_WAIT_BEGIN", members);
            let members = json!({"paradigm": 9, "threadTeam": h.threads, "createSequenceCount": 2});
            made.event(location, "THREAD_CREATE_WAIT_END", members);
        }
        made.call("deactivate_cpu_location", json!({"location": location, "parent": MAIN}));
    }
    made.on_thread(0);
}

fn end(made: &mut MadeUp, h: &Handles) {
    post_mortem(made, h, Table::Enabled, 31);
    made.event(MAIN, "PROGRAM_END", json!({"exitStatus": 3, "programRegionHandle": h.special[2]}));
    made.call("deactivate_cpu_location", json!({"location": MAIN}));
    made.pre_unify_names(h);
    made.pre_unify();
    unify(made, h);
    made.write_data(&LOCATIONS);
}

impl MadeUp {
    /// What Score-P fills in up to `pre_unify`.
    fn pre_unify_names(&mut self, h: &Handles) {
        let [process, context] = ["Process", "CUDA Context 1"].map(|name| self.string(name));
        self.set(h.group, 20, process);
        self.set(h.accelerator, 20, context);
        for (id, &location) in h.locations.iter().enumerate() {
            self.set(location, 24, 0);
            self.set(location, 28, id as u32);
        }
        for (communicator, name) in
            [(h.world, "MPI_COMM_WORLD"), (h.self_, "MPI_COMM_SELF"), (h.inter, "bridge"), (h.half, "half")]
        {
            let name = self.string(name);
            self.set(communicator, 20, name);
        }
        let name = self.string("exposed");
        self.set(h.windows[0], 20, name);
        self.set(h.windows[0], 32, 0);
    }
}

/// What unification does: groups, final communicators, places of contexts, and who names communicators.
fn unify(made: &mut MadeUp, h: &Handles) {
    let cpu = CPU_THREADS.map(|id| u64::from(id) << 32);
    let places: Vec<u64> = (0..cpu.len() as u64).collect();
    made.group(7, "OpenMP", &cpu);
    made.group(14, "PTHREAD", &cpu);
    made.group(9, "CUDA", &[0, 2 << 32]);
    let own = made.group(6, "own rank", &[]);
    let all = made.group(5, "all ranks", &[0, 1, 2, 3]);
    let low = made.group(5, "low ranks", &[0, 1]);
    let high = made.group(5, "high ranks", &[2, 3]);
    let team = made.group(8, "team members", &[0, 1]);
    let threads = made.group(15, "SCOREP_GROUP_PTHREAD", &places);
    let streams = made.group(10, "CUDA_GROUP", &[0, 1]);
    let mut named = |interim: &[u32], groups: [u32; 2], name: &str, rest: [u32; 3]| {
        let name = made.string(name);
        made.unify(interim, groups, name, rest)
    };
    let world = named(&[h.world], [all, all], "MPI_COMM_WORLD", [0, 0, 1]);
    named(&[h.self_], [own, own], "MPI_COMM_SELF", [0, 0, 1]);
    named(&[h.half], [low, low], "half", [world, 1, 1]);
    named(&[h.inter], [low, high], "bridge", [world, 2, 1]);
    named(&h.teams, [team, team], "team", [0, 0, 0]);
    named(&[h.threads], [threads, threads], "contingent", [0, 0, 0]);
    let streams = named(&[h.streams], [streams, streams], "streams", [0, 0, 0]);
    made.set(h.windows[0], 24, world);
    made.set(h.windows[1], 24, streams);
    made.set(h.topology, 24, world);
    let place = made.source_code_location("/made/up/source.c", 17);
    let executable = made.string("/made/up/app");
    made.place_context(h.contexts[1], 0x1000, executable, 0);
    made.place_context(h.contexts[2], 0x2000, executable, place);
    made.place_context(h.contexts[3], 0x7fff_0000_3000, 0, 0);
}
