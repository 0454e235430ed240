//! Readers that require more than a table: sampling sets, payloads of communicators, arrays and
//! linked lists (docs/spec/scorep-substrate-abi.md, §14.3 and §14.4).

use super::Arena;
use super::facts::*;
use super::fields::{Dimension, Handle, List};
use crate::handles::*;
use crate::kinds::*;

/// A set of metrics that are written together. [`metrics`](Arena::metrics) returns the metrics,
/// [`recorders`](Arena::recorders) the locations that record them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SamplingSet {
    /// When the values are written.
    pub occurrence: MetricOccurrence,
    /// The kind of location that records the set.
    pub class: SamplingSetClass,
    /// The first of the linked recorders; final at `pre_unify`.
    pub first_recorder: SamplingSetRecorderHandle,
    /// The number of metrics.
    pub count: u8,
}

/// A sampling set whose values belong to something other than the location that writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScopedSamplingSet {
    /// The set without scope.
    pub sampling_set: SamplingSetHandle,
    /// The location that writes the values.
    pub recorder: LocationHandle,
    /// The owner of the values.
    pub scope: Scope,
}

/// The owner of the values of a scoped sampling set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// A location.
    Location(LocationHandle),
    /// A location group.
    LocationGroup(LocationGroupHandle),
    /// A node of the system tree.
    SystemTreeNode(SystemTreeNodeHandle),
    /// A group.
    Group(GroupHandle),
    /// A scope that this crate does not know, with the number of its handle.
    Other(MetricScope, u32),
}

/// The payload of an MPI communicator, which the pair of global root rank and root id identifies
/// across ranks.
///
/// If the communicator has one process and no remote group, the global root rank is the world rank
/// of that process, and the root id is a number of this process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MpiPayload {
    /// The number of processes in the local group.
    pub size: u32,
    /// The rank of this process in the local group.
    pub rank: u32,
    /// The number of processes in the remote group, or 0 for an intra-communicator.
    pub remote_size: u32,
    /// Whether this side of an inter-communicator is group B.
    pub is_group_b: bool,
    /// The world rank of rank 0; for an inter-communicator, that of rank 0 of the merged
    /// communicator.
    pub global_root_rank: u32,
    /// The number that the root rank assigned.
    pub root_id: u32,
    /// The number of files opened on the communicator so far.
    pub io_counter: u32,
}

/// The bit in the size of the remote group that marks group B.
const GROUP_B: u32 = 1 << 31;

impl Arena {
    /// Returns the details of a set without scope, or `None` for a scoped one.
    pub fn sampling_set(&self, handle: SamplingSetHandle) -> Option<SamplingSet> {
        // A scoped set has the same header and the same scope flag, but is shorter.
        if self.is_scoped(handle)? {
            return None;
        }
        let AnySamplingSet { occurrence, class, first_recorder, count } = self.any_sampling_set(handle)?;
        Some(SamplingSet { occurrence, class, first_recorder, count })
    }

    /// Returns the details of a scoped set, or `None` for one without scope.
    pub fn scoped_sampling_set(&self, handle: SamplingSetHandle) -> Option<ScopedSamplingSet> {
        if !self.is_scoped(handle)? {
            return None;
        }
        let AnyScopedSamplingSet { sampling_set, recorder, scope_type, scope } =
            self.any_scoped_sampling_set(handle)?;
        let record = self.memory.record(handle.raw(), 40)?;
        let scope = match scope_type {
            MetricScope::LOCATION => Scope::Location(record.handle(36)?),
            MetricScope::LOCATION_GROUP => Scope::LocationGroup(record.handle(36)?),
            MetricScope::SYSTEM_TREE_NODE => Scope::SystemTreeNode(record.handle(36)?),
            MetricScope::GROUP => Scope::Group(record.handle(36)?),
            other => Scope::Other(other, scope),
        };
        Some(ScopedSamplingSet { sampling_set, recorder, scope })
    }

    fn is_scoped(&self, handle: SamplingSetHandle) -> Option<bool> {
        match self.memory.record(handle.raw(), 21)?.u8(20)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    /// The metrics of a set without scope, in the order of their values.
    pub fn metrics(&self, handle: SamplingSetHandle) -> Option<List<'_, MetricHandle>> {
        let count = self.sampling_set(handle)?.count;
        List::of(&self.memory, handle.raw(), 60, count.into())
    }

    /// The payload of an MPI communicator, or `None` if the host has not written it yet. The host
    /// writes it after the announcement and before the first event that uses the communicator.
    pub fn mpi_payload(&self, handle: InterimCommunicatorHandle) -> Option<MpiPayload> {
        let payload = self.of_paradigm(handle, ParadigmType::MPI, Self::raw_mpi_payload)?;
        let remote = payload.remote.unwrap_or(0);
        let written = Some(payload).filter(|payload| payload.size != 0)?;
        let RawMpiPayload { size, rank, remote: _, global_root_rank, root_id, io_counter } = written;
        let (remote_size, is_group_b) = (remote & !GROUP_B, remote & GROUP_B != 0);
        Some(MpiPayload { size, rank, remote_size, is_group_b, global_root_rank, root_id, io_counter })
    }

    /// The payload of an OpenMP thread team. Each thread has its own interim communicator for a
    /// team. Those with equal parent and size and different thread numbers are one team.
    pub fn openmp_payload(&self, handle: InterimCommunicatorHandle) -> Option<OpenmpPayload> {
        self.of_paradigm(handle, ParadigmType::OPENMP, Self::raw_openmp_payload)
    }

    /// The payload of a SHMEM active set, or `None` while its size is 0.
    pub fn shmem_payload(&self, handle: InterimCommunicatorHandle) -> Option<ShmemPayload> {
        let payload = self.of_paradigm(handle, ParadigmType::SHMEM, Self::raw_shmem_payload)?;
        Some(payload).filter(|payload| payload.size != 0)
    }

    fn of_paradigm<P>(
        &self,
        handle: InterimCommunicatorHandle,
        paradigm: ParadigmType,
        read: impl FnOnce(&Self, InterimCommunicatorHandle) -> Option<P>,
    ) -> Option<P> {
        let communicator = self.interim_communicator(handle)?;
        if communicator.paradigm == paradigm { read(self, handle) } else { None }
    }

    /// The members of a group, whose meaning depends on the group's type. `None` if the count is
    /// impossible.
    pub fn group_members(&self, handle: GroupHandle) -> Option<List<'_, u64>> {
        List::of(&self.memory, handle.raw(), 40, self.group(handle)?.member_count)
    }

    /// The dimensions of a topology. `None` if the count is impossible.
    pub fn dimensions(&self, handle: CartesianTopologyHandle) -> Option<List<'_, Dimension>> {
        List::of(&self.memory, handle.raw(), 36, self.cartesian_topology(handle)?.dimension_count.into())
    }

    /// The coordinates of a location in a topology. `None` if the count is impossible.
    pub fn coordinates(&self, handle: CartesianCoordsHandle) -> Option<List<'_, u32>> {
        List::of(&self.memory, handle.raw(), 36, self.cartesian_coords(handle)?.count.into())
    }
}

/// Turns `reader(owner: OwnerHandle by reader of the owner) -> Facts by reader of an element` into
/// a reader of the list that starts in the owner's field `first`.
macro_rules! lists {
    ($(
        $(#[$doc:meta])*
        $list:ident($owner:ident: $handle:ident by $owner_reader:ident, $first:ident) -> $facts:ident by $reader:ident;
    )*) => {
        impl Arena {$(
            $(#[$doc])*
            ///
            /// `None` if the list does not end or has an element of another owner.
            pub fn $list(&self, handle: $handle) -> Option<impl Iterator<Item = $facts> + '_> {
                let first = self.$owner_reader(handle)?.$first;
                let read = move |at| self.$reader(at).filter(|facts| facts.$owner == handle);
                linked(first, read, |facts| facts.next)
            }
        )*}
    };
}

lists! {
    /// The locations that record a sampling set without scope. Final at `pre_unify`.
    recorders(sampling_set: SamplingSetHandle by sampling_set, first_recorder) -> SamplingSetRecorder
        by sampling_set_recorder;
    /// The properties of a file. Final at `pre_unify`.
    io_file_properties(file: IoFileHandle by io_file, first_property) -> IoFileProperty by io_file_property;
    /// The properties of a node of the system tree. Final at `pre_unify`.
    system_tree_node_properties(node: SystemTreeNodeHandle by system_tree_node, first_property)
        -> SystemTreeNodeProperty by system_tree_node_property;
}

/// The elements of the list that starts with `first`. The whole list is checked before the first
/// element is returned.
fn linked<H: Handle, T>(
    first: H,
    read: impl Fn(H) -> Option<T>,
    next: impl Fn(&T) -> H,
) -> Option<impl Iterator<Item = T>> {
    let length = length(first, &read, &next)?;
    let mut at = first;
    Some((0..length).map_while(move |_| {
        let element = read(at)?;
        at = next(&element);
        Some(element)
    }))
}

/// The number of elements, or `None` if one cannot be read or the list is circular.
fn length<H: Handle, T>(first: H, read: impl Fn(H) -> Option<T>, next: impl Fn(&T) -> H) -> Option<usize> {
    // Each element is compared with one that was saved earlier, and a new one is saved whenever the
    // length has doubled. In a circular list the saved element is eventually part of the circle,
    // and the walk returns to it before the next one is saved.
    let (mut seen, mut choice) = (first, 1);
    let (mut at, mut length) = (first, 0);
    while at.raw() != 0 {
        at = next(&read(at)?);
        length += 1;
        if at == seen && at.raw() != 0 {
            return None;
        }
        if length == choice {
            (seen, choice) = (at, choice * 2);
        }
    }
    Some(length)
}
