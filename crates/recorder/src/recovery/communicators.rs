//! The communicators of the whole program, assembled from the entries of each process about its
//! own.
//!
//! Covers docs/spec/scorep-to-otf2.md, §4. MPI: processes that report the same root and number are
//! members of one communicator. Threads: communicators of a process that differ only in the number
//! of the thread are one team. The communicator of the topology of processes and threads contains
//! all CPU threads of the program. Invariant: a group has either all its members or, if one is
//! unknown, no members and the unknown paradigm; no member is guessed.

use std::collections::{BTreeMap, HashMap};

use kymo_otf2::{
    definitions::{CartCoordinate, Comm, Group, InterComm},
    enums::{GroupType, LocationType, Paradigm},
    flags::{CommFlag, GroupFlag},
    list::List,
    references::{CommRef, GroupRef, Space, StringRef},
};

use super::{location::RecoveredLocation, log::Log};
use crate::{
    journal::{CommunicatorEntry, Payload},
    unification::{Key, Keys},
};

/// The root and number of an MPI communicator, which identify it in the whole program.
type Pair = (u32, u32);

/// One side of an MPI communicator.
#[derive(Debug, Default, Clone)]
struct Side {
    size: u32,
    /// The members' world ranks, by their ranks in this side.
    members: BTreeMap<u32, u32>,
    /// Whether processes contradict each other about it.
    is_contradictory: bool,
}

impl Side {
    fn add(&mut self, size: u32, rank: u32, world: u32) {
        self.is_contradictory |= self.size != 0 && self.size != size;
        self.size = size;
        let other = self.members.insert(rank, world);
        self.is_contradictory |= rank >= size || other.is_some_and(|other| other != world);
    }

    /// Returns all members as places in the group of locations, if they are known.
    fn places(&self, program: &Program) -> Option<Vec<u64>> {
        if self.is_contradictory || self.members.len() as u64 != u64::from(self.size) {
            return None;
        }
        self.members.values().map(|&world| program.place(world.into())).collect()
    }
}

/// The process that communicators belong to.
#[derive(Clone, Copy)]
pub(super) struct Process<'a> {
    pub(super) rank: u32,
    pub(super) entries: &'a BTreeMap<u32, CommunicatorEntry>,
    pub(super) locations: &'a [RecoveredLocation],
}

/// The combined information of all processes.
#[derive(Debug, Default)]
pub(super) struct Program {
    /// The number of ranks.
    size: u32,
    /// The rank of each process and the id of its first location, sorted by rank.
    masters: Vec<(u32, u64)>,
    /// The CPU threads of all processes. `places` maps each to its place.
    threads: Vec<u64>,
    places: HashMap<u64, u64>,
    pairs: HashMap<Pair, [Side; 2]>,
    /// The paradigms with communicators of threads.
    paradigms: Vec<Paradigm>,
    has_mpi: bool,
    /// Whether the creation of communicators is recorded as events.
    flags: CommFlag,
}

impl Program {
    /// Combines the information of the processes, which must be in rank order.
    pub(super) fn new<'a>(processes: impl Iterator<Item = Process<'a>>, size: u32, has_events: bool) -> Self {
        let flags = if has_events { CommFlag::CREATE_DESTROY_EVENTS } else { CommFlag::empty() };
        let mut this = Self { size, flags, ..Self::default() };
        for process in processes {
            this.add(&process);
        }
        this.masters.sort_unstable();
        this.places = this.threads.iter().copied().zip(0..).collect();
        this
    }

    fn add(&mut self, process: &Process<'_>) {
        if let Some(first) = process.locations.iter().min_by_key(|location| location.slot) {
            self.masters.push((process.rank, first.id));
        }
        let threads =
            process.locations.iter().filter(|location| location.location_type == LocationType::CPU_THREAD);
        self.threads.extend(threads.map(|location| location.id));
        for entry in process.entries.values() {
            match entry.payload {
                // Each process numbers its single-process communicators itself, so their numbers
                // repeat.
                Payload::Mpi { size: 1, remote_size: 0, .. } => self.has_mpi = true,
                Payload::Mpi { size, rank, remote_size, is_group_b, root, number } if size > 0 => {
                    self.has_mpi = true;
                    let sides = self.pairs.entry((root, number)).or_default();
                    sides[usize::from(is_group_b)].add(size, rank, process.rank);
                    if remote_size > 0 {
                        sides[usize::from(!is_group_b)].size = remote_size;
                    }
                }
                _ if (is_of_threads(entry) || is_of_program(entry))
                    && !self.paradigms.contains(&Paradigm(entry.paradigm)) =>
                {
                    self.paradigms.push(Paradigm(entry.paradigm));
                }
                _ => {}
            }
        }
    }

    /// Returns whether all ranks are present.
    fn is_complete(&self) -> bool {
        self.masters.len() as u64 >= self.size.into()
    }

    /// Returns the place of a rank in the group of locations.
    pub(super) fn place(&self, rank: u64) -> Option<u64> {
        let rank = u32::try_from(rank).ok()?;
        self.masters.binary_search_by_key(&rank, |&(rank, _)| rank).ok().map(|at| at as u64)
    }

    /// Completes the definitions of a process. Returns the ids in its log, indexed by those in
    /// events.
    pub(super) fn define(
        &self,
        process: &Process<'_>,
        teams: &HashMap<u32, u64>,
        log: &mut Log,
        keys: &mut Keys,
    ) -> Vec<u64> {
        let mut definer = Definer::new(self, process, teams, log, keys);
        definer.define_locations();
        definer.number();
        definer.define_all();
        definer.define_coordinates();
        definer.table()
    }
}

/// Returns whether its members are threads of one process.
fn is_of_threads(entry: &CommunicatorEntry) -> bool {
    match entry.payload {
        Payload::Team { .. } => true,
        // A process has only one, with all its threads.
        Payload::Unknown => Paradigm(entry.paradigm) == Paradigm::PTHREAD,
        Payload::Mpi { .. } => false,
    }
}

/// Returns whether its members are the threads of all processes, as required by the topology
/// "Process x Thread".
fn is_of_program(entry: &CommunicatorEntry) -> bool {
    matches!(entry.payload, Payload::Unknown) && Paradigm(entry.paradigm) == Paradigm::MEASUREMENT_SYSTEM
}

/// The common properties of a team's communicators: paradigm, parent, size, and the sequence number
/// among teams of one thread.
type Alike = (u8, u32, u32, u32);

struct Definer<'a> {
    program: &'a Program,
    process: &'a Process<'a>,
    /// The location in each team, by the team's id in events.
    teams: &'a HashMap<u32, u64>,
    log: &'a mut Log,
    keys: &'a mut Keys,
    /// The ids in the log, by those in events.
    ids: BTreeMap<u32, u32>,
    /// The members of each team, by the team's id in the log: ids in events, by number of the
    /// thread.
    members: HashMap<u32, BTreeMap<u32, u32>>,
    /// The group of the single-process communicators.
    own: Option<GroupRef>,
    has_unknown: bool,
}

impl<'a> Definer<'a> {
    fn new(
        program: &'a Program,
        process: &'a Process<'a>,
        teams: &'a HashMap<u32, u64>,
        log: &'a mut Log,
        keys: &'a mut Keys,
    ) -> Self {
        let (ids, members) = (BTreeMap::new(), HashMap::new());
        Self { program, process, teams, log, keys, ids, members, own: None, has_unknown: false }
    }

    fn group(&mut self, group_type: GroupType, paradigm: Paradigm, name: &[u8], members: &[u64]) -> GroupRef {
        let id = self.log.free_group();
        let name = self.log.string(name);
        let (members, group_flags) = (List::truncated(members), GroupFlag::empty());
        self.log.define(Group { id, name, members, group_type, paradigm, group_flags });
        id
    }

    /// Defines the locations of all paradigms, which are the same for every process.
    fn define_locations(&mut self) {
        let program = self.program;
        if program.has_mpi {
            let masters: Vec<u64> = program.masters.iter().map(|&(_, location)| location).collect();
            self.group(GroupType::COMM_LOCATIONS, Paradigm::MPI, b"", &masters);
        }
        for &paradigm in &program.paradigms {
            self.group(GroupType::COMM_LOCATIONS, paradigm, names(paradigm).0, &program.threads);
        }
    }

    /// Determines which communicators are the same.
    fn number(&mut self) {
        // The number of times each thread number has occurred, and the team of each occurrence.
        let mut times: HashMap<(Alike, u32), u32> = HashMap::new();
        let mut teams: HashMap<(Alike, u32), u32> = HashMap::new();
        for (&id, entry) in self.process.entries {
            let Payload::Team { size, thread, singleton } = entry.payload else {
                self.ids.insert(id, id);
                continue;
            };
            let parent = self.ids.get(&entry.parent).copied().unwrap_or(entry.parent);
            let alike = (entry.paradigm, parent, size, if size == 1 { singleton } else { 0 });
            let time = times.entry((alike, thread)).or_default();
            let team = *teams.entry((alike, *time)).or_insert(id);
            *time += 1;
            self.members.entry(team).or_default().insert(thread, id);
            self.ids.insert(id, team);
        }
    }

    fn define_all(&mut self) {
        for entry in self.process.entries.values() {
            if self.ids.get(&entry.id) != Some(&entry.id) || !self.log.is_plausible(entry.id) {
                continue;
            }
            match entry.payload {
                Payload::Mpi { size: 1, remote_size: 0, number, .. } => self.define_own(entry, number),
                Payload::Mpi { size, remote_size, root, number, .. } if size > 0 => {
                    self.define_mpi(entry, (root, number), remote_size > 0);
                }
                Payload::Team { size, .. } => self.define_team(entry, size),
                _ if is_of_threads(entry) => self.define_threads(entry),
                _ if is_of_program(entry) => self.define_program(entry),
                _ => {
                    let group = self.unknown_group(Key::Unique);
                    self.define_comm(entry, group, entry.parent, CommFlag::empty());
                    self.keys.set(Space::Comm, entry.id.into(), Key::Unique);
                }
            }
        }
    }

    /// Returns the name of a communicator. MPI names its two predefined communicators only when it
    /// ends, so they are named here.
    fn name(&mut self, entry: &CommunicatorEntry) -> StringRef {
        let program = self.program;
        match entry.payload {
            _ if entry.name != u32::MAX => StringRef(entry.name),
            _ if is_of_program(entry) => self.log.string(b"Process x Threads CPU Locations"),
            Payload::Mpi { size: 1, remote_size: 0, number: 0, .. } => self.log.string(b"MPI_COMM_SELF"),
            Payload::Mpi { size, remote_size: 0, root: 0, number: 0, .. }
                if size == program.size && entry.parent == u32::MAX =>
            {
                self.log.string(b"MPI_COMM_WORLD")
            }
            _ => self.log.string(b""),
        }
    }

    fn parent(&self, parent: u32) -> CommRef {
        self.ids.get(&parent).map_or(CommRef::UNDEFINED, |&id| CommRef(id))
    }

    fn define_comm(&mut self, entry: &CommunicatorEntry, group: GroupRef, parent: u32, flags: CommFlag) {
        let (id, name, parent) = (CommRef(entry.id), self.name(entry), self.parent(parent));
        self.log.define(Comm { id, name, group, parent, flags });
    }

    /// Defines a group of which not all members are known.
    fn unknown_group(&mut self, key: Key) -> GroupRef {
        if !std::mem::replace(&mut self.has_unknown, true) {
            self.group(GroupType::COMM_LOCATIONS, Paradigm::UNKNOWN, b"unknown", &[]);
        }
        let group = self.group(GroupType::COMM_GROUP, Paradigm::UNKNOWN, b"unknown", &[]);
        self.keys.set(Space::Group, group.0.into(), key);
        group
    }

    /// Defines a communicator of only this process. Those of all processes with the same number are
    /// merged.
    fn define_own(&mut self, entry: &CommunicatorEntry, number: u32) {
        let own = self.own;
        let group = own.unwrap_or_else(|| self.group(GroupType::COMM_SELF, Paradigm::MPI, b"", &[]));
        self.own = Some(group);
        self.define_comm(entry, group, u32::MAX, self.program.flags);
        self.keys.set(Space::Comm, entry.id.into(), Key::Number(number.into()));
    }

    fn define_mpi(&mut self, entry: &CommunicatorEntry, pair: Pair, is_inter: bool) {
        let number = (u64::from(pair.0) << 32 | u64::from(pair.1)) | 1 << 63;
        let sides = self.program.pairs.get(&pair).cloned().unwrap_or_default();
        self.keys.set(Space::Comm, entry.id.into(), Key::Number(number));
        let flags = self.program.flags;
        let [a, b] = sides;
        let group_a = self.side(&a, Key::Number(number << 1));
        if !is_inter {
            return self.define_comm(entry, group_a, entry.parent, flags);
        }
        let group_b = self.side(&b, Key::Number(number << 1 | 1));
        let (id, name) = (CommRef(entry.id), self.name(entry));
        let common_communicator = self.parent(entry.parent);
        self.log.define(InterComm { id, name, group_a, group_b, common_communicator, flags });
    }

    fn side(&mut self, side: &Side, key: Key) -> GroupRef {
        match side.places(self.program) {
            Some(members) => self.group(GroupType::COMM_GROUP, Paradigm::MPI, b"", &members),
            None => self.unknown_group(key),
        }
    }

    /// Defines a team, whose members are the locations that recorded its beginning.
    fn define_team(&mut self, entry: &CommunicatorEntry, size: u32) {
        let members = self.members.get(&entry.id).cloned().unwrap_or_default();
        let is_complete = members.keys().copied().eq(0..size);
        let place = |id: &u32| self.program.places.get(self.teams.get(id)?).copied();
        let places: Option<Vec<u64>> = members.values().map(place).collect();
        let (group, key) = match places.filter(|_| is_complete) {
            Some(places) => {
                (self.group(GroupType::COMM_GROUP, Paradigm(entry.paradigm), b"", &places), Key::Number(0))
            }
            None => (self.unknown_group(Key::Unique), Key::Unique),
        };
        self.define_comm(entry, group, entry.parent, CommFlag::empty());
        self.keys.set(Space::Comm, entry.id.into(), key);
    }

    /// Returns the places of the threads of this process.
    fn own_threads(&self) -> Vec<u64> {
        let own = self.process.locations.iter().filter(|it| it.location_type == LocationType::CPU_THREAD);
        own.filter_map(|it| self.program.places.get(&it.id).copied()).collect()
    }

    fn define_threads(&mut self, entry: &CommunicatorEntry) {
        let places = self.own_threads();
        let paradigm = Paradigm(entry.paradigm);
        let group = self.group(GroupType::COMM_GROUP, paradigm, names(paradigm).1, &places);
        self.define_comm(entry, group, u32::MAX, CommFlag::empty());
        self.keys.set(Space::Comm, entry.id.into(), Key::Unique);
    }

    /// Defines the communicator of all processes' threads.
    fn define_program(&mut self, entry: &CommunicatorEntry) {
        let paradigm = Paradigm(entry.paradigm);
        let group = match self.program.is_complete() {
            true => {
                let places: Vec<u64> = (0..self.program.threads.len() as u64).collect();
                self.group(GroupType::COMM_GROUP, paradigm, names(paradigm).1, &places)
            }
            false => self.unknown_group(Key::Number(u64::MAX)),
        };
        self.define_comm(entry, group, u32::MAX, CommFlag::empty());
        self.keys.set(Space::Comm, entry.id.into(), Key::Number(0));
    }

    /// Defines the places of this process's threads in the topology of processes and threads, which
    /// are known only if all ranks are present.
    fn define_coordinates(&mut self) {
        let (program, process) = (self.program, self.process);
        let is_of_program = |comm: CommRef| process.entries.get(&comm.0).is_some_and(is_of_program);
        if !program.is_complete() {
            return;
        }
        let topologies = self.log.topologies.iter().filter(|&(_, &comm)| is_of_program(comm));
        let topologies: Vec<_> = topologies.map(|(&topology, _)| topology).collect();
        for cart_topology in topologies {
            for (thread, place) in (0..).zip(self.own_threads()) {
                let (rank, coordinates) = (u32::try_from(place).unwrap_or(u32::MAX), [process.rank, thread]);
                let coordinates = List::truncated(&coordinates);
                self.log.define(CartCoordinate { cart_topology, rank, coordinates });
            }
        }
    }

    fn table(&self) -> Vec<u64> {
        let most = self.ids.keys().copied().filter(|&id| self.log.is_plausible(id)).max();
        let mut table = vec![u64::MAX; most.map_or(0, |most| most as usize + 1)];
        for (&id, &own) in &self.ids {
            if let Some(entry) = table.get_mut(id as usize) {
                *entry = own.into();
            }
        }
        table
    }
}

/// Returns Score-P's names for the locations of a paradigm and for a group of them.
fn names(paradigm: Paradigm) -> (&'static [u8], &'static [u8]) {
    match paradigm {
        Paradigm::OPENMP => (b"OpenMP", b""),
        Paradigm::PTHREAD => (b"PTHREAD", b"SCOREP_GROUP_PTHREAD"),
        Paradigm::MEASUREMENT_SYSTEM => (b"PROCESSXTHREADS_GROUP_LOCATIONS", b"PROCESSXTHREADS_GROUP"),
        _ => (b"", b""),
    }
}
