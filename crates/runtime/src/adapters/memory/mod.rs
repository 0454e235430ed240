//! Memory that the program allocates on the heap: the functions of C and the operators of C++, with
//! the events and definitions of Score-P 8.4.
//!
//! Functions defined here interpose those of the libraries ([`entry`]); another allocator that the
//! program uses may stand between. [`calls`] records a call, [`blocks`] keeps the sizes of all
//! blocks, [`usage`] is the metric of the memory that the process holds.
//!
//! Invariants: allocations of the runtime, its plugins and foreign threads are not recorded; the
//! program's call is made once, with the arguments that it passed; `errno` is preserved; no
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
use crate::adapters::threads;
use crate::filtering;
use crate::host::host;
use crate::measurement::{self, Here};
use crate::processes::{ForkHold, is_in_allocator};
use crate::program::is_loader_idle;
use crate::settings::{Settings, is_named};
use crate::switch::Switch;

use self::blocks::{HeldBlocks, hold};

/// The adapter of memory on the heap, which must be chosen explicitly.
#[derive(Debug)]
pub(crate) struct Memory;

/// The name by which settings choose it.
const NAME: &str = "memory";

impl Adapter for Memory {
    fn name(&self) -> &'static str {
        NAME
    }

    fn loaded(&self, is_recorded: bool) {
        entry::hide(is_recorded && is_named(NAME));
    }

    fn prepare(&self, settings: &Settings) -> bool {
        prepare(settings)
    }

    fn define(&self) {
        functions::define();
    }

    fn awaited(&self) {
        SWITCH.turn_on();
    }

    fn begun(&self) {
        begun();
    }

    fn ended(&self) {
        SWITCH.turn_off();
    }

    fn hold(&self) {
        HELD.with(|held| held.keep(hold()));
    }

    // Recording may allocate while other locks are held.
    fn lock_level(&self) -> u8 {
        2
    }

    fn release(&self) {
        drop(HELD.with(ForkHold::take));
    }

    // A forked child holds the same blocks.
    fn forget(&self) {
        usage::forget();
    }
}

thread_local! {
    static HELD: ForkHold<HeldBlocks> = const { ForkHold::new() };
}

static SWITCH: Switch = Switch::new();
/// Threads are recorded, so that each thread of the program has a location.
static HAS_THREADS: AtomicBool = AtomicBool::new(false);
/// The size from which on a block has events.
static LEAST: AtomicUsize = AtomicUsize::new(0);

fn prepare(settings: &Settings) -> bool {
    let is_chosen = settings.names(NAME);
    if is_chosen {
        filtering::read(settings);
        HAS_THREADS.store(threads::are_chosen(settings) || settings.sampling.is_some(), Relaxed);
        LEAST.store(settings.memory_at_least.unwrap_or(0), Relaxed);
    }
    is_chosen
}

fn begun() {
    if let Some(host) = host() {
        usage::define(host);
    }
    SWITCH.turn_on();
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

/// Returns the location of the calling thread if its call can be recorded.
#[inline]
fn here() -> Option<Here> {
    if measurement::is_pending() {
        return None;
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
