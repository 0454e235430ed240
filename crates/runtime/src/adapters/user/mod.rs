//! The functions of `include/kymo/runtime.h`: regions, parameters, metrics and recording, as the
//! program specifies them.
//!
//! A handle in the program contains the number of the definition in its lower half and the type of
//! its values in the upper half. Invariants: no failure reaches the program; a handle that is
//! unknown, or is of another type, does nothing.

mod definitions;

use std::ffi::{CStr, c_char, c_int};
use std::panic;
use std::sync::atomic::{AtomicU64, Ordering};

use kymo_substrate::bindings::{
    SCOREP_METRIC_VALUE_DOUBLE, SCOREP_METRIC_VALUE_INT64, SCOREP_METRIC_VALUE_UINT64,
    SCOREP_PARAMETER_INT64, SCOREP_PARAMETER_STRING, SCOREP_PARAMETER_UINT64,
};

use crate::adapter::Adapter;
use crate::filtering;
use crate::interrupted::Subject;
use crate::measurement::{self, Counter, Here, Parameter, Region};
use crate::next::keeping_errno;
use crate::processes::{ForkHold, may_allocate};
use crate::settings::Settings;
use crate::switch::{Switch, is_chosen};
use definitions::UserSource;
use definitions::{UserDefinitionsHold, hold};

/// The adapter of regions, parameters and metrics that the program names.
#[derive(Debug)]
pub(crate) struct User;

/// The name by which settings choose it.
const NAME: &str = "user";

impl Adapter for User {
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
        SWITCH.turn_on();
    }

    fn ended(&self) {
        SWITCH.turn_off();
    }

    fn hold(&self) {
        HELD.with(|held| held.keep(hold()));
    }

    fn release(&self) {
        drop(HELD.with(ForkHold::take));
    }
}

thread_local! {
    static HELD: ForkHold<UserDefinitionsHold> = const { ForkHold::new() };
}

static SWITCH: Switch = Switch::new();

fn prepare(settings: &Settings) -> bool {
    filtering::read(settings);
    is_chosen(settings, NAME)
}

/// The content of a handle in the program: a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Handle(u64);

impl Handle {
    /// A definition that is left out or was refused; it remains so.
    const NOTHING: Self = Self(u64::MAX);

    fn new(number: u32, value_type: u32) -> Self {
        match number {
            0 => Self::NOTHING,
            _ => Self(u64::from(value_type) << u32::BITS | u64::from(number)),
        }
    }

    /// Returns the number if the handle is of this type.
    fn number(self, value_type: u32) -> Option<u32> {
        let is_it = self != Self::NOTHING && self.0 >> u32::BITS == u64::from(value_type);
        (is_it && self.0 as u32 != 0).then_some(self.0 as u32)
    }

    fn region(self) -> Option<Region> {
        self.number(0).map(Region)
    }
}

/// Executes an action with the location of this thread, if the thread is recorded.
fn record(action: impl FnOnce(&Here)) {
    if SWITCH.is_on() {
        keeping_errno(|| match measurement::here_or_orphan() {
            Some(here) => action(&here),
            None => measurement::miss(),
        });
    }
}

/// Enters or leaves a region that has been defined.
fn record_region(handle: Handle, leaves: bool) {
    let Some(region) = handle.region().filter(|_| SWITCH.is_on()) else { return };
    keeping_errno(|| match measurement::here_or_orphan() {
        Some(here) if leaves => here.leave(region),
        Some(here) => here.enter(region),
        None => measurement::postpone(Subject::Region(region.0), leaves),
    });
}

/// Returns the content of the program's handle, which is defined if it is empty.
///
/// # Safety
///
/// The handle must be null or written only by this module.
unsafe fn defined(handle: *mut u64, define: impl FnOnce() -> Handle) -> Handle {
    if handle.is_null() {
        return Handle::NOTHING;
    }
    // SAFETY: not null, and every thread accesses it atomically.
    let handle = unsafe { AtomicU64::from_ptr(handle) };
    match handle.load(Ordering::Relaxed) {
        0 if !may_allocate() => Handle::NOTHING,
        0 => {
            // Threads that arrive at the same time make the same definition and receive the same
            // number.
            let new = panic::catch_unwind(panic::AssertUnwindSafe(define)).unwrap_or(Handle::NOTHING);
            handle.store(new.0, Ordering::Relaxed);
            new
        }
        known => Handle(known),
    }
}

/// Returns the content of the program's handle, [`Handle::NOTHING`] if it is empty.
///
/// # Safety
///
/// As for [`defined`].
unsafe fn known(handle: *mut u64) -> Handle {
    // SAFETY: null, or a handle that every thread accesses atomically.
    let handle = (!handle.is_null()).then(|| unsafe { AtomicU64::from_ptr(handle) }.load(Ordering::Relaxed));
    handle.filter(|&handle| handle != 0).map_or(Handle::NOTHING, Handle)
}

/// Returns the bytes of a C string, `None` for null.
///
/// # Safety
///
/// Null, or a string that ends with 0 and is valid for `'a`.
unsafe fn text<'a>(string: *const c_char) -> Option<&'a [u8]> {
    // SAFETY: the string is not null, so it ends with 0 and is valid for `'a`.
    (!string.is_null()).then(|| unsafe { CStr::from_ptr(string) }.to_bytes())
}

/// # Safety
///
/// As for [`text`].
unsafe fn source<'a>(name: *const c_char, kind: u32, file: *const c_char, line: u32) -> UserSource<'a> {
    // SAFETY: both texts are null, or strings that end with 0 and are valid for `'a`.
    let (name, file) = unsafe { (text(name), text(file)) };
    UserSource { name: name.unwrap_or_default(), kind, file, line }
}

/// # Safety
///
/// As the header requires: the handle and the strings are valid and belong to the program, which
/// only reads the handle.
#[unsafe(no_mangle)]
unsafe extern "C" fn kymo_user_region_define(
    region: *mut u64,
    name: *const c_char,
    kind: u32,
    file: *const c_char,
    line: u32,
) {
    record(|_| {
        // SAFETY: the handle and the strings are valid, and the program only reads the handle.
        unsafe { defined(region, || source(name, kind, file, line).region()) };
    });
}

/// # Safety
///
/// As the header requires: the handle and the strings are valid and belong to the program, which
/// only reads the handle.
#[unsafe(no_mangle)]
unsafe extern "C" fn kymo_user_region_begin(
    region: *mut u64,
    name: *const c_char,
    kind: u32,
    file: *const c_char,
    line: u32,
) {
    // SAFETY: the handle is valid, and the program only reads it.
    let known = unsafe { known(region) };
    if known.region().is_some() {
        return record_region(known, false);
    }
    record(|here| {
        // SAFETY: the handle and the strings are valid, and the program only reads the handle.
        let region = unsafe { defined(region, || source(name, kind, file, line).region()) };
        if let Some(region) = region.region() {
            here.enter(region);
        }
    });
}

#[unsafe(no_mangle)]
extern "C" fn kymo_user_region_enter(region: u64) {
    record_region(Handle(region), false);
}

#[unsafe(no_mangle)]
extern "C" fn kymo_user_region_end(region: u64) {
    record_region(Handle(region), true);
}

/// # Safety
///
/// As the header requires: the strings are valid.
#[unsafe(no_mangle)]
unsafe extern "C" fn kymo_user_region_begin_by_name(
    name: *const c_char,
    kind: u32,
    file: *const c_char,
    line: u32,
) {
    record(|here| {
        // SAFETY: the strings are valid, as the header requires.
        let region = definitions::named(unsafe { source(name, kind, file, line) });
        if let Some(region) = region.region() {
            here.enter(region);
        }
    });
}

/// # Safety
///
/// As the header requires: the string is valid.
#[unsafe(no_mangle)]
unsafe extern "C" fn kymo_user_region_end_by_name(name: *const c_char) {
    record(|here| {
        // SAFETY: the string is valid, as the header requires.
        let region = definitions::known(unsafe { text(name) }.unwrap_or_default());
        if let Some(region) = region.and_then(Handle::region) {
            here.leave(region);
        }
    });
}

/// # Safety
///
/// As the header requires: the handle and the strings are valid and belong to the program, which
/// only reads the handle.
#[unsafe(no_mangle)]
unsafe extern "C" fn kymo_user_rewind_begin(
    region: *mut u64,
    name: *const c_char,
    kind: u32,
    file: *const c_char,
    line: u32,
) {
    record(|here| {
        // SAFETY: the handle and the strings are valid, and the program only reads the handle.
        let region = unsafe { defined(region, || source(name, kind, file, line).region()) };
        if let Some(region) = region.region() {
            here.enter_rewind(region);
        }
    });
}

#[unsafe(no_mangle)]
extern "C" fn kymo_user_rewind_end(region: u64, rewind: c_int) {
    record(|here| {
        if let Some(region) = Handle(region).region() {
            here.leave_rewind(region, rewind != 0);
        }
    });
}

/// Records a value of a parameter, which is defined if it is new.
///
/// # Safety
///
/// The handle and the name are valid and belong to the program, which only reads the handle.
unsafe fn parameter(handle: *mut u64, name: *const c_char, kind: u32, value: impl FnOnce(&Here, Parameter)) {
    record(|here| {
        // SAFETY: the handle and the name are valid, and the program only reads the handle.
        let defined =
            unsafe { defined(handle, || definitions::parameter(text(name).unwrap_or_default(), kind)) };
        if let Some(number) = defined.number(kind) {
            value(here, Parameter(number));
        }
    });
}

/// # Safety
///
/// As the header requires: the handle and the string are valid and belong to the program, which
/// only reads the handle.
#[unsafe(no_mangle)]
unsafe extern "C" fn kymo_user_parameter_int64(handle: *mut u64, name: *const c_char, value: i64) {
    // SAFETY: the handle and the name are valid, and the program only reads the handle.
    unsafe { parameter(handle, name, SCOREP_PARAMETER_INT64, |here, it| here.parameter_i64(it, value)) };
}

/// # Safety
///
/// As the header requires: the handle and the string are valid and belong to the program, which
/// only reads the handle.
#[unsafe(no_mangle)]
unsafe extern "C" fn kymo_user_parameter_uint64(handle: *mut u64, name: *const c_char, value: u64) {
    // SAFETY: the handle and the name are valid, and the program only reads the handle.
    unsafe { parameter(handle, name, SCOREP_PARAMETER_UINT64, |here, it| here.parameter_u64(it, value)) };
}

/// # Safety
///
/// As the header requires: the handle and the strings are valid and belong to the program, which
/// only reads the handle.
#[unsafe(no_mangle)]
unsafe extern "C" fn kymo_user_parameter_string(handle: *mut u64, name: *const c_char, value: *const c_char) {
    // SAFETY: the value is a valid string, as the header requires.
    let value = unsafe { text(value) }.unwrap_or_default();
    let string = |here: &Here, it| here.parameter_string(it, measurement::define_string(value));
    // SAFETY: the handle and the name are valid, and the program only reads the handle.
    unsafe { parameter(handle, name, SCOREP_PARAMETER_STRING, string) };
}

/// # Safety
///
/// As the header requires: the handle and the strings are valid and belong to the program, which
/// only reads the handle.
#[unsafe(no_mangle)]
unsafe extern "C" fn kymo_user_metric_define(
    metric: *mut u64,
    name: *const c_char,
    unit: *const c_char,
    kind: u32,
    _context: u32,
) {
    record(|_| {
        // SAFETY: the name and the unit are valid strings, as the header requires.
        let (name, unit) = unsafe { (text(name).unwrap_or_default(), text(unit).unwrap_or_default()) };
        // SAFETY: the handle is valid, and the program only reads it.
        unsafe { defined(metric, || definitions::metric(name, unit, kind)) };
    });
}

/// Records a value of a metric, if the metric is of this type.
fn metric(metric: u64, kind: u32, value: impl FnOnce(&Here, Counter)) {
    if let Some(number) = Handle(metric).number(kind) {
        record(|here| value(here, Counter(number)));
    }
}

#[unsafe(no_mangle)]
extern "C" fn kymo_user_metric_int64(handle: u64, value: i64) {
    metric(handle, SCOREP_METRIC_VALUE_INT64, |here, counter| here.counter_i64(counter, value));
}

#[unsafe(no_mangle)]
extern "C" fn kymo_user_metric_uint64(handle: u64, value: u64) {
    metric(handle, SCOREP_METRIC_VALUE_UINT64, |here, counter| here.counter_u64(counter, value));
}

#[unsafe(no_mangle)]
extern "C" fn kymo_user_metric_double(handle: u64, value: f64) {
    metric(handle, SCOREP_METRIC_VALUE_DOUBLE, |here, counter| here.counter_f64(counter, value));
}

#[unsafe(no_mangle)]
extern "C" fn kymo_user_recording_enable() {
    record(Here::recording_on);
}

#[unsafe(no_mangle)]
extern "C" fn kymo_user_recording_disable() {
    record(Here::recording_off);
}

#[unsafe(no_mangle)]
extern "C" fn kymo_user_recording_is_on() -> c_int {
    measurement::is_on().into()
}

#[unsafe(no_mangle)]
extern "C" fn kymo_runtime_is_measuring() -> c_int {
    measurement::is_measuring().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_contains_its_type() {
        let double = Handle::new(8, SCOREP_METRIC_VALUE_DOUBLE);
        assert_eq!(double.number(SCOREP_METRIC_VALUE_DOUBLE), Some(8));
        assert_eq!(double.number(SCOREP_METRIC_VALUE_INT64), None);
        assert_eq!(Handle::new(0, 0).region(), None);
        assert_eq!(Handle(0).region(), None);
        assert_eq!(Handle(u64::MAX).number(u32::MAX), None);
    }
}
