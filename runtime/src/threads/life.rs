//! Begin, end and join of threads.
//!
//! A thread that a recorded thread creates begins in [`begin`] and ends when the C library destroys what is specific to it, whichever
//! way it ends. Invariant: what was allocated for a thread that could not be created is freed again.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use libc::{clockid_t, pthread_attr_t, pthread_key_t, pthread_t, timespec};

use super::stack::with_room;
use super::{Function, around, enter, interpose, interpose_end, plain};
use crate::measurement::{self, Creation, Here};
use crate::next::keeping_errno;

type Routine = unsafe extern "C-unwind" fn(*mut c_void) -> *mut c_void;

/// What a new thread begins with; its first function is an `R`.
pub(super) struct Start<R> {
    routine: R,
    argument: *mut c_void,
    creation: Creation,
}

/// What is specific to a recorded thread: its creation. The C library calls [`end`] with it.
struct Thread {
    creation: Creation,
    /// How often it still gets out of the way: the program's own destructors come first.
    delays: u32,
}

/// The C library asks at most four times.
const DELAYS: u32 = 2;

static KEY: OnceLock<pthread_key_t> = OnceLock::new();
/// The threads that have ended and not been waited for.
static ENDED: Mutex<Option<HashMap<pthread_t, Creation>>> = Mutex::new(None);

/// Makes the key, once. Without one, threads end with the measurement.
pub(super) fn prepare() {
    let mut key = 0;
    // SAFETY: the key is written, and `end` does what a destructor may.
    if KEY.get().is_none() && unsafe { libc::pthread_key_create(&raw mut key, Some(end)) } == 0 {
        // A second one would only lie idle.
        let _ = KEY.set(key);
    }
}

pub(super) type Hold = MutexGuard<'static, Option<HashMap<pthread_t, Creation>>>;

/// Keeps threads from ending, while the process forks.
pub(super) fn hold() -> Hold {
    ENDED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// In a forked child: no thread of the parent ends here, not even the one that forked.
pub(super) fn forget() {
    hold().take();
    set_thread(ptr::null());
}

fn set_thread(thread: *const Thread) {
    if let Some(&key) = KEY.get() {
        // SAFETY: the key exists. Without memory the thread just has no end.
        unsafe { libc::pthread_setspecific(key, thread.cast()) };
    }
}

/// A recorded thread begins: what it is to do.
///
/// # Safety
///
/// The argument is from [`announce`], with a routine of this type.
pub(super) unsafe fn started<R>(argument: *mut c_void) -> (R, *mut c_void) {
    // SAFETY: what the caller promises.
    let start = unsafe { Box::from_raw(argument.cast::<Start<R>>()) };
    measurement::thread_begin(start.creation);
    set_thread(Box::into_raw(Box::new(Thread { creation: start.creation, delays: DELAYS })));
    (start.routine, start.argument)
}

/// The first function of a recorded thread.
///
/// # Safety
///
/// The argument is from [`announce`], with a routine of this type.
unsafe extern "C-unwind" fn begin(argument: *mut c_void) -> *mut c_void {
    // SAFETY: what the caller promises.
    let (routine, argument) = unsafe { started::<Routine>(argument) };
    // SAFETY: what the program gave, called once as it expects. Nothing is alive here that unwinding would have to drop.
    unsafe { routine(argument) }
}

/// A recorded thread ends: it returned, called `pthread_exit`, or was cancelled.
///
/// # Safety
///
/// The value is that of [`begin`].
unsafe extern "C" fn end(value: *mut c_void) {
    // SAFETY: what the caller promises.
    let mut thread = unsafe { Box::from_raw(value.cast::<Thread>()) };
    if let Some(left) = thread.delays.checked_sub(1) {
        thread.delays = left;
        return set_thread(Box::into_raw(thread));
    }
    // SAFETY: always well.
    let me = unsafe { libc::pthread_self() };
    measurement::thread_end();
    hold().get_or_insert_default().insert(me, thread.creation);
}

/// Begins the region in which a thread is created. What the thread begins with, for [`created`] and [`started`]; null if it is not to be
/// recorded.
pub(super) fn announce<R>(function: Function, routine: R, argument: *mut c_void) -> *mut Start<R> {
    let mut start = ptr::null_mut();
    if super::is_on() {
        enter(|here| {
            here.enter(function.region());
            let creation = here.thread_create();
            start = Box::into_raw(Box::new(Start { routine, argument, creation }));
        });
    }
    start
}

/// Ends it.
pub(super) fn created<R>(function: Function, start: *mut Start<R>, result: c_int) -> c_int {
    keeping_errno(|| {
        if result != 0 {
            // SAFETY: from a box, and no thread has it.
            drop(unsafe { Box::from_raw(start) });
        }
    });
    enter(|here| here.leave(function.region()));
    result
}

/// A thread was waited for, if `result` says so.
pub(super) fn joined(here: &Here, thread: pthread_t, result: c_int) {
    let ended = if result == 0 { hold().as_mut().and_then(|ended| ended.remove(&thread)) } else { None };
    ended.into_iter().for_each(|creation| here.thread_wait(creation));
}

/// Nobody will wait for a thread, if `result` says so.
pub(super) fn detached(thread: pthread_t, result: c_int) {
    if result == 0 {
        hold().as_mut().and_then(|ended| ended.remove(&thread));
    }
}

type Create =
    unsafe extern "C-unwind" fn(*mut pthread_t, *const pthread_attr_t, Routine, *mut c_void) -> c_int;

/// Creates a thread.
///
/// # Safety
///
/// As that of the C library.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn pthread_create(
    thread: *mut pthread_t,
    attributes: *const pthread_attr_t,
    routine: Routine,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: the type is that of <pthread.h>.
    static NEXT: crate::next::Next<Create> = unsafe { crate::next::Next::new(c"pthread_create") };
    let Some(next) = NEXT.get() else { return libc::ENOSYS };
    let start = announce(Function::Create, routine, argument);
    if start.is_null() {
        // SAFETY: what the caller promises.
        return unsafe { next(thread, attributes, routine, argument) };
    }
    // SAFETY: what the caller promises; `begin` gets what it expects.
    let create = || unsafe { next(thread, attributes, begin, start.cast()) };
    // SAFETY: what the caller promises.
    created(Function::Create, start, unsafe { with_room(attributes, create) })
}

fn join(thread: pthread_t, next: impl FnOnce() -> c_int) -> c_int {
    around(Function::Join, |_| {}, next, |here, result| joined(here, thread, result))
}

interpose!(fn pthread_join(thread: pthread_t, value: *mut *mut c_void) -> c_int, |next| join(thread, next));

interpose!(fn pthread_tryjoin_np(thread: pthread_t, value: *mut *mut c_void) -> c_int, |next| join(thread, next));

interpose!(
    fn pthread_timedjoin_np(thread: pthread_t, value: *mut *mut c_void, until: *const timespec) -> c_int,
    |next| join(thread, next)
);

interpose!(
    fn pthread_clockjoin_np(
        thread: pthread_t,
        value: *mut *mut c_void,
        clock: clockid_t,
        until: *const timespec
    ) -> c_int,
    |next| join(thread, next)
);

interpose!(
    fn pthread_detach(thread: pthread_t) -> c_int,
    |next| around(Function::Detach, |_| {}, next, |_, result| detached(thread, result))
);

interpose!(fn pthread_cancel(thread: pthread_t) -> c_int, |next| plain(Function::Cancel, next));

interpose_end!(fn pthread_exit(value: *mut c_void) -> !, Function::Exit);
