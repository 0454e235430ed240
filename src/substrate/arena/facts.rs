//! The details of each kind of definition: the layouts of docs/spec/scorep-substrate-abi.md, §14.3
//! to §14.5, as tables.
//!
//! Each field is declared with its offset. `[a, b]` gives the offset up to Score-P 7.x and that
//! from 8.0 on, with `none` if the releases lack the field, which is then `None`. While the
//! generation is unknown, fields whose offset depends on it cannot be read. The number after the
//! name of a structure is the size of the definition. A reader returns `None` if any field has an
//! impossible value.

use super::Arena;
use super::fields::{AnyCommunicator, Field, FieldOffsets};
use super::kinds::*;
use crate::handles::*;
use crate::kinds::*;

/// Turns `vis reader(Handle) -> vis Facts[size] { field: Type = [offset]; … }` into the structure
/// and its reader.
///
/// ```text
/// pub parameter(ParameterHandle) -> pub Parameter[28] { name: StringHandle = [20]; … }
///
/// pub struct Parameter { pub name: StringHandle, … }
/// impl Arena { pub fn parameter(&self, handle: ParameterHandle) -> Option<Parameter> { … } }
/// ```
macro_rules! facts {
    ($(
        $(#[$doc:meta])*
        $vis:vis $reader:ident($handle:ident) -> $facts_vis:vis $facts:ident[$($size:tt)*] {
            $($(#[$field_doc:meta])* $field:ident: $type:ty = [$($offset:tt)*];)*
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $facts_vis struct $facts {
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl Arena {
            #[doc = concat!("Returns the current details of a definition; see [`", stringify!($facts), "`].")]
            $vis fn $reader(&self, handle: $handle) -> Option<$facts> {
                let generation = self.generation();
                let size = offsets!($($size)*).least(generation)?;
                let record = self.memory.record(handle.raw(), size)?;
                Some($facts { $($field: Field::read(&record, offsets!($($offset)*).of(generation))?,)* })
            }
        }
    )*};
}

macro_rules! offsets {
    ($same:literal) => {
        FieldOffsets { up_to_7: Some($same), from_8: Some($same) }
    };
    (none, $from_8:literal) => {
        FieldOffsets { up_to_7: None, from_8: Some($from_8) }
    };
    ($up_to_7:literal, none) => {
        FieldOffsets { up_to_7: Some($up_to_7), from_8: None }
    };
    ($up_to_7:literal, $from_8:literal) => {
        FieldOffsets { up_to_7: Some($up_to_7), from_8: Some($from_8) }
    };
}

facts! {
    /// A region. The source file and the lines of sampled functions are available at `write_data`.
    pub region(RegionHandle) -> pub Region[56] {
        /// The name, possibly demangled.
        name: StringHandle = [20];
        /// The name of the symbol for the linker.
        canonical_name: StringHandle = [24];
        /// The description.
        description: StringHandle = [28];
        /// The type.
        region_type: RegionType = [32];
        /// The name of the source file.
        file_name: StringHandle = [36];
        /// The first line, or 0 if unknown.
        begin_line: u32 = [40];
        /// The last line, or 0 if unknown.
        end_line: u32 = [44];
        /// The paradigm that reports the region.
        paradigm: ParadigmType = [48];
        /// The name of the group that the region is in.
        group_name: StringHandle = [52];
    }

    /// A source file.
    pub source_file(SourceFileHandle) -> pub SourceFile[24] {
        /// The name.
        name: StringHandle = [20];
    }

    /// A metric.
    pub metric(MetricHandle) -> pub Metric[72] {
        /// The name.
        name: StringHandle = [20];
        /// The description.
        description: StringHandle = [24];
        /// The source.
        source_type: MetricSourceType = [28];
        /// The time range that a value refers to.
        mode: MetricMode = [32];
        /// The type of the values.
        value_type: MetricValueType = [36];
        /// The base of the scale: a value counts `base ^ exponent` units.
        base: MetricBase = [40];
        /// The exponent of the scale.
        exponent: i64 = [48];
        /// The unit.
        unit: StringHandle = [56];
        /// How a profile aggregates the metric.
        profiling_type: MetricProfilingType = [60];
        /// The metric that this one is a part of.
        parent: MetricHandle = [64];
    }

    pub(super) any_sampling_set(SamplingSetHandle) -> pub(super) AnySamplingSet[60] {
        occurrence: MetricOccurrence = [32];
        class: SamplingSetClass = [36];
        first_recorder: SamplingSetRecorderHandle = [40];
        count: u8 = [56];
    }

    pub(super) any_scoped_sampling_set(SamplingSetHandle) -> pub(super) AnyScopedSamplingSet[40] {
        sampling_set: SamplingSetHandle = [24];
        recorder: LocationHandle = [28];
        scope_type: MetricScope = [32];
        scope: u32 = [36];
    }

    /// A location that records a sampling set.
    pub sampling_set_recorder(SamplingSetRecorderHandle) -> pub SamplingSetRecorder[32] {
        /// The sampling set that is recorded.
        sampling_set: SamplingSetHandle = [20];
        /// The location that records it.
        location: LocationHandle = [24];
        /// The next recorder of the same set.
        next: SamplingSetRecorderHandle = [28];
    }

    /// A parameter.
    pub parameter(ParameterHandle) -> pub Parameter[28] {
        /// The name.
        name: StringHandle = [20];
        /// The type of the values.
        parameter_type: ParameterType = [24];
    }

    /// A communicator or thread team of this process before unification. Its payload depends on the
    /// paradigm. The name and the window counter are final at `pre_unify`. The name is set only in
    /// the process with local rank 0.
    pub interim_communicator(InterimCommunicatorHandle) -> pub InterimCommunicator[36] {
        /// The name.
        name: StringHandle = [20];
        /// The communicator that this one was made from. For an inter-communicator, it is set only
        /// in the two processes that led its sides.
        parent: InterimCommunicatorHandle = [24];
        /// The paradigm that uses the communicator.
        paradigm: ParadigmType = [28];
        /// The number of windows made on the communicator so far.
        window_counter: u32 = [32];
    }

    pub(super) raw_mpi_payload(InterimCommunicatorHandle) -> pub(super) RawMpiPayload[60, 64] {
        size: u32 = [40];
        rank: u32 = [44];
        remote: Option<u32> = [none, 48];
        global_root_rank: u32 = [48, 52];
        root_id: u32 = [52, 56];
        io_counter: u32 = [56, 60];
    }

    /// The payload of an OpenMP thread team.
    pub(super) raw_openmp_payload(InterimCommunicatorHandle) -> pub OpenmpPayload[52] {
        /// The number of threads in the team.
        size: u32 = [40];
        /// The number of the thread in the team.
        thread_number: u32 = [44];
        /// A counter of teams with one thread.
        singleton_counter: u32 = [48];
    }

    /// The payload of a SHMEM active set.
    pub(super) raw_shmem_payload(InterimCommunicatorHandle) -> pub ShmemPayload[56] {
        /// The first processing element of the active set.
        pe_start: u32 = [40];
        /// The binary logarithm of the distance between elements.
        log2_stride: u32 = [44];
        /// The number of elements.
        size: u32 = [48];
        /// The window over the set.
        window: RmaWindowHandle = [52];
    }

    /// A final communicator. It is not announced: at `write_data` it is found by
    /// [`unified`](Arena::unified) from an interim one, or through definitions that refer to it.
    pub communicator(CommunicatorHandle) -> pub Communicator[36, 44] {
        /// The members; for an inter-communicator, those of side A.
        group_a: GroupHandle = [20];
        /// The members of side B; for an intra-communicator, the same group.
        group_b: GroupHandle = [20, 24];
        /// The name.
        name: StringHandle = [24, 28];
        /// The communicator that this one was made from.
        parent: CommunicatorHandle = [28, 32];
        /// A key that distinguishes communicators with the same members; for MPI the root id.
        unify_key: u32 = [32, 36];
        /// The flags.
        flags: Option<CommunicatorFlags> = [none, 40];
    }

    /// A group. [`group_members`](Arena::group_members) returns its members.
    pub group(GroupHandle) -> pub Group[40] {
        /// The kind of its members.
        group_type: GroupType = [20];
        /// The name.
        name: StringHandle = [24];
        /// The number of members.
        member_count: u64 = [32];
    }

    /// An RMA window. The name, and whether it is the default, are final at `pre_unify`.
    pub rma_window(RmaWindowHandle) -> pub RmaWindow[33, 40] {
        /// The name.
        name: StringHandle = [20];
        /// The processes that use the window.
        communicator: AnyCommunicator = [24];
        /// The number of the window on its communicator.
        creation_id: u32 = [28];
        /// Whether the program did not set the name.
        has_default_name: bool = [32];
        /// The flags.
        flags: Option<RmaWindowFlags> = [none, 36];
    }

    /// A file. Its properties are final at `pre_unify`;
    /// [`io_file_properties`](Arena::io_file_properties) returns them.
    pub io_file(IoFileHandle) -> pub IoFile[40] {
        /// The name.
        name: StringHandle = [20];
        /// The part of the system tree in which the name is valid.
        scope: SystemTreeNodeHandle = [24];
        /// The first of the linked properties.
        first_property: IoFilePropertyHandle = [28];
    }

    /// A property of a file.
    pub io_file_property(IoFilePropertyHandle) -> pub IoFileProperty[36] {
        /// The file that has the property.
        file: IoFileHandle = [20];
        /// The name.
        name: StringHandle = [24];
        /// The value.
        value: StringHandle = [28];
        /// The next property of the same file.
        next: IoFilePropertyHandle = [32];
    }

    /// A handle through which a program uses a file. It is announced when it is complete.
    pub io_handle(IoHandleHandle) -> pub IoHandle[60] {
        /// The name.
        name: StringHandle = [20];
        /// The file.
        file: IoFileHandle = [24];
        /// The type of the I/O paradigm.
        io_paradigm: IoParadigmType = [28];
        /// The properties.
        flags: IoHandleFlags = [32];
        /// The processes that use the handle together.
        communicator: AnyCommunicator = [36];
        /// The handle that this one was made from, which may be announced later.
        parent: IoHandleHandle = [40];
        /// A key that distinguishes equal handles, or 0 for a handle that is not equal to any
        /// other.
        unify_key: u32 = [44];
        /// How the handle was opened, if it existed before the program started.
        access_mode: IoAccessMode = [48];
        /// The status of the handle, if it existed before the program started.
        status_flags: IoStatusFlags = [52];
        /// Whether the handle is complete.
        is_completed: bool = [56];
    }

    /// A node of the system tree. Whether it has children is final at `pre_unify`, and so are its
    /// properties, which [`system_tree_node_properties`](Arena::system_tree_node_properties)
    /// returns.
    pub system_tree_node(SystemTreeNodeHandle) -> pub SystemTreeNode[40, 49] {
        /// The parent node.
        parent: SystemTreeNodeHandle = [20];
        /// The kinds of the node.
        domains: SystemTreeDomains = [24];
        /// The name.
        name: StringHandle = [28];
        /// The class.
        class: StringHandle = [32];
        /// The first of the linked properties.
        first_property: SystemTreeNodePropertyHandle = [36];
        /// Whether the node has a node or location group as a child.
        has_children: Option<bool> = [none, 48];
    }

    /// A property of a node of the system tree.
    pub system_tree_node_property(SystemTreeNodePropertyHandle) -> pub SystemTreeNodeProperty[36] {
        /// The node that has the property.
        node: SystemTreeNodeHandle = [20];
        /// The name.
        name: StringHandle = [24];
        /// The value.
        value: StringHandle = [28];
        /// The next property of the same node.
        next: SystemTreeNodePropertyHandle = [32];
    }

    /// A group of locations. The name, the id, and whether it has children are final at
    /// `pre_unify`.
    pub location_group(LocationGroupHandle) -> pub LocationGroup[36, 40] {
        /// The name.
        name: StringHandle = [28, 20];
        /// The node on which the group runs.
        system_tree_parent: SystemTreeNodeHandle = [24];
        /// The type.
        group_type: LocationGroupType = [32, 28];
        /// The id in the job, which is the rank.
        global_id: Option<u32> = [20, none];
        /// The group that created this one.
        creating_location_group: Option<LocationGroupHandle> = [none, 32];
        /// Whether this group created another one.
        has_children: Option<bool> = [none, 36];
    }

    /// A location. Its id in the job is final at `pre_unify`, and so is that of its group up to
    /// Score-P 7.x.
    pub location(LocationHandle) -> pub Location[56] {
        /// The id in the job, made of local number and rank, or all ones before it is final.
        global_id: u64 = [24];
        /// The name.
        name: StringHandle = [32];
        /// The type.
        location_type: LocationType = [36];
        /// The paradigm that created the location.
        paradigm: Option<ParadigmType> = [none, 40];
        /// The location's group.
        location_group: Option<LocationGroupHandle> = [none, 44];
        /// The id of the location's group in the job.
        location_group_id: Option<u32> = [48, none];
        /// The number of events that the host's own tracing wrote.
        event_count: u64 = [40, 48];
    }

    /// A property of a location.
    pub location_property(LocationPropertyHandle) -> pub LocationProperty[32] {
        /// The name.
        name: StringHandle = [20];
        /// The value.
        value: StringHandle = [24];
        /// The location that has the property.
        location: LocationHandle = [28];
    }

    /// A line of a source file.
    pub source_code_location(SourceCodeLocationHandle) -> pub SourceCodeLocation[28] {
        /// The name of the file.
        file: StringHandle = [20];
        /// The line.
        line: u32 = [24];
    }

    /// A region together with the calls that led to it. The instruction offset, the file and the
    /// source code location are available at `write_data`.
    pub calling_context(CallingContextHandle) -> pub CallingContext[56] {
        /// The address of the instruction.
        ip: u64 = [24];
        /// The offset of the instruction in the file; without a file, the address.
        ip_offset: u64 = [32];
        /// The name of the executable or shared object.
        file: StringHandle = [40];
        /// The region.
        region: RegionHandle = [44];
        /// The source line.
        source_code_location: SourceCodeLocationHandle = [48];
        /// The caller.
        parent: CallingContextHandle = [52];
    }

    /// A source of samples.
    pub interrupt_generator(InterruptGeneratorHandle) -> pub InterruptGenerator[48] {
        /// The name.
        name: StringHandle = [20];
        /// The unit in which the period is counted.
        mode: InterruptGeneratorMode = [24];
        /// The base of the scale: the period is `period * base ^ exponent`.
        base: MetricBase = [28];
        /// The exponent of the scale.
        exponent: i64 = [32];
        /// The period.
        period: u64 = [40];
    }

    /// A Cartesian topology. [`dimensions`](Arena::dimensions) returns its dimensions.
    pub cartesian_topology(CartesianTopologyHandle) -> pub CartesianTopology[36] {
        /// The name.
        name: StringHandle = [20];
        /// The communicator whose members have coordinates in the topology.
        communicator: AnyCommunicator = [24];
        /// The creator of the topology.
        topology_type: TopologyType = [28];
        /// The number of dimensions.
        dimension_count: u32 = [32];
    }

    /// The position of a location in a Cartesian topology. [`coordinates`](Arena::coordinates)
    /// returns the numbers.
    pub cartesian_coords(CartesianCoordsHandle) -> pub CartesianCoords[36] {
        /// The topology.
        topology: CartesianTopologyHandle = [20];
        /// The number of coordinates.
        count: u32 = [24];
        /// In a topology of MPI, the rank in its communicator; otherwise the rank of the process.
        rank: u32 = [28];
        /// The number of the location in the process.
        thread: u32 = [32];
    }

    /// A paradigm (docs/spec/scorep-substrate-abi.md, §14.5). The templates are final at
    /// `pre_unify`.
    pub paradigm(ParadigmHandle) -> pub Paradigm[44] {
        /// The type.
        paradigm_type: ParadigmType = [8];
        /// How the paradigm creates processes and threads.
        class: ParadigmClass = [12];
        /// The name.
        name: StringHandle = [16];
        /// The properties.
        flags: ParadigmFlags = [32];
        /// The template for the names of nameless communicators.
        communicator_template: StringHandle = [36];
        /// The template for the names of nameless windows.
        window_template: StringHandle = [40];
    }

    /// An I/O paradigm (docs/spec/scorep-substrate-abi.md, §14.5).
    pub io_paradigm(IoParadigmHandle) -> pub IoParadigm[48] {
        /// The number in the order of registration.
        number: u32 = [0];
        /// The type.
        paradigm_type: IoParadigmType = [16];
        /// Whether several processes use the paradigm together.
        class: IoParadigmClass = [20];
        /// The short name.
        identification: StringHandle = [24];
        /// The name.
        name: StringHandle = [28];
        /// The properties.
        flags: IoParadigmFlags = [40];
        /// The version.
        version: StringHandle = [44];
    }
}
