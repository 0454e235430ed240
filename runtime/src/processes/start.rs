//! The begin of the measurement, when the library is loaded: before the program begins.

use std::ffi::CStr;
use std::ptr;

use crate::measurement;

/// In a tree of processes of which only the first is recorded, its number. Programs that take its place have it, too.
const FIRST: &CStr = c"KYMO_RECORD_PROCESS";

#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;

extern "C" fn start() {
    if is_library() && is_recorded() {
        measurement::begin();
    }
}

/// Whether this is the library. A program that the runtime is linked into says itself when to begin.
fn is_library() -> bool {
    let mut object = libc::Dl_info {
        dli_fname: ptr::null(),
        dli_fbase: ptr::null_mut(),
        dli_sname: ptr::null(),
        dli_saddr: ptr::null_mut(),
    };
    // SAFETY: the object that has this function, which stays loaded.
    if unsafe { libc::dladdr((start as extern "C" fn() as *const ()).cast(), &raw mut object) } == 0
        || object.dli_fname.is_null()
    {
        return false;
    }
    // SAFETY: the name of a loaded object is a string.
    let path = unsafe { CStr::from_ptr(object.dli_fname) }.to_bytes();
    path.ends_with(b".so")
}

/// Whether this process is one of those to record.
fn is_recorded() -> bool {
    if std::env::var_os("KYMO_RECORD_CHILDREN").is_none_or(|children| children != "no") {
        return true;
    }
    let me = format!("{}\0", std::process::id());
    // SAFETY: both are strings. The program has not begun, no other thread reads the environment. One that is set stays.
    unsafe { libc::setenv(FIRST.as_ptr(), me.as_ptr().cast(), 0) };
    // SAFETY: a string.
    let first = unsafe { libc::getenv(FIRST.as_ptr()) };
    // SAFETY: null, or a string that nobody changes now.
    !first.is_null() && unsafe { CStr::from_ptr(first) }.to_bytes_with_nul() == me.as_bytes()
}
