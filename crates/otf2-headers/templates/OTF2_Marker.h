/* SPDX-License-Identifier: BSD-3-Clause */
//@ generated OTF2_Marker.h
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

//@ enum MarkerSeverity

//@ enum MarkerScope

#ifdef __cplusplus
}
#endif

#endif /* OTF2_MARKER_H */
