//! The location of the calling thread.

use core::num::NonZeroUsize;
use core::ptr;

use crate::locations::Location;
use crate::thread;

/// Returns the calling thread's location; `None` if another thread has taken it over.
#[inline]
pub(crate) fn location() -> Option<&'static Location> {
    // SAFETY: null, or the address of a location, which is never freed: only `set_location` stores
    // it.
    let location = unsafe { thread::location_address().cast::<Location>().as_ref() };
    location.filter(|location| location.is_own())
}

pub(crate) fn set_location(location: Option<&'static Location>) {
    thread::set_location_address(location.map_or(ptr::null(), ptr::from_ref).cast());
}

/// Returns the place on the stack where the thread entered the runtime; 0 outside.
pub(crate) fn place_inside() -> usize {
    let busy = thread::busy_place().map_or(0, NonZeroUsize::get);
    location().map_or(0, Location::place_inside).max(busy)
}

/// Marks the calling thread as ended: it can have no location any more.
pub(crate) fn leave_permanently() {
    set_location(None);
    thread::set_gone();
}

/// Returns whether a thread that the calling thread creates now is one of the runtime, of a plugin,
/// or of a library whose own calls are not recorded.
pub(crate) fn creates_foreign() -> bool {
    thread::is_foreign() || thread::is_in_library() || location().is_some_and(Location::is_inside)
}

/// Notes that this thread is about to create a child that uses its memory: until the thread
/// continues (`vfork`), or next to it, for good.
pub(crate) fn lend(is_for_good: bool) {
    thread::lend(is_for_good);
    if let Some(location) = location() {
        location.lend();
    }
}
