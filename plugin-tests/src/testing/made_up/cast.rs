//! The definitions of the run with every event: some of every kind, and their unification.

use super::MadeUp;
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
pub(super) fn define(made: &mut MadeUp) -> Handles {
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

/// Defines a region of every type, with alternating paradigms, and one whose type and paradigm no
/// release has.
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

/// Defines metrics of all modes, value types and sources in sets of all occurrences, classes and
/// scopes.
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

impl MadeUp {
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
pub(super) fn unify(made: &mut MadeUp, h: &Handles) {
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
