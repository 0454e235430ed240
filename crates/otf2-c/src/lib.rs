//! The functions of libotf2 over [`kymo_otf2`]: programs written for that library link with this
//! one, or are run with it, without a change.
//!
//! The functions for records are made from the record tables by [`arguments`]; the others are in
//! `archive`, `write` and `read`. Invariants: a function that fails calls the error handler of the
//! program and returns its result; no function panics; callbacks are called with no lock of
//! our own held and with the state of the library complete, so that they may call the library,
//! throw, or never return. Unsafe code follows the program's pointers, and calls the
//! program's functions.
//!
//! The words of the `# Safety` sections: a *handle* (archive, reader, writer, map, list, estimator)
//! is a pointer that a function of this library has returned, and that has not been passed to the
//! one that frees it. A program uses an archive and its handles in one thread at a time, unless it
//! has set its lock. A *place* is memory for a result, a *string* ends with a zero; neither changes
//! or moves during the call.

#![allow(non_snake_case)]

mod anchor;
mod archive;
mod arguments;
mod attribute_list;
mod attribute_value;
mod collectives;
mod error;
mod estimator;
mod handles;
mod id_map;
mod locking;
mod mapping;
mod old;
mod read;
mod reader;
mod results;
mod shared;
mod table;
mod types;
mod variadic;
mod write;

/// Needs no more alignment of `malloc` than to words: programs may replace it, and hash tables read
/// aligned blocks of 16 bytes.
#[global_allocator]
static ALLOCATOR: kymo_allocator::Allocator = kymo_allocator::Allocator;

/// Frees memory that a getter of a string returned. Used by the Python bindings.
///
/// # Safety
///
/// Null or memory from a function of this library that the caller frees.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C-unwind" fn otf2_python_free(memory: *mut std::ffi::c_void) {
    // SAFETY: such memory is from `malloc`.
    unsafe { libc::free(memory) }
}
