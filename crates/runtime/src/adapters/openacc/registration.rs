//! The registration of the callback with the libraries of OpenACC.

use std::ffi::{CStr, c_void};
use std::mem;
use std::num::NonZeroUsize;
use std::sync::atomic::Ordering::Relaxed;

use once_cell::race::OnceNonZeroUsize;

use super::abi::Register;
use super::{IS_CHOSEN, events};
use crate::caller_scope;
use crate::linker;
use crate::next::{Next, keeping_errno};
use crate::thread;

const REGISTER: &CStr = c"acc_prof_register";

/// More libraries than a process has.
const MOST: usize = 8;
/// The functions with which the callback is registered.
static REGISTERED: [OnceNonZeroUsize; MOST] = [const { OnceNonZeroUsize::new() }; MOST];

/// Registers the callback with the library that all code finds, if there is one.
pub(super) fn register_found() {
    // SAFETY: the interface specifies the type of the function of this name.
    unsafe { register_at(linker::global(REGISTER)) };
}

/// Registers the callback with the library that has a function of OpenACC.
pub(super) fn register_beside(function: *const c_void) {
    // SAFETY: the interface specifies the type of the function of this name.
    unsafe { register_at(caller_scope::function_for(REGISTER, function)) };
}

/// # Safety
///
/// Null, or the address of a `Register`.
unsafe fn register_at(function: *const c_void) {
    if !function.is_null() {
        // SAFETY: not null, so it is such a function.
        register(unsafe { mem::transmute::<*const c_void, Register>(function) });
    }
}

/// Registers the callback, once with each library.
fn register(function: Register) {
    let Some(address) = NonZeroUsize::new(function as usize) else { return };
    let is_new = |place: &OnceNonZeroUsize| match place.set(address) {
        Ok(()) => Some(true),
        Err(()) => (place.get() == Some(address)).then_some(false),
    };
    if REGISTERED.iter().find_map(is_new) == Some(true) {
        // Memory that the library allocates for that is not the program's.
        thread::owning(|| {
            for number in events::numbers() {
                // SAFETY: an event of the interface, whose callback has this type.
                unsafe { function(number, events::receive, 0) };
            }
        });
    }
}

/// Called by a library of OpenACC that looks for a tool.
///
/// # Safety
///
/// As the interface requires: the first function registers callbacks.
#[unsafe(no_mangle)]
unsafe extern "C" fn acc_register_library(
    register_callback: Register,
    unregister: *const c_void,
    lookup: *const c_void,
) {
    type Library = unsafe extern "C" fn(Register, *const c_void, *const c_void);
    // SAFETY: the type that OpenACC specifies.
    static NEXT: Next<Library> = unsafe { Next::new(c"acc_register_library") };
    if let Some(next) = NEXT.get() {
        // SAFETY: the arguments are passed on. It is another tool's, or empty.
        unsafe { next(register_callback, unregister, lookup) };
    }
    if IS_CHOSEN.load(Relaxed) {
        keeping_errno(|| register(register_callback));
    }
}
