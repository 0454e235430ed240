//! What the runtime knows of the calling thread: its location, and whether it is in a call that must not begin again.

use crate::locations::Location;
use core::cell::Cell;
use core::ffi::c_void;

/// The thread's variable. As in `c/host.c`.
#[derive(Debug)]
#[repr(C)]
struct Thread {
    location: Cell<*const Location>,
    busy: Cell<u32>,
    /// Locks whose acquisition by this thread was recorded, and whose release was not yet.
    held: Cell<u32>,
}

unsafe extern "C" {
    /// Address of the calling thread's variable, zero at first.
    safe fn kymo_runtime_thread() -> *const c_void;
}

#[inline]
fn this<'a>() -> &'a Thread {
    // SAFETY: the variable of the calling thread, used by it alone and not longer than the functions below run.
    unsafe { &*kymo_runtime_thread().cast::<Thread>() }
}

/// The calling thread's location.
#[inline]
pub(crate) fn location() -> Option<&'static Location> {
    // SAFETY: null or set below; locations are never freed.
    unsafe { this().location.get().as_ref() }
}

pub(crate) fn set_location(location: Option<&'static Location>) {
    this().location.set(location.map_or(core::ptr::null(), core::ptr::from_ref));
}

/// The calling thread begins or ends the measurement, or changes what it is part of, until this is dropped.
#[derive(Debug)]
pub(crate) struct Busy(());

/// It holds, or waits for, the lock of the definitions, until this is dropped.
#[derive(Debug)]
pub(crate) struct Defining(());

const BUSY: u32 = 1;
const DEFINING: u32 = 2;
const GONE: u32 = 4;

/// The thread ends, and gets no location any more.
pub(crate) fn leave_for_good() {
    set_location(None);
    set(GONE);
}

/// Whether it is about to end.
pub(crate) fn is_gone() -> bool {
    this().busy.get() & GONE != 0
}

/// How many locks the thread holds whose acquisition was recorded.
#[inline]
pub(crate) fn held() -> u32 {
    this().held.get()
}

pub(crate) fn set_held(count: u32) {
    this().held.set(count);
}

/// Whether it begins or ends the measurement, or gets a location.
pub(crate) fn is_busy() -> bool {
    this().busy.get() & (BUSY | DEFINING) != 0
}

/// False if the bit was set already: a signal came meanwhile, or a plugin called back.
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
