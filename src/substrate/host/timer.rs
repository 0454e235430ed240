//! The resolution of the host's clock, which is provided by a symbol of the host and not by its
//! callback table.

use core::ffi::CStr;
use core::mem::transmute;

use super::Host;

/// The symbol, which shared hosts of all releases export. Static hosts export nothing.
const GET_CLOCK_RESOLUTION: &CStr = c"SCOREP_Timer_GetClockResolution";

impl Host {
    /// The ticks per second of the host's clock: exactly the number that Score-P's own tracing
    /// writes, or `None` if the host does not export the function. Call it from `pre_unify` on.
    /// Before that the host must measure, and in a program of several processes its first call is
    /// collective.
    pub fn clock_resolution(&self) -> Option<u64> {
        // SAFETY: this looks up a name in the global scope.
        let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, GET_CLOCK_RESOLUTION.as_ptr()) };
        if symbol.is_null() {
            return None;
        }
        // SAFETY: every release defines the symbol as this function.
        let get = unsafe { transmute::<*mut libc::c_void, unsafe extern "C" fn() -> u64>(symbol) };
        // SAFETY: from `pre_unify` on the host has called its timer itself, so this call is not
        // collective.
        Some(unsafe { get() }).filter(|&ticks| ticks > 0)
    }
}
