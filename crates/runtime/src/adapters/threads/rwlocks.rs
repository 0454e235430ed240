//! Read-write locks.
//!
//! A lock in OTF2 has one holder at a time, and no record marks it as shared. A thread that locks
//! for writing therefore acquires the lock like a mutex. A thread that locks for reading has only
//! the region of the call: it acquires nothing and, as it is not the owner, its unlock releases
//! nothing.

use std::ffi::c_int;

use libc::{clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec};

use super::locks;
use super::{Function, attempt, interpose, plain_or_long, quiet};

/// Locks for reading with `attempt` if that succeeds without waiting, else with `next` in its
/// region.
#[inline(always)]
fn read_lock(attempt: impl FnOnce() -> c_int, next: impl FnOnce() -> c_int) -> c_int {
    if !locks::are_all() && attempt() == 0 {
        return 0;
    }
    plain_or_long(Function::RwlockRdlock, next)
}

fn timed_read_lock(
    lock: *mut pthread_rwlock_t,
    (clock, until): (clockid_t, *const timespec),
    next: impl FnOnce() -> c_int,
) -> c_int {
    let attempt = attempt!(pthread_rwlock_tryrdlock(lock: *mut pthread_rwlock_t));
    // SAFETY: the program's time, which the C library would read.
    let is_sound = unsafe { locks::is_sound(clock, until) };
    read_lock(|| if is_sound { attempt() } else { libc::EBUSY }, next)
}

fn timed_write_lock(
    lock: *mut pthread_rwlock_t,
    time: (clockid_t, *const timespec),
    next: impl FnOnce() -> c_int,
) -> c_int {
    let attempt = attempt!(pthread_rwlock_trywrlock(lock: *mut pthread_rwlock_t));
    // SAFETY: as above.
    unsafe { locks::lock_until(Function::RwlockWrlock, lock, time, attempt, next) }
}

interpose!(
    fn pthread_rwlock_init(lock: *mut pthread_rwlock_t, attributes: *const pthread_rwlockattr_t) -> c_int,
    |next| locks::init(Function::RwlockInit, lock, next)
);

interpose!(fn pthread_rwlock_destroy(lock: *mut pthread_rwlock_t) -> c_int, |next| quiet(Function::RwlockDestroy, next));

interpose!(
    fn pthread_rwlock_rdlock(lock: *mut pthread_rwlock_t) -> c_int,
    |next| read_lock(attempt!(pthread_rwlock_tryrdlock(lock: *mut pthread_rwlock_t)), next)
);

interpose!(
    fn pthread_rwlock_timedrdlock(lock: *mut pthread_rwlock_t, until: *const timespec) -> c_int,
    |next| timed_read_lock(lock, (libc::CLOCK_REALTIME, until), next)
);

interpose!(
    fn pthread_rwlock_clockrdlock(lock: *mut pthread_rwlock_t, clock: clockid_t, until: *const timespec) -> c_int,
    |next| timed_read_lock(lock, (clock, until), next)
);

interpose!(
    fn pthread_rwlock_tryrdlock(lock: *mut pthread_rwlock_t) -> c_int,
    |next| quiet(Function::RwlockTryrdlock, next)
);

interpose!(
    fn pthread_rwlock_wrlock(lock: *mut pthread_rwlock_t) -> c_int,
    |next| locks::lock(
        Function::RwlockWrlock,
        lock,
        attempt!(pthread_rwlock_trywrlock(lock: *mut pthread_rwlock_t)),
        next
    )
);

interpose!(
    fn pthread_rwlock_timedwrlock(lock: *mut pthread_rwlock_t, until: *const timespec) -> c_int,
    |next| timed_write_lock(lock, (libc::CLOCK_REALTIME, until), next)
);

interpose!(
    fn pthread_rwlock_clockwrlock(
        lock: *mut pthread_rwlock_t,
        clock: clockid_t,
        until: *const timespec
    ) -> c_int,
    |next| timed_write_lock(lock, (clock, until), next)
);

interpose!(
    fn pthread_rwlock_trywrlock(lock: *mut pthread_rwlock_t) -> c_int,
    |next| locks::try_lock(Function::RwlockTrywrlock, lock, next)
);

interpose!(
    fn pthread_rwlock_unlock(lock: *mut pthread_rwlock_t) -> c_int,
    |next| locks::unlock(Function::RwlockUnlock, lock, next)
);
