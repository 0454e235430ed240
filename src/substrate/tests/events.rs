//! Calls every event as a host does: through the table, by number, with the signature of Score-P
//! 9.0 and a different value in every argument. Each event must reach its function with these
//! values.

use core::fmt::Debug;
use core::mem::transmute;
use std::error::Error;
use std::ptr;
use std::sync::Mutex;

use kymo_substrate::event_types::*;
use kymo_substrate::hosting::NO_CALLBACKS;
use kymo_substrate::{EVENTS, Events, Location, SubstratePlugin, Timestamp, export};

/// The address of the location of the events.
const LOCATION: usize = 0x10c0;
/// The timestamp of the first event. Each event has a different one.
const TIME: u64 = 0x1234_5678_9abc_de00;

static ARGUMENTS: [SCOREP_StringHandle; 3] = [7, 8, 9];
static VALUES: [u64; 2] = [70, 80];

/// A plugin that records its calls.
trait CallRecorder: 'static {
    fn calls() -> &'static Mutex<Vec<String>>;

    fn record(&self, event: &str, location: Location, time: Timestamp, arguments: &dyn Debug) {
        let call = format!("{event} {location:?} {time:#x} {arguments:?}");
        Self::calls().lock().expect("no earlier panic").push(call);
    }
}

fn pointer<T>(address: usize) -> *mut T {
    ptr::without_provenance_mut(address)
}

/// An event of the list below, with the function that calls it.
struct Case {
    number: usize,
    name: &'static str,
    arguments: &'static str,
    /// Calls a function of a table as the host does.
    call: unsafe fn(SCOREP_Substrates_Callback, *mut SCOREP_Location, u64),
}

/// Turns `NUMBER name(arguments) <- C_TYPE(values) => "arguments as they must be received";` into
/// the event functions of a recording plugin and the calls of a host.
macro_rules! cases {
    ($(
        $number:literal $name:ident($($argument:ident),*)
            <- $callback:ident($($value:expr),*)
            => $arrives:literal;
    )*) => {
        /// The event functions of plugin `P`. There is no `..Events::NONE`, so a missing event does
        /// not compile.
        struct All<P>(P);

        impl<P: CallRecorder> All<P> {
            const EVENTS: Events<P> = Events {
                $($name: Some(|plugin, location, time, $($argument),*| {
                    plugin.record(stringify!($name), location, time, &($($argument,)*));
                }),)*
            };
        }

        const CASES: &[Case] = &[$(Case {
            number: $number,
            name: stringify!($name),
            arguments: $arrives,
            call: |function, location, time| {
                // SAFETY: the function is the entry of this event number.
                unsafe {
                    let function: $callback = transmute(function);
                    function.expect("an entry in the table")(location, time $(, $value)*);
                }
            },
        },)*];
    };
}

/// Declares a recording plugin with these tables.
macro_rules! recorder {
    ($plugin:ident, $name:literal, $entry:ident, $enabled:expr, $disabled:expr) => {
        struct $plugin;

        impl CallRecorder for $plugin {
            fn calls() -> &'static Mutex<Vec<String>> {
                static CALLS: Mutex<Vec<String>> = Mutex::new(Vec::new());
                &CALLS
            }
        }

        impl SubstratePlugin for $plugin {
            const ENABLED: Events<Self> = $enabled;
            const DISABLED: Events<Self> = $disabled;

            fn init() -> Result<Self, Box<dyn Error>> {
                Ok(Self)
            }
        }

        export!($plugin, $name);

        unsafe extern "C" {
            fn $entry() -> SCOREP_SubstratePluginInfo;
        }
    };
}

recorder!(WhileOn, "while_on", SCOREP_SubstratePlugin_while_on_get_info, All::<Self>::EVENTS, Events::NONE);
recorder!(
    WhileOff,
    "while_off",
    SCOREP_SubstratePlugin_while_off_get_info,
    Events::NONE,
    All::<Self>::EVENTS
);

/// Loads the plugin and returns its table of a mode. A host of Score-P learns only of its own
/// events; those of ours follow in the same table.
fn load(info: &SCOREP_SubstratePluginInfo, mode: SCOREP_Substrates_Mode) -> Vec<SCOREP_Substrates_Callback> {
    let mut table = ptr::null_mut();
    // SAFETY: `table` is valid for the write of a pointer. The plugin's array has `ALL_EVENTS`
    // elements, although the length that is returned is `EVENTS`.
    unsafe {
        let len = info.get_event_functions.expect("the function")(mode, &mut table);
        assert_eq!(len as usize, EVENTS);
        std::slice::from_raw_parts(table, ALL_EVENTS).to_vec()
    }
}

unsafe extern "C" fn two_metrics(_: SCOREP_SamplingSetHandle) -> u8 {
    2
}

/// The functions of a host whose sampling sets have two metrics.
fn callbacks() -> &'static SCOREP_SubstratePluginCallbacks {
    static CALLBACKS: SCOREP_SubstratePluginCallbacks = SCOREP_SubstratePluginCallbacks {
        SCOREP_SamplingSetHandle_GetNumberOfMetrics: Some(two_metrics),
        ..NO_CALLBACKS
    };
    &CALLBACKS
}

fn start(info: &SCOREP_SubstratePluginInfo) {
    // SAFETY: `init` has no arguments and is called first; the table is static and has this size.
    unsafe {
        assert_eq!(info.init.expect("the function")(), 0);
        info.set_callbacks.expect("the function")(callbacks(), size_of::<SCOREP_SubstratePluginCallbacks>());
    }
    // Remove the plugin's hook, which prints only one line of the first panic, so that failing
    // tests print everything.
    drop(std::panic::take_hook());
}

/// Returns the calls that a plugin has received since the previous call of this function.
fn taken<P: CallRecorder>() -> Vec<String> {
    std::mem::take(&mut *P::calls().lock().expect("no earlier panic"))
}

/// Calls all events of a table and compares the calls that the plugin receives.
fn check<P: CallRecorder>(info: SCOREP_SubstratePluginInfo, full: SCOREP_Substrates_Mode) {
    start(&info);
    assert!(load(&info, 1 - full).iter().all(Option::is_none), "the other table is empty");
    let table = load(&info, full);
    let mut expected = Vec::new();
    for case in CASES {
        let time = TIME + case.number as u64;
        // SAFETY: the location is only passed on.
        unsafe { (case.call)(table[case.number], pointer(LOCATION), time) };
        expected.push(format!("{} Location({LOCATION:#x}) {time:#x} {}", case.name, case.arguments));
    }
    assert_eq!(taken::<P>(), expected);

    for case in CASES {
        // SAFETY: a faulty host may pass a null location.
        unsafe { (case.call)(table[case.number], ptr::null_mut(), TIME) };
    }
    assert_eq!(taken::<P>(), [""; 0], "events without a location are dropped");

    // SAFETY: the plugin is initialised, and the function has no arguments.
    unsafe { info.finalize.expect("the function")() };
    for case in CASES {
        // SAFETY: this is a late event of a thread that still runs.
        unsafe { (case.call)(table[case.number], pointer(LOCATION), TIME) };
    }
    assert_eq!(taken::<P>(), [""; 0], "no call is received after finalize");
}

#[test]
fn the_list_has_every_event_at_its_number() {
    let numbers: Vec<_> = CASES.iter().map(|case| case.number).collect();
    assert_eq!(numbers, (0..ALL_EVENTS).collect::<Vec<_>>());
}

#[test]
fn events_while_recording_is_on() {
    // SAFETY: this is the entry of the plugin above.
    let info = unsafe { SCOREP_SubstratePlugin_while_on_get_info() };
    check::<WhileOn>(info, SCOREP_SUBSTRATES_RECORDING_ENABLED);
}

#[test]
fn events_while_recording_is_off() {
    // SAFETY: this is the entry of the plugin above.
    let info = unsafe { SCOREP_SubstratePlugin_while_off_get_info() };
    check::<WhileOff>(info, SCOREP_SUBSTRATES_RECORDING_DISABLED);
}

#[test]
fn an_unknown_mode_has_no_table() {
    // SAFETY: this is the entry of the plugin above; the mode is that of a future host.
    unsafe {
        let info = SCOREP_SubstratePlugin_while_on_get_info();
        let mut table = ptr::null_mut();
        assert_eq!(
            info.get_event_functions.expect("the function")(SCOREP_SUBSTRATES_NUM_MODES, &mut table),
            0
        );
        assert!(table.is_null());
    }
}

cases! {
    0 enable_recording(region, metrics)
        <- SCOREP_Substrates_EnableRecordingCb(1001, pointer(1002))
        => "(RegionHandle(1001), Metrics(0x3ea))";
    1 disable_recording(region, metrics)
        <- SCOREP_Substrates_DisableRecordingCb(2001, pointer(2002))
        => "(RegionHandle(2001), Metrics(0x7d2))";
    2 on_tracing_buffer_flush_begin(region, metrics)
        <- SCOREP_Substrates_OnTracingBufferFlushBeginCb(3001, pointer(3002))
        => "(RegionHandle(3001), Metrics(0xbba))";
    3 on_tracing_buffer_flush_end(region, metrics)
        <- SCOREP_Substrates_OnTracingBufferFlushEndCb(4001, pointer(4002))
        => "(RegionHandle(4001), Metrics(0xfa2))";
    4 enter_region(region, metrics)
        <- SCOREP_Substrates_EnterRegionCb(5001, pointer(5002))
        => "(RegionHandle(5001), Metrics(0x138a))";
    5 exit_region(region, metrics)
        <- SCOREP_Substrates_ExitRegionCb(6001, pointer(6002))
        => "(RegionHandle(6001), Metrics(0x1772))";
    6 sample(calling_context, previous, unwind_distance, interrupt_generator, metrics)
        <- SCOREP_Substrates_SampleCb(7001, 7002, 7003, 7004, pointer(7005))
        => "(CallingContextHandle(7001), CallingContextHandle(7002), 7003, InterruptGeneratorHandle(7004), Metrics(0x1b5d))";
    7 calling_context_enter(calling_context, previous, unwind_distance, metrics)
        <- SCOREP_Substrates_CallingContextEnterCb(8001, 8002, 8003, pointer(8004))
        => "(CallingContextHandle(8001), CallingContextHandle(8002), 8003, Metrics(0x1f44))";
    8 calling_context_exit(calling_context, previous, unwind_distance, metrics)
        <- SCOREP_Substrates_CallingContextExitCb(9001, 9002, 9003, pointer(9004))
        => "(CallingContextHandle(9001), CallingContextHandle(9002), 9003, Metrics(0x232c))";
    9 enter_rewind_region(region)
        <- SCOREP_Substrates_EnterRewindRegionCb(10001)
        => "(RegionHandle(10001),)";
    10 exit_rewind_region(region, do_rewind)
        <- SCOREP_Substrates_ExitRewindRegionCb(11001, true)
        => "(RegionHandle(11001), true)";
    11 mpi_send(destination, communicator, tag, bytes_sent)
        <- SCOREP_Substrates_MpiSendCb(-12001, 12002, 12003, 12004000000000)
        => "(MpiRank(-12001), InterimCommunicatorHandle(12002), 12003, 12004000000000)";
    12 mpi_recv(source, communicator, tag, bytes_received)
        <- SCOREP_Substrates_MpiRecvCb(-13001, 13002, 13003, 13004000000000)
        => "(MpiRank(-13001), InterimCommunicatorHandle(13002), 13003, 13004000000000)";
    13 mpi_collective_begin()
        <- SCOREP_Substrates_MpiCollectiveBeginCb()
        => "()";
    14 mpi_collective_end(communicator, root, collective, bytes_sent, bytes_received)
        <- SCOREP_Substrates_MpiCollectiveEndCb(15001, -15002, 15003, 15004000000000, 15005000000000)
        => "(InterimCommunicatorHandle(15001), MpiRank(-15002), CollectiveType(15003), 15004000000000, 15005000000000)";
    15 mpi_isend_complete(request_id)
        <- SCOREP_Substrates_MpiIsendCompleteCb(16001000000000)
        => "(16001000000000,)";
    16 mpi_irecv_request(request_id)
        <- SCOREP_Substrates_MpiIrecvRequestCb(17001000000000)
        => "(17001000000000,)";
    17 mpi_request_tested(request_id)
        <- SCOREP_Substrates_MpiRequestTestedCb(18001000000000)
        => "(18001000000000,)";
    18 mpi_request_cancelled(request_id)
        <- SCOREP_Substrates_MpiRequestCancelledCb(19001000000000)
        => "(19001000000000,)";
    19 mpi_isend(destination, communicator, tag, bytes_sent, request_id)
        <- SCOREP_Substrates_MpiIsendCb(-20001, 20002, 20003, 20004000000000, 20005000000000)
        => "(MpiRank(-20001), InterimCommunicatorHandle(20002), 20003, 20004000000000, 20005000000000)";
    20 mpi_irecv(source, communicator, tag, bytes_received, request_id)
        <- SCOREP_Substrates_MpiIrecvCb(-21001, 21002, 21003, 21004000000000, 21005000000000)
        => "(MpiRank(-21001), InterimCommunicatorHandle(21002), 21003, 21004000000000, 21005000000000)";
    21 rma_win_create(window)
        <- SCOREP_Substrates_RmaWinCreateCb(22001)
        => "(RmaWindowHandle(22001),)";
    22 rma_win_destroy(window)
        <- SCOREP_Substrates_RmaWinDestroyCb(23001)
        => "(RmaWindowHandle(23001),)";
    23 rma_collective_begin(sync_level)
        <- SCOREP_Substrates_RmaCollectiveBeginCb(24001)
        => "(RmaSyncLevel(24001),)";
    24 rma_collective_end(collective, sync_level, window, root, bytes_sent, bytes_received)
        <- SCOREP_Substrates_RmaCollectiveEndCb(25001, 25002, 25003, 25004, 25005000000000, 25006000000000)
        => "(CollectiveType(25001), RmaSyncLevel(25002), RmaWindowHandle(25003), 25004, 25005000000000, 25006000000000)";
    25 rma_try_lock(window, remote, lock_id, lock_type)
        <- SCOREP_Substrates_RmaTryLockCb(26001, 26002, 26003000000000, 26004)
        => "(RmaWindowHandle(26001), 26002, 26003000000000, LockType(26004))";
    26 rma_acquire_lock(window, remote, lock_id, lock_type)
        <- SCOREP_Substrates_RmaAcquireLockCb(27001, 27002, 27003000000000, 27004)
        => "(RmaWindowHandle(27001), 27002, 27003000000000, LockType(27004))";
    27 rma_request_lock(window, remote, lock_id, lock_type)
        <- SCOREP_Substrates_RmaRequestLockCb(28001, 28002, 28003000000000, 28004)
        => "(RmaWindowHandle(28001), 28002, 28003000000000, LockType(28004))";
    28 rma_release_lock(window, remote, lock_id)
        <- SCOREP_Substrates_RmaReleaseLockCb(29001, 29002, 29003000000000)
        => "(RmaWindowHandle(29001), 29002, 29003000000000)";
    29 rma_sync(window, remote, sync_type)
        <- SCOREP_Substrates_RmaSyncCb(30001, 30002, 30003)
        => "(RmaWindowHandle(30001), 30002, RmaSyncType(30003))";
    30 rma_group_sync(sync_level, window, group)
        <- SCOREP_Substrates_RmaGroupSyncCb(31001, 31002, 31003)
        => "(RmaSyncLevel(31001), RmaWindowHandle(31002), GroupHandle(31003))";
    31 rma_put(window, remote, bytes, matching_id)
        <- SCOREP_Substrates_RmaPutCb(32001, 32002, 32003000000000, 32004000000000)
        => "(RmaWindowHandle(32001), 32002, 32003000000000, 32004000000000)";
    32 rma_get(window, remote, bytes, matching_id)
        <- SCOREP_Substrates_RmaGetCb(33001, 33002, 33003000000000, 33004000000000)
        => "(RmaWindowHandle(33001), 33002, 33003000000000, 33004000000000)";
    33 rma_atomic(window, remote, atomic_type, bytes_sent, bytes_received, matching_id)
        <- SCOREP_Substrates_RmaAtomicCb(34001, 34002, 34003, 34004000000000, 34005000000000, 34006000000000)
        => "(RmaWindowHandle(34001), 34002, RmaAtomicType(34003), 34004000000000, 34005000000000, 34006000000000)";
    34 rma_wait_change(window)
        <- SCOREP_Substrates_RmaWaitChangeCb(35001)
        => "(RmaWindowHandle(35001),)";
    35 rma_op_complete_blocking(window, matching_id)
        <- SCOREP_Substrates_RmaOpCompleteBlockingCb(36001, 36002000000000)
        => "(RmaWindowHandle(36001), 36002000000000)";
    36 rma_op_complete_non_blocking(window, matching_id)
        <- SCOREP_Substrates_RmaOpCompleteNonBlockingCb(37001, 37002000000000)
        => "(RmaWindowHandle(37001), 37002000000000)";
    37 rma_op_test(window, matching_id)
        <- SCOREP_Substrates_RmaOpTestCb(38001, 38002000000000)
        => "(RmaWindowHandle(38001), 38002000000000)";
    38 rma_op_complete_remote(window, matching_id)
        <- SCOREP_Substrates_RmaOpCompleteRemoteCb(39001, 39002000000000)
        => "(RmaWindowHandle(39001), 39002000000000)";
    39 thread_acquire_lock(paradigm, lock_id, acquisition_order)
        <- SCOREP_Substrates_ThreadAcquireLockCb(40001, 40002, 40003)
        => "(ParadigmType(40001), 40002, 40003)";
    40 thread_release_lock(paradigm, lock_id, acquisition_order)
        <- SCOREP_Substrates_ThreadReleaseLockCb(41001, 41002, 41003)
        => "(ParadigmType(41001), 41002, 41003)";
    41 trigger_counter_int64(sampling_set, value)
        <- SCOREP_Substrates_TriggerCounterInt64Cb(42001, -42002)
        => "(SamplingSetHandle(42001), -42002)";
    42 trigger_counter_uint64(sampling_set, value)
        <- SCOREP_Substrates_TriggerCounterUint64Cb(43001, 43002000000000)
        => "(SamplingSetHandle(43001), 43002000000000)";
    43 trigger_counter_double(sampling_set, value)
        <- SCOREP_Substrates_TriggerCounterDoubleCb(44001, 44002.5)
        => "(SamplingSetHandle(44001), 44002.5)";
    44 trigger_parameter_int64(parameter, value)
        <- SCOREP_Substrates_TriggerParameterInt64Cb(45001, -45002)
        => "(ParameterHandle(45001), -45002)";
    45 trigger_parameter_uint64(parameter, value)
        <- SCOREP_Substrates_TriggerParameterUint64Cb(46001, 46002000000000)
        => "(ParameterHandle(46001), 46002000000000)";
    46 trigger_parameter_string(parameter, value)
        <- SCOREP_Substrates_TriggerParameterStringCb(47001, 47002)
        => "(ParameterHandle(47001), StringHandle(47002))";
    47 thread_fork_join_fork(paradigm, requested_threads, fork_sequence_count)
        <- SCOREP_Substrates_ThreadForkJoinForkCb(48001, 48002, 48003)
        => "(ParadigmType(48001), 48002, 48003)";
    48 thread_fork_join_join(paradigm)
        <- SCOREP_Substrates_ThreadForkJoinJoinCb(49001)
        => "(ParadigmType(49001),)";
    49 thread_fork_join_team_begin(paradigm, thread_team, thread_id)
        <- SCOREP_Substrates_ThreadForkJoinTeamBeginCb(50001, 50002, 50003000000000)
        => "(ParadigmType(50001), InterimCommunicatorHandle(50002), 50003000000000)";
    50 thread_fork_join_team_end(paradigm, thread_team)
        <- SCOREP_Substrates_ThreadForkJoinTeamEndCb(51001, 51002)
        => "(ParadigmType(51001), InterimCommunicatorHandle(51002))";
    51 thread_fork_join_task_create(paradigm, thread_team, thread_id, generation_number)
        <- SCOREP_Substrates_ThreadForkJoinTaskCreateCb(52001, 52002, 52003, 52004)
        => "(ParadigmType(52001), InterimCommunicatorHandle(52002), 52003, 52004)";
    52 thread_fork_join_task_switch(metrics, paradigm, thread_team, thread_id, generation_number, task)
        <- SCOREP_Substrates_ThreadForkJoinTaskSwitchCb(pointer(53001), 53002, 53003, 53004, 53005, pointer(53006))
        => "(Metrics(0xcf09), ParadigmType(53002), InterimCommunicatorHandle(53003), 53004, 53005, Task(0xcf0e))";
    53 thread_fork_join_task_begin(region, metrics, paradigm, thread_team, thread_id, generation_number, task)
        <- SCOREP_Substrates_ThreadForkJoinTaskBeginCb(
            54001, pointer(54002), 54003, 54004, 54005, 54006, pointer(54007)
        )
        => "(RegionHandle(54001), Metrics(0xd2f2), ParadigmType(54003), InterimCommunicatorHandle(54004), 54005, 54006, Task(0xd2f7))";
    54 thread_fork_join_task_end(region, metrics, paradigm, thread_team, thread_id, generation_number, task)
        <- SCOREP_Substrates_ThreadForkJoinTaskEndCb(
            55001, pointer(55002), 55003, 55004, 55005, 55006, pointer(55007)
        )
        => "(RegionHandle(55001), Metrics(0xd6da), ParadigmType(55003), InterimCommunicatorHandle(55004), 55005, 55006, Task(0xd6df))";
    55 thread_create_wait_create(paradigm, thread_team, create_sequence_count)
        <- SCOREP_Substrates_ThreadCreateWaitCreateCb(56001, 56002, 56003)
        => "(ParadigmType(56001), InterimCommunicatorHandle(56002), 56003)";
    56 thread_create_wait_wait(paradigm, thread_team, create_sequence_count)
        <- SCOREP_Substrates_ThreadCreateWaitWaitCb(57001, 57002, 57003)
        => "(ParadigmType(57001), InterimCommunicatorHandle(57002), 57003)";
    57 thread_create_wait_begin(paradigm, thread_team, create_sequence_count, thread_id)
        <- SCOREP_Substrates_ThreadCreateWaitBeginCb(58001, 58002, 58003, 58004000000000)
        => "(ParadigmType(58001), InterimCommunicatorHandle(58002), 58003, 58004000000000)";
    58 thread_create_wait_end(paradigm, thread_team, create_sequence_count)
        <- SCOREP_Substrates_ThreadCreateWaitEndCb(59001, 59002, 59003)
        => "(ParadigmType(59001), InterimCommunicatorHandle(59002), 59003)";
    59 track_alloc(addr_allocated, bytes_allocated, bytes_allocated_metric, bytes_allocated_process)
        <- SCOREP_Substrates_TrackAllocCb(
            60001000000000, 60002000000000, pointer(60003), 60004000000000, 60005000000000
        )
        => "(60001000000000, 60002000000000, 60004000000000, 60005000000000)";
    60 track_realloc(
        old_addr, old_bytes_allocated, new_addr, new_bytes_allocated, bytes_allocated_metric,
        bytes_allocated_process
    )
        <- SCOREP_Substrates_TrackReallocCb(
            61001000000000, 61002000000000, pointer(61003), 61004000000000, 61005000000000, pointer(61006),
            61007000000000, 61008000000000
        )
        => "(61001000000000, 61002000000000, 61004000000000, 61005000000000, 61007000000000, 61008000000000)";
    61 track_free(addr_freed, bytes_freed, bytes_allocated_metric, bytes_allocated_process)
        <- SCOREP_Substrates_TrackFreeCb(
            62001000000000, 62002000000000, pointer(62003), 62004000000000, 62005000000000
        )
        => "(62001000000000, 62002000000000, 62004000000000, 62005000000000)";
    62 write_post_mortem_metrics(sampling_set, metrics)
        <- SCOREP_Substrates_WriteMetricsCb(63001, VALUES.as_ptr())
        => "(SamplingSetHandle(63001), [70, 80])";
    63 program_begin(program_name, program_arguments, region, process_id, thread_id)
        <- SCOREP_Substrates_ProgramBeginCb(
            64001, 3, ARGUMENTS.as_ptr().cast_mut(), 64004, 64005000000000, 64006000000000
        )
        => "(StringHandle(64001), [StringHandle(7), StringHandle(8), StringHandle(9)], RegionHandle(64004), 64005000000000, 64006000000000)";
    64 program_end(exit_status, region)
        <- SCOREP_Substrates_ProgramEndCb(-65001, 65002)
        => "(-65001, RegionHandle(65002))";
    65 io_create_handle(handle, mode, creation_flags, status_flags)
        <- SCOREP_Substrates_IoCreateHandleCb(66001, 66002, 66003, 66004)
        => "(IoHandleHandle(66001), IoAccessMode(66002), IoCreationFlags(66003), IoStatusFlags(66004))";
    66 io_destroy_handle(handle)
        <- SCOREP_Substrates_IoDestroyHandleCb(67001)
        => "(IoHandleHandle(67001),)";
    67 io_duplicate_handle(old, new, status_flags)
        <- SCOREP_Substrates_IoDuplicateHandleCb(68001, 68002, 68003)
        => "(IoHandleHandle(68001), IoHandleHandle(68002), IoStatusFlags(68003))";
    68 io_seek(handle, offset_request, whence, offset_result)
        <- SCOREP_Substrates_IoSeekCb(69001, -69002, 69003, 69004000000000)
        => "(IoHandleHandle(69001), -69002, IoSeekOption(69003), 69004000000000)";
    69 io_change_status_flags(handle, status_flags)
        <- SCOREP_Substrates_IoChangeStatusFlagsCb(70001, 70002)
        => "(IoHandleHandle(70001), IoStatusFlags(70002))";
    70 io_delete_file(paradigm, file)
        <- SCOREP_Substrates_IoDeleteFileCb(71001, 71002)
        => "(IoParadigmType(71001), IoFileHandle(71002))";
    71 io_operation_begin(handle, mode, operation_flags, bytes_request, matching_id, offset)
        <- SCOREP_Substrates_IoOperationBeginCb(72001, 72002, 72003, 72004000000000, 72005000000000, 72006000000000)
        => "(IoHandleHandle(72001), IoOperationMode(72002), IoOperationFlags(72003), 72004000000000, 72005000000000, 72006000000000)";
    72 io_operation_issued(handle, matching_id)
        <- SCOREP_Substrates_IoOperationIssuedCb(73001, 73002000000000)
        => "(IoHandleHandle(73001), 73002000000000)";
    73 io_operation_test(handle, matching_id)
        <- SCOREP_Substrates_IoOperationTestCb(74001, 74002000000000)
        => "(IoHandleHandle(74001), 74002000000000)";
    74 io_operation_complete(handle, mode, bytes_result, matching_id)
        <- SCOREP_Substrates_IoOperationCompleteCb(75001, 75002, 75003000000000, 75004000000000)
        => "(IoHandleHandle(75001), IoOperationMode(75002), 75003000000000, 75004000000000)";
    75 io_operation_cancelled(handle, matching_id)
        <- SCOREP_Substrates_IoOperationCancelledCb(76001, 76002000000000)
        => "(IoHandleHandle(76001), 76002000000000)";
    76 io_acquire_lock(handle, lock_type)
        <- SCOREP_Substrates_IoAcquireLockCb(77001, 77002)
        => "(IoHandleHandle(77001), LockType(77002))";
    77 io_try_lock(handle, lock_type)
        <- SCOREP_Substrates_IoTryLockCb(78001, 78002)
        => "(IoHandleHandle(78001), LockType(78002))";
    78 io_release_lock(handle, lock_type)
        <- SCOREP_Substrates_IoReleaseLockCb(79001, 79002)
        => "(IoHandleHandle(79001), LockType(79002))";
    79 mpi_non_blocking_collective_request(request_id)
        <- SCOREP_Substrates_MpiNonBlockingCollectiveRequestCb(80001000000000)
        => "(80001000000000,)";
    80 mpi_non_blocking_collective_complete(communicator, root, collective, bytes_sent, bytes_received, request_id)
        <- SCOREP_Substrates_MpiNonBlockingCollectiveCompleteCb(
            81001, -81002, 81003, 81004000000000, 81005000000000, 81006000000000
        )
        => "(InterimCommunicatorHandle(81001), MpiRank(-81002), CollectiveType(81003), 81004000000000, 81005000000000, 81006000000000)";
    81 comm_create(communicator)
        <- SCOREP_Substrates_CommCreateCb(82001)
        => "(InterimCommunicatorHandle(82001),)";
    82 comm_destroy(communicator)
        <- SCOREP_Substrates_CommDestroyCb(83001)
        => "(InterimCommunicatorHandle(83001),)";
    83 mpi_probe(source, communicator, tag, message_id)
        <- MpiProbeCb(84001, 84002, 84003, 84004000000000)
        => "(MpiRank(84001), InterimCommunicatorHandle(84002), 84003, 84004000000000)";
    84 mpi_mrecv(message_id, bytes_received)
        <- MatchedReceiveCb(85001000000000, 85002000000000)
        => "(85001000000000, 85002000000000)";
    85 mpi_imrecv_request(message_id, request_id)
        <- MatchedReceiveCb(86001000000000, 86002000000000)
        => "(86001000000000, 86002000000000)";
    86 mpi_imrecv(request_id, bytes_received)
        <- MatchedReceiveCb(87001000000000, 87002000000000)
        => "(87001000000000, 87002000000000)";
}
