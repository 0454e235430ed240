//! The names of locations: those of their threads, however they were set (`pthread_setname_np`,
//! `prctl`, a file under `/proc`).
//!
//! A new thread starts with the name of the thread that creates it. A name that the process had
//! from the beginning, or that the main thread has, therefore does not describe another thread, and
//! that thread's location keeps its number as its name. A name that the program gave the thread in
//! an annotation is meant for readers, and takes precedence. Invariant: the last name counts, the
//! one at the end.

use crate::adapter;
use crate::host::Host;
use crate::locations::Location;
use crate::names::{of_thread, own};
use crate::program::thread_id;

/// Gives a location the name of its thread, which is still alive.
pub(crate) fn take(host: &Host, location: &Location) {
    if let Some(name) = adapter::of(host).iter().find_map(|adapter| adapter.thread_name(location)) {
        return host.definitions.set_location_name(location.handle, name.as_bytes());
    }
    let name = if location.thread == thread_id() { Some(own()) } else { of_thread(location.thread) };
    let Some(name) = name.filter(|name| *name != host.name && name[0] != 0) else { return };
    let is_main = location.parent.is_none();
    let main = host.locations.first().filter(|_| !is_main).and_then(|main| of_thread(main.thread));
    if main != Some(name) {
        host.definitions.set_location_name(location.handle, &name);
    }
}
