//! Enumerations: newtypes over an integer, so that values newer than this crate survive a round
//! trip.
//!
//! On the wire every enumeration is one plain byte. The constants have the names of the C interface
//! without their prefix.

use super::references::Space;
use std::fmt;

// Input:
//     /// The type of a lock.
//     LockType: u8 { EXCLUSIVE = 0, SHARED = 1, }
// Expansion: `pub struct LockType(pub u8)` with the constants, `VALUES` (all of them), `name()` and
// `Display` (the number if the value is unknown).
macro_rules! define {
    ($($(#[$doc:meta])* $name:ident: $int:tt { $($value:ident = $number:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[repr(transparent)]
        pub struct $name(pub $int);

        #[allow(missing_docs)]
        impl $name {
            $(pub const $value: $name = $name($number);)*
        }

        impl $name {
            /// All known values, in the order of the C header.
            pub const VALUES: &'static [$name] = &[$($name::$value),*];

            /// Returns the name of the value, if it is known.
            pub fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($number => Some(stringify!($value)),)*
                    _ => None,
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.name() {
                    Some(name) => f.write_str(name),
                    None => write!(f, "UNKNOWN ({})", self.0),
                }
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    )*};
}

/// Passes all enumerations to a macro.
#[macro_export]
macro_rules! for_each_enum {
    ($macro:ident) => {
        $macro! {
            /// A truth value.
            Boolean: u8 {
                FALSE = 0,
                TRUE = 1,
            }

            /// The kind of a file of an archive.
            FileType: u8 {
                ANCHOR = 0,
                GLOBAL_DEFS = 1,
                LOCAL_DEFS = 2,
                EVENTS = 3,
                SNAPSHOTS = 4,
                THUMBNAIL = 5,
                MARKER = 6,
                SIONRANKMAP = 7,
            }

            /// How the files of an archive are stored.
            FileSubstrate: u8 {
                UNDEFINED = 0,
                POSIX = 1,
                SION = 2,
                NONE = 3,
            }

            /// The kind of ids that a mapping table maps.
            MappingType: u8 {
                STRING = 0,
                ATTRIBUTE = 1,
                LOCATION = 2,
                REGION = 3,
                GROUP = 4,
                METRIC = 5,
                COMM = 6,
                PARAMETER = 7,
                RMA_WIN = 8,
                SOURCE_CODE_LOCATION = 9,
                CALLING_CONTEXT = 10,
                INTERRUPT_GENERATOR = 11,
                IO_FILE = 12,
                IO_HANDLE = 13,
                LOCATION_GROUP = 14,
            }

            /// The type of a tagged value.
            Type: u8 {
                NONE = 0,
                UINT8 = 1,
                UINT16 = 2,
                UINT32 = 3,
                UINT64 = 4,
                INT8 = 5,
                INT16 = 6,
                INT32 = 7,
                INT64 = 8,
                FLOAT = 9,
                DOUBLE = 10,
                STRING = 11,
                ATTRIBUTE = 12,
                LOCATION = 13,
                REGION = 14,
                GROUP = 15,
                METRIC = 16,
                COMM = 17,
                PARAMETER = 18,
                RMA_WIN = 19,
                SOURCE_CODE_LOCATION = 20,
                CALLING_CONTEXT = 21,
                INTERRUPT_GENERATOR = 22,
                IO_FILE = 23,
                IO_HANDLE = 24,
                LOCATION_GROUP = 25,
            }

            /// A parallel paradigm, or the origin of a record.
            Paradigm: u8 {
                UNKNOWN = 0,
                USER = 1,
                COMPILER = 2,
                OPENMP = 3,
                MPI = 4,
                CUDA = 5,
                MEASUREMENT_SYSTEM = 6,
                PTHREAD = 7,
                HMPP = 8,
                OMPSS = 9,
                HARDWARE = 10,
                GASPI = 11,
                UPC = 12,
                SHMEM = 13,
                WINTHREAD = 14,
                QTTHREAD = 15,
                ACETHREAD = 16,
                TBBTHREAD = 17,
                OPENACC = 18,
                OPENCL = 19,
                MTAPI = 20,
                SAMPLING = 21,
                NONE = 22,
                HIP = 23,
                KOKKOS = 24,
                OPENMP_TARGET = 25,
            }

            /// The class of a paradigm.
            ParadigmClass: u8 {
                PROCESS = 0,
                THREAD_FORK_JOIN = 1,
                THREAD_CREATE_WAIT = 2,
                ACCELERATOR = 3,
            }

            /// A property of a paradigm.
            ParadigmProperty: u8 {
                COMM_NAME_TEMPLATE = 0,
                RMA_WIN_NAME_TEMPLATE = 1,
                RMA_ONLY = 2,
            }

            /// The kind of definitions that a thumbnail shows.
            ThumbnailType: u8 {
                REGION = 0,
                METRIC = 1,
                ATTRIBUTES = 2,
                COMM = 3,
                RMA_WIN = 4,
                IO_HANDLE = 5,
            }

            /// The domain of a system tree node.
            SystemTreeDomain: u8 {
                MACHINE = 0,
                SHARED_MEMORY = 1,
                NUMA = 2,
                SOCKET = 3,
                CACHE = 4,
                CORE = 5,
                PU = 6,
                ACCELERATOR_DEVICE = 7,
                NETWORKING_DEVICE = 8,
            }

            /// The type of a location group.
            LocationGroupType: u8 {
                UNKNOWN = 0,
                PROCESS = 1,
                ACCELERATOR = 2,
            }

            /// The type of a location.
            LocationType: u8 {
                UNKNOWN = 0,
                CPU_THREAD = 1,
                ACCELERATOR_STREAM = 2,
                METRIC = 3,
            }

            /// The role of a region.
            RegionRole: u8 {
                UNKNOWN = 0,
                FUNCTION = 1,
                WRAPPER = 2,
                LOOP = 3,
                CODE = 4,
                PARALLEL = 5,
                SECTIONS = 6,
                SECTION = 7,
                WORKSHARE = 8,
                SINGLE = 9,
                SINGLE_SBLOCK = 10,
                MASTER = 11,
                CRITICAL = 12,
                CRITICAL_SBLOCK = 13,
                ATOMIC = 14,
                BARRIER = 15,
                IMPLICIT_BARRIER = 16,
                FLUSH = 17,
                ORDERED = 18,
                ORDERED_SBLOCK = 19,
                TASK = 20,
                TASK_CREATE = 21,
                TASK_WAIT = 22,
                COLL_ONE2ALL = 23,
                COLL_ALL2ONE = 24,
                COLL_ALL2ALL = 25,
                COLL_OTHER = 26,
                FILE_IO = 27,
                POINT2POINT = 28,
                RMA = 29,
                DATA_TRANSFER = 30,
                ARTIFICIAL = 31,
                THREAD_CREATE = 32,
                THREAD_WAIT = 33,
                TASK_UNTIED = 34,
                ALLOCATE = 35,
                DEALLOCATE = 36,
                REALLOCATE = 37,
                FILE_IO_METADATA = 38,
                CANCEL = 39,
                KERNEL = 40,
            }

            /// The type of a group.
            GroupType: u8 {
                UNKNOWN = 0,
                LOCATIONS = 1,
                REGIONS = 2,
                METRIC = 3,
                COMM_LOCATIONS = 4,
                COMM_GROUP = 5,
                COMM_SELF = 6,
                COMM_LOCATION_GROUPS = 7,
            }

            /// The base of a scale.
            Base: u8 {
                BINARY = 0,
                DECIMAL = 1,
            }

            /// When the values of a metric class are recorded.
            MetricOccurrence: u8 {
                SYNCHRONOUS_STRICT = 0,
                SYNCHRONOUS = 1,
                ASYNCHRONOUS = 2,
            }

            /// The source of a metric.
            MetricType: u8 {
                OTHER = 0,
                PAPI = 1,
                RUSAGE = 2,
                USER = 3,
            }

            /// How values of a metric relate to each other (low half of the mode).
            MetricValueProperty: u8 {
                ACCUMULATED = 0,
                ABSOLUTE = 1,
                RELATIVE = 2,
            }

            /// The time to which a metric value refers (high half of the mode).
            MetricTiming: u8 {
                START = 0,
                POINT = 16,
                LAST = 32,
                NEXT = 48,
            }

            /// The mode of a metric: value property and timing.
            MetricMode: u8 {
                ACCUMULATED_START = 0,
                ACCUMULATED_POINT = 16,
                ACCUMULATED_LAST = 32,
                ACCUMULATED_NEXT = 48,
                ABSOLUTE_POINT = 17,
                ABSOLUTE_LAST = 33,
                ABSOLUTE_NEXT = 49,
                RELATIVE_POINT = 18,
                RELATIVE_LAST = 34,
                RELATIVE_NEXT = 50,
            }

            /// The kind of object to which a metric instance refers.
            MetricScope: u8 {
                LOCATION = 0,
                LOCATION_GROUP = 1,
                SYSTEM_TREE_NODE = 2,
                GROUP = 3,
            }

            /// The kind of location that records a metric class.
            RecorderKind: u8 {
                UNKNOWN = 0,
                ABSTRACT = 1,
                CPU = 2,
                GPU = 3,
            }

            /// The type of a parameter.
            ParameterType: u8 {
                STRING = 0,
                INT64 = 1,
                UINT64 = 2,
            }

            /// Whether a dimension wraps around.
            CartPeriodicity: u8 {
                FALSE = 0,
                TRUE = 1,
            }

            /// The unit that an interrupt generator counts.
            InterruptGeneratorMode: u8 {
                TIME = 0,
                COUNT = 1,
            }

            /// Whether the measurement is on.
            MeasurementMode: u8 {
                ON = 1,
                OFF = 2,
            }

            /// A collective operation.
            CollectiveOp: u8 {
                BARRIER = 0,
                BCAST = 1,
                GATHER = 2,
                GATHERV = 3,
                SCATTER = 4,
                SCATTERV = 5,
                ALLGATHER = 6,
                ALLGATHERV = 7,
                ALLTOALL = 8,
                ALLTOALLV = 9,
                ALLTOALLW = 10,
                ALLREDUCE = 11,
                REDUCE = 12,
                REDUCE_SCATTER = 13,
                SCAN = 14,
                EXSCAN = 15,
                REDUCE_SCATTER_BLOCK = 16,
                CREATE_HANDLE = 17,
                DESTROY_HANDLE = 18,
                ALLOCATE = 19,
                DEALLOCATE = 20,
                CREATE_HANDLE_AND_ALLOCATE = 21,
                DESTROY_HANDLE_AND_DEALLOCATE = 22,
            }

            /// The kind of synchronisation of a window.
            RmaSyncType: u8 {
                MEMORY = 0,
                NOTIFY_IN = 1,
                NOTIFY_OUT = 2,
            }

            /// The type of a lock.
            LockType: u8 {
                EXCLUSIVE = 0,
                SHARED = 1,
            }

            /// An atomic operation.
            RmaAtomicType: u8 {
                ACCUMULATE = 0,
                INCREMENT = 1,
                TEST_AND_SET = 2,
                COMPARE_AND_SWAP = 3,
                SWAP = 4,
                FETCH_AND_ADD = 5,
                FETCH_AND_INCREMENT = 6,
                FETCH_AND_ACCUMULATE = 7,
            }

            /// The class of an I/O paradigm.
            IoParadigmClass: u8 {
                SERIAL = 0,
                PARALLEL = 1,
            }

            /// A property of an I/O paradigm.
            IoParadigmProperty: u8 {
                VERSION = 0,
            }

            /// The access mode of an I/O handle.
            IoAccessMode: u8 {
                READ_ONLY = 0,
                WRITE_ONLY = 1,
                READ_WRITE = 2,
                EXECUTE_ONLY = 3,
                SEARCH_ONLY = 4,
            }

            /// The position to which the offset of a seek is relative.
            IoSeekOption: u8 {
                FROM_START = 0,
                FROM_CURRENT = 1,
                FROM_END = 2,
                DATA = 3,
                HOLE = 4,
            }

            /// The kind of an I/O operation.
            IoOperationMode: u8 {
                READ = 0,
                WRITE = 1,
                FLUSH = 2,
            }

            /// The special values of the root of a collective operation.
            CollectiveRoot: u32 {
                NONE = 4294967295,
                SELF = 4294967294,
                THIS_GROUP = 4294967293,
            }

            /// The special values of the generation number of a task.
            TaskGenerationNumber: u32 {
                IMPLICIT = 0,
            }

            /// The type of a region up to OTF2 1.0, still on the wire.
            RegionType: u8 {
                UNKNOWN = 0,
                FUNCTION = 1,
                LOOP = 2,
                USER_REGION = 3,
                FILE = 4,
                OMP_PARALLEL = 5,
                OMP_LOOP = 6,
                OMP_SECTIONS = 7,
                OMP_SECTION = 8,
                OMP_WORKSHARE = 9,
                OMP_SINGLE = 10,
                OMP_MASTER = 11,
                OMP_CRITICAL = 12,
                OMP_ATOMIC = 13,
                OMP_BARRIER = 14,
                OMP_IBARRIER = 15,
                OMP_FLUSH = 16,
                OMP_CRITICAL_SBLOCK = 17,
                OMP_SINGLE_SBLOCK = 18,
                OMP_WRAPPER = 19,
                OMP_TASK = 20,
                OMP_TASK_WAIT = 21,
                MPI_COLL_BARRIER = 22,
                MPI_COLL_ONE2ALL = 23,
                MPI_COLL_ALL2ONE = 24,
                MPI_COLL_ALL2ALL = 25,
                MPI_COLL_OTHER = 26,
                PHASE = 27,
                DYNAMIC = 28,
                DYNAMIC_PHASE = 29,
                DYNAMIC_LOOP = 30,
                DYNAMIC_FUNCTION = 31,
                DYNAMIC_LOOP_PHASE = 32,
                OMP_TASK_CREATE = 33,
                OMP_ORDERED = 34,
                OMP_ORDERED_SBLOCK = 35,
            }

            /// The type of a group up to OTF2 1.1, still on the wire.
            GroupTypePre12: u8 {
                UNKNOWN = 0,
                LOCATIONS = 1,
                REGIONS = 2,
                METRIC = 3,
                MPI_GROUP = 4,
                MPI_COMM_SELF = 5,
                MPI_LOCATIONS = 6,
            }

            /// The mode in which an archive is opened; not on the wire.
            FileMode: u8 {
                WRITE = 0,
                READ = 1,
                MODIFY = 2,
            }

            /// The compression of an archive.
            Compression: u8 {
                UNDEFINED = 0,
                NONE = 1,
                ZLIB = 2,
            }

            /// Whether a buffer may be flushed; not on the wire.
            FlushType: u8 {
                NO_FLUSH = 0,
                FLUSH = 1,
            }

            /// A hint to a reader; not on the wire.
            Hint: u8 {
                GLOBAL_READER = 0,
            }

            /// The layout of an id map.
            IdMapMode: u8 {
                DENSE = 0,
                SPARSE = 1,
            }

            /// The severity of a marker.
            MarkerSeverity: u8 {
                NONE = 0,
                LOW = 1,
                MEDIUM = 2,
                HIGH = 3,
            }

            /// The kind of object to which a marker refers.
            MarkerScope: u8 {
                GLOBAL = 0,
                LOCATION = 1,
                LOCATION_GROUP = 2,
                SYSTEM_TREE_NODE = 3,
                GROUP = 4,
                COMM = 5,
            }
        }
    };
}
for_each_enum!(define);

impl GroupType {
    /// Returns whether a group of this type lists all members of a paradigm. Groups of
    /// communicators refer to them by index.
    #[inline]
    pub fn lists_paradigm(self) -> bool {
        matches!(self, GroupType::COMM_LOCATIONS | GroupType::COMM_LOCATION_GROUPS)
    }

    /// Returns the id space of the members of a group of this type, if they are ids of locations,
    /// location groups or regions.
    #[inline]
    pub fn member_space(self) -> Option<Space> {
        match self {
            GroupType::LOCATIONS | GroupType::COMM_LOCATIONS => Some(Space::Location),
            GroupType::COMM_LOCATION_GROUPS => Some(Space::LocationGroup),
            GroupType::REGIONS => Some(Space::Region),
            _ => None,
        }
    }
}

impl ThumbnailType {
    /// Returns the id space of the definitions that a thumbnail of this type shows, if the type is
    /// known.
    pub fn space(self) -> Option<Space> {
        Some(match self {
            ThumbnailType::REGION => Space::Region,
            ThumbnailType::METRIC => Space::Metric,
            ThumbnailType::ATTRIBUTES => Space::Attribute,
            ThumbnailType::COMM => Space::Comm,
            ThumbnailType::RMA_WIN => Space::RmaWin,
            ThumbnailType::IO_HANDLE => Space::IoHandle,
            _ => return None,
        })
    }
}
