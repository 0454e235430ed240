//! The functions that Kokkos calls, as its header declares them.

use std::ffi::{c_char, c_void};

use kymo_substrate::bindings::SCOREP_PARAMETER_UINT64;

use super::spaces::{self, SpaceHandle};
use super::{COPY, EVENT, FENCE, FOR, KOKKOS, NAME, REDUCE, REGION, SCAN, SECTION};
use crate::adapters::annotations::{RangeOwner, RegionGroup, text};
use crate::adapters::lazy_handle::LazyHandle;
use crate::measurement::{self, Here, Parameter, Region};

/// The owner of regions that are pushed and popped.
const PUSHED: RangeOwner = RangeOwner { interface: NAME, number: u64::MAX };
/// The owner of copies.
const COPIES: RangeOwner = RangeOwner { interface: NAME, number: u64::MAX - 1 };

/// Returns the region of a name.
///
/// # Safety
///
/// Null, or a string that ends with 0.
unsafe fn named(group: &'static RegionGroup, name: *const c_char) -> Region {
    // SAFETY: null, or a string that ends with 0.
    unsafe { text::bytes(name) }.map_or(Region::default(), |name| KOKKOS.region(group, name))
}

/// Begins a range that ends by its number, which is that of its region; 0 if it is not recorded.
///
/// # Safety
///
/// The name is a string that ends with 0; the place is null or writable.
unsafe fn begin_numbered(group: &'static RegionGroup, name: *const c_char, number: *mut u64) {
    // SAFETY: the name is a string.
    let region = unsafe { named(group, name) };
    // SAFETY: null or writable.
    if let Some(number) = unsafe { number.as_mut() } {
        *number = region.0.into();
    }
    if region != Region::default() {
        KOKKOS.begin(KOKKOS.owner(region.0.into()), region, |_| {});
    }
}

fn end_numbered(number: u64) {
    if number != 0 {
        KOKKOS.end(KOKKOS.owner(number));
    }
}

/// Declares the functions that begin and end kernels and fences.
macro_rules! numbered {
    ($($begin:ident, $end:ident, $group:ident;)*) => {$(
        /// # Safety
        ///
        /// As the interface requires: the name is a string, and the place is writable.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $begin(name: *const c_char, _device: u32, number: *mut u64) {
            // SAFETY: the name is a string, and the place is writable.
            unsafe { begin_numbered(&$group, name, number) };
        }

        #[unsafe(no_mangle)]
        extern "C" fn $end(number: u64) {
            end_numbered(number);
        }
    )*};
}

numbered! {
    kokkosp_begin_parallel_for, kokkosp_end_parallel_for, FOR;
    kokkosp_begin_parallel_reduce, kokkosp_end_parallel_reduce, REDUCE;
    kokkosp_begin_parallel_scan, kokkosp_end_parallel_scan, SCAN;
    kokkosp_begin_fence, kokkosp_end_fence, FENCE;
}

#[unsafe(no_mangle)]
extern "C" fn kokkosp_init_library(_order: i32, _version: u64, _devices: u32, _info: *const c_void) {}

#[unsafe(no_mangle)]
extern "C" fn kokkosp_finalize_library() {}

/// The first byte of the settings asks for a fence before each call, which is a wait for all
/// devices.
///
/// # Safety
///
/// As the interface requires: the settings are writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn kokkosp_request_tool_settings(_count: u32, settings: *mut u8) {
    // SAFETY: null or writable.
    if let Some(needs_fences) = unsafe { settings.as_mut() } {
        *needs_fences = 0;
    }
}

/// # Safety
///
/// As the interface requires: both are strings that end with 0.
#[unsafe(no_mangle)]
unsafe extern "C" fn kokkosp_declare_metadata(name: *const c_char, value: *const c_char) {
    // SAFETY: both are strings.
    if let [Some(name), Some(value)] = [name, value].map(|it| unsafe { text::bytes(it) }) {
        KOKKOS.describe(name, value);
    }
}

/// # Safety
///
/// As the interface requires: the name is a string that ends with 0.
#[unsafe(no_mangle)]
unsafe extern "C" fn kokkosp_push_profile_region(name: *const c_char) {
    // SAFETY: the name is a string.
    let region = unsafe { named(&REGION, name) };
    KOKKOS.begin(PUSHED, region, |_| {});
}

#[unsafe(no_mangle)]
extern "C" fn kokkosp_pop_profile_region() {
    KOKKOS.end(PUSHED);
}

/// # Safety
///
/// As the interface requires: the name is a string, and the place is writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn kokkosp_create_profile_section(name: *const c_char, number: *mut u32) {
    // SAFETY: the name is a string.
    let region = unsafe { named(&SECTION, name) };
    // SAFETY: null or writable.
    if let Some(number) = unsafe { number.as_mut() } {
        *number = region.0;
    }
}

#[unsafe(no_mangle)]
extern "C" fn kokkosp_start_profile_section(number: u32) {
    if number != 0 {
        KOKKOS.begin(KOKKOS.owner(number.into()), Region(number), |_| {});
    }
}

#[unsafe(no_mangle)]
extern "C" fn kokkosp_stop_profile_section(number: u32) {
    end_numbered(number.into());
}

#[unsafe(no_mangle)]
extern "C" fn kokkosp_destroy_profile_section(_number: u32) {}

/// # Safety
///
/// As the interface requires: the name is a string that ends with 0.
#[unsafe(no_mangle)]
unsafe extern "C" fn kokkosp_profile_event(name: *const c_char) {
    // SAFETY: the name is a string.
    KOKKOS.mark(unsafe { named(&EVENT, name) }, |_| {});
}

#[unsafe(no_mangle)]
extern "C" fn kokkosp_allocate_data(
    space: SpaceHandle,
    _label: *const c_char,
    _address: *const c_void,
    bytes: u64,
) {
    spaces::change(&space, bytes.try_into().unwrap_or(i64::MAX));
}

#[unsafe(no_mangle)]
extern "C" fn kokkosp_deallocate_data(
    space: SpaceHandle,
    _label: *const c_char,
    _address: *const c_void,
    bytes: u64,
) {
    spaces::change(&space, -i64::try_from(bytes).unwrap_or(i64::MAX));
}

#[unsafe(no_mangle)]
extern "C" fn kokkosp_begin_deep_copy(
    _to: SpaceHandle,
    _to_label: *const c_char,
    _to_address: *const c_void,
    _from: SpaceHandle,
    _from_label: *const c_char,
    _from_address: *const c_void,
    bytes: u64,
) {
    let region = KOKKOS.region(&COPY, b"kokkos_deep_copy");
    KOKKOS.begin(COPIES, region, |here| record_bytes(here, bytes));
}

fn record_bytes(here: &Here, bytes: u64) {
    static BYTES: LazyHandle = LazyHandle::new();
    let define = || measurement::define_parameter(b"bytes", SCOREP_PARAMETER_UINT64).0;
    here.parameter_u64(Parameter(BYTES.get_if_allowed(define)), bytes);
}

#[unsafe(no_mangle)]
extern "C" fn kokkosp_end_deep_copy() {
    KOKKOS.end(COPIES);
}
