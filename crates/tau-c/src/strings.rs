//! Strings passed from and to C.

use std::ffi::{CStr, CString, OsStr, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Returns a string from C, valid until the call returns, or `None` if the pointer is null.
pub(crate) fn text<'a>(pointer: *const c_char) -> Option<&'a CStr> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: by the contract of the interface a pointer that is not null points to a string that
    // ends with a NUL and is valid during the call.
    Some(unsafe { CStr::from_ptr(pointer) })
}

/// Returns a path from C.
pub(crate) fn path<'a>(pointer: *const c_char) -> Option<&'a Path> {
    text(pointer).map(|path| Path::new(OsStr::from_bytes(path.to_bytes())))
}

/// Builds a string for C. It ends at the first NUL of the input.
pub(crate) fn for_c(parts: [&[u8]; 3]) -> CString {
    let bytes = parts.into_iter().flatten().copied();
    CString::new(bytes.take_while(|&byte| byte != 0).collect::<Vec<_>>()).unwrap_or_default()
}
