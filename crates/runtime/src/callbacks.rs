//! The 53 functions that a plugin receives through `set_callbacks`, in a table of 424 bytes.
//!
//! The getters read the arena, so that they agree with its content. For an invalid handle they
//! return a meaningless number or an empty string; they never crash.

use crate::host::host;
use crate::life::metrics;
use crate::locations::Location;
use core::ffi::{c_char, c_void};
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;
use kymo_substrate::bindings::*;
use kymo_substrate::hosting::{Callbacks, DefinitionAccess, callbacks};

/// The definitions of the measurement. Before it begins, all words are 0.
pub(crate) struct Measured;

impl DefinitionAccess for Measured {
    fn word(handle: u32, offset: usize) -> u32 {
        host().map_or(0, |host| host.definitions.arena.word(handle, offset))
    }

    fn address(handle: u32, offset: usize) -> *const u8 {
        host().map_or(ptr::null(), |host| host.definitions.arena.address(handle, offset))
    }

    /// Returns an empty string for handle 0.
    fn text(string: u32) -> *const c_char {
        let text = if string == 0 { ptr::null() } else { Self::address(string, 24) };
        if text.is_null() { c"".as_ptr() } else { text.cast() }
    }
}

/// Returns the number of events that were not passed to plugins. Plugins look for this name.
#[unsafe(no_mangle)]
extern "C" fn kymo_runtime_missed() -> u64 {
    host().map_or(0, |host| host.missed.load(Relaxed).saturating_add(host.unstacked.load(Relaxed)))
}

impl Callbacks for Measured {
    unsafe extern "C" fn string(handle: SCOREP_StringHandle) -> *const c_char {
        Measured::text(handle)
    }

    unsafe extern "C" fn location_type(location: *const SCOREP_Location) -> SCOREP_LocationType {
        // SAFETY: the interface requires a location of this host.
        unsafe { Location::at(location) }.map_or(SCOREP_LOCATION_TYPE_CPU_THREAD, |location| location.kind)
    }

    unsafe extern "C" fn location_name(location: *const SCOREP_Location) -> *const c_char {
        // SAFETY: as above.
        let handle = unsafe { Location::at(location) }.map_or(0, |location| location.handle);
        Measured::text(Measured::word(handle, 32))
    }

    unsafe extern "C" fn location_id(location: *const SCOREP_Location) -> u32 {
        // SAFETY: as above.
        unsafe { Location::at(location) }.map_or(0, |location| location.id)
    }

    unsafe extern "C" fn location_global_id(location: *const SCOREP_Location) -> u64 {
        // SAFETY: as above.
        unsafe { Location::at(location) }.map_or(0, Location::global_id)
    }

    unsafe extern "C" fn location_set_data(
        location: *const SCOREP_Location,
        plugin: usize,
        data: *mut c_void,
    ) {
        // SAFETY: as above.
        if let Some(slot) = unsafe { Location::at(location) }.and_then(|location| location.slot(plugin)) {
            slot.store(data, Relaxed);
        }
    }

    unsafe extern "C" fn location_get_data(location: *const SCOREP_Location, plugin: usize) -> *mut c_void {
        // SAFETY: as above.
        let slot = unsafe { Location::at(location) }.and_then(|location| location.slot(plugin));
        slot.map_or(ptr::null_mut(), |slot| slot.load(Relaxed))
    }

    /// Passes the values that were read for the current event to `write`.
    unsafe extern "C" fn write_strictly_synchronous_metrics(
        location: *mut SCOREP_Location,
        timestamp: u64,
        write: SCOREP_Substrates_WriteMetricsCb,
    ) {
        // SAFETY: as above.
        let location = unsafe { Location::at(location) }.filter(|location| location.has_metrics);
        if let (Some(location), Some(write)) = (location, write)
            && let Some(set) = metrics::strict_set(location)
        {
            // SAFETY: the plugin's function, on the thread of the plugin's event.
            unsafe { write(location.address(), timestamp, set, location.values()) };
        }
    }

    /// Passes the values that there were for the current event to `write`, one at a time.
    unsafe extern "C" fn write_synchronous_metrics(
        location: *mut SCOREP_Location,
        timestamp: u64,
        write: SCOREP_Substrates_WriteMetricsCb,
    ) {
        // SAFETY: as above.
        if let (Some(location), Some(write)) = (unsafe { Location::at(location) }, write) {
            metrics::each_synchronous(location, write as usize, |set, value| {
                // SAFETY: the plugin's function, on the thread of the plugin's event.
                unsafe { write(location.address(), timestamp, set, value) };
            });
        }
    }

    /// Passes the values of metric plugins that were collected at the current event to `write`,
    /// with the locations and times to which they belong.
    unsafe extern "C" fn write_asynchronous_metrics(
        location: *mut SCOREP_Location,
        write: SCOREP_Substrates_WriteMetricsCb,
    ) {
        // SAFETY: as above.
        if let (Some(location), Some(write)) = (unsafe { Location::at(location) }, write) {
            metrics::each_collected(location, write as usize, &|location, timestamp, set, value| {
                // SAFETY: the plugin's function, on the thread of the plugin's event.
                unsafe { write(location.address(), timestamp, set, value) };
            });
        }
    }

    unsafe extern "C" fn experiment_dir_name() -> *const c_char {
        host().map_or(ptr::null(), |host| host.experiment.name())
    }
}

/// Returns the ticks per second of the measurement's clock, for plugins that look up Score-P's
/// function of this name.
#[unsafe(no_mangle)]
pub extern "C" fn SCOREP_Timer_GetClockResolution() -> u64 {
    host().map_or(1_000_000_000, |host| host.clock.resolution())
}

/// The table that plugins receive.
pub(crate) static CALLBACKS: SCOREP_SubstratePluginCallbacks = callbacks::<Measured>();
