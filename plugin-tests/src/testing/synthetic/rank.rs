//! A rank of a synthetic parallel program: a complete Score-P 8.4 life cycle with MPI, in which a
//! test changes the part that it tests.
//!
//! Each rank has a process, a main thread, MPI_COMM_WORLD and MPI_COMM_SELF; two ranks share a
//! node. `program` makes all ranks and ends them as Score-P does, once the threads of all ranks are
//! known. Every event made here is one event of a trace; `events` counts them by location.

use super::SyntheticRecording;
use super::definitions::Region;
use kymo_substrate::bindings as sys;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// The thread that calls `main`.
pub const MAIN: u32 = 0;
/// Collective operations end at multiples of this time, after all ranks have begun them.
const COLLECTIVE_INTERVAL: u64 = 1_000_000;
/// Paradigms of regions.
const USER: u32 = 1;
const MPI: u32 = sys::SCOREP_PARADIGM_MPI;

/// A rank under construction.
#[derive(Debug)]
pub struct Rank {
    /// The rank's recording, for calls that have no function here.
    pub recording: SyntheticRecording,
    /// The rank's number.
    pub rank: u32,
    /// The number of ranks.
    pub size: u32,
    /// The rank's node of the system tree.
    pub node: u32,
    /// The rank's process.
    pub group: u32,
    /// MPI_COMM_WORLD, set by `init_mpi`.
    pub world: u32,
    self_: u32,
    program: u32,
    regions: HashMap<String, u32>,
    /// The definitions and names of the locations, by id.
    locations: BTreeMap<u32, (u32, String)>,
    /// Teams of threads: the communicator of each thread, and the ids of the threads.
    teams: Vec<(Vec<u32>, Vec<u32>)>,
    /// The number of events of each location.
    pub events: BTreeMap<u64, usize>,
    /// Whether no event of this rank is recorded.
    silent: bool,
    /// Definitions that receive their names at the end.
    names: Vec<(u32, String)>,
}

impl Rank {
    /// Begins a rank, up to the first event.
    fn begin(rank: u32, size: u32, silent: bool) -> Self {
        let mut recording = SyntheticRecording::of_rank(rank, size);
        let machine = recording.system_tree_node(0, 1, "machine", "made-up");
        let node = recording.system_tree_node(machine, 2, "node", &format!("node{}", rank / 2));
        let group = recording.location_group(node, 0, 0);
        recording.region(&Region::new("MEASUREMENT OFF", 36, USER));
        recording.region(&Region::new("TRACE BUFFER FLUSH", 36, 0));
        let program = recording.region(&Region::new("app", 36, 0));
        let (events, teams) = (BTreeMap::new(), Vec::new());
        let (locations, regions) = (BTreeMap::new(), HashMap::new());
        let (world, self_) = (0, 0);
        let mut this = Self {
            recording,
            rank,
            size,
            node,
            group,
            world,
            self_,
            program,
            regions,
            locations,
            teams,
            events,
            silent,
            names: Vec::new(),
        };
        this.define_location(MAIN, "Master thread", 0, group);
        this.recording.call("assign_id", json!({"id": 0}));
        this.create(MAIN, None);
        this.recording.paradigm(MPI, 0, "MPI", [Some("Comm ${id}"), Some("Win ${id}")]);
        let name = this.recording.string("/made/up/app");
        let members = json!({
            "programName": name, "numberOfProgramArgs": 0, "programArguments": [],
            "programRegionHandle": program, "processId": 4711 + rank, "threadId": 4711 + rank,
        });
        this.event(MAIN, "PROGRAM_BEGIN", members);
        this
    }

    fn define_location(&mut self, id: u32, name: &str, kind: u32, group: u32) {
        let definition = self.recording.location(name, kind, group);
        self.locations.insert(id, (definition, name.to_owned()));
    }

    fn name(&self, id: u32) -> String {
        self.locations.get(&id).map_or_else(String::new, |(_, name)| name.clone())
    }

    fn create(&mut self, id: u32, parent: Option<u32>) {
        let name = self.name(id);
        self.recording.create_location(id, 0, &name, parent);
        self.recording.call("core_task_create", json!({"location": id, "task": 4096 * u64::from(id) + 4096}));
        let mut activation = json!({"location": id, "fork_sequence_count": u32::from(parent.is_some())});
        if let Some(parent) = parent {
            activation["parent"] = parent.into();
        }
        self.recording.call("activate_cpu_location", activation);
    }

    /// Adds a thread of this process, recorded on the thread with its number.
    pub fn thread(&mut self, id: u32, name: &str) {
        self.define_location(id, name, 0, self.group);
        self.recording.on_thread(id);
        self.create(id, Some(MAIN));
        self.recording.on_thread(0);
    }

    /// Adds a location that is not a thread: kind 1 for an accelerator, 2 for metrics.
    pub fn other_location(&mut self, id: u32, name: &str, kind: u32, group: u32) {
        self.define_location(id, name, kind, group);
        self.recording.create_location(id, kind, name, Some(MAIN));
    }

    /// Adds an event, which is also an event of the trace.
    pub fn event(&mut self, location: u32, name: &str, members: Value) {
        if self.silent {
            return;
        }
        self.recording.event(location, name, members);
        *self.events.entry(self.recording.global_id(location)).or_default() += 1;
    }

    /// Returns the region with this name.
    pub fn region(&mut self, name: &str) -> u32 {
        if let Some(&region) = self.regions.get(name) {
            return region;
        }
        let paradigm = if name.starts_with("MPI_") { MPI } else { USER };
        let region = self.recording.region(&Region::new(name, 1, paradigm));
        self.regions.insert(name.to_owned(), region);
        region
    }

    /// Enters a region.
    pub fn enter(&mut self, location: u32, name: &str) {
        let members = json!({"regionHandle": self.region(name), "metrics": none()});
        self.event(location, "ENTER_REGION", members);
    }

    /// Enters and leaves a region, each time with these strictly synchronous metric values, which
    /// are separate events of the trace.
    pub fn visit_with(&mut self, name: &str, sampling_set: u32, values: &[u64]) {
        let members = json!({"regionHandle": self.region(name), "metrics": none()});
        for event in ["ENTER_REGION", "EXIT_REGION"] {
            let time = self.recording.time;
            let delivery =
                json!({"location": MAIN, "timestamp": time, "samplingSet": sampling_set, "values": values});
            let mut members = members.clone();
            members["metrics"]["strict"] = json!([delivery]);
            self.event(MAIN, event, members);
            *self.events.entry(self.recording.global_id(MAIN)).or_default() += 1;
        }
    }

    /// Leaves a region.
    pub fn exit(&mut self, location: u32, name: &str) {
        let members = json!({"regionHandle": self.region(name), "metrics": none()});
        self.event(location, "EXIT_REGION", members);
    }

    /// Enters and leaves a region.
    pub fn visit(&mut self, location: u32, name: &str) {
        self.enter(location, name);
        self.exit(location, name);
    }

    /// Calls MPI_Init.
    pub fn init_mpi(&mut self) {
        self.enter(MAIN, "MPI_Init");
        self.event(MAIN, "MPI_COLLECTIVE_BEGIN", json!({}));
        self.recording.init_mpp();
        let ranks: Vec<u64> = (0..self.size).map(u64::from).collect();
        self.recording.group(4, "", &ranks);
        self.world = self.recording.interim_communicator(0, MPI, &[self.size, self.rank, 0, 0, 0, 0]);
        self.self_ = self.recording.interim_communicator(0, MPI, &[1, 0, 0, self.rank, 0, 0]);
        for communicator in [self.world, self.self_] {
            self.event(MAIN, "COMM_CREATE", json!({"communicatorHandle": communicator}));
        }
        self.wait_for_ranks();
        self.collective_end(17);
        self.exit(MAIN, "MPI_Init");
    }

    /// Waits for the other ranks.
    fn wait_for_ranks(&mut self) {
        self.recording.time = self.recording.time.next_multiple_of(COLLECTIVE_INTERVAL);
    }

    fn collective_end(&mut self, kind: u32) {
        let members = json!({"communicatorHandle": self.world, "rootRank": u64::MAX, "collectiveType": kind, "bytesSent": 0, "bytesReceived": 0});
        self.event(MAIN, "MPI_COLLECTIVE_END", members);
    }

    /// Calls a barrier of all ranks.
    pub fn barrier(&mut self) {
        self.enter(MAIN, "MPI_Barrier");
        self.event(MAIN, "MPI_COLLECTIVE_BEGIN", json!({}));
        self.wait_for_ranks();
        self.collective_end(0);
        self.exit(MAIN, "MPI_Barrier");
    }

    /// Sends a message to the next rank and receives one from the previous rank, at times
    /// consistent with a ring that starts at rank 0.
    pub fn ring(&mut self, tag: u32) {
        let (to, from) = ((self.rank + 1) % self.size, (self.rank + self.size - 1) % self.size);
        let world = self.world;
        self.enter(MAIN, "MPI_Send");
        let members = json!({"destinationRank": to, "communicatorHandle": world, "tag": tag, "bytesSent": 8});
        self.event(MAIN, "MPI_SEND", members);
        self.exit(MAIN, "MPI_Send");
        self.recording.time += 1000;
        self.enter(MAIN, "MPI_Recv");
        let members =
            json!({"sourceRank": from, "communicatorHandle": world, "tag": tag, "bytesReceived": 8});
        self.event(MAIN, "MPI_RECV", members);
        self.exit(MAIN, "MPI_Recv");
    }

    /// Runs a team of these threads, each of which visits a region.
    pub fn team(&mut self, threads: &[u32], region: &str) {
        let count = threads.len() as u32;
        let openmp = sys::SCOREP_PARADIGM_OPENMP;
        let fork = json!({"paradigm": openmp, "nRequestedThreads": count, "forkSequenceCount": 1});
        self.event(MAIN, "THREAD_FORK_JOIN_FORK", fork);
        let mut communicators = Vec::new();
        for (number, &thread) in threads.iter().enumerate() {
            self.recording.on_thread(thread);
            let team = self.recording.interim_communicator(0, openmp, &[count, number as u32, 0]);
            let members = json!({"paradigm": openmp, "threadTeam": team, "threadId": 100 + thread});
            self.event(thread, "THREAD_FORK_JOIN_TEAM_BEGIN", members);
            self.visit(thread, region);
            self.event(thread, "THREAD_FORK_JOIN_TEAM_END", json!({"paradigm": openmp, "threadTeam": team}));
            communicators.push(team);
        }
        self.recording.on_thread(0);
        self.event(MAIN, "THREAD_FORK_JOIN_JOIN", json!({"paradigm": openmp}));
        self.teams.push((communicators, threads.to_vec()));
    }

    /// Calls MPI_Finalize, which is only a barrier: further events follow until the program ends.
    pub fn finalize_mpi(&mut self) {
        self.visit(MAIN, "MPI_Finalize");
    }

    /// Makes the main thread record a sampling set.
    pub fn record(&mut self, set: u32) {
        let (main, _) = self.locations[&MAIN];
        self.recording.recorder(set, main);
    }

    /// Adds an accelerator of this process with one stream, whose location has this number.
    pub fn accelerator(&mut self, id: u32, name: &str) {
        let device = self.recording.system_tree_node(self.node, 128, "accelerator", name);
        let group = self.recording.location_group(device, 1, self.group);
        self.names.push((group, format!("Context of {name}")));
        self.other_location(id, &format!("Stream of {name}"), 1, group);
    }

    /// Returns the threads of teams, in the order in which their locations are numbered among all.
    fn team_threads(&self) -> Vec<u64> {
        let threads: BTreeSet<u32> = self.teams.iter().flat_map(|(_, threads)| threads.clone()).collect();
        threads.into_iter().map(|thread| self.recording.global_id(thread)).collect()
    }

    /// Ends the rank. In a program that never called MPI_Init, only its main function ends.
    fn end(&mut self, all_threads: &[u64]) {
        let status =
            json!({"exitStatus": 9_223_372_036_854_775_808_u64, "programRegionHandle": self.program});
        self.event(MAIN, "PROGRAM_END", status);
        self.recording.call("deactivate_cpu_location", json!({"location": MAIN}));
        if self.world == 0 {
            return;
        }
        self.name_things();
        self.recording.pre_unify();
        self.unify(all_threads);
        let locations: Vec<(u32, String)> =
            self.locations.iter().map(|(&id, (_, name))| (id, name.clone())).collect();
        let locations: Vec<(u32, &str)> = locations.iter().map(|(id, name)| (*id, name.as_str())).collect();
        self.recording.write_data(&locations);
    }

    fn name_things(&mut self) {
        self.names.push((self.group, format!("MPI Rank {}", self.rank)));
        self.names.push((self.self_, "MPI_COMM_SELF".to_owned()));
        if self.rank == 0 {
            self.names.push((self.world, "MPI_COMM_WORLD".to_owned()));
        }
        for (definition, name) in std::mem::take(&mut self.names) {
            let name = self.recording.string(&name);
            self.recording.set(definition, 20, name);
        }
        for (&id, &(definition, _)) in &self.locations {
            let global = self.recording.global_id(id);
            self.recording.set(definition, 24, global as u32);
            self.recording.set(definition, 28, (global >> 32) as u32);
        }
    }

    /// Does the unification of communicators: only the first rank of each has its name.
    fn unify(&mut self, all_threads: &[u64]) {
        let ranks: Vec<u64> = (0..self.size).map(u64::from).collect();
        let own = self.recording.group(6, "", &[]);
        let all = self.recording.group(5, "", &ranks);
        let [name_of_world, name_of_self] = [self.world, self.self_].map(|of| self.recording.get(of, 20));
        self.recording.unify(&[self.world], [all, all], name_of_world, [0, 0, 1]);
        self.recording.unify(&[self.self_], [own, own], name_of_self, [0, 0, 1]);
        self.unify_teams(all_threads);
    }

    /// Unifies teams, whose members are indices in the list of threads of all ranks with that
    /// paradigm.
    fn unify_teams(&mut self, all_threads: &[u64]) {
        if all_threads.is_empty() {
            return;
        }
        self.recording.group(7, "", all_threads);
        for (communicators, members) in std::mem::take(&mut self.teams) {
            let ids = members.iter().map(|&thread| self.recording.global_id(thread));
            let place = |id| all_threads.iter().position(|other| *other == id).expect("a thread of a team");
            let places: Vec<u64> = ids.map(|id| place(id) as u64).collect();
            let group = self.recording.group(8, "", &places);
            self.recording.unify(&communicators, [group, group], 0, [0, 0, 0]);
        }
    }
}

/// Returns the empty metrics of an event that could have some.
pub fn none() -> Value {
    json!({"async": [], "strict": [], "sync": []})
}

/// Makes all ranks of a program; `rank` adds their events between the first and the last.
pub fn program(size: u32, rank: impl Fn(&mut Rank)) -> Vec<Rank> {
    program_with_silence(size, |_| false, rank)
}

/// Like [`program`], but some ranks have no events at all.
pub fn program_with_silence(
    size: u32,
    is_silent: impl Fn(u32) -> bool,
    rank: impl Fn(&mut Rank),
) -> Vec<Rank> {
    let make = |number| {
        let mut recording = Rank::begin(number, size, is_silent(number));
        rank(&mut recording);
        recording
    };
    let mut ranks: Vec<Rank> = (0..size).map(make).collect();
    let all_threads: Vec<u64> = ranks.iter().flat_map(Rank::team_threads).collect();
    ranks.iter_mut().for_each(|rank| rank.end(&all_threads));
    ranks
}

/// Writes the recordings of all ranks into a folder.
pub fn write(ranks: &[Rank], folder: &Path) {
    ranks.iter().for_each(|rank| rank.recording.write(folder));
}
