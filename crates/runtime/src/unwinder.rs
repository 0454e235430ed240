//! The functions of libgcc that walk along the frames of the stack.

use std::ffi::{c_int, c_void};

/// The result of the function that sees each frame.
pub(crate) const CONTINUE: c_int = 0;
/// As above, at the last frame of interest.
pub(crate) const STOP: c_int = 4;

unsafe extern "C" {
    pub(crate) fn _Unwind_Backtrace(
        each: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;
    pub(crate) fn _Unwind_GetIPInfo(frame: *mut c_void, is_before: *mut c_int) -> usize;
    pub(crate) fn _Unwind_GetCFA(frame: *mut c_void) -> usize;
    pub(crate) fn _Unwind_FindEnclosingFunction(address: *const c_void) -> *const c_void;
}
