//! The lock of the program, which is held while lists and counts of an archive change.

use crate::error::{ErrorCode, INVALID_ARGUMENT, INVALID_CALL, LOCKING_CALLBACK, fail};
use crate::table::Table;
use crate::types::{CALLBACK_SUCCESS, Lock, LockingCallbacks};

/// The lock of the program, if it has given one.
#[derive(Debug, Default)]
pub(crate) struct ArchiveLock(Option<Locking>);

/// A lock that the program has made.
#[derive(Debug, Clone, Copy)]
struct Locking {
    table: Table<LockingCallbacks>,
    lock: *mut Lock,
}

impl ArchiveLock {
    /// Lets the program make its lock.
    pub(crate) fn set(&mut self, table: Table<LockingCallbacks>) -> Result<(), ErrorCode> {
        if self.0.is_some() {
            return Err(fail(INVALID_CALL, format_args!("the locking callbacks are set")));
        }
        let functions = table.functions();
        let (Some(create), Some(_), Some(_), Some(_)) =
            (functions.create, functions.destroy, functions.lock, functions.unlock)
        else {
            return Err(fail(INVALID_ARGUMENT, format_args!("a locking callback is missing")));
        };
        let mut lock = std::ptr::null_mut();
        // SAFETY: function, data and lock are those that the program has set; it keeps them valid
        // until the archive is closed.
        match unsafe { create(table.user_data, &raw mut lock) } {
            CALLBACK_SUCCESS => {
                self.0 = Some(Locking { table, lock });
                Ok(())
            }
            _ => Err(fail(LOCKING_CALLBACK, format_args!("the lock cannot be made"))),
        }
    }

    /// Takes the lock of the program until the guard is dropped.
    pub(crate) fn lock(&self) -> Result<Guard, ErrorCode> {
        let Some(locking) = self.0 else { return Ok(Guard(None)) };
        let taken = match locking.table.functions().lock {
            // SAFETY: function, data and lock are those that the program has set; it keeps them
            // valid until the archive is closed.
            Some(lock) => unsafe { lock(locking.table.user_data, locking.lock) },
            None => CALLBACK_SUCCESS,
        };
        match taken {
            CALLBACK_SUCCESS => Ok(Guard(Some(locking))),
            _ => Err(fail(LOCKING_CALLBACK, format_args!("the lock cannot be taken"))),
        }
    }

    /// Destroys the lock of the program.
    pub(crate) fn release(&mut self) {
        let Some(Locking { table, lock }) = self.0.take() else { return };
        let functions = table.functions();
        if let Some(destroy) = functions.destroy
            // SAFETY: function, data and lock are those that the program has set; it keeps them
            // valid until the archive is closed.
            && unsafe { destroy(table.user_data, lock) } != CALLBACK_SUCCESS
        {
            fail(LOCKING_CALLBACK, format_args!("the lock cannot be destroyed"));
        }
        if let Some(release) = functions.release {
            // SAFETY: function, data and lock are those that the program has set; it keeps them
            // valid until the archive is closed.
            unsafe { release(table.user_data) };
        }
    }
}

/// Holds the lock of the program.
#[derive(Debug)]
pub(crate) struct Guard(Option<Locking>);

impl Guard {
    /// Returns a guard without the lock.
    pub(crate) fn without_lock() -> Self {
        Guard(None)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let Some(locking) = self.0 else { return };
        if let Some(unlock) = locking.table.functions().unlock
            // SAFETY: function, data and lock are those that the program has set; it keeps them
            // valid until the archive is closed.
            && unsafe { unlock(locking.table.user_data, locking.lock) } != CALLBACK_SUCCESS
        {
            fail(LOCKING_CALLBACK, format_args!("the lock cannot be released"));
        }
    }
}
