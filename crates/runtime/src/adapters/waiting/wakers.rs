//! Semaphores and barriers of POSIX threads. A call that may wake threads is recorded if one has
//! waited long, however short the call is: it says for whom that thread waited. Such calls are
//! recorded at most once in the time that counts as long, so that those of threads which always
//! wait are not all recorded.

use std::ffi::c_int;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use libc::{clockid_t, pthread_barrier_t, sem_t, timespec};

use super::functions;
use super::{BegunCall, is_long, run};
use crate::measurement::LazyRegion;
use crate::next::missing;

/// The threads that wait at some objects. After a fork, or when a thread was cancelled while it
/// waited, there are too many, so that more calls are recorded.
#[derive(Debug)]
struct Waiters {
    count: AtomicU32,
    /// When the first of them began to wait, or a call that woke some was recorded.
    since: AtomicU64,
}

/// The threads that wait, by the objects at which they do; several may share one.
static WAITERS: [Waiters; 256] =
    [const { Waiters { count: AtomicU32::new(0), since: AtomicU64::new(0) } }; 256];

impl Waiters {
    fn at(object: usize) -> &'static Self {
        // Objects of an array are at least 32 bytes apart.
        let place = (object >> 5) ^ (object >> 11) ^ (object >> 18);
        &WAITERS[place % WAITERS.len()]
    }

    fn begin(&self, now: u64) {
        if self.count.fetch_add(1, Relaxed) == 0 {
            self.since.store(now, Relaxed);
        }
    }

    fn end(&self) {
        self.count.fetch_sub(1, Relaxed);
    }

    /// A call that woke some of them was recorded: others are not woken soon.
    fn woken(&self, now: u64) {
        self.since.store(now, Relaxed);
    }

    fn have_waited_long(&self, now: u64) -> bool {
        self.count.load(Relaxed) > 0 && is_long(self.since.load(Relaxed), now)
    }
}

/// Calls a function that may wake those who wait at an object, and may wait there as well.
#[inline(always)]
fn at_object<R: Copy>(
    region: &'static LazyRegion,
    object: usize,
    may_wait: bool,
    call: impl FnOnce() -> R,
) -> R {
    let Some(begun) = BegunCall::now(region) else { return call() };
    let waiters = Waiters::at(object);
    let begun = BegunCall { wakes: waiters.have_waited_long(begun.begin), ..begun };
    if begun.wakes {
        waiters.woken(begun.begin);
    }
    if may_wait {
        waiters.begin(begun.begin);
    }
    let result = run(begun, call, |_, _| {});
    if may_wait {
        waiters.end();
    }
    result
}

/// Calls a function that waits at an object until another one wakes it.
#[inline(always)]
fn wait_at<R: Copy>(region: &'static LazyRegion, object: usize, call: impl FnOnce() -> R) -> R {
    let Some(begun) = BegunCall::now(region) else { return call() };
    let waiters = Waiters::at(object);
    waiters.begin(begun.begin);
    let result = run(begun, call, |_, _| {});
    waiters.end();
    result
}

/// Defines functions that interpose those of the C library with these names.
///
/// ```text
/// interpose! { sem_wait(semaphore: *mut sem_t) -> c_int: |next| wait_at(…, next); }
/// ```
macro_rules! interpose {
    ($($name:ident($($argument:ident: $type:ty),*): |$next:ident| $call:expr;)*) => {$(
        /// # Safety
        ///
        /// The arguments must be valid for the C library's function of this name.
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name($($argument: $type),*) -> c_int {
            type Next = unsafe extern "C-unwind" fn($($type),*) -> c_int;
            const NAME: &::std::ffi::CStr = $crate::next::c_name(concat!(stringify!($name), "\0"));
            // SAFETY: the type is that in the header of the C library.
            static NEXT: $crate::next::Next<Next> = unsafe { $crate::next::Next::new(NAME) };
            let Some(next) = NEXT.get() else { return missing() };
            // SAFETY: the arguments are valid for the C library's function of this name.
            let $next = || unsafe { next($($argument),*) };
            $call
        }
    )*};
}

interpose! {
    sem_wait(semaphore: *mut sem_t): |next| wait_at(&functions::SEM_WAIT, semaphore.addr(), next);
    sem_timedwait(semaphore: *mut sem_t, until: *const timespec):
        |next| wait_at(&functions::SEM_TIMEDWAIT, semaphore.addr(), next);
    sem_clockwait(semaphore: *mut sem_t, clock: clockid_t, until: *const timespec):
        |next| wait_at(&functions::SEM_CLOCKWAIT, semaphore.addr(), next);
    sem_post(semaphore: *mut sem_t): |next| at_object(&functions::SEM_POST, semaphore.addr(), false, next);
    pthread_barrier_wait(barrier: *mut pthread_barrier_t):
        |next| at_object(&functions::BARRIER_WAIT, barrier.addr(), true, next);
}
