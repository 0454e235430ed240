//! The locations of ranks: a communicator has a group (an inter-communicator two), whose members
//! are indexes into the group of all locations, or location groups, of its paradigm.
//!
//! A communicator keeps the groups that its ids referred to when it was defined, regardless of
//! later definitions.

use std::cell::OnceCell;
use std::collections::HashSet;

use kymo_otf2::definitions;
use kymo_otf2::enums::GroupType;
use kymo_otf2::flags::GroupFlag;
use kymo_otf2::references::{CommRef, LocationGroupRef, LocationRef};

use super::{Names, Report};
use crate::print::end::End;
use kymo_analysis::index::Index;

/// The member of a communicator that a rank is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Member {
    Location(LocationRef),
    /// A process, in paradigms whose ranks are processes.
    Group(LocationGroupRef),
}

/// The groups in order of their definitions; other definitions refer to them by index.
#[derive(Debug, Default)]
pub(super) struct Groups {
    groups: Vec<Group>,
    /// The group of all locations or location groups of each paradigm.
    all_locations: Index<usize>,
}

#[derive(Debug)]
struct Group {
    kind: GroupType,
    flags: GroupFlag,
    members: Vec<u64>,
    /// For groups of communicators, the group of all locations or location groups.
    locations: Option<usize>,
    /// For groups of all locations, whether there is a group for communicators of one member.
    has_self: bool,
    /// The members, computed on first use.
    set: OnceCell<HashSet<Member>>,
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
            kind.lists_paradigm() || matches!(kind, GroupType::COMM_GROUP | GroupType::COMM_SELF);
        let members: Vec<u64> = if is_of_ranks { group.members.iter().collect() } else { Vec::new() };
        let locations = self.all_locations.get(paradigm).copied();
        let group_locations = if kind.lists_paradigm() { None } else { locations };
        let mut warn = |what| report.warn("Group", group.id.0.into(), what);
        match kind {
            _ if kind.lists_paradigm() => {
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

    /// Returns a member of the group of all locations or location groups.
    fn member(&self, locations: Option<usize>, rank: u64) -> Option<Member> {
        let all = self.get(locations)?;
        let member = all.members.get(usize::try_from(rank).ok()?).copied()?;
        match all.kind {
            GroupType::COMM_LOCATION_GROUPS => {
                u32::try_from(member).ok().map(|it| Member::Group(LocationGroupRef(it)))
            }
            _ => Some(Member::Location(LocationRef(member))),
        }
    }

    /// Whether a location or its process is a member of a group.
    fn contains(&self, group: &Group, location: LocationRef, process: Option<LocationGroupRef>) -> bool {
        let members = || group.members.iter().filter_map(|&rank| self.member(group.locations, rank));
        let set = group.set.get_or_init(|| members().collect());
        set.contains(&Member::Location(location))
            || process.is_some_and(|process| set.contains(&Member::Group(process)))
    }

    /// Returns the member that a rank is, as seen from `location` in `process`.
    fn rank(
        &self,
        location: LocationRef,
        process: Option<LocationGroupRef>,
        comm: &Comm,
        rank: u32,
    ) -> Option<Member> {
        let own = self.get(comm.group);
        let group = match self.get(comm.remote) {
            Some(remote) if own.is_some_and(|own| self.contains(own, location, process)) => remote,
            _ => own?,
        };
        match group.kind {
            GroupType::COMM_SELF => (rank == 0).then_some(Member::Location(location)),
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
    /// Returns the member that a rank of a communicator is, as seen from `location`.
    pub(crate) fn rank(&self, location: LocationRef, comm: CommRef, rank: u32) -> Option<Member> {
        let comm = &self.comms.get(comm.0.into())?.data;
        // Only an inter-communicator has two sides, of which the process is on one.
        let process = comm.remote.and_then(|_| self.locations.get(location.0)).map(|it| it.data);
        self.members.rank(location, process, comm, rank)
    }

    /// Returns a member of a group of this paradigm.
    pub(crate) fn member(&self, paradigm: kymo_otf2::enums::Paradigm, rank: u64) -> Option<Member> {
        self.members.member(self.members.all_locations.get(paradigm.0.into()).copied(), rank)
    }
}
