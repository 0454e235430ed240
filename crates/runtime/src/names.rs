//! The names of threads as the system has them, however they were set (`pthread_setname_np`,
//! `prctl`, a file under `/proc`).
//!
//! A new thread starts with the name of the thread that creates it. A name that the process had
//! from the beginning, or that the main thread has, therefore does not describe another thread, and
//! that thread's location keeps its number as its name. Invariant: the last name counts, the one at
//! the end.

use std::fs::File;
use std::io::Read;

use crate::host::Host;
use crate::locations::Location;
use crate::program::thread_id;

/// The bytes of a name, filled with zeros.
pub(crate) type Name = [u8; 16];

/// Returns the name of the calling thread.
pub(crate) fn own() -> Name {
    let mut name = [0; 16];
    // SAFETY: the system writes at most 16 bytes.
    unsafe { libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr()) };
    name
}

/// Returns the name of a thread of this process; `None` if it has ended.
fn of_thread(thread: u64) -> Option<Name> {
    let mut text = Name::default();
    let length = File::open(format!("/proc/self/task/{thread}/comm")).ok()?.read(&mut text).ok()?;
    // The text ends with a line feed.
    text.get_mut(length.checked_sub(1)?..)?.fill(0);
    Some(text)
}

/// Gives a location the name of its thread, which is still alive.
pub(crate) fn take(host: &Host, location: &Location) {
    let name = if location.thread == thread_id() { Some(own()) } else { of_thread(location.thread) };
    let Some(name) = name.filter(|name| *name != host.name && name[0] != 0) else { return };
    let is_main = location.parent.is_none();
    let main = host.locations.first().filter(|_| !is_main).and_then(|main| of_thread(main.thread));
    if main != Some(name) {
        host.definitions.set_location_name(location.handle, &name);
    }
}
