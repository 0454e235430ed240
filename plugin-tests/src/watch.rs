//! What plugins must not do inside a callback, watched by the library of `c/forbid.c` if that is loaded before this program.

use std::ffi::{CStr, c_char, c_uint};

/// Memory may not be allocated or freed.
pub(crate) const ALLOCATION: c_uint = 1;
/// That, no locks, and no system calls.
pub(crate) const EVERYTHING: c_uint = 7;

/// The function that forbids, in a callback of a name.
type Forbid = unsafe extern "C" fn(c_uint, *const c_char);

/// The watching library; absent unless it was preloaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch(Option<Forbid>);

impl Watch {
    /// Looks for the library.
    pub(crate) fn find() -> Self {
        // SAFETY: looks a name up.
        let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"kymo_replay_forbid".as_ptr()) };
        // SAFETY: a function of this name has this type; a null pointer is none.
        Self(unsafe { std::mem::transmute::<*mut libc::c_void, Option<Forbid>>(symbol) })
    }

    /// Calls plugins, which must not do `what` meanwhile.
    #[inline]
    pub(crate) fn during(self, what: c_uint, name: &'static CStr, call: impl FnOnce()) {
        let Some(forbid) = self.0 else { return call() };
        // SAFETY: the name is a string that stays.
        unsafe { forbid(what, name.as_ptr()) };
        call();
        // SAFETY: as above.
        unsafe { forbid(0, name.as_ptr()) };
    }
}
