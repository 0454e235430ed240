//! The resolution of the host's clock, which comes through a symbol of the host instead of its callback table.

use core::ffi::CStr;
use core::mem::transmute;

use super::Host;

/// Present in shared hosts of all releases; static ones export nothing.
const GET_CLOCK_RESOLUTION: &CStr = c"SCOREP_Timer_GetClockResolution";

impl Host {
    /// Ticks per second of the host's clock, exactly the number that Score-P's own tracing writes; `None` if the host does not
    /// export its answer. To be asked from `pre_unify` on: earlier the host has to measure, and with several processes the
    /// first question is a collective operation.
    pub fn clock_resolution(&self) -> Option<u64> {
        // SAFETY: a look-up by name in the global scope.
        let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, GET_CLOCK_RESOLUTION.as_ptr()) };
        if symbol.is_null() {
            return None;
        }
        // SAFETY: every release defines the symbol as this function.
        let get = unsafe { transmute::<*mut libc::c_void, unsafe extern "C" fn() -> u64>(symbol) };
        // SAFETY: from `pre_unify` on the host has asked its timer itself, so this takes no part in anything collective.
        Some(unsafe { get() }).filter(|&ticks| ticks > 0)
    }
}
