//! The interface of an adapter for the communication of the processes of a job.
//!
//! Invariant: a call fails with an error instead of ending the program.

use core::ffi::{c_int, c_void};

/// The result of a call that succeeded.
pub(crate) const DONE: c_int = 0;
/// The result of a call that failed.
pub(crate) const FAILED: c_int = 1;

/// The processes of a job, on a communicator of the measurement. Everything is moved as bytes:
/// `count` elements of `size` bytes.
///
/// # Safety
///
/// Buffers from which a function reads must have `count` elements, and those that it fills must
/// have room for them. The buffer for all on the root of `gather`, that from which the root of
/// `scatter` sends, and the one that `all_gather` fills have `count` elements for each process.
/// Other processes do not use these two buffers.
pub(crate) trait Job: Sync {
    /// Returns the number of this process.
    fn rank(&self) -> c_int;

    /// Returns the number of processes, more than one.
    fn processes(&self) -> c_int;

    unsafe fn send(&self, from: *const c_void, count: c_int, size: usize, to: c_int) -> c_int;

    unsafe fn receive(&self, to: *mut c_void, count: c_int, size: usize, from: c_int) -> c_int;

    fn barrier(&self) -> c_int;

    unsafe fn broadcast(&self, buffer: *mut c_void, count: c_int, size: usize, root: c_int) -> c_int;

    unsafe fn gather(
        &self,
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        size: usize,
        root: c_int,
    ) -> c_int;

    unsafe fn scatter(
        &self,
        from: *const c_void,
        to: *mut c_void,
        count: c_int,
        size: usize,
        root: c_int,
    ) -> c_int;

    unsafe fn all_gather(&self, from: *const c_void, to: *mut c_void, count: c_int, size: usize) -> c_int;

    /// Gathers different counts, of which the root has one for each process.
    unsafe fn gather_parts(
        &self,
        from: *const c_void,
        count: c_int,
        to: *mut c_void,
        counts: *const c_int,
        size: usize,
        root: c_int,
    ) -> c_int;

    /// Scatters different counts, of which the root has one for each process.
    unsafe fn scatter_parts(
        &self,
        from: *const c_void,
        counts: *const c_int,
        to: *mut c_void,
        count: c_int,
        size: usize,
        root: c_int,
    ) -> c_int;
}
