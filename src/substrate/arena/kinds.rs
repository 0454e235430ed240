//! Enumerations and flags that are used only in definition memory; the plugin interface has no
//! names for them.
//!
//! As in the interface, each is a newtype over the number. Unknown values are preserved and printed
//! as numbers.

use crate::kinds::{flags, kind};

/// Turns `Name { KNOWN = number, … }` into such newtypes.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident { $($(#[$known_doc:meta])* $known:ident = $number:literal,)* })*) => {$(
        kind! {
            $(#[$doc])*
            $kind(u32) { $($(#[$known_doc])* $known = $number, stringify!($known);)* }
        }
    )*};
}

flags! { IoHandleFlags SystemTreeDomains ParadigmFlags IoParadigmFlags }

kinds! {
    /// The kind of a group's members, and the paradigm that made the group. In each pair, the
    /// members of `LOCATIONS` are global location ids, and those of the other group are indexes
    /// into it. `SELF` has no members. Members of MPI groups are world ranks.
    GroupType {
        /// Unknown.
        UNKNOWN = 0,
        /// Locations.
        LOCATIONS = 1,
        /// Regions.
        REGIONS = 2,
        /// Metrics.
        METRIC = 3,
        /// All locations of MPI.
        MPI_LOCATIONS = 4,
        /// The processes of a communicator.
        MPI_GROUP = 5,
        /// The group of communicators of a single process.
        MPI_SELF = 6,
        /// All locations of OpenMP.
        OPENMP_LOCATIONS = 7,
        /// A thread team.
        OPENMP_GROUP = 8,
        /// All locations of CUDA.
        CUDA_LOCATIONS = 9,
        /// The CUDA locations of one process.
        CUDA_GROUP = 10,
        /// All SHMEM processing elements.
        SHMEM_LOCATIONS = 11,
        /// A SHMEM active set.
        SHMEM_GROUP = 12,
        /// The group of SHMEM active sets of one element.
        SHMEM_SELF = 13,
        /// All locations of POSIX threads.
        PTHREAD_LOCATIONS = 14,
        /// The POSIX threads of one process.
        PTHREAD_GROUP = 15,
        /// All locations of OpenCL.
        OPENCL_LOCATIONS = 16,
        /// The OpenCL locations of one process.
        OPENCL_GROUP = 17,
        /// All locations of hardware topologies.
        HARDWARE_TOPOLOGY_LOCATIONS = 18,
        /// The locations of one hardware topology.
        HARDWARE_TOPOLOGY_GROUP = 19,
        /// All locations of the topology of processes and threads.
        PROCESS_TOPOLOGY_LOCATIONS = 20,
        /// The group of the topology of processes and threads.
        PROCESS_TOPOLOGY_GROUP = 21,
        /// All locations of user topologies.
        USER_TOPOLOGY_LOCATIONS = 22,
        /// The locations of one user topology.
        USER_TOPOLOGY_GROUP = 23,
        /// All locations of Kokkos.
        KOKKOS_LOCATIONS = 24,
        /// The Kokkos locations of one process.
        KOKKOS_GROUP = 25,
        /// All locations of HIP.
        HIP_LOCATIONS = 26,
        /// The HIP locations of one process.
        HIP_GROUP = 27,
    }
    /// The properties of an I/O handle.
    IoHandleFlags {
        /// No flag.
        NONE = 0,
        /// The handle existed before the program started.
        PRE_CREATED = 1,
        /// The handle represents all handles.
        ALL_PROXY = 2,
    }
    /// The kinds of a node of the system tree, with one bit for each.
    SystemTreeDomains {
        /// No kind.
        NONE = 0,
        /// A machine.
        MACHINE = 1,
        /// Processors that share memory, which users call a node.
        SHARED_MEMORY = 2,
        /// Processors with the same distance to memory.
        NUMA = 4,
        /// A socket.
        SOCKET = 8,
        /// Processors that share a cache.
        CACHE = 16,
        /// A core.
        CORE = 32,
        /// A processing unit.
        PU = 64,
        /// An accelerator; since Score-P 8.
        ACCELERATOR_DEVICE = 128,
        /// A network device; since Score-P 8.
        NETWORKING_DEVICE = 256,
    }
    /// The type of a location group.
    LocationGroupType {
        /// A process.
        PROCESS = 0,
        /// A context of an accelerator.
        ACCELERATOR = 1,
    }
    /// The unit in which the period of an interrupt generator is counted.
    InterruptGeneratorMode {
        /// Time.
        TIME = 0,
        /// Events.
        COUNT = 1,
    }
    /// The creator of a topology.
    TopologyType {
        /// MPI.
        MPI = 0,
        /// Processes and their threads.
        PROCESS = 1,
        /// The hardware.
        PLATFORM = 2,
        /// The user.
        USER = 3,
    }
    /// The properties of a paradigm.
    ParadigmFlags {
        /// No flag.
        NONE = 0,
        /// Its communicators are used only for one-sided communication.
        RMA_ONLY = 1,
    }
    /// Whether the processes use an I/O paradigm together.
    IoParadigmClass {
        /// Each process uses it separately.
        SERIAL = 0,
        /// Several processes use it together.
        PARALLEL = 1,
    }
    /// The properties of an I/O paradigm.
    IoParadigmFlags {
        /// No flag.
        NONE = 0,
        /// The I/O paradigm of the operating system.
        OS = 1,
    }
}
