//! POSIX and C11 threads: their creation and end, mutexes, read-write locks and condition
//! variables. Threads of C++ and Rust are POSIX threads.
//!
//! Functions defined here interpose those of the C library. Each calls the interposed function
//! once, with the arguments that it received. Invariants: no value with a destructor is alive
//! around that call, since cancellation unwinds through it; threads that the runtime and its
//! plugins create are not recorded; `errno` is preserved.

mod c11;
mod conditions;
mod events;
mod joinable;
mod life;
mod locks;
mod rwlocks;
mod stack;

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use kymo_substrate::bindings::{
    SCOREP_PARADIGM_PTHREAD, SCOREP_REGION_THREAD_CREATE, SCOREP_REGION_THREAD_WAIT, SCOREP_REGION_WRAPPER,
};

use crate::adapter::Adapter;
use crate::adapters::waiting;
use crate::filtering;
use crate::measurement::{self, Here, LazyRegion, Region};
use crate::next::keeping_errno;
use crate::processes::ForkHold;
use crate::settings::Settings;
use crate::switch::{Switch, is_chosen};
use crate::thread;

/// The adapter of POSIX and C11 threads and their locks.
#[derive(Debug)]
pub(crate) struct Threads;

/// The name by which settings choose it.
const NAME: &str = "threads";

impl Adapter for Threads {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare(&self, settings: &Settings) -> bool {
        prepare(settings)
    }

    fn define(&self) {
        define();
    }

    fn begun(&self) {
        SWITCH.turn_on();
    }

    fn ended(&self) {
        SWITCH.turn_off();
    }

    fn hold(&self) {
        HELD.with(|held| held.keep(hold()));
    }

    fn release(&self) {
        drop(HELD.with(ForkHold::take));
    }

    fn forget(&self) {
        forget();
    }
}

thread_local! {
    static HELD: ForkHold<ThreadsHold> = const { ForkHold::new() };
}

/// The name of a kind of instrumentation that must be chosen explicitly: threads and all locks,
/// including uncontended ones.
const LOCKS: &str = "locks";

static SWITCH: Switch = Switch::new();
/// The functions have regions.
static HAS_REGIONS: AtomicBool = AtomicBool::new(false);
/// Calls that wait are recorded only if they take long.
static ARE_ONLY_LONG: AtomicBool = AtomicBool::new(false);

fn prepare(settings: &Settings) -> bool {
    life::prepare();
    filtering::read(settings);
    locks::choose(has_locks(settings));
    HAS_REGIONS.store(are_chosen(settings), Relaxed);
    let has_waiting = waiting::are_chosen(settings);
    let are_named = has_locks(settings) || settings.names(NAME);
    ARE_ONLY_LONG.store(has_waiting && !are_named, Relaxed);
    // Samples and calls that wait need the locations of threads: their begins and ends, without
    // regions and locks.
    are_chosen(settings) || has_waiting || settings.sampling.is_some()
}

fn has_locks(settings: &Settings) -> bool {
    settings.names(LOCKS)
}

/// Returns whether the settings choose threads.
pub(crate) fn are_chosen(settings: &Settings) -> bool {
    has_locks(settings) || is_chosen(settings, NAME)
}

fn define() {
    if !HAS_REGIONS.load(Relaxed) {
        return;
    }
    for region in &REGIONS {
        region.define();
    }
}

/// The source file that Score-P reports for these functions.
const FILE: &str = "PTHREAD";

// The functions that have a region: the variant, the function's name, and the kind of region.
//
// Input:
//     Create "pthread_create" SCOREP_REGION_THREAD_CREATE;
// Expansion:
//     enum Function { Create }
//     static REGIONS: [LazyRegion; 1] = …;
macro_rules! functions {
    ($($function:ident $name:literal $kind:ident;)*) => {
        /// The functions that have a region.
        #[derive(Debug, Clone, Copy)]
        enum Function {
            $($function,)*
        }

        /// The regions of the functions, in their order.
        static REGIONS: [LazyRegion; [$($name),*].len()] =
            [$(LazyRegion::new($name, FILE, SCOREP_PARADIGM_PTHREAD, $kind)),*];
    };
}

functions! {
    Create "pthread_create" SCOREP_REGION_THREAD_CREATE;
    Join "pthread_join" SCOREP_REGION_THREAD_WAIT;
    Exit "pthread_exit" SCOREP_REGION_WRAPPER;
    Cancel "pthread_cancel" SCOREP_REGION_WRAPPER;
    Detach "pthread_detach" SCOREP_REGION_WRAPPER;
    MutexInit "pthread_mutex_init" SCOREP_REGION_WRAPPER;
    MutexDestroy "pthread_mutex_destroy" SCOREP_REGION_WRAPPER;
    MutexLock "pthread_mutex_lock" SCOREP_REGION_WRAPPER;
    MutexUnlock "pthread_mutex_unlock" SCOREP_REGION_WRAPPER;
    MutexTrylock "pthread_mutex_trylock" SCOREP_REGION_WRAPPER;
    CondInit "pthread_cond_init" SCOREP_REGION_WRAPPER;
    CondDestroy "pthread_cond_destroy" SCOREP_REGION_WRAPPER;
    CondSignal "pthread_cond_signal" SCOREP_REGION_WRAPPER;
    CondBroadcast "pthread_cond_broadcast" SCOREP_REGION_WRAPPER;
    CondWait "pthread_cond_wait" SCOREP_REGION_WRAPPER;
    CondTimedwait "pthread_cond_timedwait" SCOREP_REGION_WRAPPER;
    RwlockInit "pthread_rwlock_init" SCOREP_REGION_WRAPPER;
    RwlockDestroy "pthread_rwlock_destroy" SCOREP_REGION_WRAPPER;
    RwlockRdlock "pthread_rwlock_rdlock" SCOREP_REGION_WRAPPER;
    RwlockTryrdlock "pthread_rwlock_tryrdlock" SCOREP_REGION_WRAPPER;
    RwlockWrlock "pthread_rwlock_wrlock" SCOREP_REGION_WRAPPER;
    RwlockTrywrlock "pthread_rwlock_trywrlock" SCOREP_REGION_WRAPPER;
    RwlockUnlock "pthread_rwlock_unlock" SCOREP_REGION_WRAPPER;
    ThrdCreate "thrd_create" SCOREP_REGION_THREAD_CREATE;
    ThrdJoin "thrd_join" SCOREP_REGION_THREAD_WAIT;
    ThrdExit "thrd_exit" SCOREP_REGION_WRAPPER;
    ThrdDetach "thrd_detach" SCOREP_REGION_WRAPPER;
    MtxInit "mtx_init" SCOREP_REGION_WRAPPER;
    MtxDestroy "mtx_destroy" SCOREP_REGION_WRAPPER;
    MtxLock "mtx_lock" SCOREP_REGION_WRAPPER;
    MtxUnlock "mtx_unlock" SCOREP_REGION_WRAPPER;
    MtxTrylock "mtx_trylock" SCOREP_REGION_WRAPPER;
    CndInit "cnd_init" SCOREP_REGION_WRAPPER;
    CndDestroy "cnd_destroy" SCOREP_REGION_WRAPPER;
    CndSignal "cnd_signal" SCOREP_REGION_WRAPPER;
    CndBroadcast "cnd_broadcast" SCOREP_REGION_WRAPPER;
    CndWait "cnd_wait" SCOREP_REGION_WRAPPER;
    CndTimedwait "cnd_timedwait" SCOREP_REGION_WRAPPER;
}

impl Function {
    fn lazy_region(self) -> &'static LazyRegion {
        &REGIONS[self as usize]
    }

    fn region(self) -> Region {
        self.lazy_region().defined()
    }

    /// Returns whether the function has no region, as if a filter leaves it out.
    fn is_excluded(self) -> bool {
        self.region() == Region::default()
    }
}

/// The guards that keep threads and locks from changing.
type ThreadsHold = (stack::ThreadStacksHold, joinable::JoinableThreadsHold, locks::ThreadLocksHold);

/// Keeps threads and locks from changing while the process forks.
fn hold() -> ThreadsHold {
    (stack::hold(), joinable::hold(), locks::hold())
}

/// Forgets threads and owners of locks, in a forked child: the threads of the parent do not exist
/// here.
fn forget() {
    joinable::forget_all();
    life::forget();
    locks::forget();
}

/// Returns whether threads are recorded. Calls that a library of MPI or of OpenMP makes are not.
#[inline(always)]
fn is_on() -> bool {
    SWITCH.is_on() && !thread::is_in_library() && !thread::is_in_pool()
}

/// Calls a function within its region. `before` and `after` record the events in the region.
///
/// The thread is not inside the runtime during the call: it can wait there, and signal handlers are
/// recorded.
fn around(
    function: Function,
    before: impl FnOnce(&Here),
    call: impl FnOnce() -> c_int,
    after: impl FnOnce(&Here, c_int),
) -> c_int {
    let region = function.region();
    let mut number = 0;
    let is_recorded = enter(|here| {
        number = here.begin_call();
        here.enter(region);
        before(here);
    });
    let result = call();
    if is_recorded {
        enter(|here| {
            after(here, result);
            here.leave(region);
            here.end_call(number);
        });
    }
    result
}

/// Like [`around`], for a function that may wait, if only long calls are recorded: events in its
/// region follow the call. `after` has no [`Here`] if the call is not recorded.
#[inline(always)]
fn around_waiting(
    function: Function,
    call: impl FnOnce() -> c_int,
    after: impl FnOnce(Option<&Here>, c_int),
) -> c_int {
    waiting::around_events(function.lazy_region(), call, after)
}

/// Returns whether calls that wait are recorded only if they take long.
#[inline(always)]
fn are_only_long() -> bool {
    ARE_ONLY_LONG.load(Relaxed)
}

/// Like [`plain`], for a function that may wait or wake others.
fn plain_or_long(function: Function, call: impl FnOnce() -> c_int) -> c_int {
    match are_only_long() {
        true => around_waiting(function, call, |_, _| {}),
        false => plain(function, call),
    }
}

/// Like [`around`], but records no events in the region.
fn plain(function: Function, call: impl FnOnce() -> c_int) -> c_int {
    around(function, |_| {}, call, |_, _| {})
}

/// Like [`quiet`], for a function without a result.
fn silent(function: Function, call: impl FnOnce()) {
    let call = || {
        call();
        0
    };
    quiet(function, call);
}

/// Like [`plain`], for a function that never waits and does not affect other threads: it is
/// recorded only if all locks are.
fn quiet(function: Function, call: impl FnOnce() -> c_int) -> c_int {
    if locks::are_all() { plain(function, call) } else { call() }
}

/// Executes an action with the location of this thread; returns whether the thread has one. An
/// allocator may have called the function.
fn enter(action: impl FnOnce(&Here)) -> bool {
    let action = || measurement::here().map(|here| action(&here)).is_some();
    keeping_errno(|| thread::with_separate_memory(action))
}

/// A closure that calls the C library's own function of this name with these arguments. If the
/// function does not exist, the closure returns `EBUSY`.
macro_rules! attempt {
    ($name:ident($argument:ident: $type:ty)) => {{
        type Attempt = unsafe extern "C-unwind" fn($type) -> ::std::ffi::c_int;
        const NAME: &::std::ffi::CStr = $crate::next::c_name(concat!(stringify!($name), "\0"));
        // SAFETY: the type is that in <pthread.h> or <threads.h>.
        static NEXT: $crate::next::Next<Attempt> = unsafe { $crate::next::Next::new(NAME) };
        // SAFETY: the caller guarantees that the lock is valid.
        move || NEXT.get().map_or(::libc::EBUSY, |next| unsafe { next($argument) })
    }};
}
use attempt;

/// Defines a function that interposes one of the C library. It looks up the next function of that
/// name, calls it if threads are not recorded, and otherwise evaluates the body, where `next` calls
/// it. If there is no next function, the result is the value after `or`, by default the POSIX error
/// `ENOSYS`.
///
/// ```text
/// interpose!(fn pthread_mutex_lock(mutex: *mut pthread_mutex_t) -> c_int,
///     |next| locks::lock(mutex, next));
/// ```
macro_rules! interpose {
    (fn $name:ident($($argument:ident: $type:ty),*) -> c_int, |$next:ident| $body:expr) => {
        $crate::adapters::threads::interpose!(fn $name($($argument: $type),*) -> c_int or ::libc::ENOSYS, |$next| $body);
    };
    (fn $name:ident($($argument:ident: $type:ty),*) -> $result:ident or $missing:expr, |$next:ident| $body:expr) => {
        /// # Safety
        ///
        /// The arguments must be valid for the C library's function of this name.
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name($($argument: $type),*) -> $result {
            type Next = unsafe extern "C-unwind" fn($($type),*) -> $result;
            const NAME: &::std::ffi::CStr = $crate::next::c_name(concat!(stringify!($name), "\0"));
            // SAFETY: the type is that in <pthread.h> or <threads.h>.
            static NEXT: $crate::next::Next<Next> = unsafe { $crate::next::Next::new(NAME) };
            let Some(next) = NEXT.get() else { return $missing };
            // SAFETY: the arguments are valid for the C library's function of this name.
            let $next = move || unsafe { next($($argument),*) };
            if $crate::adapters::threads::is_on() { $body } else { $next() }
        }
    };
}
use interpose;

/// Like `interpose!`, for a function that ends the thread. Its region is left by the first
/// enclosing function that is left while the stack is unwound (as C++ functions with
/// `-finstrument-functions` are), or else when the thread ends.
macro_rules! interpose_end {
    (fn $name:ident($value:ident: $type:ty) -> !, $function:expr) => {
        /// # Safety
        ///
        /// The arguments must be valid for the C library's function of this name.
        #[unsafe(no_mangle)]
        unsafe extern "C-unwind" fn $name($value: $type) -> ! {
            type Next = unsafe extern "C-unwind" fn($type) -> !;
            const NAME: &::std::ffi::CStr = $crate::next::c_name(concat!(stringify!($name), "\0"));
            // SAFETY: the type is that in <pthread.h> or <threads.h>.
            static NEXT: $crate::next::Next<Next> = unsafe { $crate::next::Next::new(NAME) };
            let Some(next) = NEXT.get() else { ::std::process::abort() };
            if $crate::adapters::threads::is_on() {
                $crate::adapters::threads::enter(|here| here.enter($function.region()));
            }
            if $crate::program::is_first_thread() {
                $crate::processes::main_thread_ends();
            }
            // SAFETY: the arguments are valid for the C library's function of this name.
            unsafe { next($value) }
        }
    };
}
use interpose_end;
