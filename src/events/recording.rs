//! Switching recording on and off (events 0 and 1), and events while it is off.
//!
//! While recording is off, every event is still delivered, through the second table, and most are
//! dropped. Those whose absence breaks a promise of the archive's properties are noted. The
//! creation and destruction of communicators, windows and I/O handles is still recorded, because
//! later events refer to them.

use kymo_otf2::{enums::MeasurementMode, events::MeasurementOnOff};
use kymo_recorder::EventClass;
use kymo_substrate::{
    CollectiveType, Events, InterimCommunicatorHandle, Location, Metrics, MpiRank, ParadigmType,
    RegionHandle, Task, Timestamp,
};

use super::events;
use crate::{Kymo, events::Sink};

impl Sink {
    /// Records that recording was switched on, even if it was on before.
    pub(super) fn enable_recording(
        &self,
        at: Location,
        time: Timestamp,
        _region: RegionHandle,
        _metrics: Metrics,
    ) {
        self.record(at, time, &MeasurementOnOff { measurement_mode: MeasurementMode::ON });
    }

    /// Records that recording was switched off. If it was off before, the call uses the second
    /// table and is not recorded.
    pub(super) fn disable_recording(
        &self,
        at: Location,
        time: Timestamp,
        _region: RegionHandle,
        _metrics: Metrics,
    ) {
        self.record(at, time, &MeasurementOnOff { measurement_mode: MeasurementMode::OFF });
    }
}

/// A callback that notes that an event of a class is missing and ignores the arguments.
macro_rules! miss {
    ($class:ident; $($argument:ty),*) => {
        Some(|kymo: &Kymo, _: Location, _: Timestamp, $(_: $argument),*| kymo.sink.lose(EventClass::$class))
    };
}

type Comm = InterimCommunicatorHandle;

pub(crate) const DISABLED: Events<Kymo> = events! {
    {
        mpi_send: miss!(MpiCommunication; MpiRank, Comm, u32, u64),
        mpi_recv: miss!(MpiCommunication; MpiRank, Comm, u32, u64),
        mpi_collective_begin: miss!(MpiCommunication;),
        mpi_collective_end: miss!(MpiCommunication; Comm, MpiRank, CollectiveType, u64, u64),
        mpi_irecv_request: miss!(MpiCommunication; u64),
        mpi_request_tested: miss!(MpiCommunication; u64),
        mpi_request_cancelled: miss!(MpiCommunication; u64),
        mpi_isend: miss!(MpiCommunication; MpiRank, Comm, u32, u64, u64),
        mpi_irecv: miss!(MpiCommunication; MpiRank, Comm, u32, u64, u64),
        mpi_non_blocking_collective_request: miss!(MpiCommunication; u64),
        mpi_non_blocking_collective_complete: miss!(MpiCommunication; Comm, MpiRank, CollectiveType, u64, u64, u64),
        mpi_probe: miss!(MpiCommunication; MpiRank, Comm, u32, u64),
        mpi_mrecv: miss!(MpiCommunication; u64, u64),
        mpi_imrecv_request: miss!(MpiCommunication; u64, u64),
        mpi_imrecv: miss!(MpiCommunication; u64, u64),
        thread_fork_join_fork: miss!(ThreadForkJoin; ParadigmType, u32, u32),
        thread_fork_join_join: miss!(ThreadForkJoin; ParadigmType),
        thread_fork_join_team_begin: miss!(ThreadForkJoin; ParadigmType, Comm, u64),
        thread_fork_join_team_end: miss!(ThreadForkJoin; ParadigmType, Comm),
        thread_fork_join_task_create: miss!(ThreadForkJoin; ParadigmType, Comm, u32, u32),
        thread_fork_join_task_switch: miss!(ThreadForkJoin; Metrics, ParadigmType, Comm, u32, u32, Task),
        thread_fork_join_task_begin: miss!(ThreadForkJoin; RegionHandle, Metrics, ParadigmType, Comm, u32, u32, Task),
        thread_fork_join_task_end: miss!(ThreadForkJoin; RegionHandle, Metrics, ParadigmType, Comm, u32, u32, Task),
        thread_create_wait_create: miss!(ThreadCreateWait; ParadigmType, Comm, u32),
        thread_create_wait_wait: miss!(ThreadCreateWait; ParadigmType, Comm, u32),
        thread_create_wait_end: miss!(ThreadCreateWait; ParadigmType, Comm, u32),
        thread_acquire_lock: miss!(ThreadLock; ParadigmType, u32, u32),
        thread_release_lock: miss!(ThreadLock; ParadigmType, u32, u32),
        thread_create_wait_begin: Some(|kymo, at, time, _, _, _, _| kymo.sink.miss_thread_begin(at, time)),
        program_end: Some(Kymo::program_end),
    }
    rma_win_create(window)
    rma_win_destroy(window)
    comm_create(communicator)
    comm_destroy(communicator)
    io_create_handle(handle, mode, creation, status)
    io_destroy_handle(handle)
    io_duplicate_handle(old, new, status)
    ..Events::NONE
};
