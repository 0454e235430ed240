/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_SNAP_READER_H
#define OTF2_SNAP_READER_H

/**
 * @file
 * The reader of the snapshots of a location.
 *
 * Ids are global ones as the writer stored them, and times are not corrected. A reader may be used
 * by one thread at a time.
 */

#include <stdint.h>
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_Events.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_AttributeList.h>
#include <otf2/OTF2_SnapReaderCallbacks.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns the location of a reader.
 *
 * @param reader The reader.
 * @param location Receives the location.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapReader_GetLocationID( const OTF2_SnapReader* reader,
                               OTF2_LocationRef* location );

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
OTF2_SnapReader_SetCallbacks( OTF2_SnapReader* reader,
                              const OTF2_SnapReaderCallbacks* callbacks,
                              void* userData );

/**
 * Moves to the last snapshot at or before a time: the next record that is read is its
 * SnapshotStart.
 *
 * @param reader The reader.
 * @param req_time The time, in ticks.
 * @param found Receives whether there is such a snapshot.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapReader_Seek( OTF2_SnapReader* reader,
                      uint64_t req_time,
                      bool* found );

/**
 * Reads records of snapshots.
 *
 * @param reader The reader.
 * @param recordsToRead The number of records.
 * @param recordsRead Receives the number of records that were read.
 * @return As #OTF2_Reader_ReadLocalSnapshots.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_SnapReader_ReadSnapshots( OTF2_SnapReader* reader,
                               uint64_t recordsToRead,
                               uint64_t* recordsRead );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_SNAP_READER_H */
