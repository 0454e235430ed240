//! The 83 events of the plugin interface in the numbering of Score-P 8.x and 9.0: their names and
//! arguments as in recordings, and the call of a plugin's function for each.
//!
//! One table generates all three. `NUMBER NAME CALLBACK(argument: kind, …);` becomes an entry of
//! `EVENTS` and an arm of `call`. Location and timestamp, the first two arguments of every event,
//! are omitted. Every argument takes one 64-bit word of the pre-decoded event, except those of the
//! kinds `Metrics` and `Data`.

use kymo_substrate::bindings::{self, SCOREP_Location, SCOREP_Substrates_Callback as Callback};
use std::ffi::{CStr, c_void};
use std::ptr;

/// The form of an argument in a recording and in a call of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentKind {
    /// 32 bits: a handle, an enumeration or a number.
    U32,
    /// A signed 32-bit number, which recordings extend to 64 bits and store as unsigned.
    I32,
    U64,
    I64,
    Usize,
    Bool,
    F64,
    /// The address of a task of the host.
    Task,
    /// The number of a list of string handles.
    Handles,
    /// The number of a list of metric values.
    Values,
    /// The location's metric buffer or null; not in recordings.
    Metrics,
    /// The private array of the built-in substrates; not in recordings.
    Data,
}

/// An argument of an event.
#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) kind: ArgumentKind,
}

/// An event of the plugin interface.
#[derive(Debug)]
pub(crate) struct EventType {
    pub(crate) name: &'static str,
    /// The name as a C string.
    pub(crate) c_name: &'static CStr,
    pub(crate) arguments: &'static [Argument],
}

/// The number of events, which is the length of the tables. Older releases deliver fewer.
pub(crate) const NUM_EVENTS: usize = 83;

/// A function that a plugin registered for an event.
pub(crate) type Function = unsafe extern "C" fn();

/// The arguments of a function in addition to the words of the event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) location: *mut SCOREP_Location,
    pub(crate) timestamp: u64,
    pub(crate) metric_values: *mut u64,
    pub(crate) handle_lists: &'a [Box<[u32]>],
    pub(crate) value_lists: &'a [Box<[u64]>],
}

/// The private data of the built-in substrates in memory events: one slot per substrate, all empty.
static SUBSTRATE_DATA: SubstrateData = SubstrateData([ptr::null_mut(); 8]);

struct SubstrateData([*mut c_void; 8]);

// SAFETY: the array is never written; plugins must not touch the host's private data.
unsafe impl Sync for SubstrateData {}

/// Converts a name that ends with a zero byte.
const fn c_name(name: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => panic!("the table adds the zero byte"),
    }
}

fn list<T>(lists: &[Box<[T]>], number: u64) -> *mut T {
    let list = &lists[number as usize];
    if list.is_empty() { ptr::null_mut() } else { list.as_ptr().cast_mut() }
}

macro_rules! argument {
    ($words:ident, $context:ident, Metrics) => { $context.metric_values };
    ($words:ident, $context:ident, Data) => { SUBSTRATE_DATA.0.as_ptr().cast_mut() };
    ($words:ident, $context:ident, $kind:ident) => {
        argument!(@ $context, *$words.next().expect("as many words as arguments"), $kind)
    };
    (@ $context:ident, $word:expr, U32) => { $word as u32 };
    (@ $context:ident, $word:expr, I32) => { $word as i32 };
    (@ $context:ident, $word:expr, U64) => { $word };
    (@ $context:ident, $word:expr, I64) => { $word as i64 };
    (@ $context:ident, $word:expr, Usize) => { $word as usize };
    (@ $context:ident, $word:expr, Bool) => { $word != 0 };
    (@ $context:ident, $word:expr, F64) => { f64::from_bits($word) };
    (@ $context:ident, $word:expr, Task) => { ptr::without_provenance_mut($word as usize) };
    (@ $context:ident, $word:expr, Handles) => { list($context.handle_lists, $word) };
    (@ $context:ident, $word:expr, Values) => { list($context.value_lists, $word).cast_const() };
}

macro_rules! events {
    ($($number:literal $name:ident $callback:ident($($argument:ident: $kind:ident),*);)*) => {
        /// All events, by number.
        pub(crate) static EVENTS: [EventType; NUM_EVENTS] = [
            $(EventType {
                name: stringify!($name),
                c_name: c_name(concat!(stringify!($name), "\0")),
                arguments: &[$(Argument { name: stringify!($argument), kind: ArgumentKind::$kind }),*],
            }),*
        ];

        /// Calls a plugin's function for event `number` with the arguments in `words`.
        ///
        /// # Safety
        /// `function` must be the one that a plugin registered for this event. `context` must
        /// contain a location that exists and the metric values of the event, and `words` the
        /// handles of announced definitions.
        #[inline]
        pub(crate) unsafe fn call(function: Function, number: u8, words: &[u64], context: Context<'_>) {
            let mut words = words.iter();
            match number {
                $($number => {
                    // SAFETY: the plugin registered the function for this event, so it has this
                    // event's signature.
                    let function: bindings::$callback = unsafe { std::mem::transmute(Callback::Some(function)) };
                    let function = function.expect("a function");
                    // SAFETY: the function has this signature, and the location exists. The metric
                    // values and the lists live until the call returns.
                    unsafe { function(context.location, context.timestamp $(, argument!(words, context, $kind))*) };
                })*
                _ => unreachable!("event {number} of {NUM_EVENTS}"),
            }
        }
    };
}

/// Returns the number of the event with this name (without `SCOREP_EVENT_`).
pub(crate) fn number_of(name: &str) -> Option<u8> {
    EVENTS.iter().position(|event| event.name == name).map(|number| number as u8)
}

/// Returns the index of the word of the named argument among the words of an event.
pub(crate) fn word_of(number: u8, name: &str) -> Option<usize> {
    let taken = |argument: &&Argument| !matches!(argument.kind, ArgumentKind::Metrics | ArgumentKind::Data);
    EVENTS[number as usize].arguments.iter().filter(taken).position(|argument| argument.name == name)
}

/// Returns the number of words that an event takes.
pub(crate) fn words(number: u8) -> usize {
    let taken = |argument: &&Argument| !matches!(argument.kind, ArgumentKind::Metrics | ArgumentKind::Data);
    EVENTS[number as usize].arguments.iter().filter(taken).count()
}

/// The largest number of words that an event takes.
pub(crate) const MOST_WORDS: usize = 8;

/// The numbers of the events that the host treats specially.
pub(crate) mod number {
    pub(crate) const ENABLE_RECORDING: u8 = 0;
    pub(crate) const DISABLE_RECORDING: u8 = 1;
    pub(crate) const ENTER_REGION: u8 = 4;
    pub(crate) const EXIT_REGION: u8 = 5;
    pub(crate) const CALLING_CONTEXT_ENTER: u8 = 7;
    pub(crate) const CALLING_CONTEXT_EXIT: u8 = 8;
    pub(crate) const SAMPLE: u8 = 6;
    pub(crate) const RMA_COLLECTIVE_BEGIN: u8 = 23;
    pub(crate) const THREAD_FORK_JOIN_TEAM_BEGIN: u8 = 49;
    pub(crate) const THREAD_CREATE_WAIT_BEGIN: u8 = 57;
    pub(crate) const PROGRAM_BEGIN: u8 = 63;
    pub(crate) const IO_OPERATION_BEGIN: u8 = 71;
    pub(crate) const IO_TRY_LOCK: u8 = 77;
    pub(crate) const IO_RELEASE_LOCK: u8 = 78;
}

events! {
    0 ENABLE_RECORDING SCOREP_Substrates_EnableRecordingCb(regionHandle: U32, metricValues: Metrics);
    1 DISABLE_RECORDING SCOREP_Substrates_DisableRecordingCb(regionHandle: U32, metricValues: Metrics);
    2 ON_TRACING_BUFFER_FLUSH_BEGIN SCOREP_Substrates_OnTracingBufferFlushBeginCb(regionHandle: U32, metricValues: Metrics);
    3 ON_TRACING_BUFFER_FLUSH_END SCOREP_Substrates_OnTracingBufferFlushEndCb(regionHandle: U32, metricValues: Metrics);
    4 ENTER_REGION SCOREP_Substrates_EnterRegionCb(regionHandle: U32, metricValues: Metrics);
    5 EXIT_REGION SCOREP_Substrates_ExitRegionCb(regionHandle: U32, metricValues: Metrics);
    6 SAMPLE SCOREP_Substrates_SampleCb(callingContext: U32, previousCallingContext: U32, unwindDistance: U32, interruptGeneratorHandle: U32, metricValues: Metrics);
    7 CALLING_CONTEXT_ENTER SCOREP_Substrates_CallingContextEnterCb(callingContext: U32, previousCallingContext: U32, unwindDistance: U32, metricValues: Metrics);
    8 CALLING_CONTEXT_EXIT SCOREP_Substrates_CallingContextExitCb(callingContext: U32, previousCallingContext: U32, unwindDistance: U32, metricValues: Metrics);
    9 ENTER_REWIND_REGION SCOREP_Substrates_EnterRewindRegionCb(regionHandle: U32);
    10 EXIT_REWIND_REGION SCOREP_Substrates_ExitRewindRegionCb(regionHandle: U32, doRewind: Bool);
    11 MPI_SEND SCOREP_Substrates_MpiSendCb(destinationRank: I32, communicatorHandle: U32, tag: U32, bytesSent: U64);
    12 MPI_RECV SCOREP_Substrates_MpiRecvCb(sourceRank: I32, communicatorHandle: U32, tag: U32, bytesReceived: U64);
    13 MPI_COLLECTIVE_BEGIN SCOREP_Substrates_MpiCollectiveBeginCb();
    14 MPI_COLLECTIVE_END SCOREP_Substrates_MpiCollectiveEndCb(communicatorHandle: U32, rootRank: I32, collectiveType: U32, bytesSent: U64, bytesReceived: U64);
    15 MPI_ISEND_COMPLETE SCOREP_Substrates_MpiIsendCompleteCb(requestId: U64);
    16 MPI_IRECV_REQUEST SCOREP_Substrates_MpiIrecvRequestCb(requestId: U64);
    17 MPI_REQUEST_TESTED SCOREP_Substrates_MpiRequestTestedCb(requestId: U64);
    18 MPI_REQUEST_CANCELLED SCOREP_Substrates_MpiRequestCancelledCb(requestId: U64);
    19 MPI_ISEND SCOREP_Substrates_MpiIsendCb(destinationRank: I32, communicatorHandle: U32, tag: U32, bytesSent: U64, requestId: U64);
    20 MPI_IRECV SCOREP_Substrates_MpiIrecvCb(sourceRank: I32, communicatorHandle: U32, tag: U32, bytesReceived: U64, requestId: U64);
    21 RMA_WIN_CREATE SCOREP_Substrates_RmaWinCreateCb(windowHandle: U32);
    22 RMA_WIN_DESTROY SCOREP_Substrates_RmaWinDestroyCb(windowHandle: U32);
    23 RMA_COLLECTIVE_BEGIN SCOREP_Substrates_RmaCollectiveBeginCb(syncLevel: U32);
    24 RMA_COLLECTIVE_END SCOREP_Substrates_RmaCollectiveEndCb(collectiveOp: U32, syncLevel: U32, windowHandle: U32, root: U32, bytesSent: U64, bytesReceived: U64);
    25 RMA_TRY_LOCK SCOREP_Substrates_RmaTryLockCb(windowHandle: U32, remote: U32, lockId: U64, lockType: U32);
    26 RMA_ACQUIRE_LOCK SCOREP_Substrates_RmaAcquireLockCb(windowHandle: U32, remote: U32, lockId: U64, lockType: U32);
    27 RMA_REQUEST_LOCK SCOREP_Substrates_RmaRequestLockCb(windowHandle: U32, remote: U32, lockId: U64, lockType: U32);
    28 RMA_RELEASE_LOCK SCOREP_Substrates_RmaReleaseLockCb(windowHandle: U32, remote: U32, lockId: U64);
    29 RMA_SYNC SCOREP_Substrates_RmaSyncCb(windowHandle: U32, remote: U32, syncType: U32);
    30 RMA_GROUP_SYNC SCOREP_Substrates_RmaGroupSyncCb(syncLevel: U32, windowHandle: U32, groupHandle: U32);
    31 RMA_PUT SCOREP_Substrates_RmaPutCb(windowHandle: U32, remote: U32, bytes: U64, matchingId: U64);
    32 RMA_GET SCOREP_Substrates_RmaGetCb(windowHandle: U32, remote: U32, bytes: U64, matchingId: U64);
    33 RMA_ATOMIC SCOREP_Substrates_RmaAtomicCb(windowHandle: U32, remote: U32, type: U32, bytesSent: U64, bytesReceived: U64, matchingId: U64);
    34 RMA_WAIT_CHANGE SCOREP_Substrates_RmaWaitChangeCb(windowHandle: U32);
    35 RMA_OP_COMPLETE_BLOCKING SCOREP_Substrates_RmaOpCompleteBlockingCb(windowHandle: U32, matchingId: U64);
    36 RMA_OP_COMPLETE_NON_BLOCKING SCOREP_Substrates_RmaOpCompleteNonBlockingCb(windowHandle: U32, matchingId: U64);
    37 RMA_OP_TEST SCOREP_Substrates_RmaOpTestCb(windowHandle: U32, matchingId: U64);
    38 RMA_OP_COMPLETE_REMOTE SCOREP_Substrates_RmaOpCompleteRemoteCb(windowHandle: U32, matchingId: U64);
    39 THREAD_ACQUIRE_LOCK SCOREP_Substrates_ThreadAcquireLockCb(paradigm: U32, lockId: U32, acquisitionOrder: U32);
    40 THREAD_RELEASE_LOCK SCOREP_Substrates_ThreadReleaseLockCb(paradigm: U32, lockId: U32, acquisitionOrder: U32);
    41 TRIGGER_COUNTER_INT64 SCOREP_Substrates_TriggerCounterInt64Cb(counterHandle: U32, value: I64);
    42 TRIGGER_COUNTER_UINT64 SCOREP_Substrates_TriggerCounterUint64Cb(counterHandle: U32, value: U64);
    43 TRIGGER_COUNTER_DOUBLE SCOREP_Substrates_TriggerCounterDoubleCb(counterHandle: U32, value: F64);
    44 TRIGGER_PARAMETER_INT64 SCOREP_Substrates_TriggerParameterInt64Cb(parameterHandle: U32, value: I64);
    45 TRIGGER_PARAMETER_UINT64 SCOREP_Substrates_TriggerParameterUint64Cb(parameterHandle: U32, value: U64);
    46 TRIGGER_PARAMETER_STRING SCOREP_Substrates_TriggerParameterStringCb(parameterHandle: U32, string_handle: U32);
    47 THREAD_FORK_JOIN_FORK SCOREP_Substrates_ThreadForkJoinForkCb(paradigm: U32, nRequestedThreads: U32, forkSequenceCount: U32);
    48 THREAD_FORK_JOIN_JOIN SCOREP_Substrates_ThreadForkJoinJoinCb(paradigm: U32);
    49 THREAD_FORK_JOIN_TEAM_BEGIN SCOREP_Substrates_ThreadForkJoinTeamBeginCb(paradigm: U32, threadTeam: U32, threadId: U64);
    50 THREAD_FORK_JOIN_TEAM_END SCOREP_Substrates_ThreadForkJoinTeamEndCb(paradigm: U32, threadTeam: U32);
    51 THREAD_FORK_JOIN_TASK_CREATE SCOREP_Substrates_ThreadForkJoinTaskCreateCb(paradigm: U32, threadTeam: U32, threadId: U32, generationNumber: U32);
    52 THREAD_FORK_JOIN_TASK_SWITCH SCOREP_Substrates_ThreadForkJoinTaskSwitchCb(metricValues: Metrics, paradigm: U32, threadTeam: U32, threadId: U32, generationNumber: U32, taskHandle: Task);
    53 THREAD_FORK_JOIN_TASK_BEGIN SCOREP_Substrates_ThreadForkJoinTaskBeginCb(regionHandle: U32, metricValues: Metrics, paradigm: U32, threadTeam: U32, threadId: U32, generationNumber: U32, taskHandle: Task);
    54 THREAD_FORK_JOIN_TASK_END SCOREP_Substrates_ThreadForkJoinTaskEndCb(regionHandle: U32, metricValues: Metrics, paradigm: U32, threadTeam: U32, threadId: U32, generationNumber: U32, taskHandle: Task);
    55 THREAD_CREATE_WAIT_CREATE SCOREP_Substrates_ThreadCreateWaitCreateCb(paradigm: U32, threadTeam: U32, createSequenceCount: U32);
    56 THREAD_CREATE_WAIT_WAIT SCOREP_Substrates_ThreadCreateWaitWaitCb(paradigm: U32, threadTeam: U32, createSequenceCount: U32);
    57 THREAD_CREATE_WAIT_BEGIN SCOREP_Substrates_ThreadCreateWaitBeginCb(paradigm: U32, threadTeam: U32, createSequenceCount: U32, threadId: U64);
    58 THREAD_CREATE_WAIT_END SCOREP_Substrates_ThreadCreateWaitEndCb(paradigm: U32, threadTeam: U32, createSequenceCount: U32);
    59 TRACK_ALLOC SCOREP_Substrates_TrackAllocCb(addrAllocated: U64, bytesAllocated: Usize, substrateData: Data, bytesAllocatedMetric: Usize, bytesAllocatedProcess: Usize);
    60 TRACK_REALLOC SCOREP_Substrates_TrackReallocCb(oldAddr: U64, oldBytesAllocated: Usize, oldSubstrateData: Data, newAddr: U64, newBytesAllocated: Usize, newSubstrateData: Data, bytesAllocatedMetric: Usize, bytesAllocatedProcess: Usize);
    61 TRACK_FREE SCOREP_Substrates_TrackFreeCb(addrFreed: U64, bytesFreed: Usize, substrateData: Data, bytesAllocatedMetric: Usize, bytesAllocatedProcess: Usize);
    62 WRITE_POST_MORTEM_METRICS SCOREP_Substrates_WriteMetricsCb(samplingSet: U32, metricValues: Values);
    63 PROGRAM_BEGIN SCOREP_Substrates_ProgramBeginCb(programName: U32, numberOfProgramArgs: U32, programArguments: Handles, programRegionHandle: U32, processId: U64, threadId: U64);
    64 PROGRAM_END SCOREP_Substrates_ProgramEndCb(exitStatus: I64, programRegionHandle: U32);
    65 IO_CREATE_HANDLE SCOREP_Substrates_IoCreateHandleCb(handle: U32, mode: U32, creationFlags: U32, statusFlags: U32);
    66 IO_DESTROY_HANDLE SCOREP_Substrates_IoDestroyHandleCb(handle: U32);
    67 IO_DUPLICATE_HANDLE SCOREP_Substrates_IoDuplicateHandleCb(oldHandle: U32, newHandle: U32, statusFlags: U32);
    68 IO_SEEK SCOREP_Substrates_IoSeekCb(handle: U32, offsetRequest: I64, whence: U32, offsetResult: U64);
    69 IO_CHANGE_STATUS_FLAGS SCOREP_Substrates_IoChangeStatusFlagsCb(handle: U32, statusFlags: U32);
    70 IO_DELETE_FILE SCOREP_Substrates_IoDeleteFileCb(ioParadigm: U32, ioFile: U32);
    71 IO_OPERATION_BEGIN SCOREP_Substrates_IoOperationBeginCb(handle: U32, mode: U32, operationFlags: U32, bytesRequest: U64, matchingId: U64, offset: U64);
    72 IO_OPERATION_ISSUED SCOREP_Substrates_IoOperationIssuedCb(handle: U32, matchingId: U64);
    73 IO_OPERATION_TEST SCOREP_Substrates_IoOperationTestCb(handle: U32, matchingId: U64);
    74 IO_OPERATION_COMPLETE SCOREP_Substrates_IoOperationCompleteCb(handle: U32, mode: U32, bytesResult: U64, matchingId: U64);
    75 IO_OPERATION_CANCELLED SCOREP_Substrates_IoOperationCancelledCb(handle: U32, matchingId: U64);
    76 IO_ACQUIRE_LOCK SCOREP_Substrates_IoAcquireLockCb(handle: U32, lockType: U32);
    77 IO_TRY_LOCK SCOREP_Substrates_IoTryLockCb(handle: U32, lockType: U32);
    78 IO_RELEASE_LOCK SCOREP_Substrates_IoReleaseLockCb(handle: U32, lockType: U32);
    79 MPI_NON_BLOCKING_COLLECTIVE_REQUEST SCOREP_Substrates_MpiNonBlockingCollectiveRequestCb(requestId: U64);
    80 MPI_NON_BLOCKING_COLLECTIVE_COMPLETE SCOREP_Substrates_MpiNonBlockingCollectiveCompleteCb(communicatorHandle: U32, rootRank: I32, collectiveType: U32, bytesSent: U64, bytesReceived: U64, requestId: U64);
    81 COMM_CREATE SCOREP_Substrates_CommCreateCb(communicatorHandle: U32);
    82 COMM_DESTROY SCOREP_Substrates_CommDestroyCb(communicatorHandle: U32);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_match_the_names_of_their_events() {
        for (name, number) in [
            ("ENABLE_RECORDING", number::ENABLE_RECORDING),
            ("DISABLE_RECORDING", number::DISABLE_RECORDING),
            ("ENTER_REGION", number::ENTER_REGION),
            ("EXIT_REGION", number::EXIT_REGION),
            ("CALLING_CONTEXT_ENTER", number::CALLING_CONTEXT_ENTER),
            ("CALLING_CONTEXT_EXIT", number::CALLING_CONTEXT_EXIT),
            ("SAMPLE", number::SAMPLE),
            ("RMA_COLLECTIVE_BEGIN", number::RMA_COLLECTIVE_BEGIN),
            ("THREAD_FORK_JOIN_TEAM_BEGIN", number::THREAD_FORK_JOIN_TEAM_BEGIN),
            ("THREAD_CREATE_WAIT_BEGIN", number::THREAD_CREATE_WAIT_BEGIN),
            ("PROGRAM_BEGIN", number::PROGRAM_BEGIN),
            ("IO_OPERATION_BEGIN", number::IO_OPERATION_BEGIN),
            ("IO_TRY_LOCK", number::IO_TRY_LOCK),
            ("IO_RELEASE_LOCK", number::IO_RELEASE_LOCK),
        ] {
            assert_eq!(number_of(name), Some(number), "{name}");
        }
        assert_eq!(number_of("COMM_DESTROY"), Some(NUM_EVENTS as u8 - 1));
        assert_eq!(number_of("ENTER"), None);
    }

    #[test]
    fn no_event_takes_more_than_most_words() {
        assert!((0..NUM_EVENTS).all(|event| words(event as u8) <= MOST_WORDS));
    }

    #[test]
    fn arguments_that_recordings_omit_take_no_word() {
        let begin = number_of("THREAD_FORK_JOIN_TASK_BEGIN").unwrap();
        assert_eq!(word_of(begin, "regionHandle"), Some(0));
        assert_eq!(word_of(begin, "paradigm"), Some(1));
        assert_eq!(word_of(begin, "metricValues"), None);
    }
}
