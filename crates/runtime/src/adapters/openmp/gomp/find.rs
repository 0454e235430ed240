//! The functions of the runtime that the program would have called.
//!
//! They are those that follow this library in the order of the loader. A library that the program
//! loaded for itself (`dlopen`) can have a runtime of its own, which only that library finds.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use super::{GNU, LLVM, RUNTIME, SWITCH, UNKNOWN};
use crate::adapters::openmp::is_on;
use crate::address_table::{self, AddressTable};
use crate::linker;
use crate::next::{Next, keeping_errno};

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
            return for_caller(name, caller);
        }
        match OWN.get(caller.addr()) {
            address_table::UNKNOWN => {
                let found = for_caller(name, caller);
                recognise(found);
                OWN.set(caller.addr(), found.expose_provenance() as u64);
                found
            }
            known => ptr::with_exposed_provenance_mut(known as usize),
        }
    })
}

/// Finds a function in the scope of the library that contains an address.
fn for_caller(name: &CStr, caller: *const c_void) -> *mut c_void {
    // SAFETY: the types are those in <dlfcn.h>.
    static OPEN: Next<unsafe extern "C" fn(*const c_char, c_int) -> *mut c_void> =
        unsafe { Next::new(c"dlopen") };
    // SAFETY: as above.
    static CLOSE: Next<unsafe extern "C" fn(*mut c_void) -> c_int> = unsafe { Next::new(c"dlclose") };
    let Some((open, close)) = OPEN.get().zip(CLOSE.get()) else { return ptr::null_mut() };
    let mut information = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: the structure is writable, and all zeros is a value of it. The handle is valid
    // between the calls; the library stays loaded, since its code is running.
    linker::unseen(|| unsafe {
        if libc::dladdr(caller, information.as_mut_ptr()) == 0 {
            return ptr::null_mut();
        }
        let file = information.assume_init().dli_fname;
        let library = open(file, libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        if library.is_null() {
            return ptr::null_mut();
        }
        let found = libc::dlsym(library, name.as_ptr());
        close(library);
        found
    })
}

/// Recognises the runtime that has a function: what LLVM's does is reported by itself.
fn recognise(function: *const c_void) {
    if RUNTIME.load(Relaxed) != UNKNOWN || function.is_null() {
        return;
    }
    let is_llvm = !for_caller(c"__kmpc_fork_call", function).is_null();
    RUNTIME.store(if is_llvm { LLVM } else { GNU }, Relaxed);
    if is_llvm {
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
    RUNTIME.load(Relaxed) == GNU && is_on()
}

pub(in crate::adapters::openmp) fn hold() -> MutexGuard<'static, usize> {
    OWN.hold()
}

/// Forgets callers whose library may have been unloaded.
pub(in crate::adapters::openmp) fn forget() {
    OWN.forget(|| {});
}
