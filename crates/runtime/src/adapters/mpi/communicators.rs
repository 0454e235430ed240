//! Communicators: from the handle of the library to the definition, which all members identify by
//! the same pair: the world rank of the process with rank 0, and its number there.
//!
//! The pair is broadcast on the new communicator, outside of any lock. Invariant: a communicator
//! with a member outside of the world is foreign: it is never communicated on and has no
//! definition; events that would name it are dropped.

use core::ffi::c_int;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::abi::Abi;
use super::call::{HandleKind, from_fortran, read_handle};
use super::definitions::{Groups, Payload};
use super::groups;
use super::symbols::pmpi;
use super::world;
use crate::address_table::AddressTable;
use crate::definitions::DefinitionStore;
use crate::host::host;

/// The definition of each handle; [`FOREIGN`] for a foreign communicator.
static DEFINITIONS: AddressTable = AddressTable::new();
const FOREIGN: u64 = 1;
/// The next number of a communicator of several processes whose rank 0 is this process.
static ROOT: AtomicU32 = AtomicU32::new(0);
/// The next number of a communicator of this process only.
static ITSELF: AtomicU32 = AtomicU32::new(0);
/// The number of events that were dropped because they name a foreign communicator.
static DROPPED: AtomicU64 = AtomicU64::new(0);
static GROUPS: Mutex<Option<HashMap<u32, Groups>>> = Mutex::new(None);
/// Some pairs of duplicates have not arrived.
static IS_EXPECTING: AtomicBool = AtomicBool::new(false);
static DUPLICATES: Mutex<Vec<Broadcast>> = Mutex::new(Vec::new());

/// A communicator, as a library describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) size: c_int,
    pub(super) rank: c_int,
    /// The size of the remote group of an inter-communicator.
    pub(super) remote: Option<c_int>,
}

impl Shape {
    /// Asks the library.
    pub(super) fn of(comm: usize) -> Self {
        let (mut size, mut rank, mut flag, mut remote): (c_int, c_int, c_int, c_int) = (0, 0, 0, 0);
        pmpi!(c"PMPI_Comm_size", comm, &raw mut size);
        pmpi!(c"PMPI_Comm_rank", comm, &raw mut rank);
        pmpi!(c"PMPI_Comm_test_inter", comm, &raw mut flag);
        if flag != 0 {
            pmpi!(c"PMPI_Comm_remote_size", comm, &raw mut remote);
        }
        Self { size, rank, remote: (flag != 0).then_some(remote) }
    }
}

/// Returns the definition of a communicator; 0 if it is foreign or unknown.
#[inline]
pub(super) fn definition(comm: usize) -> u32 {
    match DEFINITIONS.get(comm) {
        known if known > FOREIGN => known as u32,
        _ => {
            DROPPED.fetch_add(1, Relaxed);
            0
        }
    }
}

/// Like [`definition`], where 0 is no loss.
pub(super) fn parent(comm: usize) -> u32 {
    match DEFINITIONS.get(comm) {
        known if known > FOREIGN => known as u32,
        _ => 0,
    }
}

/// Whether messages can be sent to a rank of a communicator, by its definition.
#[inline]
pub(super) fn has_rank(definition: u32, rank: c_int) -> bool {
    let size = match host() {
        Some(host) if definition != 0 => host.definitions.number_of_peers(definition),
        _ => 0,
    };
    u32::try_from(rank).is_ok_and(|rank| rank < size)
}

/// Returns the number of events that were dropped because they name a foreign communicator.
pub(super) fn dropped() -> u64 {
    DROPPED.load(Relaxed)
}

/// Forgets everything, in a child made by `fork`.
pub(super) fn forget_all() {
    DEFINITIONS.forget(|| {});
    ROOT.store(0, Relaxed);
    ITSELF.store(0, Relaxed);
    DROPPED.store(0, Relaxed);
    *groups_of() = None;
    duplicates().clear();
}

/// Forgets a handle, before the communicator is freed, and returns its definition.
pub(super) fn forget(comm: usize) -> u32 {
    let before = DEFINITIONS.set(comm, 0);
    if before > FOREIGN { before as u32 } else { 0 }
}

fn groups_of() -> MutexGuard<'static, Option<HashMap<u32, Groups>>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn duplicates() -> MutexGuard<'static, Vec<Broadcast>> {
    DUPLICATES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the groups of a communicator.
pub(super) fn groups(definition: u32) -> Option<Groups> {
    groups_of().as_ref()?.get(&definition).copied()
}

/// Defines `MPI_COMM_WORLD` and `MPI_COMM_SELF`. Returns their definitions.
pub(super) fn define_first(abi: &Abi, definitions: &DefinitionStore) -> [u32; 2] {
    [abi.world, abi.itself].map(|comm| {
        let shape = Shape::of(comm);
        let payload = match shape.size {
            1 => alone(shape),
            _ => Payload {
                size: shape.size as u32,
                rank: shape.rank as u32,
                number: next(&ROOT, shape.rank == 0),
                ..Payload::default()
            },
        };
        let groups = local_groups(abi, comm, shape);
        add(comm, definitions.communicator(0, payload), groups)
    })
}

fn next(counter: &AtomicU32, counts: bool) -> u32 {
    counter.fetch_add(u32::from(counts), Relaxed)
}

/// The payload of a communicator of this process only.
fn alone(shape: Shape) -> Payload {
    Payload {
        size: 1,
        rank: shape.rank.unsigned_abs(),
        root: world::rank(),
        number: next(&ITSELF, true),
        ..Payload::default()
    }
}

fn add(comm: usize, definition: u32, groups: Option<Groups>) -> u32 {
    if let Some(groups) = groups {
        groups_of().get_or_insert_default().insert(definition, groups);
    }
    DEFINITIONS.set(comm, u64::from(definition).max(FOREIGN));
    definition
}

/// The groups of a communicator; `None` if it is foreign.
fn local_groups(abi: &Abi, comm: usize, shape: Shape) -> Option<Groups> {
    let of = |name: fn(usize, *mut usize) -> Option<c_int>| {
        let mut group = abi.group_null;
        if name(comm, &raw mut group) != Some(0) {
            return None;
        }
        let group = abi.handle(group);
        let definition = match shape {
            // Those of this process only share one group.
            Shape { size: 1, remote: None, .. } => groups::first_rank(abi, group).map(|_| 0),
            _ => groups::definition_of(abi, group),
        };
        let mut group = group;
        pmpi!(c"PMPI_Group_free", &raw mut group);
        definition
    };
    let local = of(|comm, group| pmpi!(c"PMPI_Comm_group", comm, group))?;
    let remote = match shape.remote {
        Some(_) => Some(of(|comm, group| pmpi!(c"PMPI_Comm_remote_group", comm, group))?),
        None => None,
    };
    Some(Groups { local, remote })
}

/// Defines a new communicator, collectively over its members. Returns its definition, 0 if it has
/// none.
pub(super) fn define(abi: &Abi, comm: usize, parent: u32) -> u32 {
    let Some(host) = host().filter(|_| comm != abi.comm_null && comm != 0) else { return 0 };
    let shape = Shape::of(comm);
    let groups = world::is_there().then(|| local_groups(abi, comm, shape)).flatten();
    let Some(groups) = groups else {
        DEFINITIONS.set(comm, FOREIGN);
        return 0;
    };
    let payload = match shape {
        Shape { size: 1, remote: None, .. } => Some(alone(shape)),
        Shape { remote: None, .. } => identify(comm, shape, shape.rank),
        Shape { remote: Some(_), .. } => identify_inter(abi, comm, shape),
    };
    match payload {
        Some(payload) => add(comm, host.definitions.communicator(parent, payload), Some(groups)),
        None => {
            DEFINITIONS.set(comm, FOREIGN);
            0
        }
    }
}

/// Agrees on the pair that identifies a communicator, by a broadcast from rank 0 on it.
fn identify(comm: usize, shape: Shape, rank: c_int) -> Option<Payload> {
    let mut pair = [next(&ROOT, rank == 0), world::rank()];
    let bytes = size_of_val(&pair);
    let result = pmpi!(c"PMPI_Bcast", pair.as_mut_ptr(), bytes, byte()?, 0_usize, comm);
    let payload = payload(shape, pair);
    (result == Some(0)).then_some(payload)
}

fn payload(shape: Shape, [number, root]: [u32; 2]) -> Payload {
    Payload {
        size: shape.size.unsigned_abs(),
        rank: shape.rank.unsigned_abs(),
        remote: shape.remote.map_or(0, c_int::unsigned_abs),
        is_high: false,
        root,
        number,
    }
}

fn byte() -> Option<usize> {
    super::known_abi().map(|abi| abi.byte)
}

/// The same for an inter-communicator, on the communicator of both groups.
fn identify_inter(abi: &Abi, comm: usize, shape: Shape) -> Option<Payload> {
    let first = |name: fn(usize, *mut usize) -> Option<c_int>| {
        let mut group = abi.group_null;
        if name(comm, &raw mut group) != Some(0) {
            return None;
        }
        let mut group = abi.handle(group);
        let rank = groups::first_rank(abi, group);
        pmpi!(c"PMPI_Group_free", &raw mut group);
        rank
    };
    let local = first(|comm, group| pmpi!(c"PMPI_Comm_group", comm, group))?;
    let remote = first(|comm, group| pmpi!(c"PMPI_Comm_remote_group", comm, group))?;
    let is_high = local > remote;
    let mut merged = abi.comm_null;
    if pmpi!(c"PMPI_Intercomm_merge", comm, c_int::from(is_high), &raw mut merged) != Some(0) {
        return None;
    }
    let mut merged = abi.handle(merged);
    let mut rank: c_int = 0;
    pmpi!(c"PMPI_Comm_rank", merged, &raw mut rank);
    let payload = identify(merged, shape, rank);
    pmpi!(c"PMPI_Comm_free", &raw mut merged);
    payload.map(|payload| Payload { is_high, ..payload })
}

/// A duplicate whose pair is being broadcast. Its memory stays in place until then.
#[derive(Debug)]
struct Broadcast {
    comm: usize,
    request: usize,
    pair: Box<[u32; 2]>,
    definition: u32,
    shape: Shape,
}

/// Defines a communicator that `MPI_Comm_idup` has completed. Its pair is broadcast without
/// waiting: other members may be waiting for this process.
pub(super) fn define_duplicate(abi: &Abi, comm: usize, parent: u32) -> u32 {
    let Some(host) = host().filter(|_| comm != abi.comm_null && comm != 0) else { return 0 };
    let shape = Shape::of(comm);
    if matches!(shape, Shape { size: 1, remote: None, .. }) || shape.remote.is_some() {
        // An inter-communicator cannot be merged without waiting.
        if shape.remote.is_none() {
            return define(abi, comm, parent);
        }
        DEFINITIONS.set(comm, FOREIGN);
        return 0;
    }
    let Some(groups) = world::is_there().then(|| local_groups(abi, comm, shape)).flatten() else {
        DEFINITIONS.set(comm, FOREIGN);
        return 0;
    };
    let mut pair = Box::new([next(&ROOT, shape.rank == 0), world::rank()]);
    let mut request = abi.request_null;
    let (bytes, buffer) = (size_of_val(&*pair), pair.as_mut_ptr());
    let result = pmpi!(c"PMPI_Ibcast", buffer, bytes, abi.byte, 0_usize, comm, &raw mut request);
    if result != Some(0) {
        DEFINITIONS.set(comm, FOREIGN);
        return 0;
    }
    let start = Payload { root: world::rank(), ..payload(shape, [0, 0]) };
    let definition = add(comm, host.definitions.communicator(parent, start), Some(groups));
    duplicates().push(Broadcast { comm, request: abi.handle(request), pair, definition, shape });
    IS_EXPECTING.store(true, Relaxed);
    definition
}

/// Takes the pairs that have arrived, if any is expected.
pub(super) fn settle_some() {
    if !IS_EXPECTING.load(Relaxed) {
        return;
    }
    let mut duplicates = duplicates();
    // A test does not wait, and functions that it calls back do not come here.
    duplicates.retain_mut(|it| !it.settle(false));
    IS_EXPECTING.store(!duplicates.is_empty(), Relaxed);
}

/// Waits for the pair of a communicator that the program is about to free, or for all pairs.
/// Libraries do not keep a communicator for a broadcast that is not complete.
pub(super) fn settle_all(of: Option<usize>) {
    if !IS_EXPECTING.load(Relaxed) {
        return;
    }
    // Not under the lock: waiting can take long.
    let is_it = |it: &Broadcast| of.is_none_or(|comm| it.comm == comm);
    let (awaited, left): (Vec<_>, Vec<_>) = std::mem::take(&mut *duplicates()).into_iter().partition(is_it);
    duplicates().extend(left);
    awaited.into_iter().for_each(|mut it| {
        it.settle(true);
    });
}

impl Broadcast {
    /// Takes the pair if it has arrived, or waits for it. Returns whether the broadcast is over.
    fn settle(&mut self, waits: bool) -> bool {
        let Some((host, abi)) = host().zip(super::known_abi()) else { return true };
        let mut is_done: c_int = 1;
        let result = match waits {
            true => pmpi!(c"PMPI_Wait", &raw mut self.request, abi.status_ignore),
            false => pmpi!(c"PMPI_Test", &raw mut self.request, &raw mut is_done, abi.status_ignore),
        };
        if result == Some(0) && is_done != 0 {
            host.definitions.set_payload(self.definition, payload(self.shape, *self.pair));
        }
        result != Some(0) || is_done != 0
    }
}

/// Reads a communicator at an address of the program, in Fortran.
///
/// # Safety
///
/// The address must be that of an integer.
pub(super) unsafe fn at_fortran(abi: &Abi, address: usize) -> usize {
    // SAFETY: the address is that of an integer.
    let handle = unsafe { core::ptr::with_exposed_provenance::<c_int>(address).read() };
    from_fortran(abi, HandleKind::Comm, handle)
}

/// Reads a communicator at an address of the program.
///
/// # Safety
///
/// The address must be that of a communicator in C.
pub(super) unsafe fn at(abi: &Abi, address: usize) -> usize {
    // SAFETY: the address is that of a communicator in C.
    unsafe { read_handle(abi, HandleKind::Comm, address, 0) }
}
