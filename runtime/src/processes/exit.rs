//! The ways to end that skip what was registered with `atexit`.
//!
//! The measurement is ended with the status that the program ends with. A process that a signal ends has no such moment: of its trace
//! `kymo recover` makes an archive.

use std::ffi::{CStr, c_int};

use crate::next::Next;

macro_rules! exit {
    ($name:ident) => {
        /// # Safety
        ///
        /// As that of the C library.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(status: c_int) -> ! {
            const NAME: &CStr = match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => unreachable!(),
            };
            // SAFETY: the type is that of <stdlib.h>.
            static NEXT: Next<unsafe extern "C" fn(c_int) -> !> = unsafe { Next::new(NAME) };
            super::end(Some(status));
            match NEXT.get() {
                // SAFETY: what the caller promises.
                Some(next) => unsafe { next(status) },
                None => std::process::abort(),
            }
        }
    };
}

exit!(_exit);
exit!(_Exit);
exit!(quick_exit);
