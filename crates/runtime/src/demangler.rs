//! The demangler of the program's own C++ library, for names that the one in `kymo-symbols` does
//! not understand: the name of every standard `swap` and `fill` has a form that gcc writes but the
//! ABI does not specify.

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;

use crate::linker;

type Demangle = unsafe extern "C" fn(*const c_char, *mut c_char, *mut usize, *mut c_int) -> *mut c_char;

/// The longest name that is passed on. Longer names need more stack than a thread may have.
const LONGEST: usize = 1 << 14;

/// Returns the name in readable form; `None` if the program has no C++ library, or that library
/// does not understand the name either.
pub(crate) fn demangled(name: &str) -> Option<String> {
    if !name.starts_with("_Z") || name.len() > LONGEST {
        return None;
    }
    let name = CString::new(name).ok()?;
    let address = linker::global(c"__cxa_demangle");
    if address.is_null() {
        return None;
    }
    // SAFETY: the common ABI of C++ libraries gives the function this type.
    let demangle = unsafe { std::mem::transmute::<*mut libc::c_void, Demangle>(address) };
    let mut status = 0;
    // SAFETY: the name is a C string, and without a buffer the result is allocated.
    let text = unsafe { demangle(name.as_ptr(), ptr::null_mut(), ptr::null_mut(), &raw mut status) };
    if text.is_null() {
        return None;
    }
    // SAFETY: not null, so a C string.
    let result = unsafe { CStr::from_ptr(text) }.to_str().map(str::to_owned).ok();
    // SAFETY: allocated by `malloc`, and no other pointer to it exists.
    unsafe { libc::free(text.cast()) };
    result
}
