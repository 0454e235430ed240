//! MPI: its functions, messages, collective operations, communicators, windows and files, with the
//! events and definitions of Score-P 8.4.
//!
//! One library serves every MPI: wrappers take machine words ([`wrappers`]), a table chosen at run
//! time describes the interface ([`abi`]), and a table of functions names the events of a call
//! ([`function`], `patterns`). A function of MPI that is called inside another one is not recorded,
//! whichever library calls it. Invariants: a wrapper calls the function of the library exactly
//! once, except that `MPI_Finalize` calls it after the end of the measurement; nothing is alive
//! around that call that unwinding would have to drop; `errno` is preserved.

mod abi;
mod call;
mod communicators;
mod definitions;
mod events;
mod function;
mod groups;
mod hiding;
mod ipc;
mod options;
mod patterns;
mod symbols;
mod table;
mod world;
mod wrappers;

use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use kymo_substrate::bindings::SCOREP_PARADIGM_MPI;

use self::abi::Abi;
use self::call::MpiCall;
use self::function::{Binding, Function, FunctionSymbol};
use self::symbols::Words;
use crate::adapter::Adapter;
use crate::host::{Host, host};
use crate::job::Job;
use crate::measurement::{self, Here, Region};
use crate::message::report;
use crate::next::keeping_errno;
use crate::settings::Settings;
use crate::switch::{self, Switch};
use crate::thread;

/// The adapter of MPI.
#[derive(Debug)]
pub(crate) struct Mpi;

/// The name by which settings choose it.
const NAME: &str = "mpi";

impl Adapter for Mpi {
    fn name(&self) -> &'static str {
        NAME
    }

    fn loaded(&self, _: bool) {
        hiding::hide_missing();
    }

    fn prepare(&self, settings: &Settings) -> bool {
        prepare(settings)
    }

    fn define(&self) {
        define();
    }

    fn awaited(&self) {
        SWITCH.turn_on();
    }

    fn begun(&self) {
        SWITCH.turn_on();
    }

    fn may_join(&self) -> bool {
        world::may_come()
    }

    fn job(&self) -> Option<&'static dyn Job> {
        ipc::job()
    }

    fn is_in_job(&self) -> bool {
        world::is_there()
    }

    fn is_job_broken(&self) -> bool {
        world::is_broken()
    }

    fn process_name(&self) -> Option<String> {
        world::world().map(|world| format!("MPI Rank {}", world.rank))
    }

    fn properties(&self, _: &Host) -> Vec<(&'static str, String)> {
        properties()
    }

    fn unify(&self, host: &Host) {
        unify(host);
    }

    fn ended(&self) {
        ended();
    }

    fn forget(&self) {
        forget();
    }
}

static SWITCH: Switch = Switch::new();
static IS_CHOSEN: AtomicBool = AtomicBool::new(false);
/// The id of the next request or operation.
static ID: AtomicU64 = AtomicU64::new(1);

/// The source file that Score-P reports for MPI's functions.
const FILE: &[u8] = b"MPI";

fn prepare(settings: &Settings) -> bool {
    options::read();
    let chosen = switch::is_chosen(settings, NAME);
    IS_CHOSEN.store(chosen, Relaxed);
    chosen
}

/// Whether MPI is to be recorded in this process.
fn is_chosen() -> bool {
    IS_CHOSEN.load(Relaxed)
}

fn define() {
    function::forget_regions();
    // A process without MPI has none of its definitions.
    if symbols::is_loaded() {
        define_paradigms();
    }
}

/// Defines MPI's paradigms, once.
fn define_paradigms() {
    static GENERATION: AtomicU32 = AtomicU32::new(u32::MAX);
    let Some(host) = host() else { return };
    if GENERATION.swap(measurement::generation(), Relaxed) != measurement::generation() {
        host.definitions.mpi_paradigms();
    }
}

fn ended() {
    SWITCH.turn_off();
    world::end();
}

/// Forgets the state of the parent, in a child made by `fork`, where MPI cannot be used.
fn forget() {
    world::forget();
    communicators::forget_all();
    groups::forget_all();
    patterns::forget();
    function::forget_regions();
    SENT.iter().for_each(|count| count.store(0, Relaxed));
    thread::leave_library();
}

/// Creates the final communicators, at the end of the measurement.
fn unify(host: &Host) {
    if world::is_there() {
        world::report_lost(host);
        host.definitions.unify_mpi(communicators::groups);
    }
}

/// The numbers of messages and of their bytes that this process has sent.
static SENT: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

/// Counts a message that this process sends.
#[inline]
fn count_message(bytes: u64) {
    SENT[0].fetch_add(1, Relaxed);
    SENT[1].fetch_add(bytes, Relaxed);
}

/// Returns the numbers of messages and bytes that this rank has sent, as names and values of
/// properties.
fn properties() -> Vec<(&'static str, String)> {
    let names = ["MPI messages sent", "MPI bytes sent"].into_iter().filter(|_| world::is_there());
    names.zip(&SENT).map(|(name, count)| (name, count.load(Relaxed).to_string())).collect()
}

/// Returns a new id for a request or an operation.
fn next_id() -> u64 {
    ID.fetch_add(1, Relaxed)
}

/// Returns the interface of the MPI library, if it is known.
fn known_abi() -> Option<&'static Abi> {
    abi::abi()?.as_ref().ok()
}

#[inline(always)]
fn is_watching() -> bool {
    SWITCH.is_on()
}

/// Calls a function of MPI, and records the call unless it is made inside another one.
///
/// # Safety
///
/// The words must be the arguments that the program passed to this function.
unsafe fn record(slot: &'static FunctionSymbol, count: usize, words: &mut Words) -> usize {
    let real = slot.real.get();
    if real.is_null() {
        return missing(slot, words);
    }
    if !thread::enter_library() {
        // SAFETY: the function exists, and the words are those that the program passed to it.
        return unsafe { symbols::call(real, count, words) };
    }
    let result = match abi::abi() {
        Some(Ok(abi)) => {
            let mut call = MpiCall::new(slot, abi, count, words);
            patterns::run(&mut call);
            call.result
        }
        unknown => {
            if let Some(Err(why)) = unknown {
                SWITCH.turn_off();
                report(format_args!("MPI is not recorded: {why}"));
            }
            // SAFETY: the function exists, and the words are those that the program passed to it.
            unsafe { symbols::call(real, count, words) }
        }
    };
    thread::leave_library();
    result
}

/// The result of a function that no library has. A program that only asks whether MPI is there
/// receives the answer that it is not initialised.
#[cold]
fn missing(slot: &'static FunctionSymbol, words: &Words) -> usize {
    const OTHER: usize = 15;
    let function = slot.function();
    let flag = match function.pattern {
        function::Pattern::Initialized { flag } | function::Pattern::Finalized { flag } => Some(flag),
        _ => None,
    };
    let other = known_abi().map_or(OTHER, |abi| abi.error_other as usize);
    let error = if flag.is_some() { 0 } else { other };
    let write = |place: u8, value: usize| {
        let address = words.get(usize::from(place)).copied().unwrap_or(0);
        let address = core::ptr::with_exposed_provenance_mut::<i32>(address);
        if !address.is_null() {
            // SAFETY: the standard requires an integer there.
            unsafe { address.write(value as i32) };
        }
    };
    if let Some(place) = flag {
        write(place, 0);
    }
    if slot.binding != Binding::C && !matches!(function.pattern, function::Pattern::Init {}) {
        write(function.arguments, error);
    }
    error
}

/// Returns the region of a function; no region if its group is not enabled.
#[inline]
fn region(slot: &'static FunctionSymbol) -> Region {
    match slot.region().load(Relaxed) {
        0 => define_region(slot),
        NO_REGION => Region::default(),
        known => Region(known),
    }
}

/// Marks a function without events.
const NO_REGION: u32 = u32::MAX;

#[cold]
fn define_region(slot: &'static FunctionSymbol) -> Region {
    let function: &Function = slot.function();
    if !options::has(function.groups) {
        slot.region().store(NO_REGION, Relaxed);
        return Region::default();
    }
    if host().is_none() {
        return Region::default();
    }
    define_paradigms();
    let name = function.name.as_bytes();
    let region =
        measurement::define_region(name, name, Some(FILE), 0, 0, SCOREP_PARADIGM_MPI, function.region);
    slot.region().store(region.0, Relaxed);
    region
}

/// Executes an action before or after the call of the library; a panic does not reach the program.
fn quietly(action: impl FnOnce()) {
    keeping_errno(|| measurement::catching_panics(action));
}

/// The region of a call that is being recorded.
#[derive(Debug, Clone, Copy)]
struct Scope {
    region: Region,
    is_entered: bool,
}

impl Scope {
    /// Enters the region of a call and records the events that follow. `before` also runs if
    /// nothing is recorded.
    #[inline]
    fn enter(call: &MpiCall<'_>, before: impl FnOnce(Option<&Here>)) -> Self {
        let mut scope = Self { region: Region::default(), is_entered: false };
        quietly(|| {
            measurement::awake();
            scope.region = region(call.slot);
            let here = if scope.region.0 == 0 { None } else { measurement::here_or_orphan() };
            if let Some(here) = &here {
                here.enter(scope.region);
            }
            scope.is_entered = here.is_some();
            before(here.as_ref());
        });
        scope
    }

    /// Records the events that follow the call, and leaves the region. `after` also runs if nothing
    /// is recorded.
    #[inline]
    fn leave(self, after: impl FnOnce(Option<&Here>)) {
        quietly(|| {
            let here = if self.is_entered { measurement::here() } else { None };
            after(here.as_ref());
            if let Some(here) = &here {
                here.leave(self.region);
            }
        });
    }

    /// Like [`Self::leave`], where an event that `after` records happens when the region is left,
    /// which saves a reading of the clock.
    #[inline]
    fn leave_with(self, after: impl FnOnce(Option<&Here>)) {
        quietly(|| {
            let Some(here) = (if self.is_entered { measurement::here() } else { None }) else {
                return after(None);
            };
            let before = here.last_time();
            after(Some(&here));
            let last = here.last_time();
            here.leave_at(self.region, if last == before { here.now() } else { last });
        });
    }
}
