//! Mutexes, and condition variables, which give a mutex back while they wait.
//!
//! A lock that nobody holds is taken by an attempt (`pthread_mutex_trylock`), which is all that happens then, unless all locks are asked for.
//! One that is held is waited for, in the region of the call, and then acquired.
//!
//! A lock is known by its address. What is known of it changes only while its mutex is held, so that the mutex itself is what keeps
//! threads apart. A recursive mutex is acquired and released once, from its first lock to its last unlock. Invariant: a release is recorded
//! exactly if the acquisition was. A thread that holds no such lock does not look.

use std::ffi::c_int;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use libc::{clockid_t, pthread_cond_t, pthread_condattr_t, pthread_mutex_t, pthread_mutexattr_t, timespec};

use super::{Function, around, attempt, interpose, plain, quiet};
use crate::address_table::{AddressTable, UNKNOWN};
use crate::measurement::Here;
use crate::memory::{Zeroed, zeroed};
use crate::sanitizers::has_thread_sanitizer;
use crate::thread;

/// A lock that was seen.
#[derive(Debug, Default)]
struct Lock {
    /// From 1; 0 before it is known.
    number: AtomicU32,
    /// How often it has been acquired.
    order: AtomicU32,
    /// Location of its owner + 1, or 0.
    owner: AtomicU32,
    /// How often its owner has to unlock it.
    depth: AtomicU32,
}

// SAFETY: atomics are integers.
unsafe impl Zeroed for Lock {}

/// Locks that memory is taken for at once: a page of them.
const BLOCK: usize = 256;

/// Whether locks are recorded that nobody waited for.
static ALL: AtomicBool = AtomicBool::new(false);
/// Bits of a kind that forbids attempts, if a sanitizer watches the locks.
static WATCHED: AtomicU32 = AtomicU32::new(0);

static TABLE: AddressTable = AddressTable::new();
/// How many locks are known; whoever holds the table changes it.
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// Where the blocks of locks lie, by their number from 1.
static BLOCKS: AddressTable = AddressTable::new();

/// Says whether all locks are recorded.
pub(super) fn choose(all: bool) {
    ALL.store(all, Ordering::Relaxed);
    // Orders of locks that are taken by an attempt are none for it.
    let kind = if has_thread_sanitizer() { MutexWords::SPECIAL } else { 0 };
    WATCHED.store(kind, Ordering::Relaxed);
}

#[inline(always)]
pub(super) fn are_all() -> bool {
    ALL.load(Ordering::Relaxed)
}

pub(super) type Hold = (MutexGuard<'static, usize>, MutexGuard<'static, usize>);

/// Keeps locks from becoming known, while the process forks.
pub(super) fn hold() -> Hold {
    (TABLE.hold(), BLOCKS.hold())
}

/// In a forked child: whoever held a lock is not here, or is somebody else.
pub(super) fn forget() {
    for number in 0..COUNT.load(Ordering::Relaxed) {
        if let Some(lock) = lock_at(BLOCKS.get(number / BLOCK + 1), number) {
            lock.owner.store(0, Ordering::Relaxed);
        }
    }
    thread::set_held(0);
}

/// A lock in its block.
fn lock_at(block: u64, number: usize) -> Option<&'static Lock> {
    let locks = block as *const Lock;
    // SAFETY: null, or a block, which has that many and stays.
    (!locks.is_null()).then(|| unsafe { &*locks.add(number % BLOCK) })
}

/// What is known of a mutex, by its address; none if it was never acquired.
fn known_lock(mutex: usize) -> Option<&'static Lock> {
    // SAFETY: unknown, which is null, or what `new_lock` gave.
    unsafe { (TABLE.get(mutex) as *const Lock).as_ref() }
}

/// The same, which is made if nothing is known; none if there is no memory.
fn lock_of(mutex: usize) -> Option<&'static Lock> {
    known_lock(mutex).or_else(|| {
        // SAFETY: as above.
        unsafe { (TABLE.get_or_insert(mutex, new_lock) as *const Lock).as_ref() }
    })
}

/// Address of a new lock. The allocator is not asked: the mutex may be its own.
fn new_lock() -> u64 {
    let count = COUNT.load(Ordering::Relaxed);
    let block = BLOCKS.get_or_insert(count / BLOCK + 1, || {
        zeroed::<Lock>(BLOCK).map_or(UNKNOWN, |locks| locks.as_ptr().addr() as u64)
    });
    let Some(lock) = lock_at(block, count) else { return UNKNOWN };
    COUNT.store(count + 1, Ordering::Relaxed);
    lock.number
        .store(u32::try_from(count).map_or(u32::MAX, |count| count.saturating_add(1)), Ordering::Relaxed);
    std::ptr::from_ref(lock).addr() as u64
}

/// The mutex was locked by this thread, which holds it.
fn acquired(here: &Here, mutex: usize) {
    let Some(lock) = lock_of(mutex) else { return };
    let me = here.location().wrapping_add(1);
    if lock.owner.load(Ordering::Relaxed) == me {
        lock.depth.fetch_add(1, Ordering::Relaxed);
        return;
    }
    lock.owner.store(me, Ordering::Relaxed);
    lock.depth.store(1, Ordering::Relaxed);
    thread::set_held(thread::held().wrapping_add(1));
    let order = lock.order.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
    here.lock_acquired(lock.number.load(Ordering::Relaxed) - 1, order);
}

/// The mutex is about to be unlocked. A thread that did not lock it, as far as is known, releases nothing.
fn released(here: &Here, mutex: usize) {
    let Some(lock) = known_lock(mutex) else { return };
    if lock.owner.load(Ordering::Relaxed) != here.location().wrapping_add(1) {
        return;
    }
    if lock.depth.fetch_sub(1, Ordering::Relaxed) == 1 {
        disown(lock);
        here.lock_released(lock.number.load(Ordering::Relaxed) - 1, lock.order.load(Ordering::Relaxed));
    }
}

/// Nobody holds a lock any more that this thread held.
fn disown(lock: &Lock) {
    lock.owner.store(0, Ordering::Relaxed);
    thread::set_held(thread::held().saturating_sub(1));
}

/// What is known of a mutex that this thread holds, if its acquisition was recorded.
#[inline(always)]
fn own_lock(mutex: usize) -> Option<&'static Lock> {
    if thread::held() == 0 { None } else { find_own_lock(mutex) }
}

#[cold]
fn find_own_lock(mutex: usize) -> Option<&'static Lock> {
    let me = thread::location()?.id.wrapping_add(1);
    known_lock(mutex).filter(|lock| lock.owner.load(Ordering::Relaxed) == me)
}

/// The mutex was locked, and no event says so: if it was held already it has to be unlocked once more.
#[inline(always)]
fn acquired_in_silence(mutex: usize) {
    if let Some(lock) = own_lock(mutex) {
        lock.depth.fetch_add(1, Ordering::Relaxed);
    }
}

/// A mutex was made. Nobody holds it: the one that lay there before is gone, whether or not it was unlocked.
fn made(mutex: usize) {
    match own_lock(mutex) {
        Some(lock) => disown(lock),
        None => known_lock(mutex).into_iter().for_each(|lock| lock.owner.store(0, Ordering::Relaxed)),
    }
}

/// Whether a function that locks a mutex did so: also if its owner had died.
fn is_locked(result: c_int) -> bool {
    matches!(result, 0 | libc::EOWNERDEAD)
}

/// Makes what has this address with `next`, which says 0 if it did.
pub(super) fn init<T>(function: Function, mutex: *mut T, next: impl FnOnce() -> c_int) -> c_int {
    quiet(function, || {
        let result = next();
        if result == 0 {
            made(mutex.addr());
        }
        result
    })
}

/// Locks what has this address with `attempt` if nobody holds it, and else with `next`, which would do the same as `attempt` then.
///
/// An attempt fails for each reason for which `next` would not return at once, and for errors, which are for `next` to tell.
#[inline(always)]
pub(super) fn lock<T>(
    function: Function,
    mutex: *mut T,
    attempt: impl FnOnce() -> c_int,
    next: impl FnOnce() -> c_int,
) -> c_int {
    if !are_all() {
        let result = in_silence(mutex, attempt);
        if is_locked(result) {
            return result;
        }
    }
    acquire(function, mutex, next)
}

/// The same until a time. What is wrong with the clock or the time `next` may tell even if nobody holds the lock, so only it is called
/// then.
///
/// # Safety
///
/// The time is null or valid.
#[inline(always)]
pub(super) unsafe fn lock_until<T>(
    function: Function,
    mutex: *mut T,
    (clock, until): (clockid_t, *const timespec),
    attempt: impl FnOnce() -> c_int,
    next: impl FnOnce() -> c_int,
) -> c_int {
    // SAFETY: what the caller promises.
    let is_sound = unsafe { is_sound(clock, until) };
    lock(function, mutex, || if is_sound { attempt() } else { libc::EBUSY }, next)
}

/// Whether functions that wait until a time have nothing to say against it.
///
/// # Safety
///
/// The time is null or valid.
pub(super) unsafe fn is_sound(clock: clockid_t, until: *const timespec) -> bool {
    // SAFETY: what the caller promises.
    let until = unsafe { until.as_ref() };
    matches!(clock, libc::CLOCK_REALTIME | libc::CLOCK_MONOTONIC)
        && until.is_some_and(|until| (0..1_000_000_000).contains(&until.tv_nsec))
}

/// Tries to lock what has this address with `next`, which never waits.
#[inline(always)]
pub(super) fn try_lock<T>(function: Function, mutex: *mut T, next: impl FnOnce() -> c_int) -> c_int {
    if are_all() {
        return acquire(function, mutex, next);
    }
    in_silence(mutex, next)
}

/// Locks what has this address with `next`, without an event.
#[inline(always)]
fn in_silence<T>(mutex: *mut T, next: impl FnOnce() -> c_int) -> c_int {
    let result = next();
    if is_locked(result) {
        acquired_in_silence(mutex.addr());
    }
    result
}

/// Locks what has this address with `next`, in its region.
#[inline(never)]
fn acquire<T>(function: Function, mutex: *mut T, next: impl FnOnce() -> c_int) -> c_int {
    if function.is_excluded() {
        return in_silence(mutex, next);
    }
    around(
        function,
        |_| {},
        next,
        |here, result| {
            if is_locked(result) {
                acquired(here, mutex.addr());
            }
        },
    )
}

/// Unlocks it.
#[inline(always)]
pub(super) fn unlock<T>(function: Function, mutex: *mut T, next: impl FnOnce() -> c_int) -> c_int {
    match own_lock(mutex.addr()) {
        None if !are_all() => next(),
        lock => release(function, mutex, lock, next),
    }
}

/// Unlocks what this thread may have acquired with an event. What it stays the holder of is not released yet, in silence unless all locks
/// are recorded.
#[inline(never)]
fn release<T>(
    function: Function,
    mutex: *mut T,
    lock: Option<&'static Lock>,
    next: impl FnOnce() -> c_int,
) -> c_int {
    match lock {
        Some(lock) if !are_all() && lock.depth.load(Ordering::Relaxed) > 1 => {
            lock.depth.fetch_sub(1, Ordering::Relaxed);
            next()
        }
        _ => around(function, |here| released(here, mutex.addr()), next, |_, _| {}),
    }
}

/// Unlocks it until `next` returns; `timed_out` is what that says when time was over, for then the mutex is locked again as well.
pub(super) fn wait<T>(
    function: Function,
    mutex: *mut T,
    timed_out: c_int,
    next: impl FnOnce() -> c_int,
) -> c_int {
    if function.is_excluded() && own_lock(mutex.addr()).is_none() {
        return next();
    }
    around(
        function,
        |here| released(here, mutex.addr()),
        next,
        |here, result| {
            if is_locked(result) || result == timed_out {
                acquired(here, mutex.addr());
            }
        },
    )
}

interpose!(
    fn pthread_mutex_init(mutex: *mut pthread_mutex_t, attributes: *const pthread_mutexattr_t) -> c_int,
    |next| init(Function::MutexInit, mutex, next)
);

interpose!(fn pthread_mutex_destroy(mutex: *mut pthread_mutex_t) -> c_int, |next| quiet(Function::MutexDestroy, next));

interpose!(
    fn pthread_mutex_lock(mutex: *mut pthread_mutex_t) -> c_int,
    |next| match MutexWords::of(mutex) {
        Some(words) if words.forbid_attempts() => words.lock(mutex, next),
        _ => lock(Function::MutexLock, mutex, attempt!(pthread_mutex_trylock(mutex: *mut pthread_mutex_t)), next),
    }
);

/// How a mutex of glibc begins. Initializers in the code of programs fix where its kind is.
#[repr(C)]
struct MutexWords {
    /// 0 if nobody holds it.
    lock: AtomicU32,
    _count_owner_users: [u32; 3],
    kind: AtomicU32,
}

impl MutexWords {
    /// Bits of robust mutexes, and of those that inherit or protect priorities.
    const SPECIAL: u32 = 0x70;

    fn of<'a>(mutex: *const pthread_mutex_t) -> Option<&'a Self> {
        const { assert!(size_of::<Self>() <= size_of::<pthread_mutex_t>()) };
        // SAFETY: null, or a mutex, which is larger and stays during the call. Other threads change it atomically.
        unsafe { mutex.cast::<Self>().as_ref() }
    }

    /// Whether `pthread_mutex_trylock` is not the same as `pthread_mutex_lock` of a mutex that nobody holds: that of glibc keeps a robust
    /// mutex that cannot be recovered, and the next call would wait for ever.
    #[inline(always)]
    fn forbid_attempts(&self) -> bool {
        (self.kind.load(Ordering::Relaxed) | WATCHED.load(Ordering::Relaxed)) & Self::SPECIAL != 0
    }

    /// Locks such a mutex. Nobody holds it, or `next` may wait: looked at beforehand, so a wait is missed if another thread is faster.
    #[cold]
    fn lock(&self, mutex: *mut pthread_mutex_t, next: impl FnOnce() -> c_int) -> c_int {
        match self.lock.load(Ordering::Relaxed) {
            0 if !are_all() => in_silence(mutex, next),
            _ => acquire(Function::MutexLock, mutex, next),
        }
    }
}

interpose!(
    fn pthread_mutex_timedlock(mutex: *mut pthread_mutex_t, until: *const timespec) -> c_int,
    |next| timed_lock(mutex, (libc::CLOCK_REALTIME, until), next)
);

interpose!(
    fn pthread_mutex_clocklock(mutex: *mut pthread_mutex_t, clock: clockid_t, until: *const timespec) -> c_int,
    |next| timed_lock(mutex, (clock, until), next)
);

fn timed_lock(
    mutex: *mut pthread_mutex_t,
    time: (clockid_t, *const timespec),
    next: impl FnOnce() -> c_int,
) -> c_int {
    if let Some(words) = MutexWords::of(mutex).filter(|words| words.forbid_attempts()) {
        return words.lock(mutex, next);
    }
    let attempt = attempt!(pthread_mutex_trylock(mutex: *mut pthread_mutex_t));
    // SAFETY: the time is what the program gave, which the C library would read.
    unsafe { lock_until(Function::MutexLock, mutex, time, attempt, next) }
}

interpose!(
    fn pthread_mutex_trylock(mutex: *mut pthread_mutex_t) -> c_int,
    |next| try_lock(Function::MutexTrylock, mutex, next)
);

interpose!(
    fn pthread_mutex_unlock(mutex: *mut pthread_mutex_t) -> c_int,
    |next| unlock(Function::MutexUnlock, mutex, next)
);

interpose!(
    fn pthread_cond_init(condition: *mut pthread_cond_t, attributes: *const pthread_condattr_t) -> c_int,
    |next| quiet(Function::CondInit, next)
);

interpose!(fn pthread_cond_destroy(condition: *mut pthread_cond_t) -> c_int, |next| quiet(Function::CondDestroy, next));

interpose!(
    fn pthread_cond_wait(condition: *mut pthread_cond_t, mutex: *mut pthread_mutex_t) -> c_int,
    |next| wait(Function::CondWait, mutex, libc::ETIMEDOUT, next)
);

interpose!(
    fn pthread_cond_timedwait(
        condition: *mut pthread_cond_t,
        mutex: *mut pthread_mutex_t,
        until: *const timespec
    ) -> c_int,
    |next| wait(Function::CondTimedwait, mutex, libc::ETIMEDOUT, next)
);

interpose!(
    fn pthread_cond_clockwait(
        condition: *mut pthread_cond_t,
        mutex: *mut pthread_mutex_t,
        clock: clockid_t,
        until: *const timespec
    ) -> c_int,
    |next| wait(Function::CondTimedwait, mutex, libc::ETIMEDOUT, next)
);

interpose!(fn pthread_cond_signal(condition: *mut pthread_cond_t) -> c_int, |next| plain(Function::CondSignal, next));

interpose!(
    fn pthread_cond_broadcast(condition: *mut pthread_cond_t) -> c_int,
    |next| plain(Function::CondBroadcast, next)
);
