//! Tables of functions of the program.
//!
//! Tables are kept by address: a program must keep them as long as the archive.

use crate::error::{ErrorCode, INVALID_ARGUMENT, fail};
use std::ffi::c_void;

/// A table of functions with the data that they get.
#[derive(Debug)]
pub(crate) struct Table<T> {
    functions: *const T,
    pub(crate) user_data: *mut c_void,
}

impl<T> Clone for Table<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Table<T> {}

// SAFETY: the functions and their data are for all threads of the program that use the archive.
unsafe impl<T> Send for Table<T> {}

impl<T: Copy> Table<T> {
    /// Returns a table with the data of its functions, or fails if it is null.
    #[track_caller]
    pub(crate) fn of(functions: *const T, user_data: *mut c_void) -> Result<Self, ErrorCode> {
        match functions.is_null() {
            true => Err(fail(INVALID_ARGUMENT, format_args!("no table of callbacks"))),
            false => Ok(Table { functions, user_data }),
        }
    }

    /// Returns the functions as they are now.
    pub(crate) fn functions(&self) -> T {
        // SAFETY: the program keeps the table, which is not null, as long as the archive, and only
        // archives and their buffers contain a `Table`.
        unsafe { self.functions.read() }
    }
}
