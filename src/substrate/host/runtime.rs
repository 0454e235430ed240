//! The functions that the measurement runtime of `kymo record` offers beyond Score-P, through
//! symbols of its own.

use core::ffi::{CStr, c_int};
use core::mem::transmute;

use super::Host;

const PAUSES: &CStr = c"kymo_runtime_pauses";
const MISSED: &CStr = c"kymo_runtime_missed";

/// Tells the host the function that ends the threads of the plugin (1), and starts them again (0).
/// Some calls of the system are refused to a process with several threads (`unshare` of the user's
/// namespace), and the program may make them because it has only one.
pub(crate) fn offer_pause(pause: extern "C" fn(c_int)) {
    let receive = symbol(PAUSES);
    if receive.is_null() {
        return;
    }
    type Receive = unsafe extern "C" fn(extern "C" fn(c_int));
    // SAFETY: the runtime defines the symbol as this function.
    let receive = unsafe { transmute::<*mut libc::c_void, Receive>(receive) };
    // SAFETY: it only stores the function, which exists as long as the plugin.
    unsafe { receive(pause) };
}

impl Host {
    /// Returns whether the host is the runtime of `kymo record`.
    pub fn is_runtime(&self) -> bool {
        !symbol(MISSED).is_null()
    }

    /// Returns whether the host has reported why there is no experiment directory.
    pub fn reports_missing_directory(&self) -> bool {
        self.is_runtime() && self.experiment_dir().is_none()
    }

    /// Returns the number of events that the host could not pass on.
    pub fn missed_events(&self) -> u64 {
        let count = symbol(MISSED);
        if count.is_null() {
            return 0;
        }
        // SAFETY: the runtime defines the symbol as this function.
        let count = unsafe { transmute::<*mut libc::c_void, unsafe extern "C" fn() -> u64>(count) };
        // SAFETY: it only reads a number.
        unsafe { count() }
    }
}

fn symbol(name: &CStr) -> *mut libc::c_void {
    // SAFETY: this looks up a name in the global scope.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }
}
