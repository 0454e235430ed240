//! The functions that this library interposes: the next definition of the same name in the loader's
//! order.
//!
//! Invariant: a lookup neither allocates nor calls back into an interposed function, as long as the
//! function exists.

use std::ffi::{CStr, c_int, c_void};
use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::linker;

/// The version of the condition variable functions on x86-64, where older functions exist under the
/// same names.
const CONDITIONS: &CStr = c"GLIBC_2.3.2";

/// A function of type `F`, looked up at its first use.
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

    /// Returns the function; `None` if it does not exist.
    #[inline(always)]
    pub(crate) fn get(&self) -> Option<F> {
        let known = self.address.load(Ordering::Relaxed);
        let address = if known.is_null() { self.find() } else { known };
        // SAFETY: the caller of `new` promised that the function is an `F`, which is a pointer.
        (!address.is_null()).then(|| unsafe { std::mem::transmute_copy::<*mut c_void, F>(&address) })
    }

    #[cold]
    fn find(&self) -> *mut c_void {
        const { assert!(size_of::<F>() == size_of::<*mut c_void>()) };
        let mut address = ptr::null_mut();
        if self.name.to_bytes().starts_with(b"pthread_cond_") {
            address = linker::next_of_version(self.name, CONDITIONS);
        }
        if address.is_null() {
            address = linker::next(self.name);
        }
        self.address.store(address, Ordering::Relaxed);
        address
    }
}

/// Returns the C string in a text that ends with a null byte. Only for constants.
pub(crate) const fn c_name(name: &str) -> &CStr {
    match CStr::from_bytes_with_nul(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => unreachable!(),
    }
}

/// Executes an action and restores the program's `errno` afterwards.
#[inline(always)]
pub(crate) fn keeping_errno<T>(action: impl FnOnce() -> T) -> T {
    // SAFETY: the address of this thread's `errno`, which is valid while the thread lives.
    let errno: *mut c_int = unsafe { libc::__errno_location() };
    // SAFETY: as above, and no other thread accesses it.
    let before = unsafe { errno.read() };
    let result = action();
    // SAFETY: as above.
    unsafe { errno.write(before) };
    result
}

/// Returns the calling thread's `errno`.
pub(crate) fn errno() -> i32 {
    // SAFETY: the address of this thread's `errno`, which is valid while the thread lives.
    unsafe { *libc::__errno_location() }
}

/// The result of a function that the C library does not have.
pub(crate) trait Missing {
    fn missing() -> Self;
}

macro_rules! missing {
    ($($type:ty = $value:expr;)*) => {$(
        impl Missing for $type {
            fn missing() -> Self {
                $value
            }
        }
    )*};
}

missing! {
    i32 = -1;
    i64 = -1;
    isize = -1;
    usize = 0;
    u32 = 0;
    () = ();
}

impl<T> Missing for *mut T {
    fn missing() -> Self {
        std::ptr::null_mut()
    }
}

/// Returns the result of a function that the C library does not have, with `ENOSYS`.
#[cold]
pub(crate) fn missing<R: Missing>() -> R {
    // SAFETY: the address of this thread's `errno`.
    unsafe { *libc::__errno_location() = libc::ENOSYS };
    R::missing()
}
