//! Options and suppressions for the sanitizers of gcc and clang, which ask a program for them
//! through functions that it may define.
//!
//! A sanitizer calls the first definition in the process: that of the program if it has one, else
//! this one, before its own default. Invariant: the options make only changes that this library and
//! the plugin require. Of these two a sanitizer sees only their calls of the C library.

use std::ffi::{CStr, c_char};

use crate::linker;

/// Defines functions that return a C string. The string exists before the loader has finished.
macro_rules! says {
    ($($(#[$doc:meta])* $name:ident $text:literal;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        extern "C" fn $name() -> *const c_char {
            const TEXT: &CStr = $text;
            TEXT.as_ptr()
        }
    )*};
}

says! {
    /// AddressSanitizer refuses to start if another library is loaded before its own, as a
    /// preloaded library is.
    __asan_default_options c"verify_asan_link_order=0";
    /// Keeps the suppressions below out of the program's output.
    __lsan_default_options c"print_suppressions=0";
    /// Allocations that are referenced only from directly mapped memory look like leaks.
    __lsan_default_suppressions c"leak:libkymo_runtime.so\nleak:libscorep_substrate_kymo.so\n";
    /// ThreadSanitizer does not see how the threads in these libraries synchronise, so memory
    /// accesses in their calls of the C library look like races. It still sees locks, as the
    /// program's locks are taken through this library.
    __tsan_default_options c"ignore_interceptors_accesses=1";
}

/// Returns whether the process contains ThreadSanitizer, which must see locks as the program takes
/// them.
pub(crate) fn has_thread_sanitizer() -> bool {
    !linker::global(c"__tsan_acquire").is_null()
}
