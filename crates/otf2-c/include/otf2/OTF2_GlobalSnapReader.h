/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_GLOBAL_SNAP_READER_H
#define OTF2_GLOBAL_SNAP_READER_H

/**
 * @file
 * The reader of the snapshots of many locations: ordered by time, then by the id of the location,
 * then by the position in its file.
 *
 * These functions do the same as those of OTF2_Reader.h, without the reader of the archive.
 */

#include <stdint.h>
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_SnapReader.h>
#include <otf2/OTF2_GlobalSnapReaderCallbacks.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Sets the callbacks.
 *
 * @param reader The reader.
 * @param callbacks The callbacks; copied.
 * @param userData Is passed to the callbacks.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_GlobalSnapReader_SetCallbacks( OTF2_GlobalSnapReader* reader,
                                    const OTF2_GlobalSnapReaderCallbacks* callbacks,
                                    void* userData );

/**
 * Reads records of snapshots.
 *
 * @param reader The reader.
 * @param recordsToRead The number of records.
 * @param recordsRead Receives the number of records that were read.
 * @return As #OTF2_Reader_ReadGlobalSnapshots.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_GlobalSnapReader_ReadSnapshots( OTF2_GlobalSnapReader* reader,
                                     uint64_t recordsToRead,
                                     uint64_t* recordsRead );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_GLOBAL_SNAP_READER_H */
