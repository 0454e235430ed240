//! System calls that a program makes through `syscall`: those that close and create descriptors,
//! and those that wait for a futex.
//!
//! The former are not recorded as calls. A descriptor that one of them closes loses its handle, and
//! one that it creates has none. `syscall` is entered through assembly, which passes some calls on
//! with the stack as the program left it: they return twice, or on another stack.

use std::ffi::{c_int, c_long, c_uint, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use super::creations::{forget, forget_at, pair};
use super::descriptors::{self, NONE};
use super::{SWITCH, aio, here_if_begun, is_on, lifetimes, quietly};
use crate::adapters::waiting;
use crate::linker;
use crate::next::missing;

/// `syscall` with the maximum number of arguments.
type RawCall = unsafe extern "C-unwind" fn(c_long, c_long, c_long, c_long, c_long, c_long, c_long) -> c_long;

static REAL: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());

/// Looks up the function of the C library.
pub(super) fn look_up() {
    if REAL.load(Relaxed).is_null() {
        REAL.store(linker::next(c"syscall"), Relaxed);
    }
}

/// # Safety
///
/// The arguments must be valid for the system call.
#[unsafe(no_mangle)]
#[unsafe(naked)]
#[cfg(target_arch = "x86_64")]
unsafe extern "C-unwind" fn syscall() {
    core::arch::naked_asm!(
        "cmp byte ptr [rip + {switch}], 0",
        "jne 4f",
        "cmp byte ptr [rip + {waiting}], 0",
        "je 2f",
        "4:",
        "cmp rdi, {vfork}",
        "je 2f",
        "cmp rdi, {clone}",
        "je 2f",
        "cmp rdi, {clone3}",
        "je 2f",
        "cmp rdi, {sigreturn}",
        "jne 3f",
        "2:",
        "mov r11, qword ptr [rip + {real}]",
        "test r11, r11",
        "je 3f",
        "jmp r11",
        "3:",
        "jmp {through}",
        vfork = const libc::SYS_vfork,
        clone = const libc::SYS_clone,
        clone3 = const libc::SYS_clone3,
        sigreturn = const libc::SYS_rt_sigreturn,
        switch = sym SWITCH,
        waiting = sym waiting::SWITCH,
        real = sym REAL,
        through = sym through,
    )
}

/// # Safety
///
/// The arguments must be valid for the system call.
#[unsafe(no_mangle)]
#[unsafe(naked)]
#[cfg(target_arch = "aarch64")]
unsafe extern "C-unwind" fn syscall() {
    core::arch::naked_asm!(
        "adrp x16, {switch}",
        "ldrb w16, [x16, :lo12:{switch}]",
        "cbnz w16, 4f",
        "adrp x16, {waiting}",
        "ldrb w16, [x16, :lo12:{waiting}]",
        "cbz w16, 2f",
        "4:",
        "cmp x0, {clone}",
        "b.eq 2f",
        "cmp x0, {clone3}",
        "b.eq 2f",
        "cmp x0, {sigreturn}",
        "b.ne 3f",
        "2:",
        "adrp x16, {real}",
        "ldr x16, [x16, :lo12:{real}]",
        "cbz x16, 3f",
        "br x16",
        "3:",
        "b {through}",
        clone = const libc::SYS_clone,
        clone3 = const libc::SYS_clone3,
        sigreturn = const libc::SYS_rt_sigreturn,
        switch = sym SWITCH,
        waiting = sym waiting::SWITCH,
        real = sym REAL,
        through = sym through,
    )
}

/// The words are those that the program passed, and whatever is in the places of those that it did
/// not.
unsafe extern "C-unwind" fn through(
    number: c_long,
    a: c_long,
    b: c_long,
    c: c_long,
    d: c_long,
    e: c_long,
    f: c_long,
) -> c_long {
    look_up();
    let real = REAL.load(Relaxed);
    if real.is_null() {
        return missing();
    }
    // SAFETY: the function of the C library, which reads as many words.
    let real = unsafe { std::mem::transmute::<*mut c_void, RawCall>(real) };
    // SAFETY: the words are those of the program's call; more of them do no harm.
    let next = || unsafe { real(number, a, b, c, d, e, f) };
    if number == libc::SYS_futex && waits_for_futex(b) {
        return waiting::around(&waiting::FUTEX, next);
    }
    if !is_followed(number) || !is_on() {
        return next();
    }
    match number {
        libc::SYS_close => {
            close(a as c_int);
            next()
        }
        libc::SYS_close_range => {
            let result = next();
            if result == 0 {
                close_range(a as c_uint, b as c_uint, c as c_int);
            }
            result
        }
        libc::SYS_fcntl if !matches!(b as c_int, libc::F_DUPFD | libc::F_DUPFD_CLOEXEC) => next(),
        // SAFETY: the first word is the address that the program passes for the descriptors.
        libc::SYS_pipe2 => unsafe { two(a, next) },
        // SAFETY: the first word is the address that the program passes for the descriptors.
        #[cfg(target_arch = "x86_64")]
        libc::SYS_pipe => unsafe { two(a, next) },
        // SAFETY: the fourth word is the address that the program passes for the descriptors.
        libc::SYS_socketpair => unsafe { two(d, next) },
        _ => {
            let result = next();
            forget(c_int::try_from(result).unwrap_or(-1));
            result
        }
    }
}

/// Returns whether an operation on a futex waits. The locks of Rust and the atomic variables of C++
/// call it like this.
fn waits_for_futex(operation: c_long) -> bool {
    const LOCK_PI2: c_int = 13;
    let operation = operation as c_int & !(libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME);
    let waits = [libc::FUTEX_WAIT, libc::FUTEX_WAIT_BITSET, libc::FUTEX_WAIT_REQUEUE_PI, libc::FUTEX_LOCK_PI];
    waits.contains(&operation) || operation == LOCK_PI2
}

/// Returns whether a system call closes or creates descriptors.
fn is_followed(number: c_long) -> bool {
    #[cfg(target_arch = "x86_64")]
    let is_pipe = number == libc::SYS_pipe;
    #[cfg(not(target_arch = "x86_64"))]
    let is_pipe = false;
    let is_pair = is_pipe || matches!(number, libc::SYS_pipe2 | libc::SYS_socketpair);
    is_pair || matches!(number, libc::SYS_close | libc::SYS_close_range) || creates(number)
}

/// Records the end of a descriptor's handle, before the descriptor is closed.
fn close(descriptor: c_int) {
    let handle = descriptors::take(descriptor);
    if handle != NONE {
        quietly(|| {
            if let Some(here) = here_if_begun() {
                aio::close(&here, descriptor);
                lifetimes::destroy(&here, handle);
            }
        });
    }
}

fn close_range(first: c_uint, last: c_uint, flags: c_int) {
    let [first, last] = lifetimes::range(first, last, flags);
    quietly(|| {
        let here = here_if_begun();
        descriptors::take_closed(first, last, |handle| {
            if let Some(here) = &here {
                lifetimes::destroy(here, handle);
            }
        });
    });
}

/// Creates two descriptors with `next`, which stores them at an address.
///
/// # Safety
///
/// If `next` returns 0, it must have stored two descriptors at the address.
unsafe fn two(ends: c_long, next: impl FnOnce() -> c_long) -> c_long {
    let result = next();
    if result == 0 {
        // SAFETY: the system has stored two descriptors at this address.
        unsafe { forget_at(pair(ptr::with_exposed_provenance(ends as usize))) };
    }
    result
}

/// Returns whether the result of the system call with this number is a new descriptor.
fn creates(number: c_long) -> bool {
    #[cfg(target_arch = "x86_64")]
    let is_old = matches!(
        number,
        libc::SYS_open
            | libc::SYS_creat
            | libc::SYS_dup2
            | libc::SYS_eventfd
            | libc::SYS_epoll_create
            | libc::SYS_signalfd
            | libc::SYS_inotify_init
    );
    #[cfg(not(target_arch = "x86_64"))]
    let is_old = false;
    is_old
        || matches!(
            number,
            libc::SYS_openat
                | libc::SYS_openat2
                | libc::SYS_open_by_handle_at
                | libc::SYS_open_tree
                | libc::SYS_dup
                | libc::SYS_dup3
                | libc::SYS_fcntl
                | libc::SYS_socket
                | libc::SYS_accept
                | libc::SYS_accept4
                | libc::SYS_eventfd2
                | libc::SYS_epoll_create1
                | libc::SYS_timerfd_create
                | libc::SYS_signalfd4
                | libc::SYS_inotify_init1
                | libc::SYS_fanotify_init
                | libc::SYS_memfd_create
                | libc::SYS_mq_open
                | libc::SYS_perf_event_open
                | libc::SYS_userfaultfd
                | libc::SYS_bpf
                | libc::SYS_io_uring_setup
                | libc::SYS_pidfd_open
                | libc::SYS_pidfd_getfd
                | libc::SYS_fsopen
                | libc::SYS_fsmount
                | libc::SYS_fspick
        )
}
