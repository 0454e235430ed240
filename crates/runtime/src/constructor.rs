//! The start of a measurement before `main`, in a program that preloads the library or is linked to
//! it, and the steps before the loader ends the libraries.
//!
//! A program that contains the runtime to measure itself (a test) begins the measurement itself.
//! One that opens it later is not measured: interfaces for annotations open any library that a
//! variable names, whether it was preloaded or not.

use crate::adapter;
use crate::adapters::ADAPTERS;
use crate::address_space::grow_stack;
use crate::life::end::end_libraries;
use crate::linker;
use crate::loaded;
use crate::loader_lock;
use crate::measurement::{begin, begin_later, catching_panics};
use crate::plugins::own_file;
use crate::processes::{has_children, is_first, is_recorded, keep_preloaded};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A function that the loader calls after it has loaded this library and its dependencies.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;

extern "C" fn at_load() {
    adapter::register(ADAPTERS);
    linker::prepare();
    loader_lock::prepare();
    let program = std::fs::read_link("/proc/self/exe").ok();
    let own = own_file();
    let is_library = own.as_ref().is_some_and(|own| own.canonicalize().ok() != program);
    // A way to switch off the measurement in programs that are linked to the library.
    let is_wanted = std::env::var_os("KYMO_RECORD").is_none_or(|value| value != "no");
    let is_wanted = is_wanted && own.is_some_and(|own| is_part_of_program(&own));
    if is_library {
        if is_wanted && has_children() {
            keep_preloaded();
        }
        let is_recorded = is_wanted && is_recorded();
        adapter::all().iter().for_each(|adapter| adapter.loaded(is_recorded));
    }
    if is_library && is_wanted && is_recorded() {
        grow_stack();
        if is_first() { begin() } else { begin_later() }
    }
}

/// Returns whether the loader has loaded this library with the program: preloaded, so that it comes
/// before the C library, or since the program or a library of it is linked to it.
fn is_part_of_program(own: &Path) -> bool {
    let [own_code, c_library] =
        [is_part_of_program as *const (), libc::gnu_get_libc_version as *const ()].map(|it| it.addr() as u64);
    let is_linked = |file: &[u8]| loaded::is_needed(file) && loaded::is_in_first(file, own_code);
    loaded::is_before([own_code, c_library]) || own.file_name().is_some_and(|file| is_linked(file.as_bytes()))
}

/// A function that the loader calls at `exit`, after the handlers that the program registered and
/// before it ends the libraries that were loaded later. If the measurement began before `main`, its
/// own handler runs only after that.
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_UNLOAD: extern "C" fn() = at_unload;

extern "C" fn at_unload() {
    catching_panics(end_libraries);
}
