//! What each kind of definition says: the layouts of ABI §14.3 to §14.5 as tables.
//!
//! A field stands with its offset; `[a, b]` gives that of Score-P up to 7.x and that from 8.0 on, `none` where a release
//! lacks it, and then the field is `None`. While the generation is unknown, fields whose place depends on it cannot be read.
//! The number behind a structure is the size of the definition. A reader gives `None` if any field cannot be what it should.

use super::Arena;
use super::fields::{AnyCommunicator, Field, Place};
use super::kinds::*;
use crate::handles::*;
use crate::kinds::*;

/// Turns `vis reader(Handle) -> vis Facts[size] { field: Type = [offset]; … }` into the structure and its reader.
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
            $($(#[$field_doc:meta])* $field:ident: $type:ty = [$($place:tt)*];)*
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $facts_vis struct $facts {
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl Arena {
            #[doc = concat!("What is known of a definition now; see [`", stringify!($facts), "`].")]
            $vis fn $reader(&self, handle: $handle) -> Option<$facts> {
                let generation = self.generation();
                let size = place!($($size)*).least(generation)?;
                let record = self.memory.record(handle.raw(), size)?;
                Some($facts { $($field: Field::read(&record, place!($($place)*).of(generation))?,)* })
            }
        }
    )*};
}

macro_rules! place {
    ($same:literal) => {
        Place { up_to_7: Some($same), from_8: Some($same) }
    };
    (none, $from_8:literal) => {
        Place { up_to_7: None, from_8: Some($from_8) }
    };
    ($up_to_7:literal, none) => {
        Place { up_to_7: Some($up_to_7), from_8: None }
    };
    ($up_to_7:literal, $from_8:literal) => {
        Place { up_to_7: Some($up_to_7), from_8: Some($from_8) }
    };
}

facts! {
    /// A region. Source file and lines of sampled functions are known at `write_data`.
    pub region(RegionHandle) -> pub Region[56] {
        /// Name, possibly demangled.
        name: StringHandle = [20];
        /// Name as the linker knows it.
        canonical_name: StringHandle = [24];
        /// Description.
        description: StringHandle = [28];
        /// What it is.
        region_type: RegionType = [32];
        /// Source file, by name.
        file_name: StringHandle = [36];
        /// First line; 0 for unknown.
        begin_line: u32 = [40];
        /// Last line; 0 for unknown.
        end_line: u32 = [44];
        /// Who reports it.
        paradigm: ParadigmType = [48];
        /// Name of the group of regions it is in.
        group_name: StringHandle = [52];
    }

    /// A source file.
    pub source_file(SourceFileHandle) -> pub SourceFile[24] {
        /// Name.
        name: StringHandle = [20];
    }

    /// A metric.
    pub metric(MetricHandle) -> pub Metric[72] {
        /// Name.
        name: StringHandle = [20];
        /// Description.
        description: StringHandle = [24];
        /// Where it comes from.
        source_type: MetricSourceType = [28];
        /// What a value says about the time around it.
        mode: MetricMode = [32];
        /// How to read a value.
        value_type: MetricValueType = [36];
        /// Base of the scale: a value counts `base ^ exponent` units.
        base: MetricBase = [40];
        /// Exponent of the scale.
        exponent: i64 = [48];
        /// Unit.
        unit: StringHandle = [56];
        /// How a profile treats it.
        profiling_type: MetricProfilingType = [60];
        /// Metric it is a part of.
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
        /// What is recorded.
        sampling_set: SamplingSetHandle = [20];
        /// Who records it.
        location: LocationHandle = [24];
        /// Next recorder of the same set.
        next: SamplingSetRecorderHandle = [28];
    }

    /// A parameter.
    pub parameter(ParameterHandle) -> pub Parameter[28] {
        /// Name.
        name: StringHandle = [20];
        /// Type of its values.
        parameter_type: ParameterType = [24];
    }

    /// A communicator or thread team of this process before unification; its payload depends on the paradigm. Name and
    /// window counter are final at `pre_unify`. The name is set only in the process with local rank 0.
    pub interim_communicator(InterimCommunicatorHandle) -> pub InterimCommunicator[36] {
        /// Name.
        name: StringHandle = [20];
        /// What it was made of. That of an inter-communicator is set only in the two processes that led its sides.
        parent: InterimCommunicatorHandle = [24];
        /// Whose it is.
        paradigm: ParadigmType = [28];
        /// Windows made on it so far.
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

    /// Payload of a thread team of OpenMP.
    pub(super) raw_openmp_payload(InterimCommunicatorHandle) -> pub OpenmpPayload[52] {
        /// Number of threads in the team.
        size: u32 = [40];
        /// Number of the thread in the team.
        thread_number: u32 = [44];
        /// Counts teams of one thread.
        singleton_counter: u32 = [48];
    }

    /// Payload of an active set of SHMEM.
    pub(super) raw_shmem_payload(InterimCommunicatorHandle) -> pub ShmemPayload[56] {
        /// First processing element of the active set.
        pe_start: u32 = [40];
        /// Binary logarithm of the distance between elements.
        log2_stride: u32 = [44];
        /// Number of elements.
        size: u32 = [48];
        /// Window over the set.
        window: RmaWindowHandle = [52];
    }

    /// A final communicator. Not announced: reached at `write_data` from an interim one by
    /// [`unified`](Arena::unified), or from what uses it.
    pub communicator(CommunicatorHandle) -> pub Communicator[36, 44] {
        /// Members; of an inter-communicator those of side A.
        group_a: GroupHandle = [20];
        /// Members of side B; for an intra-communicator the same group.
        group_b: GroupHandle = [20, 24];
        /// Name.
        name: StringHandle = [24, 28];
        /// What it was made of.
        parent: CommunicatorHandle = [28, 32];
        /// Tells communicators with the same members apart; for MPI the root id.
        unify_key: u32 = [32, 36];
        /// Flags.
        flags: Option<CommunicatorFlags> = [none, 40];
    }

    /// A group. Its members: [`group_members`](Arena::group_members).
    pub group(GroupHandle) -> pub Group[40] {
        /// What the members are.
        group_type: GroupType = [20];
        /// Name.
        name: StringHandle = [24];
        /// Number of members.
        member_count: u64 = [32];
    }

    /// An RMA window. Name and whether it is the default are final at `pre_unify`.
    pub rma_window(RmaWindowHandle) -> pub RmaWindow[33, 40] {
        /// Name.
        name: StringHandle = [20];
        /// Processes that use it.
        communicator: AnyCommunicator = [24];
        /// Number of the window on its communicator.
        creation_id: u32 = [28];
        /// Whether the name was not set by the program.
        has_default_name: bool = [32];
        /// Flags.
        flags: Option<RmaWindowFlags> = [none, 36];
    }

    /// A file. The properties are final at `pre_unify`: [`io_file_properties`](Arena::io_file_properties).
    pub io_file(IoFileHandle) -> pub IoFile[40] {
        /// Name.
        name: StringHandle = [20];
        /// Part of the system tree that the name is valid in.
        scope: SystemTreeNodeHandle = [24];
        /// First of the linked properties.
        first_property: IoFilePropertyHandle = [28];
    }

    /// A property of a file.
    pub io_file_property(IoFilePropertyHandle) -> pub IoFileProperty[36] {
        /// Whose it is.
        file: IoFileHandle = [20];
        /// Name.
        name: StringHandle = [24];
        /// Value.
        value: StringHandle = [28];
        /// Next property of the same file.
        next: IoFilePropertyHandle = [32];
    }

    /// A handle through which a program uses a file. Announced when it is complete.
    pub io_handle(IoHandleHandle) -> pub IoHandle[60] {
        /// Name.
        name: StringHandle = [20];
        /// File.
        file: IoFileHandle = [24];
        /// I/O paradigm, by type.
        io_paradigm: IoParadigmType = [28];
        /// Properties.
        flags: IoHandleFlags = [32];
        /// Processes that use it together.
        communicator: AnyCommunicator = [36];
        /// Handle it was made of; may be announced later.
        parent: IoHandleHandle = [40];
        /// Tells equal handles apart; 0 for one that is like no other.
        unify_key: u32 = [44];
        /// Of a handle that existed before the program: how it was opened.
        access_mode: IoAccessMode = [48];
        /// Of a handle that existed before the program: its status.
        status_flags: IoStatusFlags = [52];
        /// Whether it is complete.
        is_completed: bool = [56];
    }

    /// A node of the system tree. Final at `pre_unify`: whether it has children, and its properties:
    /// [`system_tree_node_properties`](Arena::system_tree_node_properties).
    pub system_tree_node(SystemTreeNodeHandle) -> pub SystemTreeNode[40, 49] {
        /// Node above.
        parent: SystemTreeNodeHandle = [20];
        /// What it is.
        domains: SystemTreeDomains = [24];
        /// Name.
        name: StringHandle = [28];
        /// Class.
        class: StringHandle = [32];
        /// First of the linked properties.
        first_property: SystemTreeNodePropertyHandle = [36];
        /// Whether a node or location group is below it.
        has_children: Option<bool> = [none, 48];
    }

    /// A property of a node of the system tree.
    pub system_tree_node_property(SystemTreeNodePropertyHandle) -> pub SystemTreeNodeProperty[36] {
        /// Whose it is.
        node: SystemTreeNodeHandle = [20];
        /// Name.
        name: StringHandle = [24];
        /// Value.
        value: StringHandle = [28];
        /// Next property of the same node.
        next: SystemTreeNodePropertyHandle = [32];
    }

    /// A group of locations. Name, id and whether it has children are final at `pre_unify`.
    pub location_group(LocationGroupHandle) -> pub LocationGroup[36, 40] {
        /// Name.
        name: StringHandle = [28, 20];
        /// Node it runs on.
        system_tree_parent: SystemTreeNodeHandle = [24];
        /// What it is.
        group_type: LocationGroupType = [32, 28];
        /// Id in the job: the rank.
        global_id: Option<u32> = [20, none];
        /// Group that made it.
        creating_location_group: Option<LocationGroupHandle> = [none, 32];
        /// Whether another group was made by it.
        has_children: Option<bool> = [none, 36];
    }

    /// A location. Its id in the job, and up to Score-P 7.x that of its group, are final at `pre_unify`.
    pub location(LocationHandle) -> pub Location[56] {
        /// Id in the job: local number and rank; all ones before.
        global_id: u64 = [24];
        /// Name.
        name: StringHandle = [32];
        /// What it is.
        location_type: LocationType = [36];
        /// Who made it.
        paradigm: Option<ParadigmType> = [none, 40];
        /// Its group.
        location_group: Option<LocationGroupHandle> = [none, 44];
        /// Id of its group in the job.
        location_group_id: Option<u32> = [48, none];
        /// Events that the host's own tracing wrote.
        event_count: u64 = [40, 48];
    }

    /// A property of a location.
    pub location_property(LocationPropertyHandle) -> pub LocationProperty[32] {
        /// Name.
        name: StringHandle = [20];
        /// Value.
        value: StringHandle = [24];
        /// Whose it is.
        location: LocationHandle = [28];
    }

    /// A line of a source file.
    pub source_code_location(SourceCodeLocationHandle) -> pub SourceCodeLocation[28] {
        /// File, by name.
        file: StringHandle = [20];
        /// Line.
        line: u32 = [24];
    }

    /// A region seen through the calls that led to it. Instruction offset, file and source code location are known at
    /// `write_data`.
    pub calling_context(CallingContextHandle) -> pub CallingContext[56] {
        /// Address of the instruction.
        ip: u64 = [24];
        /// The same in its file; without a file the address.
        ip_offset: u64 = [32];
        /// Executable or shared object, by name.
        file: StringHandle = [40];
        /// Region.
        region: RegionHandle = [44];
        /// Line of the source.
        source_code_location: SourceCodeLocationHandle = [48];
        /// Caller.
        parent: CallingContextHandle = [52];
    }

    /// What causes samples.
    pub interrupt_generator(InterruptGeneratorHandle) -> pub InterruptGenerator[48] {
        /// Name.
        name: StringHandle = [20];
        /// What the period counts.
        mode: InterruptGeneratorMode = [24];
        /// Base of the scale: the period is `period * base ^ exponent`.
        base: MetricBase = [28];
        /// Exponent of the scale.
        exponent: i64 = [32];
        /// Period.
        period: u64 = [40];
    }

    /// A Cartesian topology. Its dimensions: [`dimensions`](Arena::dimensions).
    pub cartesian_topology(CartesianTopologyHandle) -> pub CartesianTopology[36] {
        /// Name.
        name: StringHandle = [20];
        /// Whose places it gives.
        communicator: AnyCommunicator = [24];
        /// Who made it.
        topology_type: TopologyType = [28];
        /// Number of dimensions.
        dimension_count: u32 = [32];
    }

    /// A place in a Cartesian topology. The numbers: [`coordinates`](Arena::coordinates).
    pub cartesian_coords(CartesianCoordsHandle) -> pub CartesianCoords[36] {
        /// Topology.
        topology: CartesianTopologyHandle = [20];
        /// Number of coordinates.
        count: u32 = [24];
        /// For a topology of MPI the rank in its communicator, else that of the process.
        rank: u32 = [28];
        /// Number of the location in the process.
        thread: u32 = [32];
    }

    /// A paradigm (ABI §14.5). The templates are final at `pre_unify`.
    pub paradigm(ParadigmHandle) -> pub Paradigm[44] {
        /// Which one.
        paradigm_type: ParadigmType = [8];
        /// How it makes processes and threads.
        class: ParadigmClass = [12];
        /// Name.
        name: StringHandle = [16];
        /// Properties.
        flags: ParadigmFlags = [32];
        /// Template of the names of nameless communicators.
        communicator_template: StringHandle = [36];
        /// Template of the names of nameless windows.
        window_template: StringHandle = [40];
    }

    /// An I/O paradigm (ABI §14.5).
    pub io_paradigm(IoParadigmHandle) -> pub IoParadigm[48] {
        /// Number, in the order of registration.
        number: u32 = [0];
        /// Which one.
        paradigm_type: IoParadigmType = [16];
        /// Whether several processes use it together.
        class: IoParadigmClass = [20];
        /// Short name.
        identification: StringHandle = [24];
        /// Name.
        name: StringHandle = [28];
        /// Properties.
        flags: IoParadigmFlags = [40];
        /// Version.
        version: StringHandle = [44];
    }
}
