//! The events of threads and their locks.

use core::sync::atomic::Ordering::Relaxed;

use kymo_substrate::bindings::*;

use crate::events::call;
use crate::life;
use crate::measurement::{Creation, Here};

impl Here {
    /// Records the creation of a thread. The result must be passed to
    /// [`crate::measurement::thread_begin`].
    pub fn thread_create(&self) -> Creation {
        let (host, location) = self.parts();
        let sequence = host.creations.fetch_add(1, Relaxed) + 1;
        let (team, now) = (life::threads::team(host), self.now());
        location.last_time.store(now, Relaxed);
        call!(
            host.table(),
            SCOREP_EVENT_THREAD_CREATE_WAIT_CREATE: SCOREP_Substrates_ThreadCreateWaitCreateCb,
            location.address(), now, SCOREP_PARADIGM_PTHREAD, team, sequence
        );
        Creation { parent: location.id, sequence }
    }

    /// Records that the end of a thread was waited for.
    pub fn thread_wait(&self, creation: Creation) {
        let (host, location) = self.parts();
        let (team, now) = (life::threads::team(host), self.now());
        location.last_time.store(now, Relaxed);
        call!(
            host.table(),
            SCOREP_EVENT_THREAD_CREATE_WAIT_WAIT: SCOREP_Substrates_ThreadCreateWaitWaitCb,
            location.address(), now, SCOREP_PARADIGM_PTHREAD, team, creation.sequence
        );
    }

    /// Records the `order`-th acquisition of a lock (POSIX threads).
    pub fn lock_acquired(&self, lock: u32, order: u32) {
        let (host, location) = self.parts();
        let (paradigm, now) = (SCOREP_PARADIGM_PTHREAD, self.now());
        location.last_time.store(now, Relaxed);
        call!(
            host.table(),
            SCOREP_EVENT_THREAD_ACQUIRE_LOCK: SCOREP_Substrates_ThreadAcquireLockCb,
            location.address(), now, paradigm, lock, order
        );
    }

    /// Records the release of a lock after its `order`-th acquisition.
    pub fn lock_released(&self, lock: u32, order: u32) {
        let (host, location) = self.parts();
        let (paradigm, now) = (SCOREP_PARADIGM_PTHREAD, self.now());
        location.last_time.store(now, Relaxed);
        call!(
            host.table(),
            SCOREP_EVENT_THREAD_RELEASE_LOCK: SCOREP_Substrates_ThreadReleaseLockCb,
            location.address(), now, paradigm, lock, order
        );
    }
}
