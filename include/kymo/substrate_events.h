/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Score-P substrate plugin interface: events.
 *
 * Numbers are those of Score-P 8.x and 9.0; signatures are those of 9.0, the widest. Hosts up to
 * 7.x have no events from 79 on, and 77 and 78 are swapped. A 6.0 host does not pass the arguments
 * marked "since 7.0" (all at the end of their lists): they are undefined there. metricValues is
 * null if the location records no metrics; its layout is private to the host. substrateData belongs
 * to the built-in substrates.
 */
#ifndef KYMO_SUBSTRATE_EVENTS_H
#define KYMO_SUBSTRATE_EVENTS_H

#include <kymo/substrate_types.h>

/* ---- Event numbers ---- */

typedef enum SCOREP_Substrates_EventType
{
    /* Recording */
    SCOREP_EVENT_ENABLE_RECORDING = 0,
    SCOREP_EVENT_DISABLE_RECORDING = 1,
    SCOREP_EVENT_ON_TRACING_BUFFER_FLUSH_BEGIN = 2,
    SCOREP_EVENT_ON_TRACING_BUFFER_FLUSH_END = 3,

    /* Regions */
    SCOREP_EVENT_ENTER_REGION = 4,
    SCOREP_EVENT_EXIT_REGION = 5,

    /* Samples and calling contexts */
    SCOREP_EVENT_SAMPLE = 6,
    SCOREP_EVENT_CALLING_CONTEXT_ENTER = 7,
    SCOREP_EVENT_CALLING_CONTEXT_EXIT = 8,

    /* Rewinding */
    SCOREP_EVENT_ENTER_REWIND_REGION = 9,
    SCOREP_EVENT_EXIT_REWIND_REGION = 10,

    /* MPI */
    SCOREP_EVENT_MPI_SEND = 11,
    SCOREP_EVENT_MPI_RECV = 12,
    SCOREP_EVENT_MPI_COLLECTIVE_BEGIN = 13,
    SCOREP_EVENT_MPI_COLLECTIVE_END = 14,
    SCOREP_EVENT_MPI_ISEND_COMPLETE = 15,
    SCOREP_EVENT_MPI_IRECV_REQUEST = 16,
    SCOREP_EVENT_MPI_REQUEST_TESTED = 17,
    SCOREP_EVENT_MPI_REQUEST_CANCELLED = 18,
    SCOREP_EVENT_MPI_ISEND = 19,
    SCOREP_EVENT_MPI_IRECV = 20,

    /* One-sided communication (RMA) */
    SCOREP_EVENT_RMA_WIN_CREATE = 21,
    SCOREP_EVENT_RMA_WIN_DESTROY = 22,
    SCOREP_EVENT_RMA_COLLECTIVE_BEGIN = 23,
    SCOREP_EVENT_RMA_COLLECTIVE_END = 24,
    SCOREP_EVENT_RMA_TRY_LOCK = 25,
    SCOREP_EVENT_RMA_ACQUIRE_LOCK = 26,
    SCOREP_EVENT_RMA_REQUEST_LOCK = 27,
    SCOREP_EVENT_RMA_RELEASE_LOCK = 28,
    SCOREP_EVENT_RMA_SYNC = 29,
    SCOREP_EVENT_RMA_GROUP_SYNC = 30,
    SCOREP_EVENT_RMA_PUT = 31,
    SCOREP_EVENT_RMA_GET = 32,
    SCOREP_EVENT_RMA_ATOMIC = 33,
    SCOREP_EVENT_RMA_WAIT_CHANGE = 34,
    SCOREP_EVENT_RMA_OP_COMPLETE_BLOCKING = 35,
    SCOREP_EVENT_RMA_OP_COMPLETE_NON_BLOCKING = 36,
    SCOREP_EVENT_RMA_OP_TEST = 37,
    SCOREP_EVENT_RMA_OP_COMPLETE_REMOTE = 38,

    /* Locks of threading paradigms */
    SCOREP_EVENT_THREAD_ACQUIRE_LOCK = 39,
    SCOREP_EVENT_THREAD_RELEASE_LOCK = 40,

    /* Counters */
    SCOREP_EVENT_TRIGGER_COUNTER_INT64 = 41,
    SCOREP_EVENT_TRIGGER_COUNTER_UINT64 = 42,
    SCOREP_EVENT_TRIGGER_COUNTER_DOUBLE = 43,

    /* Parameters */
    SCOREP_EVENT_TRIGGER_PARAMETER_INT64 = 44,
    SCOREP_EVENT_TRIGGER_PARAMETER_UINT64 = 45,
    SCOREP_EVENT_TRIGGER_PARAMETER_STRING = 46,

    /* Fork-join threads and tasks */
    SCOREP_EVENT_THREAD_FORK_JOIN_FORK = 47,
    SCOREP_EVENT_THREAD_FORK_JOIN_JOIN = 48,
    SCOREP_EVENT_THREAD_FORK_JOIN_TEAM_BEGIN = 49,
    SCOREP_EVENT_THREAD_FORK_JOIN_TEAM_END = 50,
    SCOREP_EVENT_THREAD_FORK_JOIN_TASK_CREATE = 51,
    SCOREP_EVENT_THREAD_FORK_JOIN_TASK_SWITCH = 52,
    SCOREP_EVENT_THREAD_FORK_JOIN_TASK_BEGIN = 53,
    SCOREP_EVENT_THREAD_FORK_JOIN_TASK_END = 54,

    /* Create-wait threads */
    SCOREP_EVENT_THREAD_CREATE_WAIT_CREATE = 55,
    SCOREP_EVENT_THREAD_CREATE_WAIT_WAIT = 56,
    SCOREP_EVENT_THREAD_CREATE_WAIT_BEGIN = 57,
    SCOREP_EVENT_THREAD_CREATE_WAIT_END = 58,

    /* Memory */
    SCOREP_EVENT_TRACK_ALLOC = 59,
    SCOREP_EVENT_TRACK_REALLOC = 60,
    SCOREP_EVENT_TRACK_FREE = 61,

    /* Post-mortem metrics */
    SCOREP_EVENT_WRITE_POST_MORTEM_METRICS = 62,

    /* Program */
    SCOREP_EVENT_PROGRAM_BEGIN = 63,
    SCOREP_EVENT_PROGRAM_END = 64,

    /* I/O */
    SCOREP_EVENT_IO_CREATE_HANDLE = 65,
    SCOREP_EVENT_IO_DESTROY_HANDLE = 66,
    SCOREP_EVENT_IO_DUPLICATE_HANDLE = 67,
    SCOREP_EVENT_IO_SEEK = 68,
    SCOREP_EVENT_IO_CHANGE_STATUS_FLAGS = 69,
    SCOREP_EVENT_IO_DELETE_FILE = 70,
    SCOREP_EVENT_IO_OPERATION_BEGIN = 71,
    SCOREP_EVENT_IO_OPERATION_ISSUED = 72,
    SCOREP_EVENT_IO_OPERATION_TEST = 73,
    SCOREP_EVENT_IO_OPERATION_COMPLETE = 74,
    SCOREP_EVENT_IO_OPERATION_CANCELLED = 75,
    SCOREP_EVENT_IO_ACQUIRE_LOCK = 76,
    SCOREP_EVENT_IO_TRY_LOCK = 77,
    SCOREP_EVENT_IO_RELEASE_LOCK = 78,

    /* Non-blocking collectives and communicators, since 8.0 */
    SCOREP_EVENT_MPI_NON_BLOCKING_COLLECTIVE_REQUEST = 79,
    SCOREP_EVENT_MPI_NON_BLOCKING_COLLECTIVE_COMPLETE = 80,
    SCOREP_EVENT_COMM_CREATE = 81,
    SCOREP_EVENT_COMM_DESTROY = 82,

    SCOREP_SUBSTRATES_NUM_EVENTS = 83
} SCOREP_Substrates_EventType;

/* Any event function; the host calls it with the signature of its number. */
typedef void (*SCOREP_Substrates_Callback)(void);

/* ---- Recording ---- */

/* 0: Recording was switched on; the host is back in the enabled table. */
typedef void (*SCOREP_Substrates_EnableRecordingCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle regionHandle,
        uint64_t* metricValues);

/* 1: Recording is being switched off; the host changes tables right after. */
typedef void (*SCOREP_Substrates_DisableRecordingCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle regionHandle,
        uint64_t* metricValues);

/* 2: The built-in tracing starts to flush its event buffer. */
typedef void (*SCOREP_Substrates_OnTracingBufferFlushBeginCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle regionHandle,
        uint64_t* metricValues);

/* 3: The built-in tracing has flushed its event buffer. */
typedef void (*SCOREP_Substrates_OnTracingBufferFlushEndCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle regionHandle,
        uint64_t* metricValues);

/* ---- Regions ---- */

/* 4: A region is entered. */
typedef void (*SCOREP_Substrates_EnterRegionCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle regionHandle,
        uint64_t* metricValues);

/* 5: A region is left. */
typedef void (*SCOREP_Substrates_ExitRegionCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle regionHandle,
        uint64_t* metricValues);

/* ---- Samples and calling contexts ---- */

/* 6: A sample was taken; called inside a signal handler. */
typedef void (*SCOREP_Substrates_SampleCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_CallingContextHandle callingContext,
        SCOREP_CallingContextHandle previousCallingContext, uint32_t unwindDistance,
        SCOREP_InterruptGeneratorHandle interruptGeneratorHandle, uint64_t* metricValues);

/* 7: A region is entered, reported as a calling context. */
typedef void (*SCOREP_Substrates_CallingContextEnterCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_CallingContextHandle callingContext,
        SCOREP_CallingContextHandle previousCallingContext, uint32_t unwindDistance, uint64_t* metricValues);

/* 8: A region is left, reported as a calling context. */
typedef void (*SCOREP_Substrates_CallingContextExitCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_CallingContextHandle callingContext,
        SCOREP_CallingContextHandle previousCallingContext, uint32_t unwindDistance, uint64_t* metricValues);

/* ---- Rewinding ---- */

/* 9: A rewind region starts: a point to which the location may be rewound. */
typedef void (*SCOREP_Substrates_EnterRewindRegionCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle regionHandle);

/* 10: A rewind region ends, with the decision whether to rewind. */
typedef void (*SCOREP_Substrates_ExitRewindRegionCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle regionHandle,
        bool doRewind);

/* ---- MPI ---- */

/* 11: A blocking MPI send. */
typedef void (*SCOREP_Substrates_MpiSendCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRank destinationRank,
        SCOREP_InterimCommunicatorHandle communicatorHandle, uint32_t tag, uint64_t bytesSent);

/* 12: A blocking MPI receive is complete. */
typedef void (*SCOREP_Substrates_MpiRecvCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRank sourceRank,
        SCOREP_InterimCommunicatorHandle communicatorHandle, uint32_t tag, uint64_t bytesReceived);

/* 13: An MPI collective operation starts. */
typedef void (*SCOREP_Substrates_MpiCollectiveBeginCb)(struct SCOREP_Location* location, uint64_t timestamp);

/* 14: An MPI collective operation is complete. */
typedef void (*SCOREP_Substrates_MpiCollectiveEndCb)(
        struct SCOREP_Location* location, uint64_t timestamp,
        SCOREP_InterimCommunicatorHandle communicatorHandle, SCOREP_MpiRank rootRank,
        SCOREP_CollectiveType collectiveType, uint64_t bytesSent, uint64_t bytesReceived);

/* 15: A non-blocking MPI send is complete. */
typedef void (*SCOREP_Substrates_MpiIsendCompleteCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRequestId requestId);

/* 16: A non-blocking MPI receive is posted. */
typedef void (*SCOREP_Substrates_MpiIrecvRequestCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRequestId requestId);

/* 17: An MPI request was tested and is not complete. */
typedef void (*SCOREP_Substrates_MpiRequestTestedCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRequestId requestId);

/* 18: An MPI request is cancelled. */
typedef void (*SCOREP_Substrates_MpiRequestCancelledCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRequestId requestId);

/* 19: A non-blocking MPI send starts. */
typedef void (*SCOREP_Substrates_MpiIsendCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRank destinationRank,
        SCOREP_InterimCommunicatorHandle communicatorHandle, uint32_t tag, uint64_t bytesSent,
        SCOREP_MpiRequestId requestId);

/* 20: A non-blocking MPI receive is complete. */
typedef void (*SCOREP_Substrates_MpiIrecvCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRank sourceRank,
        SCOREP_InterimCommunicatorHandle communicatorHandle, uint32_t tag, uint64_t bytesReceived,
        SCOREP_MpiRequestId requestId);

/* ---- One-sided communication (RMA) ---- */

/* 21: An RMA window is created. */
typedef void (*SCOREP_Substrates_RmaWinCreateCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle);

/* 22: An RMA window is destroyed. */
typedef void (*SCOREP_Substrates_RmaWinDestroyCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle);

/* 23: A collective RMA operation starts. The sync level is passed since 7.0. */
typedef void (*SCOREP_Substrates_RmaCollectiveBeginCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaSyncLevel syncLevel);

/* 24: A collective RMA operation is complete. */
typedef void (*SCOREP_Substrates_RmaCollectiveEndCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_CollectiveType collectiveOp,
        SCOREP_RmaSyncLevel syncLevel, SCOREP_RmaWindowHandle windowHandle, uint32_t root,
        uint64_t bytesSent, uint64_t bytesReceived);

/* 25: An attempt to lock an RMA window. */
typedef void (*SCOREP_Substrates_RmaTryLockCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
        uint32_t remote, uint64_t lockId, SCOREP_LockType lockType);

/* 26: A lock of an RMA window is acquired. */
typedef void (*SCOREP_Substrates_RmaAcquireLockCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
        uint32_t remote, uint64_t lockId, SCOREP_LockType lockType);

/* 27: A lock of an RMA window is requested. */
typedef void (*SCOREP_Substrates_RmaRequestLockCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
        uint32_t remote, uint64_t lockId, SCOREP_LockType lockType);

/* 28: A lock of an RMA window is released. */
typedef void (*SCOREP_Substrates_RmaReleaseLockCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
        uint32_t remote, uint64_t lockId);

/* 29: A synchronisation with one remote process on an RMA window. */
typedef void (*SCOREP_Substrates_RmaSyncCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
        uint32_t remote, SCOREP_RmaSyncType syncType);

/* 30: A synchronisation of a group on an RMA window. */
typedef void (*SCOREP_Substrates_RmaGroupSyncCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaSyncLevel syncLevel,
        SCOREP_RmaWindowHandle windowHandle, SCOREP_GroupHandle groupHandle);

/* 31: An RMA put is issued. */
typedef void (*SCOREP_Substrates_RmaPutCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
        uint32_t remote, uint64_t bytes, uint64_t matchingId);

/* 32: An RMA get is issued. */
typedef void (*SCOREP_Substrates_RmaGetCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
        uint32_t remote, uint64_t bytes, uint64_t matchingId);

/* 33: An RMA atomic operation is issued. */
typedef void (*SCOREP_Substrates_RmaAtomicCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
        uint32_t remote, SCOREP_RmaAtomicType type, uint64_t bytesSent, uint64_t bytesReceived,
        uint64_t matchingId);

/* 34: The location waits for a change of its window memory. */
typedef void (*SCOREP_Substrates_RmaWaitChangeCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle);

/* 35: A blocking RMA operation is locally complete. */
typedef void (*SCOREP_Substrates_RmaOpCompleteBlockingCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
        uint64_t matchingId);

/* 36: A non-blocking RMA operation is locally complete. */
typedef void (*SCOREP_Substrates_RmaOpCompleteNonBlockingCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
        uint64_t matchingId);

/* 37: An RMA operation was tested and is not complete. */
typedef void (*SCOREP_Substrates_RmaOpTestCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
        uint64_t matchingId);

/* 38: An RMA operation is complete at the remote side. */
typedef void (*SCOREP_Substrates_RmaOpCompleteRemoteCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
        uint64_t matchingId);

/* ---- Locks of threading paradigms ---- */

/* 39: A lock of a threading paradigm is acquired. */
typedef void (*SCOREP_Substrates_ThreadAcquireLockCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm, uint32_t lockId,
        uint32_t acquisitionOrder);

/* 40: A lock of a threading paradigm is released. */
typedef void (*SCOREP_Substrates_ThreadReleaseLockCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm, uint32_t lockId,
        uint32_t acquisitionOrder);

/* ---- Counters ---- */

/* 41: A counter has a new signed value. */
typedef void (*SCOREP_Substrates_TriggerCounterInt64Cb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_SamplingSetHandle counterHandle,
        int64_t value);

/* 42: A counter has a new unsigned value. */
typedef void (*SCOREP_Substrates_TriggerCounterUint64Cb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_SamplingSetHandle counterHandle,
        uint64_t value);

/* 43: A counter has a new floating point value. */
typedef void (*SCOREP_Substrates_TriggerCounterDoubleCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_SamplingSetHandle counterHandle,
        double value);

/* ---- Parameters ---- */

/* 44: A parameter has a new signed value. */
typedef void (*SCOREP_Substrates_TriggerParameterInt64Cb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParameterHandle parameterHandle,
        int64_t value);

/* 45: A parameter has a new unsigned value. */
typedef void (*SCOREP_Substrates_TriggerParameterUint64Cb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParameterHandle parameterHandle,
        uint64_t value);

/* 46: A parameter has a new string value. */
typedef void (*SCOREP_Substrates_TriggerParameterStringCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParameterHandle parameterHandle,
        SCOREP_StringHandle string_handle);

/* ---- Fork-join threads and tasks ---- */

/* 47: The location forks a team of threads. */
typedef void (*SCOREP_Substrates_ThreadForkJoinForkCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm,
        uint32_t nRequestedThreads, uint32_t forkSequenceCount);

/* 48: The team of threads is joined. */
typedef void (*SCOREP_Substrates_ThreadForkJoinJoinCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm);

/* 49: The location starts to work in a team. The thread id is passed since 7.0. */
typedef void (*SCOREP_Substrates_ThreadForkJoinTeamBeginCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm,
        SCOREP_InterimCommunicatorHandle threadTeam, uint64_t threadId);

/* 50: The location ends its work in a team. */
typedef void (*SCOREP_Substrates_ThreadForkJoinTeamEndCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm,
        SCOREP_InterimCommunicatorHandle threadTeam);

/* 51: A task is created. */
typedef void (*SCOREP_Substrates_ThreadForkJoinTaskCreateCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm,
        SCOREP_InterimCommunicatorHandle threadTeam, uint32_t threadId, uint32_t generationNumber);

/* 52: Execution changes to another task. */
typedef void (*SCOREP_Substrates_ThreadForkJoinTaskSwitchCb)(
        struct SCOREP_Location* location, uint64_t timestamp, uint64_t* metricValues,
        SCOREP_ParadigmType paradigm, SCOREP_InterimCommunicatorHandle threadTeam, uint32_t threadId,
        uint32_t generationNumber, SCOREP_TaskHandle taskHandle);

/* 53: A task starts to run on the location. */
typedef void (*SCOREP_Substrates_ThreadForkJoinTaskBeginCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle regionHandle,
        uint64_t* metricValues, SCOREP_ParadigmType paradigm, SCOREP_InterimCommunicatorHandle threadTeam,
        uint32_t threadId, uint32_t generationNumber, SCOREP_TaskHandle taskHandle);

/* 54: A task is complete. */
typedef void (*SCOREP_Substrates_ThreadForkJoinTaskEndCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle regionHandle,
        uint64_t* metricValues, SCOREP_ParadigmType paradigm, SCOREP_InterimCommunicatorHandle threadTeam,
        uint32_t threadId, uint32_t generationNumber, SCOREP_TaskHandle taskHandle);

/* ---- Create-wait threads ---- */

/* 55: The location creates a thread. */
typedef void (*SCOREP_Substrates_ThreadCreateWaitCreateCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm,
        SCOREP_InterimCommunicatorHandle threadTeam, uint32_t createSequenceCount);

/* 56: The location waits for a thread it created, and the wait is over. */
typedef void (*SCOREP_Substrates_ThreadCreateWaitWaitCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm,
        SCOREP_InterimCommunicatorHandle threadTeam, uint32_t createSequenceCount);

/* 57: A created thread starts. The thread id is passed since 7.0. */
typedef void (*SCOREP_Substrates_ThreadCreateWaitBeginCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm,
        SCOREP_InterimCommunicatorHandle threadTeam, uint32_t createSequenceCount, uint64_t threadId);

/* 58: A created thread ends. */
typedef void (*SCOREP_Substrates_ThreadCreateWaitEndCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm,
        SCOREP_InterimCommunicatorHandle threadTeam, uint32_t createSequenceCount);

/* ---- Memory ---- */

/* 59: Memory was allocated. */
typedef void (*SCOREP_Substrates_TrackAllocCb)(
        struct SCOREP_Location* location, uint64_t timestamp, uint64_t addrAllocated, size_t bytesAllocated,
        void* substrateData[], size_t bytesAllocatedMetric, size_t bytesAllocatedProcess);

/* 60: Memory was reallocated. */
typedef void (*SCOREP_Substrates_TrackReallocCb)(
        struct SCOREP_Location* location, uint64_t timestamp, uint64_t oldAddr, size_t oldBytesAllocated,
        void* oldSubstrateData[], uint64_t newAddr, size_t newBytesAllocated, void* newSubstrateData[],
        size_t bytesAllocatedMetric, size_t bytesAllocatedProcess);

/* 61: Memory was freed. */
typedef void (*SCOREP_Substrates_TrackFreeCb)(
        struct SCOREP_Location* location, uint64_t timestamp, uint64_t addrFreed, size_t bytesFreed,
        void* substrateData[], size_t bytesAllocatedMetric, size_t bytesAllocatedProcess);

/* ---- Post-mortem metrics ---- */

/*
 * 62: Metric values collected after the fact, at the end of the measurement. The Metric_Write...
 * functions call a function of this type, too, with one value per metric of the sampling set.
 */
typedef void (*SCOREP_Substrates_WriteMetricsCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_SamplingSetHandle samplingSet,
        const uint64_t* metricValues);

/* ---- Program ---- */

/* 63: The program starts. Process and thread id are passed since 7.0. */
typedef void (*SCOREP_Substrates_ProgramBeginCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_StringHandle programName,
        uint32_t numberOfProgramArgs, SCOREP_StringHandle* programArguments,
        SCOREP_RegionHandle programRegionHandle, uint64_t processId, uint64_t threadId);

/* 64: The program ends. */
typedef void (*SCOREP_Substrates_ProgramEndCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ExitStatus exitStatus,
        SCOREP_RegionHandle programRegionHandle);

/* ---- I/O ---- */

/* 65: An I/O handle is created (file opened). */
typedef void (*SCOREP_Substrates_IoCreateHandleCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
        SCOREP_IoAccessMode mode, SCOREP_IoCreationFlag creationFlags, SCOREP_IoStatusFlag statusFlags);

/* 66: An I/O handle is destroyed (file closed). */
typedef void (*SCOREP_Substrates_IoDestroyHandleCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle);

/* 67: An I/O handle is duplicated. */
typedef void (*SCOREP_Substrates_IoDuplicateHandleCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle oldHandle,
        SCOREP_IoHandleHandle newHandle, SCOREP_IoStatusFlag statusFlags);

/* 68: The position of an I/O handle is changed. */
typedef void (*SCOREP_Substrates_IoSeekCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
        int64_t offsetRequest, SCOREP_IoSeekOption whence, uint64_t offsetResult);

/* 69: The status flags of an I/O handle are changed. */
typedef void (*SCOREP_Substrates_IoChangeStatusFlagsCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
        SCOREP_IoStatusFlag statusFlags);

/* 70: A file is deleted. */
typedef void (*SCOREP_Substrates_IoDeleteFileCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoParadigmType ioParadigm,
        SCOREP_IoFileHandle ioFile);

/* 71: An I/O operation starts. The offset is passed since 7.0. */
typedef void (*SCOREP_Substrates_IoOperationBeginCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
        SCOREP_IoOperationMode mode, SCOREP_IoOperationFlag operationFlags, uint64_t bytesRequest,
        uint64_t matchingId, uint64_t offset);

/* 72: A non-blocking I/O operation is issued. */
typedef void (*SCOREP_Substrates_IoOperationIssuedCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
        uint64_t matchingId);

/* 73: A non-blocking I/O operation was tested and is not complete. */
typedef void (*SCOREP_Substrates_IoOperationTestCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
        uint64_t matchingId);

/* 74: An I/O operation is complete. */
typedef void (*SCOREP_Substrates_IoOperationCompleteCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
        SCOREP_IoOperationMode mode, uint64_t bytesResult, uint64_t matchingId);

/* 75: A non-blocking I/O operation is cancelled. */
typedef void (*SCOREP_Substrates_IoOperationCancelledCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
        uint64_t matchingId);

/* 76: A lock of a file is acquired. */
typedef void (*SCOREP_Substrates_IoAcquireLockCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
        SCOREP_LockType lockType);

/* 77: An attempt to lock a file. Number 78 in hosts up to 7.x. */
typedef void (*SCOREP_Substrates_IoTryLockCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
        SCOREP_LockType lockType);

/* 78: A lock of a file is released. Number 77 in hosts up to 7.x. */
typedef void (*SCOREP_Substrates_IoReleaseLockCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
        SCOREP_LockType lockType);

/* ---- Non-blocking collectives and communicators, since 8.0 ---- */

/* 79: A non-blocking MPI collective operation starts. Since 8.0. */
typedef void (*SCOREP_Substrates_MpiNonBlockingCollectiveRequestCb)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRequestId requestId);

/* 80: A non-blocking MPI collective operation is complete. Since 8.0. */
typedef void (*SCOREP_Substrates_MpiNonBlockingCollectiveCompleteCb)(
        struct SCOREP_Location* location, uint64_t timestamp,
        SCOREP_InterimCommunicatorHandle communicatorHandle, SCOREP_MpiRank rootRank,
        SCOREP_CollectiveType collectiveType, uint64_t bytesSent, uint64_t bytesReceived,
        SCOREP_MpiRequestId requestId);

/* 81: A communicator is created. Since 8.0. */
typedef void (*SCOREP_Substrates_CommCreateCb)(
        struct SCOREP_Location* location, uint64_t timestamp,
        SCOREP_InterimCommunicatorHandle communicatorHandle);

/* 82: A communicator is destroyed. Since 8.0. */
typedef void (*SCOREP_Substrates_CommDestroyCb)(
        struct SCOREP_Location* location, uint64_t timestamp,
        SCOREP_InterimCommunicatorHandle communicatorHandle);

#endif /* KYMO_SUBSTRATE_EVENTS_H */
