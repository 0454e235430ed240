//! Memory that the program allocates on the heap: the functions of C and the operators of C++, with
//! the events and definitions of Score-P 8.4.
//!
//! Functions defined here interpose those of the libraries ([`entry`]); another allocator that the
//! program uses may stand between. [`calls`] records a call, [`blocks`] keeps the sizes of all
//! blocks, [`usage`] is the metric of the memory that the process holds.
//!
//! Invariants: nothing is recorded of what the runtime, its plugins and foreign threads allocate;
//! the program's call is made once, with the arguments that it passed; `errno` is preserved; no
//! measurement begins, and no sample is recorded, while the C library or the loader calls, since
//! these may hold locks.

mod blocks;
mod calls;
mod entry;
mod events;
mod functions;
mod usage;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use crate::adapter::Adapter;
use crate::filtering;
use crate::host::host;
use crate::measurement::{self, Here};
use crate::processes::is_in_allocator;
use crate::program::is_loader_idle;
use crate::settings::Settings;
use crate::switch::Switch;
use crate::{thread, threads};

pub(crate) use self::blocks::{Hold, hold};
pub(crate) use self::entry::hide;

/// The adapter of this kind of instrumentation, which must be chosen explicitly.
pub(crate) static ADAPTER: Adapter = Adapter {
    name: "memory",
    prepare,
    define: functions::define,
    awaited: || SWITCH.turn_on(),
    begun,
    ended: || SWITCH.turn_off(),
    ..Adapter::NONE
};

static SWITCH: Switch = Switch::new();
/// Threads are recorded, so that each thread of the program has a location.
static HAS_THREADS: AtomicBool = AtomicBool::new(false);
/// The size from which on a block has events.
static LEAST: AtomicUsize = AtomicUsize::new(0);

fn prepare(settings: &Settings) -> bool {
    let is_chosen = settings.names(ADAPTER.name);
    if is_chosen {
        filtering::read(settings);
        HAS_THREADS.store(threads::are_chosen(settings) || settings.sampling.is_some(), Relaxed);
        LEAST.store(settings.memory_at_least.unwrap_or(0), Relaxed);
    }
    is_chosen
}

fn begun() {
    host().into_iter().for_each(usage::define);
    SWITCH.turn_on();
}

/// Forgets the measurement of the parent in a forked child, which holds the same blocks.
pub(crate) fn forget() {
    usage::forget();
}

/// Returns whether a block of this size has events.
#[inline]
fn is_large(size: usize) -> bool {
    size >= LEAST.load(Relaxed)
}

/// Begins a measurement that waits for its first event, if the caller allows it. Before that there
/// are no regions.
#[cold]
fn begin(caller: usize) {
    if may_work(caller) {
        measurement::awake();
    }
}

/// Returns the location of the calling thread if its call can be recorded, which returns to
/// `caller`.
#[inline]
fn here(caller: usize) -> Option<Here> {
    if measurement::is_pending() {
        return None;
    }
    if let Some(location) = thread::location().filter(|location| location.has_samples.load(Relaxed)) {
        // The samples wait for the next one then.
        location.has_samples.store(may_work(caller), Relaxed);
    }
    match HAS_THREADS.load(Relaxed) {
        true => measurement::here(),
        false => measurement::here_or_orphan(),
    }
}

/// Returns whether the caller holds no lock of the C library or of the loader.
#[cold]
fn may_work(caller: usize) -> bool {
    is_loader_idle() && !is_in_allocator(caller)
}
