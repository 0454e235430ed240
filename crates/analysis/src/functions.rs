//! The functions that communicate or synchronise threads, and how they wait, by their names.
//!
//! Events state which message was sent or received, and in which call. Whether that call blocks,
//! and whether its send may wait for the receiver, is known from the name of the function alone; so
//! is whether a lock is acquired again by a thread that was woken.

use crate::class::Class;
use crate::index::Index;
use crate::one_sided::OneSidedFunction;
use crate::trace::Trace;
use kymo_otf2::enums::{Paradigm, RegionRole};
use kymo_otf2::references::RegionRef;
use std::collections::BTreeSet;

/// A function that communicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommunicationFunction {
    /// `MPI_Test` and its kin, which do not wait.
    Test,
    /// `MPI_Bsend` and its kin, which do not wait for the receiver.
    BufferedSend,
    /// `MPI_Ssend` and its kin, which always wait for the receiver.
    SynchronousSend,
    /// `MPI_Finalize`, which may wait for all processes.
    Finalize,
    /// A function that synchronises one-sided communication.
    OneSided(OneSidedFunction),
    /// Another function.
    Other,
}

/// A function that synchronises threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadFunction {
    /// It acquires a mutex of POSIX or C11 threads.
    Mutex,
    /// It acquires a read-write lock for writing.
    WriteLock,
    /// It waits for a condition, without the mutex that it acquires again.
    Condition,
    /// It wakes threads that wait for a condition.
    Signal,
    /// It waits for the end of a thread.
    Join,
    /// A barrier of OpenMP.
    Barrier,
    /// A barrier at the end of a construct of OpenMP.
    ImplicitBarrier,
    /// A critical section of OpenMP.
    Critical,
    /// A part of a loop of OpenMP in the order of its iterations.
    Ordered,
    /// It acquires a lock of OpenMP.
    Lock,
    /// It waits for tasks of OpenMP.
    TaskWait,
    /// A group of tasks of OpenMP, at the end of which it waits for them.
    TaskGroup,
    /// A barrier of POSIX threads.
    PthreadBarrier,
    /// It waits for a semaphore.
    SemaphoreWait,
    /// It increments a semaphore.
    SemaphorePost,
}

/// The assumption that the work in calls of some regions, with the calls inside them, took another
/// time.
#[derive(Debug, Clone, PartialEq)]
pub struct Hypothesis {
    /// The regions.
    pub regions: BTreeSet<RegionRef>,
    /// The part of their time that they take; above 1 for more.
    pub factor: f64,
}

impl Default for Hypothesis {
    /// Alters nothing.
    fn default() -> Self {
        Self { regions: BTreeSet::new(), factor: 1.0 }
    }
}

/// The functions of a trace that communicate or synchronise threads, by their regions.
#[derive(Debug)]
pub struct CommunicationFunctions {
    functions: Index<CommunicationFunction>,
    /// Those of which the class is communication: files of MPI are none.
    communication: Index<()>,
    threads: Index<ThreadFunction>,
    /// All of them, those that lock files, and those that the hypothesis alters.
    all: Index<()>,
    /// The hypothesis that is asked for.
    hypothesis: Hypothesis,
    /// The region of `MPI_Finalize`; the first one if there are several, as in merged archives.
    finalize: Option<RegionRef>,
    has_several_finalize: bool,
}

impl CommunicationFunctions {
    /// Finds the functions of a trace.
    pub fn of(trace: &Trace) -> Self {
        let (mut functions, mut communication) = (Index::default(), Index::default());
        let (mut finalize, mut has_several_finalize) = (None, false);
        for id in trace.region_ids().filter(|id| communicates(trace, *id)) {
            let is_mpi = trace.region(id).is_some_and(|region| region.paradigm == Paradigm::MPI);
            let function = match is_mpi {
                true => function(&trace.region_name(id)),
                false if trace.region_name(id) == "shmem_test_lock" => CommunicationFunction::Test,
                false => CommunicationFunction::Other,
            };
            if function == CommunicationFunction::Finalize {
                has_several_finalize |= finalize.is_some_and(|it| it != id);
                finalize.get_or_insert(id);
            }
            functions.insert(id.0.into(), function);
            if Class::of(trace, id) == Class::Communication {
                communication.insert(id.0.into(), ());
            }
        }
        let mut threads = Index::default();
        for id in trace.region_ids() {
            if let Some(function) = thread_function(trace, id) {
                threads.insert(id.0.into(), function);
            }
        }
        let mut all = Index::default();
        for id in trace.region_ids() {
            let number = id.0.into();
            let locks = || locks_file(trace, id);
            if functions.get(number).is_some() || threads.get(number).is_some() || locks() {
                all.insert(number, ());
            }
        }
        Self {
            all,
            hypothesis: Hypothesis::default(),
            functions,
            communication,
            threads,
            finalize,
            has_several_finalize,
        }
    }

    /// Returns the function of a region, if it communicates.
    #[inline]
    pub fn get(&self, region: RegionRef) -> Option<CommunicationFunction> {
        self.functions.get(region.0.into()).copied()
    }

    /// Alters the work in calls.
    pub fn with(mut self, hypothesis: &Hypothesis) -> Self {
        hypothesis.regions.iter().for_each(|region| self.all.insert(region.0.into(), ()));
        self.hypothesis = hypothesis.clone();
        self
    }

    /// Returns whether the hypothesis alters the work in a region.
    pub(crate) fn is_altered(&self, region: RegionRef) -> bool {
        self.hypothesis.regions.contains(&region)
    }

    /// Returns the part of the work in altered calls that is saved.
    pub(crate) fn gain(&self) -> f64 {
        1.0 - self.hypothesis.factor
    }

    /// Returns the function of a region, if it synchronises one-sided communication.
    pub(crate) fn one_sided(&self, region: RegionRef) -> Option<OneSidedFunction> {
        match self.get(region)? {
            CommunicationFunction::OneSided(function) => Some(function),
            _ => None,
        }
    }

    /// Returns whether the time in a region is communication.
    #[inline]
    pub fn is_communication(&self, region: RegionRef) -> bool {
        self.communication.get(region.0.into()).is_some()
    }

    /// Returns the function of a region, if it synchronises threads.
    #[inline]
    pub fn thread(&self, region: RegionRef) -> Option<ThreadFunction> {
        self.threads.get(region.0.into()).copied()
    }

    /// Returns whether calls of a region may wait for other locations.
    #[inline]
    pub fn may_wait(&self, region: RegionRef) -> bool {
        self.all.get(region.0.into()).is_some()
    }

    /// Returns whether a region is `MPI_Finalize`.
    #[inline]
    pub fn finalizes(&self, region: RegionRef) -> bool {
        self.finalize == Some(region)
            || self.has_several_finalize && self.get(region) == Some(CommunicationFunction::Finalize)
    }
}

/// Returns the regions of the functions that begin MPI.
pub(crate) fn that_begin_mpi(trace: &Trace) -> Vec<RegionRef> {
    let is_one = |id: &RegionRef| {
        let is_mpi = trace.region(*id).is_some_and(|region| region.paradigm == Paradigm::MPI);
        is_mpi && matches!(&*name_in_c(&trace.region_name(*id)), "mpi_init" | "mpi_init_thread")
    };
    trace.region_ids().filter(is_one).collect()
}

/// Returns whether a region is a function of a paradigm of communication, whatever its class:
/// `MPI_Win_allocate` allocates memory.
fn communicates(trace: &Trace, id: RegionRef) -> bool {
    let paradigms = [Paradigm::MPI, Paradigm::SHMEM, Paradigm::GASPI, Paradigm::UPC];
    trace.region(id).is_some_and(|region| paradigms.contains(&region.paradigm))
        || Class::of(trace, id) == Class::Communication
}

/// Returns whether a region is a function that may wait for the lock of a file.
fn locks_file(trace: &Trace, id: RegionRef) -> bool {
    let names = ["flock", "lockf", "lockf64", "fcntl", "fcntl64", "flockfile"];
    Class::of(trace, id) == Class::InputOutput && names.contains(&&*trace.region_name(id))
}

fn thread_function(trace: &Trace, id: RegionRef) -> Option<ThreadFunction> {
    let region = trace.region(id)?;
    let name = trace.region_name(id);
    let of_openmp = || openmp_function(region.role, &name);
    let openmp = (region.paradigm == Paradigm::OPENMP).then(of_openmp).flatten();
    openmp.or_else(|| named_thread_function(&name))
}

/// Returns the function of a region of OpenMP. Score-P writes waiting for tasks with the role of a
/// barrier, or with that of waiting for tasks.
fn openmp_function(role: RegionRole, name: &str) -> Option<ThreadFunction> {
    let waits_for_tasks = [RegionRole::BARRIER, RegionRole::TASK_WAIT].contains(&role);
    Some(match role {
        _ if waits_for_tasks && name.contains("taskgroup") => ThreadFunction::TaskGroup,
        _ if waits_for_tasks && name.contains("taskwait") => ThreadFunction::TaskWait,
        RegionRole::TASK_WAIT => ThreadFunction::TaskWait,
        RegionRole::BARRIER => ThreadFunction::Barrier,
        RegionRole::IMPLICIT_BARRIER => ThreadFunction::ImplicitBarrier,
        RegionRole::CRITICAL => ThreadFunction::Critical,
        RegionRole::ORDERED => ThreadFunction::Ordered,
        _ => return None,
    })
}

/// Returns the function with a name of POSIX or C11 threads, or of OpenMP.
fn named_thread_function(name: &str) -> Option<ThreadFunction> {
    Some(match name {
        "pthread_mutex_lock"
        | "pthread_mutex_timedlock"
        | "pthread_mutex_clocklock"
        | "mtx_lock"
        | "mtx_timedlock" => ThreadFunction::Mutex,
        "pthread_rwlock_wrlock" | "pthread_rwlock_timedwrlock" | "pthread_rwlock_clockwrlock" => {
            ThreadFunction::WriteLock
        }
        "pthread_cond_wait"
        | "pthread_cond_timedwait"
        | "pthread_cond_clockwait"
        | "cnd_wait"
        | "cnd_timedwait" => ThreadFunction::Condition,
        "pthread_cond_signal" | "pthread_cond_broadcast" | "cnd_signal" | "cnd_broadcast" => {
            ThreadFunction::Signal
        }
        "pthread_join" | "pthread_timedjoin_np" | "pthread_clockjoin_np" | "thrd_join" => {
            ThreadFunction::Join
        }
        "omp_set_lock" | "omp_set_nest_lock" => ThreadFunction::Lock,
        "pthread_barrier_wait" => ThreadFunction::PthreadBarrier,
        "sem_wait" | "sem_timedwait" | "sem_clockwait" => ThreadFunction::SemaphoreWait,
        "sem_post" => ThreadFunction::SemaphorePost,
        _ => return None,
    })
}

/// Returns the name for C, in small letters, of a name of MPI's interface for C or Fortran, or of
/// its profiling interface.
fn name_in_c(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let name = name.trim_end_matches('_');
    name.strip_prefix('p').unwrap_or(name).to_owned()
}

/// Returns the function with a name of MPI.
fn function(name: &str) -> CommunicationFunction {
    let name = name_in_c(name);
    match &*name {
        "mpi_test" | "mpi_testall" | "mpi_testany" | "mpi_testsome" => CommunicationFunction::Test,
        "mpi_bsend" | "mpi_ibsend" => CommunicationFunction::BufferedSend,
        "mpi_ssend" | "mpi_issend" => CommunicationFunction::SynchronousSend,
        "mpi_finalize" => CommunicationFunction::Finalize,
        _ => OneSidedFunction::named(&name)
            .map_or(CommunicationFunction::Other, CommunicationFunction::OneSided),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fortran_and_of_the_profiling_interface_are_those_of_c() {
        for name in ["MPI_Finalize", "PMPI_Finalize", "mpi_finalize_", "MPI_FINALIZE", "mpi_finalize__"] {
            assert_eq!(function(name), CommunicationFunction::Finalize, "{name}");
        }
        assert_eq!(function("MPI_Testsome"), CommunicationFunction::Test);
        assert_eq!(function("MPI_Test_cancelled"), CommunicationFunction::Other);
        assert_eq!(function(""), CommunicationFunction::Other);
    }
}
