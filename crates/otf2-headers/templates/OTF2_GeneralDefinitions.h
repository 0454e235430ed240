/* SPDX-License-Identifier: BSD-3-Clause */
//@ generated OTF2_GeneralDefinitions.h
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

//@ references

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

//@ enum FileMode

//@ enum Compression

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

//@ enum FlushType

//@ enum Hint

//@ enum Boolean

//@ enum FileType

//@ enum FileSubstrate

//@ enum MappingType

//@ enum Type

//@ enum Paradigm

//@ enum ParadigmClass

//@ enum ParadigmProperty

//@ enum ThumbnailType

#ifdef __cplusplus
}
#endif

#endif /* OTF2_GENERAL_DEFINITIONS_H */
