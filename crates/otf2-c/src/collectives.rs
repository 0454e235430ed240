//! The collective callbacks of a process that is alone, or that has only its role.
//!
//! The library asks for the rank and broadcasts; it calls no other function of such a table.

use crate::types::{AnyFunction, CALLBACK_SUCCESS, CallbackCode, CollectiveCallbacks, Context};
use std::ffi::c_void;

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
