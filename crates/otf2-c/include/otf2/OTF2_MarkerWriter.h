/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_MARKER_WRITER_H
#define OTF2_MARKER_WRITER_H

/**
 * @file
 * The writer of markers: notes about a time, a time span or an object of a trace.
 *
 * #OTF2_Archive_GetMarkerWriter and #OTF2_Reader_GetMarkerWriter return it on rank 0. Write the
 * definition of a marker before the markers that refer to it. Strings are copied and must not be
 * NULL.
 */

#include <stdint.h>
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Marker.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The writer of markers. */
typedef struct OTF2_MarkerWriter_struct OTF2_MarkerWriter;

/**
 * Writes the definition of a kind of marker.
 *
 * @param writerHandle The writer.
 * @param self The id of this definition.
 * @param markerGroup The group of the marker, for example the name of the program that finds it.
 * @param markerCategory The category of the marker within its group.
 * @param severity The severity.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_MarkerWriter_WriteDefMarker( OTF2_MarkerWriter* writerHandle,
                                  OTF2_MarkerRef self,
                                  const char* markerGroup,
                                  const char* markerCategory,
                                  OTF2_MarkerSeverity severity );

/**
 * Writes a marker.
 *
 * @param writerHandle The writer.
 * @param timestamp The time, in ticks.
 * @param duration The length of the time span in ticks, 0 for a point in time.
 * @param marker The id of the definition.
 * @param scope The kind of object to which the marker refers.
 * @param scopeRef The id of that object, #OTF2_UNDEFINED_UINT64 for #OTF2_MARKER_SCOPE_GLOBAL.
 * @param text The note.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_MarkerWriter_WriteMarker( OTF2_MarkerWriter* writerHandle,
                               OTF2_TimeStamp timestamp,
                               OTF2_TimeStamp duration,
                               OTF2_MarkerRef marker,
                               OTF2_MarkerScope scope,
                               uint64_t scopeRef,
                               const char* text );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_MARKER_WRITER_H */
