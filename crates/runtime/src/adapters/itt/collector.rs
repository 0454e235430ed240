//! How a static part finds this library: `__itt_api_init`.

use std::ffi::{CStr, c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::ptr;

use super::{ITT, calls};
use crate::linker;

/// The structure that a static part passes (`__itt_global`), up to the last field that is read
/// here.
#[derive(Debug)]
#[repr(C)]
struct IttGlobal {
    magic: [u8; 8],
    /// Major, minor, and the date of the build.
    version: [c_ulong; 3],
    state: [c_long; 3],
    mutex: libc::pthread_mutex_t,
    library: *mut c_void,
    error_handler: *mut c_void,
    path: *mut *const c_char,
    functions: *mut IttFunction,
}

/// The first bytes of [`IttGlobal`], and the version with this layout.
const MAGIC: [u8; 8] = [0xED, 0xAB, 0xAB, 0xEC, 0x0D, 0xEE, 0xDA, 0x30];
const MAJOR: c_ulong = 3;

/// A function of a static part. The last one has no name.
#[derive(Debug)]
#[repr(C)]
struct IttFunction {
    name: *const c_char,
    place: *mut *const c_void,
    initial: *const c_void,
    /// The one that stands for no tool.
    null: *const c_void,
    group: c_int,
}

/// Fills in the functions of the static part that calls this: those of the groups that it asks for
/// and that are here.
///
/// # Safety
///
/// Called by static parts of ITT, each with its own structure.
#[unsafe(no_mangle)]
unsafe extern "C" fn __itt_api_init(global: *const IttGlobal, groups: c_uint) {
    // SAFETY: a structure of the program, whose first fields are the same in all versions.
    let Some(global) = (unsafe { global.as_ref() }) else { return };
    if global.magic != MAGIC || global.version[0] != MAJOR || global.functions.is_null() {
        return;
    }
    let is_recorded = ITT.is_on() && !is_of_openmp(global);
    let mut at = global.functions;
    // SAFETY: the list of functions ends with one without a name.
    while let Some(function) = unsafe { at.as_ref() }.filter(|function| !function.name.is_null()) {
        // SAFETY: a string that ends with 0.
        let name = unsafe { CStr::from_ptr(function.name) };
        let is_asked_for = function.group.cast_unsigned() & groups != 0;
        let ours = if is_asked_for && is_recorded { calls::find(name.to_bytes()) } else { None };
        // SAFETY: the place of a pointer to a function of this name. The static part reads it when
        // this has returned, or finds no tool in it before.
        unsafe { function.place.write(ours.unwrap_or(function.null)) };
        at = at.wrapping_add(1);
    }
}

/// Returns whether a static part is that of LLVM's or Intel's OpenMP runtime, whose regions come
/// through its own interface.
fn is_of_openmp(global: &IttGlobal) -> bool {
    let path = linker::file_of(ptr::from_ref(global).cast());
    let file = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    [&b"libomp"[..], b"libiomp"].iter().any(|name| file.starts_with(name))
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_structure_has_the_layout_of_the_static_part() {
        assert_eq!(offset_of!(IttGlobal, mutex), 56);
        assert_eq!(offset_of!(IttGlobal, functions), 120);
        assert_eq!((offset_of!(IttFunction, group), size_of::<IttFunction>()), (32, 40));
    }
}
