//! Threads, mutexes and condition variables of `<threads.h>`.
//!
//! The C library implements them with its POSIX functions, which it calls by internal names, so
//! that nothing is recorded twice.

use std::ffi::{c_int, c_void};

use libc::{pthread_t, timespec};

use super::life::{self, announce, created, started};
use super::{Function, attempt, conditions, interpose, interpose_end, locks, quiet, silent};

/// The results of these functions, with the numbers of the C library.
const ERROR: c_int = 2;
const TIMED_OUT: c_int = 4;

/// The result of a function that C declares as `void`.
type Nothing = ();
const NOTHING: Nothing = ();

type Routine = unsafe extern "C-unwind" fn(*mut c_void) -> c_int;
type Create = unsafe extern "C-unwind" fn(*mut pthread_t, Routine, *mut c_void) -> c_int;

/// The first function of a recorded thread.
///
/// # Safety
///
/// The argument must be from [`announce`], with a routine of this type, and passed once.
unsafe extern "C-unwind" fn begin(argument: *mut c_void) -> c_int {
    // SAFETY: the argument is from `announce`, with a routine of this type, and passed once.
    let (routine, argument) = unsafe { started::<Routine>(argument) };
    // SAFETY: the program's routine and argument, called once. No value is alive here that
    // unwinding would have to drop.
    unsafe { routine(argument) }
}

/// Creates a thread.
///
/// # Safety
///
/// The arguments must be valid for the C library's function of this name.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn thrd_create(
    thread: *mut pthread_t,
    routine: Routine,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: the type is that in <threads.h>.
    static NEXT: crate::next::Next<Create> = unsafe { crate::next::Next::new(c"thrd_create") };
    let Some(next) = NEXT.get() else { return ERROR };
    let Some(announced) = announce(Function::ThrdCreate, routine, argument, true, None) else {
        // SAFETY: the arguments are valid for `thrd_create`.
        return unsafe { next(thread, routine, argument) };
    };
    // SAFETY: `thread` is the place for the id, and `begin` receives the argument that it expects.
    unsafe { created(Function::ThrdCreate, &announced, thread, next(thread, begin, announced.start.cast())) }
}

interpose!(
    fn thrd_join(thread: pthread_t, value: *mut c_int) -> c_int or ERROR,
    |next| life::join(Function::ThrdJoin, thread, next)
);

interpose!(
    fn thrd_detach(thread: pthread_t) -> c_int or ERROR,
    |next| life::detach(Function::ThrdDetach, thread, next)
);

interpose_end!(fn thrd_exit(value: c_int) -> !, Function::ThrdExit);

interpose!(
    fn mtx_init(mutex: *mut c_void, kind: c_int) -> c_int or ERROR,
    |next| locks::init(Function::MtxInit, mutex, next)
);

interpose!(fn mtx_destroy(mutex: *mut c_void) -> Nothing or NOTHING, |next| silent(Function::MtxDestroy, next));

interpose!(
    fn mtx_lock(mutex: *mut c_void) -> c_int or ERROR,
    |next| locks::lock(Function::MtxLock, mutex, attempt!(mtx_trylock(mutex: *mut c_void)), next)
);

interpose!(
    fn mtx_timedlock(mutex: *mut c_void, until: *const timespec) -> c_int or ERROR,
    |next| timed_lock(mutex, until, next)
);

fn timed_lock(mutex: *mut c_void, until: *const timespec, next: impl FnOnce() -> c_int) -> c_int {
    let attempt = attempt!(mtx_trylock(mutex: *mut c_void));
    // SAFETY: the program's time, which the C library would read.
    unsafe { locks::lock_until(Function::MtxLock, mutex, (libc::CLOCK_REALTIME, until), attempt, next) }
}

interpose!(
    fn mtx_trylock(mutex: *mut c_void) -> c_int or ERROR,
    |next| locks::try_lock(Function::MtxTrylock, mutex, next)
);

interpose!(
    fn mtx_unlock(mutex: *mut c_void) -> c_int or ERROR,
    |next| locks::unlock(Function::MtxUnlock, mutex, next)
);

interpose!(fn cnd_init(condition: *mut c_void) -> c_int or ERROR, |next| quiet(Function::CndInit, next));

interpose!(fn cnd_destroy(condition: *mut c_void) -> Nothing or NOTHING, |next| silent(Function::CndDestroy, next));

interpose!(
    fn cnd_wait(condition: *mut c_void, mutex: *mut c_void) -> c_int or ERROR,
    |next| conditions::wait(Function::CndWait, condition.addr(), mutex, TIMED_OUT, next)
);

interpose!(
    fn cnd_timedwait(condition: *mut c_void, mutex: *mut c_void, until: *const timespec) -> c_int or ERROR,
    |next| conditions::wait(Function::CndTimedwait, condition.addr(), mutex, TIMED_OUT, next)
);

interpose!(
    fn cnd_signal(condition: *mut c_void) -> c_int or ERROR,
    |next| conditions::signal(Function::CndSignal, condition.addr(), next)
);

interpose!(
    fn cnd_broadcast(condition: *mut c_void) -> c_int or ERROR,
    |next| conditions::signal(Function::CndBroadcast, condition.addr(), next)
);
