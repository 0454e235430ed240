//! The libraries of the program: the names of their functions, and their end.

use std::ffi::{c_int, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

use kymo_symbols::Symbols;

use crate::adapter;
use crate::next::{Next, keeping_errno};

/// The symbols. Locked after the tables of adapters, never before them.
static SYMBOLS: Mutex<Option<Symbols>> = Mutex::new(None);

/// Returns the symbols of the program and its libraries, locked.
pub(crate) fn symbols() -> MutexGuard<'static, Option<Symbols>> {
    SYMBOLS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Forgets the symbols, which are read again when they are needed.
pub(crate) fn forget_symbols() {
    symbols().iter_mut().for_each(Symbols::forget);
}

/// Unloads a library. Other functions may be at its addresses afterwards.
///
/// # Safety
///
/// `library` must be the handle of an open library.
#[unsafe(no_mangle)]
unsafe extern "C" fn dlclose(library: *mut c_void) -> c_int {
    // SAFETY: the type is that in <dlfcn.h>.
    static NEXT: Next<unsafe extern "C" fn(*mut c_void) -> c_int> = unsafe { Next::new(c"dlclose") };
    let Some(next) = NEXT.get() else { return -1 };
    adapter::all().iter().for_each(|adapter| adapter.unloading());
    // SAFETY: the handle of an open library.
    let result = unsafe { next(library) };
    keeping_errno(|| {
        if result == 0 {
            forget_symbols();
        }
        adapter::all().iter().for_each(|adapter| adapter.unloaded(result == 0));
    });
    result
}
