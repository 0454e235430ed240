//! The tool interface of perfstubs, which ADIOS2, PETSc and Ginkgo call: `ps_tool_*`.
//!
//! A program finds these functions by their names, and calls none if there is no
//! `ps_tool_initialize`. A timer is a region; the pointer that stands for it is the region's
//! number. Invariant: where timers are not recorded, or another library has these functions, they
//! cannot be found here.

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use kymo_substrate::bindings::{
    SCOREP_METRIC_VALUE_DOUBLE, SCOREP_PARADIGM_USER, SCOREP_PARAMETER_INT64, SCOREP_REGION_PHASE,
    SCOREP_REGION_USER,
};

use super::annotations::{self, AnnotationInterface, AnnotationsHold, NamedPlace, RegionGroup, text};
use super::lazy_handle::LazyHandle;
use crate::adapter::{Adapter, MetricDefinition};
use crate::host::Host;
use crate::linker;
use crate::loaded::OwnSymbols;
use crate::measurement::{self, Counter, Here, Parameter, Region};
use crate::message::report;
use crate::processes::{ForkHold, is_first, may_allocate};
use crate::settings::{Settings, is_chosen_by_environment};

/// The adapter of perfstubs.
#[derive(Debug)]
pub(crate) struct PerfStubs;

static PERFSTUBS: AnnotationInterface = AnnotationInterface::new("perfstubs");

thread_local! {
    static HELD: ForkHold<AnnotationsHold> = const { ForkHold::new() };
}

impl Adapter for PerfStubs {
    fn name(&self) -> &'static str {
        PERFSTUBS.name()
    }

    fn loaded(&self, is_recorded: bool) {
        let is_chosen = is_recorded && is_chosen_by_environment(PERFSTUBS.name());
        let other = linker::next(c"ps_tool_initialize");
        if is_chosen && !other.is_null() && is_first() {
            report(format_args!("perfstubs: another tool has its functions, and records its timers"));
        }
        if !is_chosen || !other.is_null() {
            OwnSymbols::hide(|name| name.to_bytes().starts_with(b"ps_tool_"));
        }
    }

    fn prepare(&self, settings: &Settings) -> bool {
        PERFSTUBS.prepare(settings)
    }

    fn awaited(&self) {
        PERFSTUBS.turn_on();
    }

    fn begun(&self) {
        PERFSTUBS.turn_on();
    }

    fn properties(&self, _: &Host) -> Vec<(&'static str, String)> {
        PERFSTUBS.properties()
    }

    fn ended(&self) {
        PERFSTUBS.turn_off();
    }

    fn thread_ended(&self) {
        annotations::end_thread();
    }

    fn pooled_thread_ended(&self) {
        annotations::end_thread();
    }

    fn hold(&self) {
        HELD.with(|held| held.keep(PERFSTUBS.hold()));
    }

    fn release(&self) {
        drop(HELD.with(ForkHold::take));
    }

    fn forget(&self) {
        PERFSTUBS.forget();
    }
}

static TIMERS: RegionGroup = RegionGroup {
    description: std::borrow::Cow::Borrowed(b"perfstubs timer"),
    paradigm: SCOREP_PARADIGM_USER,
    kind: SCOREP_REGION_USER,
    named: placed,
};

static PHASES: RegionGroup = RegionGroup {
    description: std::borrow::Cow::Borrowed(b"perfstubs phase"),
    paradigm: SCOREP_PARADIGM_USER,
    kind: SCOREP_REGION_PHASE,
    named: placed,
};

/// Returns the place in the name of a timer: `name [{file} {line}]`.
fn placed(text: &str) -> NamedPlace<'_> {
    let parts = || {
        let (name, place) = text.strip_suffix("}]")?.rsplit_once(" [{")?;
        let (file, line) = place.rsplit_once("} {")?;
        Some((name, file, line.parse().ok()?))
    };
    match parts() {
        None => NamedPlace::plain(text),
        Some((name, file, line)) => {
            NamedPlace { name: name.into(), canonical: name.into(), file: Some(file), line }
        }
    }
}

fn start(region: Region, follow: impl FnOnce(&Here)) {
    if region != Region::default() {
        PERFSTUBS.begin(PERFSTUBS.owner(region.0.into()), region, follow);
    }
}

fn stop(region: Region) {
    if region != Region::default() {
        PERFSTUBS.end(PERFSTUBS.owner(region.0.into()));
    }
}

/// Returns the region for which a pointer stands.
fn region_of(timer: *const c_void) -> Region {
    Region(u32::try_from(timer.addr()).unwrap_or(0))
}

/// Returns the region of a name.
///
/// # Safety
///
/// Null, or a string that ends with 0.
unsafe fn named(group: &'static RegionGroup, name: *const c_char) -> Region {
    // SAFETY: null, or a string that ends with 0.
    unsafe { text::bytes(name) }.map_or(Region::default(), |name| PERFSTUBS.region(group, name))
}

#[unsafe(no_mangle)]
extern "C" fn ps_tool_initialize() {}

#[unsafe(no_mangle)]
extern "C" fn ps_tool_finalize() {}

#[unsafe(no_mangle)]
extern "C" fn ps_tool_pause_measurement() {
    PERFSTUBS.record(Here::recording_off);
}

#[unsafe(no_mangle)]
extern "C" fn ps_tool_resume_measurement() {
    PERFSTUBS.record(Here::recording_on);
}

/// # Safety
///
/// As the interface requires: the name is a string that ends with 0.
#[unsafe(no_mangle)]
unsafe extern "C" fn ps_tool_timer_create(name: *const c_char) -> *mut c_void {
    // SAFETY: the name is a string.
    ptr::without_provenance_mut(unsafe { named(&TIMERS, name) }.0 as usize)
}

#[unsafe(no_mangle)]
extern "C" fn ps_tool_timer_start(timer: *const c_void) {
    start(region_of(timer), |_| {});
}

#[unsafe(no_mangle)]
extern "C" fn ps_tool_timer_stop(timer: *const c_void) {
    stop(region_of(timer));
}

/// # Safety
///
/// As the interface requires: the name is a string that ends with 0.
#[unsafe(no_mangle)]
unsafe extern "C" fn ps_tool_start_string(name: *const c_char) {
    // SAFETY: the name is a string.
    start(unsafe { named(&TIMERS, name) }, |_| {});
}

/// # Safety
///
/// As the interface requires: the name is a string that ends with 0.
#[unsafe(no_mangle)]
unsafe extern "C" fn ps_tool_stop_string(name: *const c_char) {
    // SAFETY: the name is a string.
    stop(unsafe { named(&TIMERS, name) });
}

#[unsafe(no_mangle)]
extern "C" fn ps_tool_stop_current() {
    PERFSTUBS.end_any();
}

/// # Safety
///
/// As the interface requires: the name is a string that ends with 0.
#[unsafe(no_mangle)]
unsafe extern "C" fn ps_tool_dynamic_phase_start(name: *const c_char, iteration: c_int) {
    // SAFETY: the name is a string.
    let region = unsafe { named(&PHASES, name) };
    start(region, |here| {
        static ITERATION: LazyHandle = LazyHandle::new();
        let define = || measurement::define_parameter(b"iteration", SCOREP_PARAMETER_INT64).0;
        here.parameter_i64(Parameter(ITERATION.get_if_allowed(define)), iteration.into());
    });
}

/// # Safety
///
/// As the interface requires: the name is a string that ends with 0.
#[unsafe(no_mangle)]
unsafe extern "C" fn ps_tool_dynamic_phase_stop(name: *const c_char, _: c_int) {
    // SAFETY: the name is a string.
    stop(unsafe { named(&PHASES, name) });
}

/// # Safety
///
/// As the interface requires: the name is a string that ends with 0.
#[unsafe(no_mangle)]
unsafe extern "C" fn ps_tool_set_parameter(name: *const c_char, value: i64) {
    // SAFETY: the name is a string.
    let name = unsafe { text::bytes(name) }.unwrap_or_default();
    PERFSTUBS.record(|here| PERFSTUBS.parameter_i64(here, name, value));
}

/// # Safety
///
/// As the interface requires: the name is a string that ends with 0.
#[unsafe(no_mangle)]
unsafe extern "C" fn ps_tool_create_counter(name: *const c_char) -> *mut c_void {
    let mut counter = Counter::default();
    // SAFETY: the name is a string.
    let name = unsafe { text::bytes(name) }.unwrap_or_default();
    PERFSTUBS.record(|_| {
        if may_allocate() {
            let (name, unit) = (text::valid(name).into_owned(), String::new());
            let metric = MetricDefinition::of_program(name, unit, SCOREP_METRIC_VALUE_DOUBLE);
            counter = measurement::define_counter(&metric);
        }
    });
    ptr::without_provenance_mut(counter.0 as usize)
}

#[unsafe(no_mangle)]
extern "C" fn ps_tool_sample_counter(counter: *const c_void, value: f64) {
    let counter = Counter(u32::try_from(counter.addr()).unwrap_or(0));
    PERFSTUBS.record(|here| here.counter_f64(counter, value));
}

/// # Safety
///
/// As the interface requires: both are strings that end with 0.
#[unsafe(no_mangle)]
unsafe extern "C" fn ps_tool_set_metadata(name: *const c_char, value: *const c_char) {
    // SAFETY: both are strings.
    let [Some(name), Some(value)] = [name, value].map(|text| unsafe { text::bytes(text) }) else { return };
    PERFSTUBS.describe(name, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_timer_can_have_a_place() {
        let placed_at = |name: &'static str, file, line| NamedPlace {
            name: name.into(),
            canonical: name.into(),
            file: Some(file),
            line,
        };
        assert_eq!(placed("inner [{a b.c} {17}]"), placed_at("inner", "a b.c", 17));
        assert_eq!(placed("f [{x}] [{a.c} {3}]"), placed_at("f [{x}]", "a.c", 3));
        for plain in ["inner", "a [{b.c} {x}]", "[{b.c}]", "}]"] {
            assert_eq!(placed(plain), NamedPlace::plain(plain));
        }
    }
}
