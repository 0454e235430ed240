//! The names of threads as the system has them.

use std::fs::File;
use std::io::Read;

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
pub(crate) fn of_thread(thread: u64) -> Option<Name> {
    let mut text = Name::default();
    let length = File::open(format!("/proc/self/task/{thread}/comm")).ok()?.read(&mut text).ok()?;
    // The text ends with a line feed.
    text.get_mut(length.checked_sub(1)?..)?.fill(0);
    Some(text)
}
