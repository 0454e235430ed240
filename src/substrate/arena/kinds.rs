//! Enumerations and flags that only definition memory uses; the plugin interface has no names for them.
//!
//! As in the interface, each is a newtype over the number: unknown values survive unchanged and print as a number.

use crate::kinds::{flags, kind};

/// Turns `Name { KNOWN = number, … }` into such types.
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
    /// What the members of a group are, and who made it. Of each pair, the members of `LOCATIONS` are global location ids
    /// and those of the other are places in it; `SELF` has no members. Members of MPI groups are ranks in the world.
    GroupType {
        /// Not told.
        UNKNOWN = 0,
        /// Locations.
        LOCATIONS = 1,
        /// Regions.
        REGIONS = 2,
        /// Metrics.
        METRIC = 3,
        /// All locations of MPI.
        MPI_LOCATIONS = 4,
        /// Processes of a communicator.
        MPI_GROUP = 5,
        /// The group of communicators of a single process.
        MPI_SELF = 6,
        /// All locations of OpenMP.
        OPENMP_LOCATIONS = 7,
        /// A thread team.
        OPENMP_GROUP = 8,
        /// All locations of CUDA.
        CUDA_LOCATIONS = 9,
        /// Those of one process.
        CUDA_GROUP = 10,
        /// All processing elements.
        SHMEM_LOCATIONS = 11,
        /// An active set.
        SHMEM_GROUP = 12,
        /// The group of active sets of one element.
        SHMEM_SELF = 13,
        /// All locations of POSIX threads.
        PTHREAD_LOCATIONS = 14,
        /// Those of one process.
        PTHREAD_GROUP = 15,
        /// All locations of OpenCL.
        OPENCL_LOCATIONS = 16,
        /// Those of one process.
        OPENCL_GROUP = 17,
        /// All locations of hardware topologies.
        HARDWARE_TOPOLOGY_LOCATIONS = 18,
        /// Those of one topology.
        HARDWARE_TOPOLOGY_GROUP = 19,
        /// All locations of the topology of processes and threads.
        PROCESS_TOPOLOGY_LOCATIONS = 20,
        /// The group of that topology.
        PROCESS_TOPOLOGY_GROUP = 21,
        /// All locations of topologies of the user.
        USER_TOPOLOGY_LOCATIONS = 22,
        /// Those of one topology.
        USER_TOPOLOGY_GROUP = 23,
        /// All locations of Kokkos.
        KOKKOS_LOCATIONS = 24,
        /// Those of one process.
        KOKKOS_GROUP = 25,
        /// All locations of HIP.
        HIP_LOCATIONS = 26,
        /// Those of one process.
        HIP_GROUP = 27,
    }
    /// Properties of an I/O handle.
    IoHandleFlags {
        /// No flag.
        NONE = 0,
        /// Existed before the program started.
        PRE_CREATED = 1,
        /// Stands for all handles.
        ALL_PROXY = 2,
    }
    /// What a node of the system tree is: one bit for each.
    SystemTreeDomains {
        /// None.
        NONE = 0,
        /// A machine.
        MACHINE = 1,
        /// Processors that share memory: what users call a node.
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
    /// What a location group is.
    LocationGroupType {
        /// A process.
        PROCESS = 0,
        /// A context of an accelerator.
        ACCELERATOR = 1,
    }
    /// What the period of an interrupt generator counts.
    InterruptGeneratorMode {
        /// Time.
        TIME = 0,
        /// Events.
        COUNT = 1,
    }
    /// Who made a topology.
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
    /// Properties of a paradigm.
    ParadigmFlags {
        /// No flag.
        NONE = 0,
        /// Its communicators are used for one-sided communication only.
        RMA_ONLY = 1,
    }
    /// Whether several processes use an I/O paradigm together.
    IoParadigmClass {
        /// Each by itself.
        SERIAL = 0,
        /// Together.
        PARALLEL = 1,
    }
    /// Properties of an I/O paradigm.
    IoParadigmFlags {
        /// No flag.
        NONE = 0,
        /// The operating system's own.
        OS = 1,
    }
}
