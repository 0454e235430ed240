//! Locks of threading models (events 39 and 40).

use kymo_otf2::events::{ThreadAcquireLock, ThreadReleaseLock};
use kymo_recorder::EventClass;
use kymo_substrate::{Location, ParadigmType, Timestamp};

use crate::{Kymo, mapping};

impl Kymo {
    pub(crate) fn thread_acquire_lock(
        &self,
        at: Location,
        time: Timestamp,
        paradigm: ParadigmType,
        lock: u32,
        acquisition_order: u32,
    ) {
        let record =
            ThreadAcquireLock { model: mapping::paradigm(paradigm), lock_id: lock, acquisition_order };
        self.record_classed(at, time, EventClass::ThreadLock, &record);
    }

    pub(crate) fn thread_release_lock(
        &self,
        at: Location,
        time: Timestamp,
        paradigm: ParadigmType,
        lock: u32,
        acquisition_order: u32,
    ) {
        let record =
            ThreadReleaseLock { model: mapping::paradigm(paradigm), lock_id: lock, acquisition_order };
        self.record_classed(at, time, EventClass::ThreadLock, &record);
    }
}
