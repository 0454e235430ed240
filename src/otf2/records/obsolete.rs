//! Attributes that were removed from the interface but remain on the wire. Writers derive them from
//! other attributes, and readers take from them the defaults of their successors
//! (docs/spec/otf2-format.md, "Compatibility").
//!
//! The tables for both directions are those of libotf2. They are not inverses of each other:
//! `USER_REGION` reads as a function of unknown paradigm, `METRIC` as a group of regions.

use super::definitions::{Group, LocationGroupProperty, LocationProperty, Region, SystemTreeNodeProperty};
use super::enums::{GroupType, GroupTypePre12, Paradigm, RegionRole, RegionType};
use super::flags::RegionFlag;
use super::references::StringRef;

const NONE: u32 = 0;
const DYNAMIC: u32 = RegionFlag::DYNAMIC.bits();
const PHASE: u32 = RegionFlag::PHASE.bits();
const BOTH: u32 = DYNAMIC | PHASE;

/// Region types with the role, paradigm and flags as which they are read.
const REGION_TYPES: &[(RegionType, RegionRole, Paradigm, u32)] = &[
    (RegionType::FUNCTION, RegionRole::FUNCTION, Paradigm::UNKNOWN, NONE),
    (RegionType::LOOP, RegionRole::LOOP, Paradigm::USER, NONE),
    (RegionType::USER_REGION, RegionRole::FUNCTION, Paradigm::UNKNOWN, NONE),
    (RegionType::FILE, RegionRole::FILE_IO, Paradigm::USER, NONE),
    (RegionType::OMP_PARALLEL, RegionRole::PARALLEL, Paradigm::OPENMP, NONE),
    (RegionType::OMP_LOOP, RegionRole::LOOP, Paradigm::OPENMP, NONE),
    (RegionType::OMP_SECTIONS, RegionRole::SECTIONS, Paradigm::OPENMP, NONE),
    (RegionType::OMP_SECTION, RegionRole::SECTION, Paradigm::OPENMP, NONE),
    (RegionType::OMP_WORKSHARE, RegionRole::WORKSHARE, Paradigm::OPENMP, NONE),
    (RegionType::OMP_SINGLE, RegionRole::SINGLE, Paradigm::OPENMP, NONE),
    (RegionType::OMP_MASTER, RegionRole::MASTER, Paradigm::OPENMP, NONE),
    (RegionType::OMP_CRITICAL, RegionRole::CRITICAL, Paradigm::OPENMP, NONE),
    (RegionType::OMP_ATOMIC, RegionRole::ATOMIC, Paradigm::OPENMP, NONE),
    (RegionType::OMP_BARRIER, RegionRole::BARRIER, Paradigm::OPENMP, NONE),
    (RegionType::OMP_IBARRIER, RegionRole::IMPLICIT_BARRIER, Paradigm::OPENMP, NONE),
    (RegionType::OMP_FLUSH, RegionRole::FLUSH, Paradigm::OPENMP, NONE),
    (RegionType::OMP_CRITICAL_SBLOCK, RegionRole::CRITICAL_SBLOCK, Paradigm::OPENMP, NONE),
    (RegionType::OMP_SINGLE_SBLOCK, RegionRole::SINGLE_SBLOCK, Paradigm::OPENMP, NONE),
    (RegionType::OMP_WRAPPER, RegionRole::WRAPPER, Paradigm::OPENMP, NONE),
    (RegionType::OMP_TASK, RegionRole::TASK, Paradigm::OPENMP, NONE),
    (RegionType::OMP_TASK_WAIT, RegionRole::TASK_WAIT, Paradigm::OPENMP, NONE),
    (RegionType::MPI_COLL_BARRIER, RegionRole::BARRIER, Paradigm::MPI, NONE),
    (RegionType::MPI_COLL_ONE2ALL, RegionRole::COLL_ONE2ALL, Paradigm::MPI, NONE),
    (RegionType::MPI_COLL_ALL2ONE, RegionRole::COLL_ALL2ONE, Paradigm::MPI, NONE),
    (RegionType::MPI_COLL_ALL2ALL, RegionRole::COLL_ALL2ALL, Paradigm::MPI, NONE),
    (RegionType::MPI_COLL_OTHER, RegionRole::COLL_OTHER, Paradigm::MPI, NONE),
    (RegionType::PHASE, RegionRole::CODE, Paradigm::USER, NONE),
    (RegionType::DYNAMIC, RegionRole::CODE, Paradigm::USER, DYNAMIC),
    (RegionType::DYNAMIC_PHASE, RegionRole::CODE, Paradigm::USER, BOTH),
    (RegionType::DYNAMIC_LOOP, RegionRole::LOOP, Paradigm::USER, DYNAMIC),
    (RegionType::DYNAMIC_FUNCTION, RegionRole::FUNCTION, Paradigm::USER, DYNAMIC),
    (RegionType::DYNAMIC_LOOP_PHASE, RegionRole::LOOP, Paradigm::USER, BOTH),
    (RegionType::OMP_TASK_CREATE, RegionRole::TASK_CREATE, Paradigm::OPENMP, NONE),
    (RegionType::OMP_ORDERED, RegionRole::ORDERED, Paradigm::OPENMP, NONE),
    (RegionType::OMP_ORDERED_SBLOCK, RegionRole::ORDERED_SBLOCK, Paradigm::OPENMP, NONE),
];

/// The types to write for user regions. A row without flags matches all flags; the others require
/// exactly one of their values.
const OF_USER: &[(RegionType, RegionRole, &[u32])] = &[
    (RegionType::FUNCTION, RegionRole::CODE, &[NONE]),
    (RegionType::LOOP, RegionRole::LOOP, &[NONE]),
    (RegionType::USER_REGION, RegionRole::FUNCTION, &[NONE, PHASE]),
    (RegionType::FILE, RegionRole::FILE_IO, &[]),
    (RegionType::PHASE, RegionRole::CODE, &[PHASE]),
    (RegionType::DYNAMIC, RegionRole::CODE, &[DYNAMIC]),
    (RegionType::DYNAMIC_PHASE, RegionRole::CODE, &[BOTH]),
    (RegionType::DYNAMIC_LOOP, RegionRole::LOOP, &[DYNAMIC]),
    (RegionType::DYNAMIC_FUNCTION, RegionRole::FUNCTION, &[DYNAMIC, BOTH]),
    (RegionType::DYNAMIC_LOOP_PHASE, RegionRole::LOOP, &[BOTH]),
];

impl RegionType {
    fn row(self) -> (RegionType, RegionRole, Paradigm, u32) {
        let unknown = (self, RegionRole::UNKNOWN, Paradigm::UNKNOWN, NONE);
        REGION_TYPES.iter().copied().find(|row| row.0 == self).unwrap_or(unknown)
    }

    /// Returns the role of a region of this type.
    pub fn role(self) -> RegionRole {
        self.row().1
    }

    /// Returns the paradigm of a region of this type.
    pub fn paradigm(self) -> Paradigm {
        self.row().2
    }

    /// Returns the flags of a region of this type.
    pub fn flags(self) -> RegionFlag {
        RegionFlag::from_bits_retain(self.row().3)
    }

    /// Returns the type to write for a region, or [`RegionType::UNKNOWN`] if there is no
    /// equivalent. Most regions are functions instrumented by a compiler; they require no search.
    #[inline]
    pub fn of(role: RegionRole, paradigm: Paradigm, flags: RegionFlag) -> RegionType {
        match paradigm {
            Paradigm::UNKNOWN | Paradigm::COMPILER if role == RegionRole::FUNCTION => RegionType::FUNCTION,
            Paradigm::OPENMP | Paradigm::MPI => Self::of_library(role, paradigm),
            Paradigm::USER => Self::of_user(role, flags),
            _ => RegionType::UNKNOWN,
        }
    }

    /// Returns the type for any flags.
    fn of_library(role: RegionRole, paradigm: Paradigm) -> RegionType {
        let row = REGION_TYPES.iter().find(|row| row.1 == role && row.2 == paradigm);
        row.map_or(RegionType::UNKNOWN, |row| row.0)
    }

    fn of_user(role: RegionRole, flags: RegionFlag) -> RegionType {
        // Flags that are newer than the obsolete types do not matter.
        let known = flags.bits() & BOTH;
        let fits = |flags: &[u32]| flags.is_empty() || flags.contains(&known);
        let row = OF_USER.iter().find(|row| row.1 == role && fits(row.2));
        row.map_or(RegionType::UNKNOWN, |row| row.0)
    }
}

/// Group types before 1.2 with their successors.
const GROUP_TYPES: &[(GroupTypePre12, GroupType, Paradigm)] = &[
    (GroupTypePre12::LOCATIONS, GroupType::LOCATIONS, Paradigm::UNKNOWN),
    (GroupTypePre12::REGIONS, GroupType::REGIONS, Paradigm::UNKNOWN),
    (GroupTypePre12::METRIC, GroupType::METRIC, Paradigm::UNKNOWN),
    (GroupTypePre12::MPI_GROUP, GroupType::COMM_GROUP, Paradigm::MPI),
    (GroupTypePre12::MPI_COMM_SELF, GroupType::COMM_SELF, Paradigm::MPI),
    (GroupTypePre12::MPI_LOCATIONS, GroupType::COMM_LOCATIONS, Paradigm::MPI),
];

impl GroupTypePre12 {
    /// Returns the type of a group of this type. `METRIC` becomes regions, as in libotf2.
    pub fn group_type(self) -> GroupType {
        let row = GROUP_TYPES.iter().find(|row| row.0 == self);
        match row.map_or(GroupType::UNKNOWN, |row| row.1) {
            GroupType::METRIC => GroupType::REGIONS,
            other => other,
        }
    }

    /// Returns the paradigm of a group of this type.
    pub fn paradigm(self) -> Paradigm {
        GROUP_TYPES.iter().find(|row| row.0 == self).map_or(Paradigm::UNKNOWN, |row| row.2)
    }

    /// Returns the type to write for a group, or [`GroupTypePre12::UNKNOWN`] if there is no
    /// equivalent.
    pub fn of(group_type: GroupType, paradigm: Paradigm, flags: super::flags::GroupFlag) -> GroupTypePre12 {
        let fits = |row: &&(GroupTypePre12, GroupType, Paradigm)| {
            row.1 == group_type && row.2 == paradigm && flags.is_empty()
        };
        GROUP_TYPES.iter().find(fits).map_or(GroupTypePre12::UNKNOWN, |row| row.0)
    }
}

impl Region {
    #[inline]
    pub(super) fn region_type(&self) -> RegionType {
        RegionType::of(self.region_role, self.paradigm, self.region_flags)
    }
}

impl Group<'_> {
    pub(super) fn group_type_pre12(&self) -> GroupTypePre12 {
        GroupTypePre12::of(self.group_type, self.paradigm, self.group_flags)
    }
}

macro_rules! string_value {
    ($($record:ident),*) => {$(
        impl $record {
            pub(super) fn string_value(&self) -> StringRef {
                self.value.string()
            }
        }
    )*};
}

string_value!(SystemTreeNodeProperty, LocationGroupProperty, LocationProperty);
