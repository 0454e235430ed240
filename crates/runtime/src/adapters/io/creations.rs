//! Functions that create descriptors which have no handles: sockets, pipes, descriptors of events.
//!
//! They are not recorded. Each takes the handle that the number of the new descriptor still has:
//! the descriptor that had the number before was closed unseen, and its handle must not receive the
//! events of the new descriptor.

use std::ffi::{c_char, c_int, c_uint, c_void};

use libc::{size_t, sockaddr, socklen_t, ssize_t};

use super::descriptors::{self, NONE};
use super::{here_if_begun, interpose, lifetimes, quietly};
use crate::adapters::waiting;

/// Takes the handle that the number of a new descriptor has, and records its end.
pub(super) fn forget(descriptor: c_int) {
    let before = descriptors::take(descriptor);
    if before != NONE {
        quietly(|| {
            if let Some(here) = here_if_begun() {
                lifetimes::destroy(&here, before);
            }
        });
    }
}

/// Creates a descriptor with `next`.
fn one(next: impl FnOnce() -> c_int) -> c_int {
    let descriptor = next();
    forget(descriptor);
    descriptor
}

/// Takes the handles of the numbers of new descriptors at these places, which may be null.
///
/// # Safety
///
/// Each place must be null or hold a descriptor.
pub(super) unsafe fn forget_at(places: [*const c_int; 2]) {
    for place in places {
        // SAFETY: the place is null, or has the descriptor that the function stored there.
        if let Some(&descriptor) = unsafe { place.as_ref() } {
            forget(descriptor);
        }
    }
}

/// Creates two descriptors with `next`, which stores them and returns 0.
///
/// # Safety
///
/// If `next` returns 0, it must have stored descriptors at the places that are not null.
unsafe fn two(places: [*const c_int; 2], next: impl FnOnce() -> c_int) -> c_int {
    let result = next();
    if result == 0 {
        // SAFETY: the function has succeeded, so it has stored descriptors at these places.
        unsafe { forget_at(places) };
    }
    result
}

macro_rules! creations {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {$(
        interpose!([$name]($($argument: $type),*) -> c_int, |next| one(next));
    )*};
}

creations! {
    socket(domain: c_int, kind: c_int, protocol: c_int);
    eventfd(count: c_uint, flags: c_int);
    epoll_create(size: c_int);
    epoll_create1(flags: c_int);
    timerfd_create(clock: c_int, flags: c_int);
    signalfd(descriptor: c_int, mask: *const libc::sigset_t, flags: c_int);
    inotify_init();
    inotify_init1(flags: c_int);
    fanotify_init(flags: c_uint, event_flags: c_uint);
    memfd_create(name: *const c_char, flags: c_uint);
    shm_open(name: *const c_char, flags: c_int, mode: libc::mode_t);
    mq_open(name: *const c_char, flags: c_int, mode: libc::mode_t, attributes: *mut c_void);
    posix_openpt(flags: c_int);
    getpt();
    open_by_handle_at(mount: c_int, handle: *mut c_void, flags: c_int);
    pidfd_open(process: libc::pid_t, flags: c_uint);
    pidfd_getfd(process: c_int, descriptor: c_int, flags: c_uint);
}

interpose!([accept](socket: c_int, address: *mut sockaddr, length: *mut socklen_t) -> c_int,
    |next| one(|| waiting::around(&waiting::ACCEPT, next)), else waiting::around(&waiting::ACCEPT, next));
interpose!([accept4](socket: c_int, address: *mut sockaddr, length: *mut socklen_t, flags: c_int) -> c_int,
    |next| one(|| waiting::around(&waiting::ACCEPT4, next)), else waiting::around(&waiting::ACCEPT4, next));

interpose!([pipe](ends: *mut c_int) -> c_int, |next| {
    // SAFETY: the function returns 0 only if it has stored descriptors at these places.
    unsafe { two(pair(ends), next) }
});
interpose!([pipe2](ends: *mut c_int, flags: c_int) -> c_int, |next| {
    // SAFETY: as above.
    unsafe { two(pair(ends), next) }
});
interpose!([socketpair](domain: c_int, kind: c_int, protocol: c_int, ends: *mut c_int) -> c_int, |next| {
    // SAFETY: as above.
    unsafe { two(pair(ends), next) }
});
interpose!([openpty](main: *mut c_int, other: *mut c_int, name: *mut c_char, terminal: *const c_void, window: *const c_void) -> c_int, |next| {
    // SAFETY: as above.
    unsafe { two([main, other], next) }
});

/// Returns the places of two descriptors that follow each other.
pub(super) fn pair(ends: *const c_int) -> [*const c_int; 2] {
    if ends.is_null() { [ends; 2] } else { [ends, ends.wrapping_add(1)] }
}

interpose!([opendir](path: *const c_char) -> *mut libc::DIR, |next| {
    let folder = next();
    if !folder.is_null() {
        // SAFETY: a folder that was just opened.
        forget(unsafe { libc::dirfd(folder) });
    }
    folder
});

// A message can contain descriptors.
interpose!([recvmsg](socket: c_int, message: *mut libc::msghdr, flags: c_int) -> ssize_t, |next| {
    let result = waiting::around(&waiting::RECVMSG, next);
    if result >= 0 && !message.is_null() {
        // SAFETY: a message that was just received.
        unsafe { forget_received(message) };
    }
    result
}, else waiting::around(&waiting::RECVMSG, next));

/// Takes the handles of the numbers of the descriptors in a message.
///
/// # Safety
///
/// The message must have been received.
unsafe fn forget_received(message: *const libc::msghdr) {
    // SAFETY: the message was received, and the system has written whole parts.
    unsafe {
        let mut part = libc::CMSG_FIRSTHDR(message);
        while let Some(header) = part.as_ref() {
            if (header.cmsg_level, header.cmsg_type) == (libc::SOL_SOCKET, libc::SCM_RIGHTS) {
                let data = libc::CMSG_DATA(part);
                let size = (header.cmsg_len as size_t).saturating_sub(data.addr() - part.addr());
                for number in 0..size / size_of::<c_int>() {
                    forget(data.cast::<c_int>().add(number).read_unaligned());
                }
            }
            part = libc::CMSG_NXTHDR(message, part);
        }
    }
}
