//! Functions of programs that were compiled with `-finstrument-functions`.
//!
//! The compiler inserts a call at the start and at the end of each function, with the function's
//! address. The address is resolved when it is first seen, and looked up in a table from then on.
//! Invariant: for a function that a filter leaves out the clock is not read.

use std::ffi::c_void;
use std::panic;
use std::path::Path;
use std::sync::MutexGuard;

use kymo_substrate::bindings::{SCOREP_PARADIGM_COMPILER, SCOREP_REGION_FUNCTION};
use kymo_symbols::{Function, Symbol};

use crate::adapter::Adapter;
use crate::address_table::{AddressTable, UNKNOWN};
use crate::cancellation::uncancelled;
use crate::demangler;
use crate::durations;
use crate::filtering;
use crate::host::host;
use crate::interrupted::Subject;
use crate::libraries::{forget_symbols, symbols};
use crate::measurement::{self, Caller, Region};
use crate::next::keeping_errno;
use crate::processes::{ForkHold, may_allocate};
use crate::settings::Settings;
use crate::switch::{Switch, is_chosen};

/// The adapter of functions that a compiler instrumented.
#[derive(Debug)]
pub(crate) struct Functions;

/// The name by which settings choose it.
const NAME: &str = "functions";

impl Adapter for Functions {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare(&self, settings: &Settings) -> bool {
        prepare(settings)
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

    fn region_of(&self, function: usize, may_define: bool) -> Option<Region> {
        if may_define { region_of(function) } else { known_region_of(function) }
    }

    fn hold(&self) {
        HELD.with(|held| held.keep(TABLE.hold()));
    }

    fn release(&self) {
        drop(HELD.with(ForkHold::take));
    }

    fn unloaded(&self, is_gone: bool) {
        if is_gone && SWITCH.is_on() {
            // The thread counts as inside the runtime: nothing that is called here may be recorded.
            let _here = measurement::here();
            TABLE.forget(forget_symbols);
        }
    }
}

thread_local! {
    static HELD: ForkHold<MutexGuard<'static, usize>> = const { ForkHold::new() };
}

/// The value of a function that is left out. No region has it, as handles are aligned offsets.
const EXCLUDED: u64 = 1;

static SWITCH: Switch = Switch::new();
/// The regions of functions, by address.
static TABLE: AddressTable = AddressTable::new();

fn prepare(settings: &Settings) -> bool {
    filtering::read(settings);
    is_chosen(settings, NAME)
}

fn begun() {
    if let Some((host, limit)) = host().and_then(|host| Some((host, host.settings.min_duration?))) {
        durations::begin(limit, host.clock.resolution());
    }
    SWITCH.turn_on();
}

/// Records that a function begins. Called by code that the compiler generated.
#[unsafe(no_mangle)]
extern "C" fn __cyg_profile_func_enter(function: *const c_void, _call_site: *const c_void) {
    if SWITCH.is_on() {
        record(function.addr(), false);
    }
}

/// Records that a function ends. Called by code that the compiler generated.
#[unsafe(no_mangle)]
extern "C" fn __cyg_profile_func_exit(function: *const c_void, _call_site: *const c_void) {
    if SWITCH.is_on() {
        record(function.addr(), true);
    }
}

#[inline(always)]
fn record(function: usize, leaves: bool) {
    let known = TABLE.get(function);
    if known > u64::from(u32::MAX) {
        keeping_errno(|| record_gauged(known, leaves));
    } else if known != EXCLUDED {
        keeping_errno(|| {
            let here = measurement::here_or_orphan();
            let region =
                if known == UNKNOWN { here.as_ref().and_then(|_| region_of(function)) } else { of(known) };
            match (here, region) {
                (Some(here), Some(region)) if leaves => here.leave(region),
                (Some(here), Some(region)) => here.enter_from(Caller::Region, region, here.now()),
                (_, Some(region)) => measurement::postpone(Subject::Region(region.0), leaves),
                (_, None) => measurement::postpone(Subject::Function(function), leaves),
            }
        });
    }
}

/// Like [`record`], but for a function that may be left out because its calls are short.
#[inline(never)]
fn record_gauged(known: u64, leaves: bool) {
    let (region, number) = (Region(known as u32), known >> u32::BITS);
    let Some(gauge) = durations::gauge(number) else { return };
    if gauge.is_left_out() && measurement::leave_out(number, leaves) {
        return;
    }
    match measurement::here_or_orphan() {
        Some(here) if leaves => {
            if let Some(ticks) = here.leave_timed(region) {
                gauge.add(ticks);
            }
        }
        Some(here) => here.enter_from(Caller::Region, region, here.now()),
        None => measurement::postpone(Subject::Region(region.0), leaves),
    }
}

/// Returns the region in a value of the table, with handle 0 if the function is left out. The
/// region is in the lower half of the value; the upper half is the number of the gauge, if the
/// function has one.
#[inline(always)]
fn of(value: u64) -> Option<Region> {
    Some(Region(if value == EXCLUDED { 0 } else { value as u32 }))
}

/// Returns the region of a function, which is defined if necessary; handle 0 if the function is
/// left out. Returns `None`, and leaves the function undefined, in a handler of a signal that
/// interrupted the allocator.
#[cold]
#[inline(never)]
fn region_of(function: usize) -> Option<Region> {
    match TABLE.get(function) {
        UNKNOWN if !may_allocate() => None,
        // Symbols come from files of any origin, so a panic must be caught.
        UNKNOWN => {
            let define = || panic::catch_unwind(|| define(function)).unwrap_or(EXCLUDED);
            of(uncancelled(|| TABLE.get_or_insert(function, define)))
        }
        known => of(known),
    }
}

/// Returns the region of a function that has been defined and is not left out.
fn known_region_of(function: usize) -> Option<Region> {
    match TABLE.get(function) {
        UNKNOWN => None,
        known => of(known).filter(|region| region.0 != 0),
    }
}

fn define(function: usize) -> u64 {
    let symbol = symbols().get_or_insert_default().find(function as u64);
    // The end of such a function would end the region that it begins.
    if symbol.as_ref().and_then(|it| it.function.as_ref()).is_some_and(Function::marks_region) {
        return EXCLUDED;
    }
    let found = Found::of(function, symbol);
    let (name, mangled, file) = (found.name.as_bytes(), found.mangled.as_bytes(), found.file.as_deref());
    let file = file.map(str::as_bytes);
    if filtering::excludes(name, Some(mangled), file) {
        return EXCLUDED;
    }
    let (paradigm, kind) = (SCOREP_PARADIGM_COMPILER, SCOREP_REGION_FUNCTION);
    match measurement::define_region(name, mangled, file, found.line, 0, paradigm, kind) {
        Region(0) => EXCLUDED,
        region => durations::define(region.0) << u32::BITS | u64::from(region.0),
    }
}

/// The name and source location of a function.
struct Found {
    name: String,
    mangled: String,
    file: Option<String>,
    line: u32,
}

impl Found {
    fn of(address: usize, symbol: Option<Symbol>) -> Self {
        match symbol {
            None => Self::unnamed(format!("{address:#x}")),
            Some(Symbol { function: Some(it), .. }) => {
                let name = demangler::demangled(&it.name).unwrap_or(it.name);
                Self { name, mangled: it.mangled, file: it.file, line: it.line }
            }
            Some(Symbol { module, offset, .. }) => Self::unnamed(format!(
                "{}+{offset:#x}",
                Path::new(module.file_name().unwrap_or_default()).display()
            )),
        }
    }

    fn unnamed(name: String) -> Self {
        Self { mangled: name.clone(), name, file: None, line: 0 }
    }
}
