//! Mutexes, and condition variables, which give a mutex back while they wait.
//!
//! A lock is known by its address. What is known of it changes only while its mutex is held, so that the mutex itself is what keeps
//! threads apart. A recursive mutex is acquired and released once, from its first lock to its last unlock.

use std::ffi::c_int;
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use libc::{clockid_t, pthread_cond_t, pthread_condattr_t, pthread_mutex_t, pthread_mutexattr_t, timespec};

use super::{Function, around, interpose, plain};
use crate::address_table::{AddressTable, UNKNOWN};
use crate::measurement::Here;
use crate::memory::{Zeroed, zeroed};

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

static TABLE: AddressTable = AddressTable::new();
/// How many locks are known; whoever holds the table changes it.
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// Where the blocks of locks lie, by their number from 1.
static BLOCKS: AddressTable = AddressTable::new();

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
        lock.owner.store(0, Ordering::Relaxed);
        here.lock_released(lock.number.load(Ordering::Relaxed) - 1, lock.order.load(Ordering::Relaxed));
    }
}

/// A mutex was made. Nobody holds it: the one that lay there before is gone, whether or not it was unlocked.
fn made(mutex: usize) {
    if let Some(lock) = known_lock(mutex) {
        lock.owner.store(0, Ordering::Relaxed);
    }
}

/// Whether a function that locks a mutex did so: also if its owner had died.
fn is_locked(result: c_int) -> bool {
    matches!(result, 0 | libc::EOWNERDEAD)
}

/// Makes what has this address with `next`, which says 0 if it did.
pub(super) fn init<T>(function: Function, mutex: *mut T, next: impl FnOnce() -> c_int) -> c_int {
    around(
        function,
        |_| {},
        next,
        |_, result| {
            if result == 0 {
                made(mutex.addr());
            }
        },
    )
}

/// Locks what has this address with `next`.
pub(super) fn lock<T>(function: Function, mutex: *mut T, next: impl FnOnce() -> c_int) -> c_int {
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
pub(super) fn unlock<T>(function: Function, mutex: *mut T, next: impl FnOnce() -> c_int) -> c_int {
    around(function, |here| released(here, mutex.addr()), next, |_, _| {})
}

/// Unlocks it until `next` returns; `timed_out` is what that says when time was over, for then the mutex is locked again as well.
pub(super) fn wait<T>(
    function: Function,
    mutex: *mut T,
    timed_out: c_int,
    next: impl FnOnce() -> c_int,
) -> c_int {
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

interpose!(fn pthread_mutex_destroy(mutex: *mut pthread_mutex_t) -> c_int, |next| plain(Function::MutexDestroy, next));

interpose!(fn pthread_mutex_lock(mutex: *mut pthread_mutex_t) -> c_int, |next| lock(Function::MutexLock, mutex, next));

interpose!(
    fn pthread_mutex_timedlock(mutex: *mut pthread_mutex_t, until: *const timespec) -> c_int,
    |next| lock(Function::MutexLock, mutex, next)
);

interpose!(
    fn pthread_mutex_clocklock(mutex: *mut pthread_mutex_t, clock: clockid_t, until: *const timespec) -> c_int,
    |next| lock(Function::MutexLock, mutex, next)
);

interpose!(
    fn pthread_mutex_trylock(mutex: *mut pthread_mutex_t) -> c_int,
    |next| lock(Function::MutexTrylock, mutex, next)
);

interpose!(
    fn pthread_mutex_unlock(mutex: *mut pthread_mutex_t) -> c_int,
    |next| unlock(Function::MutexUnlock, mutex, next)
);

interpose!(
    fn pthread_cond_init(condition: *mut pthread_cond_t, attributes: *const pthread_condattr_t) -> c_int,
    |next| plain(Function::CondInit, next)
);

interpose!(fn pthread_cond_destroy(condition: *mut pthread_cond_t) -> c_int, |next| plain(Function::CondDestroy, next));

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
