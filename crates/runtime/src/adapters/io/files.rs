//! Functions of POSIX that move no bytes: positions, locks of files, names of files, and waiting
//! for descriptors. The last have only a region.

use std::ffi::{c_char, c_int, c_uint};

use kymo_substrate::bindings::*;
use libc::{epoll_event, fd_set, nfds_t, off_t, pollfd, sigset_t, timespec, timeval};

use super::descriptors::NONE;
use super::functions::Function;
use super::{around, handle_of, interpose, names, plain, waits};
use crate::host::host;
use crate::measurement::Here;
use crate::next::errno;

/// Returns the option of a seek; an unknown one is invalid.
pub(super) fn whence(whence: c_int) -> u32 {
    match whence {
        libc::SEEK_SET => SCOREP_IO_SEEK_FROM_START,
        libc::SEEK_CUR => SCOREP_IO_SEEK_FROM_CURRENT,
        libc::SEEK_END => SCOREP_IO_SEEK_FROM_END,
        libc::SEEK_DATA => SCOREP_IO_SEEK_DATA,
        libc::SEEK_HOLE => SCOREP_IO_SEEK_HOLE,
        _ => SCOREP_IO_SEEK_INVALID,
    }
}

/// Changes a position with `next`, which returns it.
fn seek(
    function: Function,
    descriptor: c_int,
    offset: off_t,
    from: c_int,
    next: impl FnOnce() -> off_t,
) -> off_t {
    let handle = handle_of(function, descriptor);
    around(
        function,
        |_| {},
        next,
        |here, position| {
            if handle != NONE && position >= 0 {
                here.io_seek(handle, offset, whence(from), position as u64);
            }
        },
    )
}

interpose!([lseek __lseek](descriptor: c_int, offset: off_t, from: c_int) -> off_t,
    |next| seek(Function::Lseek, descriptor, offset, from, next));
interpose!([lseek64](descriptor: c_int, offset: off_t, from: c_int) -> off_t,
    |next| seek(Function::Lseek64, descriptor, offset, from, next));

/// The operation of a call on the lock of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Locking {
    Acquire,
    Try,
    Release,
    /// Nothing, or only a question.
    Nothing,
}

/// Locks or unlocks a file with `next`.
fn lock(
    function: Function,
    descriptor: c_int,
    what: Locking,
    kind: u32,
    next: impl FnOnce() -> c_int,
) -> c_int {
    let handle = handle_of(function, descriptor);
    let before = |here: &Here| {
        if handle != NONE && what == Locking::Release {
            here.io_lock_released(handle, kind);
        }
    };
    around(function, before, next, |here, result| {
        let is_refused = || matches!(errno(), libc::EAGAIN | libc::EACCES);
        match what {
            _ if handle == NONE => {}
            Locking::Acquire | Locking::Try if result == 0 => here.io_lock_acquired(handle, kind),
            Locking::Try if is_refused() => here.io_lock_tried(handle, kind),
            _ => {}
        }
    })
}

interpose!([lockf lockf64](descriptor: c_int, command: c_int, length: off_t) -> c_int, |next| {
    let what = match command {
        libc::F_LOCK => Locking::Acquire,
        libc::F_TLOCK => Locking::Try,
        libc::F_ULOCK => Locking::Release,
        _ => Locking::Nothing,
    };
    lock(Function::Lockf, descriptor, what, SCOREP_LOCK_EXCLUSIVE, next)
}, else waits(Function::Lockf, next));

interpose!([flock](descriptor: c_int, operation: c_int) -> c_int, |next| {
    let (what, kind) = match operation & !libc::LOCK_NB {
        libc::LOCK_SH => (Locking::Acquire, SCOREP_LOCK_SHARED),
        libc::LOCK_EX => (Locking::Acquire, SCOREP_LOCK_EXCLUSIVE),
        libc::LOCK_UN => (Locking::Release, SCOREP_LOCK_EXCLUSIVE),
        _ => (Locking::Nothing, SCOREP_LOCK_EXCLUSIVE),
    };
    let tries = what == Locking::Acquire && operation & libc::LOCK_NB != 0;
    lock(Function::Flock, descriptor, if tries { Locking::Try } else { what }, kind, next)
}, else waits(Function::Flock, next));

/// Removes a file with `next`.
///
/// # Safety
///
/// The path must be a C string, or an address that the system cannot read.
unsafe fn delete(
    function: Function,
    paradigm: u32,
    folder: c_int,
    path: *const c_char,
    next: impl FnOnce() -> c_int,
) -> c_int {
    let file = std::cell::Cell::new(0);
    let before = |_: &Here| {
        if let (Some(host), true) = (host(), crate::processes::may_allocate()) {
            // Only a file that exists is defined.
            let is_there = is_there(folder, path);
            // SAFETY: the path is a C string, which the system has read.
            let name = if is_there { unsafe { names::of_entry(folder, path) } } else { None };
            file.set(name.map_or(0, |name| host.definitions.io_file(&name)));
        }
    };
    around(function, before, next, |here, result| {
        if result == 0 && file.get() != 0 {
            here.io_delete(paradigm, file.get());
        }
    })
}

/// Returns whether there is a file of this name that is not a folder.
fn is_there(folder: c_int, path: *const c_char) -> bool {
    // SAFETY: the structure consists of integers.
    let mut status: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: the system checks the path; the structure is writable.
    let result = unsafe { libc::fstatat(folder, path, &raw mut status, libc::AT_SYMLINK_NOFOLLOW) };
    result == 0 && status.st_mode & libc::S_IFMT != libc::S_IFDIR
}

interpose!([unlink](path: *const c_char) -> c_int, |next|
    // SAFETY: the path is a C string, as the C library requires, or the system cannot read it.
    unsafe { delete(Function::Unlink, SCOREP_IO_PARADIGM_POSIX, libc::AT_FDCWD, path, next) }, else waits(Function::Unlink, next));
interpose!([unlinkat](folder: c_int, path: *const c_char, flags: c_int) -> c_int, |next|
    // SAFETY: as above.
    unsafe { delete(Function::Unlinkat, SCOREP_IO_PARADIGM_POSIX, folder, path, next) }, else waits(Function::Unlinkat, next));
interpose!([remove](path: *const c_char) -> c_int, |next|
    // SAFETY: as above.
    unsafe { delete(Function::Remove, SCOREP_IO_PARADIGM_ISOC, libc::AT_FDCWD, path, next) }, else waits(Function::Remove, next));

interpose!([rename](old: *const c_char, new: *const c_char) -> c_int, |next| plain(Function::Rename, next), else waits(Function::Rename, next));
interpose!([renameat](old_folder: c_int, old: *const c_char, new_folder: c_int, new: *const c_char) -> c_int,
    |next| plain(Function::Renameat, next), else waits(Function::Renameat, next));
interpose!([renameat2](old_folder: c_int, old: *const c_char, new_folder: c_int, new: *const c_char, flags: c_uint) -> c_int,
    |next| plain(Function::Renameat2, next), else waits(Function::Renameat2, next));
interpose!([truncate](path: *const c_char, length: off_t) -> c_int, |next| plain(Function::Truncate, next), else waits(Function::Truncate, next));
interpose!([truncate64](path: *const c_char, length: off_t) -> c_int, |next| plain(Function::Truncate64, next), else waits(Function::Truncate64, next));
interpose!([ftruncate](descriptor: c_int, length: off_t) -> c_int, |next| plain(Function::Ftruncate, next), else waits(Function::Ftruncate, next));
interpose!([ftruncate64](descriptor: c_int, length: off_t) -> c_int, |next| plain(Function::Ftruncate64, next), else waits(Function::Ftruncate64, next));

interpose!([select](count: c_int, read: *mut fd_set, write: *mut fd_set, except: *mut fd_set, time: *mut timeval) -> c_int,
    |next| plain(Function::Select, next), else waits(Function::Select, next));
interpose!([pselect](count: c_int, read: *mut fd_set, write: *mut fd_set, except: *mut fd_set, time: *const timespec, mask: *const sigset_t) -> c_int,
    |next| plain(Function::Pselect, next), else waits(Function::Pselect, next));
interpose!([poll](all: *mut pollfd, count: nfds_t, time: c_int) -> c_int, |next| plain(Function::Poll, next), else waits(Function::Poll, next));
interpose!([__poll_chk](all: *mut pollfd, count: nfds_t, time: c_int, size: usize) -> c_int,
    |next| plain(Function::Poll, next), else waits(Function::Poll, next));
interpose!([ppoll](all: *mut pollfd, count: nfds_t, time: *const timespec, mask: *const sigset_t) -> c_int,
    |next| plain(Function::Ppoll, next), else waits(Function::Ppoll, next));
interpose!([__ppoll_chk](all: *mut pollfd, count: nfds_t, time: *const timespec, mask: *const sigset_t, size: usize) -> c_int,
    |next| plain(Function::Ppoll, next), else waits(Function::Ppoll, next));
interpose!([epoll_wait](epoll: c_int, events: *mut epoll_event, count: c_int, time: c_int) -> c_int,
    |next| plain(Function::EpollWait, next), else waits(Function::EpollWait, next));
interpose!([epoll_pwait](epoll: c_int, events: *mut epoll_event, count: c_int, time: c_int, mask: *const sigset_t) -> c_int,
    |next| plain(Function::EpollPwait, next), else waits(Function::EpollPwait, next));
