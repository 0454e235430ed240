//! The number of the host's events, as far as its symbols show it.
//!
//! A host that receives functions for events that it does not have prints a warning for every
//! table, in every process (docs/spec/scorep-substrate-abi.md, §4). A host that is known to have
//! fewer events therefore receives no more than these.

use core::ffi::CStr;

use crate::events::{EVENTS, own};

/// The number of events in 6.0 and 7.x.
const EVENTS_UP_TO_7: usize = 79;

/// A function that shared hosts of all releases export. Static hosts export nothing.
const IN_ALL: &CStr = c"SCOREP_MpiSend";
/// A function that shared hosts export since 8.0.
const SINCE_8: &CStr = c"SCOREP_CommCreate";

/// The number of events in the host, or in the newest release if its symbols do not show it.
pub(crate) fn known_events() -> usize {
    if is_exported(own::HOST) {
        return own::ALL_EVENTS;
    }
    if is_exported(IN_ALL) && !is_exported(SINCE_8) { EVENTS_UP_TO_7 } else { EVENTS }
}

fn is_exported(name: &CStr) -> bool {
    // SAFETY: this looks up a name in the global scope.
    !unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }.is_null()
}
