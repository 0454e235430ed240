//! The definitions of the run with every event: some of every kind, and their unification.

use super::SyntheticRecording;
use super::definitions::{Metric, Region};
use super::every_event::CPU_THREADS;
use kymo_substrate::bindings as sys;
use serde_json::json;

/// The handles that events use.
#[derive(Debug)]
pub(super) struct Handles {
    /// MEASUREMENT OFF, TRACE BUFFER FLUSH and the program, which precede one region of each type.
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
    /// With one signed integer, one unsigned integer and one floating-point number.
    pub(super) counters: [u32; 3],
    /// In the scope of the process, of a node, of a group.
    pub(super) scoped: [u32; 3],
    pub(super) group: u32,
    pub(super) accelerator: u32,
    pub(super) locations: Vec<u32>,
    pub(super) topology: u32,
}

/// Announces all definitions.
pub(super) fn define(recording: &mut SyntheticRecording) -> Handles {
    let machine = recording.system_tree_node(0, 1, "machine", "made-up");
    recording.node_property(machine, "platform", "Linux");
    let node = recording.system_tree_node(machine, 2 | 4 | 8 | 16 | 32 | 64 | 256, "node", "n1");
    let device = recording.system_tree_node(node, 128, "accelerator", "device 0");
    let group = recording.location_group(node, 0, 0);
    let mut special = |name, paradigm| recording.region(&Region::new(name, 36, paradigm));
    let special = [special("MEASUREMENT OFF", 1), special("TRACE BUFFER FLUSH", 0), {
        let program = Region { canonical_name: Some("/made/up/app"), ..Region::new("app", 36, 0) };
        recording.region(&program)
    }];
    recording.string("Source code location");
    recording.string("SOURCE_CODE_LOCATION");
    let main = recording.location("Master thread", 0, group);
    for text in ["Absolute read/write offset within a file.", "Offset", "Process identifier", "ProcessId"] {
        recording.string(text);
    }
    recording.string("Thread identifier");
    recording.string("ThreadId");
    recording.call("assign_id", json!({"id": 0}));
    let regions = regions(recording);
    let memory =
        [("malloc", 40), ("free", 41), ("realloc", 42), ("MPI_Alloc_mem", 40)].map(|(name, kind)| {
            recording.region(&Region::new(
                name,
                kind,
                if kind == 40 && name.starts_with('M') { 6 } else { 4 },
            ))
        });
    for (name, description) in [
        ("ALLOCATION_SIZE", "Size of memory to allocate"),
        ("DEALLOCATION_SIZE", "Size of memory to deallocate"),
        ("ARGUMENT_ADDRESS", "Address argument"),
        ("RESULT_ADDRESS", "Result of allocation"),
    ] {
        recording.string(name);
        recording.string(description);
    }
    recording.paradigm(sys::SCOREP_PARADIGM_MPI, 0, "MPI", [Some("Comm ${id}"), Some("Win ${id}")]);
    recording.paradigm(sys::SCOREP_PARADIGM_OPENMP, 1, "OpenMP", [Some("Thread team ${id}"), None]);
    recording.paradigm(sys::SCOREP_PARADIGM_PTHREAD, 2, "Pthread", [None, None]);
    recording.paradigm(sys::SCOREP_PARADIGM_CUDA, 3, "CUDA", [None, None]);
    let accelerator = recording.location_group(device, 1, group);
    let team_thread = recording.location("OMP thread 1", 0, group);
    let stream = recording.location("CUDA[0:7]", 1, accelerator);
    recording.location_property(stream, "queue", "seven");
    let process_metrics = recording.location("Per process metrics", 2, group);
    let polled_metrics = recording.location("Polled metrics", 2, group);
    let locations = vec![main, team_thread, stream, process_metrics, polled_metrics];
    let (sets, counters, scoped) = sampling_sets(recording, &locations, group, node);
    let (files, io) = files(recording, node);
    let teams =
        [0, 1].map(|thread| recording.interim_communicator(0, sys::SCOREP_PARADIGM_OPENMP, &[2, thread, 0]));
    let threads = recording.interim_communicator(0, sys::SCOREP_PARADIGM_PTHREAD, &[]);
    let streams = recording.interim_communicator(0, sys::SCOREP_PARADIGM_CUDA, &[]);
    let world = recording.interim_communicator(0, sys::SCOREP_PARADIGM_MPI, &[4, 0, 0, 0, 0, 0]);
    let self_ = recording.interim_communicator(0, sys::SCOREP_PARADIGM_MPI, &[1, 0, 0, 0, 0, 0]);
    let half = recording.interim_communicator(world, sys::SCOREP_PARADIGM_MPI, &[2, 0, 0, 0, 1, 0]);
    let inter = recording.interim_communicator(world, sys::SCOREP_PARADIGM_MPI, &[2, 0, 2, 0, 2, 0]);
    let windows = [recording.window("Window", world, 1), recording.window("device memory", streams, 0)];
    // Ranks are threads of this process, so that all of them have a location.
    recording.group(4, "ranks", &CPU_THREADS.map(|id| u64::from(id) << 32));
    let groups = [recording.group(5, "odd ranks", &[1, 3]), recording.group(5, "some ranks", &[0, 2, 3])];
    let topology = recording.topology("grid", world, 0, &[(2, true, "x"), (2, false, "y")]);
    recording.coordinates(topology, 0, 0, &[0, 1]);
    let generators = [
        recording.interrupt_generator("a timer", 0, 1, -6, 2000),
        recording.interrupt_generator("a counter", 1, 0, 10, 77_000_000_000),
    ];
    let contexts = contexts(recording, &regions);
    let parameters =
        [("integer", 0), ("natural", 1), ("text", 2)].map(|(name, kind)| recording.parameter(name, kind));
    let arguments = ["--first", "--second=2"].map(|text| recording.string(text)).to_vec();
    let program_name = recording.string("/made/up/app");
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

/// Defines a region of every type, with alternating paradigms, and one whose type and paradigm no
/// release has.
fn regions(recording: &mut SyntheticRecording) -> Vec<u32> {
    recording.source_file("/made/up/source.c");
    let mut all = Vec::new();
    for kind in 0..48_u32 {
        let name = format!("region type {kind}");
        let canonical = format!("_Z{kind}");
        all.push(recording.region(&Region {
            canonical_name: kind.is_multiple_of(3).then_some(canonical.as_str()),
            file: (!kind.is_multiple_of(4)).then_some("/made/up/source.c"),
            lines: (100 + kind, 200 + kind),
            description: if kind.is_multiple_of(5) { "described" } else { "" },
            group: kind.is_multiple_of(7).then_some("sevenths"),
            ..Region::new(&name, kind, kind % 18)
        }));
    }
    all.push(recording.region(&Region::new("region of the future", 4711, 815)));
    all
}

type Sets = ([u32; 3], [u32; 3], [u32; 3]);

/// Defines metrics of all modes, value types and sources in sets of all occurrences, classes and
/// scopes.
fn sampling_sets(recording: &mut SyntheticRecording, locations: &[u32], group: u32, node: u32) -> Sets {
    let metrics: Vec<u32> = (0..10)
        .map(|mode| {
            let name = format!("metric mode {mode}");
            let exponent = i64::from(mode) - 5;
            let numbers = [mode % 7, mode, mode % 3, mode % 2, mode % 4];
            recording.metric(&Metric {
                name: &name,
                description: "counts",
                numbers,
                exponent,
                unit: "apples",
            })
        })
        .collect();
    let strict = recording.sampling_set(&metrics[..3], 0, 1);
    let synchronous = recording.sampling_set(&metrics[3..4], 1, 0);
    let of_main = recording.scoped_sampling_set(synchronous, locations[0], 0, locations[0]);
    let asynchronous = recording.sampling_set(&metrics[4..6], 2, 2);
    let of_process = recording.scoped_sampling_set(asynchronous, locations[4], 1, group);
    // Value types 0, 1, 2.
    let counters = [6, 7, 8].map(|at| recording.sampling_set(&metrics[at..=at], 2, 0));
    let of_node = recording.scoped_sampling_set(counters[0], locations[3], 2, node);
    let members = recording.group(1, "observed", &[0, 1 << 32]);
    let of_group = recording.scoped_sampling_set(counters[1], locations[3], 3, members);
    recording.recorder(strict, locations[0]);
    recording.recorder(strict, locations[1]);
    recording.recorder(counters[2], locations[2]);
    let observed = recording.scoped_sampling_set(counters[2], locations[3], 1, group);
    ([strict, of_main, of_process], counters, [observed, of_node, of_group])
}

fn files(recording: &mut SyntheticRecording, node: u32) -> ([u32; 2], Vec<u32>) {
    recording.io_paradigm([0, 0, 1], "POSIX", "POSIX I/O");
    recording.io_paradigm([1, 0, 0], "ISOC", "ISO C I/O");
    recording.io_paradigm([2, 1, 0], "MPI-IO", "MPI I/O");
    let files = [recording.io_file("/made/up/shared", 0), recording.io_file("/made/up/local", node)];
    recording.io_file_property(files[1], "Lustre stripe count", "3");
    recording.io_file_property(files[1], "Lustre stripe size", "65536");
    let mut io = vec![
        recording.io_handle("stdin", [0, 0, 1, 0, 0], [1, 0]),
        recording.io_handle("sync", [0, 0, 3, 0, 0], [3, 4]),
    ];
    io.push(recording.io_handle("first", [files[0], 0, 0, 0, 0], [0, 0]));
    let parent = io[2];
    io.push(recording.io_handle("second", [files[1], 1, 0, 0, parent], [0, 0]));
    io.push(recording.io_handle("copy", [files[0], 0, 0, 0, 0], [0, 0]));
    (files, io)
}

fn contexts(recording: &mut SyntheticRecording, regions: &[u32]) -> Vec<u32> {
    let root = recording.calling_context(0, regions[1], 0);
    let mut all = vec![root];
    for (address, region, parent) in
        [(0x5555_0000_1000, 3, 0), (0x5555_0000_2000, 9, 1), (0x7fff_0000_3000, 4, 1)]
    {
        let parent = all[parent];
        all.push(recording.calling_context(address, regions[region], parent));
    }
    all
}

impl SyntheticRecording {
    /// Sets the fields that Score-P fills in up to `pre_unify`.
    pub(super) fn pre_unify_names(&mut self, h: &Handles) {
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

/// Does the work of unification: groups, final communicators, source locations of contexts, and
/// references to communicators.
pub(super) fn unify(recording: &mut SyntheticRecording, h: &Handles) {
    let cpu = CPU_THREADS.map(|id| u64::from(id) << 32);
    let places: Vec<u64> = (0..cpu.len() as u64).collect();
    recording.group(7, "OpenMP", &cpu);
    recording.group(14, "PTHREAD", &cpu);
    recording.group(9, "CUDA", &[0, 2 << 32]);
    let own = recording.group(6, "own rank", &[]);
    let all = recording.group(5, "all ranks", &[0, 1, 2, 3]);
    let low = recording.group(5, "low ranks", &[0, 1]);
    let high = recording.group(5, "high ranks", &[2, 3]);
    let team = recording.group(8, "team members", &[0, 1]);
    let threads = recording.group(15, "SCOREP_GROUP_PTHREAD", &places);
    let streams = recording.group(10, "CUDA_GROUP", &[0, 1]);
    let mut named = |interim: &[u32], groups: [u32; 2], name: &str, rest: [u32; 3]| {
        let name = recording.string(name);
        recording.unify(interim, groups, name, rest)
    };
    let world = named(&[h.world], [all, all], "MPI_COMM_WORLD", [0, 0, 1]);
    named(&[h.self_], [own, own], "MPI_COMM_SELF", [0, 0, 1]);
    named(&[h.half], [low, low], "half", [world, 1, 1]);
    named(&[h.inter], [low, high], "bridge", [world, 2, 1]);
    named(&h.teams, [team, team], "team", [0, 0, 0]);
    named(&[h.threads], [threads, threads], "contingent", [0, 0, 0]);
    let streams = named(&[h.streams], [streams, streams], "streams", [0, 0, 0]);
    recording.set(h.windows[0], 24, world);
    recording.set(h.windows[1], 24, streams);
    recording.set(h.topology, 24, world);
    let place = recording.source_code_location("/made/up/source.c", 17);
    let executable = recording.string("/made/up/app");
    recording.place_context(h.contexts[1], 0x1000, executable, 0);
    recording.place_context(h.contexts[2], 0x2000, executable, place);
    recording.place_context(h.contexts[3], 0x7fff_0000_3000, 0, 0);
}
