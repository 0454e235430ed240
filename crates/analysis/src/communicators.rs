//! Ranks of communicators. A communicator refers to a group, whose members are indexes into the
//! group of all locations of the paradigm, or of all location groups: then each process is a rank.
//!
//! Inter-communicators have two sides: a rank in an event belongs to the other side. Members of
//! `COMM_SELF` groups are not listed: every location is rank 0 of its own. Communicators that
//! cannot be resolved are left out.

use foldhash::{HashMap, HashMapExt};
use kymo_otf2::definitions::{Comm, Group, InterComm, Location};
use kymo_otf2::enums::{GroupType, LocationType, Paradigm};
use kymo_otf2::flags::GroupFlag;
use kymo_otf2::references::*;
use std::sync::Arc;

/// The owner of requests, handles and locks: a location group, or a location that belongs to none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Process {
    /// A location group.
    Group(LocationGroupRef),
    /// A location without a group.
    Location(LocationRef),
}

impl Process {
    /// Returns the process of a location in this group, which may be undefined.
    pub fn of(location: LocationRef, group: LocationGroupRef) -> Self {
        if group.is_defined() { Self::Group(group) } else { Self::Location(location) }
    }

    /// Returns the id of the location group or location.
    pub fn number(self) -> u64 {
        match self {
            Self::Group(group) => group.0.into(),
            Self::Location(location) => location.0,
        }
    }
}

/// Where the members of a collective operation come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// A communicator.
    Communicator(CommRef),
    /// A window.
    Window(RmaWinRef),
}

/// All locations or processes of a paradigm, by the index that its groups use.
#[derive(Debug, Default)]
struct World {
    /// The location of each rank; undefined for a process without a location.
    members: Vec<LocationRef>,
    /// The indexes of locations; empty if the ranks are processes.
    locations: HashMap<LocationRef, u32>,
    /// The only rank of the paradigm in a process, to which events of all threads that are no ranks
    /// are attributed; `None` for processes with several.
    processes: HashMap<Process, Option<u32>>,
}

impl World {
    fn of(members: &[u64], process: impl Fn(LocationRef) -> Process) -> Self {
        let members: Vec<_> = members.iter().copied().map(LocationRef).collect();
        let (mut locations, mut processes) = (HashMap::new(), HashMap::new());
        for (location, index) in members.iter().copied().zip(0..) {
            locations.entry(location).or_insert(index);
            processes.entry(process(location)).and_modify(|only| *only = None).or_insert(Some(index));
        }
        Self { members, locations, processes }
    }

    fn of_processes(members: &[u64], location: impl Fn(LocationGroupRef) -> Option<LocationRef>) -> Self {
        let mut world = Self::default();
        for (&member, index) in members.iter().zip(0..) {
            let group = u32::try_from(member).map_or(LocationGroupRef::UNDEFINED, LocationGroupRef);
            world.members.push(location(group).unwrap_or_default());
            world.processes.entry(Process::Group(group)).or_insert(Some(index));
        }
        world
    }

    fn location(&self, index: u32) -> Option<LocationRef> {
        self.members.get(index as usize).copied().filter(|location| location.is_defined())
    }

    fn index(&self, location: LocationRef, process: Process) -> Option<u32> {
        let of_process = || self.processes.get(&process).copied().flatten();
        self.locations.get(&location).copied().or_else(of_process)
    }
}

/// The members of a group that is not that of all locations.
#[derive(Debug)]
struct Members {
    /// The index by rank.
    indexes: Box<[u32]>,
    /// The index and the rank of every member, sorted.
    ranks: Box<[(u32, u32)]>,
}

/// One of the one or two groups of a communicator.
#[derive(Debug, Clone)]
enum Side {
    /// Every location on its own.
    Own,
    /// All locations or processes of the paradigm.
    World(Arc<World>),
    Members(Arc<World>, Arc<Members>),
}

impl Side {
    fn size(&self) -> u32 {
        match self {
            Side::Own => 1,
            Side::World(world) => world.members.len() as u32,
            Side::Members(_, members) => members.indexes.len() as u32,
        }
    }

    fn rank(&self, location: LocationRef, process: Process) -> Option<u32> {
        match self {
            Side::Own => Some(0),
            Side::World(world) => world.index(location, process),
            Side::Members(world, members) => {
                let index = world.index(location, process)?;
                let at = members.ranks.binary_search_by_key(&index, |member| member.0).ok()?;
                members.ranks.get(at).map(|member| member.1)
            }
        }
    }

    fn location(&self, rank: u32) -> Option<LocationRef> {
        match self {
            Side::Own => None,
            Side::World(world) => world.location(rank),
            Side::Members(world, members) => world.location(*members.indexes.get(rank as usize)?),
        }
    }
}

/// A communicator whose members are known.
#[derive(Debug)]
pub struct Communicator {
    sides: Vec<Side>,
}

/// The position of a location in a communicator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rank {
    /// 0, or 1 for the second group of an inter-communicator.
    pub side: u8,
    /// The rank in the group.
    pub rank: u32,
}

impl Communicator {
    /// Returns the rank of a location, if it is a member. The process counts as the location of the
    /// paradigm in it.
    pub fn rank(&self, location: LocationRef, process: Process) -> Option<Rank> {
        let mut sides = self.sides.iter().zip(0..);
        sides.find_map(|(members, side)| Some(Rank { side, rank: members.rank(location, process)? }))
    }

    /// Returns the location with this rank, if there is one and the communicator does not exist
    /// once per location. Where ranks are processes, it is the first location of the process.
    pub fn location(&self, rank: Rank) -> Option<LocationRef> {
        self.sides.get(usize::from(rank.side))?.location(rank.rank)
    }

    /// Returns the side that ranks in events of a member of `side` belong to.
    pub fn other_side(&self, side: u8) -> u8 {
        if self.is_inter() { 1 - side.min(1) } else { 0 }
    }

    /// Returns the number of ranks on a side.
    pub fn size(&self, side: u8) -> u32 {
        self.sides.get(usize::from(side)).map_or(0, Side::size)
    }

    /// Returns the number of members.
    pub fn members(&self) -> u64 {
        self.sides.iter().map(|side| u64::from(side.size())).sum()
    }

    /// Returns whether it is one communicator per location.
    pub fn is_self(&self) -> bool {
        matches!(self.sides[..], [Side::Own])
    }

    /// Returns whether it connects two groups.
    pub fn is_inter(&self) -> bool {
        self.sides.len() == 2
    }
}

/// The definitions of which communicators consist.
#[derive(Debug, Default)]
pub struct CommunicatorDefinitions {
    /// The group of all locations or processes of each paradigm.
    worlds: HashMap<Paradigm, (GroupType, Vec<u64>)>,
    /// The first location of each process, if possible a thread.
    first: HashMap<LocationGroupRef, (LocationType, LocationRef)>,
    groups: HashMap<GroupRef, GroupDefinition>,
    /// The groups of each communicator.
    comms: HashMap<CommRef, Vec<GroupRef>>,
    /// Whether there are windows, with whose groups epochs synchronise.
    has_windows: bool,
}

#[derive(Debug)]
struct GroupDefinition {
    group_type: GroupType,
    paradigm: Paradigm,
    flags: GroupFlag,
    /// Empty if the type is not that of a communicator.
    members: Vec<u64>,
}

impl CommunicatorDefinitions {
    /// Adds a location.
    pub fn location(&mut self, location: &Location) {
        let this = (location.location_type, location.id);
        let first = self.first.entry(location.location_group).or_insert(this);
        if first.0 != LocationType::CPU_THREAD && this.0 == LocationType::CPU_THREAD {
            *first = this;
        }
    }

    /// Adds a group. The first group of all locations or processes of a paradigm counts.
    pub fn group(&mut self, group: &Group<'_>) {
        let members = || group.members.iter().collect();
        if group.group_type.lists_paradigm() {
            self.worlds.entry(group.paradigm).or_insert_with(|| (group.group_type, members()));
        }
        let members = if group.group_type == GroupType::COMM_GROUP { members() } else { Vec::new() };
        let (group_type, paradigm, flags) = (group.group_type, group.paradigm, group.group_flags);
        self.groups.insert(group.id, GroupDefinition { group_type, paradigm, flags, members });
    }

    /// Adds a communicator.
    pub fn comm(&mut self, comm: &Comm) {
        self.comms.insert(comm.id, vec![comm.group]);
    }

    /// Adds an inter-communicator.
    pub fn inter_comm(&mut self, comm: &InterComm) {
        self.comms.insert(comm.id, vec![comm.group_a, comm.group_b]);
    }

    /// Adds a window.
    pub fn window(&mut self) {
        self.has_windows = true;
    }

    /// Finds the members of all communicators.
    pub fn resolve(self, process: impl Fn(LocationRef) -> Process) -> Communicators {
        let first = |group| self.first.get(&group).map(|(_, location)| *location);
        let worlds = self.worlds.iter().map(|(&paradigm, (group_type, members))| {
            let world = match *group_type {
                GroupType::COMM_LOCATION_GROUPS => World::of_processes(members, first),
                _ => World::of(members, &process),
            };
            (paradigm, Arc::new(world))
        });
        let mut sides = Sides { groups: &self.groups, worlds: worlds.collect(), known: HashMap::new() };
        let resolved = self.comms.iter().filter_map(|(&id, groups)| {
            let sides = groups.iter().map(|&group| sides.side(group)).collect::<Option<Vec<_>>>()?;
            Some((id, Communicator { sides }))
        });
        let resolved = resolved.collect();
        let worlds = sides.worlds;
        let groups = if self.has_windows { self.groups } else { HashMap::new() };
        Communicators { resolved, worlds, groups }
    }
}

/// All communicators whose members are known.
#[derive(Debug, Default)]
pub struct Communicators {
    resolved: HashMap<CommRef, Communicator>,
    worlds: HashMap<Paradigm, Arc<World>>,
    /// The groups, if there are windows.
    groups: HashMap<GroupRef, GroupDefinition>,
}

impl Communicators {
    /// Returns a communicator, if its members are known.
    pub fn get(&self, id: CommRef) -> Option<&Communicator> {
        self.resolved.get(&id)
    }

    /// Returns the members of a group of ranks: their locations, which are undefined for processes
    /// without a location. Groups are only kept if there are windows.
    pub(crate) fn group(&self, id: GroupRef) -> Option<impl Iterator<Item = LocationRef>> {
        let group = self.groups.get(&id)?;
        let world = self.worlds.get(&group.paradigm)?;
        let is_world = group.group_type.lists_paradigm();
        if !is_world && group.group_type != GroupType::COMM_GROUP {
            return None;
        }
        let of_world = world.members.iter().copied().take(if is_world { usize::MAX } else { 0 });
        let listed = group.members.iter().map(|&member| u32::try_from(member).ok());
        let listed = listed.map(|index| index.and_then(|index| world.location(index)).unwrap_or_default());
        Some(of_world.chain(listed))
    }

    /// Returns the number of ranks of a paradigm.
    pub fn world_size(&self, paradigm: Paradigm) -> usize {
        self.worlds.get(&paradigm).map_or(0, |world| world.members.len())
    }

    /// Returns the rank of a location among all of a paradigm, if it is one.
    pub fn world_rank(&self, paradigm: Paradigm, location: LocationRef, process: Process) -> Option<u32> {
        self.worlds.get(&paradigm)?.index(location, process)
    }
}

struct Sides<'d> {
    groups: &'d HashMap<GroupRef, GroupDefinition>,
    worlds: HashMap<Paradigm, Arc<World>>,
    /// The sides by group, as many communicators may share one.
    known: HashMap<GroupRef, Side>,
}

impl Sides<'_> {
    fn side(&mut self, id: GroupRef) -> Option<Side> {
        if let Some(side) = self.known.get(&id) {
            return Some(side.clone());
        }
        let side = self.resolve(self.groups.get(&id)?)?;
        self.known.insert(id, side.clone());
        Some(side)
    }

    fn resolve(&self, group: &GroupDefinition) -> Option<Side> {
        if group.group_type == GroupType::COMM_SELF {
            return Some(Side::Own);
        }
        // Writers that do not know the locations of a paradigm write an empty group.
        let world = self.worlds.get(&group.paradigm).filter(|world| !world.members.is_empty())?.clone();
        match group.group_type {
            group_type if group_type.lists_paradigm() => Some(Side::World(world)),
            // With global members, ranks in events are indexes into the group of all locations.
            GroupType::COMM_GROUP if group.flags.contains(GroupFlag::GLOBAL_MEMBERS) => {
                Some(Side::World(world))
            }
            GroupType::COMM_GROUP => {
                let size = world.members.len();
                let index = |member| u32::try_from(member).ok().filter(|index| (*index as usize) < size);
                let indexes: Box<[u32]> =
                    group.members.iter().map(|&member| index(member)).collect::<Option<_>>()?;
                let mut ranks: Box<[(u32, u32)]> = indexes.iter().copied().zip(0..).collect();
                ranks.sort_unstable();
                Some(Side::Members(world, Arc::new(Members { indexes, ranks })))
            }
            _ => None,
        }
    }
}
