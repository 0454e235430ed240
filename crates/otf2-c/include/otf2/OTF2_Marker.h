/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_Marker.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
#ifndef OTF2_MARKER_H
#define OTF2_MARKER_H

/**
 * @file
 * Types and constants of markers: notes about a time, a time span or an object of a trace.
 */

#include <stdint.h>
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_Definitions.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The id of a DefMarker, unique in the marker file. */
typedef uint32_t OTF2_MarkerRef;
/** No marker. */
#define OTF2_UNDEFINED_MARKER ( ( OTF2_MarkerRef )OTF2_UNDEFINED_UINT32 )

/**
 * The severity of a marker.
 *
 * @see OTF2_MarkerSeverity_enum
 * @since 1.2
 */
typedef uint8_t OTF2_MarkerSeverity;

/** The values of #OTF2_MarkerSeverity. */
enum OTF2_MarkerSeverity_enum
{
    /** No severity. */
    OTF2_SEVERITY_NONE = 0,
    /** Low. */
    OTF2_SEVERITY_LOW = 1,
    /** Medium. */
    OTF2_SEVERITY_MEDIUM = 2,
    /** High. */
    OTF2_SEVERITY_HIGH = 3
};

/**
 * The kind of object to which a marker refers.
 *
 * @see OTF2_MarkerScope_enum
 * @since 1.2
 */
typedef uint8_t OTF2_MarkerScope;

/** The values of #OTF2_MarkerScope. */
enum OTF2_MarkerScope_enum
{
    /** The whole trace; the id is undefined. */
    OTF2_MARKER_SCOPE_GLOBAL = 0,
    /** A location. */
    OTF2_MARKER_SCOPE_LOCATION = 1,
    /** A location group. */
    OTF2_MARKER_SCOPE_LOCATION_GROUP = 2,
    /** A node of the system tree. */
    OTF2_MARKER_SCOPE_SYSTEM_TREE_NODE = 3,
    /** A group. */
    OTF2_MARKER_SCOPE_GROUP = 4,
    /** A communicator. */
    OTF2_MARKER_SCOPE_COMM = 5
};

#ifdef __cplusplus
}
#endif

#endif /* OTF2_MARKER_H */
