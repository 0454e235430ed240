//! What the sanitizers of gcc and clang ask a program for: options and suppressions, each by a function that anybody may define.
//!
//! Their libraries ask the first definition in the process: that of the program if it has one, else this one, before their own. Invariant:
//! nothing is changed but what concerns this library and the plugin, of which a sanitizer sees calls of the C library and nothing between
//! them, and no more than that needs.

use std::ffi::{CStr, c_char};

/// A function that returns a string of C, which is there before the loader has finished.
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
    /// AddressSanitizer refuses to start where a library stands before its own, as one that is preloaded does.
    __asan_default_options c"verify_asan_link_order=0";
    /// The suppressions below are nothing that the program is told of.
    __lsan_default_options c"print_suppressions=0";
    /// What only memory knows that came from the system itself seems lost.
    __lsan_default_suppressions c"leak:libkymo_runtime.so\nleak:libscorep_substrate_kymo.so\n";
    /// How the threads in these libraries are kept apart cannot be seen, so what they have the C library do with memory looks like races.
    /// Locks count all the same, as those of the program are taken from here.
    __tsan_default_options c"ignore_interceptors_accesses=1";
}

/// Whether ThreadSanitizer is in this process, which wants to see locks as the program takes them.
pub(crate) fn has_thread_sanitizer() -> bool {
    // SAFETY: a string of C.
    !unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__tsan_acquire".as_ptr()) }.is_null()
}
