//! The kinds of instrumentation, one folder or file for each.

mod accelerators;
mod annotations;
mod call_sites;
mod counters;
mod functions;
mod io;
mod itt;
mod kokkos;
mod lazy_handle;
mod memory;
mod mpi;
mod nvtx;
mod openacc;
mod opencl;
mod openmp;
mod perfstubs;
mod rusage;
mod sampling;
mod threads;
mod user;
mod waiting;

use crate::adapter::Adapter;
use crate::processes::Processes;

/// The kinds of instrumentation, in the order in which they create their definitions.
pub(crate) static ADAPTERS: &[&dyn Adapter] = &[
    &Processes,
    &functions::Functions,
    &user::User,
    &nvtx::NvtxRanges,
    &itt::IttTasks,
    &kokkos::KokkosTools,
    &perfstubs::PerfStubs,
    &threads::Threads,
    // Before `Io`: it reads files when it begins.
    &sampling::Sampling,
    &io::Io,
    &memory::Memory,
    &rusage::Rusage,
    &counters::CounterMetrics,
    &mpi::Mpi,
    &openmp::OpenMp,
    &openacc::OpenAcc,
    &opencl::OpenCl,
    &waiting::Waiting,
];
