//! Start, end and join of threads.
//!
//! A thread that a recorded thread creates begins in [`begin`] and ends when the C library destroys
//! its thread-specific values, in whichever way it ends. Invariant: memory that was allocated for a
//! thread that could not be created is freed.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;

use libc::{clockid_t, pthread_attr_t, pthread_key_t, pthread_t, sigset_t, timespec};

use super::joinable::{register, release};
use super::stack::with_room;
use super::{Function, around, enter, interpose, interpose_end, plain};
use crate::adapter;
use crate::current;
use crate::measurement::{self, Creation, Here};
use crate::next::keeping_errno;
use crate::own_signal;
use crate::thread;

type Routine = unsafe extern "C-unwind" fn(*mut c_void) -> *mut c_void;

/// The argument of a new thread, whose routine is an `R`.
pub(super) struct Start<R> {
    routine: R,
    argument: *mut c_void,
    new: New,
    /// The blocked signals of the thread. Until it has a location, it blocks all of them.
    mask: sigset_t,
}

/// The data that both the creating thread and the new one have.
#[derive(Debug, Clone, Copy)]
struct New {
    creation: Creation,
    is_joinable: bool,
}

impl New {
    fn register(self, id: impl FnOnce() -> pthread_t) {
        if self.is_joinable {
            register(self.creation, id);
        }
    }
}

/// A thread that is about to be created.
pub(super) struct Announced<R> {
    /// The argument of the new thread, for [`started`].
    pub(super) start: *mut Start<R>,
    new: New,
    /// The blocked signals of the creating thread.
    mask: sigset_t,
}

/// The first thread-specific value of a recorded thread: how often [`end`] is called for it. Only
/// the last call ends the thread, so that the program's own destructors run first. The C library
/// makes at most four rounds of calls.
const CALLS: usize = 3;

static KEY: OnceLock<pthread_key_t> = OnceLock::new();

/// Creates the key, once. Without a key, the locations of threads end with the measurement.
pub(super) fn prepare() {
    let mut key = 0;
    // SAFETY: the key is written, and `end` does nothing that a destructor must not do.
    if KEY.get().is_none() && unsafe { libc::pthread_key_create(&raw mut key, Some(end)) } == 0 {
        // A second key would only be unused.
        let _ = KEY.set(key);
    }
}

/// Clears the value in a forked child: no thread of the parent ends here, not even the one that
/// forked.
pub(super) fn forget() {
    set_calls(0);
}

fn set_calls(calls: usize) {
    if let Some(&key) = KEY.get() {
        // SAFETY: the key exists. Without memory the end of the thread is not recorded.
        unsafe { libc::pthread_setspecific(key, ptr::without_provenance(calls)) };
    }
}

/// Begins the location of a recorded thread; returns the thread's routine and argument.
///
/// # Safety
///
/// The argument must be from [`announce`], with a routine of this type, and passed once.
pub(super) unsafe fn started<R>(argument: *mut c_void) -> (R, *mut c_void) {
    // SAFETY: the argument is a box from `announce`, with a routine of this type, and passed once.
    let start = unsafe { Box::from_raw(argument.cast::<Start<R>>()) };
    // SAFETY: always safe.
    start.new.register(|| unsafe { libc::pthread_self() });
    measurement::thread_begin(start.new.creation);
    set_calls(CALLS);
    set_mask(&start.mask);
    own_signal::unblock();
    (start.routine, start.argument)
}

/// The first function of a recorded thread.
///
/// # Safety
///
/// The argument must be from [`announce`], with a routine of this type, and passed once.
unsafe extern "C-unwind" fn begin(argument: *mut c_void) -> *mut c_void {
    // SAFETY: the argument is from `announce`, with a routine of this type, and passed once.
    let (routine, argument) = unsafe { started::<Routine>(argument) };
    // SAFETY: the program's routine and argument, called once. No value is alive here that
    // unwinding would have to drop.
    unsafe { routine(argument) }
}

/// The first function of a thread of the runtime, of a plugin, or of an MPI library.
///
/// # Safety
///
/// The argument must be a box of a routine and its argument.
unsafe extern "C-unwind" fn begin_foreign(start: *mut c_void) -> *mut c_void {
    thread::set_foreign();
    // SAFETY: `start` is a box of a routine and its argument, as this function demands.
    let (routine, argument) = *unsafe { Box::from_raw(start.cast::<(Routine, *mut c_void)>()) };
    // SAFETY: the routine and its argument, called once. No value is alive here that unwinding
    // would have to drop.
    unsafe { routine(argument) }
}

/// The first function of a thread of an OpenMP runtime, which records as a member of teams only.
///
/// # Safety
///
/// The argument must be a box of a routine and its argument.
unsafe extern "C-unwind" fn begin_pooled(start: *mut c_void) -> *mut c_void {
    // SAFETY: `start` is a box of a routine and its argument, as this function demands.
    let (routine, argument) = *unsafe { Box::from_raw(start.cast::<(Routine, *mut c_void)>()) };
    thread::set_pooled();
    // SAFETY: the routine and its argument, called once. No value is alive here that unwinding
    // would have to drop.
    let result = unsafe { routine(argument) };
    keeping_errno(|| {
        let end = || adapter::all().iter().for_each(|adapter| adapter.pooled_thread_ended());
        measurement::catching_panics(end);
    });
    result
}

/// The destructor of the thread-specific value, called when a recorded thread returns, calls
/// `pthread_exit`, or is cancelled. The value is not 0.
extern "C" fn end(value: *mut c_void) {
    match value.addr() - 1 {
        0 => measurement::thread_end(),
        left => set_calls(left),
    }
}

/// Enters the region in which a thread is created; returns `None` if the thread is not recorded.
pub(super) fn announce<R>(
    function: Function,
    routine: R,
    argument: *mut c_void,
    is_joinable: bool,
    own_mask: Option<sigset_t>,
) -> Option<Announced<R>> {
    let mut announced = None;
    // The first thread is reason enough to begin a measurement that waits, whichever kinds of
    // events are chosen: a measurement begins on the main thread.
    measurement::awake();
    // Threads that a library of MPI creates inside of it belong to the library.
    if super::is_on() {
        enter(|here| {
            here.enter(function.region());
            let new = New { creation: here.thread_create(), is_joinable };
            // The new thread inherits the mask: a handler that interrupted its very begin would
            // give it another location.
            let mask = block_all();
            let mut mask_of_thread = own_mask.unwrap_or(mask);
            own_signal::block_in(&mut mask_of_thread);
            let start = Start { routine, argument, new, mask: mask_of_thread };
            announced = Some(Announced { start: Box::into_raw(Box::new(start)), new, mask });
        });
    }
    announced
}

/// Leaves the region in which a thread was created, and announces the thread.
///
/// # Safety
///
/// `result` must be the result of the C library, and `thread` the place for the id.
pub(super) unsafe fn created<R>(
    function: Function,
    announced: &Announced<R>,
    thread: *const pthread_t,
    result: c_int,
) -> c_int {
    set_mask(&announced.mask);
    keeping_errno(|| {
        if result == 0 {
            // SAFETY: the id is written, and the new thread, which may free it, does not continue
            // before this is done.
            announced.new.register(|| unsafe { thread.read() });
        } else {
            // SAFETY: from a box, and no thread received it.
            drop(unsafe { Box::from_raw(announced.start) });
        }
    });
    enter(|here| here.leave(function.region()));
    result
}

fn set_mask(mask: &sigset_t) {
    // SAFETY: a set that the C library filled.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, mask, ptr::null_mut()) };
}

/// Blocks all signals of the calling thread; returns those that were blocked before.
fn block_all() -> sigset_t {
    let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: the first call fills `all`, the second one `before`; neither fails with these
    // arguments.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
        before.assume_init()
    }
}

/// Returns the blocked signals that attributes choose for a thread, if any.
///
/// # Safety
///
/// The attributes must be null or valid.
unsafe fn chosen_mask(attributes: *const pthread_attr_t) -> Option<sigset_t> {
    type Get = unsafe extern "C" fn(*const pthread_attr_t, *mut sigset_t) -> c_int;
    // SAFETY: the type is that in <pthread.h>, since glibc 2.32.
    static GET: crate::next::Next<Get> = unsafe { crate::next::Next::new(c"pthread_attr_getsigmask_np") };
    let get = GET.get().filter(|_| !attributes.is_null())?;
    let mut mask = MaybeUninit::uninit();
    // SAFETY: the attributes are not null, so they are valid; the set is written if there is one,
    // with the result 0.
    unsafe { (get(attributes, mask.as_mut_ptr()) == 0).then(|| mask.assume_init()) }
}

unsafe extern "C" {
    fn pthread_attr_getdetachstate(attributes: *const pthread_attr_t, state: *mut c_int) -> c_int;
}

/// Returns whether threads with these attributes can be joined.
///
/// # Safety
///
/// The attributes must be null or valid.
unsafe fn is_joinable(attributes: *const pthread_attr_t) -> bool {
    let mut state = libc::PTHREAD_CREATE_JOINABLE;
    if !attributes.is_null() {
        // SAFETY: the attributes are not null, so they are valid; the state is writable.
        unsafe { pthread_attr_getdetachstate(attributes, &raw mut state) };
    }
    state == libc::PTHREAD_CREATE_JOINABLE
}

/// Joins a thread with `next`.
pub(super) fn join(function: Function, thread: pthread_t, next: impl FnOnce() -> c_int) -> c_int {
    let joined = Cell::new(None);
    let call = || {
        let (result, creation) = release(thread, next);
        joined.set(creation);
        result
    };
    let wait = |here: &Here, _| {
        if let Some(creation) = joined.take() {
            here.thread_wait(creation);
        }
    };
    if function.is_excluded() && super::are_only_long() {
        return super::around_waiting(function, call, |_, _| {});
    }
    around(function, |_| {}, call, wait)
}

/// Detaches a thread with `next`.
pub(super) fn detach(function: Function, thread: pthread_t, next: impl FnOnce() -> c_int) -> c_int {
    plain(function, || release(thread, next).0)
}

type Create =
    unsafe extern "C-unwind" fn(*mut pthread_t, *const pthread_attr_t, Routine, *mut c_void) -> c_int;

/// Creates a thread.
///
/// # Safety
///
/// The arguments must be valid for the C library's function of this name.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn pthread_create(
    thread: *mut pthread_t,
    attributes: *const pthread_attr_t,
    routine: Routine,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: the type is that in <pthread.h>.
    static NEXT: crate::next::Next<Create> = unsafe { crate::next::Next::new(c"pthread_create") };
    let Some(next) = NEXT.get() else { return libc::ENOSYS };
    // SAFETY: the attributes are null or valid, as `pthread_create` demands.
    let is_joinable = unsafe { is_joinable(attributes) };
    // SAFETY: as above.
    let own_mask = unsafe { chosen_mask(attributes) };
    let Some(announced) = announce(Function::Create, routine, argument, is_joinable, own_mask) else {
        let begin = if thread::is_in_pool() { begin_pooled } else { begin_foreign };
        if !thread::is_in_pool() && !current::creates_foreign() {
            // SAFETY: the arguments are valid for `pthread_create`.
            return unsafe { next(thread, attributes, routine, argument) };
        }
        let start = keeping_errno(|| Box::into_raw(Box::new((routine, argument))));
        // SAFETY: the arguments are the program's; `begin` receives the one that it expects.
        let create = || unsafe { next(thread, attributes, begin, start.cast()) };
        // SAFETY: the attributes are null or valid, as `pthread_create` demands.
        let result = unsafe { with_room(attributes, create) };
        if result != 0 {
            // SAFETY: from a box, and no thread received it.
            keeping_errno(|| drop(unsafe { Box::from_raw(start) }));
        }
        return result;
    };
    // SAFETY: the arguments are the program's; `begin` receives the one that it expects.
    let create = || unsafe { next(thread, attributes, begin, announced.start.cast()) };
    // SAFETY: the attributes are null or valid, and `thread` is the place for the id, as
    // `pthread_create` demands.
    unsafe { created(Function::Create, &announced, thread, with_room(attributes, create)) }
}

interpose!(fn pthread_join(thread: pthread_t, value: *mut *mut c_void) -> c_int, |next| join(Function::Join, thread, next));

interpose!(fn pthread_tryjoin_np(thread: pthread_t, value: *mut *mut c_void) -> c_int, |next| join(Function::Join, thread, next));

interpose!(
    fn pthread_timedjoin_np(thread: pthread_t, value: *mut *mut c_void, until: *const timespec) -> c_int,
    |next| join(Function::Join, thread, next)
);

interpose!(
    fn pthread_clockjoin_np(
        thread: pthread_t,
        value: *mut *mut c_void,
        clock: clockid_t,
        until: *const timespec
    ) -> c_int,
    |next| join(Function::Join, thread, next)
);

interpose!(
    fn pthread_detach(thread: pthread_t) -> c_int,
    |next| detach(Function::Detach, thread, next)
);

interpose!(fn pthread_cancel(thread: pthread_t) -> c_int, |next| plain(Function::Cancel, next));

interpose_end!(fn pthread_exit(value: *mut c_void) -> !, Function::Exit);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_that_are_created_detached_are_not_joinable() {
        let mut attributes = MaybeUninit::uninit();
        let attributes = attributes.as_mut_ptr();
        // SAFETY: the attributes are initialised first.
        let joinable = unsafe {
            libc::pthread_attr_init(attributes);
            [libc::PTHREAD_CREATE_JOINABLE, libc::PTHREAD_CREATE_DETACHED].map(|state| {
                libc::pthread_attr_setdetachstate(attributes, state);
                is_joinable(attributes)
            })
        };
        assert_eq!(joinable, [true, false]);
        // SAFETY: null.
        assert!(unsafe { is_joinable(ptr::null()) });
    }
}
