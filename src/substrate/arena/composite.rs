//! Facts that take more than a look at a table: sampling sets, payloads of communicators, arrays and linked lists
//! (ABI §14.3 and §14.4).

use super::Arena;
use super::facts::*;
use super::fields::{Dimension, Handle, List};
use crate::handles::*;
use crate::kinds::*;

/// A set of metrics that are written together. Which: [`metrics`](Arena::metrics); by whom:
/// [`recorders`](Arena::recorders).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SamplingSet {
    /// When values are written.
    pub occurrence: MetricOccurrence,
    /// Kind of location that records it.
    pub class: SamplingSetClass,
    /// First of the linked recorders; final at `pre_unify`.
    pub first_recorder: SamplingSetRecorderHandle,
    /// Number of metrics.
    pub count: u8,
}

/// A sampling set for something other than the location that writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScopedSamplingSet {
    /// The set.
    pub sampling_set: SamplingSetHandle,
    /// Location that writes it.
    pub recorder: LocationHandle,
    /// What it is for.
    pub scope: Scope,
}

/// What a scoped sampling set is for.
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
    /// A scope this crate does not know, with the handle's number.
    Other(MetricScope, u32),
}

/// Payload of a communicator of MPI: (global root rank, root id) identifies it across ranks.
///
/// If it has one process and no remote group, the global root rank is the process's rank in the world and the root id a
/// number of this process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MpiPayload {
    /// Processes in the local group.
    pub size: u32,
    /// Own rank in the local group.
    pub rank: u32,
    /// Processes in the remote group; 0 for an intra-communicator.
    pub remote_size: u32,
    /// Whether this side of an inter-communicator is group B.
    pub is_group_b: bool,
    /// Rank in the world of rank 0; for an inter-communicator that of the merged communicator.
    pub global_root_rank: u32,
    /// Number given by that rank.
    pub root_id: u32,
    /// Files opened on it so far.
    pub io_counter: u32,
}

/// Bit in the size of the remote group that says that this is group B.
const GROUP_B: u32 = 1 << 31;

impl Arena {
    /// What is known of a set without scope; `None` for a scoped one.
    pub fn sampling_set(&self, handle: SamplingSetHandle) -> Option<SamplingSet> {
        // The header of both and the byte that tells them apart lie the same, but a scoped one is shorter.
        if self.is_scoped(handle)? {
            return None;
        }
        let AnySamplingSet { occurrence, class, first_recorder, count } = self.any_sampling_set(handle)?;
        Some(SamplingSet { occurrence, class, first_recorder, count })
    }

    /// What is known of a scoped set; `None` for one without scope.
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

    /// Payload of a communicator of MPI. `None` while the host has not written it, which it does after the announcement
    /// and before the first event that uses it.
    pub fn mpi_payload(&self, handle: InterimCommunicatorHandle) -> Option<MpiPayload> {
        let payload = self.of_paradigm(handle, ParadigmType::MPI, Self::raw_mpi_payload)?;
        let remote = payload.remote.unwrap_or(0);
        let written = Some(payload).filter(|payload| payload.size != 0)?;
        let RawMpiPayload { size, rank, remote: _, global_root_rank, root_id, io_counter } = written;
        let (remote_size, is_group_b) = (remote & !GROUP_B, remote & GROUP_B != 0);
        Some(MpiPayload { size, rank, remote_size, is_group_b, global_root_rank, root_id, io_counter })
    }

    /// Payload of a thread team of OpenMP. Every thread has an interim communicator of its own for a team; those of equal
    /// parent and size with different thread numbers are one team.
    pub fn openmp_payload(&self, handle: InterimCommunicatorHandle) -> Option<OpenmpPayload> {
        self.of_paradigm(handle, ParadigmType::OPENMP, Self::raw_openmp_payload)
    }

    /// Payload of an active set of SHMEM. `None` while its size is 0.
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

    /// The members of a group; what they are says its type. `None` if there cannot be so many.
    pub fn group_members(&self, handle: GroupHandle) -> Option<List<'_, u64>> {
        List::of(&self.memory, handle.raw(), 40, self.group(handle)?.member_count)
    }

    /// The dimensions of a topology. `None` if there cannot be so many.
    pub fn dimensions(&self, handle: CartesianTopologyHandle) -> Option<List<'_, Dimension>> {
        List::of(&self.memory, handle.raw(), 36, self.cartesian_topology(handle)?.dimension_count.into())
    }

    /// The numbers of a place in a topology. `None` if there cannot be so many.
    pub fn coordinates(&self, handle: CartesianCoordsHandle) -> Option<List<'_, u32>> {
        List::of(&self.memory, handle.raw(), 36, self.cartesian_coords(handle)?.count.into())
    }
}

/// Turns `reader(owner: OwnerHandle by reader of the owner) -> Facts by reader of an element` into a reader of the list that
/// starts in the owner's field `first`.
macro_rules! lists {
    ($(
        $(#[$doc:meta])*
        $list:ident($owner:ident: $handle:ident by $owner_reader:ident, $first:ident) -> $facts:ident by $reader:ident;
    )*) => {
        impl Arena {$(
            $(#[$doc])*
            ///
            /// `None` if the list does not end or holds what is not the owner's.
            pub fn $list(&self, handle: $handle) -> Option<impl Iterator<Item = $facts> + '_> {
                let first = self.$owner_reader(handle)?.$first;
                let read = move |at| self.$reader(at).filter(|facts| facts.$owner == handle);
                linked(first, read, |facts| facts.next)
            }
        )*}
    };
}

lists! {
    /// Who records a sampling set without scope. Final at `pre_unify`.
    recorders(sampling_set: SamplingSetHandle by sampling_set, first_recorder) -> SamplingSetRecorder
        by sampling_set_recorder;
    /// The properties of a file. Final at `pre_unify`.
    io_file_properties(file: IoFileHandle by io_file, first_property) -> IoFileProperty by io_file_property;
    /// The properties of a node of the system tree. Final at `pre_unify`.
    system_tree_node_properties(node: SystemTreeNodeHandle by system_tree_node, first_property)
        -> SystemTreeNodeProperty by system_tree_node_property;
}

/// The elements of the list that begins with `first`. The list is walked to its end once before anything is given out.
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

/// Number of elements; `None` if one cannot be read or the list is a circle.
fn length<H: Handle, T>(first: H, read: impl Fn(H) -> Option<T>, next: impl Fn(&T) -> H) -> Option<usize> {
    // An element seen before comes again while the list goes on: its distance doubles each time it is chosen anew, so that
    // it falls into the circle some day and the circle closes before the next choice.
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
