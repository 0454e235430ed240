//! The locations of ranks: a communicator has a group (an inter-communicator two), whose members
//! are indexes into the group of all locations of its paradigm.
//!
//! A communicator keeps the groups that its ids referred to when it was defined, regardless of
//! later definitions.

use std::cell::OnceCell;
use std::collections::HashSet;

use kymo_otf2::definitions;
use kymo_otf2::enums::GroupType;
use kymo_otf2::flags::GroupFlag;
use kymo_otf2::references::{CommRef, LocationRef};

use super::{Names, Report};
use crate::print::end::End;
use kymo_analysis::index::Index;

/// The groups in order of their definitions; other definitions refer to them by index.
#[derive(Debug, Default)]
pub(super) struct Groups {
    groups: Vec<Group>,
    /// The group of all locations of each paradigm.
    all_locations: Index<usize>,
}

#[derive(Debug)]
struct Group {
    kind: GroupType,
    flags: GroupFlag,
    members: Vec<u64>,
    /// For groups of communicators, the group of all locations.
    locations: Option<usize>,
    /// For groups of all locations, whether there is a group for communicators of one member.
    has_self: bool,
    /// The locations that are members, computed on first use.
    set: OnceCell<HashSet<u64>>,
}

/// The groups of a communicator.
#[derive(Debug, Default)]
pub(super) struct Comm {
    group: Option<usize>,
    /// The other side of an inter-communicator.
    remote: Option<usize>,
}

impl Groups {
    /// Returns the index of the next group.
    pub(super) fn next(&self) -> usize {
        self.groups.len()
    }

    /// Adds a group at that index.
    pub(super) fn add(
        &mut self,
        group: &definitions::Group<'_>,
        report: &mut impl Report,
    ) -> Result<(), End> {
        let kind = group.group_type;
        let (paradigm, place) = (u64::from(group.paradigm.0), self.groups.len());
        let is_of_ranks =
            matches!(kind, GroupType::COMM_LOCATIONS | GroupType::COMM_GROUP | GroupType::COMM_SELF);
        let members: Vec<u64> = if is_of_ranks { group.members.iter().collect() } else { Vec::new() };
        let locations = self.all_locations.get(paradigm).copied();
        let group_locations = if kind == GroupType::COMM_LOCATIONS { None } else { locations };
        let mut warn = |what| report.warn("Group", group.id.0.into(), what);
        match kind {
            GroupType::COMM_LOCATIONS => {
                if locations.is_some() {
                    warn("its paradigm already has a group of all locations")?;
                }
                self.all_locations.insert(paradigm, place);
            }
            GroupType::COMM_GROUP | GroupType::COMM_SELF => {
                match locations.and_then(|place| self.groups.get_mut(place)) {
                    None => warn("its paradigm has no group of all locations yet")?,
                    Some(all) if kind == GroupType::COMM_GROUP => {
                        if members.iter().any(|&member| member >= all.members.len() as u64) {
                            warn("a member is not a rank of its paradigm")?;
                        }
                    }
                    Some(all) => {
                        if std::mem::replace(&mut all.has_self, true) {
                            warn("its paradigm already has a group for communicators of one member")?;
                        }
                    }
                }
            }
            _ => {}
        }
        let flags = group.group_flags;
        let set = OnceCell::new();
        self.groups.push(Group { kind, flags, members, locations: group_locations, has_self: false, set });
        Ok(())
    }

    fn get(&self, place: Option<usize>) -> Option<&Group> {
        place.and_then(|place| self.groups.get(place))
    }

    /// Whether this group can be that of a communicator.
    pub(super) fn is_of_comm(&self, place: Option<usize>) -> bool {
        self.get(place)
            .is_some_and(|group| matches!(group.kind, GroupType::COMM_GROUP | GroupType::COMM_SELF))
    }

    /// Returns the location of a member of the group of all locations.
    fn member(&self, locations: Option<usize>, rank: u64) -> Option<LocationRef> {
        let members = &self.get(locations)?.members;
        members.get(usize::try_from(rank).ok()?).copied().map(LocationRef)
    }

    /// Whether a location is a member of a group.
    fn contains(&self, group: &Group, location: LocationRef) -> bool {
        let locations = || group.members.iter().filter_map(|&rank| self.member(group.locations, rank));
        group.set.get_or_init(|| locations().map(|location| location.0).collect()).contains(&location.0)
    }

    /// Returns the location of a rank, as seen from `location`.
    fn rank(&self, location: LocationRef, comm: &Comm, rank: u32) -> Option<LocationRef> {
        let own = self.get(comm.group);
        let group = match self.get(comm.remote) {
            Some(remote) if own.is_some_and(|own| self.contains(own, location)) => remote,
            _ => own?,
        };
        match group.kind {
            GroupType::COMM_SELF => (rank == 0).then_some(location),
            _ if group.flags.contains(GroupFlag::GLOBAL_MEMBERS) => self.member(group.locations, rank.into()),
            _ => self.member(group.locations, *group.members.get(rank as usize)?),
        }
    }
}

impl Comm {
    /// Creates a communicator, or an inter-communicator if there is a remote group.
    pub(super) fn new(groups: &Groups, group: Option<usize>, remote: Option<usize>) -> Self {
        let of_comm = |place: Option<usize>| place.filter(|_| groups.is_of_comm(place));
        Comm { group: of_comm(group), remote: of_comm(remote) }
    }
}

impl Names<'_> {
    /// Returns the location of a rank of a communicator, as seen from `location`.
    pub(crate) fn rank(&self, location: LocationRef, comm: CommRef, rank: u32) -> Option<LocationRef> {
        self.members.rank(location, &self.comms.get(comm.0.into())?.data, rank)
    }

    /// Returns the location of a member of a group of this paradigm.
    pub(crate) fn member(&self, paradigm: kymo_otf2::enums::Paradigm, rank: u64) -> Option<LocationRef> {
        self.members.member(self.members.all_locations.get(paradigm.0.into()).copied(), rank)
    }
}
