/// Stream of the C library.
pub type FILE = ::core::ffi::c_void;

pub const SCOREP_MOVABLE_NULL: SCOREP_Allocator_MovableMemory = 0;
pub const SCOREP_INVALID_SOURCE_FILE: SCOREP_SourceFileHandle = 0;
pub const SCOREP_INVALID_METRIC: SCOREP_MetricHandle = 0;
pub const SCOREP_INVALID_SAMPLING_SET: SCOREP_SamplingSetHandle = 0;
pub const SCOREP_INVALID_REGION: SCOREP_RegionHandle = 0;
pub const SCOREP_INVALID_PARADIGM: SCOREP_ParadigmHandle = 0;
pub const SCOREP_INVALID_LINE_NO: SCOREP_LineNo = 0;
pub const SCOREP_INVALID_ROOT_RANK: SCOREP_MpiRank = -1;
pub const SCOREP_MPI_ROOT: SCOREP_MpiRank = -2;
pub const SCOREP_MPI_PROC_NULL: SCOREP_MpiRank = -3;
pub const SCOREP_ALL_TARGET_RANKS: SCOREP_MpiRank = -1;
pub const SCOREP_INVALID_EXIT_STATUS: SCOREP_ExitStatus = -9223372036854775808;
pub const SCOREP_INVALID_PID: u64 = 0;
pub const SCOREP_INVALID_TID: u64 = 0;
pub const SCOREP_IO_UNKNOWN_OFFSET: u64 = 18446744073709551615;
pub const SCOREP_SUBSTRATE_PLUGIN_VERSION: u32 = 3;
pub const SCOREP_SUBSTRATE_PLUGIN_UNDEFINED_MANAGEMENT_FUNCTIONS: u32 = 99;
#[repr(C)]
#[derive(Debug)]
pub struct SCOREP_Location {
    _unused: [u8; 0],
}
#[repr(C)]
#[derive(Debug)]
pub struct SCOREP_Task {
    _unused: [u8; 0],
}
pub type SCOREP_TaskHandle = *mut SCOREP_Task;
pub type SCOREP_Allocator_MovableMemory = u32;
pub type SCOREP_AnyHandle = SCOREP_Allocator_MovableMemory;
pub type SCOREP_CallingContextHandle = SCOREP_AnyHandle;
pub type SCOREP_CartesianCoordsHandle = SCOREP_AnyHandle;
pub type SCOREP_CartesianTopologyHandle = SCOREP_AnyHandle;
pub type SCOREP_GroupHandle = SCOREP_AnyHandle;
pub type SCOREP_InterimCommunicatorHandle = SCOREP_AnyHandle;
pub type SCOREP_InterruptGeneratorHandle = SCOREP_AnyHandle;
pub type SCOREP_IoFileHandle = SCOREP_AnyHandle;
pub type SCOREP_IoFilePropertyHandle = SCOREP_AnyHandle;
pub type SCOREP_IoHandleHandle = SCOREP_AnyHandle;
pub type SCOREP_LocationGroupHandle = SCOREP_AnyHandle;
pub type SCOREP_LocationHandle = SCOREP_AnyHandle;
pub type SCOREP_LocationPropertyHandle = SCOREP_AnyHandle;
pub type SCOREP_MetricHandle = SCOREP_AnyHandle;
pub type SCOREP_ParadigmHandle = SCOREP_AnyHandle;
pub type SCOREP_ParameterHandle = SCOREP_AnyHandle;
pub type SCOREP_RegionHandle = SCOREP_AnyHandle;
pub type SCOREP_RmaWindowHandle = SCOREP_AnyHandle;
pub type SCOREP_SamplingSetHandle = SCOREP_AnyHandle;
pub type SCOREP_SamplingSetRecorderHandle = SCOREP_AnyHandle;
pub type SCOREP_SourceCodeLocationHandle = SCOREP_AnyHandle;
pub type SCOREP_SourceFileHandle = SCOREP_AnyHandle;
pub type SCOREP_StringHandle = SCOREP_AnyHandle;
pub type SCOREP_SystemTreeNodeHandle = SCOREP_AnyHandle;
pub type SCOREP_SystemTreeNodePropertyHandle = SCOREP_AnyHandle;
pub type SCOREP_ExitStatus = i64;
pub type SCOREP_LineNo = u32;
pub type SCOREP_MpiRank = ::core::ffi::c_int;
pub type SCOREP_MpiRequestId = u64;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct SCOREP_MetricTimeValuePair {
    pub timestamp: u64,
    pub value: u64,
}
pub const SCOREP_LOCATION_TYPE_CPU_THREAD: SCOREP_LocationType = 0;
pub const SCOREP_LOCATION_TYPE_GPU: SCOREP_LocationType = 1;
pub const SCOREP_LOCATION_TYPE_METRIC: SCOREP_LocationType = 2;
pub const SCOREP_NUMBER_OF_LOCATION_TYPES: SCOREP_LocationType = 3;
pub const SCOREP_INVALID_LOCATION_TYPE: SCOREP_LocationType = 4;
pub type SCOREP_LocationType = ::core::ffi::c_uint;
pub const SCOREP_PARADIGM_CLASS_MPP: SCOREP_ParadigmClass = 0;
pub const SCOREP_PARADIGM_CLASS_THREAD_FORK_JOIN: SCOREP_ParadigmClass = 1;
pub const SCOREP_PARADIGM_CLASS_THREAD_CREATE_WAIT: SCOREP_ParadigmClass = 2;
pub const SCOREP_PARADIGM_CLASS_ACCELERATOR: SCOREP_ParadigmClass = 3;
pub const SCOREP_INVALID_PARADIGM_CLASS: SCOREP_ParadigmClass = 4;
pub type SCOREP_ParadigmClass = ::core::ffi::c_uint;
pub const SCOREP_PARADIGM_MEASUREMENT: SCOREP_ParadigmType = 0;
pub const SCOREP_PARADIGM_USER: SCOREP_ParadigmType = 1;
pub const SCOREP_PARADIGM_COMPILER: SCOREP_ParadigmType = 2;
pub const SCOREP_PARADIGM_SAMPLING: SCOREP_ParadigmType = 3;
pub const SCOREP_PARADIGM_MEMORY: SCOREP_ParadigmType = 4;
pub const SCOREP_PARADIGM_LIBWRAP: SCOREP_ParadigmType = 5;
pub const SCOREP_PARADIGM_MPI: SCOREP_ParadigmType = 6;
pub const SCOREP_PARADIGM_SHMEM: SCOREP_ParadigmType = 7;
pub const SCOREP_PARADIGM_OPENMP: SCOREP_ParadigmType = 8;
pub const SCOREP_PARADIGM_PTHREAD: SCOREP_ParadigmType = 9;
pub const SCOREP_PARADIGM_ORPHAN_THREAD: SCOREP_ParadigmType = 10;
pub const SCOREP_PARADIGM_CUDA: SCOREP_ParadigmType = 11;
pub const SCOREP_PARADIGM_OPENCL: SCOREP_ParadigmType = 12;
pub const SCOREP_PARADIGM_OPENACC: SCOREP_ParadigmType = 13;
pub const SCOREP_PARADIGM_IO: SCOREP_ParadigmType = 14;
pub const SCOREP_PARADIGM_KOKKOS: SCOREP_ParadigmType = 15;
pub const SCOREP_PARADIGM_HIP: SCOREP_ParadigmType = 16;
pub const SCOREP_PARADIGM_OPENMP_TARGET: SCOREP_ParadigmType = 17;
pub const SCOREP_INVALID_PARADIGM_TYPE: SCOREP_ParadigmType = 18;
pub type SCOREP_ParadigmType = ::core::ffi::c_uint;
pub const SCOREP_REGION_UNKNOWN: SCOREP_RegionType = 0;
pub const SCOREP_REGION_FUNCTION: SCOREP_RegionType = 1;
pub const SCOREP_REGION_LOOP: SCOREP_RegionType = 2;
pub const SCOREP_REGION_USER: SCOREP_RegionType = 3;
pub const SCOREP_REGION_CODE: SCOREP_RegionType = 4;
pub const SCOREP_REGION_PHASE: SCOREP_RegionType = 5;
pub const SCOREP_REGION_DYNAMIC: SCOREP_RegionType = 6;
pub const SCOREP_REGION_DYNAMIC_PHASE: SCOREP_RegionType = 7;
pub const SCOREP_REGION_DYNAMIC_LOOP: SCOREP_RegionType = 8;
pub const SCOREP_REGION_DYNAMIC_FUNCTION: SCOREP_RegionType = 9;
pub const SCOREP_REGION_DYNAMIC_LOOP_PHASE: SCOREP_RegionType = 10;
pub const SCOREP_REGION_COLL_ONE2ALL: SCOREP_RegionType = 11;
pub const SCOREP_REGION_COLL_ALL2ONE: SCOREP_RegionType = 12;
pub const SCOREP_REGION_COLL_ALL2ALL: SCOREP_RegionType = 13;
pub const SCOREP_REGION_COLL_OTHER: SCOREP_RegionType = 14;
pub const SCOREP_REGION_POINT2POINT: SCOREP_RegionType = 15;
pub const SCOREP_REGION_PARALLEL: SCOREP_RegionType = 16;
pub const SCOREP_REGION_SECTIONS: SCOREP_RegionType = 17;
pub const SCOREP_REGION_SECTION: SCOREP_RegionType = 18;
pub const SCOREP_REGION_WORKSHARE: SCOREP_RegionType = 19;
pub const SCOREP_REGION_SINGLE: SCOREP_RegionType = 20;
pub const SCOREP_REGION_MASTER: SCOREP_RegionType = 21;
pub const SCOREP_REGION_CRITICAL: SCOREP_RegionType = 22;
pub const SCOREP_REGION_ATOMIC: SCOREP_RegionType = 23;
pub const SCOREP_REGION_BARRIER: SCOREP_RegionType = 24;
pub const SCOREP_REGION_IMPLICIT_BARRIER: SCOREP_RegionType = 25;
pub const SCOREP_REGION_FLUSH: SCOREP_RegionType = 26;
pub const SCOREP_REGION_CRITICAL_SBLOCK: SCOREP_RegionType = 27;
pub const SCOREP_REGION_SINGLE_SBLOCK: SCOREP_RegionType = 28;
pub const SCOREP_REGION_WRAPPER: SCOREP_RegionType = 29;
pub const SCOREP_REGION_TASK: SCOREP_RegionType = 30;
pub const SCOREP_REGION_TASK_UNTIED: SCOREP_RegionType = 31;
pub const SCOREP_REGION_TASK_WAIT: SCOREP_RegionType = 32;
pub const SCOREP_REGION_TASK_CREATE: SCOREP_RegionType = 33;
pub const SCOREP_REGION_ORDERED: SCOREP_RegionType = 34;
pub const SCOREP_REGION_ORDERED_SBLOCK: SCOREP_RegionType = 35;
pub const SCOREP_REGION_ARTIFICIAL: SCOREP_RegionType = 36;
pub const SCOREP_REGION_RMA: SCOREP_RegionType = 37;
pub const SCOREP_REGION_THREAD_CREATE: SCOREP_RegionType = 38;
pub const SCOREP_REGION_THREAD_WAIT: SCOREP_RegionType = 39;
pub const SCOREP_REGION_ALLOCATE: SCOREP_RegionType = 40;
pub const SCOREP_REGION_DEALLOCATE: SCOREP_RegionType = 41;
pub const SCOREP_REGION_REALLOCATE: SCOREP_RegionType = 42;
pub const SCOREP_REGION_FILE_IO: SCOREP_RegionType = 43;
pub const SCOREP_REGION_FILE_IO_METADATA: SCOREP_RegionType = 44;
pub const SCOREP_REGION_KERNEL_LAUNCH: SCOREP_RegionType = 45;
pub const SCOREP_REGION_KERNEL: SCOREP_RegionType = 46;
pub const SCOREP_REGION_DATA_TRANSFER: SCOREP_RegionType = 47;
pub const SCOREP_INVALID_REGION_TYPE: SCOREP_RegionType = 48;
pub type SCOREP_RegionType = ::core::ffi::c_uint;
pub const SCOREP_PARAMETER_INT64: SCOREP_ParameterType = 0;
pub const SCOREP_PARAMETER_UINT64: SCOREP_ParameterType = 1;
pub const SCOREP_PARAMETER_STRING: SCOREP_ParameterType = 2;
pub const SCOREP_INVALID_PARAMETER_TYPE: SCOREP_ParameterType = 3;
pub type SCOREP_ParameterType = ::core::ffi::c_uint;
pub const SCOREP_COLLECTIVE_BARRIER: SCOREP_CollectiveType = 0;
pub const SCOREP_COLLECTIVE_BROADCAST: SCOREP_CollectiveType = 1;
pub const SCOREP_COLLECTIVE_GATHER: SCOREP_CollectiveType = 2;
pub const SCOREP_COLLECTIVE_GATHERV: SCOREP_CollectiveType = 3;
pub const SCOREP_COLLECTIVE_SCATTER: SCOREP_CollectiveType = 4;
pub const SCOREP_COLLECTIVE_SCATTERV: SCOREP_CollectiveType = 5;
pub const SCOREP_COLLECTIVE_ALLGATHER: SCOREP_CollectiveType = 6;
pub const SCOREP_COLLECTIVE_ALLGATHERV: SCOREP_CollectiveType = 7;
pub const SCOREP_COLLECTIVE_ALLTOALL: SCOREP_CollectiveType = 8;
pub const SCOREP_COLLECTIVE_ALLTOALLV: SCOREP_CollectiveType = 9;
pub const SCOREP_COLLECTIVE_ALLTOALLW: SCOREP_CollectiveType = 10;
pub const SCOREP_COLLECTIVE_ALLREDUCE: SCOREP_CollectiveType = 11;
pub const SCOREP_COLLECTIVE_REDUCE: SCOREP_CollectiveType = 12;
pub const SCOREP_COLLECTIVE_REDUCE_SCATTER: SCOREP_CollectiveType = 13;
pub const SCOREP_COLLECTIVE_REDUCE_SCATTER_BLOCK: SCOREP_CollectiveType = 14;
pub const SCOREP_COLLECTIVE_SCAN: SCOREP_CollectiveType = 15;
pub const SCOREP_COLLECTIVE_EXSCAN: SCOREP_CollectiveType = 16;
pub const SCOREP_COLLECTIVE_CREATE_HANDLE: SCOREP_CollectiveType = 17;
pub const SCOREP_COLLECTIVE_DESTROY_HANDLE: SCOREP_CollectiveType = 18;
pub const SCOREP_COLLECTIVE_ALLOCATE: SCOREP_CollectiveType = 19;
pub const SCOREP_COLLECTIVE_DEALLOCATE: SCOREP_CollectiveType = 20;
pub const SCOREP_COLLECTIVE_CREATE_HANDLE_AND_ALLOCATE: SCOREP_CollectiveType = 21;
pub const SCOREP_COLLECTIVE_DESTROY_HANDLE_AND_DEALLOCATE: SCOREP_CollectiveType = 22;
pub type SCOREP_CollectiveType = ::core::ffi::c_uint;
pub const SCOREP_LOCK_EXCLUSIVE: SCOREP_LockType = 0;
pub const SCOREP_LOCK_SHARED: SCOREP_LockType = 1;
pub const SCOREP_INVALID_LOCK_TYPE: SCOREP_LockType = 2;
pub type SCOREP_LockType = ::core::ffi::c_uint;
pub const SCOREP_RMA_SYNC_TYPE_MEMORY: SCOREP_RmaSyncType = 0;
pub const SCOREP_RMA_SYNC_TYPE_NOTIFY_IN: SCOREP_RmaSyncType = 1;
pub const SCOREP_RMA_SYNC_TYPE_NOTIFY_OUT: SCOREP_RmaSyncType = 2;
pub const SCOREP_INVALID_RMA_SYNC_TYPE: SCOREP_RmaSyncType = 3;
pub type SCOREP_RmaSyncType = ::core::ffi::c_uint;
pub const SCOREP_RMA_SYNC_LEVEL_NONE: SCOREP_RmaSyncLevel = 0;
pub const SCOREP_RMA_SYNC_LEVEL_PROCESS: SCOREP_RmaSyncLevel = 1;
pub const SCOREP_RMA_SYNC_LEVEL_MEMORY: SCOREP_RmaSyncLevel = 2;
pub type SCOREP_RmaSyncLevel = ::core::ffi::c_uint;
pub const SCOREP_RMA_ATOMIC_TYPE_ACCUMULATE: SCOREP_RmaAtomicType = 0;
pub const SCOREP_RMA_ATOMIC_TYPE_INCREMENT: SCOREP_RmaAtomicType = 1;
pub const SCOREP_RMA_ATOMIC_TYPE_TEST_AND_SET: SCOREP_RmaAtomicType = 2;
pub const SCOREP_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP: SCOREP_RmaAtomicType = 3;
pub const SCOREP_RMA_ATOMIC_TYPE_SWAP: SCOREP_RmaAtomicType = 4;
pub const SCOREP_RMA_ATOMIC_TYPE_FETCH_AND_ADD: SCOREP_RmaAtomicType = 5;
pub const SCOREP_RMA_ATOMIC_TYPE_FETCH_AND_INCREMENT: SCOREP_RmaAtomicType = 6;
pub const SCOREP_RMA_ATOMIC_TYPE_ADD: SCOREP_RmaAtomicType = 7;
pub const SCOREP_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE: SCOREP_RmaAtomicType = 8;
pub const SCOREP_INVALID_RMA_ATOMIC_TYPE: SCOREP_RmaAtomicType = 9;
pub type SCOREP_RmaAtomicType = ::core::ffi::c_uint;
pub const SCOREP_COMMUNICATOR_FLAG_NONE: SCOREP_CommunicatorFlag = 0;
pub const SCOREP_COMMUNICATOR_FLAG_CREATE_DESTROY_EVENTS: SCOREP_CommunicatorFlag = 1;
pub type SCOREP_CommunicatorFlag = ::core::ffi::c_uint;
pub const SCOREP_RMA_WINDOW_FLAG_NONE: SCOREP_RmaWindowFlag = 0;
pub const SCOREP_RMA_WINDOW_FLAG_CREATE_DESTROY_EVENTS: SCOREP_RmaWindowFlag = 1;
pub type SCOREP_RmaWindowFlag = ::core::ffi::c_uint;
pub const SCOREP_METRIC_SOURCE_TYPE_PAPI: SCOREP_MetricSourceType = 0;
pub const SCOREP_METRIC_SOURCE_TYPE_RUSAGE: SCOREP_MetricSourceType = 1;
pub const SCOREP_METRIC_SOURCE_TYPE_USER: SCOREP_MetricSourceType = 2;
pub const SCOREP_METRIC_SOURCE_TYPE_OTHER: SCOREP_MetricSourceType = 3;
pub const SCOREP_METRIC_SOURCE_TYPE_TASK: SCOREP_MetricSourceType = 4;
pub const SCOREP_METRIC_SOURCE_TYPE_PLUGIN: SCOREP_MetricSourceType = 5;
pub const SCOREP_METRIC_SOURCE_TYPE_PERF: SCOREP_MetricSourceType = 6;
pub const SCOREP_INVALID_METRIC_SOURCE_TYPE: SCOREP_MetricSourceType = 7;
pub type SCOREP_MetricSourceType = ::core::ffi::c_uint;
pub const SCOREP_METRIC_PROFILING_TYPE_EXCLUSIVE: SCOREP_MetricProfilingType = 0;
pub const SCOREP_METRIC_PROFILING_TYPE_INCLUSIVE: SCOREP_MetricProfilingType = 1;
pub const SCOREP_METRIC_PROFILING_TYPE_SIMPLE: SCOREP_MetricProfilingType = 2;
pub const SCOREP_METRIC_PROFILING_TYPE_MAX: SCOREP_MetricProfilingType = 3;
pub const SCOREP_METRIC_PROFILING_TYPE_MIN: SCOREP_MetricProfilingType = 4;
pub const SCOREP_INVALID_METRIC_PROFILING_TYPE: SCOREP_MetricProfilingType = 5;
pub type SCOREP_MetricProfilingType = ::core::ffi::c_uint;
pub const SCOREP_METRIC_VALUE_INT64: SCOREP_MetricValueType = 0;
pub const SCOREP_METRIC_VALUE_UINT64: SCOREP_MetricValueType = 1;
pub const SCOREP_METRIC_VALUE_DOUBLE: SCOREP_MetricValueType = 2;
pub const SCOREP_INVALID_METRIC_VALUE_TYPE: SCOREP_MetricValueType = 3;
pub type SCOREP_MetricValueType = ::core::ffi::c_uint;
pub const SCOREP_METRIC_MODE_ACCUMULATED_START: SCOREP_MetricMode = 0;
pub const SCOREP_METRIC_MODE_ACCUMULATED_POINT: SCOREP_MetricMode = 1;
pub const SCOREP_METRIC_MODE_ACCUMULATED_LAST: SCOREP_MetricMode = 2;
pub const SCOREP_METRIC_MODE_ACCUMULATED_NEXT: SCOREP_MetricMode = 3;
pub const SCOREP_METRIC_MODE_ABSOLUTE_POINT: SCOREP_MetricMode = 4;
pub const SCOREP_METRIC_MODE_ABSOLUTE_LAST: SCOREP_MetricMode = 5;
pub const SCOREP_METRIC_MODE_ABSOLUTE_NEXT: SCOREP_MetricMode = 6;
pub const SCOREP_METRIC_MODE_RELATIVE_POINT: SCOREP_MetricMode = 7;
pub const SCOREP_METRIC_MODE_RELATIVE_LAST: SCOREP_MetricMode = 8;
pub const SCOREP_METRIC_MODE_RELATIVE_NEXT: SCOREP_MetricMode = 9;
pub const SCOREP_INVALID_METRIC_MODE: SCOREP_MetricMode = 10;
pub type SCOREP_MetricMode = ::core::ffi::c_uint;
pub const SCOREP_METRIC_BASE_BINARY: SCOREP_MetricBase = 0;
pub const SCOREP_METRIC_BASE_DECIMAL: SCOREP_MetricBase = 1;
pub const SCOREP_INVALID_METRIC_BASE: SCOREP_MetricBase = 2;
pub type SCOREP_MetricBase = ::core::ffi::c_uint;
pub const SCOREP_METRIC_PER_THREAD: SCOREP_MetricPer = 0;
pub const SCOREP_METRIC_PER_PROCESS: SCOREP_MetricPer = 1;
pub const SCOREP_METRIC_PER_HOST: SCOREP_MetricPer = 2;
pub const SCOREP_METRIC_ONCE: SCOREP_MetricPer = 3;
pub const SCOREP_METRIC_PER_MAX: SCOREP_MetricPer = 4;
pub type SCOREP_MetricPer = ::core::ffi::c_uint;
pub const SCOREP_METRIC_STRICTLY_SYNC: SCOREP_MetricSynchronicity = 0;
pub const SCOREP_METRIC_SYNC: SCOREP_MetricSynchronicity = 1;
pub const SCOREP_METRIC_ASYNC_EVENT: SCOREP_MetricSynchronicity = 2;
pub const SCOREP_METRIC_ASYNC: SCOREP_MetricSynchronicity = 3;
pub const SCOREP_METRIC_SYNC_TYPE_MAX: SCOREP_MetricSynchronicity = 4;
pub type SCOREP_MetricSynchronicity = ::core::ffi::c_uint;
pub const SCOREP_METRIC_SYNCHRONIZATION_MODE_BEGIN: SCOREP_MetricSynchronizationMode = 0;
pub const SCOREP_METRIC_SYNCHRONIZATION_MODE_BEGIN_MPP: SCOREP_MetricSynchronizationMode = 1;
pub const SCOREP_METRIC_SYNCHRONIZATION_MODE_END: SCOREP_MetricSynchronizationMode = 2;
pub const SCOREP_METRIC_SYNCHRONIZATION_MODE_MAX: SCOREP_MetricSynchronizationMode = 3;
pub type SCOREP_MetricSynchronizationMode = ::core::ffi::c_uint;
pub const SCOREP_METRIC_SCOPE_LOCATION: SCOREP_MetricScope = 0;
pub const SCOREP_METRIC_SCOPE_LOCATION_GROUP: SCOREP_MetricScope = 1;
pub const SCOREP_METRIC_SCOPE_SYSTEM_TREE_NODE: SCOREP_MetricScope = 2;
pub const SCOREP_METRIC_SCOPE_GROUP: SCOREP_MetricScope = 3;
pub const SCOREP_INVALID_METRIC_SCOPE: SCOREP_MetricScope = 4;
pub type SCOREP_MetricScope = ::core::ffi::c_uint;
pub const SCOREP_METRIC_OCCURRENCE_SYNCHRONOUS_STRICT: SCOREP_MetricOccurrence = 0;
pub const SCOREP_METRIC_OCCURRENCE_SYNCHRONOUS: SCOREP_MetricOccurrence = 1;
pub const SCOREP_METRIC_OCCURRENCE_ASYNCHRONOUS: SCOREP_MetricOccurrence = 2;
pub const SCOREP_INVALID_METRIC_OCCURRENCE: SCOREP_MetricOccurrence = 3;
pub type SCOREP_MetricOccurrence = ::core::ffi::c_uint;
pub const SCOREP_SAMPLING_SET_ABSTRACT: SCOREP_SamplingSetClass = 0;
pub const SCOREP_SAMPLING_SET_CPU: SCOREP_SamplingSetClass = 1;
pub const SCOREP_SAMPLING_SET_GPU: SCOREP_SamplingSetClass = 2;
pub type SCOREP_SamplingSetClass = ::core::ffi::c_uint;
pub const SCOREP_IO_PARADIGM_POSIX: SCOREP_IoParadigmType = 0;
pub const SCOREP_IO_PARADIGM_ISOC: SCOREP_IoParadigmType = 1;
pub const SCOREP_IO_PARADIGM_MPI: SCOREP_IoParadigmType = 2;
pub const SCOREP_INVALID_IO_PARADIGM_TYPE: SCOREP_IoParadigmType = 3;
pub type SCOREP_IoParadigmType = ::core::ffi::c_uint;
pub const SCOREP_IO_ACCESS_MODE_NONE: SCOREP_IoAccessMode = 0;
pub const SCOREP_IO_ACCESS_MODE_READ_ONLY: SCOREP_IoAccessMode = 1;
pub const SCOREP_IO_ACCESS_MODE_WRITE_ONLY: SCOREP_IoAccessMode = 2;
pub const SCOREP_IO_ACCESS_MODE_READ_WRITE: SCOREP_IoAccessMode = 3;
pub const SCOREP_IO_ACCESS_MODE_EXECUTE_ONLY: SCOREP_IoAccessMode = 4;
pub const SCOREP_IO_ACCESS_MODE_SEARCH_ONLY: SCOREP_IoAccessMode = 5;
pub type SCOREP_IoAccessMode = ::core::ffi::c_uint;
pub const SCOREP_IO_CREATION_FLAG_NONE: SCOREP_IoCreationFlag = 0;
pub const SCOREP_IO_CREATION_FLAG_CREATE: SCOREP_IoCreationFlag = 1;
pub const SCOREP_IO_CREATION_FLAG_TRUNCATE: SCOREP_IoCreationFlag = 2;
pub const SCOREP_IO_CREATION_FLAG_DIRECTORY: SCOREP_IoCreationFlag = 4;
pub const SCOREP_IO_CREATION_FLAG_EXCLUSIVE: SCOREP_IoCreationFlag = 8;
pub const SCOREP_IO_CREATION_FLAG_NO_CONTROLLING_TERMINAL: SCOREP_IoCreationFlag = 16;
pub const SCOREP_IO_CREATION_FLAG_NO_FOLLOW: SCOREP_IoCreationFlag = 32;
pub const SCOREP_IO_CREATION_FLAG_PATH: SCOREP_IoCreationFlag = 64;
pub const SCOREP_IO_CREATION_FLAG_TEMPORARY_FILE: SCOREP_IoCreationFlag = 128;
pub const SCOREP_IO_CREATION_FLAG_LARGEFILE: SCOREP_IoCreationFlag = 256;
pub const SCOREP_IO_CREATION_FLAG_NO_SEEK: SCOREP_IoCreationFlag = 512;
pub const SCOREP_IO_CREATION_FLAG_UNIQUE: SCOREP_IoCreationFlag = 1024;
pub type SCOREP_IoCreationFlag = ::core::ffi::c_uint;
pub const SCOREP_IO_STATUS_FLAG_NONE: SCOREP_IoStatusFlag = 0;
pub const SCOREP_IO_STATUS_FLAG_CLOSE_ON_EXEC: SCOREP_IoStatusFlag = 1;
pub const SCOREP_IO_STATUS_FLAG_APPEND: SCOREP_IoStatusFlag = 2;
pub const SCOREP_IO_STATUS_FLAG_NON_BLOCKING: SCOREP_IoStatusFlag = 4;
pub const SCOREP_IO_STATUS_FLAG_ASYNC: SCOREP_IoStatusFlag = 8;
pub const SCOREP_IO_STATUS_FLAG_SYNC: SCOREP_IoStatusFlag = 16;
pub const SCOREP_IO_STATUS_FLAG_DATA_SYNC: SCOREP_IoStatusFlag = 32;
pub const SCOREP_IO_STATUS_FLAG_AVOID_CACHING: SCOREP_IoStatusFlag = 64;
pub const SCOREP_IO_STATUS_FLAG_NO_ACCESS_TIME: SCOREP_IoStatusFlag = 128;
pub const SCOREP_IO_STATUS_FLAG_DELETE_ON_CLOSE: SCOREP_IoStatusFlag = 256;
pub type SCOREP_IoStatusFlag = ::core::ffi::c_uint;
pub const SCOREP_IO_SEEK_FROM_START: SCOREP_IoSeekOption = 0;
pub const SCOREP_IO_SEEK_FROM_CURRENT: SCOREP_IoSeekOption = 1;
pub const SCOREP_IO_SEEK_FROM_END: SCOREP_IoSeekOption = 2;
pub const SCOREP_IO_SEEK_DATA: SCOREP_IoSeekOption = 3;
pub const SCOREP_IO_SEEK_HOLE: SCOREP_IoSeekOption = 4;
pub const SCOREP_IO_SEEK_INVALID: SCOREP_IoSeekOption = 5;
pub type SCOREP_IoSeekOption = ::core::ffi::c_uint;
pub const SCOREP_IO_OPERATION_MODE_READ: SCOREP_IoOperationMode = 0;
pub const SCOREP_IO_OPERATION_MODE_WRITE: SCOREP_IoOperationMode = 1;
pub const SCOREP_IO_OPERATION_MODE_FLUSH: SCOREP_IoOperationMode = 2;
pub type SCOREP_IoOperationMode = ::core::ffi::c_uint;
pub const SCOREP_IO_OPERATION_FLAG_NONE: SCOREP_IoOperationFlag = 0;
pub const SCOREP_IO_OPERATION_FLAG_BLOCKING: SCOREP_IoOperationFlag = 0;
pub const SCOREP_IO_OPERATION_FLAG_NON_BLOCKING: SCOREP_IoOperationFlag = 1;
pub const SCOREP_IO_OPERATION_FLAG_COLLECTIVE: SCOREP_IoOperationFlag = 2;
pub const SCOREP_IO_OPERATION_FLAG_NON_COLLECTIVE: SCOREP_IoOperationFlag = 0;
pub type SCOREP_IoOperationFlag = ::core::ffi::c_uint;
pub const SCOREP_IPC_BYTE: SCOREP_Ipc_Datatype = 0;
pub const SCOREP_IPC_CHAR: SCOREP_Ipc_Datatype = 1;
pub const SCOREP_IPC_UNSIGNED_CHAR: SCOREP_Ipc_Datatype = 2;
pub const SCOREP_IPC_INT: SCOREP_Ipc_Datatype = 3;
pub const SCOREP_IPC_UNSIGNED: SCOREP_Ipc_Datatype = 4;
pub const SCOREP_IPC_INT32_T: SCOREP_Ipc_Datatype = 5;
pub const SCOREP_IPC_UINT32_T: SCOREP_Ipc_Datatype = 6;
pub const SCOREP_IPC_INT64_T: SCOREP_Ipc_Datatype = 7;
pub const SCOREP_IPC_UINT64_T: SCOREP_Ipc_Datatype = 8;
pub const SCOREP_IPC_DOUBLE: SCOREP_Ipc_Datatype = 9;
pub const SCOREP_IPC_NUMBER_OF_DATATYPES: SCOREP_Ipc_Datatype = 10;
pub type SCOREP_Ipc_Datatype = ::core::ffi::c_uint;
pub const SCOREP_IPC_BAND: SCOREP_Ipc_Operation = 0;
pub const SCOREP_IPC_BOR: SCOREP_Ipc_Operation = 1;
pub const SCOREP_IPC_MIN: SCOREP_Ipc_Operation = 2;
pub const SCOREP_IPC_MAX: SCOREP_Ipc_Operation = 3;
pub const SCOREP_IPC_SUM: SCOREP_Ipc_Operation = 4;
pub const SCOREP_IPC_NUMBER_OF_OPERATIONS: SCOREP_Ipc_Operation = 5;
pub type SCOREP_Ipc_Operation = ::core::ffi::c_uint;
pub const SCOREP_HANDLE_TYPE_ANY: SCOREP_HandleType = 0;
pub const SCOREP_HANDLE_TYPE_CALLING_CONTEXT: SCOREP_HandleType = 1;
pub const SCOREP_HANDLE_TYPE_GROUP: SCOREP_HandleType = 2;
pub const SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR: SCOREP_HandleType = 3;
pub const SCOREP_HANDLE_TYPE_INTERRUPT_GENERATOR: SCOREP_HandleType = 4;
pub const SCOREP_HANDLE_TYPE_LOCATION: SCOREP_HandleType = 5;
pub const SCOREP_HANDLE_TYPE_LOCATION_GROUP: SCOREP_HandleType = 6;
pub const SCOREP_HANDLE_TYPE_LOCATION_PROPERTY: SCOREP_HandleType = 7;
pub const SCOREP_HANDLE_TYPE_METRIC: SCOREP_HandleType = 8;
pub const SCOREP_HANDLE_TYPE_PARADIGM: SCOREP_HandleType = 9;
pub const SCOREP_HANDLE_TYPE_PARAMETER: SCOREP_HandleType = 10;
pub const SCOREP_HANDLE_TYPE_REGION: SCOREP_HandleType = 11;
pub const SCOREP_HANDLE_TYPE_RMA_WINDOW: SCOREP_HandleType = 12;
pub const SCOREP_HANDLE_TYPE_SAMPLING_SET: SCOREP_HandleType = 13;
pub const SCOREP_HANDLE_TYPE_SAMPLING_SET_RECORDER: SCOREP_HandleType = 14;
pub const SCOREP_HANDLE_TYPE_SOURCE_CODE_LOCATION: SCOREP_HandleType = 15;
pub const SCOREP_HANDLE_TYPE_SOURCE_FILE: SCOREP_HandleType = 16;
pub const SCOREP_HANDLE_TYPE_STRING: SCOREP_HandleType = 17;
pub const SCOREP_HANDLE_TYPE_SYSTEM_TREE_NODE: SCOREP_HandleType = 18;
pub const SCOREP_HANDLE_TYPE_SYSTEM_TREE_NODE_PROPERTY: SCOREP_HandleType = 19;
pub const SCOREP_HANDLE_TYPE_CARTESIAN_TOPOLOGY: SCOREP_HandleType = 20;
pub const SCOREP_HANDLE_TYPE_CARTESIAN_COORDS: SCOREP_HandleType = 21;
pub const SCOREP_HANDLE_TYPE_IO_FILE: SCOREP_HandleType = 22;
pub const SCOREP_HANDLE_TYPE_IO_FILE_PROPERTY: SCOREP_HandleType = 23;
pub const SCOREP_HANDLE_TYPE_IO_HANDLE: SCOREP_HandleType = 24;
pub const SCOREP_HANDLE_TYPE_IO_PARADIGM: SCOREP_HandleType = 25;
pub const SCOREP_HANDLE_TYPE_NUM_HANDLES: SCOREP_HandleType = 26;
pub type SCOREP_HandleType = ::core::ffi::c_uint;
pub const SCOREP_SUBSTRATES_REQUIREMENT_CREATE_EXPERIMENT_DIRECTORY: SCOREP_Substrates_RequirementFlag = 0;
pub const SCOREP_SUBSTRATES_REQUIREMENT_PREVENT_ASYNC_METRICS: SCOREP_Substrates_RequirementFlag = 1;
pub const SCOREP_SUBSTRATES_REQUIREMENT_PREVENT_PER_HOST_AND_ONCE_METRICS: SCOREP_Substrates_RequirementFlag = 2;
pub const SCOREP_SUBSTRATES_NUM_REQUIREMENTS: SCOREP_Substrates_RequirementFlag = 3;
pub type SCOREP_Substrates_RequirementFlag = ::core::ffi::c_uint;
pub const SCOREP_SUBSTRATES_RECORDING_ENABLED: SCOREP_Substrates_Mode = 0;
pub const SCOREP_SUBSTRATES_RECORDING_DISABLED: SCOREP_Substrates_Mode = 1;
pub const SCOREP_SUBSTRATES_NUM_MODES: SCOREP_Substrates_Mode = 2;
pub type SCOREP_Substrates_Mode = ::core::ffi::c_uint;
pub const SCOREP_EVENT_ENABLE_RECORDING: SCOREP_Substrates_EventType = 0;
pub const SCOREP_EVENT_DISABLE_RECORDING: SCOREP_Substrates_EventType = 1;
pub const SCOREP_EVENT_ON_TRACING_BUFFER_FLUSH_BEGIN: SCOREP_Substrates_EventType = 2;
pub const SCOREP_EVENT_ON_TRACING_BUFFER_FLUSH_END: SCOREP_Substrates_EventType = 3;
pub const SCOREP_EVENT_ENTER_REGION: SCOREP_Substrates_EventType = 4;
pub const SCOREP_EVENT_EXIT_REGION: SCOREP_Substrates_EventType = 5;
pub const SCOREP_EVENT_SAMPLE: SCOREP_Substrates_EventType = 6;
pub const SCOREP_EVENT_CALLING_CONTEXT_ENTER: SCOREP_Substrates_EventType = 7;
pub const SCOREP_EVENT_CALLING_CONTEXT_EXIT: SCOREP_Substrates_EventType = 8;
pub const SCOREP_EVENT_ENTER_REWIND_REGION: SCOREP_Substrates_EventType = 9;
pub const SCOREP_EVENT_EXIT_REWIND_REGION: SCOREP_Substrates_EventType = 10;
pub const SCOREP_EVENT_MPI_SEND: SCOREP_Substrates_EventType = 11;
pub const SCOREP_EVENT_MPI_RECV: SCOREP_Substrates_EventType = 12;
pub const SCOREP_EVENT_MPI_COLLECTIVE_BEGIN: SCOREP_Substrates_EventType = 13;
pub const SCOREP_EVENT_MPI_COLLECTIVE_END: SCOREP_Substrates_EventType = 14;
pub const SCOREP_EVENT_MPI_ISEND_COMPLETE: SCOREP_Substrates_EventType = 15;
pub const SCOREP_EVENT_MPI_IRECV_REQUEST: SCOREP_Substrates_EventType = 16;
pub const SCOREP_EVENT_MPI_REQUEST_TESTED: SCOREP_Substrates_EventType = 17;
pub const SCOREP_EVENT_MPI_REQUEST_CANCELLED: SCOREP_Substrates_EventType = 18;
pub const SCOREP_EVENT_MPI_ISEND: SCOREP_Substrates_EventType = 19;
pub const SCOREP_EVENT_MPI_IRECV: SCOREP_Substrates_EventType = 20;
pub const SCOREP_EVENT_RMA_WIN_CREATE: SCOREP_Substrates_EventType = 21;
pub const SCOREP_EVENT_RMA_WIN_DESTROY: SCOREP_Substrates_EventType = 22;
pub const SCOREP_EVENT_RMA_COLLECTIVE_BEGIN: SCOREP_Substrates_EventType = 23;
pub const SCOREP_EVENT_RMA_COLLECTIVE_END: SCOREP_Substrates_EventType = 24;
pub const SCOREP_EVENT_RMA_TRY_LOCK: SCOREP_Substrates_EventType = 25;
pub const SCOREP_EVENT_RMA_ACQUIRE_LOCK: SCOREP_Substrates_EventType = 26;
pub const SCOREP_EVENT_RMA_REQUEST_LOCK: SCOREP_Substrates_EventType = 27;
pub const SCOREP_EVENT_RMA_RELEASE_LOCK: SCOREP_Substrates_EventType = 28;
pub const SCOREP_EVENT_RMA_SYNC: SCOREP_Substrates_EventType = 29;
pub const SCOREP_EVENT_RMA_GROUP_SYNC: SCOREP_Substrates_EventType = 30;
pub const SCOREP_EVENT_RMA_PUT: SCOREP_Substrates_EventType = 31;
pub const SCOREP_EVENT_RMA_GET: SCOREP_Substrates_EventType = 32;
pub const SCOREP_EVENT_RMA_ATOMIC: SCOREP_Substrates_EventType = 33;
pub const SCOREP_EVENT_RMA_WAIT_CHANGE: SCOREP_Substrates_EventType = 34;
pub const SCOREP_EVENT_RMA_OP_COMPLETE_BLOCKING: SCOREP_Substrates_EventType = 35;
pub const SCOREP_EVENT_RMA_OP_COMPLETE_NON_BLOCKING: SCOREP_Substrates_EventType = 36;
pub const SCOREP_EVENT_RMA_OP_TEST: SCOREP_Substrates_EventType = 37;
pub const SCOREP_EVENT_RMA_OP_COMPLETE_REMOTE: SCOREP_Substrates_EventType = 38;
pub const SCOREP_EVENT_THREAD_ACQUIRE_LOCK: SCOREP_Substrates_EventType = 39;
pub const SCOREP_EVENT_THREAD_RELEASE_LOCK: SCOREP_Substrates_EventType = 40;
pub const SCOREP_EVENT_TRIGGER_COUNTER_INT64: SCOREP_Substrates_EventType = 41;
pub const SCOREP_EVENT_TRIGGER_COUNTER_UINT64: SCOREP_Substrates_EventType = 42;
pub const SCOREP_EVENT_TRIGGER_COUNTER_DOUBLE: SCOREP_Substrates_EventType = 43;
pub const SCOREP_EVENT_TRIGGER_PARAMETER_INT64: SCOREP_Substrates_EventType = 44;
pub const SCOREP_EVENT_TRIGGER_PARAMETER_UINT64: SCOREP_Substrates_EventType = 45;
pub const SCOREP_EVENT_TRIGGER_PARAMETER_STRING: SCOREP_Substrates_EventType = 46;
pub const SCOREP_EVENT_THREAD_FORK_JOIN_FORK: SCOREP_Substrates_EventType = 47;
pub const SCOREP_EVENT_THREAD_FORK_JOIN_JOIN: SCOREP_Substrates_EventType = 48;
pub const SCOREP_EVENT_THREAD_FORK_JOIN_TEAM_BEGIN: SCOREP_Substrates_EventType = 49;
pub const SCOREP_EVENT_THREAD_FORK_JOIN_TEAM_END: SCOREP_Substrates_EventType = 50;
pub const SCOREP_EVENT_THREAD_FORK_JOIN_TASK_CREATE: SCOREP_Substrates_EventType = 51;
pub const SCOREP_EVENT_THREAD_FORK_JOIN_TASK_SWITCH: SCOREP_Substrates_EventType = 52;
pub const SCOREP_EVENT_THREAD_FORK_JOIN_TASK_BEGIN: SCOREP_Substrates_EventType = 53;
pub const SCOREP_EVENT_THREAD_FORK_JOIN_TASK_END: SCOREP_Substrates_EventType = 54;
pub const SCOREP_EVENT_THREAD_CREATE_WAIT_CREATE: SCOREP_Substrates_EventType = 55;
pub const SCOREP_EVENT_THREAD_CREATE_WAIT_WAIT: SCOREP_Substrates_EventType = 56;
pub const SCOREP_EVENT_THREAD_CREATE_WAIT_BEGIN: SCOREP_Substrates_EventType = 57;
pub const SCOREP_EVENT_THREAD_CREATE_WAIT_END: SCOREP_Substrates_EventType = 58;
pub const SCOREP_EVENT_TRACK_ALLOC: SCOREP_Substrates_EventType = 59;
pub const SCOREP_EVENT_TRACK_REALLOC: SCOREP_Substrates_EventType = 60;
pub const SCOREP_EVENT_TRACK_FREE: SCOREP_Substrates_EventType = 61;
pub const SCOREP_EVENT_WRITE_POST_MORTEM_METRICS: SCOREP_Substrates_EventType = 62;
pub const SCOREP_EVENT_PROGRAM_BEGIN: SCOREP_Substrates_EventType = 63;
pub const SCOREP_EVENT_PROGRAM_END: SCOREP_Substrates_EventType = 64;
pub const SCOREP_EVENT_IO_CREATE_HANDLE: SCOREP_Substrates_EventType = 65;
pub const SCOREP_EVENT_IO_DESTROY_HANDLE: SCOREP_Substrates_EventType = 66;
pub const SCOREP_EVENT_IO_DUPLICATE_HANDLE: SCOREP_Substrates_EventType = 67;
pub const SCOREP_EVENT_IO_SEEK: SCOREP_Substrates_EventType = 68;
pub const SCOREP_EVENT_IO_CHANGE_STATUS_FLAGS: SCOREP_Substrates_EventType = 69;
pub const SCOREP_EVENT_IO_DELETE_FILE: SCOREP_Substrates_EventType = 70;
pub const SCOREP_EVENT_IO_OPERATION_BEGIN: SCOREP_Substrates_EventType = 71;
pub const SCOREP_EVENT_IO_OPERATION_ISSUED: SCOREP_Substrates_EventType = 72;
pub const SCOREP_EVENT_IO_OPERATION_TEST: SCOREP_Substrates_EventType = 73;
pub const SCOREP_EVENT_IO_OPERATION_COMPLETE: SCOREP_Substrates_EventType = 74;
pub const SCOREP_EVENT_IO_OPERATION_CANCELLED: SCOREP_Substrates_EventType = 75;
pub const SCOREP_EVENT_IO_ACQUIRE_LOCK: SCOREP_Substrates_EventType = 76;
pub const SCOREP_EVENT_IO_TRY_LOCK: SCOREP_Substrates_EventType = 77;
pub const SCOREP_EVENT_IO_RELEASE_LOCK: SCOREP_Substrates_EventType = 78;
pub const SCOREP_EVENT_MPI_NON_BLOCKING_COLLECTIVE_REQUEST: SCOREP_Substrates_EventType = 79;
pub const SCOREP_EVENT_MPI_NON_BLOCKING_COLLECTIVE_COMPLETE: SCOREP_Substrates_EventType = 80;
pub const SCOREP_EVENT_COMM_CREATE: SCOREP_Substrates_EventType = 81;
pub const SCOREP_EVENT_COMM_DESTROY: SCOREP_Substrates_EventType = 82;
pub const SCOREP_SUBSTRATES_NUM_EVENTS: SCOREP_Substrates_EventType = 83;
pub type SCOREP_Substrates_EventType = ::core::ffi::c_uint;
pub type SCOREP_Substrates_Callback = ::core::option::Option<unsafe extern "C" fn()>;
pub type SCOREP_Substrates_EnableRecordingCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        regionHandle: SCOREP_RegionHandle,
        metricValues: *mut u64,
    ),
>;
pub type SCOREP_Substrates_DisableRecordingCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        regionHandle: SCOREP_RegionHandle,
        metricValues: *mut u64,
    ),
>;
pub type SCOREP_Substrates_OnTracingBufferFlushBeginCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        regionHandle: SCOREP_RegionHandle,
        metricValues: *mut u64,
    ),
>;
pub type SCOREP_Substrates_OnTracingBufferFlushEndCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        regionHandle: SCOREP_RegionHandle,
        metricValues: *mut u64,
    ),
>;
pub type SCOREP_Substrates_EnterRegionCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        regionHandle: SCOREP_RegionHandle,
        metricValues: *mut u64,
    ),
>;
pub type SCOREP_Substrates_ExitRegionCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        regionHandle: SCOREP_RegionHandle,
        metricValues: *mut u64,
    ),
>;
pub type SCOREP_Substrates_SampleCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        callingContext: SCOREP_CallingContextHandle,
        previousCallingContext: SCOREP_CallingContextHandle,
        unwindDistance: u32,
        interruptGeneratorHandle: SCOREP_InterruptGeneratorHandle,
        metricValues: *mut u64,
    ),
>;
pub type SCOREP_Substrates_CallingContextEnterCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        callingContext: SCOREP_CallingContextHandle,
        previousCallingContext: SCOREP_CallingContextHandle,
        unwindDistance: u32,
        metricValues: *mut u64,
    ),
>;
pub type SCOREP_Substrates_CallingContextExitCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        callingContext: SCOREP_CallingContextHandle,
        previousCallingContext: SCOREP_CallingContextHandle,
        unwindDistance: u32,
        metricValues: *mut u64,
    ),
>;
pub type SCOREP_Substrates_EnterRewindRegionCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        regionHandle: SCOREP_RegionHandle,
    ),
>;
pub type SCOREP_Substrates_ExitRewindRegionCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        regionHandle: SCOREP_RegionHandle,
        doRewind: bool,
    ),
>;
pub type SCOREP_Substrates_MpiSendCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        destinationRank: SCOREP_MpiRank,
        communicatorHandle: SCOREP_InterimCommunicatorHandle,
        tag: u32,
        bytesSent: u64,
    ),
>;
pub type SCOREP_Substrates_MpiRecvCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        sourceRank: SCOREP_MpiRank,
        communicatorHandle: SCOREP_InterimCommunicatorHandle,
        tag: u32,
        bytesReceived: u64,
    ),
>;
pub type SCOREP_Substrates_MpiCollectiveBeginCb = ::core::option::Option<
    unsafe extern "C" fn(location: *mut SCOREP_Location, timestamp: u64),
>;
pub type SCOREP_Substrates_MpiCollectiveEndCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        communicatorHandle: SCOREP_InterimCommunicatorHandle,
        rootRank: SCOREP_MpiRank,
        collectiveType: SCOREP_CollectiveType,
        bytesSent: u64,
        bytesReceived: u64,
    ),
>;
pub type SCOREP_Substrates_MpiIsendCompleteCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        requestId: SCOREP_MpiRequestId,
    ),
>;
pub type SCOREP_Substrates_MpiIrecvRequestCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        requestId: SCOREP_MpiRequestId,
    ),
>;
pub type SCOREP_Substrates_MpiRequestTestedCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        requestId: SCOREP_MpiRequestId,
    ),
>;
pub type SCOREP_Substrates_MpiRequestCancelledCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        requestId: SCOREP_MpiRequestId,
    ),
>;
pub type SCOREP_Substrates_MpiIsendCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        destinationRank: SCOREP_MpiRank,
        communicatorHandle: SCOREP_InterimCommunicatorHandle,
        tag: u32,
        bytesSent: u64,
        requestId: SCOREP_MpiRequestId,
    ),
>;
pub type SCOREP_Substrates_MpiIrecvCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        sourceRank: SCOREP_MpiRank,
        communicatorHandle: SCOREP_InterimCommunicatorHandle,
        tag: u32,
        bytesReceived: u64,
        requestId: SCOREP_MpiRequestId,
    ),
>;
pub type SCOREP_Substrates_RmaWinCreateCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        windowHandle: SCOREP_RmaWindowHandle,
    ),
>;
pub type SCOREP_Substrates_RmaWinDestroyCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        windowHandle: SCOREP_RmaWindowHandle,
    ),
>;
pub type SCOREP_Substrates_RmaCollectiveBeginCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        syncLevel: SCOREP_RmaSyncLevel,
    ),
>;
pub type SCOREP_Substrates_RmaCollectiveEndCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        collectiveOp: SCOREP_CollectiveType,
        syncLevel: SCOREP_RmaSyncLevel,
        windowHandle: SCOREP_RmaWindowHandle,
        root: u32,
        bytesSent: u64,
        bytesReceived: u64,
    ),
>;
pub type SCOREP_Substrates_RmaTryLockCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        windowHandle: SCOREP_RmaWindowHandle,
        remote: u32,
        lockId: u64,
        lockType: SCOREP_LockType,
    ),
>;
pub type SCOREP_Substrates_RmaAcquireLockCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        windowHandle: SCOREP_RmaWindowHandle,
        remote: u32,
        lockId: u64,
        lockType: SCOREP_LockType,
    ),
>;
pub type SCOREP_Substrates_RmaRequestLockCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        windowHandle: SCOREP_RmaWindowHandle,
        remote: u32,
        lockId: u64,
        lockType: SCOREP_LockType,
    ),
>;
pub type SCOREP_Substrates_RmaReleaseLockCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        windowHandle: SCOREP_RmaWindowHandle,
        remote: u32,
        lockId: u64,
    ),
>;
pub type SCOREP_Substrates_RmaSyncCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        windowHandle: SCOREP_RmaWindowHandle,
        remote: u32,
        syncType: SCOREP_RmaSyncType,
    ),
>;
pub type SCOREP_Substrates_RmaGroupSyncCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        syncLevel: SCOREP_RmaSyncLevel,
        windowHandle: SCOREP_RmaWindowHandle,
        groupHandle: SCOREP_GroupHandle,
    ),
>;
pub type SCOREP_Substrates_RmaPutCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        windowHandle: SCOREP_RmaWindowHandle,
        remote: u32,
        bytes: u64,
        matchingId: u64,
    ),
>;
pub type SCOREP_Substrates_RmaGetCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        windowHandle: SCOREP_RmaWindowHandle,
        remote: u32,
        bytes: u64,
        matchingId: u64,
    ),
>;
pub type SCOREP_Substrates_RmaAtomicCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        windowHandle: SCOREP_RmaWindowHandle,
        remote: u32,
        type_: SCOREP_RmaAtomicType,
        bytesSent: u64,
        bytesReceived: u64,
        matchingId: u64,
    ),
>;
pub type SCOREP_Substrates_RmaWaitChangeCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        windowHandle: SCOREP_RmaWindowHandle,
    ),
>;
pub type SCOREP_Substrates_RmaOpCompleteBlockingCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        windowHandle: SCOREP_RmaWindowHandle,
        matchingId: u64,
    ),
>;
pub type SCOREP_Substrates_RmaOpCompleteNonBlockingCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        windowHandle: SCOREP_RmaWindowHandle,
        matchingId: u64,
    ),
>;
pub type SCOREP_Substrates_RmaOpTestCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        windowHandle: SCOREP_RmaWindowHandle,
        matchingId: u64,
    ),
>;
pub type SCOREP_Substrates_RmaOpCompleteRemoteCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        windowHandle: SCOREP_RmaWindowHandle,
        matchingId: u64,
    ),
>;
pub type SCOREP_Substrates_ThreadAcquireLockCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        paradigm: SCOREP_ParadigmType,
        lockId: u32,
        acquisitionOrder: u32,
    ),
>;
pub type SCOREP_Substrates_ThreadReleaseLockCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        paradigm: SCOREP_ParadigmType,
        lockId: u32,
        acquisitionOrder: u32,
    ),
>;
pub type SCOREP_Substrates_TriggerCounterInt64Cb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        counterHandle: SCOREP_SamplingSetHandle,
        value: i64,
    ),
>;
pub type SCOREP_Substrates_TriggerCounterUint64Cb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        counterHandle: SCOREP_SamplingSetHandle,
        value: u64,
    ),
>;
pub type SCOREP_Substrates_TriggerCounterDoubleCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        counterHandle: SCOREP_SamplingSetHandle,
        value: f64,
    ),
>;
pub type SCOREP_Substrates_TriggerParameterInt64Cb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        parameterHandle: SCOREP_ParameterHandle,
        value: i64,
    ),
>;
pub type SCOREP_Substrates_TriggerParameterUint64Cb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        parameterHandle: SCOREP_ParameterHandle,
        value: u64,
    ),
>;
pub type SCOREP_Substrates_TriggerParameterStringCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        parameterHandle: SCOREP_ParameterHandle,
        string_handle: SCOREP_StringHandle,
    ),
>;
pub type SCOREP_Substrates_ThreadForkJoinForkCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        paradigm: SCOREP_ParadigmType,
        nRequestedThreads: u32,
        forkSequenceCount: u32,
    ),
>;
pub type SCOREP_Substrates_ThreadForkJoinJoinCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        paradigm: SCOREP_ParadigmType,
    ),
>;
pub type SCOREP_Substrates_ThreadForkJoinTeamBeginCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        paradigm: SCOREP_ParadigmType,
        threadTeam: SCOREP_InterimCommunicatorHandle,
        threadId: u64,
    ),
>;
pub type SCOREP_Substrates_ThreadForkJoinTeamEndCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        paradigm: SCOREP_ParadigmType,
        threadTeam: SCOREP_InterimCommunicatorHandle,
    ),
>;
pub type SCOREP_Substrates_ThreadForkJoinTaskCreateCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        paradigm: SCOREP_ParadigmType,
        threadTeam: SCOREP_InterimCommunicatorHandle,
        threadId: u32,
        generationNumber: u32,
    ),
>;
pub type SCOREP_Substrates_ThreadForkJoinTaskSwitchCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        metricValues: *mut u64,
        paradigm: SCOREP_ParadigmType,
        threadTeam: SCOREP_InterimCommunicatorHandle,
        threadId: u32,
        generationNumber: u32,
        taskHandle: SCOREP_TaskHandle,
    ),
>;
pub type SCOREP_Substrates_ThreadForkJoinTaskBeginCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        regionHandle: SCOREP_RegionHandle,
        metricValues: *mut u64,
        paradigm: SCOREP_ParadigmType,
        threadTeam: SCOREP_InterimCommunicatorHandle,
        threadId: u32,
        generationNumber: u32,
        taskHandle: SCOREP_TaskHandle,
    ),
>;
pub type SCOREP_Substrates_ThreadForkJoinTaskEndCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        regionHandle: SCOREP_RegionHandle,
        metricValues: *mut u64,
        paradigm: SCOREP_ParadigmType,
        threadTeam: SCOREP_InterimCommunicatorHandle,
        threadId: u32,
        generationNumber: u32,
        taskHandle: SCOREP_TaskHandle,
    ),
>;
pub type SCOREP_Substrates_ThreadCreateWaitCreateCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        paradigm: SCOREP_ParadigmType,
        threadTeam: SCOREP_InterimCommunicatorHandle,
        createSequenceCount: u32,
    ),
>;
pub type SCOREP_Substrates_ThreadCreateWaitWaitCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        paradigm: SCOREP_ParadigmType,
        threadTeam: SCOREP_InterimCommunicatorHandle,
        createSequenceCount: u32,
    ),
>;
pub type SCOREP_Substrates_ThreadCreateWaitBeginCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        paradigm: SCOREP_ParadigmType,
        threadTeam: SCOREP_InterimCommunicatorHandle,
        createSequenceCount: u32,
        threadId: u64,
    ),
>;
pub type SCOREP_Substrates_ThreadCreateWaitEndCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        paradigm: SCOREP_ParadigmType,
        threadTeam: SCOREP_InterimCommunicatorHandle,
        createSequenceCount: u32,
    ),
>;
pub type SCOREP_Substrates_TrackAllocCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        addrAllocated: u64,
        bytesAllocated: usize,
        substrateData: *mut *mut ::core::ffi::c_void,
        bytesAllocatedMetric: usize,
        bytesAllocatedProcess: usize,
    ),
>;
pub type SCOREP_Substrates_TrackReallocCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        oldAddr: u64,
        oldBytesAllocated: usize,
        oldSubstrateData: *mut *mut ::core::ffi::c_void,
        newAddr: u64,
        newBytesAllocated: usize,
        newSubstrateData: *mut *mut ::core::ffi::c_void,
        bytesAllocatedMetric: usize,
        bytesAllocatedProcess: usize,
    ),
>;
pub type SCOREP_Substrates_TrackFreeCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        addrFreed: u64,
        bytesFreed: usize,
        substrateData: *mut *mut ::core::ffi::c_void,
        bytesAllocatedMetric: usize,
        bytesAllocatedProcess: usize,
    ),
>;
pub type SCOREP_Substrates_WriteMetricsCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        samplingSet: SCOREP_SamplingSetHandle,
        metricValues: *const u64,
    ),
>;
pub type SCOREP_Substrates_ProgramBeginCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        programName: SCOREP_StringHandle,
        numberOfProgramArgs: u32,
        programArguments: *mut SCOREP_StringHandle,
        programRegionHandle: SCOREP_RegionHandle,
        processId: u64,
        threadId: u64,
    ),
>;
pub type SCOREP_Substrates_ProgramEndCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        exitStatus: SCOREP_ExitStatus,
        programRegionHandle: SCOREP_RegionHandle,
    ),
>;
pub type SCOREP_Substrates_IoCreateHandleCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        handle: SCOREP_IoHandleHandle,
        mode: SCOREP_IoAccessMode,
        creationFlags: SCOREP_IoCreationFlag,
        statusFlags: SCOREP_IoStatusFlag,
    ),
>;
pub type SCOREP_Substrates_IoDestroyHandleCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        handle: SCOREP_IoHandleHandle,
    ),
>;
pub type SCOREP_Substrates_IoDuplicateHandleCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        oldHandle: SCOREP_IoHandleHandle,
        newHandle: SCOREP_IoHandleHandle,
        statusFlags: SCOREP_IoStatusFlag,
    ),
>;
pub type SCOREP_Substrates_IoSeekCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        handle: SCOREP_IoHandleHandle,
        offsetRequest: i64,
        whence: SCOREP_IoSeekOption,
        offsetResult: u64,
    ),
>;
pub type SCOREP_Substrates_IoChangeStatusFlagsCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        handle: SCOREP_IoHandleHandle,
        statusFlags: SCOREP_IoStatusFlag,
    ),
>;
pub type SCOREP_Substrates_IoDeleteFileCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        ioParadigm: SCOREP_IoParadigmType,
        ioFile: SCOREP_IoFileHandle,
    ),
>;
pub type SCOREP_Substrates_IoOperationBeginCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        handle: SCOREP_IoHandleHandle,
        mode: SCOREP_IoOperationMode,
        operationFlags: SCOREP_IoOperationFlag,
        bytesRequest: u64,
        matchingId: u64,
        offset: u64,
    ),
>;
pub type SCOREP_Substrates_IoOperationIssuedCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        handle: SCOREP_IoHandleHandle,
        matchingId: u64,
    ),
>;
pub type SCOREP_Substrates_IoOperationTestCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        handle: SCOREP_IoHandleHandle,
        matchingId: u64,
    ),
>;
pub type SCOREP_Substrates_IoOperationCompleteCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        handle: SCOREP_IoHandleHandle,
        mode: SCOREP_IoOperationMode,
        bytesResult: u64,
        matchingId: u64,
    ),
>;
pub type SCOREP_Substrates_IoOperationCancelledCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        handle: SCOREP_IoHandleHandle,
        matchingId: u64,
    ),
>;
pub type SCOREP_Substrates_IoAcquireLockCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        handle: SCOREP_IoHandleHandle,
        lockType: SCOREP_LockType,
    ),
>;
pub type SCOREP_Substrates_IoTryLockCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        handle: SCOREP_IoHandleHandle,
        lockType: SCOREP_LockType,
    ),
>;
pub type SCOREP_Substrates_IoReleaseLockCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        handle: SCOREP_IoHandleHandle,
        lockType: SCOREP_LockType,
    ),
>;
pub type SCOREP_Substrates_MpiNonBlockingCollectiveRequestCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        requestId: SCOREP_MpiRequestId,
    ),
>;
pub type SCOREP_Substrates_MpiNonBlockingCollectiveCompleteCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        communicatorHandle: SCOREP_InterimCommunicatorHandle,
        rootRank: SCOREP_MpiRank,
        collectiveType: SCOREP_CollectiveType,
        bytesSent: u64,
        bytesReceived: u64,
        requestId: SCOREP_MpiRequestId,
    ),
>;
pub type SCOREP_Substrates_CommCreateCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        communicatorHandle: SCOREP_InterimCommunicatorHandle,
    ),
>;
pub type SCOREP_Substrates_CommDestroyCb = ::core::option::Option<
    unsafe extern "C" fn(
        location: *mut SCOREP_Location,
        timestamp: u64,
        communicatorHandle: SCOREP_InterimCommunicatorHandle,
    ),
>;
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct SCOREP_SubstratePluginCallbacks {
    pub SCOREP_GetExperimentDirName: ::core::option::Option<
        unsafe extern "C" fn() -> *const ::core::ffi::c_char,
    >,
    pub SCOREP_Ipc_GetSize: ::core::option::Option<
        unsafe extern "C" fn() -> ::core::ffi::c_int,
    >,
    pub SCOREP_Ipc_GetRank: ::core::option::Option<
        unsafe extern "C" fn() -> ::core::ffi::c_int,
    >,
    pub SCOREP_Ipc_Send: ::core::option::Option<
        unsafe extern "C" fn(
            buf: *const ::core::ffi::c_void,
            count: ::core::ffi::c_int,
            datatype: SCOREP_Ipc_Datatype,
            dest: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub SCOREP_Ipc_Recv: ::core::option::Option<
        unsafe extern "C" fn(
            buf: *mut ::core::ffi::c_void,
            count: ::core::ffi::c_int,
            datatype: SCOREP_Ipc_Datatype,
            source: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub SCOREP_Ipc_Barrier: ::core::option::Option<
        unsafe extern "C" fn() -> ::core::ffi::c_int,
    >,
    pub SCOREP_Ipc_Bcast: ::core::option::Option<
        unsafe extern "C" fn(
            buf: *mut ::core::ffi::c_void,
            count: ::core::ffi::c_int,
            datatype: SCOREP_Ipc_Datatype,
            root: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub SCOREP_Ipc_Gather: ::core::option::Option<
        unsafe extern "C" fn(
            sendbuf: *const ::core::ffi::c_void,
            recvbuf: *mut ::core::ffi::c_void,
            count: ::core::ffi::c_int,
            datatype: SCOREP_Ipc_Datatype,
            root: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub SCOREP_Ipc_Gatherv: ::core::option::Option<
        unsafe extern "C" fn(
            sendbuf: *const ::core::ffi::c_void,
            sendcount: ::core::ffi::c_int,
            recvbuf: *mut ::core::ffi::c_void,
            recvcnts: *const ::core::ffi::c_int,
            datatype: SCOREP_Ipc_Datatype,
            root: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub SCOREP_Ipc_Allgather: ::core::option::Option<
        unsafe extern "C" fn(
            sendbuf: *const ::core::ffi::c_void,
            recvbuf: *mut ::core::ffi::c_void,
            count: ::core::ffi::c_int,
            datatype: SCOREP_Ipc_Datatype,
        ) -> ::core::ffi::c_int,
    >,
    pub SCOREP_Ipc_Reduce: ::core::option::Option<
        unsafe extern "C" fn(
            sendbuf: *const ::core::ffi::c_void,
            recvbuf: *mut ::core::ffi::c_void,
            count: ::core::ffi::c_int,
            datatype: SCOREP_Ipc_Datatype,
            operation: SCOREP_Ipc_Operation,
            root: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub SCOREP_Ipc_Allreduce: ::core::option::Option<
        unsafe extern "C" fn(
            sendbuf: *const ::core::ffi::c_void,
            recvbuf: *mut ::core::ffi::c_void,
            count: ::core::ffi::c_int,
            datatype: SCOREP_Ipc_Datatype,
            operation: SCOREP_Ipc_Operation,
        ) -> ::core::ffi::c_int,
    >,
    pub SCOREP_Ipc_Scatter: ::core::option::Option<
        unsafe extern "C" fn(
            sendbuf: *const ::core::ffi::c_void,
            recvbuf: *mut ::core::ffi::c_void,
            count: ::core::ffi::c_int,
            datatype: SCOREP_Ipc_Datatype,
            root: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub SCOREP_Ipc_Scatterv: ::core::option::Option<
        unsafe extern "C" fn(
            sendbuf: *const ::core::ffi::c_void,
            sendcounts: *const ::core::ffi::c_int,
            recvbuf: *mut ::core::ffi::c_void,
            recvcount: ::core::ffi::c_int,
            datatype: SCOREP_Ipc_Datatype,
            root: ::core::ffi::c_int,
        ) -> ::core::ffi::c_int,
    >,
    pub SCOREP_Location_GetType: ::core::option::Option<
        unsafe extern "C" fn(locationData: *const SCOREP_Location) -> SCOREP_LocationType,
    >,
    pub SCOREP_Location_GetName: ::core::option::Option<
        unsafe extern "C" fn(
            locationData: *const SCOREP_Location,
        ) -> *const ::core::ffi::c_char,
    >,
    pub SCOREP_Location_GetId: ::core::option::Option<
        unsafe extern "C" fn(locationData: *const SCOREP_Location) -> u32,
    >,
    pub SCOREP_Location_GetGlobalId: ::core::option::Option<
        unsafe extern "C" fn(locationData: *const SCOREP_Location) -> u64,
    >,
    pub SCOREP_Location_SetData: ::core::option::Option<
        unsafe extern "C" fn(
            locationData: *const SCOREP_Location,
            plugin_id: usize,
            data: *mut ::core::ffi::c_void,
        ),
    >,
    pub SCOREP_Location_GetData: ::core::option::Option<
        unsafe extern "C" fn(
            locationData: *const SCOREP_Location,
            plugin_id: usize,
        ) -> *mut ::core::ffi::c_void,
    >,
    pub SCOREP_CallingContextHandle_GetRegion: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_CallingContextHandle) -> SCOREP_RegionHandle,
    >,
    pub SCOREP_CallingContextHandle_GetParent: ::core::option::Option<
        unsafe extern "C" fn(
            handle: SCOREP_CallingContextHandle,
        ) -> SCOREP_CallingContextHandle,
    >,
    pub SCOREP_MetricHandle_GetValueType: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_MetricHandle) -> SCOREP_MetricValueType,
    >,
    pub SCOREP_MetricHandle_GetName: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_MetricHandle) -> *const ::core::ffi::c_char,
    >,
    pub SCOREP_MetricHandle_GetProfilingType: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_MetricHandle) -> SCOREP_MetricProfilingType,
    >,
    pub SCOREP_MetricHandle_GetMode: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_MetricHandle) -> SCOREP_MetricMode,
    >,
    pub SCOREP_MetricHandle_GetSourceType: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_MetricHandle) -> SCOREP_MetricSourceType,
    >,
    pub SCOREP_ParadigmHandle_GetClass: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_ParadigmHandle) -> SCOREP_ParadigmClass,
    >,
    pub SCOREP_ParadigmHandle_GetName: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_ParadigmHandle) -> *const ::core::ffi::c_char,
    >,
    pub SCOREP_ParadigmHandle_GetType: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_ParadigmHandle) -> SCOREP_ParadigmType,
    >,
    pub SCOREP_ParameterHandle_GetName: ::core::option::Option<
        unsafe extern "C" fn(
            handle: SCOREP_ParameterHandle,
        ) -> *const ::core::ffi::c_char,
    >,
    pub SCOREP_ParameterHandle_GetType: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_ParameterHandle) -> SCOREP_ParameterType,
    >,
    pub SCOREP_RegionHandle_GetId: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_RegionHandle) -> u32,
    >,
    pub SCOREP_RegionHandle_GetName: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_RegionHandle) -> *const ::core::ffi::c_char,
    >,
    pub SCOREP_RegionHandle_GetCanonicalName: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_RegionHandle) -> *const ::core::ffi::c_char,
    >,
    pub SCOREP_RegionHandle_GetFileName: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_RegionHandle) -> *const ::core::ffi::c_char,
    >,
    pub SCOREP_RegionHandle_GetBeginLine: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_RegionHandle) -> SCOREP_LineNo,
    >,
    pub SCOREP_RegionHandle_GetEndLine: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_RegionHandle) -> SCOREP_LineNo,
    >,
    pub SCOREP_RegionHandle_GetType: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_RegionHandle) -> SCOREP_RegionType,
    >,
    pub SCOREP_RegionHandle_GetParadigmType: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_RegionHandle) -> SCOREP_ParadigmType,
    >,
    pub SCOREP_SamplingSetHandle_GetNumberOfMetrics: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_SamplingSetHandle) -> u8,
    >,
    pub SCOREP_SamplingSetHandle_GetMetricHandles: ::core::option::Option<
        unsafe extern "C" fn(
            handle: SCOREP_SamplingSetHandle,
        ) -> *const SCOREP_MetricHandle,
    >,
    pub SCOREP_SamplingSetHandle_GetMetricOccurrence: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_SamplingSetHandle) -> SCOREP_MetricOccurrence,
    >,
    pub SCOREP_SamplingSetHandle_IsScoped: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_SamplingSetHandle) -> bool,
    >,
    pub SCOREP_SamplingSetHandle_GetScope: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_SamplingSetHandle) -> SCOREP_MetricScope,
    >,
    pub SCOREP_SamplingSetHandle_GetSamplingSetClass: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_SamplingSetHandle) -> SCOREP_SamplingSetClass,
    >,
    pub SCOREP_SourceFileHandle_GetName: ::core::option::Option<
        unsafe extern "C" fn(
            handle: SCOREP_SourceFileHandle,
        ) -> *const ::core::ffi::c_char,
    >,
    pub SCOREP_StringHandle_Get: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_StringHandle) -> *const ::core::ffi::c_char,
    >,
    pub SCOREP_Metric_WriteStrictlySynchronousMetrics: ::core::option::Option<
        unsafe extern "C" fn(
            location: *mut SCOREP_Location,
            timestamp: u64,
            cb: SCOREP_Substrates_WriteMetricsCb,
        ),
    >,
    pub SCOREP_Metric_WriteSynchronousMetrics: ::core::option::Option<
        unsafe extern "C" fn(
            location: *mut SCOREP_Location,
            timestamp: u64,
            cb: SCOREP_Substrates_WriteMetricsCb,
        ),
    >,
    pub SCOREP_Metric_WriteAsynchronousMetrics: ::core::option::Option<
        unsafe extern "C" fn(
            location: *mut SCOREP_Location,
            cb: SCOREP_Substrates_WriteMetricsCb,
        ),
    >,
    pub SCOREP_ConfigManifestSectionHeader: ::core::option::Option<
        unsafe extern "C" fn(out: *mut FILE, section: *const ::core::ffi::c_char),
    >,
    pub SCOREP_ConfigManifestSectionEntry: ::core::option::Option<
        unsafe extern "C" fn(
            out: *mut FILE,
            fileName: *const ::core::ffi::c_char,
            descriptionFormatString: *const ::core::ffi::c_char,
            ...
        ),
    >,
}
#[repr(C)]
#[derive(Debug, Copy, Clone)]
pub struct SCOREP_SubstratePluginInfo {
    pub plugin_version: u32,
    pub init: ::core::option::Option<unsafe extern "C" fn() -> ::core::ffi::c_int>,
    pub assign_id: ::core::option::Option<unsafe extern "C" fn(pluginId: usize)>,
    pub init_mpp: ::core::option::Option<unsafe extern "C" fn()>,
    pub finalize: ::core::option::Option<unsafe extern "C" fn()>,
    pub create_location: ::core::option::Option<
        unsafe extern "C" fn(
            location: *const SCOREP_Location,
            parentLocation: *const SCOREP_Location,
        ),
    >,
    pub activate_cpu_location: ::core::option::Option<
        unsafe extern "C" fn(
            location: *const SCOREP_Location,
            parentLocation: *const SCOREP_Location,
            forkSequenceCount: u32,
        ),
    >,
    pub deactivate_cpu_location: ::core::option::Option<
        unsafe extern "C" fn(
            location: *const SCOREP_Location,
            parentLocation: *const SCOREP_Location,
        ),
    >,
    pub delete_location: ::core::option::Option<
        unsafe extern "C" fn(location: *const SCOREP_Location),
    >,
    pub pre_unify: ::core::option::Option<unsafe extern "C" fn()>,
    pub write_data: ::core::option::Option<unsafe extern "C" fn()>,
    pub core_task_create: ::core::option::Option<
        unsafe extern "C" fn(
            location: *const SCOREP_Location,
            taskHandle: SCOREP_TaskHandle,
        ),
    >,
    pub core_task_complete: ::core::option::Option<
        unsafe extern "C" fn(
            location: *const SCOREP_Location,
            taskHandle: SCOREP_TaskHandle,
        ),
    >,
    pub new_definition_handle: ::core::option::Option<
        unsafe extern "C" fn(handle: SCOREP_AnyHandle, type_: SCOREP_HandleType),
    >,
    pub get_event_functions: ::core::option::Option<
        unsafe extern "C" fn(
            mode: SCOREP_Substrates_Mode,
            functions: *mut *mut SCOREP_Substrates_Callback,
        ) -> u32,
    >,
    pub set_callbacks: ::core::option::Option<
        unsafe extern "C" fn(
            callbacks: *const SCOREP_SubstratePluginCallbacks,
            size: usize,
        ),
    >,
    pub get_requirement: ::core::option::Option<
        unsafe extern "C" fn(flag: SCOREP_Substrates_RequirementFlag) -> bool,
    >,
    pub dump_manifest: ::core::option::Option<
        unsafe extern "C" fn(
            manifestFile: *mut FILE,
            relativeSourceDir: *const ::core::ffi::c_char,
            targetDir: *const ::core::ffi::c_char,
        ),
    >,
    pub undeclared: [::core::option::Option<unsafe extern "C" fn()>; 99usize],
}
