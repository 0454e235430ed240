//! The demangler of the C++ library of the program, for names that the one in `kymo-symbols` does not understand: that of every standard
//! `swap` and `fill` has a form that gcc writes and the ABI does not know.

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;

type Demangle = unsafe extern "C" fn(*const c_char, *mut c_char, *mut usize, *mut c_int) -> *mut c_char;

/// Longer names need more stack than a thread may have.
const LONGEST: usize = 1 << 14;

/// The name as people read it; none if there is no C++ library, or it does not understand the name either.
pub(crate) fn demangled(name: &str) -> Option<String> {
    if !name.starts_with("_Z") || name.len() > LONGEST {
        return None;
    }
    let name = CString::new(name).ok()?;
    // SAFETY: a string of C.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__cxa_demangle".as_ptr()) };
    if address.is_null() {
        return None;
    }
    // SAFETY: the function has this type in every C++ library, says their common ABI.
    let demangle = unsafe { std::mem::transmute::<*mut libc::c_void, Demangle>(address) };
    let mut status = 0;
    // SAFETY: the name is a string of C, and without a buffer the result is allocated.
    let text = unsafe { demangle(name.as_ptr(), ptr::null_mut(), ptr::null_mut(), &raw mut status) };
    if text.is_null() {
        return None;
    }
    // SAFETY: not null, so a string of C.
    let result = unsafe { CStr::from_ptr(text) }.to_str().map(str::to_owned).ok();
    // SAFETY: allocated by `malloc`, and nobody else knows it.
    unsafe { libc::free(text.cast()) };
    result
}
