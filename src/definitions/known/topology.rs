//! Cartesian topologies and the coordinates of locations in them.

use kymo_otf2::{
    definitions::{CartCoordinate, CartDimension, CartTopology},
    enums::CartPeriodicity,
    list::List,
    references::{CartDimensionRef, CartTopologyRef},
};
use kymo_substrate::{
    CartesianCoordsHandle, CartesianTopologyHandle, CommunicatorHandle, Definition, GroupHandle,
    arena::{AnyCommunicator, CartesianCoords, GroupType, TopologyType},
};

use super::Known;

impl Known<'_> {
    fn topology(&self, topology: CartesianTopologyHandle) -> CartTopologyRef {
        CartTopologyRef(self.id(topology.raw()))
    }

    pub(super) fn define_topology(&mut self, handle: CartesianTopologyHandle) -> Option<()> {
        let facts = self.arena.cartesian_topology(handle)?;
        let first = self.first_dimension(handle)?;
        let mut dimensions = Vec::new();
        for (id, dimension) in (first..).map(CartDimensionRef).zip(self.arena.dimensions(handle)?.iter()) {
            let cart_periodicity =
                if dimension.is_periodic { CartPeriodicity::TRUE } else { CartPeriodicity::FALSE };
            let name = self.string(dimension.name);
            self.log.define(&CartDimension { id, name, size: dimension.size, cart_periodicity });
            dimensions.push(id);
        }
        let record = CartTopology {
            id: self.topology(handle),
            name: self.string(facts.name),
            communicator: self.any_communicator(facts.communicator),
            cart_dimensions: List::truncated(&dimensions),
        };
        self.log.define(&record);
        Some(())
    }

    /// The id of a topology's first dimension. Dimensions have no numbers of their own; their ids
    /// follow those of the topologies announced before.
    fn first_dimension(&self, handle: CartesianTopologyHandle) -> Option<u32> {
        let topologies = self.announced.iter().filter_map(|definition| match *definition {
            Definition::CartesianTopology(topology) => Some(topology),
            _ => None,
        });
        let before = topologies.take_while(|&topology| topology != handle);
        before.map(|topology| Some(self.arena.dimensions(topology)?.len() as u32)).sum()
    }

    fn final_communicator(&self, communicator: AnyCommunicator) -> Option<CommunicatorHandle> {
        match communicator {
            AnyCommunicator::None => None,
            AnyCommunicator::Final(communicator) => Some(communicator),
            AnyCommunicator::Interim(communicator) => self.arena.unified(communicator),
        }
    }

    pub(super) fn define_coordinates(&mut self, handle: CartesianCoordsHandle) -> Option<()> {
        let facts = self.arena.cartesian_coords(handle)?;
        let coordinates: Vec<u32> = self.arena.coordinates(handle)?.iter().collect();
        let record = CartCoordinate {
            cart_topology: self.topology(facts.topology),
            rank: self.rank(&facts)?,
            coordinates: List::truncated(&coordinates),
        };
        self.log.define(&record);
        Some(())
    }

    /// In a topology of MPI, the rank in its communicator. In other topologies, the index of the
    /// location in the communicator's group.
    fn rank(&self, facts: &CartesianCoords) -> Option<u32> {
        let topology = self.arena.cartesian_topology(facts.topology)?;
        if topology.topology_type == TopologyType::MPI {
            return Some(facts.rank);
        }
        let communicator = self.arena.communicator(self.final_communicator(topology.communicator)?)?;
        let location = u64::from(facts.thread) << 32 | u64::from(facts.rank);
        let rank = self.member_locations(communicator.group_a)?.position(|member| member == Some(location));
        rank.and_then(|rank| u32::try_from(rank).ok())
    }

    /// The global ids of a group's members, which the group stores as indexes into the locations of
    /// its paradigm.
    fn member_locations(&self, group: GroupHandle) -> Option<impl Iterator<Item = Option<u64>>> {
        let group_type = self.arena.group(group)?.group_type;
        let locations_type = GroupType(group_type.0.checked_sub(1)?);
        let is_locations =
            |handle| self.arena.group(handle).is_some_and(|it| it.group_type == locations_type);
        let locations = self.announced.iter().find_map(|definition| match *definition {
            Definition::Group(handle) if is_locations(handle) => self.arena.group_members(handle),
            _ => None,
        })?;
        let members = self.arena.group_members(group)?;
        Some(members.iter().map(move |index| locations.get(usize::try_from(index).ok()?)))
    }
}
