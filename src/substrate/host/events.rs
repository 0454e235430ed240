//! How many events the host has, as far as its symbols tell.
//!
//! A host that gets functions for events it does not have warns of every table, in every process (plugin interface, §4).
//! So where it is known to have fewer, it gets no more.

use core::ffi::CStr;

use crate::events::EVENTS;

/// Events of 6.0 and 7.x.
const EVENTS_UP_TO_7: usize = 79;

/// What programs call in shared hosts of all releases; static ones export nothing.
const IN_ALL: &CStr = c"SCOREP_MpiSend";
/// The same for one of the events that came with 8.0.
const SINCE_8: &CStr = c"SCOREP_CommCreate";

/// The number of events the host has; that of the newest one if its symbols do not tell.
pub(crate) fn known_events() -> usize {
    if is_exported(IN_ALL) && !is_exported(SINCE_8) { EVENTS_UP_TO_7 } else { EVENTS }
}

fn is_exported(name: &CStr) -> bool {
    // SAFETY: a look-up by name in the global scope.
    !unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }.is_null()
}
