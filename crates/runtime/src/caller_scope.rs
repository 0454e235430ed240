//! The scope of a caller: the functions that its library and the libraries of that one define.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;

use crate::linker;
use crate::next::Next;

/// Returns the function of this name in the scope of the library that contains an address; null if
/// there is none.
pub(crate) fn function_for(name: &CStr, caller: *const c_void) -> *mut c_void {
    // SAFETY: the types are those in <dlfcn.h>.
    static OPEN: Next<unsafe extern "C" fn(*const c_char, c_int) -> *mut c_void> =
        unsafe { Next::new(c"dlopen") };
    // SAFETY: as above.
    static CLOSE: Next<unsafe extern "C" fn(*mut c_void) -> c_int> = unsafe { Next::new(c"dlclose") };
    let Some((open, close)) = OPEN.get().zip(CLOSE.get()) else { return ptr::null_mut() };
    let mut information = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: the structure is writable, and all zeros is a value of it. The handle is valid
    // between the calls; the library stays loaded, since its code is running.
    linker::unseen(|| unsafe {
        if libc::dladdr(caller, information.as_mut_ptr()) == 0 {
            return ptr::null_mut();
        }
        let file = information.assume_init().dli_fname;
        let library = open(file, libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        if library.is_null() {
            return ptr::null_mut();
        }
        let found = libc::dlsym(library, name.as_ptr());
        close(library);
        found
    })
}
