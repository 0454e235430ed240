//! Calls of the dynamic linker that the program does not notice.
//!
//! The C library keeps the last error of a thread for `dlerror`, and each call of `dlsym`, `dlopen`
//! and the like frees it: also the text that `dlerror` has returned, which the program may use
//! until its own next call. Invariant: the runtime calls these functions only inside of [`unseen`],
//! which hides the program's error from them, and theirs from the program. Since the C library 2.34
//! the error is a pointer of the thread, at the same distance from each thread's pointer; in older
//! ones it cannot be found, and is lost if the runtime calls such a function after the program's
//! start.

use std::cell::Cell;
use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::atomic::{AtomicIsize, Ordering::Relaxed};

use crate::loaded;
use crate::thread::{self, MemoryUse};

/// The distance of the error from the thread pointer.
static DISTANCE: AtomicIsize = AtomicIsize::new(UNKNOWN);
/// The thread pointer itself is at this distance.
const UNKNOWN: isize = 0;
/// The value that the C library stores in place of an error for which it has no memory.
const NO_MEMORY: usize = usize::MAX;

/// Executes calls of the dynamic linker. The program's error stays as it is.
pub(crate) fn unseen<T>(action: impl FnOnce() -> T) -> T {
    let _kept = error().map(Kept::of);
    action()
}

/// Returns the function of this name that follows this library in the loader's order; null if there
/// is none.
pub(crate) fn next(name: &CStr) -> *mut c_void {
    // SAFETY: a C string.
    unseen(|| unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) })
}

/// Like [`next`], for a version of the function.
pub(crate) fn next_of_version(name: &CStr, version: &CStr) -> *mut c_void {
    // SAFETY: both are C strings.
    unseen(|| unsafe { libc::dlvsym(libc::RTLD_NEXT, name.as_ptr(), version.as_ptr()) })
}

/// Returns the symbol that the whole program finds under this name; null if there is none.
pub(crate) fn global(name: &CStr) -> *mut c_void {
    // SAFETY: a C string.
    unseen(|| unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) })
}

/// The program's error, which is put back at the end.
struct Kept {
    place: &'static Cell<*mut c_void>,
    error: *mut c_void,
}

impl Kept {
    fn of(place: &'static Cell<*mut c_void>) -> Self {
        Self { place, error: place.replace(ptr::null_mut()) }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if self.place.get().is_null() {
            return self.place.set(self.error);
        }
        let before = thread::set_memory_use(MemoryUse::Own);
        // The first call returns the text of an error, and the second one frees it.
        // SAFETY: no precondition.
        unsafe { (libc::dlerror(), libc::dlerror()) };
        let own = self.place.get();
        // Without a text, the C library uses the object for the next error.
        if !self.error.is_null() || own.addr() == NO_MEMORY {
            if own.addr() != NO_MEMORY {
                // SAFETY: null, or allocated by the C library, and only this thread had it.
                unsafe { libc::free(own) };
            }
            self.place.set(self.error);
        }
        thread::set_memory_use(before);
    }
}

/// Returns the calling thread's pointer to its error; `None` in an older C library.
fn error() -> Option<&'static Cell<*mut c_void>> {
    let distance = DISTANCE.load(Relaxed);
    let place = thread_pointer().wrapping_byte_offset(distance);
    // SAFETY: the variable of the calling thread, which only the C library and this module access.
    // It is not used after the thread's end.
    (distance != UNKNOWN).then(|| unsafe { &*place.cast::<Cell<*mut c_void>>() })
}

/// Finds the variable, when the library is loaded. Calls before that are not hidden: the program
/// has not begun. `dlsym` would ask for the address with a function that sanitizers replace.
pub(crate) fn prepare() {
    // SAFETY: no precondition. It is a variable of the C library as well.
    let known = unsafe { libc::__errno_location() }.addr();
    if let Some(between) = loaded::between_thread_variables(c"errno", c"__libc_dlerror_result") {
        let place = known.wrapping_add_signed(between);
        DISTANCE.store(place.wrapping_sub(thread_pointer().addr()).cast_signed(), Relaxed);
    }
}

#[cfg(target_arch = "x86_64")]
fn thread_pointer() -> *mut c_void {
    let pointer: usize;
    // SAFETY: the first word of the thread's own block is its address.
    unsafe {
        core::arch::asm!("mov {}, fs:0", out(reg) pointer, options(nostack, readonly, preserves_flags))
    };
    ptr::with_exposed_provenance_mut(pointer)
}

#[cfg(target_arch = "aarch64")]
fn thread_pointer() -> *mut c_void {
    let pointer: usize;
    // SAFETY: reads a register.
    unsafe {
        core::arch::asm!("mrs {}, tpidr_el0", out(reg) pointer, options(nostack, nomem, preserves_flags))
    };
    ptr::with_exposed_provenance_mut(pointer)
}

/// Returns the path of the file that has an address; empty if it is unknown.
pub(crate) fn file_of(address: *const c_void) -> Vec<u8> {
    let mut object = libc::Dl_info {
        dli_fname: ptr::null(),
        dli_fbase: ptr::null_mut(),
        dli_sname: ptr::null(),
        dli_saddr: ptr::null_mut(),
    };
    // SAFETY: the address is only compared.
    let is_found = unseen(|| unsafe { libc::dladdr(address, &raw mut object) }) != 0;
    if !is_found || object.dli_fname.is_null() {
        return Vec::new();
    }
    // SAFETY: the name of a loaded object is a C string.
    unsafe { CStr::from_ptr(object.dli_fname) }.to_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(path: &CStr) -> *mut c_void {
        // SAFETY: there is no such library.
        unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) }
    }

    fn text() -> String {
        // SAFETY: a C string, which the next call frees.
        unsafe { CStr::from_ptr(libc::dlerror()) }.to_string_lossy().into_owned()
    }

    #[test]
    fn neither_a_waiting_error_nor_a_returned_text_changes() {
        let calls: [fn(); 4] = [
            || _ = next(c"malloc"),
            || _ = next(c"no_such_function"),
            || _ = unseen(|| open(c"/none/own.so")),
            || _ = unseen(|| (open(c"/none/own.so"), next(c"malloc"))),
        ];
        prepare();
        if error().is_none() {
            return kymo_testdata::missing("the C library 2.34 or later");
        }
        for call in calls {
            call();
            // SAFETY: no precondition.
            assert!(unsafe { libc::dlerror() }.is_null());
            open(c"/none/program.so");
            call();
            // SAFETY: a C string, until the next call.
            let returned = unsafe { CStr::from_ptr(libc::dlerror()) };
            let before = returned.to_owned();
            call();
            assert_eq!(returned, &*before);
            assert!(before.to_string_lossy().contains("program.so"));
            // SAFETY: no precondition.
            assert!(unsafe { libc::dlerror() }.is_null());
        }
        open(c"/none/last.so");
        assert!(text().contains("last.so"));
    }
}
