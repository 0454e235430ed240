/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_Events.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
#ifndef OTF2_EVENTS_H
#define OTF2_EVENTS_H

/**
 * @file
 * Enumerations and flags of event records.
 */

#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Whether the measurement is on.
 *
 * @see OTF2_MeasurementMode_enum
 * @since 1.0
 */
typedef uint8_t OTF2_MeasurementMode;

/** The values of #OTF2_MeasurementMode. */
enum OTF2_MeasurementMode_enum
{
    /** The measurement is switched on. */
    OTF2_MEASUREMENT_ON = 1,
    /** The measurement is switched off. */
    OTF2_MEASUREMENT_OFF = 2
};

/**
 * A collective operation.
 *
 * @see OTF2_CollectiveOp_enum
 * @since 1.0
 */
typedef uint8_t OTF2_CollectiveOp;

/** The values of #OTF2_CollectiveOp. */
enum OTF2_CollectiveOp_enum
{
    /** Barrier. */
    OTF2_COLLECTIVE_OP_BARRIER = 0,
    /** Broadcast. */
    OTF2_COLLECTIVE_OP_BCAST = 1,
    /** Gather. */
    OTF2_COLLECTIVE_OP_GATHER = 2,
    /** Gather of different amounts. */
    OTF2_COLLECTIVE_OP_GATHERV = 3,
    /** Scatter. */
    OTF2_COLLECTIVE_OP_SCATTER = 4,
    /** Scatter of different amounts. */
    OTF2_COLLECTIVE_OP_SCATTERV = 5,
    /** Gather on all ranks. */
    OTF2_COLLECTIVE_OP_ALLGATHER = 6,
    /** Gather of different amounts on all ranks. */
    OTF2_COLLECTIVE_OP_ALLGATHERV = 7,
    /** Exchange of all ranks with all. */
    OTF2_COLLECTIVE_OP_ALLTOALL = 8,
    /** Exchange of different amounts of all ranks with all. */
    OTF2_COLLECTIVE_OP_ALLTOALLV = 9,
    /** Exchange of different amounts and types of all ranks with all. */
    OTF2_COLLECTIVE_OP_ALLTOALLW = 10,
    /** Reduction on all ranks. */
    OTF2_COLLECTIVE_OP_ALLREDUCE = 11,
    /** Reduction. */
    OTF2_COLLECTIVE_OP_REDUCE = 12,
    /** Reduction whose result is scattered in different amounts. */
    OTF2_COLLECTIVE_OP_REDUCE_SCATTER = 13,
    /** Prefix reduction that includes the own value. */
    OTF2_COLLECTIVE_OP_SCAN = 14,
    /** Prefix reduction without the own value. */
    OTF2_COLLECTIVE_OP_EXSCAN = 15,
    /** Reduction whose result is scattered in equal amounts. */
    OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK = 16,
    /** Collective creation of a handle, for example of a window or a file. */
    OTF2_COLLECTIVE_OP_CREATE_HANDLE = 17,
    /** Collective destruction of a handle. */
    OTF2_COLLECTIVE_OP_DESTROY_HANDLE = 18,
    /** Collective allocation of memory. */
    OTF2_COLLECTIVE_OP_ALLOCATE = 19,
    /** Collective release of memory. */
    OTF2_COLLECTIVE_OP_DEALLOCATE = 20,
    /** Collective creation of a handle with its memory. */
    OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE = 21,
    /** Collective destruction of a handle with its memory. */
    OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE = 22
};

/**
 * The kind of synchronisation of a window.
 *
 * @see OTF2_RmaSyncType_enum
 * @since 1.2
 */
typedef uint8_t OTF2_RmaSyncType;

/** The values of #OTF2_RmaSyncType. */
enum OTF2_RmaSyncType_enum
{
    /** The local copy of the memory is synchronised. */
    OTF2_RMA_SYNC_TYPE_MEMORY = 0,
    /** A notification arrives. */
    OTF2_RMA_SYNC_TYPE_NOTIFY_IN = 1,
    /** A notification is sent. */
    OTF2_RMA_SYNC_TYPE_NOTIFY_OUT = 2
};

/**
 * The scope of a synchronisation.
 *
 * @see OTF2_RmaSyncLevel_enum
 * @since 1.2
 */
typedef uint32_t OTF2_RmaSyncLevel;

/** The values of #OTF2_RmaSyncLevel. */
enum OTF2_RmaSyncLevel_enum
{
    /** No synchronisation. */
    OTF2_RMA_SYNC_LEVEL_NONE = 0,
    /** The processes are synchronised. */
    OTF2_RMA_SYNC_LEVEL_PROCESS = 1 << 0,
    /** The memory is synchronised. */
    OTF2_RMA_SYNC_LEVEL_MEMORY = 1 << 1
};

/**
 * The type of a lock.
 *
 * @see OTF2_LockType_enum
 * @since 1.2
 */
typedef uint8_t OTF2_LockType;

/** The values of #OTF2_LockType. */
enum OTF2_LockType_enum
{
    /** One owner at a time. */
    OTF2_LOCK_EXCLUSIVE = 0,
    /** Any number of owners at a time. */
    OTF2_LOCK_SHARED = 1
};

/**
 * An atomic operation.
 *
 * @see OTF2_RmaAtomicType_enum
 * @since 1.2
 */
typedef uint8_t OTF2_RmaAtomicType;

/** The values of #OTF2_RmaAtomicType. */
enum OTF2_RmaAtomicType_enum
{
    /** Combines a value with the remote one. */
    OTF2_RMA_ATOMIC_TYPE_ACCUMULATE = 0,
    /** Adds one. */
    OTF2_RMA_ATOMIC_TYPE_INCREMENT = 1,
    /** Sets the value unless it is set, and returns whether it was. */
    OTF2_RMA_ATOMIC_TYPE_TEST_AND_SET = 2,
    /** Replaces the value if it is the expected one, and returns the former one. */
    OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP = 3,
    /** Replaces the value, and returns the former one. Since 1.4. */
    OTF2_RMA_ATOMIC_TYPE_SWAP = 4,
    /** Adds a number, and returns the former value. Since 1.4. */
    OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ADD = 5,
    /** Adds one, and returns the former value. Since 1.4. */
    OTF2_RMA_ATOMIC_TYPE_FETCH_AND_INCREMENT = 6,
    /** Combines a value with the remote one, and returns the former one. Since 2.1. */
    OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE = 7
};

/**
 * The creation flags of an I/O handle.
 *
 * @see OTF2_IoCreationFlag_enum
 * @since 2.1
 */
typedef uint32_t OTF2_IoCreationFlag;

/** The values of #OTF2_IoCreationFlag. */
enum OTF2_IoCreationFlag_enum
{
    /** No flag. */
    OTF2_IO_CREATION_FLAG_NONE = 0,
    /** Creates the file if it does not exist. */
    OTF2_IO_CREATION_FLAG_CREATE = 1 << 0,
    /** Empties the file. */
    OTF2_IO_CREATION_FLAG_TRUNCATE = 1 << 1,
    /** Fails if the path is not a directory. */
    OTF2_IO_CREATION_FLAG_DIRECTORY = 1 << 2,
    /** Fails if the file exists. */
    OTF2_IO_CREATION_FLAG_EXCLUSIVE = 1 << 3,
    /** A terminal does not become that of the process. */
    OTF2_IO_CREATION_FLAG_NO_CONTROLLING_TERMINAL = 1 << 4,
    /** Fails if the path is a symbolic link. */
    OTF2_IO_CREATION_FLAG_NO_FOLLOW = 1 << 5,
    /** Only names a place: the file itself is not opened. */
    OTF2_IO_CREATION_FLAG_PATH = 1 << 6,
    /** Creates a file without a name. */
    OTF2_IO_CREATION_FLAG_TEMPORARY_FILE = 1 << 7,
    /** Allows files whose size needs 64 bits. */
    OTF2_IO_CREATION_FLAG_LARGEFILE = 1 << 8,
    /** The file is only accessed in sequence. */
    OTF2_IO_CREATION_FLAG_NO_SEEK = 1 << 9,
    /** The file is not opened a second time while it is open. */
    OTF2_IO_CREATION_FLAG_UNIQUE = 1 << 10
};

/**
 * The position to which the offset of a seek is relative.
 *
 * @see OTF2_IoSeekOption_enum
 * @since 2.1
 */
typedef uint8_t OTF2_IoSeekOption;

/** The values of #OTF2_IoSeekOption. */
enum OTF2_IoSeekOption_enum
{
    /** Relative to the start of the file. */
    OTF2_IO_SEEK_FROM_START = 0,
    /** Relative to the current position. */
    OTF2_IO_SEEK_FROM_CURRENT = 1,
    /** Relative to the end of the file. */
    OTF2_IO_SEEK_FROM_END = 2,
    /** The next data at or after the offset. */
    OTF2_IO_SEEK_DATA = 3,
    /** The next hole at or after the offset. */
    OTF2_IO_SEEK_HOLE = 4
};

/**
 * The kind of an I/O operation.
 *
 * @see OTF2_IoOperationMode_enum
 * @since 2.1
 */
typedef uint8_t OTF2_IoOperationMode;

/** The values of #OTF2_IoOperationMode. */
enum OTF2_IoOperationMode_enum
{
    /** Reads. */
    OTF2_IO_OPERATION_MODE_READ = 0,
    /** Writes. */
    OTF2_IO_OPERATION_MODE_WRITE = 1,
    /** Transfers buffered data to the file. */
    OTF2_IO_OPERATION_MODE_FLUSH = 2
};

/**
 * The flags of an I/O operation.
 *
 * @see OTF2_IoOperationFlag_enum
 * @since 2.1
 */
typedef uint32_t OTF2_IoOperationFlag;

/** The values of #OTF2_IoOperationFlag. */
enum OTF2_IoOperationFlag_enum
{
    /** No flag: blocking, and of this location only. */
    OTF2_IO_OPERATION_FLAG_NONE = 0,
    /** The operation continues after the call. */
    OTF2_IO_OPERATION_FLAG_NON_BLOCKING = 1 << 0,
    /** All members of the communicator take part. */
    OTF2_IO_OPERATION_FLAG_COLLECTIVE = 1 << 1
};

/**
 * The special values of the root of a collective operation.
 *
 * @see OTF2_CollectiveRoot_enum
 * @since 3.0
 */
typedef uint32_t OTF2_CollectiveRoot;

/** The values of #OTF2_CollectiveRoot. */
__otf2_extension__ enum OTF2_CollectiveRoot_enum
{
    /** The operation has no root. */
    OTF2_COLLECTIVE_ROOT_NONE = 0xffffffffu,
    /** The location itself is the root, in an inter-communicator. */
    OTF2_COLLECTIVE_ROOT_SELF = 0xfffffffeu,
    /** The root is in the own group of an inter-communicator, but is not this location. */
    OTF2_COLLECTIVE_ROOT_THIS_GROUP = 0xfffffffdu
};

/**
 * The special values of the generation number of a task.
 *
 * @see OTF2_TaskGenerationNumber_enum
 * @since 3.2
 */
typedef uint32_t OTF2_TaskGenerationNumber;

/** The values of #OTF2_TaskGenerationNumber. */
enum OTF2_TaskGenerationNumber_enum
{
    /** The implicit task of the thread. */
    OTF2_TASK_GENERATION_NUMBER_IMPLICIT = 0
};

/** The value of a metric. The type in the event determines the member. */
typedef union OTF2_MetricValue_union
{
    /** For #OTF2_TYPE_INT64. */
    int64_t signed_int;
    /** For #OTF2_TYPE_UINT64. */
    uint64_t unsigned_int;
    /** For #OTF2_TYPE_DOUBLE. */
    double floating_point;
} OTF2_MetricValue;

#ifdef __cplusplus
}
#endif

#endif /* OTF2_EVENTS_H */
