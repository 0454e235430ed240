//! Detects whether a signal handler runs on this thread, and which code it interrupted.
//!
//! If it interrupted the program's allocator, an allocation could wait forever, or find the
//! allocator in an inconsistent state.

use std::ffi::{CStr, OsStr, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use crate::thread;
use crate::unwinder::{_Unwind_Backtrace, _Unwind_GetIPInfo, CONTINUE, STOP};

/// Returns whether a signal handler runs. Looks for the frame that the system inserts between a
/// handler and the code that it interrupted; code without unwind information hides it.
pub(super) fn is_handling() -> bool {
    interrupted().is_some()
}

/// Returns whether memory may be allocated, and something defined: no handler runs, or it did not
/// interrupt a library with an allocator; the thread is not cancelled in the middle of it; and it
/// is not a child that borrows the memory of its parent.
pub(crate) fn may_allocate() -> bool {
    !thread::is_asynchronous()
        && !thread::is_borrowed()
        && interrupted().is_none_or(|address| !is_in_allocator(address))
}

/// The prefixes of the names of libraries that contain an allocator, or whose functions may hold a
/// lock that an allocator needs.
const ALLOCATORS: [&str; 9] =
    ["libc.", "libc-", "ld-", "ld.", "libpthread", "libkymo", "libjemalloc", "libtcmalloc", "libmimalloc"];

/// Returns whether an address is in such a library.
pub(crate) fn is_in_allocator(address: usize) -> bool {
    let mut object = libc::Dl_info {
        dli_fname: ptr::null(),
        dli_fbase: ptr::null_mut(),
        dli_sname: ptr::null(),
        dli_saddr: ptr::null_mut(),
    };
    // SAFETY: the address is only compared.
    let is_found = unsafe { libc::dladdr(ptr::without_provenance(address), &raw mut object) } != 0;
    if !is_found || object.dli_fname.is_null() {
        return false;
    }
    // SAFETY: the name of a loaded object is a C string.
    let path = unsafe { CStr::from_ptr(object.dli_fname) }.to_bytes();
    has_allocator(Path::new(OsStr::from_bytes(path)))
}

/// Returns whether a library contains an allocator, or functions that may hold a lock which an
/// allocator needs.
pub(crate) fn has_allocator(library: &Path) -> bool {
    let name = library.file_name().unwrap_or_default().as_bytes();
    ALLOCATORS.iter().any(|begin| name.starts_with(begin.as_bytes()))
}

/// Returns the address where the code that a handler interrupted continues.
fn interrupted() -> Option<usize> {
    let mut address = 0_usize;
    // SAFETY: `look` has the type of the callback and receives the address that it expects.
    unsafe { _Unwind_Backtrace(look, (&raw mut address).cast()) };
    (address != 0).then_some(address)
}

extern "C" fn look(frame: *mut c_void, address: *mut c_void) -> c_int {
    let mut is_interrupted = 0;
    // SAFETY: the unwinder passes a valid frame.
    let next = unsafe { _Unwind_GetIPInfo(frame, ptr::from_mut(&mut is_interrupted)) };
    if is_interrupted == 0 {
        return CONTINUE;
    }
    // SAFETY: the pointer that `interrupted` passes.
    unsafe { address.cast::<usize>().write(next) };
    STOP
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

    use super::*;

    #[test]
    fn a_signal_handler_is_detected() {
        static SEEN: AtomicU8 = AtomicU8::new(9);
        extern "C" fn handler(_: c_int) {
            // `raise` is in the C library.
            SEEN.store(u8::from(is_handling()) + 2 * u8::from(may_allocate()), Relaxed);
        }
        assert!(!is_handling() && may_allocate());
        // SAFETY: the handler does nothing that a handler must not do, and nothing else uses this
        // signal.
        unsafe {
            libc::signal(libc::SIGUSR2, handler as extern "C" fn(c_int) as libc::sighandler_t);
            libc::raise(libc::SIGUSR2);
        }
        assert_eq!(SEEN.load(Relaxed), 1);
        assert!(!is_handling() && may_allocate());
    }
}
