//! The functions in front of those of a loader without layers, or whose layers the user has chosen.
//!
//! Invariant: calls come either through the layer or through these functions. Where they are not
//! needed, nobody finds them.

use std::ffi::{CStr, c_void};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering::Relaxed};

use super::calls;
use super::functions::{COUNT, ClFunction, NAMES, WORDS};
use super::layer::{self, NEXT};
use crate::linker;
use crate::loaded::OwnSymbols;

/// The variable that names layers, as it is in a loader that has them.
const LAYERS: &CStr = c"OPENCL_LAYERS";

/// The functions record calls.
static IS_NEEDED: AtomicBool = AtomicBool::new(false);

/// The functions of the loader to which calls are passed.
static PASSED: [AtomicPtr<c_void>; COUNT] = [const { AtomicPtr::new(ptr::null_mut()) }; COUNT];

/// Receives a call of the program.
///
/// # Safety
///
/// The words must be valid arguments of the function.
pub(super) unsafe fn exported(function: ClFunction, words: [usize; WORDS]) -> usize {
    if IS_NEEDED.load(Relaxed) {
        // SAFETY: the words are valid arguments of the function, as this one demands.
        return unsafe { calls::call(function, words) };
    }
    // A program whose symbols were all bound at its start.
    let place = &PASSED[function as usize];
    let mut next = place.load(Relaxed);
    if next.is_null() {
        next = linker::next(NAMES[function as usize]);
        place.store(next, Relaxed);
    }
    // SAFETY: null, or the next function of this name, of which the words are valid arguments.
    unsafe { layer::call_at(next, function, words) }
}

/// Decides whether the functions are needed: a loader is linked to the program, and does not call
/// the layer.
pub(super) fn prepare(is_chosen: bool) {
    let loader = linker::next(c"clGetPlatformIDs");
    if !is_chosen || loader.is_null() || calls_layer(loader) {
        // Few of the library's symbols begin so.
        return OwnSymbols::hide(|name| name.to_bytes().starts_with(b"cl") && NAMES.contains(&name));
    }
    IS_NEEDED.store(true, Relaxed);
    for (name, place) in NAMES.iter().zip(&NEXT) {
        place.store(linker::next(name), Relaxed);
    }
    // A program may ask which functions the loader has.
    let place = |name: &CStr| NAMES.iter().position(|other| *other == name);
    OwnSymbols::hide(|name| {
        name.to_bytes().starts_with(b"cl")
            && place(name).is_some_and(|place| NEXT[place].load(Relaxed).is_null())
    });
}

/// Returns whether the loader with a function calls this layer.
fn calls_layer(loader: *const c_void) -> bool {
    let own = linker::file_of(layer::own_address());
    let names = std::env::var_os("OPENCL_LAYERS").unwrap_or_default();
    let is_named = names.as_bytes().split(|&byte| byte == b':').any(|name| name == own);
    is_named && has_layers(&linker::file_of(loader))
}

/// Returns whether the file of a loader contains the name of the variable.
fn has_layers(file: &[u8]) -> bool {
    let content = fs::read(std::ffi::OsStr::from_bytes(file)).unwrap_or_default();
    let name = LAYERS.to_bytes_with_nul();
    content.windows(name.len()).any(|text| text == name)
}
