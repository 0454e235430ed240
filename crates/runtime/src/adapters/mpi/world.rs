//! The world of this process: the steps in `MPI_Init` and `MPI_Finalize`, and after the end of the
//! measurement.
//!
//! Invariants: nothing is communicated with other processes unless this process has passed the
//! barrier of `MPI_Finalize`, except in calls that the program itself makes collectively; the
//! library is finalised by this module only if the program asked for it.

use core::ffi::c_int;
use core::ptr;
use core::sync::atomic::{
    AtomicBool, AtomicPtr,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::abi::Abi;
use super::definitions::MPI_LOCATIONS;
use super::symbols::{self, pmpi};
use super::{communicators, known_abi};
use crate::host::{Host, Phase, host, is};
use crate::life;
use crate::message::report;
use crate::program;
use kymo_symbols::Executable;

/// The processes of the job.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) rank: c_int,
    pub(crate) size: c_int,
    /// A duplicate of `MPI_COMM_WORLD` for the measurement.
    pub(crate) comm: usize,
    group: usize,
}

static WORLD: AtomicPtr<World> = AtomicPtr::new(ptr::null_mut());
/// The program has called `MPI_Finalize`, and all processes have.
static IS_FINALIZED: AtomicBool = AtomicBool::new(false);
/// The library must still be finalised.
static IS_DUE: AtomicBool = AtomicBool::new(false);
static IS_ABORTED: AtomicBool = AtomicBool::new(false);

/// Returns the world, from `MPI_Init` to the end of the measurement.
#[inline]
pub(crate) fn world() -> Option<&'static World> {
    // SAFETY: null, or an object that is never freed.
    unsafe { WORLD.load(Acquire).as_ref() }
}

/// Whether communicators can be defined.
pub(super) fn is_there() -> bool {
    world().is_some()
}

/// Returns the rank of this process; 0 outside of a world.
pub(crate) fn rank() -> u32 {
    world().map_or(0, |world| world.rank.unsigned_abs())
}

/// Returns the group of the world.
pub(super) fn group() -> Option<usize> {
    world().map(|world| world.group)
}

/// Whether the program has called `MPI_Finalize`, while the library is not finalised yet.
pub(super) fn is_finalized() -> bool {
    IS_FINALIZED.load(Relaxed)
}

/// Remembers that the program is about to end all processes.
pub(super) fn abort() {
    IS_ABORTED.store(true, Relaxed);
}

/// Whether the end of the measurement must not communicate, because other processes may be gone.
pub(crate) fn is_broken() -> bool {
    world().is_some_and(|world| world.size > 1) && (!IS_FINALIZED.load(Relaxed) || IS_ABORTED.load(Relaxed))
}

/// Forgets the world, in a child made by `fork`.
pub(super) fn forget() {
    WORLD.store(ptr::null_mut(), Release);
    IS_FINALIZED.store(false, Relaxed);
    IS_DUE.store(false, Relaxed);
    attributes().clear();
}

/// Whether this process may become one of an MPI program, so that its measurement must wait for
/// `MPI_Init`: it has loaded a library of MPI, or a launcher has started a program that can load
/// one later.
pub(crate) fn may_come() -> bool {
    super::is_chosen() && (symbols::is_loaded() || (program::rank().is_some() && can_load()))
}

/// Whether the program can load libraries: it calls `dlopen`, or is an interpreter whose library
/// does.
fn can_load() -> bool {
    const INTERPRETERS: [&core::ffi::CStr; 4] =
        [c"Py_Initialize", c"Rf_initialize_R", c"perl_run", c"jl_init"];
    let path = program::executable();
    INTERPRETERS.iter().any(|name| !symbols::data(name).is_null())
        || Executable::read(path.as_ref()).is_ok_and(|program| program.imports().contains("dlopen"))
}

/// Makes this process part of the world, inside `MPI_Init` of the program.
pub(super) fn begin(abi: &'static Abi) {
    let Some(host) = host().filter(|_| is(Phase::On) && world().is_none() && is_initialized()) else {
        return;
    };
    let Some(world) = join(abi) else {
        return report(format_args!(
            "MPI: the measurement has no communicator of its own; only regions are recorded"
        ));
    };
    if host.is_joined() && world.size > 1 {
        return report(format_args!(
            "MPI was loaded after the measurement had begun: only regions of MPI are recorded, in an \
             archive of this process; to record messages, preload the MPI library"
        ));
    }
    let world: &'static World = Box::leak(Box::new(world));
    WORLD.store(ptr::from_ref(world).cast_mut(), Release);
    life::join::join(host);
    let members: Vec<u64> = (0..u64::from(world.size.unsigned_abs())).collect();
    host.definitions.group(MPI_LOCATIONS, b"", &members);
    communicators::define_first(abi, &host.definitions);
    life::begin::register_end_again();
    if world.size > 1 {
        pmpi!(c"PMPI_Barrier", world.comm);
    }
}

fn is_initialized() -> bool {
    let (mut begun, mut ended): (c_int, c_int) = (0, 0);
    pmpi!(c"PMPI_Initialized", &raw mut begun);
    pmpi!(c"PMPI_Finalized", &raw mut ended);
    begun != 0 && ended == 0
}

fn join(abi: &Abi) -> Option<World> {
    let mut world = World { rank: 0, size: 1, comm: abi.comm_null, group: abi.group_null };
    let done = pmpi!(c"PMPI_Comm_dup", abi.world, &raw mut world.comm);
    world.comm = abi.handle(world.comm);
    if done != Some(0) {
        return None;
    }
    pmpi!(c"PMPI_Comm_set_errhandler", world.comm, abi.errors_return);
    pmpi!(c"PMPI_Comm_size", world.comm, &raw mut world.size);
    pmpi!(c"PMPI_Comm_rank", world.comm, &raw mut world.rank);
    pmpi!(c"PMPI_Comm_group", world.comm, &raw mut world.group);
    world.group = abi.handle(world.group);
    Some(world)
}

/// The attributes that the program has set on `MPI_COMM_SELF`, in their order.
static ATTRIBUTES: Mutex<Vec<c_int>> = Mutex::new(Vec::new());

fn attributes() -> MutexGuard<'static, Vec<c_int>> {
    ATTRIBUTES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Remembers an attribute of `MPI_COMM_SELF`, or that the program has deleted it.
pub(super) fn note_attribute(key: c_int, is_set: bool) {
    let mut attributes = attributes();
    attributes.retain(|&other| other != key);
    if is_set {
        attributes.push(key);
    }
}

/// Deletes the attributes of `MPI_COMM_SELF`, the last one first, as `MPI_Finalize` does: libraries
/// end their work in the functions that are called then.
fn delete_attributes(abi: &Abi) {
    // These functions may change the list.
    while let Some(key) = { attributes().pop() } {
        pmpi!(c"PMPI_Comm_delete_attr", abi.itself, key);
    }
}

/// Names the first communicators and waits for all processes, instead of finalising the library.
/// Returns whether the library was not called and must be, later.
pub(super) fn finalize(abi: &Abi) -> bool {
    let Some((host, world)) = host().zip(world()) else { return false };
    delete_attributes(abi);
    communicators::settle_all(None);
    if world.rank == 0 {
        host.definitions.name_communicator(communicators::parent(abi.world), b"MPI_COMM_WORLD");
    }
    host.definitions.name_communicator(communicators::parent(abi.itself), b"MPI_COMM_SELF");
    life::begin::register_end_again();
    if pmpi!(c"PMPI_Barrier", abi.world) != Some(0) {
        return false;
    }
    IS_DUE.store(true, Release);
    IS_FINALIZED.store(true, Release);
    true
}

/// Finalises the library if the program asked for it. Called after the end of the measurement.
pub(crate) fn end() {
    if let Some(world) = world().filter(|_| IS_DUE.swap(false, AcqRel)) {
        let (mut comm, mut group) = (world.comm, world.group);
        pmpi!(c"PMPI_Group_free", &raw mut group);
        pmpi!(c"PMPI_Comm_free", &raw mut comm);
        // `MPI_Finalize` of the program has returned: functions that this calls back are not
        // recorded.
        pmpi!(c"PMPI_Finalize");
    }
}

/// Whether the program wants the library finalised in `MPI_Finalize` itself, where the measurement
/// then ends.
pub(super) fn finalizes_now() -> bool {
    std::env::var_os("KYMO_MPI_FINALIZE").is_some_and(|value| value == "now")
}

/// Reports events that were not recorded.
pub(crate) fn report_lost(_: &Host) {
    let dropped = communicators::dropped();
    if dropped > 0 && known_abi().is_some() {
        report(format_args!(
            "{dropped} events of MPI were not recorded: they belong to communicators with processes of \
             another job, to those of sessions, or to copies of inter-communicators by MPI_Comm_idup"
        ));
    }
}
