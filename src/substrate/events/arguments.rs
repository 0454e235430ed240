//! Conversion of event arguments from the C types to the safe types.

use core::ffi::{c_int, c_void};
use core::slice;

use crate::bindings;
use crate::handles::*;
use crate::kinds::*;

/// A safe argument type, with the type that the host passes.
pub(super) trait Argument {
    type Raw;

    /// Converts an argument.
    ///
    /// # Safety
    ///
    /// `raw` is an argument of an event that the host just delivered, of the kind that this type
    /// represents.
    unsafe fn from_host(raw: Self::Raw) -> Self;
}

macro_rules! plain_arguments {
    ($($name:ty)*) => {$(
        impl Argument for $name {
            type Raw = Self;

            #[inline(always)]
            unsafe fn from_host(raw: Self) -> Self {
                raw
            }
        }
    )*};
}

macro_rules! handle_arguments {
    ($($name:ident)*) => {$(
        impl Argument for $name {
            type Raw = u32;

            #[inline(always)]
            unsafe fn from_host(raw: u32) -> Self {
                // SAFETY: it is a handle of this kind from the host.
                unsafe { Self::from_raw(raw) }
            }
        }
    )*};
}

macro_rules! kind_arguments {
    ($($name:ident: $raw:ty)*) => {$(
        impl Argument for $name {
            type Raw = $raw;

            #[inline(always)]
            unsafe fn from_host(raw: $raw) -> Self {
                Self(raw)
            }
        }
    )*};
}

plain_arguments! { bool u32 u64 i64 f64 usize *const u64 *mut u32 *mut *mut c_void }

handle_arguments! {
    CallingContextHandle GroupHandle InterimCommunicatorHandle InterruptGeneratorHandle IoFileHandle IoHandleHandle
    ParameterHandle RegionHandle RmaWindowHandle SamplingSetHandle StringHandle
}

kind_arguments! {
    CollectiveType: u32 IoAccessMode: u32 IoCreationFlags: u32 IoOperationFlags: u32 IoOperationMode: u32
    IoParadigmType: u32 IoSeekOption: u32 IoStatusFlags: u32 LockType: u32 MpiRank: c_int ParadigmType: u32
    RmaAtomicType: u32 RmaSyncLevel: u32 RmaSyncType: u32
}

impl Argument for Metrics {
    type Raw = *mut u64;

    #[inline(always)]
    unsafe fn from_host(raw: *mut u64) -> Self {
        Self::from_raw(raw)
    }
}

impl Argument for Task {
    type Raw = bindings::SCOREP_TaskHandle;

    #[inline(always)]
    unsafe fn from_host(raw: bindings::SCOREP_TaskHandle) -> Self {
        Self::from_raw(raw)
    }
}

/// An array of the host, or an empty slice if there is none.
///
/// # Safety
///
/// `start` is null or points to `len` values that are valid as long as the slice is used.
pub(crate) unsafe fn host_slice<'a, T>(start: *const T, len: usize) -> &'a [T] {
    if start.is_null() || len == 0 {
        return &[];
    }
    // SAFETY: `start` is not null, so it points to `len` values that are valid as long as the slice
    // is used.
    unsafe { slice::from_raw_parts(start, len) }
}
