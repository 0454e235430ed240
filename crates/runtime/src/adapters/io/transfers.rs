//! The functions of POSIX that move bytes, or wait until they are stored.

use std::ffi::{c_int, c_uint, c_void};

use kymo_substrate::bindings::*;
use libc::{iovec, off_t, size_t, ssize_t};

use super::descriptors::NONE;
use super::functions::Function;
use super::{UNKNOWN, around, handle_of, handles, id, interpose, waits};
use crate::measurement::{self, Here};
use crate::readable;

pub(super) const READ: u32 = SCOREP_IO_OPERATION_MODE_READ;
pub(super) const WRITE: u32 = SCOREP_IO_OPERATION_MODE_WRITE;
pub(super) const FLUSH: u32 = SCOREP_IO_OPERATION_MODE_FLUSH;
pub(super) const BLOCKING: u32 = SCOREP_IO_OPERATION_FLAG_BLOCKING | SCOREP_IO_OPERATION_FLAG_NON_COLLECTIVE;
pub(super) const NO_OFFSET: u64 = SCOREP_IO_UNKNOWN_OFFSET;

/// The kinds of operations, from which their numbers are made: one operation, and the first of
/// several.
const ONE: u64 = 1;
const SEVERAL: u64 = 4;

/// A number of bytes or an offset, if there is one: -1 becomes the unknown number.
fn number(value: i64) -> u64 {
    value as u64
}

/// Reads or writes with `next`.
#[inline]
fn one(
    function: Function,
    mode: u32,
    descriptor: c_int,
    count: size_t,
    offset: u64,
    next: impl FnOnce() -> ssize_t,
) -> ssize_t {
    if function.is_excluded() {
        return next();
    }
    let handle = handle_of(function, descriptor);
    let before = |here: &Here| {
        if handle != NONE {
            here.io_begin(handle, mode, BLOCKING, count as u64, id(here, ONE), offset);
        }
    };
    around(function, before, next, |here, result| {
        if handle != NONE {
            here.io_complete(handle, mode, number(result as i64), id(here, ONE));
        }
    })
}

interpose!([read __read](descriptor: c_int, bytes: *mut c_void, count: size_t) -> ssize_t,
    |next| one(Function::Read, READ, descriptor, count, NO_OFFSET, next), else waits(Function::Read, next));
interpose!([__read_chk](descriptor: c_int, bytes: *mut c_void, count: size_t, size: size_t) -> ssize_t,
    |next| one(Function::Read, READ, descriptor, count, NO_OFFSET, next), else waits(Function::Read, next));
interpose!([write __write](descriptor: c_int, bytes: *const c_void, count: size_t) -> ssize_t,
    |next| one(Function::Write, WRITE, descriptor, count, NO_OFFSET, next), else waits(Function::Write, next));
interpose!([pread](descriptor: c_int, bytes: *mut c_void, count: size_t, offset: off_t) -> ssize_t,
    |next| one(Function::Pread, READ, descriptor, count, number(offset), next), else waits(Function::Pread, next));
interpose!([pread64 __pread64](descriptor: c_int, bytes: *mut c_void, count: size_t, offset: off_t) -> ssize_t,
    |next| one(Function::Pread64, READ, descriptor, count, number(offset), next), else waits(Function::Pread64, next));
interpose!([__pread_chk](descriptor: c_int, bytes: *mut c_void, count: size_t, offset: off_t, size: size_t) -> ssize_t,
    |next| one(Function::Pread, READ, descriptor, count, number(offset), next), else waits(Function::Pread, next));
interpose!([__pread64_chk](descriptor: c_int, bytes: *mut c_void, count: size_t, offset: off_t, size: size_t) -> ssize_t,
    |next| one(Function::Pread64, READ, descriptor, count, number(offset), next), else waits(Function::Pread64, next));
interpose!([pwrite](descriptor: c_int, bytes: *const c_void, count: size_t, offset: off_t) -> ssize_t,
    |next| one(Function::Pwrite, WRITE, descriptor, count, number(offset), next), else waits(Function::Pwrite, next));
interpose!([pwrite64 __pwrite64](descriptor: c_int, bytes: *const c_void, count: size_t, offset: off_t) -> ssize_t,
    |next| one(Function::Pwrite64, WRITE, descriptor, count, number(offset), next), else waits(Function::Pwrite64, next));

/// The maximum number of elements of a vector; the system refuses more.
const MOST: c_int = 1024;

/// Reads or writes several pieces of memory with `next`.
///
/// # Safety
///
/// The vector must have `count` elements during the call, or not be readable.
unsafe fn several(
    function: Function,
    mode: u32,
    descriptor: c_int,
    vector: *const iovec,
    count: c_int,
    offset: u64,
    next: impl FnOnce() -> ssize_t,
) -> ssize_t {
    if function.is_excluded() {
        return next();
    }
    let handle = handle_of(function, descriptor);
    let is_readable =
        || readable::is_readable(vector.addr() as u64, count as u64 * size_of::<iovec>() as u64);
    let is_valid = handle != NONE && (1..=MOST).contains(&count) && is_readable();
    let count = if is_valid { count as usize } else { 0 };
    // SAFETY: `count` is 0, or the vector has as many elements, as the C library demands.
    let length = |place: usize| unsafe { (*vector.add(place)).iov_len as u64 };
    let before = |here: &Here| {
        let mut offset = offset;
        for place in 0..count {
            here.io_begin(handle, mode, BLOCKING, length(place), id(here, SEVERAL + place as u64), offset);
            offset = if offset == NO_OFFSET { offset } else { offset.wrapping_add(length(place)) };
        }
    };
    around(function, before, next, |here, result| {
        let mut left = u64::try_from(result).ok();
        for place in 0..count {
            let done = left.map(|left| left.min(length(place)));
            left = left.zip(done).map(|(left, done)| left - done);
            here.io_complete(handle, mode, done.unwrap_or(UNKNOWN), id(here, SEVERAL + place as u64));
        }
    })
}

macro_rules! vectors {
    ($([$($name:ident)*] $function:ident $mode:ident $($offset:ident $($flags:ident)?)?;)*) => {$(
        interpose!(
            [$($name)*](descriptor: c_int, vector: *const iovec, count: c_int $(, $offset: off_t $(, $flags: c_int)?)?) -> ssize_t,
            |next| {
                let offset = NO_OFFSET;
                $(
                    let _ = offset;
                    let offset = number($offset);
                    $(let offset = if $flags & libc::RWF_APPEND != 0 { NO_OFFSET } else { offset };)?
                )?
                // SAFETY: the vector has `count` elements during the call, as the C library
                // requires.
                unsafe { several(Function::$function, $mode, descriptor, vector, count, offset, next) }
            },
            else waits(Function::$function, next)
        );
    )*};
}

vectors! {
    [readv] Readv READ;
    [writev] Writev WRITE;
    [preadv] Preadv READ position;
    [preadv64] Preadv64 READ position;
    [preadv2] Preadv2 READ position flags;
    [preadv64v2] Preadv64v2 READ position flags;
    [pwritev] Pwritev WRITE position;
    [pwritev64] Pwritev64 WRITE position;
    [pwritev2] Pwritev2 WRITE position flags;
    [pwritev64v2] Pwritev64v2 WRITE position flags;
}

/// Waits with `next` until written data is stored.
fn flush<R: Copy>(function: Function, handle: u32, next: impl FnOnce() -> R) -> R {
    if function.is_excluded() {
        return next();
    }
    let before = |here: &Here| {
        if handle != NONE {
            here.io_begin(handle, FLUSH, BLOCKING, UNKNOWN, id(here, ONE), NO_OFFSET);
        }
    };
    around(function, before, next, |here, _| {
        if handle != NONE {
            here.io_complete(handle, FLUSH, UNKNOWN, id(here, ONE));
        }
    })
}

interpose!([fsync](descriptor: c_int) -> c_int,
    |next| flush(Function::Fsync, handle_of(Function::Fsync, descriptor), next), else waits(Function::Fsync, next));
interpose!([fdatasync](descriptor: c_int) -> c_int,
    |next| flush(Function::Fdatasync, handle_of(Function::Fdatasync, descriptor), next), else waits(Function::Fdatasync, next));
interpose!([syncfs](descriptor: c_int) -> c_int,
    |next| flush(Function::Syncfs, handle_of(Function::Syncfs, descriptor), next), else waits(Function::Syncfs, next));
interpose!([sync_file_range](descriptor: c_int, offset: off_t, count: off_t, flags: c_uint) -> c_int,
    |next| flush(Function::SyncFileRange, handle_of(Function::SyncFileRange, descriptor), next), else waits(Function::SyncFileRange, next));
interpose!([sync]() -> (), |next| {
    measurement::awake();
    flush(Function::Sync, handles::sync(), next);
}, else waits(Function::Sync, next));

/// Moves bytes between two descriptors with `next`: a read from one and a write to the other.
fn between(
    function: Function,
    from: (c_int, u64),
    to: (c_int, u64),
    count: size_t,
    next: impl FnOnce() -> ssize_t,
) -> ssize_t {
    if function.is_excluded() {
        return next();
    }
    let sides = [(from, READ), (to, WRITE)]
        .map(|((descriptor, offset), mode)| (handle_of(function, descriptor), offset, mode));
    let known = || sides.iter().filter(|&&(handle, _, _)| handle != NONE);
    let before = |here: &Here| {
        for &(handle, offset, mode) in known() {
            here.io_begin(handle, mode, BLOCKING, count as u64, id(here, SEVERAL + u64::from(mode)), offset);
        }
    };
    around(function, before, next, |here, result| {
        for &(handle, _, mode) in known() {
            here.io_complete(handle, mode, number(result as i64), id(here, SEVERAL + u64::from(mode)));
        }
    })
}

/// Returns the offset that a function reads from memory.
fn offset_at(place: *const off_t) -> u64 {
    readable::word(place.addr() as u64).map_or(NO_OFFSET, |offset| number(offset.cast_signed()))
}

interpose!([sendfile](to: c_int, from: c_int, offset: *mut off_t, count: size_t) -> ssize_t, |next| {
    let offset = offset_at(offset);
    between(Function::Sendfile, (from, offset), (to, NO_OFFSET), count, next)
}, else waits(Function::Sendfile, next));
interpose!([sendfile64](to: c_int, from: c_int, offset: *mut off_t, count: size_t) -> ssize_t, |next| {
    let offset = offset_at(offset);
    between(Function::Sendfile64, (from, offset), (to, NO_OFFSET), count, next)
}, else waits(Function::Sendfile64, next));
interpose!([copy_file_range](from: c_int, from_offset: *mut off_t, to: c_int, to_offset: *mut off_t, count: size_t, flags: c_uint) -> ssize_t, |next| {
    let offsets = [offset_at(from_offset), offset_at(to_offset)];
    between(Function::CopyFileRange, (from, offsets[0]), (to, offsets[1]), count, next)
}, else waits(Function::CopyFileRange, next));
interpose!([splice](from: c_int, from_offset: *mut off_t, to: c_int, to_offset: *mut off_t, count: size_t, flags: c_uint) -> ssize_t, |next| {
    let offsets = [offset_at(from_offset), offset_at(to_offset)];
    between(Function::Splice, (from, offsets[0]), (to, offsets[1]), count, next)
}, else waits(Function::Splice, next));
