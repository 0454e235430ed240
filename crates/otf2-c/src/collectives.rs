//! The functions by which the processes of a program communicate, and those of a process that is
//! alone, or that has only its role.
//!
//! The library asks for the rank and broadcasts; it calls no other function of such a table.

use crate::error::{COLLECTIVE_CALLBACK, ErrorCode, fail};
use crate::table::Table;
use crate::types::{AnyFunction, CALLBACK_SUCCESS, CallbackCode, CollectiveCallbacks, Context};
use std::ffi::c_void;

/// The functions by which the processes of a program communicate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Collectives {
    pub(crate) table: Table<CollectiveCallbacks>,
    pub(crate) global: *mut Context,
    pub(crate) local: *mut Context,
}

impl Collectives {
    pub(crate) fn rank(&self) -> Result<u32, ErrorCode> {
        let mut rank = 0;
        let found = match self.table.functions().get_rank {
            // SAFETY: function, data and contexts are those that the program has set; it keeps them
            // valid until `release` is called.
            Some(get_rank) => unsafe { get_rank(self.table.user_data, self.global, &raw mut rank) },
            None => CALLBACK_SUCCESS,
        };
        expect_success(found, "the rank").map(|()| rank)
    }

    /// Sends one number of 8 bytes from rank 0 to all.
    pub(crate) fn broadcast(&self, number: *mut c_void, type_: u8) -> Result<(), ErrorCode> {
        let sent = match self.table.functions().bcast {
            // SAFETY: function, data and context are those that the program has set; it keeps them
            // valid until `release` is called. The number has 8 bytes.
            Some(bcast) => unsafe { bcast(self.table.user_data, self.global, number, 1, type_, 0) },
            None => CALLBACK_SUCCESS,
        };
        expect_success(sent, "a broadcast")
    }

    /// Tells the program that its functions are not called any more.
    pub(crate) fn release(&self) {
        if let Some(release) = self.table.functions().release {
            // SAFETY: function, data and contexts are those that the program has set; it keeps them
            // valid until `release` is called.
            unsafe { release(self.table.user_data, self.global, self.local) };
        }
    }
}

#[track_caller]
fn expect_success(answer: u32, what: &str) -> Result<(), ErrorCode> {
    match answer {
        CALLBACK_SUCCESS => Ok(()),
        _ => Err(fail(COLLECTIVE_CALLBACK, format_args!("the callback for {what} failed"))),
    }
}

unsafe extern "C-unwind" fn unused() {}

const UNUSED: Option<AnyFunction> = Some(unused);

/// The table; its user data and contexts are null.
pub(crate) static SERIAL: CollectiveCallbacks = CollectiveCallbacks {
    release: None,
    get_size: Some(size),
    get_rank: Some(rank),
    create_local_comm: None,
    free_local_comm: None,
    barrier: UNUSED,
    bcast: Some(bcast),
    gather: UNUSED,
    gatherv: UNUSED,
    scatter: UNUSED,
    scatterv: UNUSED,
};

/// The table of a process that is not rank 0 and cannot communicate.
pub(crate) static OTHER_RANK: CollectiveCallbacks =
    CollectiveCallbacks { get_rank: Some(other_rank), ..SERIAL };

unsafe extern "C-unwind" fn size(_: *mut c_void, _: *mut Context, size: *mut u32) -> CallbackCode {
    // SAFETY: the library passes a place for the result.
    unsafe { size.write(1) };
    CALLBACK_SUCCESS
}

unsafe extern "C-unwind" fn rank(_: *mut c_void, _: *mut Context, rank: *mut u32) -> CallbackCode {
    // SAFETY: the library passes a place for the result.
    unsafe { rank.write(0) };
    CALLBACK_SUCCESS
}

unsafe extern "C-unwind" fn other_rank(_: *mut c_void, _: *mut Context, rank: *mut u32) -> CallbackCode {
    // SAFETY: the library passes a place for the result.
    unsafe { rank.write(1) };
    CALLBACK_SUCCESS
}

unsafe extern "C-unwind" fn bcast(
    _: *mut c_void,
    _: *mut Context,
    _: *mut c_void,
    _: u32,
    _: u8,
    _: u32,
) -> CallbackCode {
    CALLBACK_SUCCESS
}
