//! Groups of processes: from the handle of the library to the definition, with world ranks as
//! members.
//!
//! Invariant: a group with a member outside of the world has no definition.

use core::ffi::c_int;

use super::abi::Abi;
use super::definitions::MPI_GROUP;
use super::symbols::pmpi;
use super::world;
use crate::address_table::AddressTable;
use crate::host::host;

/// The definition of each handle and, above it, how often the program has it: libraries return
/// equal handles for equal groups.
static DEFINITIONS: AddressTable = AddressTable::new();
const USE: u64 = 1 << 32;

/// Returns the definition of a group that the program has; 0 if it is unknown.
pub(super) fn definition(group: usize) -> u32 {
    DEFINITIONS.get(group) as u32
}

/// The program has received a group.
pub(super) fn add(abi: &Abi, group: usize) {
    if group == abi.group_null || group == 0 {
        return;
    }
    let known = match DEFINITIONS.get(group) {
        0 => definition_of(abi, group).map_or(0, u64::from),
        known => known,
    };
    if known != 0 {
        DEFINITIONS.set(group, known + USE);
    }
}

/// The program is about to free a group.
pub(super) fn remove(group: usize) {
    let known = DEFINITIONS.get(group);
    if known != 0 {
        DEFINITIONS.set(group, if known < 2 * USE { 0 } else { known - USE });
    }
}

/// Forgets everything, in a child made by `fork`.
pub(super) fn forget_all() {
    DEFINITIONS.forget(|| {});
}

/// Defines a group, if all members are in the world.
pub(super) fn definition_of(abi: &Abi, group: usize) -> Option<u32> {
    let members = members(abi, group)?;
    Some(host()?.definitions.group(MPI_GROUP, b"", &members)).filter(|&definition| definition != 0)
}

/// Returns the world rank of the first member.
pub(super) fn first_rank(abi: &Abi, group: usize) -> Option<u64> {
    translate(abi, group, &[0])?.first().copied()
}

fn members(abi: &Abi, group: usize) -> Option<Vec<u64>> {
    let mut size: c_int = 0;
    if pmpi!(c"PMPI_Group_size", group, &raw mut size) != Some(0) {
        return None;
    }
    let ranks: Vec<c_int> = (0..size).collect();
    translate(abi, group, &ranks)
}

/// Returns the world ranks of members; `None` if one is not in the world.
fn translate(abi: &Abi, group: usize, ranks: &[c_int]) -> Option<Vec<u64>> {
    if ranks.is_empty() {
        return Some(Vec::new());
    }
    let world = world::group()?;
    let mut all = vec![0 as c_int; ranks.len()];
    let result =
        pmpi!(c"PMPI_Group_translate_ranks", group, ranks.len(), ranks.as_ptr(), world, all.as_mut_ptr());
    if result != Some(0) || all.contains(&abi.undefined) {
        return None;
    }
    all.into_iter().map(|rank| u64::try_from(rank).ok()).collect()
}
