//! The types of the tool interface (OpenMP 5.2, chapter 19), as far as they are used.

use std::cell::Cell;
use std::ffi::{c_char, c_int, c_void};

/// A word that the runtime keeps for a tool.
#[repr(transparent)]
#[derive(Debug)]
pub(super) struct Data(Cell<usize>);

impl Data {
    /// Creates data that keeps nothing.
    pub(super) const fn new() -> Self {
        Self(Cell::new(0))
    }

    /// Returns the value that is kept at an address; 0 for null.
    ///
    /// # Safety
    ///
    /// The address must be null or that of the runtime's data.
    pub(super) unsafe fn get(data: *const Self) -> usize {
        // SAFETY: the address is null or that of the runtime's data.
        unsafe { data.as_ref() }.map_or(0, |data| data.0.get())
    }

    /// # Safety
    ///
    /// As for `get`.
    pub(super) unsafe fn set(data: *const Self, value: usize) {
        // SAFETY: the address is null or that of the runtime's data.
        if let Some(data) = unsafe { data.as_ref() } {
            data.0.set(value);
        }
    }
}

// SAFETY: used by the runtime only, which passes it to one callback at a time.
unsafe impl Sync for Data {}

pub(super) type Lookup = unsafe extern "C" fn(*const c_char) -> Option<unsafe extern "C" fn()>;
pub(super) type SetCallback = unsafe extern "C" fn(c_int, *const c_void) -> c_int;

/// The functions of a tool.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) initialize: unsafe extern "C" fn(Lookup, c_int, *mut Data) -> c_int,
    pub(super) finalize: unsafe extern "C" fn(*mut Data),
    pub(super) data: Data,
}

const _: () = assert!(size_of::<Tool>() == 24);

/// The ends of a construct.
pub(super) const BEGIN: u32 = 1;
pub(super) const END: u32 = 2;

/// The flag of a parallel region that is a league of teams.
pub(super) const LEAGUE: u32 = 0x4000_0000;

/// Flags of tasks.
pub(super) mod task {
    pub(crate) const EXPLICIT: u32 = 0x4;
    pub(crate) const UNDEFERRED: u32 = 0x0800_0000;
    pub(crate) const UNTIED: u32 = 0x1000_0000;
    pub(crate) const MERGED: u32 = 0x8000_0000;
}

/// The status of the task that was executed.
pub(super) mod status {
    pub(crate) const COMPLETE: u32 = 1;
    pub(crate) const CANCEL: u32 = 3;
    pub(crate) const DETACH: u32 = 4;
    pub(crate) const EARLY_FULFILL: u32 = 5;
    pub(crate) const LATE_FULFILL: u32 = 6;
}

/// Kinds of synchronisation.
pub(super) mod sync {
    pub(crate) const BARRIER: u32 = 1;
    pub(crate) const IMPLICIT: u32 = 2;
    pub(crate) const EXPLICIT: u32 = 3;
    pub(crate) const IMPLEMENTATION: u32 = 4;
    pub(crate) const TASKWAIT: u32 = 5;
    pub(crate) const TASKGROUP: u32 = 6;
    pub(crate) const IMPLICIT_WORKSHARE: u32 = 8;
    pub(crate) const IMPLICIT_PARALLEL: u32 = 9;
}

/// Kinds of work.
pub(super) mod work {
    pub(crate) const LOOP: u32 = 1;
    pub(crate) const SECTIONS: u32 = 2;
    pub(crate) const SINGLE_EXECUTOR: u32 = 3;
    pub(crate) const SINGLE_OTHER: u32 = 4;
    pub(crate) const WORKSHARE: u32 = 5;
    pub(crate) const LOOP_STATIC: u32 = 10;
    pub(crate) const LOOP_DYNAMIC: u32 = 11;
    pub(crate) const LOOP_GUIDED: u32 = 12;
    pub(crate) const LOOP_OTHER: u32 = 13;
}

/// Kinds of mutual exclusion.
pub(super) mod mutex {
    pub(crate) const LOCK: u32 = 1;
    pub(crate) const TEST_LOCK: u32 = 2;
    pub(crate) const NEST_LOCK: u32 = 3;
    pub(crate) const TEST_NEST_LOCK: u32 = 4;
    pub(crate) const CRITICAL: u32 = 5;
    pub(crate) const ORDERED: u32 = 7;
}

/// The kind of dispatch that is a section.
pub(super) const DISPATCH_SECTION: u32 = 2;

/// Kinds of target constructs. Those of tasks that nobody waits for are higher by `DEFERRED`.
pub(super) mod target {
    pub(crate) const TARGET: u32 = 1;
    pub(crate) const ENTER_DATA: u32 = 2;
    pub(crate) const EXIT_DATA: u32 = 3;
    pub(crate) const UPDATE: u32 = 4;
    pub(crate) const DEFERRED: u32 = 8;
}

/// Kinds of operations on the memory of devices. Asynchronous ones are higher by `ASYNCHRONOUS`.
pub(super) mod operation {
    pub(crate) const ALLOCATION: u32 = 1;
    pub(crate) const TO_DEVICE: u32 = 2;
    pub(crate) const FROM_DEVICE: u32 = 3;
    pub(crate) const RELEASE: u32 = 4;
    pub(crate) const ASYNCHRONOUS: u32 = 16;
}
