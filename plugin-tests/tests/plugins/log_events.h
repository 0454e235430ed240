/* SPDX-License-Identifier: BSD-3-Clause */
/* The event functions of the plugin in log.c: EVENT( name, parameters, how its arguments are written ). */

EVENT(ENABLE_RECORDING, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle regionHandle,
    uint64_t* metricValues),
    U(regionHandle) (void)metricValues;)
EVENT(DISABLE_RECORDING, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle regionHandle,
    uint64_t* metricValues),
    U(regionHandle) (void)metricValues;)
EVENT(ON_TRACING_BUFFER_FLUSH_BEGIN, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle
    regionHandle, uint64_t* metricValues),
    U(regionHandle) (void)metricValues;)
EVENT(ON_TRACING_BUFFER_FLUSH_END, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle
    regionHandle, uint64_t* metricValues),
    U(regionHandle) (void)metricValues;)
EVENT(ENTER_REGION, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle regionHandle,
    uint64_t* metricValues),
    U(regionHandle) (void)metricValues; METRICS)
EVENT(EXIT_REGION, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle regionHandle,
    uint64_t* metricValues),
    U(regionHandle) (void)metricValues; METRICS)
EVENT(SAMPLE, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_CallingContextHandle callingContext,
    SCOREP_CallingContextHandle previousCallingContext, uint32_t unwindDistance, SCOREP_InterruptGeneratorHandle
    interruptGeneratorHandle, uint64_t* metricValues),
    U(callingContext) U(previousCallingContext) U(unwindDistance) U(interruptGeneratorHandle)
    (void)metricValues; METRICS)
EVENT(CALLING_CONTEXT_ENTER, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_CallingContextHandle
    callingContext, SCOREP_CallingContextHandle previousCallingContext, uint32_t unwindDistance, uint64_t*
    metricValues),
    U(callingContext) U(previousCallingContext) U(unwindDistance) (void)metricValues; METRICS)
EVENT(CALLING_CONTEXT_EXIT, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_CallingContextHandle
    callingContext, SCOREP_CallingContextHandle previousCallingContext, uint32_t unwindDistance, uint64_t*
    metricValues),
    U(callingContext) U(previousCallingContext) U(unwindDistance) (void)metricValues; METRICS)
EVENT(ENTER_REWIND_REGION, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle regionHandle),
    U(regionHandle))
EVENT(EXIT_REWIND_REGION, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle regionHandle,
    bool doRewind),
    U(regionHandle) U(doRewind))
EVENT(MPI_SEND, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRank destinationRank,
    SCOREP_InterimCommunicatorHandle communicatorHandle, uint32_t tag, uint64_t bytesSent),
    SIGN_EXTENDED(destinationRank) COMMUNICATOR(communicatorHandle) U(tag) U(bytesSent))
EVENT(MPI_RECV, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRank sourceRank,
    SCOREP_InterimCommunicatorHandle communicatorHandle, uint32_t tag, uint64_t bytesReceived),
    SIGN_EXTENDED(sourceRank) COMMUNICATOR(communicatorHandle) U(tag) U(bytesReceived))
EVENT(MPI_COLLECTIVE_BEGIN, (struct SCOREP_Location* location, uint64_t timestamp),
    )
EVENT(MPI_COLLECTIVE_END, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_InterimCommunicatorHandle
    communicatorHandle, SCOREP_MpiRank rootRank, SCOREP_CollectiveType collectiveType, uint64_t bytesSent, uint64_t
    bytesReceived),
    COMMUNICATOR(communicatorHandle) SIGN_EXTENDED(rootRank) U(collectiveType) U(bytesSent) U(bytesReceived))
EVENT(MPI_ISEND_COMPLETE, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRequestId requestId),
    U(requestId))
EVENT(MPI_IRECV_REQUEST, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRequestId requestId),
    U(requestId))
EVENT(MPI_REQUEST_TESTED, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRequestId requestId),
    U(requestId))
EVENT(MPI_REQUEST_CANCELLED, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRequestId requestId),
    U(requestId))
EVENT(MPI_ISEND, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRank destinationRank,
    SCOREP_InterimCommunicatorHandle communicatorHandle, uint32_t tag, uint64_t bytesSent, SCOREP_MpiRequestId
    requestId),
    SIGN_EXTENDED(destinationRank) COMMUNICATOR(communicatorHandle) U(tag) U(bytesSent) U(requestId))
EVENT(MPI_IRECV, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_MpiRank sourceRank,
    SCOREP_InterimCommunicatorHandle communicatorHandle, uint32_t tag, uint64_t bytesReceived, SCOREP_MpiRequestId
    requestId),
    SIGN_EXTENDED(sourceRank) COMMUNICATOR(communicatorHandle) U(tag) U(bytesReceived) U(requestId))
EVENT(RMA_WIN_CREATE, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle),
    U(windowHandle))
EVENT(RMA_WIN_DESTROY, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle),
    U(windowHandle))
EVENT(RMA_COLLECTIVE_BEGIN, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaSyncLevel syncLevel),
    U(syncLevel))
EVENT(RMA_COLLECTIVE_END, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_CollectiveType collectiveOp,
    SCOREP_RmaSyncLevel syncLevel, SCOREP_RmaWindowHandle windowHandle, uint32_t root, uint64_t bytesSent, uint64_t
    bytesReceived),
    U(collectiveOp) U(syncLevel) U(windowHandle) U(root) U(bytesSent) U(bytesReceived))
EVENT(RMA_TRY_LOCK, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
    uint32_t remote, uint64_t lockId, SCOREP_LockType lockType),
    U(windowHandle) U(remote) U(lockId) U(lockType))
EVENT(RMA_ACQUIRE_LOCK, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
    uint32_t remote, uint64_t lockId, SCOREP_LockType lockType),
    U(windowHandle) U(remote) U(lockId) U(lockType))
EVENT(RMA_REQUEST_LOCK, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
    uint32_t remote, uint64_t lockId, SCOREP_LockType lockType),
    U(windowHandle) U(remote) U(lockId) U(lockType))
EVENT(RMA_RELEASE_LOCK, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
    uint32_t remote, uint64_t lockId),
    U(windowHandle) U(remote) U(lockId))
EVENT(RMA_SYNC, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle, uint32_t
    remote, SCOREP_RmaSyncType syncType),
    U(windowHandle) U(remote) U(syncType))
EVENT(RMA_GROUP_SYNC, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaSyncLevel syncLevel,
    SCOREP_RmaWindowHandle windowHandle, SCOREP_GroupHandle groupHandle),
    U(syncLevel) U(windowHandle) U(groupHandle))
EVENT(RMA_PUT, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle, uint32_t
    remote, uint64_t bytes, uint64_t matchingId),
    U(windowHandle) U(remote) U(bytes) U(matchingId))
EVENT(RMA_GET, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle, uint32_t
    remote, uint64_t bytes, uint64_t matchingId),
    U(windowHandle) U(remote) U(bytes) U(matchingId))
EVENT(RMA_ATOMIC, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
    uint32_t remote, SCOREP_RmaAtomicType type, uint64_t bytesSent, uint64_t bytesReceived, uint64_t matchingId),
    U(windowHandle) U(remote) U(type) U(bytesSent) U(bytesReceived) U(matchingId))
EVENT(RMA_WAIT_CHANGE, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle),
    U(windowHandle))
EVENT(RMA_OP_COMPLETE_BLOCKING, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle
    windowHandle, uint64_t matchingId),
    U(windowHandle) U(matchingId))
EVENT(RMA_OP_COMPLETE_NON_BLOCKING, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle
    windowHandle, uint64_t matchingId),
    U(windowHandle) U(matchingId))
EVENT(RMA_OP_TEST, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle windowHandle,
    uint64_t matchingId),
    U(windowHandle) U(matchingId))
EVENT(RMA_OP_COMPLETE_REMOTE, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RmaWindowHandle
    windowHandle, uint64_t matchingId),
    U(windowHandle) U(matchingId))
EVENT(THREAD_ACQUIRE_LOCK, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm,
    uint32_t lockId, uint32_t acquisitionOrder),
    U(paradigm) U(lockId) U(acquisitionOrder))
EVENT(THREAD_RELEASE_LOCK, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm,
    uint32_t lockId, uint32_t acquisitionOrder),
    U(paradigm) U(lockId) U(acquisitionOrder))
EVENT(TRIGGER_COUNTER_INT64, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_SamplingSetHandle
    counterHandle, int64_t value),
    U(counterHandle) I(value))
EVENT(TRIGGER_COUNTER_UINT64, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_SamplingSetHandle
    counterHandle, uint64_t value),
    U(counterHandle) U(value))
EVENT(TRIGGER_COUNTER_DOUBLE, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_SamplingSetHandle
    counterHandle, double value),
    U(counterHandle) F(value))
EVENT(TRIGGER_PARAMETER_INT64, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParameterHandle
    parameterHandle, int64_t value),
    U(parameterHandle) I(value))
EVENT(TRIGGER_PARAMETER_UINT64, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParameterHandle
    parameterHandle, uint64_t value),
    U(parameterHandle) U(value))
EVENT(TRIGGER_PARAMETER_STRING, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParameterHandle
    parameterHandle, SCOREP_StringHandle string_handle),
    U(parameterHandle) U(string_handle))
EVENT(THREAD_FORK_JOIN_FORK, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm,
    uint32_t nRequestedThreads, uint32_t forkSequenceCount),
    U(paradigm) U(nRequestedThreads) U(forkSequenceCount))
EVENT(THREAD_FORK_JOIN_JOIN, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm),
    U(paradigm))
EVENT(THREAD_FORK_JOIN_TEAM_BEGIN, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType
    paradigm, SCOREP_InterimCommunicatorHandle threadTeam, uint64_t threadId),
    U(paradigm) U(threadTeam) U(threadId))
EVENT(THREAD_FORK_JOIN_TEAM_END, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType
    paradigm, SCOREP_InterimCommunicatorHandle threadTeam),
    U(paradigm) U(threadTeam))
EVENT(THREAD_FORK_JOIN_TASK_CREATE, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType
    paradigm, SCOREP_InterimCommunicatorHandle threadTeam, uint32_t threadId, uint32_t generationNumber),
    U(paradigm) U(threadTeam) U(threadId) U(generationNumber))
EVENT(THREAD_FORK_JOIN_TASK_SWITCH, (struct SCOREP_Location* location, uint64_t timestamp, uint64_t* metricValues,
    SCOREP_ParadigmType paradigm, SCOREP_InterimCommunicatorHandle threadTeam, uint32_t threadId, uint32_t
    generationNumber, SCOREP_TaskHandle taskHandle),
    (void)metricValues; U(paradigm) U(threadTeam) U(threadId) U(generationNumber) POINTER(taskHandle))
EVENT(THREAD_FORK_JOIN_TASK_BEGIN, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle
    regionHandle, uint64_t* metricValues, SCOREP_ParadigmType paradigm, SCOREP_InterimCommunicatorHandle threadTeam,
    uint32_t threadId, uint32_t generationNumber, SCOREP_TaskHandle taskHandle),
    U(regionHandle) (void)metricValues; U(paradigm) U(threadTeam) U(threadId) U(generationNumber)
    POINTER(taskHandle) METRICS)
EVENT(THREAD_FORK_JOIN_TASK_END, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_RegionHandle
    regionHandle, uint64_t* metricValues, SCOREP_ParadigmType paradigm, SCOREP_InterimCommunicatorHandle threadTeam,
    uint32_t threadId, uint32_t generationNumber, SCOREP_TaskHandle taskHandle),
    U(regionHandle) (void)metricValues; U(paradigm) U(threadTeam) U(threadId) U(generationNumber)
    POINTER(taskHandle) METRICS)
EVENT(THREAD_CREATE_WAIT_CREATE, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType
    paradigm, SCOREP_InterimCommunicatorHandle threadTeam, uint32_t createSequenceCount),
    U(paradigm) U(threadTeam) U(createSequenceCount))
EVENT(THREAD_CREATE_WAIT_WAIT, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm,
    SCOREP_InterimCommunicatorHandle threadTeam, uint32_t createSequenceCount),
    U(paradigm) U(threadTeam) U(createSequenceCount))
EVENT(THREAD_CREATE_WAIT_BEGIN, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm,
    SCOREP_InterimCommunicatorHandle threadTeam, uint32_t createSequenceCount, uint64_t threadId),
    U(paradigm) U(threadTeam) U(createSequenceCount) U(threadId))
EVENT(THREAD_CREATE_WAIT_END, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ParadigmType paradigm,
    SCOREP_InterimCommunicatorHandle threadTeam, uint32_t createSequenceCount),
    U(paradigm) U(threadTeam) U(createSequenceCount))
EVENT(TRACK_ALLOC, (struct SCOREP_Location* location, uint64_t timestamp, uint64_t addrAllocated, size_t
    bytesAllocated, void* substrateData[], size_t bytesAllocatedMetric, size_t bytesAllocatedProcess),
    U(addrAllocated) U(bytesAllocated) PRIVATE(substrateData) U(bytesAllocatedMetric) U(bytesAllocatedProcess))
EVENT(TRACK_REALLOC, (struct SCOREP_Location* location, uint64_t timestamp, uint64_t oldAddr, size_t
    oldBytesAllocated, void* oldSubstrateData[], uint64_t newAddr, size_t newBytesAllocated, void*
    newSubstrateData[], size_t bytesAllocatedMetric, size_t bytesAllocatedProcess),
    U(oldAddr) U(oldBytesAllocated) PRIVATE(oldSubstrateData) U(newAddr) U(newBytesAllocated)
    PRIVATE(newSubstrateData) U(bytesAllocatedMetric) U(bytesAllocatedProcess))
EVENT(TRACK_FREE, (struct SCOREP_Location* location, uint64_t timestamp, uint64_t addrFreed, size_t bytesFreed,
    void* substrateData[], size_t bytesAllocatedMetric, size_t bytesAllocatedProcess),
    U(addrFreed) U(bytesFreed) PRIVATE(substrateData) U(bytesAllocatedMetric) U(bytesAllocatedProcess))
EVENT(WRITE_POST_MORTEM_METRICS, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_SamplingSetHandle
    samplingSet, const uint64_t* metricValues),
    U(samplingSet) write_values(samplingSet, metricValues);)
EVENT(PROGRAM_BEGIN, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_StringHandle programName,
    uint32_t numberOfProgramArgs, SCOREP_StringHandle* programArguments, SCOREP_RegionHandle programRegionHandle,
    uint64_t processId, uint64_t threadId),
    U(programName) U(numberOfProgramArgs) write_arguments(numberOfProgramArgs, programArguments);
    U(programRegionHandle) U(processId) U(threadId))
EVENT(PROGRAM_END, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_ExitStatus exitStatus,
    SCOREP_RegionHandle programRegionHandle),
    SIGN_EXTENDED(exitStatus) U(programRegionHandle))
EVENT(IO_CREATE_HANDLE, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
    SCOREP_IoAccessMode mode, SCOREP_IoCreationFlag creationFlags, SCOREP_IoStatusFlag statusFlags),
    U(handle) U(mode) U(creationFlags) U(statusFlags))
EVENT(IO_DESTROY_HANDLE, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle),
    U(handle))
EVENT(IO_DUPLICATE_HANDLE, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle oldHandle,
    SCOREP_IoHandleHandle newHandle, SCOREP_IoStatusFlag statusFlags),
    U(oldHandle) U(newHandle) U(statusFlags))
EVENT(IO_SEEK, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle, int64_t
    offsetRequest, SCOREP_IoSeekOption whence, uint64_t offsetResult),
    U(handle) I(offsetRequest) U(whence) U(offsetResult))
EVENT(IO_CHANGE_STATUS_FLAGS, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
    SCOREP_IoStatusFlag statusFlags),
    U(handle) U(statusFlags))
EVENT(IO_DELETE_FILE, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoParadigmType ioParadigm,
    SCOREP_IoFileHandle ioFile),
    U(ioParadigm) U(ioFile))
EVENT(IO_OPERATION_BEGIN, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
    SCOREP_IoOperationMode mode, SCOREP_IoOperationFlag operationFlags, uint64_t bytesRequest, uint64_t matchingId,
    uint64_t offset),
    U(handle) U(mode) U(operationFlags) U(bytesRequest) U(matchingId) U(offset))
EVENT(IO_OPERATION_ISSUED, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
    uint64_t matchingId),
    U(handle) U(matchingId))
EVENT(IO_OPERATION_TEST, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
    uint64_t matchingId),
    U(handle) U(matchingId))
EVENT(IO_OPERATION_COMPLETE, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
    SCOREP_IoOperationMode mode, uint64_t bytesResult, uint64_t matchingId),
    U(handle) U(mode) U(bytesResult) U(matchingId))
EVENT(IO_OPERATION_CANCELLED, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
    uint64_t matchingId),
    U(handle) U(matchingId))
EVENT(IO_ACQUIRE_LOCK, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
    SCOREP_LockType lockType),
    U(handle) U(lockType))
EVENT(IO_TRY_LOCK, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
    SCOREP_LockType lockType),
    U(handle) U(lockType))
EVENT(IO_RELEASE_LOCK, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_IoHandleHandle handle,
    SCOREP_LockType lockType),
    U(handle) U(lockType))
EVENT(MPI_NON_BLOCKING_COLLECTIVE_REQUEST, (struct SCOREP_Location* location, uint64_t timestamp,
    SCOREP_MpiRequestId requestId),
    U(requestId))
EVENT(MPI_NON_BLOCKING_COLLECTIVE_COMPLETE, (struct SCOREP_Location* location, uint64_t timestamp,
    SCOREP_InterimCommunicatorHandle communicatorHandle, SCOREP_MpiRank rootRank, SCOREP_CollectiveType
    collectiveType, uint64_t bytesSent, uint64_t bytesReceived, SCOREP_MpiRequestId requestId),
    COMMUNICATOR(communicatorHandle) SIGN_EXTENDED(rootRank) U(collectiveType) U(bytesSent) U(bytesReceived) U(requestId))
EVENT(COMM_CREATE, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_InterimCommunicatorHandle
    communicatorHandle),
    COMMUNICATOR(communicatorHandle))
EVENT(COMM_DESTROY, (struct SCOREP_Location* location, uint64_t timestamp, SCOREP_InterimCommunicatorHandle
    communicatorHandle),
    COMMUNICATOR(communicatorHandle))

#define ENTRY_OF(NAME)                                                               \
    enabled[SCOREP_EVENT_##NAME] = (SCOREP_Substrates_Callback)enabled_##NAME;       \
    disabled[SCOREP_EVENT_##NAME] = (SCOREP_Substrates_Callback)disabled_##NAME;

static void fill_tables(SCOREP_Substrates_Callback* enabled, SCOREP_Substrates_Callback* disabled)
{
    ENTRY_OF(ENABLE_RECORDING)
    ENTRY_OF(DISABLE_RECORDING)
    ENTRY_OF(ON_TRACING_BUFFER_FLUSH_BEGIN)
    ENTRY_OF(ON_TRACING_BUFFER_FLUSH_END)
    ENTRY_OF(ENTER_REGION)
    ENTRY_OF(EXIT_REGION)
    ENTRY_OF(SAMPLE)
    ENTRY_OF(CALLING_CONTEXT_ENTER)
    ENTRY_OF(CALLING_CONTEXT_EXIT)
    ENTRY_OF(ENTER_REWIND_REGION)
    ENTRY_OF(EXIT_REWIND_REGION)
    ENTRY_OF(MPI_SEND)
    ENTRY_OF(MPI_RECV)
    ENTRY_OF(MPI_COLLECTIVE_BEGIN)
    ENTRY_OF(MPI_COLLECTIVE_END)
    ENTRY_OF(MPI_ISEND_COMPLETE)
    ENTRY_OF(MPI_IRECV_REQUEST)
    ENTRY_OF(MPI_REQUEST_TESTED)
    ENTRY_OF(MPI_REQUEST_CANCELLED)
    ENTRY_OF(MPI_ISEND)
    ENTRY_OF(MPI_IRECV)
    ENTRY_OF(RMA_WIN_CREATE)
    ENTRY_OF(RMA_WIN_DESTROY)
    ENTRY_OF(RMA_COLLECTIVE_BEGIN)
    ENTRY_OF(RMA_COLLECTIVE_END)
    ENTRY_OF(RMA_TRY_LOCK)
    ENTRY_OF(RMA_ACQUIRE_LOCK)
    ENTRY_OF(RMA_REQUEST_LOCK)
    ENTRY_OF(RMA_RELEASE_LOCK)
    ENTRY_OF(RMA_SYNC)
    ENTRY_OF(RMA_GROUP_SYNC)
    ENTRY_OF(RMA_PUT)
    ENTRY_OF(RMA_GET)
    ENTRY_OF(RMA_ATOMIC)
    ENTRY_OF(RMA_WAIT_CHANGE)
    ENTRY_OF(RMA_OP_COMPLETE_BLOCKING)
    ENTRY_OF(RMA_OP_COMPLETE_NON_BLOCKING)
    ENTRY_OF(RMA_OP_TEST)
    ENTRY_OF(RMA_OP_COMPLETE_REMOTE)
    ENTRY_OF(THREAD_ACQUIRE_LOCK)
    ENTRY_OF(THREAD_RELEASE_LOCK)
    ENTRY_OF(TRIGGER_COUNTER_INT64)
    ENTRY_OF(TRIGGER_COUNTER_UINT64)
    ENTRY_OF(TRIGGER_COUNTER_DOUBLE)
    ENTRY_OF(TRIGGER_PARAMETER_INT64)
    ENTRY_OF(TRIGGER_PARAMETER_UINT64)
    ENTRY_OF(TRIGGER_PARAMETER_STRING)
    ENTRY_OF(THREAD_FORK_JOIN_FORK)
    ENTRY_OF(THREAD_FORK_JOIN_JOIN)
    ENTRY_OF(THREAD_FORK_JOIN_TEAM_BEGIN)
    ENTRY_OF(THREAD_FORK_JOIN_TEAM_END)
    ENTRY_OF(THREAD_FORK_JOIN_TASK_CREATE)
    ENTRY_OF(THREAD_FORK_JOIN_TASK_SWITCH)
    ENTRY_OF(THREAD_FORK_JOIN_TASK_BEGIN)
    ENTRY_OF(THREAD_FORK_JOIN_TASK_END)
    ENTRY_OF(THREAD_CREATE_WAIT_CREATE)
    ENTRY_OF(THREAD_CREATE_WAIT_WAIT)
    ENTRY_OF(THREAD_CREATE_WAIT_BEGIN)
    ENTRY_OF(THREAD_CREATE_WAIT_END)
    ENTRY_OF(TRACK_ALLOC)
    ENTRY_OF(TRACK_REALLOC)
    ENTRY_OF(TRACK_FREE)
    ENTRY_OF(WRITE_POST_MORTEM_METRICS)
    ENTRY_OF(PROGRAM_BEGIN)
    ENTRY_OF(PROGRAM_END)
    ENTRY_OF(IO_CREATE_HANDLE)
    ENTRY_OF(IO_DESTROY_HANDLE)
    ENTRY_OF(IO_DUPLICATE_HANDLE)
    ENTRY_OF(IO_SEEK)
    ENTRY_OF(IO_CHANGE_STATUS_FLAGS)
    ENTRY_OF(IO_DELETE_FILE)
    ENTRY_OF(IO_OPERATION_BEGIN)
    ENTRY_OF(IO_OPERATION_ISSUED)
    ENTRY_OF(IO_OPERATION_TEST)
    ENTRY_OF(IO_OPERATION_COMPLETE)
    ENTRY_OF(IO_OPERATION_CANCELLED)
    ENTRY_OF(IO_ACQUIRE_LOCK)
    ENTRY_OF(IO_TRY_LOCK)
    ENTRY_OF(IO_RELEASE_LOCK)
    ENTRY_OF(MPI_NON_BLOCKING_COLLECTIVE_REQUEST)
    ENTRY_OF(MPI_NON_BLOCKING_COLLECTIVE_COMPLETE)
    ENTRY_OF(COMM_CREATE)
    ENTRY_OF(COMM_DESTROY)
}
