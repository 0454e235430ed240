/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_GeneralDefinitions.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
#ifndef OTF2_GENERAL_DEFINITIONS_H
#define OTF2_GENERAL_DEFINITIONS_H

/**
 * @file
 * Types and constants that all parts of the library use: versions, undefined values, ids, and the
 * handles of readers.
 *
 * An enumeration `OTF2_X` is an integer of a fixed width; its known values are the constants of
 * `OTF2_X_enum`. Archives of newer versions may contain other values: programs that read should
 * have a branch for them.
 */

#include <stdint.h>
#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The major version of the interface. */
#define OTF2_VERSION_MAJOR 3
/** The minor version of the interface. */
#define OTF2_VERSION_MINOR 2
/** The number of the release of this minor version. */
#define OTF2_VERSION_BUGFIX 0
/** The suffix of the version of a preview, empty for releases. */
#define OTF2_VERSION_SUFFIX ""
/** The version as a string. */
#define OTF2_VERSION "3.2"

/** An undefined value of 8 bits: all bits are set. */
#define OTF2_UNDEFINED_UINT8 ( ( uint8_t )( ~( ( uint8_t )0u ) ) )
/** An undefined signed value of 8 bits: the smallest value. */
#define OTF2_UNDEFINED_INT8 ( ( int8_t )( ~( OTF2_UNDEFINED_UINT8 >> 1 ) ) )
/** An undefined value of 16 bits: all bits are set. */
#define OTF2_UNDEFINED_UINT16 ( ( uint16_t )( ~( ( uint16_t )0u ) ) )
/** An undefined signed value of 16 bits: the smallest value. */
#define OTF2_UNDEFINED_INT16 ( ( int16_t )( ~( OTF2_UNDEFINED_UINT16 >> 1 ) ) )
/** An undefined value of 32 bits: all bits are set. */
#define OTF2_UNDEFINED_UINT32 ( ( uint32_t )( ~( ( uint32_t )0u ) ) )
/** An undefined signed value of 32 bits: the smallest value. */
#define OTF2_UNDEFINED_INT32 ( ( int32_t )( ~( OTF2_UNDEFINED_UINT32 >> 1 ) ) )
/** An undefined value of 64 bits: all bits are set. */
#define OTF2_UNDEFINED_UINT64 ( ( uint64_t )( ~( ( uint64_t )0u ) ) )
/** An undefined signed value of 64 bits: the smallest value. */
#define OTF2_UNDEFINED_INT64 ( ( int64_t )( ~( OTF2_UNDEFINED_UINT64 >> 1 ) ) )
/** An undefined #OTF2_Type. */
#define OTF2_UNDEFINED_TYPE OTF2_UNDEFINED_UINT8

/** A time in ticks of the clock. ClockProperties defines the length of a tick. */
typedef uint64_t OTF2_TimeStamp;
/** An undefined time. */
#define OTF2_UNDEFINED_TIMESTAMP OTF2_UNDEFINED_UINT64

/** The id of a definition in the id space of IoParadigm. */
typedef uint8_t OTF2_IoParadigmRef;
/** No IoParadigm. */
#define OTF2_UNDEFINED_IO_PARADIGM ( ( OTF2_IoParadigmRef )OTF2_UNDEFINED_UINT8 )

/** The id of a definition in the id space of String. */
typedef uint32_t OTF2_StringRef;
/** No String. */
#define OTF2_UNDEFINED_STRING ( ( OTF2_StringRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of Attribute. */
typedef uint32_t OTF2_AttributeRef;
/** No Attribute. */
#define OTF2_UNDEFINED_ATTRIBUTE ( ( OTF2_AttributeRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of SystemTreeNode. */
typedef uint32_t OTF2_SystemTreeNodeRef;
/** No SystemTreeNode. */
#define OTF2_UNDEFINED_SYSTEM_TREE_NODE ( ( OTF2_SystemTreeNodeRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of LocationGroup. */
typedef uint32_t OTF2_LocationGroupRef;
/** No LocationGroup. */
#define OTF2_UNDEFINED_LOCATION_GROUP ( ( OTF2_LocationGroupRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of Location. */
typedef uint64_t OTF2_LocationRef;
/** No Location. */
#define OTF2_UNDEFINED_LOCATION ( ( OTF2_LocationRef )OTF2_UNDEFINED_UINT64 )

/** The id of a definition in the id space of Region. */
typedef uint32_t OTF2_RegionRef;
/** No Region. */
#define OTF2_UNDEFINED_REGION ( ( OTF2_RegionRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of Callsite. */
typedef uint32_t OTF2_CallsiteRef;
/** No Callsite. */
#define OTF2_UNDEFINED_CALLSITE ( ( OTF2_CallsiteRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of Callpath. */
typedef uint32_t OTF2_CallpathRef;
/** No Callpath. */
#define OTF2_UNDEFINED_CALLPATH ( ( OTF2_CallpathRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of Group. */
typedef uint32_t OTF2_GroupRef;
/** No Group. */
#define OTF2_UNDEFINED_GROUP ( ( OTF2_GroupRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of MetricMember. */
typedef uint32_t OTF2_MetricMemberRef;
/** No MetricMember. */
#define OTF2_UNDEFINED_METRIC_MEMBER ( ( OTF2_MetricMemberRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of Metric. */
typedef uint32_t OTF2_MetricRef;
/** No Metric. */
#define OTF2_UNDEFINED_METRIC ( ( OTF2_MetricRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of Comm. */
typedef uint32_t OTF2_CommRef;
/** No Comm. */
#define OTF2_UNDEFINED_COMM ( ( OTF2_CommRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of Parameter. */
typedef uint32_t OTF2_ParameterRef;
/** No Parameter. */
#define OTF2_UNDEFINED_PARAMETER ( ( OTF2_ParameterRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of RmaWin. */
typedef uint32_t OTF2_RmaWinRef;
/** No RmaWin. */
#define OTF2_UNDEFINED_RMA_WIN ( ( OTF2_RmaWinRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of CartDimension. */
typedef uint32_t OTF2_CartDimensionRef;
/** No CartDimension. */
#define OTF2_UNDEFINED_CART_DIMENSION ( ( OTF2_CartDimensionRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of CartTopology. */
typedef uint32_t OTF2_CartTopologyRef;
/** No CartTopology. */
#define OTF2_UNDEFINED_CART_TOPOLOGY ( ( OTF2_CartTopologyRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of SourceCodeLocation. */
typedef uint32_t OTF2_SourceCodeLocationRef;
/** No SourceCodeLocation. */
#define OTF2_UNDEFINED_SOURCE_CODE_LOCATION ( ( OTF2_SourceCodeLocationRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of CallingContext. */
typedef uint32_t OTF2_CallingContextRef;
/** No CallingContext. */
#define OTF2_UNDEFINED_CALLING_CONTEXT ( ( OTF2_CallingContextRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of InterruptGenerator. */
typedef uint32_t OTF2_InterruptGeneratorRef;
/** No InterruptGenerator. */
#define OTF2_UNDEFINED_INTERRUPT_GENERATOR ( ( OTF2_InterruptGeneratorRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of IoFile. */
typedef uint32_t OTF2_IoFileRef;
/** No IoFile. */
#define OTF2_UNDEFINED_IO_FILE ( ( OTF2_IoFileRef )OTF2_UNDEFINED_UINT32 )

/** The id of a definition in the id space of IoHandle. */
typedef uint32_t OTF2_IoHandleRef;
/** No IoHandle. */
#define OTF2_UNDEFINED_IO_HANDLE ( ( OTF2_IoHandleRef )OTF2_UNDEFINED_UINT32 )

/** A reader of the events of a location. */
typedef struct OTF2_EvtReader_struct OTF2_EvtReader;
/** A reader of the events of many locations in the order of time. */
typedef struct OTF2_GlobalEvtReader_struct OTF2_GlobalEvtReader;
/** A reader of the definitions of a location. */
typedef struct OTF2_DefReader_struct OTF2_DefReader;
/** A reader of the global definitions. */
typedef struct OTF2_GlobalDefReader_struct OTF2_GlobalDefReader;
/** A reader of the snapshots of a location. */
typedef struct OTF2_SnapReader_struct OTF2_SnapReader;
/** A reader of the snapshots of many locations in the order of time. */
typedef struct OTF2_GlobalSnapReader_struct OTF2_GlobalSnapReader;
/** A reader of markers. */
typedef struct OTF2_MarkerReader_struct OTF2_MarkerReader;

/** The smallest size of a chunk, in bytes. */
#define OTF2_CHUNK_SIZE_MIN ( uint64_t )( 256 * 1024 )
/** The largest size of a chunk, in bytes. */
#define OTF2_CHUNK_SIZE_MAX ( uint64_t )( 1024 * 1024 * 16 )

/**
 * The mode in which an archive is opened; not on the wire.
 *
 * @see OTF2_FileMode_enum
 * @since 1.0
 */
typedef uint8_t OTF2_FileMode;

/** The values of #OTF2_FileMode. */
enum OTF2_FileMode_enum
{
    /** A new archive. */
    OTF2_FILEMODE_WRITE = 0,
    /** An existing archive. */
    OTF2_FILEMODE_READ = 1,
    /** Reserved: such an archive can be opened, but nothing can be done with it. */
    OTF2_FILEMODE_MODIFY = 2
};

/**
 * The compression of an archive.
 *
 * @see OTF2_Compression_enum
 * @since 1.0
 */
typedef uint8_t OTF2_Compression;

/** The values of #OTF2_Compression. */
enum OTF2_Compression_enum
{
    /** Not known. */
    OTF2_COMPRESSION_UNDEFINED = 0,
    /** No compression. */
    OTF2_COMPRESSION_NONE = 1,
    /** Compression of OTF2 before 3.0; archives can no longer be written. */
    OTF2_COMPRESSION_ZLIB __otf2_deprecated__ = 2
};

/** The result of a callback. Every value except 0 stops reading. */
typedef enum OTF2_CallbackCode_enum
{
    /** Go on. */
    OTF2_CALLBACK_SUCCESS = 0,
    /** Stop reading after this record. */
    OTF2_CALLBACK_INTERRUPT = !OTF2_CALLBACK_SUCCESS,
    /** The callback failed; the same value as #OTF2_CALLBACK_INTERRUPT. */
    OTF2_CALLBACK_ERROR = !OTF2_CALLBACK_SUCCESS
} OTF2_CallbackCode;

/**
 * Whether a buffer may be flushed; not on the wire.
 *
 * @see OTF2_FlushType_enum
 * @since 1.0
 */
typedef uint8_t OTF2_FlushType;

/** The values of #OTF2_FlushType. */
enum OTF2_FlushType_enum
{
    /** The buffer is dropped. */
    OTF2_NO_FLUSH = 0,
    /** The buffer is written to its file. */
    OTF2_FLUSH = 1
};

/**
 * A hint to a reader; not on the wire.
 *
 * @see OTF2_Hint_enum
 * @since 1.5
 */
typedef uint8_t OTF2_Hint;

/** The values of #OTF2_Hint. */
enum OTF2_Hint_enum
{
    /** Whether events will be read with a global reader; the value is an #OTF2_Boolean. */
    OTF2_HINT_GLOBAL_READER = 0
};

/**
 * A truth value.
 *
 * @see OTF2_Boolean_enum
 * @since 1.5
 */
typedef uint8_t OTF2_Boolean;

/** The values of #OTF2_Boolean. */
enum OTF2_Boolean_enum
{
    /** False. */
    OTF2_FALSE = 0,
    /** True. */
    OTF2_TRUE = 1
};

/**
 * The kind of a file of an archive.
 *
 * @see OTF2_FileType_enum
 * @since 1.0
 */
typedef uint8_t OTF2_FileType;

/** The values of #OTF2_FileType. */
enum OTF2_FileType_enum
{
    /** The anchor file, `<name>.otf2`. */
    OTF2_FILETYPE_ANCHOR = 0,
    /** The global definitions, `<name>.def`. */
    OTF2_FILETYPE_GLOBAL_DEFS = 1,
    /** The local definitions of a location, `<name>/<location>.def`. */
    OTF2_FILETYPE_LOCAL_DEFS = 2,
    /** The events of a location, `<name>/<location>.evt`. */
    OTF2_FILETYPE_EVENTS = 3,
    /** The snapshots of a location, `<name>/<location>.snap`. */
    OTF2_FILETYPE_SNAPSHOTS = 4,
    /** A thumbnail, `<name>.<number>.thumb`. */
    OTF2_FILETYPE_THUMBNAIL = 5,
    /** The markers, `<name>.marker`. */
    OTF2_FILETYPE_MARKER = 6,
    /** The table of the ranks in an archive of the substrate SION. */
    OTF2_FILETYPE_SIONRANKMAP = 7
};

/**
 * How the files of an archive are stored.
 *
 * @see OTF2_FileSubstrate_enum
 * @since 1.0
 */
typedef uint8_t OTF2_FileSubstrate;

/** The values of #OTF2_FileSubstrate. */
enum OTF2_FileSubstrate_enum
{
    /** No substrate. */
    OTF2_SUBSTRATE_UNDEFINED = 0,
    /** One file per location and kind of record. */
    OTF2_SUBSTRATE_POSIX = 1,
    /** Files of SIONlib that many locations share. Not supported by this library. */
    OTF2_SUBSTRATE_SION = 2,
    /** Nothing is written: for measurements of the cost of recording. */
    OTF2_SUBSTRATE_NONE = 3
};

/**
 * The kind of ids that a mapping table maps.
 *
 * @see OTF2_MappingType_enum
 * @since 1.0
 */
typedef uint8_t OTF2_MappingType;

/** The values of #OTF2_MappingType. */
enum OTF2_MappingType_enum
{
    /** Ids of String definitions. */
    OTF2_MAPPING_STRING = 0,
    /** Ids of Attribute definitions. */
    OTF2_MAPPING_ATTRIBUTE = 1,
    /** Ids of Location definitions. */
    OTF2_MAPPING_LOCATION = 2,
    /** Ids of Region definitions. */
    OTF2_MAPPING_REGION = 3,
    /** Ids of Group definitions. */
    OTF2_MAPPING_GROUP = 4,
    /** Ids of MetricClass and MetricInstance definitions. */
    OTF2_MAPPING_METRIC = 5,
    /** Ids of Comm and InterComm definitions. */
    OTF2_MAPPING_COMM = 6,
    /** Ids of Parameter definitions. */
    OTF2_MAPPING_PARAMETER = 7,
    /** Ids of RmaWin definitions. Since 1.2. */
    OTF2_MAPPING_RMA_WIN = 8,
    /** Ids of SourceCodeLocation definitions. Since 1.5. */
    OTF2_MAPPING_SOURCE_CODE_LOCATION = 9,
    /** Ids of CallingContext definitions. Since 1.5. */
    OTF2_MAPPING_CALLING_CONTEXT = 10,
    /** Ids of InterruptGenerator definitions. Since 1.5. */
    OTF2_MAPPING_INTERRUPT_GENERATOR = 11,
    /** Ids of IoRegularFile and IoDirectory definitions. Since 2.1. */
    OTF2_MAPPING_IO_FILE = 12,
    /** Ids of IoHandle definitions. Since 2.1. */
    OTF2_MAPPING_IO_HANDLE = 13,
    /** Ids of LocationGroup definitions. Since 3.0. */
    OTF2_MAPPING_LOCATION_GROUP = 14,
    /** The number of kinds of mapping tables, not a kind itself. */
    OTF2_MAPPING_MAX = 15
};

/**
 * The type of a tagged value.
 *
 * @see OTF2_Type_enum
 * @since 1.0
 */
typedef uint8_t OTF2_Type;

/** The values of #OTF2_Type. */
enum OTF2_Type_enum
{
    /** No value. */
    OTF2_TYPE_NONE = 0,
    /** Unsigned, 8 bits. */
    OTF2_TYPE_UINT8 = 1,
    /** Unsigned, 16 bits. */
    OTF2_TYPE_UINT16 = 2,
    /** Unsigned, 32 bits. */
    OTF2_TYPE_UINT32 = 3,
    /** Unsigned, 64 bits. */
    OTF2_TYPE_UINT64 = 4,
    /** Signed, 8 bits. */
    OTF2_TYPE_INT8 = 5,
    /** Signed, 16 bits. */
    OTF2_TYPE_INT16 = 6,
    /** Signed, 32 bits. */
    OTF2_TYPE_INT32 = 7,
    /** Signed, 64 bits. */
    OTF2_TYPE_INT64 = 8,
    /** Floating point, 32 bits. */
    OTF2_TYPE_FLOAT = 9,
    /** Floating point, 64 bits. */
    OTF2_TYPE_DOUBLE = 10,
    /** The id of a String definition. */
    OTF2_TYPE_STRING = 11,
    /** The id of an Attribute definition. */
    OTF2_TYPE_ATTRIBUTE = 12,
    /** The id of a Location definition. */
    OTF2_TYPE_LOCATION = 13,
    /** The id of a Region definition. */
    OTF2_TYPE_REGION = 14,
    /** The id of a Group definition. */
    OTF2_TYPE_GROUP = 15,
    /** The id of a MetricClass or MetricInstance definition. */
    OTF2_TYPE_METRIC = 16,
    /** The id of a Comm or InterComm definition. */
    OTF2_TYPE_COMM = 17,
    /** The id of a Parameter definition. */
    OTF2_TYPE_PARAMETER = 18,
    /** The id of an RmaWin definition. */
    OTF2_TYPE_RMA_WIN = 19,
    /** The id of a SourceCodeLocation definition. */
    OTF2_TYPE_SOURCE_CODE_LOCATION = 20,
    /** The id of a CallingContext definition. */
    OTF2_TYPE_CALLING_CONTEXT = 21,
    /** The id of an InterruptGenerator definition. */
    OTF2_TYPE_INTERRUPT_GENERATOR = 22,
    /** The id of an IoRegularFile or IoDirectory definition. */
    OTF2_TYPE_IO_FILE = 23,
    /** The id of an IoHandle definition. */
    OTF2_TYPE_IO_HANDLE = 24,
    /** The id of a LocationGroup definition. */
    OTF2_TYPE_LOCATION_GROUP = 25
};

/**
 * A parallel paradigm, or the origin of a record.
 *
 * @see OTF2_Paradigm_enum
 * @since 1.1
 */
typedef uint8_t OTF2_Paradigm;

/** The values of #OTF2_Paradigm. */
enum OTF2_Paradigm_enum
{
    /** Not known. */
    OTF2_PARADIGM_UNKNOWN = 0,
    /** Added by the user. */
    OTF2_PARADIGM_USER = 1,
    /** Inserted by a compiler. */
    OTF2_PARADIGM_COMPILER = 2,
    /** OpenMP. */
    OTF2_PARADIGM_OPENMP = 3,
    /** MPI. */
    OTF2_PARADIGM_MPI = 4,
    /** CUDA. */
    OTF2_PARADIGM_CUDA = 5,
    /** The measurement itself. Since 1.2. */
    OTF2_PARADIGM_MEASUREMENT_SYSTEM = 6,
    /** POSIX threads. Since 1.3. */
    OTF2_PARADIGM_PTHREAD = 7,
    /** HMPP. Since 1.3. */
    OTF2_PARADIGM_HMPP = 8,
    /** OmpSs. Since 1.3. */
    OTF2_PARADIGM_OMPSS = 9,
    /** Hardware, for example its counters. Since 1.3. */
    OTF2_PARADIGM_HARDWARE = 10,
    /** GASPI. Since 1.4. */
    OTF2_PARADIGM_GASPI = 11,
    /** Unified Parallel C. Since 1.4. */
    OTF2_PARADIGM_UPC = 12,
    /** SHMEM, OpenSHMEM. Since 1.4. */
    OTF2_PARADIGM_SHMEM = 13,
    /** Threads of Windows. Since 1.5. */
    OTF2_PARADIGM_WINTHREAD = 14,
    /** Threads of Qt. Since 1.5. */
    OTF2_PARADIGM_QTTHREAD = 15,
    /** Threads of ACE. Since 1.5. */
    OTF2_PARADIGM_ACETHREAD = 16,
    /** Threads of TBB. Since 1.5. */
    OTF2_PARADIGM_TBBTHREAD = 17,
    /** OpenACC. Since 1.5. */
    OTF2_PARADIGM_OPENACC = 18,
    /** OpenCL. Since 1.5. */
    OTF2_PARADIGM_OPENCL = 19,
    /** MTAPI. Since 1.5. */
    OTF2_PARADIGM_MTAPI = 20,
    /** Found by sampling, not by instrumentation. Since 1.5. */
    OTF2_PARADIGM_SAMPLING = 21,
    /** Belongs to no paradigm. Since 2.0. */
    OTF2_PARADIGM_NONE = 22,
    /** HIP. Since 2.3. */
    OTF2_PARADIGM_HIP = 23,
    /** Kokkos. Since 2.3. */
    OTF2_PARADIGM_KOKKOS = 24,
    /** Target regions of OpenMP. Since 3.1. */
    OTF2_PARADIGM_OPENMP_TARGET = 25
};

/**
 * The class of a paradigm.
 *
 * @see OTF2_ParadigmClass_enum
 * @since 1.5
 */
typedef uint8_t OTF2_ParadigmClass;

/** The values of #OTF2_ParadigmClass. */
enum OTF2_ParadigmClass_enum
{
    /** Processes, or locations of other processes, that communicate. */
    OTF2_PARADIGM_CLASS_PROCESS = 0,
    /** Teams of threads that are forked and joined. */
    OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN = 1,
    /** Threads that are created and waited for one by one. */
    OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT = 2,
    /** Work that is transferred to a device. */
    OTF2_PARADIGM_CLASS_ACCELERATOR = 3
};

/**
 * A property of a paradigm.
 *
 * @see OTF2_ParadigmProperty_enum
 * @since 1.5
 */
typedef uint8_t OTF2_ParadigmProperty;

/** The values of #OTF2_ParadigmProperty. */
enum OTF2_ParadigmProperty_enum
{
    /** Name for communicators without one; `${id}` is replaced by the id. A String. */
    OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE = 0,
    /** Name for windows without one; `${id}` is replaced by the id. A String. */
    OTF2_PARADIGM_PROPERTY_RMA_WIN_NAME_TEMPLATE = 1,
    /** Whether all communication is one-sided. A Boolean. */
    OTF2_PARADIGM_PROPERTY_RMA_ONLY = 2
};

/**
 * The kind of definitions that a thumbnail shows.
 *
 * @see OTF2_ThumbnailType_enum
 * @since 1.2
 */
typedef uint8_t OTF2_ThumbnailType;

/** The values of #OTF2_ThumbnailType. */
enum OTF2_ThumbnailType_enum
{
    /** The values belong to regions. */
    OTF2_THUMBNAIL_TYPE_REGION = 0,
    /** The values belong to metrics. */
    OTF2_THUMBNAIL_TYPE_METRIC = 1,
    /** The values belong to attributes. */
    OTF2_THUMBNAIL_TYPE_ATTRIBUTES = 2,
    /** The values belong to communicators. Since 3.1. */
    OTF2_THUMBNAIL_TYPE_COMM = 3,
    /** The values belong to windows. Since 3.1. */
    OTF2_THUMBNAIL_TYPE_RMA_WIN = 4,
    /** The values belong to I/O handles. Since 3.1. */
    OTF2_THUMBNAIL_TYPE_IO_HANDLE = 5
};

#ifdef __cplusplus
}
#endif

#endif /* OTF2_GENERAL_DEFINITIONS_H */
