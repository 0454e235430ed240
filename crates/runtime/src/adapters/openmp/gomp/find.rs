//! The functions of the runtime that the program would have called.
//!
//! They are those that follow this library in the order of the loader. A library that the program
//! loaded for itself (`dlopen`) can have a runtime of its own, which only that library finds.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use super::{IS_LLVM, SWITCH};
use crate::adapters::openmp::is_on;
use crate::address_table::{self, AddressTable};
use crate::caller_scope;
use crate::linker;
use crate::next::keeping_errno;

/// The functions by the address of their callers, if not all callers have the same.
static OWN: AddressTable = AddressTable::new();

/// Finds a function for the code at `caller`; null if there is none. One that all code finds is
/// kept in `place`.
///
/// # Safety
///
/// The name must be a string, and the place valid.
#[unsafe(no_mangle)]
unsafe extern "C" fn kymo_gomp_find(
    name: *const c_char,
    place: *const AtomicPtr<c_void>,
    caller: *const c_void,
) -> *mut c_void {
    keeping_errno(|| {
        // SAFETY: the name is a string, and the place is valid.
        let (name, place) = unsafe { (CStr::from_ptr(name), &*place) };
        let next = linker::next(name);
        if !next.is_null() {
            recognise(next);
            place.store(next, Relaxed);
            return next;
        }
        let is_call = !name.to_bytes().starts_with(b"omp_get") && !name.to_bytes().starts_with(b"omp_in");
        if !is_call {
            return caller_scope::function_for(name, caller);
        }
        match OWN.get(caller.addr()) {
            address_table::UNKNOWN => {
                let found = caller_scope::function_for(name, caller);
                recognise(found);
                OWN.set(caller.addr(), found.expose_provenance() as u64);
                found
            }
            known => ptr::with_exposed_provenance_mut(known as usize),
        }
    })
}

/// Recognises the runtime that has a function: LLVM's reports its events itself.
fn recognise(function: *const c_void) {
    if IS_LLVM.get().is_some() || function.is_null() {
        return;
    }
    let is_llvm = !caller_scope::function_for(c"__kmpc_fork_call", function).is_null();
    // Of two threads that come here at once, the first one decides.
    if IS_LLVM.set(is_llvm).is_ok() && is_llvm {
        SWITCH.turn_off();
        // It tells its tool where it was called from: the calls must not come from this library.
        super::find_all();
    }
}

/// Recognises the runtime that is loaded already.
pub(super) fn recognise_next() {
    recognise(linker::next(c"GOMP_parallel"));
}

/// Keeps the function of this name that follows this library, if there is one.
pub(super) fn keep(name: &CStr, place: &AtomicPtr<c_void>) {
    place.store(linker::next(name), Relaxed);
}

/// Returns whether the functions are those of gcc's runtime, and recorded.
pub(super) fn records() -> bool {
    IS_LLVM.get() == Some(false) && is_on()
}

pub(in crate::adapters::openmp) fn hold() -> MutexGuard<'static, usize> {
    OWN.hold()
}

/// Forgets callers whose library may have been unloaded.
pub(in crate::adapters::openmp) fn forget() {
    OWN.forget(|| {});
}
