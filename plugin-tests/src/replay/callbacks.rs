//! The 53 functions that a plugin receives with `set_callbacks`, in a table of 424 bytes.
//!
//! Getters accept handles that were announced as the matching kind, until `write_data` has
//! returned. A real host returns garbage or crashes on any other handle; this one prints the
//! mistake and aborts.

use crate::replay::host::{fail, host};
use crate::replay::locations::Location;
use crate::replay::metrics::{self, Source};
use kymo_substrate::bindings::*;
use kymo_substrate::hosting::{Callbacks, DefinitionAccess, callbacks};
use std::ffi::{c_char, c_void};
use std::sync::atomic::Ordering;

/// The definitions of the recorded process.
pub(crate) struct Recorded;

impl DefinitionAccess for Recorded {
    /// Checks that `handle` was announced as `kind`.
    fn expect(handle: u32, kind: SCOREP_HandleType, function: &str) {
        let announced = host().arena.kind(handle);
        if announced != Some(kind) {
            let found =
                announced.map_or_else(|| "is not announced".to_owned(), |found| format!("has type {found}"));
            fail(&format!("{function}: expected a handle of type {kind}, but {handle} {found}"));
        }
    }

    fn word(handle: u32, offset: usize) -> u32 {
        host().arena.field(handle, offset)
    }

    fn address(handle: u32, offset: usize) -> *const u8 {
        host().arena.address(handle as usize + offset).unwrap_or(std::ptr::null())
    }

    /// Returns null if there is no text.
    fn text(string: u32) -> *const c_char {
        host().arena.text(string)
    }
}

impl Callbacks for Recorded {
    /// Other definitions refer to strings, so a string may be requested before or without its
    /// announcement.
    unsafe extern "C" fn string(handle: SCOREP_StringHandle) -> *const c_char {
        let text = host().arena.text(handle);
        if text.is_null() {
            fail(&format!("SCOREP_StringHandle_Get: {handle} is not a string"));
        }
        text
    }

    unsafe extern "C" fn location_type(location: *const SCOREP_Location) -> SCOREP_LocationType {
        // SAFETY: the interface guarantees a location of this host.
        unsafe { Location::at(location, "SCOREP_Location_GetType") }.kind
    }

    unsafe extern "C" fn location_name(location: *const SCOREP_Location) -> *const c_char {
        // SAFETY: as above.
        let location = unsafe { Location::at(location, "SCOREP_Location_GetName") };
        location.name(host().names_final.load(Ordering::Acquire))
    }

    unsafe extern "C" fn location_id(location: *const SCOREP_Location) -> u32 {
        // SAFETY: as above.
        unsafe { Location::at(location, "SCOREP_Location_GetId") }.id
    }

    unsafe extern "C" fn location_global_id(location: *const SCOREP_Location) -> u64 {
        // SAFETY: as above.
        let location = unsafe { Location::at(location, "SCOREP_Location_GetGlobalId") };
        if !host().mpp_initialised() {
            fail("SCOREP_Location_GetGlobalId: called before init_mpp");
        }
        u64::from(location.id) << 32 | u64::from(host().rank)
    }

    unsafe extern "C" fn location_set_data(
        location: *const SCOREP_Location,
        plugin: usize,
        data: *mut c_void,
    ) {
        let function = "SCOREP_Location_SetData";
        // SAFETY: as above.
        unsafe { Location::at(location, function) }.slot(plugin, function).store(data, Ordering::Relaxed);
    }

    unsafe extern "C" fn location_get_data(location: *const SCOREP_Location, plugin: usize) -> *mut c_void {
        let function = "SCOREP_Location_GetData";
        // SAFETY: as above.
        unsafe { Location::at(location, function) }.slot(plugin, function).load(Ordering::Relaxed)
    }

    unsafe extern "C" fn write_strictly_synchronous_metrics(
        location: *mut SCOREP_Location,
        timestamp: u64,
        write: SCOREP_Substrates_WriteMetricsCb,
    ) {
        // SAFETY: the plugin's function, on the thread of the plugin's event.
        unsafe { metrics::deliver(location, Source::Strict(timestamp), write) };
    }

    unsafe extern "C" fn write_synchronous_metrics(
        location: *mut SCOREP_Location,
        timestamp: u64,
        write: SCOREP_Substrates_WriteMetricsCb,
    ) {
        // SAFETY: as above.
        unsafe { metrics::deliver(location, Source::Synchronous(timestamp), write) };
    }

    unsafe extern "C" fn write_asynchronous_metrics(
        location: *mut SCOREP_Location,
        write: SCOREP_Substrates_WriteMetricsCb,
    ) {
        // SAFETY: as above.
        unsafe { metrics::deliver(location, Source::Asynchronous, write) };
    }

    unsafe extern "C" fn experiment_dir_name() -> *const c_char {
        host().experiment.name()
    }
}

/// The table of callbacks that plugins receive.
pub(crate) static CALLBACKS: SCOREP_SubstratePluginCallbacks = callbacks::<Recorded>();

/// The size of [`CALLBACKS`] in bytes.
pub(crate) const CALLBACKS_SIZE: usize = size_of::<SCOREP_SubstratePluginCallbacks>();
