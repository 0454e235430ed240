//! The runtime's state of the calling thread: its location, and whether it is in a call that must
//! not be made recursively.

use crate::locations::Location;
use crate::sampling::Sampler;
use core::cell::Cell;
use core::ffi::c_void;

/// The thread-local variable, declared as in `c/host.c`.
#[derive(Debug)]
#[repr(C)]
struct Thread {
    location: Cell<*const Location>,
    busy: Cell<u32>,
    /// The number of locks whose acquisition by this thread was recorded and whose release was not
    /// yet.
    held: Cell<u32>,
    /// The thread is inside a function of MPI that the program called.
    mpi: Cell<u32>,
    /// What samples the thread; null if nothing does.
    sampler: Cell<*const Sampler>,
}

unsafe extern "C" {
    /// Returns the address of the calling thread's variable, which is zeroed initially.
    safe fn kymo_runtime_thread() -> *const c_void;
}

#[inline]
fn this<'a>() -> &'a Thread {
    // SAFETY: the variable of the calling thread, used only by it and no longer than the functions
    // below run.
    unsafe { &*kymo_runtime_thread().cast::<Thread>() }
}

/// Returns the calling thread's location.
#[inline]
pub(crate) fn location() -> Option<&'static Location> {
    // SAFETY: null, or set below; locations are never freed.
    unsafe { this().location.get().as_ref() }
}

pub(crate) fn set_location(location: Option<&'static Location>) {
    this().location.set(location.map_or(core::ptr::null(), core::ptr::from_ref));
}

/// Returns what samples the calling thread.
#[inline]
pub(crate) fn sampler() -> Option<&'static Sampler> {
    // SAFETY: null, or set below; samplers are never freed.
    unsafe { this().sampler.get().as_ref() }
}

pub(crate) fn set_sampler(sampler: Option<&'static Sampler>) {
    this().sampler.set(sampler.map_or(core::ptr::null(), core::ptr::from_ref));
}

/// A guard while the calling thread begins or ends the measurement, or has its location created.
#[derive(Debug)]
pub(crate) struct Busy(());

/// A guard while the calling thread holds, or waits for, the lock of the definitions.
#[derive(Debug)]
pub(crate) struct Defining(());

const BUSY: u32 = 1;
const DEFINING: u32 = 2;
const GONE: u32 = 4;

/// Marks the calling thread as ended: it can have no location any more.
pub(crate) fn leave_permanently() {
    set_location(None);
    set(GONE);
}

/// Returns whether the calling thread is marked as ended.
pub(crate) fn is_gone() -> bool {
    this().busy.get() & GONE != 0
}

/// Returns the number of locks that the thread holds and whose acquisition was recorded.
#[inline]
pub(crate) fn held() -> u32 {
    this().held.get()
}

pub(crate) fn set_held(count: u32) {
    this().held.set(count);
}

/// Marks the thread as being inside a function of MPI; returns false if it is.
#[inline]
pub(crate) fn enter_mpi() -> bool {
    this().mpi.replace(1) == 0
}

/// Marks the thread as being outside of MPI.
#[inline]
pub(crate) fn leave_mpi() {
    this().mpi.set(0);
}

/// Returns whether the thread is inside a function of MPI.
pub(crate) fn is_in_mpi() -> bool {
    this().mpi.get() != 0
}

/// Returns whether the thread begins or ends the measurement, or has its location created.
pub(crate) fn is_busy() -> bool {
    this().busy.get() & (BUSY | DEFINING) != 0
}

/// Sets a bit; returns false if it was set, as in a signal handler or if a plugin calls back.
fn set(bit: u32) -> bool {
    let before = this().busy.get();
    this().busy.set(before | bit);
    before & bit == 0
}

fn clear(bit: u32) {
    this().busy.set(this().busy.get() & !bit);
}

impl Busy {
    pub(crate) fn enter() -> Option<Self> {
        set(BUSY).then_some(Self(()))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        clear(BUSY);
    }
}

impl Defining {
    pub(crate) fn enter() -> Option<Self> {
        set(DEFINING).then_some(Self(()))
    }
}

impl Drop for Defining {
    fn drop(&mut self) {
        clear(DEFINING);
    }
}
