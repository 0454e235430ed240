//! The binary layout of the interface, asserted when this crate is compiled.
//!
//! Sizes, offsets and numbers are equal in Score-P 6.0, 7.x, 8.x and 9.0 on every LP64 machine.
//! Bindings that differ from them do not compile.

use core::mem::{align_of, offset_of, size_of};

use crate::bindings::*;

/// The names and offsets of a structure's members, for the comparison with the specification.
#[cfg(test)]
pub(crate) trait Members {
    const MEMBERS: &[(&str, usize)];
}

/// Asserts that each member of `$structure` is at its offset, and asserts the size and alignment.
macro_rules! layout {
    ($structure:ident, $size:literal, $align:literal: $($offset:literal $member:ident)*) => {
        const _: () = {
            assert!(size_of::<$structure>() == $size);
            assert!(align_of::<$structure>() == $align);
            $(assert!(offset_of!($structure, $member) == $offset, stringify!($member));)*
        };

        #[cfg(test)]
        impl Members for $structure {
            const MEMBERS: &[(&str, usize)] = &[$((stringify!($member), offset_of!($structure, $member))),*];
        }
    };
}

layout! { SCOREP_SubstratePluginInfo, 936, 8:
    0 plugin_version
    8 init
    16 assign_id
    24 init_mpp
    32 finalize
    40 create_location
    48 activate_cpu_location
    56 deactivate_cpu_location
    64 delete_location
    72 pre_unify
    80 write_data
    88 core_task_create
    96 core_task_complete
    104 new_definition_handle
    112 get_event_functions
    120 set_callbacks
    128 get_requirement
    136 dump_manifest
    144 undeclared
}

layout! { SCOREP_SubstratePluginCallbacks, 424, 8:
    0 SCOREP_GetExperimentDirName
    8 SCOREP_Ipc_GetSize
    16 SCOREP_Ipc_GetRank
    24 SCOREP_Ipc_Send
    32 SCOREP_Ipc_Recv
    40 SCOREP_Ipc_Barrier
    48 SCOREP_Ipc_Bcast
    56 SCOREP_Ipc_Gather
    64 SCOREP_Ipc_Gatherv
    72 SCOREP_Ipc_Allgather
    80 SCOREP_Ipc_Reduce
    88 SCOREP_Ipc_Allreduce
    96 SCOREP_Ipc_Scatter
    104 SCOREP_Ipc_Scatterv
    112 SCOREP_Location_GetType
    120 SCOREP_Location_GetName
    128 SCOREP_Location_GetId
    136 SCOREP_Location_GetGlobalId
    144 SCOREP_Location_SetData
    152 SCOREP_Location_GetData
    160 SCOREP_CallingContextHandle_GetRegion
    168 SCOREP_CallingContextHandle_GetParent
    176 SCOREP_MetricHandle_GetValueType
    184 SCOREP_MetricHandle_GetName
    192 SCOREP_MetricHandle_GetProfilingType
    200 SCOREP_MetricHandle_GetMode
    208 SCOREP_MetricHandle_GetSourceType
    216 SCOREP_ParadigmHandle_GetClass
    224 SCOREP_ParadigmHandle_GetName
    232 SCOREP_ParadigmHandle_GetType
    240 SCOREP_ParameterHandle_GetName
    248 SCOREP_ParameterHandle_GetType
    256 SCOREP_RegionHandle_GetId
    264 SCOREP_RegionHandle_GetName
    272 SCOREP_RegionHandle_GetCanonicalName
    280 SCOREP_RegionHandle_GetFileName
    288 SCOREP_RegionHandle_GetBeginLine
    296 SCOREP_RegionHandle_GetEndLine
    304 SCOREP_RegionHandle_GetType
    312 SCOREP_RegionHandle_GetParadigmType
    320 SCOREP_SamplingSetHandle_GetNumberOfMetrics
    328 SCOREP_SamplingSetHandle_GetMetricHandles
    336 SCOREP_SamplingSetHandle_GetMetricOccurrence
    344 SCOREP_SamplingSetHandle_IsScoped
    352 SCOREP_SamplingSetHandle_GetScope
    360 SCOREP_SamplingSetHandle_GetSamplingSetClass
    368 SCOREP_SourceFileHandle_GetName
    376 SCOREP_StringHandle_Get
    384 SCOREP_Metric_WriteStrictlySynchronousMetrics
    392 SCOREP_Metric_WriteSynchronousMetrics
    400 SCOREP_Metric_WriteAsynchronousMetrics
    408 SCOREP_ConfigManifestSectionHeader
    416 SCOREP_ConfigManifestSectionEntry
}

layout! { SCOREP_MetricTimeValuePair, 16, 8: 0 timestamp 8 value }

/// Asserts that the types are four bytes wide.
macro_rules! four_bytes {
    ($($name:ident)*) => { $(const _: () = assert!(size_of::<$name>() == 4, stringify!($name));)* };
}

four_bytes! {
    SCOREP_Allocator_MovableMemory SCOREP_AnyHandle SCOREP_LineNo SCOREP_MpiRank
    SCOREP_CallingContextHandle SCOREP_CartesianCoordsHandle SCOREP_CartesianTopologyHandle
    SCOREP_GroupHandle SCOREP_InterimCommunicatorHandle SCOREP_InterruptGeneratorHandle SCOREP_IoFileHandle
    SCOREP_IoFilePropertyHandle SCOREP_IoHandleHandle SCOREP_LocationGroupHandle SCOREP_LocationHandle
    SCOREP_LocationPropertyHandle SCOREP_MetricHandle SCOREP_ParadigmHandle SCOREP_ParameterHandle
    SCOREP_RegionHandle SCOREP_RmaWindowHandle SCOREP_SamplingSetHandle SCOREP_SamplingSetRecorderHandle
    SCOREP_SourceCodeLocationHandle SCOREP_SourceFileHandle SCOREP_StringHandle SCOREP_SystemTreeNodeHandle
    SCOREP_SystemTreeNodePropertyHandle
    SCOREP_CollectiveType SCOREP_LocationType SCOREP_LockType SCOREP_ParadigmClass SCOREP_ParadigmType
    SCOREP_ParameterType SCOREP_RegionType SCOREP_RmaSyncType SCOREP_RmaSyncLevel SCOREP_RmaAtomicType
    SCOREP_SamplingSetClass SCOREP_MetricScope SCOREP_MetricOccurrence SCOREP_IoParadigmType
    SCOREP_IoAccessMode SCOREP_IoCreationFlag SCOREP_IoStatusFlag SCOREP_IoSeekOption SCOREP_IoOperationMode
    SCOREP_IoOperationFlag SCOREP_Ipc_Datatype SCOREP_Ipc_Operation SCOREP_Substrates_RequirementFlag
    SCOREP_CommunicatorFlag SCOREP_RmaWindowFlag SCOREP_HandleType SCOREP_MetricSourceType
    SCOREP_MetricProfilingType SCOREP_MetricValueType SCOREP_MetricMode SCOREP_MetricBase SCOREP_MetricPer
    SCOREP_MetricSynchronicity SCOREP_MetricSynchronizationMode SCOREP_Substrates_Mode
    SCOREP_Substrates_EventType
}

const _: () = assert!(size_of::<SCOREP_TaskHandle>() == size_of::<usize>());
const _: () = assert!(size_of::<SCOREP_Substrates_Callback>() == 8);
const _: () = assert!(size_of::<SCOREP_ExitStatus>() == 8 && size_of::<SCOREP_MpiRequestId>() == 8);
const _: () = assert!(SCOREP_SUBSTRATES_NUM_EVENTS == 83);
const _: () = assert!(SCOREP_SUBSTRATE_PLUGIN_UNDEFINED_MANAGEMENT_FUNCTIONS == 99);
