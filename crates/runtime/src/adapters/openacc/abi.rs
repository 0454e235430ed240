//! The structures of the profiling interface (OpenACC 2.6, chapter 5), as far as they are used.
//!
//! A library tells how many bytes of a structure it has filled in. Invariant: no field behind them
//! is read.

use std::ffi::{c_char, c_int, c_void};
use std::mem::offset_of;

/// The function to which an event is reported.
pub(super) type Callback = unsafe extern "C" fn(*const ProfileInfo, *const EventInfo, *const c_void);
/// `acc_prof_register`: an event, its callback, and 0 for the whole process.
pub(super) type Register = unsafe extern "C" fn(c_int, Callback, c_int);

/// The construct on whose behalf the program's own call of a routine is.
pub(super) const RUNTIME_API: c_int = 15;

/// `acc_prof_info`.
#[repr(C)]
pub(super) struct ProfileInfo {
    pub(super) event: c_int,
    valid_bytes: c_int,
    version: c_int,
    device_type: c_int,
    device_number: c_int,
    thread: c_int,
    asynchronous: isize,
    queue: isize,
    source_file: *const c_char,
    function: *const c_char,
    line: c_int,
}

/// The head of all structures of `acc_event_info`.
#[repr(C)]
pub(super) struct EventInfo {
    event: c_int,
    valid_bytes: c_int,
    parent: c_int,
    is_implicit: c_int,
    tool: *mut c_void,
}

/// `acc_data_event_info`.
#[repr(C)]
pub(super) struct DataInfo {
    head: EventInfo,
    variable: *const c_char,
    bytes: usize,
    host: *const c_void,
    device: *const c_void,
}

/// `acc_launch_event_info`.
#[repr(C)]
pub(super) struct LaunchInfo {
    head: EventInfo,
    kernel: *const c_char,
    gangs: usize,
    workers: usize,
    vector_length: usize,
}

/// Defines functions that return a field, if it is valid, of a structure; its number of valid bytes
/// follows its name.
macro_rules! fields {
    ($type:ident: $valid:expr, { $($function:ident: $field:ident, $of:ty;)* }) => {
        impl $type {$(
            pub(super) fn $function(&self) -> Option<$of> {
                let end = offset_of!($type, $field) + size_of::<$of>();
                let valid = usize::try_from($valid(self)).unwrap_or(0);
                (end <= valid).then_some(self.$field)
            }
        )*}
    };
}

fields! { ProfileInfo: |it: &Self| it.valid_bytes, { file_address: source_file, *const c_char; line_number: line, c_int; } }
fields! { EventInfo: |it: &Self| it.valid_bytes, { parent_construct: parent, c_int; implicit: is_implicit, c_int; } }
fields! {
    DataInfo: |it: &Self| it.head.valid_bytes, {
        variable_name: variable, *const c_char;
        byte_count: bytes, usize;
        device_address: device, *const c_void;
    }
}
fields! {
    LaunchInfo: |it: &Self| it.head.valid_bytes, {
        kernel_name: kernel, *const c_char;
        gang_count: gangs, usize;
        worker_count: workers, usize;
        length_of_vectors: vector_length, usize;
    }
}
