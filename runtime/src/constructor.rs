//! The start of a measurement before `main`, in a program that preloads the library or is linked to
//! it.
//!
//! A program that contains the runtime to measure itself (a test) begins the measurement itself.

use crate::measurement::{begin, begin_later};
use crate::plugins::own_file;
use crate::processes::{is_first, is_recorded};

/// A function that the loader calls after it has loaded this library and its dependencies.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;

extern "C" fn at_load() {
    let program = std::fs::read_link("/proc/self/exe").ok();
    let is_library = own_file().is_some_and(|own| own.canonicalize().ok() != program);
    // A way to switch off the measurement in programs that are linked to the library.
    let is_wanted = std::env::var_os("KYMO_RECORD").is_none_or(|value| value != "no");
    if is_library {
        crate::mpi::hide_missing();
        let is_recorded = is_wanted && is_recorded();
        crate::memory::hide(is_recorded && crate::settings::is_named("memory"));
    }
    if is_library && is_wanted && is_recorded() {
        if is_first() { begin() } else { begin_later() }
    }
}
