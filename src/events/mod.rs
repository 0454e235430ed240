//! The event callbacks, one file per family, and the two tables of them.
//!
//! Every callback finds its location's writer by address and the ids by handle, and stores the
//! record; see `Kymo::at`. Event numbers are those of the plugin interface of Score-P 8.x.

#![expect(clippy::too_many_arguments, reason = "the signatures are those of the plugin interface")]

mod calling_context;
mod flush;
mod io;
mod lock;
mod memory;
mod metric;
mod mpi;
mod parameter;
mod program;
mod recording;
mod region;
mod rewind;
mod rma;
mod task;
mod thread;

use kymo_otf2::{
    records::EventRecord,
    references::{
        CallingContextRef, CommRef, GroupRef, InterruptGeneratorRef, IoFileRef, IoHandleRef, ParameterRef,
        RegionRef, RmaWinRef, StringRef,
    },
};
use kymo_recorder::{EventClass, TrackWriter};
use kymo_substrate::{
    CallingContextHandle, Events, GroupHandle, InterimCommunicatorHandle, InterruptGeneratorHandle,
    IoFileHandle, IoHandleHandle, Location, ParameterHandle, RegionHandle, RmaWindowHandle, StringHandle,
    Timestamp,
};

use crate::Kymo;

/// The callbacks while recording is on: all events.
pub(crate) const ENABLED: Events<Kymo> = Events {
    enable_recording: Some(Kymo::enable_recording),
    disable_recording: Some(Kymo::disable_recording),
    on_tracing_buffer_flush_begin: Some(Kymo::on_tracing_buffer_flush_begin),
    on_tracing_buffer_flush_end: Some(Kymo::on_tracing_buffer_flush_end),
    enter_region: Some(Kymo::enter_region),
    exit_region: Some(Kymo::exit_region),
    sample: Some(Kymo::sample),
    calling_context_enter: Some(Kymo::calling_context_enter),
    calling_context_exit: Some(Kymo::calling_context_exit),
    enter_rewind_region: Some(Kymo::enter_rewind_region),
    exit_rewind_region: Some(Kymo::exit_rewind_region),
    mpi_send: Some(Kymo::mpi_send),
    mpi_recv: Some(Kymo::mpi_recv),
    mpi_collective_begin: Some(Kymo::mpi_collective_begin),
    mpi_collective_end: Some(Kymo::mpi_collective_end),
    mpi_isend_complete: Some(Kymo::mpi_isend_complete),
    mpi_irecv_request: Some(Kymo::mpi_irecv_request),
    mpi_request_tested: Some(Kymo::mpi_request_tested),
    mpi_request_cancelled: Some(Kymo::mpi_request_cancelled),
    mpi_isend: Some(Kymo::mpi_isend),
    mpi_irecv: Some(Kymo::mpi_irecv),
    rma_win_create: Some(Kymo::rma_win_create),
    rma_win_destroy: Some(Kymo::rma_win_destroy),
    rma_collective_begin: Some(Kymo::rma_collective_begin),
    rma_collective_end: Some(Kymo::rma_collective_end),
    rma_try_lock: Some(Kymo::rma_try_lock),
    rma_acquire_lock: Some(Kymo::rma_acquire_lock),
    rma_request_lock: Some(Kymo::rma_request_lock),
    rma_release_lock: Some(Kymo::rma_release_lock),
    rma_sync: Some(Kymo::rma_sync),
    rma_group_sync: Some(Kymo::rma_group_sync),
    rma_put: Some(Kymo::rma_put),
    rma_get: Some(Kymo::rma_get),
    rma_atomic: Some(Kymo::rma_atomic),
    rma_wait_change: Some(Kymo::rma_wait_change),
    rma_op_complete_blocking: Some(Kymo::rma_op_complete_blocking),
    rma_op_complete_non_blocking: Some(Kymo::rma_op_complete_non_blocking),
    rma_op_test: Some(Kymo::rma_op_test),
    rma_op_complete_remote: Some(Kymo::rma_op_complete_remote),
    thread_acquire_lock: Some(Kymo::thread_acquire_lock),
    thread_release_lock: Some(Kymo::thread_release_lock),
    trigger_counter_int64: Some(Kymo::trigger_counter_int64),
    trigger_counter_uint64: Some(Kymo::trigger_counter_uint64),
    trigger_counter_double: Some(Kymo::trigger_counter_double),
    trigger_parameter_int64: Some(Kymo::trigger_parameter_int64),
    trigger_parameter_uint64: Some(Kymo::trigger_parameter_uint64),
    trigger_parameter_string: Some(Kymo::trigger_parameter_string),
    thread_fork_join_fork: Some(Kymo::thread_fork_join_fork),
    thread_fork_join_join: Some(Kymo::thread_fork_join_join),
    thread_fork_join_team_begin: Some(Kymo::thread_fork_join_team_begin),
    thread_fork_join_team_end: Some(Kymo::thread_fork_join_team_end),
    thread_fork_join_task_create: Some(Kymo::thread_fork_join_task_create),
    thread_fork_join_task_switch: Some(Kymo::thread_fork_join_task_switch),
    thread_fork_join_task_begin: Some(Kymo::thread_fork_join_task_begin),
    thread_fork_join_task_end: Some(Kymo::thread_fork_join_task_end),
    thread_create_wait_create: Some(Kymo::thread_create_wait_create),
    thread_create_wait_wait: Some(Kymo::thread_create_wait_wait),
    thread_create_wait_begin: Some(Kymo::thread_create_wait_begin),
    thread_create_wait_end: Some(Kymo::thread_create_wait_end),
    track_alloc: Some(Kymo::track_alloc),
    track_realloc: Some(Kymo::track_realloc),
    track_free: Some(Kymo::track_free),
    write_post_mortem_metrics: Some(Kymo::write_post_mortem_metrics),
    program_begin: Some(Kymo::program_begin),
    program_end: Some(Kymo::program_end),
    io_create_handle: Some(Kymo::io_create_handle),
    io_destroy_handle: Some(Kymo::io_destroy_handle),
    io_duplicate_handle: Some(Kymo::io_duplicate_handle),
    io_seek: Some(Kymo::io_seek),
    io_change_status_flags: Some(Kymo::io_change_status_flags),
    io_delete_file: Some(Kymo::io_delete_file),
    io_operation_begin: Some(Kymo::io_operation_begin),
    io_operation_issued: Some(Kymo::io_operation_issued),
    io_operation_test: Some(Kymo::io_operation_test),
    io_operation_complete: Some(Kymo::io_operation_complete),
    io_operation_cancelled: Some(Kymo::io_operation_cancelled),
    io_acquire_lock: Some(Kymo::io_acquire_lock),
    io_try_lock: Some(Kymo::io_try_lock),
    io_release_lock: Some(Kymo::io_release_lock),
    mpi_non_blocking_collective_request: Some(Kymo::mpi_non_blocking_collective_request),
    mpi_non_blocking_collective_complete: Some(Kymo::mpi_non_blocking_collective_complete),
    comm_create: Some(Kymo::comm_create),
    comm_destroy: Some(Kymo::comm_destroy),
};

pub(crate) use recording::DISABLED;

impl Kymo {
    /// Writes the records of one event to its location, if that can be written to now.
    fn at(&self, at: Location, time: Timestamp, write: impl FnOnce(&mut TrackWriter)) {
        match self.recorder.track(at.address()) {
            Some(track) => track.record_at(time, write),
            None => self.recorder.count_untracked(),
        }
    }

    /// Records an event that consists of one record without attributes.
    fn record<R: EventRecord>(&self, at: Location, time: Timestamp, record: &R) {
        self.at(at, time, |location| location.record(time, record));
    }

    /// Like [`record`](Self::record), but for an event that a completeness property depends on.
    fn record_classed<R: EventRecord>(&self, at: Location, time: Timestamp, class: EventClass, record: &R) {
        self.at(at, time, |location| {
            location.count(class);
            location.record(time, record);
        });
    }
}

impl Kymo {
    fn comm(&self, communicator: InterimCommunicatorHandle) -> CommRef {
        CommRef(self.definitions.communicator(communicator))
    }
}

/// Functions that look up ids by handle. An unknown handle gives the undefined reference.
macro_rules! references {
    ($($name:ident($handle:ty) -> $reference:ident;)*) => {
        impl Kymo {
            $(
                fn $name(&self, handle: $handle) -> $reference {
                    $reference(self.definitions.id(handle.raw()))
                }
            )*
        }
    };
}

references! {
    region(RegionHandle) -> RegionRef;
    string(StringHandle) -> StringRef;
    parameter(ParameterHandle) -> ParameterRef;
    group(GroupHandle) -> GroupRef;
    window(RmaWindowHandle) -> RmaWinRef;
    calling_context(CallingContextHandle) -> CallingContextRef;
    interrupt_generator(InterruptGeneratorHandle) -> InterruptGeneratorRef;
    io_file(IoFileHandle) -> IoFileRef;
    io_handle(IoHandleHandle) -> IoHandleRef;
}
