//! Restrictions on plugins inside a callback. The library of `c/forbid.c` checks them if it is
//! loaded before this program.

use std::ffi::{CStr, c_char, c_uint};

/// Memory must not be allocated or freed.
pub(crate) const ALLOCATION: c_uint = 1;
/// Memory must not be allocated or freed, no locks taken, and no system calls made.
pub(crate) const EVERYTHING: c_uint = 7;

/// The function that sets the forbidden actions, and the name of the callback.
type Forbid = unsafe extern "C" fn(c_uint, *const c_char);

/// The checking library, if it was preloaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch(Option<Forbid>);

impl Watch {
    /// Looks up the library's function.
    pub(crate) fn find() -> Self {
        // SAFETY: only looks up a name.
        let symbol = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"kymo_replay_forbid".as_ptr()) };
        // SAFETY: a function of this name has this type; a null pointer becomes `None`.
        Self(unsafe { std::mem::transmute::<*mut libc::c_void, Option<Forbid>>(symbol) })
    }

    /// Calls plugins while `what` is forbidden.
    #[inline]
    pub(crate) fn during(self, what: c_uint, name: &'static CStr, call: impl FnOnce()) {
        let Some(forbid) = self.0 else { return call() };
        // SAFETY: the name is a static string.
        unsafe { forbid(what, name.as_ptr()) };
        call();
        // SAFETY: as above.
        unsafe { forbid(0, name.as_ptr()) };
    }
}
