//! Mutexes, and condition variables, which release a mutex while they wait.
//!
//! A free lock is taken by an attempt (`pthread_mutex_trylock`) and nothing is recorded, unless all
//! locks are asked for. A lock that is held is waited for, in the region of the call, and then
//! acquired.
//!
//! Locks are identified by address. The data of a lock changes only while its mutex is held, so
//! that the mutex itself synchronises the threads. A recursive mutex is acquired and released once,
//! from its first lock to its last unlock. Invariant: a release is recorded if and only if the
//! acquisition was. A thread that holds no recorded lock does not look one up.

use std::ffi::c_int;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use libc::{clockid_t, pthread_mutex_t, pthread_mutexattr_t, timespec};

use super::{Function, are_only_long, around, around_waiting, attempt, interpose, quiet};
use crate::address_table::{AddressTable, UNKNOWN};
use crate::current;
use crate::mapped::{Zeroed, zeroed};
use crate::measurement::Here;
use crate::sanitizers::has_thread_sanitizer;
use crate::slots::CountKey;

/// The data of a lock.
#[derive(Debug, Default)]
struct ThreadLock {
    /// The number, counted from 1; 0 before the lock is known.
    number: AtomicU32,
    /// The number of acquisitions.
    order: AtomicU32,
    /// The number of the owner's location + 1, or 0.
    owner: AtomicU32,
    /// How often the owner must unlock it.
    depth: AtomicU32,
}

// SAFETY: atomics are integers.
unsafe impl Zeroed for ThreadLock {}

/// The number of locks that are allocated together: a page.
const BLOCK: usize = 256;

/// Whether uncontended locks are recorded.
static ALL: AtomicBool = AtomicBool::new(false);
/// The bits of a mutex kind that forbid attempts, if a sanitizer watches the locks.
static WATCHED: AtomicU32 = AtomicU32::new(0);

static TABLE: AddressTable = AddressTable::new();
/// The number of locks known. Changed only under the lock of the table.
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// The addresses of the blocks of locks, by block number from 1.
static BLOCKS: AddressTable = AddressTable::new();

/// Chooses whether all locks are recorded.
pub(super) fn choose(all: bool) {
    ALL.store(all, Ordering::Relaxed);
    // ThreadSanitizer derives no lock order from a lock that is taken by an attempt.
    let kind = if has_thread_sanitizer() { MutexWords::SPECIAL } else { 0 };
    WATCHED.store(kind, Ordering::Relaxed);
}

#[inline(always)]
pub(super) fn are_all() -> bool {
    ALL.load(Ordering::Relaxed)
}

/// The number of locks whose acquisition by a thread was recorded and whose release was not yet.
const HELD: CountKey<0> = CountKey;

pub(super) type ThreadLocksHold = (MutexGuard<'static, usize>, MutexGuard<'static, usize>);

/// Keeps locks from becoming known while the process forks.
pub(super) fn hold() -> ThreadLocksHold {
    (TABLE.hold(), BLOCKS.hold())
}

/// Forgets the owners of locks, in a forked child: its threads are not those of the parent.
pub(super) fn forget() {
    for number in 0..COUNT.load(Ordering::Relaxed) {
        if let Some(lock) = lock_at(BLOCKS.get(number / BLOCK + 1), number) {
            lock.owner.store(0, Ordering::Relaxed);
        }
    }
    HELD.set_of_thread(0);
}

/// Returns a lock in its block.
fn lock_at(block: u64, number: usize) -> Option<&'static ThreadLock> {
    let locks = block as *const ThreadLock;
    // SAFETY: null, or a block, which has that many locks and is never freed.
    (!locks.is_null()).then(|| unsafe { &*locks.add(number % BLOCK) })
}

/// Returns the data of a mutex by its address; `None` if it was never acquired.
fn known_lock(mutex: usize) -> Option<&'static ThreadLock> {
    // SAFETY: `UNKNOWN`, which is null, or a result of `new_lock`.
    unsafe { (TABLE.get(mutex) as *const ThreadLock).as_ref() }
}

/// Like [`known_lock`], but creates the data if there is none; `None` if memory is refused.
fn lock_of(mutex: usize) -> Option<&'static ThreadLock> {
    known_lock(mutex).or_else(|| {
        // SAFETY: as above.
        unsafe { (TABLE.get_or_insert(mutex, new_lock) as *const ThreadLock).as_ref() }
    })
}

/// Returns the address of a new lock. The allocator is not used: the mutex may be its own.
fn new_lock() -> u64 {
    let count = COUNT.load(Ordering::Relaxed);
    let block = BLOCKS.get_or_insert(count / BLOCK + 1, || {
        zeroed::<ThreadLock>(BLOCK).map_or(UNKNOWN, |locks| locks.as_ptr().addr() as u64)
    });
    let Some(lock) = lock_at(block, count) else { return UNKNOWN };
    COUNT.store(count + 1, Ordering::Relaxed);
    lock.number
        .store(u32::try_from(count).map_or(u32::MAX, |count| count.saturating_add(1)), Ordering::Relaxed);
    std::ptr::from_ref(lock).addr() as u64
}

/// Records that this thread locked the mutex. The thread must hold it.
fn acquired(here: &Here, mutex: usize) {
    let Some(lock) = lock_of(mutex) else { return };
    let me = here.location().wrapping_add(1);
    if lock.owner.load(Ordering::Relaxed) == me {
        lock.depth.fetch_add(1, Ordering::Relaxed);
        return;
    }
    lock.owner.store(me, Ordering::Relaxed);
    lock.depth.store(1, Ordering::Relaxed);
    HELD.set_of_thread(HELD.of_thread().wrapping_add(1));
    let order = lock.order.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
    here.lock_acquired(lock.number.load(Ordering::Relaxed) - 1, order);
}

/// Records that the mutex is about to be unlocked. Nothing is released if another thread locked it,
/// as far as is known.
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

/// Clears the owner of a lock, which is this thread.
fn disown(lock: &ThreadLock) {
    lock.owner.store(0, Ordering::Relaxed);
    HELD.set_of_thread(HELD.of_thread().saturating_sub(1));
}

/// Returns the data of a mutex that this thread holds, if its acquisition was recorded.
#[inline(always)]
fn own_lock(mutex: usize) -> Option<&'static ThreadLock> {
    if HELD.of_thread() == 0 { None } else { find_own_lock(mutex) }
}

#[cold]
fn find_own_lock(mutex: usize) -> Option<&'static ThreadLock> {
    let me = current::location()?.id.wrapping_add(1);
    known_lock(mutex).filter(|lock| lock.owner.load(Ordering::Relaxed) == me)
}

/// Counts an acquisition of the mutex without an event: if this thread held it before, it must be
/// unlocked once more.
#[inline(always)]
fn acquired_in_silence(mutex: usize) {
    if let Some(lock) = own_lock(mutex) {
        lock.depth.fetch_add(1, Ordering::Relaxed);
    }
}

/// Clears the owner of a new mutex: a previous mutex at this address is gone, even if it was never
/// unlocked.
fn made(mutex: usize) {
    match own_lock(mutex) {
        Some(lock) => disown(lock),
        None => {
            if let Some(lock) = known_lock(mutex) {
                lock.owner.store(0, Ordering::Relaxed);
            }
        }
    }
}

/// Returns whether a function that locks a mutex succeeded, which it also does if the owner died.
fn is_locked(result: c_int) -> bool {
    matches!(result, 0 | libc::EOWNERDEAD)
}

/// Initialises the lock at this address with `next`, which returns 0 on success.
pub(super) fn init<T>(function: Function, mutex: *mut T, next: impl FnOnce() -> c_int) -> c_int {
    quiet(function, || {
        let result = next();
        if result == 0 {
            made(mutex.addr());
        }
        result
    })
}

/// Acquires the lock at this address with `attempt` if it is free, else with `next`, which would
/// have the same effect on a free lock.
///
/// An attempt fails whenever `next` would not return immediately, and on errors, which `next`
/// reports.
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

/// Like [`lock`], but waits until a time. `next` may report an invalid clock or time even if the
/// lock is free, so no attempt is made with such arguments.
///
/// # Safety
///
/// The time must be null or valid.
#[inline(always)]
pub(super) unsafe fn lock_until<T>(
    function: Function,
    mutex: *mut T,
    (clock, until): (clockid_t, *const timespec),
    attempt: impl FnOnce() -> c_int,
    next: impl FnOnce() -> c_int,
) -> c_int {
    // SAFETY: the time is null or valid.
    let is_sound = unsafe { is_sound(clock, until) };
    lock(function, mutex, || if is_sound { attempt() } else { libc::EBUSY }, next)
}

/// Returns whether functions that wait until a time accept this clock and time.
///
/// # Safety
///
/// The time must be null or valid.
pub(super) unsafe fn is_sound(clock: clockid_t, until: *const timespec) -> bool {
    // SAFETY: the time is null or valid.
    let until = unsafe { until.as_ref() };
    matches!(clock, libc::CLOCK_REALTIME | libc::CLOCK_MONOTONIC)
        && until.is_some_and(|until| (0..1_000_000_000).contains(&until.tv_nsec))
}

/// Tries to acquire the lock at this address with `next`, which never waits.
#[inline(always)]
pub(super) fn try_lock<T>(function: Function, mutex: *mut T, next: impl FnOnce() -> c_int) -> c_int {
    if are_all() {
        return acquire(function, mutex, next);
    }
    in_silence(mutex, next)
}

/// Acquires the lock at this address with `next`, without an event.
#[inline(always)]
fn in_silence<T>(mutex: *mut T, next: impl FnOnce() -> c_int) -> c_int {
    let result = next();
    if is_locked(result) {
        acquired_in_silence(mutex.addr());
    }
    result
}

/// Acquires the lock at this address with `next`, in its region.
#[inline(never)]
fn acquire<T>(function: Function, mutex: *mut T, next: impl FnOnce() -> c_int) -> c_int {
    if are_only_long() {
        return around_waiting(function, next, |here, result| match here {
            _ if !is_locked(result) => {}
            Some(here) => acquired(here, mutex.addr()),
            None => acquired_in_silence(mutex.addr()),
        });
    }
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

/// Releases the lock at this address with `next`.
#[inline(always)]
pub(super) fn unlock<T>(function: Function, mutex: *mut T, next: impl FnOnce() -> c_int) -> c_int {
    match own_lock(mutex.addr()) {
        None if !are_all() => next(),
        lock => release(function, mutex, lock, next),
    }
}

/// Unlocks a lock whose acquisition by this thread may have been recorded. An unlock after which
/// the thread still holds the lock releases nothing, and is recorded only if all locks are.
#[inline(never)]
fn release<T>(
    function: Function,
    mutex: *mut T,
    lock: Option<&'static ThreadLock>,
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

/// Waits with `next`, which releases the mutex until it returns. `timed_out` is its result on a
/// timeout, after which the mutex is locked as well.
pub(super) fn wait<T>(
    function: Function,
    mutex: *mut T,
    timed_out: c_int,
    next: impl FnOnce() -> c_int,
) -> c_int {
    let is_recorded = own_lock(mutex.addr()).is_some();
    if are_only_long() && !is_recorded {
        return around_waiting(function, next, |here, result| {
            if let Some(here) = here.filter(|_| is_locked(result) || result == timed_out) {
                acquired(here, mutex.addr());
            }
        });
    }
    if function.is_excluded() && !is_recorded {
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

/// The beginning of a glibc mutex. The offset of its kind is fixed by initialisers that are
/// compiled into programs.
#[repr(C)]
struct MutexWords {
    /// 0 if the mutex is free.
    lock: AtomicU32,
    _count_owner_users: [u32; 3],
    kind: AtomicU32,
}

impl MutexWords {
    /// The bits of robust mutexes, and of those that inherit or protect priorities.
    const SPECIAL: u32 = 0x70;

    fn of<'a>(mutex: *const pthread_mutex_t) -> Option<&'a Self> {
        const { assert!(size_of::<Self>() <= size_of::<pthread_mutex_t>()) };
        // SAFETY: null, or a mutex, which is larger and valid during the call. Other threads change
        // it atomically.
        unsafe { mutex.cast::<Self>().as_ref() }
    }

    /// Returns whether `pthread_mutex_trylock` differs from `pthread_mutex_lock` on a free mutex:
    /// with glibc it leaves a robust mutex locked that cannot be recovered, and the next call would
    /// wait forever.
    #[inline(always)]
    fn forbid_attempts(&self) -> bool {
        (self.kind.load(Ordering::Relaxed) | WATCHED.load(Ordering::Relaxed)) & Self::SPECIAL != 0
    }

    /// Locks such a mutex, with an event unless it is free. This is checked beforehand, so a wait
    /// is not recorded if another thread locks the mutex in between.
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
    // SAFETY: the program's time, which the C library would read.
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
