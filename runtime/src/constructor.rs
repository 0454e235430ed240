//! The start of a measurement before the program's own: the library was preloaded, or linked to the program.
//!
//! Where the runtime is part of a program that measures itself (a test), that program says when.

use crate::measurement::{begin, begin_later};
use crate::plugins::own_file;
use crate::processes::{is_first, is_recorded};

/// What the loader calls once this library and those it needs are there.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;

extern "C" fn at_load() {
    let program = std::fs::read_link("/proc/self/exe").ok();
    let is_library = own_file().is_some_and(|own| own.canonicalize().ok() != program);
    // Another way to measure nothing than not to load the library: for programs that are linked to it.
    let is_wanted = std::env::var_os("KYMO_RECORD").is_none_or(|value| value != "no");
    if is_library && is_wanted && is_recorded() {
        if is_first() { begin() } else { begin_later() }
    }
}
