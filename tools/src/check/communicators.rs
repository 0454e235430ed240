//! Ranks of communicators. A communicator refers to a group, whose members are indexes into the
//! group of all locations of the paradigm.
//!
//! Inter-communicators have two sides: a rank in an event belongs to the other side. Members of
//! `COMM_SELF` groups are not listed: every location is rank 0 of its own. Communicators that
//! cannot be resolved are left out, and no rule applies to them.

use std::collections::HashMap;
use std::rc::Rc;

use kymo_otf2::definitions::Group;
use kymo_otf2::enums::{GroupType, Paradigm};
use kymo_otf2::flags::GroupFlag;

use super::definitions::{DefinitionIndex, Process};

/// All locations of a paradigm, by the index that its groups use.
#[derive(Debug)]
struct World {
    size: u32,
    locations: HashMap<u64, u32>,
    /// The only location of the paradigm in a process, to which events of other threads are
    /// attributed; `None` for processes with several.
    processes: HashMap<Process, Option<u32>>,
}

impl World {
    fn of(group: &Group<'_>, definitions: &DefinitionIndex<'_>) -> World {
        let size = group.members.len() as u32;
        let mut world = World { size, locations: HashMap::new(), processes: HashMap::new() };
        for (location, index) in group.members.iter().zip(0..) {
            world.locations.entry(location).or_insert(index);
            let process = definitions.process(location);
            world.processes.entry(process).and_modify(|only| *only = None).or_insert(Some(index));
        }
        world
    }

    fn index(&self, location: u64, process: Process) -> Option<u32> {
        let of_process = || self.processes.get(&process).copied().flatten();
        self.locations.get(&location).copied().or_else(of_process)
    }
}

/// One of the one or two groups of a communicator.
#[derive(Debug, Clone)]
enum Side {
    /// Every location on its own.
    Own,
    /// All locations of the paradigm.
    World(Rc<World>),
    /// The index and the rank of every member, sorted.
    Members(Rc<World>, Rc<[(u32, u32)]>),
}

impl Side {
    fn size(&self) -> u32 {
        match self {
            Side::Own => 1,
            Side::World(world) => world.size,
            Side::Members(_, members) => members.len() as u32,
        }
    }

    fn rank(&self, location: u64, process: Process) -> Option<u32> {
        match self {
            Side::Own => Some(0),
            Side::World(world) => world.index(location, process),
            Side::Members(world, members) => {
                let index = world.index(location, process)?;
                let at = members.binary_search_by_key(&index, |member| member.0).ok()?;
                members.get(at).map(|member| member.1)
            }
        }
    }
}

/// A communicator whose members are known.
#[derive(Debug)]
pub(crate) struct Communicator {
    sides: Vec<Side>,
}

/// The position of a location in a communicator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Rank {
    /// 0, or 1 for the second group of an inter-communicator.
    pub(crate) side: u8,
    pub(crate) rank: u32,
}

impl Communicator {
    /// Returns the rank of a location, if it is a member.
    pub(crate) fn rank(&self, location: u64, process: Process) -> Option<Rank> {
        let mut sides = self.sides.iter().zip(0..);
        sides.find_map(|(members, side)| Some(Rank { side, rank: members.rank(location, process)? }))
    }

    /// Returns the side that ranks in events of a member of `side` belong to.
    pub(crate) fn other_side(&self, side: u8) -> u8 {
        if self.is_inter() { 1 - side.min(1) } else { 0 }
    }

    /// Returns the number of ranks on a side.
    pub(crate) fn size(&self, side: u8) -> u32 {
        self.sides.get(usize::from(side)).map_or(0, Side::size)
    }

    /// Returns the number of members.
    pub(crate) fn members(&self) -> u64 {
        self.sides.iter().map(|side| u64::from(side.size())).sum()
    }

    /// Whether it is one communicator per location.
    pub(crate) fn is_self(&self) -> bool {
        matches!(self.sides[..], [Side::Own])
    }

    /// Whether it connects two groups.
    pub(crate) fn is_inter(&self) -> bool {
        self.sides.len() == 2
    }
}

/// All communicators whose members are known.
#[derive(Debug, Default)]
pub(crate) struct Communicators(HashMap<u32, Communicator>);

impl Communicators {
    pub(crate) fn get(&self, id: u32) -> Option<&Communicator> {
        self.0.get(&id)
    }

    pub(crate) fn of(definitions: &DefinitionIndex<'_>) -> Self {
        let worlds = definitions.worlds.iter();
        let worlds = worlds.map(|(&paradigm, group)| (paradigm, Rc::new(World::of(group, definitions))));
        let mut sides = Sides { definitions, worlds: worlds.collect(), known: HashMap::new() };
        let intra = definitions.comms.iter().map(|(&id, comm)| (id, vec![comm.group.0]));
        let inter =
            definitions.inter_comms.iter().map(|(&id, comm)| (id, vec![comm.group_a.0, comm.group_b.0]));
        let resolved = intra.chain(inter).filter_map(|(id, groups)| {
            let sides = groups.iter().map(|&group| sides.side(group)).collect::<Option<Vec<_>>>()?;
            Some((id, Communicator { sides }))
        });
        Communicators(resolved.collect())
    }
}

struct Sides<'a, 'd> {
    definitions: &'a DefinitionIndex<'d>,
    worlds: HashMap<Paradigm, Rc<World>>,
    /// The sides by group, as many communicators may share one.
    known: HashMap<u32, Side>,
}

impl Sides<'_, '_> {
    fn side(&mut self, id: u32) -> Option<Side> {
        if let Some(side) = self.known.get(&id) {
            return Some(side.clone());
        }
        let side = self.resolve(self.definitions.groups.get(&id)?)?;
        self.known.insert(id, side.clone());
        Some(side)
    }

    fn resolve(&self, group: &Group<'_>) -> Option<Side> {
        if group.group_type == GroupType::COMM_SELF {
            return Some(Side::Own);
        }
        // Writers that do not know the locations of a paradigm write an empty group.
        let world = self.worlds.get(&group.paradigm).filter(|world| world.size > 0)?.clone();
        match group.group_type {
            GroupType::COMM_LOCATIONS => Some(Side::World(world)),
            // With global members, ranks in events are indexes into the group of all locations.
            GroupType::COMM_GROUP if group.group_flags.contains(GroupFlag::GLOBAL_MEMBERS) => {
                Some(Side::World(world))
            }
            GroupType::COMM_GROUP => {
                let index = |member| u32::try_from(member).ok().filter(|index| *index < world.size);
                let ranks = group.members.iter().zip(0..).map(|(member, rank)| Some((index(member)?, rank)));
                let mut members = ranks.collect::<Option<Vec<_>>>()?;
                members.sort_unstable();
                Some(Side::Members(world, members.into()))
            }
            _ => None,
        }
    }
}
