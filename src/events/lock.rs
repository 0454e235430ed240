//! Locks of threading models (events 39 and 40).

use kymo_otf2::events::{ThreadAcquireLock, ThreadReleaseLock};
use kymo_recorder::EventClass;
use kymo_substrate::{Location, ParadigmType, Timestamp};

use super::callbacks;
use crate::{events::Sink, mapping};

callbacks! {
    [count ThreadLock]
    |_sink, paradigm: ParadigmType, lock: u32, acquisition_order: u32| {
        model: mapping::paradigm(paradigm), lock_id: lock, acquisition_order: acquisition_order,
    }
    thread_acquire_lock: ThreadAcquireLock,
    thread_release_lock: ThreadReleaseLock,
}
