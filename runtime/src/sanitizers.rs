//! What the sanitizers of gcc and clang ask a program for: options and suppressions, each by a function that anybody may define.
//!
//! Their libraries ask the first definition in the process: that of the program if it has one, else this one, before their own. Invariant:
//! nothing is changed but what concerns this library and the plugin, of which a sanitizer sees calls of the C library and nothing between
//! them.

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
    /// As for leaks.
    __tsan_default_options c"print_suppressions=0";
    /// How threads are kept apart in these libraries cannot be seen.
    __tsan_default_suppressions c"called_from_lib:libkymo_runtime.so\ncalled_from_lib:libscorep_substrate_kymo.so\n";
}
