//! Read-write locks.
//!
//! A lock of OTF2 has one holder at a time, and no record says that it is shared. So who locks for writing acquires the lock as a mutex is
//! acquired; who locks for reading does so in a region and acquires nothing, and as it is no owner, its unlock releases nothing.

use std::ffi::c_int;

use libc::{clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec};

use super::locks;
use super::{Function, interpose, plain};

interpose!(
    fn pthread_rwlock_init(lock: *mut pthread_rwlock_t, attributes: *const pthread_rwlockattr_t) -> c_int,
    |next| locks::init(Function::RwlockInit, lock, next)
);

interpose!(fn pthread_rwlock_destroy(lock: *mut pthread_rwlock_t) -> c_int, |next| plain(Function::RwlockDestroy, next));

interpose!(fn pthread_rwlock_rdlock(lock: *mut pthread_rwlock_t) -> c_int, |next| plain(Function::RwlockRdlock, next));

interpose!(
    fn pthread_rwlock_timedrdlock(lock: *mut pthread_rwlock_t, until: *const timespec) -> c_int,
    |next| plain(Function::RwlockRdlock, next)
);

interpose!(
    fn pthread_rwlock_clockrdlock(lock: *mut pthread_rwlock_t, clock: clockid_t, until: *const timespec) -> c_int,
    |next| plain(Function::RwlockRdlock, next)
);

interpose!(
    fn pthread_rwlock_tryrdlock(lock: *mut pthread_rwlock_t) -> c_int,
    |next| plain(Function::RwlockTryrdlock, next)
);

interpose!(
    fn pthread_rwlock_wrlock(lock: *mut pthread_rwlock_t) -> c_int,
    |next| locks::lock(Function::RwlockWrlock, lock, next)
);

interpose!(
    fn pthread_rwlock_timedwrlock(lock: *mut pthread_rwlock_t, until: *const timespec) -> c_int,
    |next| locks::lock(Function::RwlockWrlock, lock, next)
);

interpose!(
    fn pthread_rwlock_clockwrlock(
        lock: *mut pthread_rwlock_t,
        clock: clockid_t,
        until: *const timespec
    ) -> c_int,
    |next| locks::lock(Function::RwlockWrlock, lock, next)
);

interpose!(
    fn pthread_rwlock_trywrlock(lock: *mut pthread_rwlock_t) -> c_int,
    |next| locks::lock(Function::RwlockTrywrlock, lock, next)
);

interpose!(
    fn pthread_rwlock_unlock(lock: *mut pthread_rwlock_t) -> c_int,
    |next| locks::unlock(Function::RwlockUnlock, lock, next)
);
