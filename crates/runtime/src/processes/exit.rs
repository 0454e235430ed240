//! The functions that end the process without calling `atexit` handlers.
//!
//! They end the measurement with the program's exit status. A process that is ended by a signal has
//! no such opportunity: `kymo recover` makes an archive of its trace.

use std::ffi::{CStr, c_int};

use crate::next::Next;

macro_rules! exit {
    ($name:ident) => {
        /// # Safety
        ///
        /// The arguments must be valid for the C library's function of this name.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(status: c_int) -> ! {
            const NAME: &CStr = match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => unreachable!(),
            };
            // SAFETY: the type is that in <stdlib.h>.
            static NEXT: Next<unsafe extern "C" fn(c_int) -> !> = unsafe { Next::new(NAME) };
            super::end(Some(status));
            match NEXT.get() {
                // SAFETY: any status is valid.
                Some(next) => unsafe { next(status) },
                None => std::process::abort(),
            }
        }
    };
}

exit!(_exit);
exit!(_Exit);
exit!(quick_exit);
