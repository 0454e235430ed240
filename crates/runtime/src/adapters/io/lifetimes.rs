//! The functions of POSIX with which descriptors begin and end: open, duplicate, close.
//!
//! A handle is removed from the table before the call that closes its descriptor, since another
//! thread can receive the number before that call returns.

use std::cell::Cell;
use std::ffi::{c_char, c_int, c_uint, c_void};

use libc::mode_t;

use super::descriptors::{self, NONE};
use super::flags::{self, Flags};
use super::functions::Function;
use super::{aio, around, handles, interpose, waits};
use crate::measurement::Here;

/// Opens a file with `next`.
///
/// # Safety
///
/// If the system accepts the path, it must be a C string.
unsafe fn opening(
    function: Function,
    path: *const c_char,
    flags: c_int,
    next: impl FnOnce() -> c_int,
) -> c_int {
    creating(function, next, |here, descriptor| {
        // SAFETY: the system has accepted the path.
        unsafe { handles::opened(here, descriptor, path, Flags::of_open(flags)) };
    })
}

/// Creates a descriptor with `next`; `after` records it. If its number still has a handle, the
/// descriptor before was closed unseen, whether or not the new one is recorded.
fn creating(function: Function, next: impl FnOnce() -> c_int, after: impl FnOnce(&Here, c_int)) -> c_int {
    let before = Cell::new(NONE);
    let next = || {
        let descriptor = next();
        before.set(descriptors::take(descriptor));
        descriptor
    };
    around(
        function,
        |_| {},
        next,
        |here, descriptor| {
            destroy(here, before.get());
            if descriptor >= 0 {
                after(here, descriptor);
            }
        },
    )
}

/// Defines functions that open the file with a name, with these flags.
macro_rules! opens {
    ($([$($name:ident)*] $arguments:tt $function:ident $path:ident $flags:expr;)*) => {$(
        interpose!([$($name)*] $arguments -> c_int, |next| {
            // SAFETY: the system accepts only C strings.
            unsafe { opening(Function::$function, $path, $flags, next) }
        }, else waits(Function::$function, next));
    )*};
}

const CREAT: c_int = libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC;
const TEMPORARY: c_int = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL;

// Without O_CREAT and O_TMPFILE the mode is whatever the register contains; it is passed on. The
// name of a temporary file is in the template afterwards.
opens! {
    [open __open](path: *const c_char, flags: c_int, mode: mode_t) Open path flags;
    [open64 __open64](path: *const c_char, flags: c_int, mode: mode_t) Open64 path flags;
    [__open_2](path: *const c_char, flags: c_int) Open path flags;
    [__open64_2](path: *const c_char, flags: c_int) Open64 path flags;
    [openat openat64](folder: c_int, path: *const c_char, flags: c_int, mode: mode_t) Openat path flags;
    [__openat_2 __openat64_2](folder: c_int, path: *const c_char, flags: c_int) Openat path flags;
    [creat](path: *const c_char, mode: mode_t) Creat path CREAT;
    [creat64](path: *const c_char, mode: mode_t) Creat64 path CREAT;
    [mkstemp](path: *mut c_char) Mkstemp path TEMPORARY;
    [mkstemp64](path: *mut c_char) Mkstemp64 path TEMPORARY;
    [mkstemps](path: *mut c_char, suffix: c_int) Mkstemp path TEMPORARY;
    [mkstemps64](path: *mut c_char, suffix: c_int) Mkstemp64 path TEMPORARY;
    [mkostemp](path: *mut c_char, flags: c_int) Mkostemp path TEMPORARY | flags;
    [mkostemp64](path: *mut c_char, flags: c_int) Mkostemp64 path TEMPORARY | flags;
    [mkostemps](path: *mut c_char, suffix: c_int, flags: c_int) Mkostemp path TEMPORARY | flags;
    [mkostemps64](path: *mut c_char, suffix: c_int, flags: c_int) Mkostemp64 path TEMPORARY | flags;
}

pub(super) fn destroy(here: &Here, handle: u32) {
    if handle != NONE {
        here.io_destroy(handle);
    }
}

/// Closes a descriptor with `next`. The handle is destroyed before, as another thread may receive
/// the number immediately. Whatever error the system reports, the descriptor is closed, unless it
/// was not open.
fn closing(function: Function, descriptor: c_int, next: impl FnOnce() -> c_int) -> c_int {
    let handle = descriptors::take(descriptor);
    let before = |here: &Here| {
        aio::close(here, descriptor);
        destroy(here, handle);
    };
    around(function, before, next, |_, _| {})
}

interpose!([close __close](descriptor: c_int) -> c_int, |next| closing(Function::Close, descriptor, next),
    else waits(Function::Close, next));

interpose!([closedir](folder: *mut libc::DIR) -> c_int, |next| {
    // SAFETY: the program's folder, which is still open; the C library fails for null, too.
    let descriptor = if folder.is_null() { -1 } else { unsafe { libc::dirfd(folder) } };
    closing(Function::Closedir, descriptor, next)
});

/// Closes a range of descriptors with `next`. Afterwards those that are not open any more have no
/// handle: which of them the system closes depends on its version, and other threads may be opening
/// files.
fn close_all<R: Copy>(
    function: Function,
    range: [c_int; 2],
    next: impl FnOnce() -> R,
    is_done: impl Fn(R) -> bool,
) -> R {
    around(
        function,
        |_| {},
        next,
        |here, result| {
            if is_done(result) {
                descriptors::take_closed(range[0], range[1], |handle| destroy(here, handle));
            }
        },
    )
}

interpose!([closefrom](first: c_int) -> (), |next| {
    close_all(Function::Closefrom, [first.max(0), c_int::MAX], next, |()| true);
});

/// Returns the range that `close_range` closes; an empty one if it only marks descriptors.
pub(super) fn range(first: c_uint, last: c_uint, flags: c_int) -> [c_int; 2] {
    const CLOSE_ON_EXEC: c_int = 4;
    let bound = |it| c_int::try_from(it).unwrap_or(c_int::MAX);
    if flags & CLOSE_ON_EXEC != 0 { [1, 0] } else { [bound(first), bound(last)] }
}

interpose!([close_range](first: c_uint, last: c_uint, flags: c_int) -> c_int, |next| {
    close_all(Function::CloseRange, range(first, last, flags), next, |result| result == 0)
});

/// Duplicates a descriptor with `next`.
fn duplicate(function: Function, old: c_int, next: impl FnOnce() -> c_int) -> c_int {
    let handle = descriptors::get(old);
    let result = creating(function, next, |here, new| handles::duplicated(here, handle, new));
    keep_pending(handle, result);
    result
}

/// Notes a duplicate in a process whose measurement has not begun: it is open when that begins.
fn keep_pending(handle: u32, new: c_int) {
    if new >= 0 && crate::measurement::is_pending() {
        descriptors::set(new, handle);
    }
}

/// Duplicates a descriptor with `next` under a given number, which is closed before.
fn replace(function: Function, old: c_int, new: c_int, next: impl FnOnce() -> c_int) -> c_int {
    let handle = descriptors::get(old);
    let before = if old == new { NONE } else { descriptors::take(new) };
    let result = around(
        function,
        |_| {},
        next,
        |here, result| {
            if result >= 0 && old != new {
                destroy(here, before);
                handles::duplicated(here, handle, new);
            }
        },
    );
    if result < 0 {
        descriptors::set(new, before);
    } else if old != new {
        keep_pending(handle, result);
    }
    result
}

interpose!([dup](old: c_int) -> c_int, |next| duplicate(Function::Dup, old, next));
interpose!([dup2 __dup2](old: c_int, new: c_int) -> c_int, |next| replace(Function::Dup2, old, new, next));
interpose!([dup3](old: c_int, new: c_int, flags: c_int) -> c_int,
    |next| replace(Function::Dup3, old, new, next));

interpose!([fcntl fcntl64 __fcntl](descriptor: c_int, command: c_int, argument: *mut c_void) -> c_int, |next| {
    match command {
        libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => duplicate(Function::Fcntl, descriptor, next),
        libc::F_SETFL => around(Function::Fcntl, |_| {}, next, |here, result| {
            let handle = descriptors::get(descriptor);
            if result == 0 && handle != NONE {
                here.io_change(handle, flags::status(argument.addr() as c_int));
            }
        }),
        _ => super::plain(Function::Fcntl, next),
    }
}, else match command {
    libc::F_SETLKW | libc::F_OFD_SETLKW => waits(Function::Fcntl, next),
    _ => next(),
});
