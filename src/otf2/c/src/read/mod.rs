//! Readers of the files of an archive, which pass records to the callbacks of the program.
//!
//! A callback may call the library, throw, or never return: a reader is complete when it calls one.

mod callbacks;
pub(crate) mod definitions;
pub(crate) mod events;
pub(crate) mod locals;
pub(crate) mod markers;
mod reader;
pub(crate) mod snapshots;
pub(crate) mod thumbnails;

pub(crate) use reader::Reader;

use crate::error::{ErrorCode, INTERRUPTED_BY_CALLBACK, INVALID_ARGUMENT, fail};
use crate::types::{CALLBACK_SUCCESS, CallbackCode};

/// Reads records until there are enough, at the end, or until a callback interrupts. `next` returns
/// what the callback answered. The interrupting record is counted, a faulty one is not.
///
/// # Safety
///
/// Null or a place for the number of records.
#[inline(always)]
unsafe fn read(
    wanted: u64,
    number: *mut u64,
    mut next: impl FnMut() -> Result<Option<CallbackCode>, ErrorCode>,
) -> Result<(), ErrorCode> {
    if number.is_null() {
        return Err(fail(INVALID_ARGUMENT, format_args!("no place for the number of records")));
    }
    let mut count = 0;
    let result = loop {
        if count == wanted {
            break Ok(());
        }
        match next() {
            Ok(Some(CALLBACK_SUCCESS)) => count += 1,
            Ok(Some(_)) => {
                count += 1;
                // An answer rather than a failure: the handler is not called.
                break Err(INTERRUPTED_BY_CALLBACK);
            }
            Ok(None) => break Ok(()),
            Err(code) => break Err(code),
        }
    };
    // SAFETY: as the caller vouches; it is not null.
    unsafe { number.write(count) };
    result
}
