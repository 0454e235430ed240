//! The kind of work that a region does.

use crate::contexts::Contexts;
use crate::trace::{Region, Trace};
use kymo_otf2::enums::{Paradigm, RegionRole};
use kymo_otf2::references::RegionRef;
use serde::{Deserialize, Serialize};

/// The kind of work of a region, by its paradigm and role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Class {
    /// The program's own computation.
    Computation,
    /// Message passing and one-sided communication between processes.
    Communication,
    /// Threads: creation, barriers, locks, waiting.
    Threading,
    /// Sleeping, and waiting for events, signals and other processes.
    Waiting,
    /// Input and output.
    InputOutput,
    /// Allocation of memory.
    Memory,
    /// Work on accelerators, and waiting for it.
    Accelerator,
    /// The measurement itself.
    Measurement,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 8] = [
        Self::Computation,
        Self::Communication,
        Self::Threading,
        Self::Waiting,
        Self::InputOutput,
        Self::Memory,
        Self::Accelerator,
        Self::Measurement,
    ];

    /// Returns the class of a region of a trace; undefined regions compute.
    pub fn of(trace: &Trace, region: RegionRef) -> Self {
        trace.region(region).map_or(Self::Computation, |region| match Self::of_region(region) {
            Self::Computation if is_waiting(trace, region) => Self::Waiting,
            class => class,
        })
    }

    /// Returns the class of a call of a region in a call of a class. A function that samples have
    /// found belongs to the call around it, such as the functions of an MPI library in `MPI_Recv`.
    pub(crate) fn of_call(trace: &Trace, region: RegionRef, caller: Self) -> Self {
        let is_found = trace.region(region).is_some_and(|region| region.paradigm == Paradigm::SAMPLING);
        if is_found { caller } else { Self::of(trace, region) }
    }

    /// Returns the classes of contexts, by their ids.
    pub fn of_contexts(trace: &Trace, contexts: &Contexts) -> Vec<Self> {
        let mut classes = vec![Self::Computation; contexts.len()];
        for context in contexts.iter() {
            let caller = classes[contexts.parent(context).index()];
            classes[context.index()] = Self::of_call(trace, contexts.region(context), caller);
        }
        classes
    }

    fn of_region(region: &Region) -> Self {
        match region.role {
            RegionRole::FILE_IO | RegionRole::FILE_IO_METADATA => return Self::InputOutput,
            RegionRole::ALLOCATE | RegionRole::DEALLOCATE | RegionRole::REALLOCATE => return Self::Memory,
            RegionRole::POINT2POINT
            | RegionRole::COLL_ONE2ALL
            | RegionRole::COLL_ALL2ONE
            | RegionRole::COLL_ALL2ALL
            | RegionRole::COLL_OTHER
            | RegionRole::RMA => return Self::Communication,
            _ => {}
        }
        match region.paradigm {
            Paradigm::MEASUREMENT_SYSTEM => Self::Measurement,
            Paradigm::MPI | Paradigm::SHMEM | Paradigm::GASPI | Paradigm::UPC => Self::Communication,
            Paradigm::CUDA
            | Paradigm::HIP
            | Paradigm::OPENCL
            | Paradigm::OPENACC
            | Paradigm::OPENMP_TARGET => Self::Accelerator,
            Paradigm::OPENMP
            | Paradigm::PTHREAD
            | Paradigm::OMPSS
            | Paradigm::WINTHREAD
            | Paradigm::QTTHREAD
            | Paradigm::ACETHREAD
            | Paradigm::TBBTHREAD
            | Paradigm::MTAPI => {
                if waits(region.role) {
                    Self::Threading
                } else {
                    Self::Computation
                }
            }
            _ => Self::Computation,
        }
    }

    /// Returns the name, as a word in sentences.
    pub fn name(self) -> &'static str {
        match self {
            Self::Computation => "computation",
            Self::Communication => "communication",
            Self::Threading => "threading",
            Self::Waiting => "waiting",
            Self::InputOutput => "input and output",
            Self::Memory => "memory",
            Self::Accelerator => "accelerator",
            Self::Measurement => "measurement",
        }
    }
}

/// The functions of the C library that wait, of which the definition of a region says only that it
/// is a wrapper.
const WAITS: [&str; 26] = [
    "aio_suspend",
    "clock_nanosleep",
    "epoll_pwait",
    "epoll_pwait2",
    "epoll_wait",
    "nanosleep",
    "pause",
    "poll",
    "ppoll",
    "pselect",
    "select",
    "semop",
    "semtimedop",
    "sigsuspend",
    "sigtimedwait",
    "sigwait",
    "sigwaitinfo",
    "sleep",
    "system",
    "thrd_sleep",
    "usleep",
    "wait",
    "wait3",
    "wait4",
    "waitid",
    "waitpid",
];

/// Whether a region is a function of the C library that waits.
fn is_waiting(trace: &Trace, region: &Region) -> bool {
    let is_wrapper = region.role == RegionRole::WRAPPER && region.paradigm == Paradigm::NONE;
    is_wrapper && trace.string(region.name).is_some_and(|name| WAITS.contains(&name))
}

/// Whether threads wait or are managed in a region with this role. Time inside parallel regions,
/// loops and tasks is computation.
fn waits(role: RegionRole) -> bool {
    !matches!(
        role,
        RegionRole::PARALLEL
            | RegionRole::LOOP
            | RegionRole::CODE
            | RegionRole::SECTIONS
            | RegionRole::SECTION
            | RegionRole::WORKSHARE
            | RegionRole::SINGLE
            | RegionRole::SINGLE_SBLOCK
            | RegionRole::MASTER
            | RegionRole::CRITICAL_SBLOCK
            | RegionRole::ORDERED_SBLOCK
            | RegionRole::TASK
            | RegionRole::TASK_UNTIED
            | RegionRole::ATOMIC
    )
}
