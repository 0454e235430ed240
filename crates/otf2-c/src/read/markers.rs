//! `OTF2_MarkerReader`: reads the markers of an archive.

use super::callbacks::{Callbacks, User};
use super::read;
use crate::arguments::Scratch;
use crate::error::{ErrorCode, INTEGRITY_FAULT, INVALID_ARGUMENT, SUCCESS, code, fail, fail_with};
use crate::types::CallbackCode;
use kymo_otf2::read::DefinitionReader;
use kymo_otf2::read::definitions::kind;
use std::ffi::c_void;

/// `OTF2_MarkerReader`.
pub(crate) struct MarkerReader {
    markers: DefinitionReader<kind::Markers>,
    callbacks: Callbacks,
    user_data: *mut c_void,
    scratch: Scratch,
}

impl MarkerReader {
    pub(crate) fn new(markers: DefinitionReader<kind::Markers>) -> Box<Self> {
        Box::new(MarkerReader {
            markers,
            callbacks: Callbacks::default(),
            user_data: std::ptr::null_mut(),
            scratch: Scratch::default(),
        })
    }

    fn next(&mut self) -> Result<Option<CallbackCode>, ErrorCode> {
        match self.markers.next() {
            Ok(Some(record)) => {
                self.scratch.clear();
                Ok(Some(self.callbacks.marker(&record, User(self.user_data), &mut self.scratch)))
            }
            Ok(None) => Ok(None),
            Err(error) => Err(fail_with(&error)),
        }
    }
}

#[track_caller]
fn missing(code: ErrorCode) -> ErrorCode {
    fail(code, format_args!("no reader of markers, no callbacks, or no place for a result"))
}

/// Sets the callbacks, which are copied.
///
/// # Safety
///
/// Null or a reader; null or a table.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_MarkerReader_SetCallbacks(
    this: *mut MarkerReader,
    callbacks: *const Callbacks,
    user_data: *mut c_void,
) -> ErrorCode {
    // SAFETY: `this` is null or an open reader that nothing else uses during this call; `callbacks`
    // is null or a table, which is copied.
    match unsafe { (this.as_mut(), callbacks.as_ref()) } {
        (Some(reader), Some(callbacks)) => {
            (reader.callbacks, reader.user_data) = (*callbacks, user_data);
            SUCCESS
        }
        (None, _) => missing(INTEGRITY_FAULT),
        (_, None) => missing(INVALID_ARGUMENT),
    }
}

/// Reads markers and their definitions in the order of the file and passes them to the callbacks.
///
/// # Safety
///
/// Null or a reader; null or a place for the number of records.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_MarkerReader_ReadMarkers(
    this: *mut MarkerReader,
    wanted: u64,
    number: *mut u64,
) -> ErrorCode {
    if this.is_null() {
        return missing(INVALID_ARGUMENT);
    }
    // SAFETY: `this` is not null, so it is an open reader, which is used only between the calls of
    // the program; `number` is null or a place for the result.
    code(unsafe { read(wanted, number, || (*this).next()) })
}
