/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_MARKER_READER_H
#define OTF2_MARKER_READER_H

/**
 * @file
 * The reader of markers.
 *
 * These functions do the same as those of OTF2_Reader.h, without the reader of the archive.
 */

#include <stdint.h>
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_Marker.h>
#include <otf2/OTF2_MarkerReaderCallbacks.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Reads definitions of markers and markers, in the order of the file; both are counted.
 *
 * @param reader The reader.
 * @param recordsToRead The number of records.
 * @param recordsRead Receives the number of records that were read.
 * @return As #OTF2_Reader_ReadMarkers.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_MarkerReader_ReadMarkers( OTF2_MarkerReader* reader,
                               uint64_t recordsToRead,
                               uint64_t* recordsRead );

/**
 * Sets the callbacks.
 *
 * @param reader The reader.
 * @param callbacks The callbacks; copied.
 * @param userData Is passed to the callbacks.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INTEGRITY_FAULT if the reader is NULL;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the callbacks are NULL.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_MarkerReader_SetCallbacks( OTF2_MarkerReader* reader,
                                const OTF2_MarkerReaderCallbacks* callbacks,
                                void* userData );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_MARKER_READER_H */
