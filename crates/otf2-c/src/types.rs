//! Types of the C interface: tables of functions of the program, and numbers with a meaning.

use std::ffi::c_void;

/// The answer of a callback: [`CALLBACK_SUCCESS`], or any other number to interrupt the reading.
pub(crate) type CallbackCode = u32;

pub(crate) const CALLBACK_SUCCESS: CallbackCode = 0;

/// The location of files that belong to none, and of writers that have none yet.
pub(crate) const UNDEFINED_LOCATION: u64 = u64::MAX;

/// A function whose type is known where it is called.
pub(crate) type AnyFunction = unsafe extern "C-unwind" fn();

/// `OTF2_FileType`.
pub(crate) mod file_type {
    pub(crate) const ANCHOR: u8 = 0;
    pub(crate) const GLOBAL_DEFINITIONS: u8 = 1;
    pub(crate) const LOCAL_DEFINITIONS: u8 = 2;
    pub(crate) const EVENTS: u8 = 3;
    pub(crate) const SNAPSHOTS: u8 = 4;
    pub(crate) const THUMBNAIL: u8 = 5;
    pub(crate) const MARKERS: u8 = 6;
}

/// `OTF2_FLUSH`.
pub(crate) const FLUSH: u8 = 1;

/// `OTF2_TYPE_UINT64`, the type of a chunk size that is broadcast.
pub(crate) const TYPE_UINT64: u8 = 4;

/// `OTF2_TYPE_INT64`, the type of an outcome that is broadcast.
pub(crate) const TYPE_INT64: u8 = 8;

/// `OTF2_FlushCallbacks`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct FlushCallbacks {
    pub(crate) pre_flush: Option<unsafe extern "C-unwind" fn(*mut c_void, u8, u64, *mut c_void, bool) -> u8>,
    pub(crate) post_flush: Option<unsafe extern "C-unwind" fn(*mut c_void, u8, u64) -> u64>,
}

/// `OTF2_MemoryCallbacks`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct MemoryCallbacks {
    pub(crate) allocate:
        Option<unsafe extern "C-unwind" fn(*mut c_void, u8, u64, *mut *mut c_void, u64) -> *mut c_void>,
    pub(crate) free_all: Option<unsafe extern "C-unwind" fn(*mut c_void, u8, u64, *mut *mut c_void, bool)>,
}

/// `OTF2_CollectiveContext`, of which only the program knows the content.
#[repr(C)]
pub(crate) struct Context {
    _opaque: [u8; 0],
}

type GetNumber = unsafe extern "C-unwind" fn(*mut c_void, *mut Context, *mut u32) -> CallbackCode;

/// `OTF2_CollectiveCallbacks`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct CollectiveCallbacks {
    pub(crate) release: Option<unsafe extern "C-unwind" fn(*mut c_void, *mut Context, *mut Context)>,
    pub(crate) get_size: Option<GetNumber>,
    pub(crate) get_rank: Option<GetNumber>,
    pub(crate) create_local_comm: Option<AnyFunction>,
    pub(crate) free_local_comm: Option<AnyFunction>,
    pub(crate) barrier: Option<AnyFunction>,
    pub(crate) bcast: Option<
        unsafe extern "C-unwind" fn(*mut c_void, *mut Context, *mut c_void, u32, u8, u32) -> CallbackCode,
    >,
    pub(crate) gather: Option<AnyFunction>,
    pub(crate) gatherv: Option<AnyFunction>,
    pub(crate) scatter: Option<AnyFunction>,
    pub(crate) scatterv: Option<AnyFunction>,
}

/// `OTF2_Lock`, of which only the program knows the content.
#[repr(C)]
pub(crate) struct Lock {
    _opaque: [u8; 0],
}

type UseLock = unsafe extern "C-unwind" fn(*mut c_void, *mut Lock) -> CallbackCode;

/// `OTF2_LockingCallbacks`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct LockingCallbacks {
    pub(crate) release: Option<unsafe extern "C-unwind" fn(*mut c_void)>,
    pub(crate) create: Option<unsafe extern "C-unwind" fn(*mut c_void, *mut *mut Lock) -> CallbackCode>,
    pub(crate) destroy: Option<UseLock>,
    pub(crate) lock: Option<UseLock>,
    pub(crate) unlock: Option<UseLock>,
}
