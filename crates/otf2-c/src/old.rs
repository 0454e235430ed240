//! The six functions of OTF2 1.2 that OTF2 3.0 has under other names or not at all.
//!
//! Programs that were built for them work as far as possible: roles come from the collective
//! callbacks now, and SION files are not supported.

use crate::archive::{Archive, OTF2_Archive_IsPrimary, OTF2_Archive_SetCollectiveCallbacks};
use crate::attribute_list::{
    AttributeList, OTF2_AttributeList_AddStringRef, OTF2_AttributeList_GetStringRef,
};
use crate::collectives::{OTHER_RANK, SERIAL};
use crate::error::{DEPRECATED, ErrorCode, FILE_SUBSTRATE_NOT_SUPPORTED, INVALID_ARGUMENT, SUCCESS, fail};
use crate::reader::Reader;
use std::ffi::c_void;

/// `OTF2_SLAVE` of OTF2 1.2.
const SLAVE: u8 = 0;
/// `OTF2_MASTER` of OTF2 1.2.
const MASTER: u8 = 1;

/// Sets the role of a process that has no collective callbacks, and accepts the one that it has
/// otherwise. The master makes the folders, so a slave calls this after it.
///
/// # Safety
///
/// Null or an archive.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_SetMasterSlaveMode(
    this: *mut Archive,
    role: u8,
) -> ErrorCode {
    // SAFETY: `this` is null or an open archive that nothing else uses during this call.
    let Some(archive) = (unsafe { this.as_mut() }) else {
        return fail(INVALID_ARGUMENT, format_args!("no archive"));
    };
    fail(DEPRECATED, format_args!("roles come from the collective callbacks since OTF2 2.0"));
    let table = match role {
        MASTER => &SERIAL,
        SLAVE => &OTHER_RANK,
        other => return fail(INVALID_ARGUMENT, format_args!("role {other}")),
    };
    match archive.role() {
        // SAFETY: `this` is null or an open archive that nothing else uses during this call, and
        // `OTF2_Archive_SetCollectiveCallbacks` requires no more of the other arguments than this
        // function.
        None => unsafe {
            let null = std::ptr::null_mut();
            OTF2_Archive_SetCollectiveCallbacks(this, table, null, null.cast(), null.cast())
        },
        Some(is_primary) if is_primary == (role == MASTER) => SUCCESS,
        Some(_) => fail(INVALID_ARGUMENT, format_args!("the process has the other role")),
    }
}

/// Returns the role of the process.
///
/// # Safety
///
/// Null or an archive; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_Archive_GetMasterSlaveMode(
    this: *mut Archive,
    role: *mut u8,
) -> ErrorCode {
    // SAFETY: `role` is null or a place for the result that nothing else refers to.
    let Some(role) = (unsafe { role.as_mut() }) else {
        return fail(INVALID_ARGUMENT, format_args!("no place for a result"));
    };
    let mut is_primary = false;
    // SAFETY: `this` is null or an open archive that nothing else uses during this call, and
    // `OTF2_Archive_IsPrimary` requires no more of the other arguments than this function.
    let code = unsafe { OTF2_Archive_IsPrimary(this, &raw mut is_primary) };
    if code == SUCCESS {
        *role = if is_primary { MASTER } else { SLAVE };
    }
    code
}

#[track_caller]
fn without_sion() -> ErrorCode {
    fail(FILE_SUBSTRATE_NOT_SUPPORTED, format_args!("no support for SION"))
}

/// Refuses callbacks for SION files.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn OTF2_Archive_SetFileSionCallbacks(
    _this: *mut Archive,
    _callbacks: *const c_void,
    _user_data: *mut c_void,
) -> ErrorCode {
    without_sion()
}

/// Refuses callbacks for SION files.
#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn OTF2_Reader_SetFileSionCallbacks(
    _this: *mut Reader,
    _callbacks: *const c_void,
    _user_data: *mut c_void,
) -> ErrorCode {
    without_sion()
}

/// The former name of `OTF2_AttributeList_AddStringRef`.
///
/// # Safety
///
/// Null or a list.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_AttributeList_AddString(
    this: *mut AttributeList,
    attribute: u32,
    string: u32,
) -> ErrorCode {
    // SAFETY: `this` is null or a list that nothing else uses during this call, and
    // `OTF2_AttributeList_AddStringRef` requires no more of the other arguments than this function.
    unsafe { OTF2_AttributeList_AddStringRef(this, attribute, string) }
}

/// The former name of `OTF2_AttributeList_GetStringRef`.
///
/// # Safety
///
/// Null or a list; null or a place for the result.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn OTF2_AttributeList_GetString(
    this: *const AttributeList,
    attribute: u32,
    string: *mut u32,
) -> ErrorCode {
    // SAFETY: `this` is null or a list that nothing else uses during this call, and
    // `OTF2_AttributeList_GetStringRef` requires no more of the other arguments than this function.
    unsafe { OTF2_AttributeList_GetStringRef(this, attribute, string) }
}
