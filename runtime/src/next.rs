//! The functions that ours stand before: the next definition of the same name, as the loader sees it.
//!
//! Invariant: finding one neither allocates nor calls back into what is interposed, as long as it exists.

use std::ffi::{CStr, c_int, c_void};
use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Version of the functions of condition variables on x86-64, where an older kind of them exists under the same names.
const CONDITIONS: &CStr = c"GLIBC_2.3.2";

/// A function of type `F`, found when it is first needed.
pub(crate) struct Next<F> {
    name: &'static CStr,
    address: AtomicPtr<c_void>,
    function: PhantomData<F>,
}

impl<F: Copy> Next<F> {
    /// # Safety
    ///
    /// `F` must be the type of the function of this name.
    pub(crate) const unsafe fn new(name: &'static CStr) -> Self {
        Self { name, address: AtomicPtr::new(ptr::null_mut()), function: PhantomData }
    }

    /// The function; none if there is none.
    #[inline(always)]
    pub(crate) fn get(&self) -> Option<F> {
        let known = self.address.load(Ordering::Relaxed);
        let address = if known.is_null() { self.find() } else { known };
        // SAFETY: whoever made this says that the function is an `F`, which is a pointer.
        (!address.is_null()).then(|| unsafe { std::mem::transmute_copy::<*mut c_void, F>(&address) })
    }

    #[cold]
    fn find(&self) -> *mut c_void {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        let mut address = ptr::null_mut();
        if self.name.to_bytes().starts_with(b"pthread_cond_") {
            // SAFETY: both are strings of C.
            address = unsafe { libc::dlvsym(libc::RTLD_NEXT, self.name.as_ptr(), CONDITIONS.as_ptr()) };
        }
        if address.is_null() {
            // SAFETY: as above.
            address = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
        }
        self.address.store(address, Ordering::Relaxed);
        address
    }
}

/// Does something that leaves the program's `errno` as it is.
#[inline(always)]
pub(crate) fn keeping_errno<T>(action: impl FnOnce() -> T) -> T {
    // SAFETY: the address of this thread's `errno`, which stays while the thread lives.
    let errno: *mut c_int = unsafe { libc::__errno_location() };
    // SAFETY: as above, and no other thread has it.
    let before = unsafe { errno.read() };
    let result = action();
    // SAFETY: as above.
    unsafe { errno.write(before) };
    result
}
