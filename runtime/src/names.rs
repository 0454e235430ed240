//! Names of threads: those that the system knows, however they were given (`pthread_setname_np`, `prctl`, a file below `/proc`).
//!
//! A new thread begins with the name of the one that creates it. So a name that the process had from the beginning, or that the main
//! thread has, says nothing of another thread, whose location keeps its number then. Invariant: the last name counts, that at the end.

use std::fs::File;
use std::io::Read;

use crate::host::Host;
use crate::locations::Location;
use crate::program::thread_id;

/// Bytes of a name, zero after its end.
pub(crate) type Name = [u8; 16];

/// The name of the calling thread.
pub(crate) fn own() -> Name {
    let mut name = [0; 16];
    // SAFETY: the system writes that many bytes at most.
    unsafe { libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr()) };
    name
}

/// The name of a thread of this process; none if it has ended.
fn of_thread(thread: u64) -> Option<Name> {
    let mut text = Name::default();
    let length = File::open(format!("/proc/self/task/{thread}/comm")).ok()?.read(&mut text).ok()?;
    // A line feed ends it.
    text.get_mut(length.checked_sub(1)?..)?.fill(0);
    Some(text)
}

/// Gives a location the name of its thread, which lives still.
pub(crate) fn take(host: &Host, location: &Location) {
    let name = if location.thread == thread_id() { Some(own()) } else { of_thread(location.thread) };
    let Some(name) = name.filter(|name| *name != host.name && name[0] != 0) else { return };
    let is_main = location.parent.is_none();
    let main = host.locations.first().filter(|_| !is_main).and_then(|main| of_thread(main.thread));
    if main != Some(name) {
        host.definitions.set_location_name(location.handle, &name);
    }
}
