//! Results that functions return through pointers of the program.

use crate::error::{ErrorCode, INVALID_ARGUMENT, MEM_ALLOC_FAILED, fail};
use std::ffi::{CStr, c_char};

/// Returns a place for a result, or fails if it is null.
///
/// # Safety
///
/// Null or a place that nothing else uses.
#[track_caller]
pub(crate) unsafe fn place<'a, T>(place: *mut T) -> Result<&'a mut T, ErrorCode> {
    // SAFETY: `place` is null or a place for a result that nothing else refers to.
    unsafe { place.as_mut() }.ok_or_else(|| fail(INVALID_ARGUMENT, format_args!("no place for a result")))
}

/// Copies a string to memory that the program frees.
#[track_caller]
pub(crate) fn duplicate(string: &CStr) -> Result<*mut c_char, ErrorCode> {
    // SAFETY: a C string.
    let copy = unsafe { libc::strdup(string.as_ptr()) };
    match copy.is_null() {
        true => Err(fail(MEM_ALLOC_FAILED, format_args!("no memory for a string"))),
        false => Ok(copy),
    }
}
