//! Readers of the files of an archive, which pass records to the callbacks of the program.
//!
//! A callback may call the library, throw, or never return: a reader is complete when it calls one.

pub(crate) mod callbacks;
pub(crate) mod contexts;
pub(crate) mod definitions;
pub(crate) mod events;
pub(crate) mod locals;
pub(crate) mod markers;
pub(crate) mod snapshots;
pub(crate) mod thumbnails;

use crate::error::{ErrorCode, INTERRUPTED_BY_CALLBACK, INVALID_ARGUMENT, fail, fail_with};
use crate::types::{CALLBACK_SUCCESS, CallbackCode};
use kymo_otf2::error::Error;

/// Why a reader stops after a record.
enum Pause {
    /// There are enough records, or the program has used the reader in a callback.
    Look,
    Interrupted,
    Fault(Error),
}

impl From<Error> for Pause {
    fn from(error: Error) -> Self {
        Pause::Fault(error)
    }
}

impl Pause {
    /// Returns how to continue after a callback has answered.
    #[inline(always)]
    fn after(answer: CallbackCode, is_next: bool) -> Result<(), Pause> {
        if answer != CALLBACK_SUCCESS {
            return Err(Pause::Interrupted);
        }
        if is_next { Ok(()) } else { Err(Pause::Look) }
    }

    /// Returns the outcome of reading; `None` if it must continue.
    fn outcome(read: Result<(), Pause>) -> Option<Result<(), ErrorCode>> {
        match read {
            Ok(()) => Some(Ok(())),
            Err(Pause::Look) => None,
            // An answer rather than a failure: the handler is not called.
            Err(Pause::Interrupted) => Some(Err(INTERRUPTED_BY_CALLBACK)),
            Err(Pause::Fault(error)) => Some(Err(fail_with(&error))),
        }
    }
}

/// Reads records until there are enough, at the end, or until a callback interrupts. `next` returns
/// the answer of the callback. The interrupting record is counted, a faulty one is not.
///
/// # Safety
///
/// Null or a place for the number of records.
#[inline(always)]
unsafe fn read(
    wanted: u64,
    number: *mut u64,
    next: impl FnMut() -> Result<Option<CallbackCode>, ErrorCode>,
) -> Result<(), ErrorCode> {
    // SAFETY: `number` is null or a place for the number of records.
    unsafe { counted(wanted, number, |left| read_each(left, next)) }
}

/// As [`read`]; counts the records in `left`, the number of wanted ones.
#[inline(always)]
fn read_each(
    left: &mut u64,
    mut next: impl FnMut() -> Result<Option<CallbackCode>, ErrorCode>,
) -> Result<(), ErrorCode> {
    while *left > 0 {
        let Some(answer) = next()? else { break };
        *left -= 1;
        if answer != CALLBACK_SUCCESS {
            // An answer rather than a failure: the handler is not called.
            return Err(INTERRUPTED_BY_CALLBACK);
        }
    }
    Ok(())
}

/// Reads records and returns their number in `number`, after a failure as well. `read` counts them
/// in the number of wanted ones.
///
/// # Safety
///
/// Null or a place for the number of records.
#[inline(always)]
unsafe fn counted(
    wanted: u64,
    number: *mut u64,
    read: impl FnOnce(&mut u64) -> Result<(), ErrorCode>,
) -> Result<(), ErrorCode> {
    if number.is_null() {
        return Err(fail(INVALID_ARGUMENT, format_args!("no place for the number of records")));
    }
    let mut left = wanted;
    let result = read(&mut left);
    // SAFETY: `number` is not null, so it is a place for the number of records.
    unsafe { number.write(wanted - left) };
    result
}
