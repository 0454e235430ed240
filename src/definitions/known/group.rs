//! Groups of communicators, locations and regions.

use kymo_otf2::{
    definitions::Group,
    enums::{GroupType, Paradigm},
    flags::GroupFlag,
    list::List,
    references::{GroupRef, Space},
};
use kymo_substrate::{Definition, GroupHandle, StringHandle, arena};

use super::Known;
use crate::mapping;

impl Known<'_> {
    pub(super) fn group(&self, group: GroupHandle) -> GroupRef {
        GroupRef(self.id(group.raw()))
    }

    pub(super) fn define_group(&mut self, handle: GroupHandle) -> Option<()> {
        let facts = self.arena.group(handle)?;
        let members: Vec<u64> = self.arena.group_members(handle)?.iter().collect();
        let (group_type, paradigm, group_flags) = meaning(facts.group_type);
        let (id, name) = (self.group(handle), self.string(facts.name));
        self.log.define(&Group {
            id,
            name,
            members: List::truncated(&members),
            group_type,
            paradigm,
            group_flags,
        });
        Some(())
    }

    /// Defines one group of regions for each group name and paradigm. Score-P's own tracing makes
    /// these groups, but the host does not announce them.
    pub(super) fn define_region_groups(&mut self) {
        let mut groups: Vec<(StringHandle, Paradigm, Vec<u64>)> = Vec::new();
        let mut next = 0;
        for definition in self.announced {
            match *definition {
                Definition::Group(group) => next = next.max(self.id(group.raw()).saturating_add(1)),
                Definition::Region(region) => {
                    let Some(facts) = self.arena.region(region).filter(|facts| !facts.group_name.is_none())
                    else {
                        continue;
                    };
                    let (name, paradigm) = (facts.group_name, mapping::paradigm(facts.paradigm));
                    let member = u64::from(self.id(region.raw()));
                    match groups.iter_mut().find(|group| (group.0, group.1) == (name, paradigm)) {
                        Some(group) => group.2.push(member),
                        None => groups.push((name, paradigm, vec![member])),
                    }
                }
                _ => {}
            }
        }
        for (id, (name, paradigm, members)) in (next..).zip(groups) {
            // The record does not contain the paradigm, so the key must.
            self.set_number(Space::Group, id, paradigm.0.into(), false);
            let record = Group {
                id: GroupRef(id),
                name: self.string(name),
                members: List::truncated(&members),
                group_type: GroupType::REGIONS,
                paradigm: Paradigm::NONE,
                group_flags: GroupFlag::empty(),
            };
            self.log.define(&record);
        }
    }
}

/// The type, paradigm and flags of a group in OTF2, by the host's group type.
fn meaning(group: arena::GroupType) -> (GroupType, Paradigm, GroupFlag) {
    let (locations, members) = (GroupType::COMM_LOCATIONS, GroupType::COMM_GROUP);
    let (group_type, paradigm) = match group {
        arena::GroupType::LOCATIONS => (GroupType::LOCATIONS, Paradigm::NONE),
        arena::GroupType::REGIONS => (GroupType::REGIONS, Paradigm::NONE),
        arena::GroupType::METRIC => (GroupType::METRIC, Paradigm::NONE),
        arena::GroupType::MPI_LOCATIONS => (locations, Paradigm::MPI),
        arena::GroupType::MPI_GROUP => (members, Paradigm::MPI),
        arena::GroupType::MPI_SELF => (GroupType::COMM_SELF, Paradigm::MPI),
        arena::GroupType::OPENMP_LOCATIONS => (locations, Paradigm::OPENMP),
        arena::GroupType::OPENMP_GROUP => (members, Paradigm::OPENMP),
        arena::GroupType::CUDA_LOCATIONS => (locations, Paradigm::CUDA),
        arena::GroupType::CUDA_GROUP => (members, Paradigm::CUDA),
        arena::GroupType::SHMEM_LOCATIONS => (locations, Paradigm::SHMEM),
        arena::GroupType::SHMEM_GROUP => (members, Paradigm::SHMEM),
        arena::GroupType::SHMEM_SELF => (GroupType::COMM_SELF, Paradigm::SHMEM),
        arena::GroupType::PTHREAD_LOCATIONS => (locations, Paradigm::PTHREAD),
        arena::GroupType::PTHREAD_GROUP => (members, Paradigm::PTHREAD),
        arena::GroupType::OPENCL_LOCATIONS => (locations, Paradigm::OPENCL),
        arena::GroupType::OPENCL_GROUP => (members, Paradigm::OPENCL),
        arena::GroupType::HARDWARE_TOPOLOGY_LOCATIONS => (locations, Paradigm::HARDWARE),
        arena::GroupType::HARDWARE_TOPOLOGY_GROUP => (members, Paradigm::HARDWARE),
        arena::GroupType::PROCESS_TOPOLOGY_LOCATIONS => (locations, Paradigm::MEASUREMENT_SYSTEM),
        arena::GroupType::PROCESS_TOPOLOGY_GROUP => (members, Paradigm::MEASUREMENT_SYSTEM),
        arena::GroupType::USER_TOPOLOGY_LOCATIONS => (locations, Paradigm::USER),
        arena::GroupType::USER_TOPOLOGY_GROUP => (members, Paradigm::USER),
        arena::GroupType::KOKKOS_LOCATIONS => (locations, Paradigm::KOKKOS),
        arena::GroupType::KOKKOS_GROUP => (members, Paradigm::KOKKOS),
        arena::GroupType::HIP_LOCATIONS => (locations, Paradigm::HIP),
        arena::GroupType::HIP_GROUP => (members, Paradigm::HIP),
        _ => (GroupType::UNKNOWN, Paradigm::UNKNOWN),
    };
    let flags = match paradigm {
        Paradigm::SHMEM => GroupFlag::GLOBAL_MEMBERS,
        _ => GroupFlag::empty(),
    };
    (group_type, paradigm, flags)
}
