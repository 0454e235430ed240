//! Texts that C gives and gets.

use std::ffi::{CStr, CString, OsStr, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A text that C gave, until the call returns; nothing if it is null.
pub(crate) fn text<'a>(pointer: *const c_char) -> Option<&'a CStr> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: by the contract of the interface a pointer that is not null leads to a text that ends with a NUL and stays for the call.
    Some(unsafe { CStr::from_ptr(pointer) })
}

/// A path that C gave.
pub(crate) fn path<'a>(pointer: *const c_char) -> Option<&'a Path> {
    text(pointer).map(|path| Path::new(OsStr::from_bytes(path.to_bytes())))
}

/// A text for C. It ends where it has a NUL.
pub(crate) fn for_c(parts: [&[u8]; 3]) -> CString {
    let bytes = parts.into_iter().flatten().copied();
    CString::new(bytes.take_while(|&byte| byte != 0).collect::<Vec<_>>()).unwrap_or_default()
}
