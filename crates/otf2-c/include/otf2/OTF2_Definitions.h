/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_Definitions.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
#ifndef OTF2_DEFINITIONS_H
#define OTF2_DEFINITIONS_H

/**
 * @file
 * Enumerations and flags of definition records.
 */

#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The domain of a system tree node.
 *
 * @see OTF2_SystemTreeDomain_enum
 * @since 1.2
 */
typedef uint8_t OTF2_SystemTreeDomain;

/** The values of #OTF2_SystemTreeDomain. */
enum OTF2_SystemTreeDomain_enum
{
    /** A machine: nodes and their network. */
    OTF2_SYSTEM_TREE_DOMAIN_MACHINE = 0,
    /** Processors that share memory, usually a node. */
    OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY = 1,
    /** Processors with equal access to a part of the memory. */
    OTF2_SYSTEM_TREE_DOMAIN_NUMA = 2,
    /** A processor chip. */
    OTF2_SYSTEM_TREE_DOMAIN_SOCKET = 3,
    /** Cores that share a cache. */
    OTF2_SYSTEM_TREE_DOMAIN_CACHE = 4,
    /** A core. */
    OTF2_SYSTEM_TREE_DOMAIN_CORE = 5,
    /** A hardware thread. */
    OTF2_SYSTEM_TREE_DOMAIN_PU = 6,
    /** An accelerator, for example a GPU. Since 3.0. */
    OTF2_SYSTEM_TREE_DOMAIN_ACCELERATOR_DEVICE = 7,
    /** A network adapter. Since 3.0. */
    OTF2_SYSTEM_TREE_DOMAIN_NETWORKING_DEVICE = 8
};

/**
 * The type of a location group.
 *
 * @see OTF2_LocationGroupType_enum
 * @since 1.0
 */
typedef uint8_t OTF2_LocationGroupType;

/** The values of #OTF2_LocationGroupType. */
enum OTF2_LocationGroupType_enum
{
    /** Not known. */
    OTF2_LOCATION_GROUP_TYPE_UNKNOWN = 0,
    /** A process. */
    OTF2_LOCATION_GROUP_TYPE_PROCESS = 1,
    /** The streams of an accelerator that a process uses. Since 3.0. */
    OTF2_LOCATION_GROUP_TYPE_ACCELERATOR = 2
};

/**
 * The type of a location.
 *
 * @see OTF2_LocationType_enum
 * @since 1.0
 */
typedef uint8_t OTF2_LocationType;

/** The values of #OTF2_LocationType. */
enum OTF2_LocationType_enum
{
    /** Not known. */
    OTF2_LOCATION_TYPE_UNKNOWN = 0,
    /** A thread of a process. */
    OTF2_LOCATION_TYPE_CPU_THREAD = 1,
    /** A stream or queue of an accelerator. */
    OTF2_LOCATION_TYPE_ACCELERATOR_STREAM = 2,
    /** The former name of #OTF2_LOCATION_TYPE_ACCELERATOR_STREAM. */
    OTF2_LOCATION_TYPE_GPU __otf2_deprecated__ = 2,
    /** Has only metrics, for example of a sensor. */
    OTF2_LOCATION_TYPE_METRIC = 3
};

/**
 * The role of a region.
 *
 * @see OTF2_RegionRole_enum
 * @since 1.1
 */
typedef uint8_t OTF2_RegionRole;

/** The values of #OTF2_RegionRole. */
enum OTF2_RegionRole_enum
{
    /** Not known. */
    OTF2_REGION_ROLE_UNKNOWN = 0,
    /** A function. */
    OTF2_REGION_ROLE_FUNCTION = 1,
    /** A function that stands in for one of a library. */
    OTF2_REGION_ROLE_WRAPPER = 2,
    /** A loop. */
    OTF2_REGION_ROLE_LOOP = 3,
    /** Any piece of code. */
    OTF2_REGION_ROLE_CODE = 4,
    /** A parallel region. */
    OTF2_REGION_ROLE_PARALLEL = 5,
    /** A construct of parallel sections. */
    OTF2_REGION_ROLE_SECTIONS = 6,
    /** One of the parallel sections. */
    OTF2_REGION_ROLE_SECTION = 7,
    /** A construct that shares work, for example `workshare` of Fortran. */
    OTF2_REGION_ROLE_WORKSHARE = 8,
    /** A construct that one thread of the team executes. */
    OTF2_REGION_ROLE_SINGLE = 9,
    /** The block inside a single construct. */
    OTF2_REGION_ROLE_SINGLE_SBLOCK = 10,
    /** A block that only the first thread of the team executes. */
    OTF2_REGION_ROLE_MASTER = 11,
    /** A critical construct, including the wait for it. */
    OTF2_REGION_ROLE_CRITICAL = 12,
    /** The block inside a critical construct. */
    OTF2_REGION_ROLE_CRITICAL_SBLOCK = 13,
    /** An atomic construct. */
    OTF2_REGION_ROLE_ATOMIC = 14,
    /** A barrier. */
    OTF2_REGION_ROLE_BARRIER = 15,
    /** A barrier at the end of another construct. */
    OTF2_REGION_ROLE_IMPLICIT_BARRIER = 16,
    /** A flush of memory. */
    OTF2_REGION_ROLE_FLUSH = 17,
    /** An ordered construct, including the wait for it. */
    OTF2_REGION_ROLE_ORDERED = 18,
    /** The block inside an ordered construct. */
    OTF2_REGION_ROLE_ORDERED_SBLOCK = 19,
    /** A task. */
    OTF2_REGION_ROLE_TASK = 20,
    /** The creation of a task. */
    OTF2_REGION_ROLE_TASK_CREATE = 21,
    /** The wait for tasks. */
    OTF2_REGION_ROLE_TASK_WAIT = 22,
    /** A collective operation from one rank to all. */
    OTF2_REGION_ROLE_COLL_ONE2ALL = 23,
    /** A collective operation from all ranks to one. */
    OTF2_REGION_ROLE_COLL_ALL2ONE = 24,
    /** A collective operation from all ranks to all. */
    OTF2_REGION_ROLE_COLL_ALL2ALL = 25,
    /** Another collective operation. */
    OTF2_REGION_ROLE_COLL_OTHER = 26,
    /** Input or output. */
    OTF2_REGION_ROLE_FILE_IO = 27,
    /** Communication of two ranks. */
    OTF2_REGION_ROLE_POINT2POINT = 28,
    /** One-sided communication. */
    OTF2_REGION_ROLE_RMA = 29,
    /** A transfer between memories, for example to a device. */
    OTF2_REGION_ROLE_DATA_TRANSFER = 30,
    /**
     * No code: inserted by the measurement, for example to mark the threads of a program. Since
     * 1.2.
     */
    OTF2_REGION_ROLE_ARTIFICIAL = 31,
    /** The creation of a thread. Since 1.3. */
    OTF2_REGION_ROLE_THREAD_CREATE = 32,
    /** The wait for the end of a thread. Since 1.3. */
    OTF2_REGION_ROLE_THREAD_WAIT = 33,
    /** A task that may continue on another thread. Since 1.5. */
    OTF2_REGION_ROLE_TASK_UNTIED = 34,
    /** Allocation of memory. Since 2.0. */
    OTF2_REGION_ROLE_ALLOCATE = 35,
    /** Release of memory. Since 2.0. */
    OTF2_REGION_ROLE_DEALLOCATE = 36,
    /** Change of the size of memory. Since 2.0. */
    OTF2_REGION_ROLE_REALLOCATE = 37,
    /** Input or output that concerns no data, for example a seek. Since 2.1. */
    OTF2_REGION_ROLE_FILE_IO_METADATA = 38,
    /** A cancellation, for example `cancel` of OpenMP. Since 3.1. */
    OTF2_REGION_ROLE_CANCEL = 39,
    /** A kernel of an accelerator, on its stream. Since 3.1. */
    OTF2_REGION_ROLE_KERNEL = 40
};

/**
 * The flags of a region.
 *
 * @see OTF2_RegionFlag_enum
 * @since 1.1
 */
typedef uint32_t OTF2_RegionFlag;

/** The values of #OTF2_RegionFlag. */
enum OTF2_RegionFlag_enum
{
    /** No flag. */
    OTF2_REGION_FLAG_NONE = 0,
    /** Instances are to be distinguished, for example the iterations of a loop. */
    OTF2_REGION_FLAG_DYNAMIC = 1 << 0,
    /** A phase of the program. */
    OTF2_REGION_FLAG_PHASE = 1 << 1
};

/**
 * The type of a group.
 *
 * @see OTF2_GroupType_enum
 * @since 1.2
 */
typedef uint8_t OTF2_GroupType;

/** The values of #OTF2_GroupType. */
enum OTF2_GroupType_enum
{
    /** Not known. */
    OTF2_GROUP_TYPE_UNKNOWN = 0,
    /** Members are ids of locations. */
    OTF2_GROUP_TYPE_LOCATIONS = 1,
    /** Members are ids of regions. */
    OTF2_GROUP_TYPE_REGIONS = 2,
    /** Members are ids of metrics. */
    OTF2_GROUP_TYPE_METRIC = 3,
    /** All locations that a paradigm uses for communication; at most one per paradigm. */
    OTF2_GROUP_TYPE_COMM_LOCATIONS = 4,
    /**
     * Members are indices into the group of communication locations, or location groups, of the
     * same paradigm.
     */
    OTF2_GROUP_TYPE_COMM_GROUP = 5,
    /** The communicator consists of the location itself; no members. */
    OTF2_GROUP_TYPE_COMM_SELF = 6,
    /**
     * All location groups that a paradigm uses for communication, in place of
     * #OTF2_GROUP_TYPE_COMM_LOCATIONS: ranks are processes. Since 3.2.
     */
    OTF2_GROUP_TYPE_COMM_LOCATION_GROUPS = 7
};

/**
 * The flags of a group.
 *
 * @see OTF2_GroupFlag_enum
 * @since 1.2
 */
typedef uint32_t OTF2_GroupFlag;

/** The values of #OTF2_GroupFlag. */
enum OTF2_GroupFlag_enum
{
    /** No flag. */
    OTF2_GROUP_FLAG_NONE = 0,
    /** Members are ids of locations, and not indices into another group. */
    OTF2_GROUP_FLAG_GLOBAL_MEMBERS = 1 << 0
};

/**
 * The base of a scale.
 *
 * @see OTF2_Base_enum
 * @since 1.0
 */
typedef uint8_t OTF2_Base;

/** The values of #OTF2_Base. */
enum OTF2_Base_enum
{
    /** Powers of 2. */
    OTF2_BASE_BINARY = 0,
    /** Powers of 10. */
    OTF2_BASE_DECIMAL = 1
};

/**
 * When the values of a metric class are recorded.
 *
 * @see OTF2_MetricOccurrence_enum
 * @since 1.0
 */
typedef uint8_t OTF2_MetricOccurrence;

/** The values of #OTF2_MetricOccurrence. */
enum OTF2_MetricOccurrence_enum
{
    /** At every enter and leave of a region, and at no other time. */
    OTF2_METRIC_SYNCHRONOUS_STRICT = 0,
    /** Together with other events, but not with all. */
    OTF2_METRIC_SYNCHRONOUS = 1,
    /** At any time, independent of other events. */
    OTF2_METRIC_ASYNCHRONOUS = 2
};

/**
 * The source of a metric.
 *
 * @see OTF2_MetricType_enum
 * @since 1.0
 */
typedef uint8_t OTF2_MetricType;

/** The values of #OTF2_MetricType. */
enum OTF2_MetricType_enum
{
    /** Another source. */
    OTF2_METRIC_TYPE_OTHER = 0,
    /** A counter of PAPI. */
    OTF2_METRIC_TYPE_PAPI = 1,
    /** A figure of getrusage. */
    OTF2_METRIC_TYPE_RUSAGE = 2,
    /** Defined by the user. */
    OTF2_METRIC_TYPE_USER = 3
};

/**
 * How values of a metric relate to each other (low half of the mode).
 *
 * @see OTF2_MetricValueProperty_enum
 * @since 1.0
 */
typedef uint8_t OTF2_MetricValueProperty;

/** The values of #OTF2_MetricValueProperty. */
enum OTF2_MetricValueProperty_enum
{
    /** The sum since the start of the measurement. */
    OTF2_METRIC_VALUE_ACCUMULATED = 0,
    /** The value itself, for example a temperature. */
    OTF2_METRIC_VALUE_ABSOLUTE = 1,
    /** The change since the previous value. */
    OTF2_METRIC_VALUE_RELATIVE = 2,
    /** The bits of this part in #OTF2_MetricMode. */
    OTF2_METRIC_VALUE_MASK = 15
};

/**
 * The time to which a metric value refers (high half of the mode).
 *
 * @see OTF2_MetricTiming_enum
 * @since 1.0
 */
typedef uint8_t OTF2_MetricTiming;

/** The values of #OTF2_MetricTiming. */
enum OTF2_MetricTiming_enum
{
    /** From the start of the measurement to the time stamp. */
    OTF2_METRIC_TIMING_START = 0,
    /** Only at the time stamp. */
    OTF2_METRIC_TIMING_POINT = 16,
    /** From the previous time stamp to this one. */
    OTF2_METRIC_TIMING_LAST = 32,
    /** From this time stamp to the next one. */
    OTF2_METRIC_TIMING_NEXT = 48,
    /** The bits of this part in #OTF2_MetricMode. */
    OTF2_METRIC_TIMING_MASK = 240
};

/**
 * The mode of a metric: value property and timing.
 *
 * @see OTF2_MetricMode_enum
 * @since 1.0
 */
typedef uint8_t OTF2_MetricMode;

/** The values of #OTF2_MetricMode. */
enum OTF2_MetricMode_enum
{
    /** The sum from the start of the measurement to the time stamp, for example of cycles. */
    OTF2_METRIC_ACCUMULATED_START = 0,
    /** A sum that is valid only at the time stamp. */
    OTF2_METRIC_ACCUMULATED_POINT = 16,
    /** A sum that is valid from the previous time stamp to this one. */
    OTF2_METRIC_ACCUMULATED_LAST = 32,
    /** A sum that is valid from this time stamp to the next one. */
    OTF2_METRIC_ACCUMULATED_NEXT = 48,
    /** A value that is valid only at the time stamp. */
    OTF2_METRIC_ABSOLUTE_POINT = 17,
    /** A value that is valid from the previous time stamp to this one. */
    OTF2_METRIC_ABSOLUTE_LAST = 33,
    /** A value that is valid from this time stamp to the next one. */
    OTF2_METRIC_ABSOLUTE_NEXT = 49,
    /** A change that occurs at the time stamp. */
    OTF2_METRIC_RELATIVE_POINT = 18,
    /** A change from the previous time stamp to this one. */
    OTF2_METRIC_RELATIVE_LAST = 34,
    /** A change from this time stamp to the next one. */
    OTF2_METRIC_RELATIVE_NEXT = 50
};

/**
 * The kind of object to which a metric instance refers.
 *
 * @see OTF2_MetricScope_enum
 * @since 1.0
 */
typedef uint8_t OTF2_MetricScope;

/** The values of #OTF2_MetricScope. */
enum OTF2_MetricScope_enum
{
    /** A location. */
    OTF2_SCOPE_LOCATION = 0,
    /** A location group. */
    OTF2_SCOPE_LOCATION_GROUP = 1,
    /** A node of the system tree. */
    OTF2_SCOPE_SYSTEM_TREE_NODE = 2,
    /** A group of locations. */
    OTF2_SCOPE_GROUP = 3
};

/**
 * The kind of location that records a metric class.
 *
 * @see OTF2_RecorderKind_enum
 * @since 1.2
 */
typedef uint8_t OTF2_RecorderKind;

/** The values of #OTF2_RecorderKind. */
enum OTF2_RecorderKind_enum
{
    /** Not known. */
    OTF2_RECORDER_KIND_UNKNOWN = 0,
    /** Not recorded as such: only instances of the class have values. */
    OTF2_RECORDER_KIND_ABSTRACT = 1,
    /** A location of type #OTF2_LOCATION_TYPE_CPU_THREAD. */
    OTF2_RECORDER_KIND_CPU = 2,
    /** A location of type #OTF2_LOCATION_TYPE_ACCELERATOR_STREAM. */
    OTF2_RECORDER_KIND_GPU = 3
};

/**
 * The type of a parameter.
 *
 * @see OTF2_ParameterType_enum
 * @since 1.0
 */
typedef uint8_t OTF2_ParameterType;

/** The values of #OTF2_ParameterType. */
enum OTF2_ParameterType_enum
{
    /** Ids of String definitions. */
    OTF2_PARAMETER_TYPE_STRING = 0,
    /** Signed numbers. */
    OTF2_PARAMETER_TYPE_INT64 = 1,
    /** Unsigned numbers. */
    OTF2_PARAMETER_TYPE_UINT64 = 2
};

/**
 * Whether a dimension wraps around.
 *
 * @see OTF2_CartPeriodicity_enum
 * @since 1.3
 */
typedef uint8_t OTF2_CartPeriodicity;

/** The values of #OTF2_CartPeriodicity. */
enum OTF2_CartPeriodicity_enum
{
    /** The dimension has two ends. */
    OTF2_CART_PERIODIC_FALSE = 0,
    /** The last element is a neighbour of the first. */
    OTF2_CART_PERIODIC_TRUE = 1
};

/**
 * The unit that an interrupt generator counts.
 *
 * @see OTF2_InterruptGeneratorMode_enum
 * @since 2.0
 */
typedef uint8_t OTF2_InterruptGeneratorMode;

/** The values of #OTF2_InterruptGeneratorMode. */
enum OTF2_InterruptGeneratorMode_enum
{
    /** The period is a time, in seconds. */
    OTF2_INTERRUPT_GENERATOR_MODE_TIME = 0,
    /** The period is a number of events, for example of cache misses. */
    OTF2_INTERRUPT_GENERATOR_MODE_COUNT = 1
};

/**
 * The class of an I/O paradigm.
 *
 * @see OTF2_IoParadigmClass_enum
 * @since 2.1
 */
typedef uint8_t OTF2_IoParadigmClass;

/** The values of #OTF2_IoParadigmClass. */
enum OTF2_IoParadigmClass_enum
{
    /** Each process works on its own, for example with POSIX. */
    OTF2_IO_PARADIGM_CLASS_SERIAL = 0,
    /** Processes may work together, for example with MPI-IO. */
    OTF2_IO_PARADIGM_CLASS_PARALLEL = 1
};

/**
 * The flags of an I/O paradigm.
 *
 * @see OTF2_IoParadigmFlag_enum
 * @since 2.1
 */
typedef uint32_t OTF2_IoParadigmFlag;

/** The values of #OTF2_IoParadigmFlag. */
enum OTF2_IoParadigmFlag_enum
{
    /** No flag. */
    OTF2_IO_PARADIGM_FLAG_NONE = 0,
    /** Calls of this paradigm enter the operating system. */
    OTF2_IO_PARADIGM_FLAG_OS = 1 << 0
};

/**
 * A property of an I/O paradigm.
 *
 * @see OTF2_IoParadigmProperty_enum
 * @since 2.1
 */
typedef uint8_t OTF2_IoParadigmProperty;

/** The values of #OTF2_IoParadigmProperty. */
enum OTF2_IoParadigmProperty_enum
{
    /** The version of the paradigm, any type. */
    OTF2_IO_PARADIGM_PROPERTY_VERSION = 0
};

/**
 * The flags of an I/O handle.
 *
 * @see OTF2_IoHandleFlag_enum
 * @since 2.1
 */
typedef uint32_t OTF2_IoHandleFlag;

/** The values of #OTF2_IoHandleFlag. */
enum OTF2_IoHandleFlag_enum
{
    /** No flag. */
    OTF2_IO_HANDLE_FLAG_NONE = 0,
    /** The handle exists before the program starts, for example standard output. */
    OTF2_IO_HANDLE_FLAG_PRE_CREATED = 1 << 0,
    /** Operations on the handle are passed to its parent. */
    OTF2_IO_HANDLE_FLAG_ALL_PROXY = 1 << 1
};

/**
 * The access mode of an I/O handle.
 *
 * @see OTF2_IoAccessMode_enum
 * @since 2.1
 */
typedef uint8_t OTF2_IoAccessMode;

/** The values of #OTF2_IoAccessMode. */
enum OTF2_IoAccessMode_enum
{
    /** Reading. */
    OTF2_IO_ACCESS_MODE_READ_ONLY = 0,
    /** Writing. */
    OTF2_IO_ACCESS_MODE_WRITE_ONLY = 1,
    /** Reading and writing. */
    OTF2_IO_ACCESS_MODE_READ_WRITE = 2,
    /** Execution. */
    OTF2_IO_ACCESS_MODE_EXECUTE_ONLY = 3,
    /** Search in a directory. */
    OTF2_IO_ACCESS_MODE_SEARCH_ONLY = 4
};

/**
 * The status flags of an I/O handle.
 *
 * @see OTF2_IoStatusFlag_enum
 * @since 2.1
 */
typedef uint32_t OTF2_IoStatusFlag;

/** The values of #OTF2_IoStatusFlag. */
enum OTF2_IoStatusFlag_enum
{
    /** No flag. */
    OTF2_IO_STATUS_FLAG_NONE = 0,
    /** Closed when the process starts another program. */
    OTF2_IO_STATUS_FLAG_CLOSE_ON_EXEC = 1 << 0,
    /** Writes at the end of the file. */
    OTF2_IO_STATUS_FLAG_APPEND = 1 << 1,
    /** Calls do not wait. */
    OTF2_IO_STATUS_FLAG_NON_BLOCKING = 1 << 2,
    /** A signal reports that the file is ready. */
    OTF2_IO_STATUS_FLAG_ASYNC = 1 << 3,
    /** Writes return when data and metadata are stored. */
    OTF2_IO_STATUS_FLAG_SYNC = 1 << 4,
    /** Writes return when the data is stored. */
    OTF2_IO_STATUS_FLAG_DATA_SYNC = 1 << 5,
    /** Data bypasses the cache of the system if possible. */
    OTF2_IO_STATUS_FLAG_AVOID_CACHING = 1 << 6,
    /** The time of the last access is not updated. */
    OTF2_IO_STATUS_FLAG_NO_ACCESS_TIME = 1 << 7,
    /** The file is deleted when the handle is closed. */
    OTF2_IO_STATUS_FLAG_DELETE_ON_CLOSE = 1 << 8
};

/**
 * The flags of a communicator.
 *
 * @see OTF2_CommFlag_enum
 * @since 3.0
 */
typedef uint32_t OTF2_CommFlag;

/** The values of #OTF2_CommFlag. */
enum OTF2_CommFlag_enum
{
    /** No flag. */
    OTF2_COMM_FLAG_NONE = 0,
    /** CommCreate and CommDestroy events are recorded for the communicator. */
    OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS = 1 << 0
};

/**
 * The flags of a window.
 *
 * @see OTF2_RmaWinFlag_enum
 * @since 3.0
 */
typedef uint32_t OTF2_RmaWinFlag;

/** The values of #OTF2_RmaWinFlag. */
enum OTF2_RmaWinFlag_enum
{
    /** No flag. */
    OTF2_RMA_WIN_FLAG_NONE = 0,
    /** RmaWinCreate and RmaWinDestroy events are recorded for the window. */
    OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS = 1 << 0
};

#ifdef __cplusplus
}
#endif

#endif /* OTF2_DEFINITIONS_H */
