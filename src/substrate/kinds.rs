//! Enumerations and flags of the plugin interface.
//!
//! A host may pass values that no released Score-P defines, so each kind is a newtype over the
//! integer with one constant per known value. The numbers are those of the bindings. Unknown ones
//! are preserved and printed as numbers.

use crate::bindings;

/// Turns `Name(type) { KNOWN = number, its name; … }` into a newtype with these constants,
/// `name()` and `Debug`.
macro_rules! kind {
    ($(#[$doc:meta])* $kind:ident($raw:ty) { $($(#[$known_doc:meta])* $known:ident = $number:expr, $name:expr;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $kind(pub $raw);

        impl $kind {
            $(
                $(#[$known_doc])*
                pub const $known: Self = Self($number);
            )*

            /// The name of the number, which is that of the C interface if it has one, or `None`
            /// for a number without a constant.
            pub fn name(self) -> Option<&'static str> {
                $(if self == Self::$known {
                    return Some($name);
                })*
                None
            }
        }

        impl core::fmt::Debug for $kind {
            fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self.name() {
                    Some(name) => formatter.write_str(name),
                    None => write!(formatter, concat!(stringify!($kind), "({})"), self.0),
                }
            }
        }
    };
}
pub(crate) use kind;

/// Turns `Name: C_TYPE { KNOWN = C_CONSTANT, … }` into such newtypes.
///
/// ```text
/// LockType: SCOREP_LockType { EXCLUSIVE = SCOREP_LOCK_EXCLUSIVE }
///
/// pub struct LockType(pub u32);
/// impl LockType { pub const EXCLUSIVE: Self = Self(bindings::SCOREP_LOCK_EXCLUSIVE); … }
/// ```
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident: $raw:ident { $($known:ident = $constant:ident,)* })*) => {$(
        kind! {
            $(#[$doc])*
            $kind(bindings::$raw) {
                $(
                    #[doc = concat!("`", stringify!($constant), "`")]
                    $known = bindings::$constant, stringify!($constant);
                )*
            }
        }
    )*};
}

/// Declares the test for bits of a flag set.
macro_rules! flags {
    ($($kind:ident)*) => {$(
        impl $kind {
            /// Whether every bit of `other` is set here.
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }
        }
    )*};
}
pub(crate) use flags;

flags! { RmaSyncLevel IoCreationFlags IoStatusFlags IoOperationFlags CommunicatorFlags RmaWindowFlags }

kinds! {
    /// The type of a location.
    LocationType: SCOREP_LocationType {
        CPU_THREAD = SCOREP_LOCATION_TYPE_CPU_THREAD,
        GPU = SCOREP_LOCATION_TYPE_GPU,
        METRIC = SCOREP_LOCATION_TYPE_METRIC,
        INVALID = SCOREP_INVALID_LOCATION_TYPE,
    }
    /// How a paradigm creates processes and threads.
    ParadigmClass: SCOREP_ParadigmClass {
        MPP = SCOREP_PARADIGM_CLASS_MPP,
        THREAD_FORK_JOIN = SCOREP_PARADIGM_CLASS_THREAD_FORK_JOIN,
        THREAD_CREATE_WAIT = SCOREP_PARADIGM_CLASS_THREAD_CREATE_WAIT,
        ACCELERATOR = SCOREP_PARADIGM_CLASS_ACCELERATOR,
        INVALID = SCOREP_INVALID_PARADIGM_CLASS,
    }
    /// The paradigm that reports a region or a thread event.
    ParadigmType: SCOREP_ParadigmType {
        MEASUREMENT = SCOREP_PARADIGM_MEASUREMENT,
        USER = SCOREP_PARADIGM_USER,
        COMPILER = SCOREP_PARADIGM_COMPILER,
        SAMPLING = SCOREP_PARADIGM_SAMPLING,
        MEMORY = SCOREP_PARADIGM_MEMORY,
        LIBWRAP = SCOREP_PARADIGM_LIBWRAP,
        MPI = SCOREP_PARADIGM_MPI,
        SHMEM = SCOREP_PARADIGM_SHMEM,
        OPENMP = SCOREP_PARADIGM_OPENMP,
        PTHREAD = SCOREP_PARADIGM_PTHREAD,
        ORPHAN_THREAD = SCOREP_PARADIGM_ORPHAN_THREAD,
        CUDA = SCOREP_PARADIGM_CUDA,
        OPENCL = SCOREP_PARADIGM_OPENCL,
        OPENACC = SCOREP_PARADIGM_OPENACC,
        IO = SCOREP_PARADIGM_IO,
        KOKKOS = SCOREP_PARADIGM_KOKKOS,
        HIP = SCOREP_PARADIGM_HIP,
        OPENMP_TARGET = SCOREP_PARADIGM_OPENMP_TARGET,
        INVALID = SCOREP_INVALID_PARADIGM_TYPE,
    }
    /// The type of a region.
    RegionType: SCOREP_RegionType {
        UNKNOWN = SCOREP_REGION_UNKNOWN,
        FUNCTION = SCOREP_REGION_FUNCTION,
        LOOP = SCOREP_REGION_LOOP,
        USER = SCOREP_REGION_USER,
        CODE = SCOREP_REGION_CODE,
        PHASE = SCOREP_REGION_PHASE,
        DYNAMIC = SCOREP_REGION_DYNAMIC,
        DYNAMIC_PHASE = SCOREP_REGION_DYNAMIC_PHASE,
        DYNAMIC_LOOP = SCOREP_REGION_DYNAMIC_LOOP,
        DYNAMIC_FUNCTION = SCOREP_REGION_DYNAMIC_FUNCTION,
        DYNAMIC_LOOP_PHASE = SCOREP_REGION_DYNAMIC_LOOP_PHASE,
        COLL_ONE2ALL = SCOREP_REGION_COLL_ONE2ALL,
        COLL_ALL2ONE = SCOREP_REGION_COLL_ALL2ONE,
        COLL_ALL2ALL = SCOREP_REGION_COLL_ALL2ALL,
        COLL_OTHER = SCOREP_REGION_COLL_OTHER,
        POINT2POINT = SCOREP_REGION_POINT2POINT,
        PARALLEL = SCOREP_REGION_PARALLEL,
        SECTIONS = SCOREP_REGION_SECTIONS,
        SECTION = SCOREP_REGION_SECTION,
        WORKSHARE = SCOREP_REGION_WORKSHARE,
        SINGLE = SCOREP_REGION_SINGLE,
        MASTER = SCOREP_REGION_MASTER,
        CRITICAL = SCOREP_REGION_CRITICAL,
        ATOMIC = SCOREP_REGION_ATOMIC,
        BARRIER = SCOREP_REGION_BARRIER,
        IMPLICIT_BARRIER = SCOREP_REGION_IMPLICIT_BARRIER,
        FLUSH = SCOREP_REGION_FLUSH,
        CRITICAL_SBLOCK = SCOREP_REGION_CRITICAL_SBLOCK,
        SINGLE_SBLOCK = SCOREP_REGION_SINGLE_SBLOCK,
        WRAPPER = SCOREP_REGION_WRAPPER,
        TASK = SCOREP_REGION_TASK,
        TASK_UNTIED = SCOREP_REGION_TASK_UNTIED,
        TASK_WAIT = SCOREP_REGION_TASK_WAIT,
        TASK_CREATE = SCOREP_REGION_TASK_CREATE,
        ORDERED = SCOREP_REGION_ORDERED,
        ORDERED_SBLOCK = SCOREP_REGION_ORDERED_SBLOCK,
        ARTIFICIAL = SCOREP_REGION_ARTIFICIAL,
        RMA = SCOREP_REGION_RMA,
        THREAD_CREATE = SCOREP_REGION_THREAD_CREATE,
        THREAD_WAIT = SCOREP_REGION_THREAD_WAIT,
        ALLOCATE = SCOREP_REGION_ALLOCATE,
        DEALLOCATE = SCOREP_REGION_DEALLOCATE,
        REALLOCATE = SCOREP_REGION_REALLOCATE,
        FILE_IO = SCOREP_REGION_FILE_IO,
        FILE_IO_METADATA = SCOREP_REGION_FILE_IO_METADATA,
        KERNEL_LAUNCH = SCOREP_REGION_KERNEL_LAUNCH,
        KERNEL = SCOREP_REGION_KERNEL,
        DATA_TRANSFER = SCOREP_REGION_DATA_TRANSFER,
        INVALID = SCOREP_INVALID_REGION_TYPE,
    }
    /// The type of a parameter's values.
    ParameterType: SCOREP_ParameterType {
        INT64 = SCOREP_PARAMETER_INT64,
        UINT64 = SCOREP_PARAMETER_UINT64,
        STRING = SCOREP_PARAMETER_STRING,
        INVALID = SCOREP_INVALID_PARAMETER_TYPE,
    }
    /// A collective operation of MPI or SHMEM.
    CollectiveType: SCOREP_CollectiveType {
        BARRIER = SCOREP_COLLECTIVE_BARRIER,
        BROADCAST = SCOREP_COLLECTIVE_BROADCAST,
        GATHER = SCOREP_COLLECTIVE_GATHER,
        GATHERV = SCOREP_COLLECTIVE_GATHERV,
        SCATTER = SCOREP_COLLECTIVE_SCATTER,
        SCATTERV = SCOREP_COLLECTIVE_SCATTERV,
        ALLGATHER = SCOREP_COLLECTIVE_ALLGATHER,
        ALLGATHERV = SCOREP_COLLECTIVE_ALLGATHERV,
        ALLTOALL = SCOREP_COLLECTIVE_ALLTOALL,
        ALLTOALLV = SCOREP_COLLECTIVE_ALLTOALLV,
        ALLTOALLW = SCOREP_COLLECTIVE_ALLTOALLW,
        ALLREDUCE = SCOREP_COLLECTIVE_ALLREDUCE,
        REDUCE = SCOREP_COLLECTIVE_REDUCE,
        REDUCE_SCATTER = SCOREP_COLLECTIVE_REDUCE_SCATTER,
        REDUCE_SCATTER_BLOCK = SCOREP_COLLECTIVE_REDUCE_SCATTER_BLOCK,
        SCAN = SCOREP_COLLECTIVE_SCAN,
        EXSCAN = SCOREP_COLLECTIVE_EXSCAN,
        CREATE_HANDLE = SCOREP_COLLECTIVE_CREATE_HANDLE,
        DESTROY_HANDLE = SCOREP_COLLECTIVE_DESTROY_HANDLE,
        ALLOCATE = SCOREP_COLLECTIVE_ALLOCATE,
        DEALLOCATE = SCOREP_COLLECTIVE_DEALLOCATE,
        CREATE_HANDLE_AND_ALLOCATE = SCOREP_COLLECTIVE_CREATE_HANDLE_AND_ALLOCATE,
        DESTROY_HANDLE_AND_DEALLOCATE = SCOREP_COLLECTIVE_DESTROY_HANDLE_AND_DEALLOCATE,
    }
    /// The type of a lock of a window or a file.
    LockType: SCOREP_LockType {
        EXCLUSIVE = SCOREP_LOCK_EXCLUSIVE,
        SHARED = SCOREP_LOCK_SHARED,
        INVALID = SCOREP_INVALID_LOCK_TYPE,
    }
    /// The type of an RMA synchronisation with one process.
    RmaSyncType: SCOREP_RmaSyncType {
        MEMORY = SCOREP_RMA_SYNC_TYPE_MEMORY,
        NOTIFY_IN = SCOREP_RMA_SYNC_TYPE_NOTIFY_IN,
        NOTIFY_OUT = SCOREP_RMA_SYNC_TYPE_NOTIFY_OUT,
        INVALID = SCOREP_INVALID_RMA_SYNC_TYPE,
    }
    /// The extent of an RMA synchronisation.
    RmaSyncLevel: SCOREP_RmaSyncLevel {
        NONE = SCOREP_RMA_SYNC_LEVEL_NONE,
        PROCESS = SCOREP_RMA_SYNC_LEVEL_PROCESS,
        MEMORY = SCOREP_RMA_SYNC_LEVEL_MEMORY,
    }
    /// The type of an RMA atomic operation.
    RmaAtomicType: SCOREP_RmaAtomicType {
        ACCUMULATE = SCOREP_RMA_ATOMIC_TYPE_ACCUMULATE,
        INCREMENT = SCOREP_RMA_ATOMIC_TYPE_INCREMENT,
        TEST_AND_SET = SCOREP_RMA_ATOMIC_TYPE_TEST_AND_SET,
        COMPARE_AND_SWAP = SCOREP_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP,
        SWAP = SCOREP_RMA_ATOMIC_TYPE_SWAP,
        FETCH_AND_ADD = SCOREP_RMA_ATOMIC_TYPE_FETCH_AND_ADD,
        FETCH_AND_INCREMENT = SCOREP_RMA_ATOMIC_TYPE_FETCH_AND_INCREMENT,
        ADD = SCOREP_RMA_ATOMIC_TYPE_ADD,
        FETCH_AND_ACCUMULATE = SCOREP_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE,
        INVALID = SCOREP_INVALID_RMA_ATOMIC_TYPE,
    }
    /// The source of a metric.
    MetricSourceType: SCOREP_MetricSourceType {
        PAPI = SCOREP_METRIC_SOURCE_TYPE_PAPI,
        RUSAGE = SCOREP_METRIC_SOURCE_TYPE_RUSAGE,
        USER = SCOREP_METRIC_SOURCE_TYPE_USER,
        OTHER = SCOREP_METRIC_SOURCE_TYPE_OTHER,
        TASK = SCOREP_METRIC_SOURCE_TYPE_TASK,
        PLUGIN = SCOREP_METRIC_SOURCE_TYPE_PLUGIN,
        PERF = SCOREP_METRIC_SOURCE_TYPE_PERF,
        INVALID = SCOREP_INVALID_METRIC_SOURCE_TYPE,
    }
    /// How a profile aggregates a metric.
    MetricProfilingType: SCOREP_MetricProfilingType {
        EXCLUSIVE = SCOREP_METRIC_PROFILING_TYPE_EXCLUSIVE,
        INCLUSIVE = SCOREP_METRIC_PROFILING_TYPE_INCLUSIVE,
        SIMPLE = SCOREP_METRIC_PROFILING_TYPE_SIMPLE,
        MAX = SCOREP_METRIC_PROFILING_TYPE_MAX,
        MIN = SCOREP_METRIC_PROFILING_TYPE_MIN,
        INVALID = SCOREP_INVALID_METRIC_PROFILING_TYPE,
    }
    /// The type of a metric's values, which are stored in 64 bits.
    MetricValueType: SCOREP_MetricValueType {
        INT64 = SCOREP_METRIC_VALUE_INT64,
        UINT64 = SCOREP_METRIC_VALUE_UINT64,
        DOUBLE = SCOREP_METRIC_VALUE_DOUBLE,
        INVALID = SCOREP_INVALID_METRIC_VALUE_TYPE,
    }
    /// The time range that a metric's value refers to.
    MetricMode: SCOREP_MetricMode {
        ACCUMULATED_START = SCOREP_METRIC_MODE_ACCUMULATED_START,
        ACCUMULATED_POINT = SCOREP_METRIC_MODE_ACCUMULATED_POINT,
        ACCUMULATED_LAST = SCOREP_METRIC_MODE_ACCUMULATED_LAST,
        ACCUMULATED_NEXT = SCOREP_METRIC_MODE_ACCUMULATED_NEXT,
        ABSOLUTE_POINT = SCOREP_METRIC_MODE_ABSOLUTE_POINT,
        ABSOLUTE_LAST = SCOREP_METRIC_MODE_ABSOLUTE_LAST,
        ABSOLUTE_NEXT = SCOREP_METRIC_MODE_ABSOLUTE_NEXT,
        RELATIVE_POINT = SCOREP_METRIC_MODE_RELATIVE_POINT,
        RELATIVE_LAST = SCOREP_METRIC_MODE_RELATIVE_LAST,
        RELATIVE_NEXT = SCOREP_METRIC_MODE_RELATIVE_NEXT,
        INVALID = SCOREP_INVALID_METRIC_MODE,
    }
    /// The base of the scale of a metric or a period.
    MetricBase: SCOREP_MetricBase {
        BINARY = SCOREP_METRIC_BASE_BINARY,
        DECIMAL = SCOREP_METRIC_BASE_DECIMAL,
        INVALID = SCOREP_INVALID_METRIC_BASE,
    }
    /// The scope of a scoped sampling set.
    MetricScope: SCOREP_MetricScope {
        LOCATION = SCOREP_METRIC_SCOPE_LOCATION,
        LOCATION_GROUP = SCOREP_METRIC_SCOPE_LOCATION_GROUP,
        SYSTEM_TREE_NODE = SCOREP_METRIC_SCOPE_SYSTEM_TREE_NODE,
        GROUP = SCOREP_METRIC_SCOPE_GROUP,
        INVALID = SCOREP_INVALID_METRIC_SCOPE,
    }
    /// When the values of a sampling set are written.
    MetricOccurrence: SCOREP_MetricOccurrence {
        SYNCHRONOUS_STRICT = SCOREP_METRIC_OCCURRENCE_SYNCHRONOUS_STRICT,
        SYNCHRONOUS = SCOREP_METRIC_OCCURRENCE_SYNCHRONOUS,
        ASYNCHRONOUS = SCOREP_METRIC_OCCURRENCE_ASYNCHRONOUS,
        INVALID = SCOREP_INVALID_METRIC_OCCURRENCE,
    }
    /// The kind of location that records a sampling set.
    SamplingSetClass: SCOREP_SamplingSetClass {
        ABSTRACT = SCOREP_SAMPLING_SET_ABSTRACT,
        CPU = SCOREP_SAMPLING_SET_CPU,
        GPU = SCOREP_SAMPLING_SET_GPU,
    }
    /// The flags of a communicator.
    CommunicatorFlags: SCOREP_CommunicatorFlag {
        NONE = SCOREP_COMMUNICATOR_FLAG_NONE,
        CREATE_DESTROY_EVENTS = SCOREP_COMMUNICATOR_FLAG_CREATE_DESTROY_EVENTS,
    }
    /// The flags of an RMA window.
    RmaWindowFlags: SCOREP_RmaWindowFlag {
        NONE = SCOREP_RMA_WINDOW_FLAG_NONE,
        CREATE_DESTROY_EVENTS = SCOREP_RMA_WINDOW_FLAG_CREATE_DESTROY_EVENTS,
    }
    /// The type of an I/O interface.
    IoParadigmType: SCOREP_IoParadigmType {
        POSIX = SCOREP_IO_PARADIGM_POSIX,
        ISOC = SCOREP_IO_PARADIGM_ISOC,
        MPI = SCOREP_IO_PARADIGM_MPI,
        INVALID = SCOREP_INVALID_IO_PARADIGM_TYPE,
    }
    /// How a file was opened.
    IoAccessMode: SCOREP_IoAccessMode {
        NONE = SCOREP_IO_ACCESS_MODE_NONE,
        READ_ONLY = SCOREP_IO_ACCESS_MODE_READ_ONLY,
        WRITE_ONLY = SCOREP_IO_ACCESS_MODE_WRITE_ONLY,
        READ_WRITE = SCOREP_IO_ACCESS_MODE_READ_WRITE,
        EXECUTE_ONLY = SCOREP_IO_ACCESS_MODE_EXECUTE_ONLY,
        SEARCH_ONLY = SCOREP_IO_ACCESS_MODE_SEARCH_ONLY,
    }
    /// The flags with which a file was opened.
    IoCreationFlags: SCOREP_IoCreationFlag {
        NONE = SCOREP_IO_CREATION_FLAG_NONE,
        CREATE = SCOREP_IO_CREATION_FLAG_CREATE,
        TRUNCATE = SCOREP_IO_CREATION_FLAG_TRUNCATE,
        DIRECTORY = SCOREP_IO_CREATION_FLAG_DIRECTORY,
        EXCLUSIVE = SCOREP_IO_CREATION_FLAG_EXCLUSIVE,
        NO_CONTROLLING_TERMINAL = SCOREP_IO_CREATION_FLAG_NO_CONTROLLING_TERMINAL,
        NO_FOLLOW = SCOREP_IO_CREATION_FLAG_NO_FOLLOW,
        PATH = SCOREP_IO_CREATION_FLAG_PATH,
        TEMPORARY_FILE = SCOREP_IO_CREATION_FLAG_TEMPORARY_FILE,
        LARGEFILE = SCOREP_IO_CREATION_FLAG_LARGEFILE,
        NO_SEEK = SCOREP_IO_CREATION_FLAG_NO_SEEK,
        UNIQUE = SCOREP_IO_CREATION_FLAG_UNIQUE,
    }
    /// The status flags of a handle.
    IoStatusFlags: SCOREP_IoStatusFlag {
        NONE = SCOREP_IO_STATUS_FLAG_NONE,
        CLOSE_ON_EXEC = SCOREP_IO_STATUS_FLAG_CLOSE_ON_EXEC,
        APPEND = SCOREP_IO_STATUS_FLAG_APPEND,
        NON_BLOCKING = SCOREP_IO_STATUS_FLAG_NON_BLOCKING,
        ASYNC = SCOREP_IO_STATUS_FLAG_ASYNC,
        SYNC = SCOREP_IO_STATUS_FLAG_SYNC,
        DATA_SYNC = SCOREP_IO_STATUS_FLAG_DATA_SYNC,
        AVOID_CACHING = SCOREP_IO_STATUS_FLAG_AVOID_CACHING,
        NO_ACCESS_TIME = SCOREP_IO_STATUS_FLAG_NO_ACCESS_TIME,
        DELETE_ON_CLOSE = SCOREP_IO_STATUS_FLAG_DELETE_ON_CLOSE,
    }
    /// The base of a seek.
    IoSeekOption: SCOREP_IoSeekOption {
        FROM_START = SCOREP_IO_SEEK_FROM_START,
        FROM_CURRENT = SCOREP_IO_SEEK_FROM_CURRENT,
        FROM_END = SCOREP_IO_SEEK_FROM_END,
        DATA = SCOREP_IO_SEEK_DATA,
        HOLE = SCOREP_IO_SEEK_HOLE,
        INVALID = SCOREP_IO_SEEK_INVALID,
    }
    /// The type of an I/O operation.
    IoOperationMode: SCOREP_IoOperationMode {
        READ = SCOREP_IO_OPERATION_MODE_READ,
        WRITE = SCOREP_IO_OPERATION_MODE_WRITE,
        FLUSH = SCOREP_IO_OPERATION_MODE_FLUSH,
    }
    /// The properties of an I/O operation.
    IoOperationFlags: SCOREP_IoOperationFlag {
        NONE = SCOREP_IO_OPERATION_FLAG_NONE,
        BLOCKING = SCOREP_IO_OPERATION_FLAG_BLOCKING,
        NON_BLOCKING = SCOREP_IO_OPERATION_FLAG_NON_BLOCKING,
        COLLECTIVE = SCOREP_IO_OPERATION_FLAG_COLLECTIVE,
        NON_COLLECTIVE = SCOREP_IO_OPERATION_FLAG_NON_COLLECTIVE,
    }
    /// A reduction.
    IpcOperation: SCOREP_Ipc_Operation {
        BAND = SCOREP_IPC_BAND,
        BOR = SCOREP_IPC_BOR,
        MIN = SCOREP_IPC_MIN,
        MAX = SCOREP_IPC_MAX,
        SUM = SCOREP_IPC_SUM,
    }
    /// The kind of an announced definition.
    HandleType: SCOREP_HandleType {
        ANY = SCOREP_HANDLE_TYPE_ANY,
        CALLING_CONTEXT = SCOREP_HANDLE_TYPE_CALLING_CONTEXT,
        GROUP = SCOREP_HANDLE_TYPE_GROUP,
        INTERIM_COMMUNICATOR = SCOREP_HANDLE_TYPE_INTERIM_COMMUNICATOR,
        INTERRUPT_GENERATOR = SCOREP_HANDLE_TYPE_INTERRUPT_GENERATOR,
        LOCATION = SCOREP_HANDLE_TYPE_LOCATION,
        LOCATION_GROUP = SCOREP_HANDLE_TYPE_LOCATION_GROUP,
        LOCATION_PROPERTY = SCOREP_HANDLE_TYPE_LOCATION_PROPERTY,
        METRIC = SCOREP_HANDLE_TYPE_METRIC,
        PARADIGM = SCOREP_HANDLE_TYPE_PARADIGM,
        PARAMETER = SCOREP_HANDLE_TYPE_PARAMETER,
        REGION = SCOREP_HANDLE_TYPE_REGION,
        RMA_WINDOW = SCOREP_HANDLE_TYPE_RMA_WINDOW,
        SAMPLING_SET = SCOREP_HANDLE_TYPE_SAMPLING_SET,
        SAMPLING_SET_RECORDER = SCOREP_HANDLE_TYPE_SAMPLING_SET_RECORDER,
        SOURCE_CODE_LOCATION = SCOREP_HANDLE_TYPE_SOURCE_CODE_LOCATION,
        SOURCE_FILE = SCOREP_HANDLE_TYPE_SOURCE_FILE,
        STRING = SCOREP_HANDLE_TYPE_STRING,
        SYSTEM_TREE_NODE = SCOREP_HANDLE_TYPE_SYSTEM_TREE_NODE,
        SYSTEM_TREE_NODE_PROPERTY = SCOREP_HANDLE_TYPE_SYSTEM_TREE_NODE_PROPERTY,
        CARTESIAN_TOPOLOGY = SCOREP_HANDLE_TYPE_CARTESIAN_TOPOLOGY,
        CARTESIAN_COORDS = SCOREP_HANDLE_TYPE_CARTESIAN_COORDS,
        IO_FILE = SCOREP_HANDLE_TYPE_IO_FILE,
        IO_FILE_PROPERTY = SCOREP_HANDLE_TYPE_IO_FILE_PROPERTY,
        IO_HANDLE = SCOREP_HANDLE_TYPE_IO_HANDLE,
        IO_PARADIGM = SCOREP_HANDLE_TYPE_IO_PARADIGM,
    }
    /// A requirement that the host queries with `get_requirement`.
    Requirement: SCOREP_Substrates_RequirementFlag {
        CREATE_EXPERIMENT_DIRECTORY = SCOREP_SUBSTRATES_REQUIREMENT_CREATE_EXPERIMENT_DIRECTORY,
        PREVENT_ASYNC_METRICS = SCOREP_SUBSTRATES_REQUIREMENT_PREVENT_ASYNC_METRICS,
        PREVENT_PER_HOST_AND_ONCE_METRICS = SCOREP_SUBSTRATES_REQUIREMENT_PREVENT_PER_HOST_AND_ONCE_METRICS,
    }
}
