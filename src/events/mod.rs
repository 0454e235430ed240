//! The event callbacks, one file per family, and the two tables of them.
//!
//! Every callback finds its location's writer by address and the ids by handle, and stores the
//! record; see `Sink::at`. Event numbers are those of the plugin interface of Score-P 8.x.

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
mod sink;
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

pub(crate) use self::sink::Sink;
use crate::Kymo;

/// A table of callbacks: some functions, and events that are passed to the methods of the same name
/// of the sink.
macro_rules! events {
    (
        { $($field:ident: $function:expr),* $(,)? }
        $($name:ident($($argument:ident),*))*
        $(.. $others:expr)?
    ) => {
        Events {
            $($field: $function,)*
            $($name: Some(|kymo: &Kymo, at, time, $($argument),*| kymo.sink.$name(at, time, $($argument),*)),)*
            $(..$others)?
        }
    };
}
use events;

/// Callbacks that differ only in the type of their record: how it is recorded, the arguments, the
/// fields of the record, and for each callback its name and its record.
///
/// `[record]` records with [`Sink::record`], `[count CLASS]` with [`Sink::record_classed`].
///
/// ```text
/// callbacks! {
///     [count ThreadLock]
///     |sink, lock: u32| { lock_id: lock }
///     thread_acquire_lock: ThreadAcquireLock,
///     thread_release_lock: ThreadReleaseLock,
/// }
/// ```
macro_rules! callbacks {
    ($how:tt |$sink:ident $(, $argument:ident: $type:ty)*| $fields:tt $($name:ident: $record:ident),* $(,)?) => {
        impl Sink {
            callbacks! { @each $how $sink ($($argument: $type),*) $fields $($name $record)* }
        }
    };
    (@each $how:tt $sink:ident $arguments:tt $fields:tt $($name:ident $record:ident)*) => {
        $(callbacks! { @one $how $sink $arguments $fields $name $record })*
    };
    (
        @one $how:tt $sink:ident ($($argument:ident: $type:ty),*)
        { $($field:ident: $value:expr),* $(,)? } $name:ident $record:ident
    ) => {
        pub(super) fn $name(&self, at: Location, time: Timestamp, $($argument: $type),*) {
            let $sink = self;
            callbacks!(@how $how $sink, at, time, &$record { $($field: $value),* });
        }
    };
    (@how [record] $sink:ident, $at:ident, $time:ident, $record:expr) => {
        $sink.record($at, $time, $record)
    };
    (@how [count $class:ident] $sink:ident, $at:ident, $time:ident, $record:expr) => {
        $sink.record_classed($at, $time, EventClass::$class, $record)
    };
}
use callbacks;

/// The callbacks while recording is on: all events.
pub(crate) const ENABLED: Events<Kymo> = events! {
    { program_begin: Some(Kymo::program_begin), program_end: Some(Kymo::program_end) }
    enable_recording(region, metrics)
    disable_recording(region, metrics)
    on_tracing_buffer_flush_begin(region, metrics)
    on_tracing_buffer_flush_end(region, metrics)
    enter_region(region, metrics)
    exit_region(region, metrics)
    sample(context, previous, unwind_distance, interrupt_generator, metrics)
    calling_context_enter(context, previous, unwind_distance, metrics)
    calling_context_exit(context, previous, unwind_distance, metrics)
    enter_rewind_region(region)
    exit_rewind_region(region, rewind)
    mpi_send(destination, communicator, tag, bytes)
    mpi_recv(source, communicator, tag, bytes)
    mpi_collective_begin()
    mpi_collective_end(communicator, root, collective, sent, received)
    mpi_isend_complete(request)
    mpi_irecv_request(request)
    mpi_request_tested(request)
    mpi_request_cancelled(request)
    mpi_isend(destination, communicator, tag, bytes, request)
    mpi_irecv(source, communicator, tag, bytes, request)
    rma_win_create(window)
    rma_win_destroy(window)
    rma_collective_begin(sync_level)
    rma_collective_end(collective, sync_level, window, root, sent, received)
    rma_try_lock(window, remote, lock, lock_type)
    rma_acquire_lock(window, remote, lock, lock_type)
    rma_request_lock(window, remote, lock, lock_type)
    rma_release_lock(window, remote, lock)
    rma_sync(window, remote, sync)
    rma_group_sync(sync_level, window, group)
    rma_put(window, remote, bytes, matching)
    rma_get(window, remote, bytes, matching)
    rma_atomic(window, remote, atomic, sent, received, matching)
    rma_wait_change(window)
    rma_op_complete_blocking(window, matching)
    rma_op_complete_non_blocking(window, matching)
    rma_op_test(window, matching)
    rma_op_complete_remote(window, matching)
    thread_acquire_lock(paradigm, lock, acquisition_order)
    thread_release_lock(paradigm, lock, acquisition_order)
    trigger_counter_int64(counter, value)
    trigger_counter_uint64(counter, value)
    trigger_counter_double(counter, value)
    trigger_parameter_int64(parameter, value)
    trigger_parameter_uint64(parameter, value)
    trigger_parameter_string(parameter, text)
    thread_fork_join_fork(paradigm, requested_threads, fork_sequence_count)
    thread_fork_join_join(paradigm)
    thread_fork_join_team_begin(paradigm, team, thread_id)
    thread_fork_join_team_end(paradigm, team)
    thread_fork_join_task_create(paradigm, team, creating_thread, generation_number)
    thread_fork_join_task_switch(metrics, paradigm, team, creating_thread, generation_number, task)
    thread_fork_join_task_begin(region, metrics, paradigm, team, creating_thread, generation_number, task)
    thread_fork_join_task_end(region, metrics, paradigm, team, creating_thread, generation_number, task)
    thread_create_wait_create(paradigm, team, sequence_count)
    thread_create_wait_wait(paradigm, team, sequence_count)
    thread_create_wait_begin(paradigm, team, sequence_count, thread_id)
    thread_create_wait_end(paradigm, team, sequence_count)
    track_alloc(address, bytes, metric_bytes, process_bytes)
    track_realloc(old_address, old_bytes, new_address, new_bytes, metric_bytes, process_bytes)
    track_free(address, bytes, metric_bytes, process_bytes)
    write_post_mortem_metrics(set, values)
    io_create_handle(handle, mode, creation, status)
    io_destroy_handle(handle)
    io_duplicate_handle(old, new, status)
    io_seek(handle, request, whence, result)
    io_change_status_flags(handle, status)
    io_delete_file(paradigm, file)
    io_operation_begin(handle, mode, flags, bytes, matching, offset)
    io_operation_issued(handle, matching)
    io_operation_test(handle, matching)
    io_operation_complete(handle, mode, bytes, matching)
    io_operation_cancelled(handle, matching)
    io_acquire_lock(handle, lock_type)
    io_try_lock(handle, lock_type)
    io_release_lock(handle, lock_type)
    mpi_non_blocking_collective_request(request)
    mpi_non_blocking_collective_complete(communicator, root, collective, sent, received, request)
    comm_create(communicator)
    comm_destroy(communicator)
    mpi_probe(source, communicator, tag, message)
    mpi_mrecv(message, bytes)
    mpi_imrecv_request(message, request)
    mpi_imrecv(request, bytes)
};

pub(crate) use recording::DISABLED;

impl Sink {
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

impl Sink {
    fn comm(&self, communicator: InterimCommunicatorHandle) -> CommRef {
        CommRef(self.definitions.communicator(communicator))
    }
}

/// Functions that look up ids by handle. An unknown handle gives the undefined reference.
macro_rules! references {
    ($($name:ident($handle:ty) -> $reference:ident;)*) => {
        impl Sink {
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
