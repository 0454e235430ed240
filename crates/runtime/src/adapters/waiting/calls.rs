//! The functions that only this kind of instrumentation interposes.

use std::ffi::{c_char, c_int, c_long, c_uint, c_void};
use std::ptr;

use libc::{
    clockid_t, id_t, mmsghdr, mqd_t, msghdr, pid_t, rusage, sembuf, siginfo_t, sigset_t, size_t, sockaddr,
    socklen_t, ssize_t, timespec,
};

use super::{around, functions};
use crate::measurement::LazyRegion;
use crate::next::{Next, errno, missing};
use crate::own_signal;

/// Defines functions that interpose those of the C library with these names. Each calls the next
/// function of its name, in its region if it takes long.
///
/// ```text
/// interpose! { SLEEP: [sleep](seconds: c_uint) -> c_uint; }
/// ```
macro_rules! interpose {
    ($($region:ident: [$($name:ident)+] $arguments:tt -> $result:ty;)*) => {
        $($(interpose!(@ $region $name $arguments -> $result);)+)*
    };
    (@ $region:ident $name:ident($($argument:ident: $type:ty),*) -> $result:ty) => {
        /// # Safety
        ///
        /// The arguments must be valid for the C library's function of this name.
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name($($argument: $type),*) -> $result {
            type Next = unsafe extern "C-unwind" fn($($type),*) -> $result;
            const NAME: &::std::ffi::CStr = $crate::next::c_name(concat!(stringify!($name), "\0"));
            // SAFETY: the type is that in the header of the C library.
            static NEXT: $crate::next::Next<Next> = unsafe { $crate::next::Next::new(NAME) };
            let Some(next) = NEXT.get() else { return missing() };
            // SAFETY: the arguments are valid for the C library's function of this name.
            around(&functions::$region, || unsafe { next($($argument),*) })
        }
    };
}

interpose! {
    SLEEP: [sleep](seconds: c_uint) -> c_uint;
    USLEEP: [usleep](microseconds: c_uint) -> c_int;
    NANOSLEEP: [nanosleep __nanosleep](time: *const timespec, left: *mut timespec) -> c_int;
    CLOCK_NANOSLEEP: [clock_nanosleep](clock: clockid_t, flags: c_int, time: *const timespec, left: *mut timespec) -> c_int;
    THRD_SLEEP: [thrd_sleep](time: *const timespec, left: *mut timespec) -> c_int;
    PAUSE: [pause]() -> c_int;
    SIGSUSPEND: [sigsuspend](mask: *const sigset_t) -> c_int;
    WAIT: [wait](status: *mut c_int) -> pid_t;
    WAITPID: [waitpid __waitpid](process: pid_t, status: *mut c_int, options: c_int) -> pid_t;
    WAIT3: [wait3](status: *mut c_int, options: c_int, usage: *mut rusage) -> pid_t;
    WAIT4: [wait4](process: pid_t, status: *mut c_int, options: c_int, usage: *mut rusage) -> pid_t;
    WAITID: [waitid](kind: c_uint, id: id_t, info: *mut siginfo_t, options: c_int) -> c_int;
    SYSTEM: [system](command: *const c_char) -> c_int;
    EPOLL_PWAIT2: [epoll_pwait2](epoll: c_int, events: *mut c_void, count: c_int, time: *const timespec, mask: *const sigset_t) -> c_int;
    SEMOP: [semop](set: c_int, operations: *mut sembuf, count: size_t) -> c_int;
    SEMTIMEDOP: [semtimedop](set: c_int, operations: *mut sembuf, count: size_t, time: *const timespec) -> c_int;
    CONNECT: [connect __connect](socket: c_int, address: *const sockaddr, length: socklen_t) -> c_int;
    RECV: [recv](socket: c_int, bytes: *mut c_void, count: size_t, flags: c_int) -> ssize_t;
    RECV: [__recv_chk](socket: c_int, bytes: *mut c_void, count: size_t, size: size_t, flags: c_int) -> ssize_t;
    RECVFROM: [recvfrom](socket: c_int, bytes: *mut c_void, count: size_t, flags: c_int, address: *mut sockaddr, length: *mut socklen_t) -> ssize_t;
    RECVFROM: [__recvfrom_chk](socket: c_int, bytes: *mut c_void, count: size_t, size: size_t, flags: c_int, address: *mut sockaddr, length: *mut socklen_t) -> ssize_t;
    RECVMMSG: [recvmmsg](socket: c_int, messages: *mut mmsghdr, count: c_uint, flags: c_int, time: *mut timespec) -> c_int;
    SEND: [send __send](socket: c_int, bytes: *const c_void, count: size_t, flags: c_int) -> ssize_t;
    SENDTO: [sendto](socket: c_int, bytes: *const c_void, count: size_t, flags: c_int, address: *const sockaddr, length: socklen_t) -> ssize_t;
    SENDMSG: [sendmsg](socket: c_int, message: *const msghdr, flags: c_int) -> ssize_t;
    SENDMMSG: [sendmmsg](socket: c_int, messages: *mut mmsghdr, count: c_uint, flags: c_int) -> c_int;
    MSGRCV: [msgrcv](queue: c_int, message: *mut c_void, size: size_t, kind: c_long, flags: c_int) -> ssize_t;
    MSGSND: [msgsnd](queue: c_int, message: *const c_void, size: size_t, flags: c_int) -> c_int;
    MQ_RECEIVE: [mq_receive](queue: mqd_t, message: *mut c_char, size: size_t, priority: *mut c_uint) -> ssize_t;
    MQ_TIMEDRECEIVE: [mq_timedreceive](queue: mqd_t, message: *mut c_char, size: size_t, priority: *mut c_uint, until: *const timespec) -> ssize_t;
    MQ_SEND: [mq_send](queue: mqd_t, message: *const c_char, size: size_t, priority: c_uint) -> c_int;
    MQ_TIMEDSEND: [mq_timedsend](queue: mqd_t, message: *const c_char, size: size_t, priority: c_uint, until: *const timespec) -> c_int;
    GETADDRINFO: [getaddrinfo](node: *const c_char, service: *const c_char, hints: *const c_void, found: *mut *mut c_void) -> c_int;
    GETHOSTBYNAME: [gethostbyname](name: *const c_char) -> *mut c_void;
    TCDRAIN: [tcdrain](terminal: c_int) -> c_int;
}

/// Waits for a signal of the program: if the runtime's own is in the set, as `own` says, else as
/// `next` says.
#[inline(always)]
fn signal(
    region: &'static LazyRegion,
    set: *const sigset_t,
    own: impl FnOnce() -> c_int,
    next: impl FnOnce() -> c_int,
) -> c_int {
    let has_own = own_signal::is_in(set);
    around(region, || if has_own { own() } else { next() })
}

/// # Safety
///
/// The arguments must be valid for the C library's function of this name.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn sigwait(set: *const sigset_t, found: *mut c_int) -> c_int {
    type Wait = unsafe extern "C-unwind" fn(*const sigset_t, *mut c_int) -> c_int;
    // SAFETY: the type is that in <signal.h>.
    static NEXT: Next<Wait> = unsafe { Next::new(c"sigwait") };
    let Some(next) = NEXT.get() else { return libc::ENOSYS };
    let own = || loop {
        // SAFETY: the set is valid, as `sigwait` demands; the other arguments may be null.
        match unsafe { own_signal::wait(set, ptr::null_mut(), ptr::null()) } {
            -1 if errno() == libc::EINTR => {}
            -1 => return errno(),
            signal => {
                // SAFETY: the place can be written, as `sigwait` demands.
                unsafe { *found = signal };
                return 0;
            }
        }
    };
    // SAFETY: the set and the place are those that the program passes to `sigwait`.
    unsafe { signal(&functions::SIGWAIT, set, own, || next(set, found)) }
}

/// # Safety
///
/// The arguments must be valid for the C library's function of this name.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn sigwaitinfo(set: *const sigset_t, info: *mut siginfo_t) -> c_int {
    type Wait = unsafe extern "C-unwind" fn(*const sigset_t, *mut siginfo_t) -> c_int;
    // SAFETY: the type is that in <signal.h>.
    static NEXT: Next<Wait> = unsafe { Next::new(c"sigwaitinfo") };
    let Some(next) = NEXT.get() else { return missing() };
    // SAFETY: the set and the place are those that the program passes to `sigwaitinfo`.
    unsafe {
        let own = || own_signal::wait(set, info, ptr::null());
        signal(&functions::SIGWAITINFO, set, own, || next(set, info))
    }
}

/// # Safety
///
/// The arguments must be valid for the C library's function of this name.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn sigtimedwait(
    set: *const sigset_t,
    info: *mut siginfo_t,
    time: *const timespec,
) -> c_int {
    type Wait = unsafe extern "C-unwind" fn(*const sigset_t, *mut siginfo_t, *const timespec) -> c_int;
    // SAFETY: the type is that in <signal.h>.
    static NEXT: Next<Wait> = unsafe { Next::new(c"sigtimedwait") };
    let Some(next) = NEXT.get() else { return missing() };
    // SAFETY: the set, the place and the time are those that the program passes to `sigtimedwait`.
    unsafe {
        let own = || own_signal::wait(set, info, time);
        signal(&functions::SIGTIMEDWAIT, set, own, || next(set, info, time))
    }
}
