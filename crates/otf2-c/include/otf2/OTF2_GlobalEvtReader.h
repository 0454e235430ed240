/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_GLOBAL_EVT_READER_H
#define OTF2_GLOBAL_EVT_READER_H

/**
 * @file
 * The reader of the events of many locations: ordered by time, then by the id of the location, then
 * by the position in its file.
 *
 * These functions do the same as those of OTF2_Reader.h, without the reader of the archive.
 */

#include <stdint.h>
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_EvtReader.h>
#include <otf2/OTF2_GlobalEvtReaderCallbacks.h>

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
 */
OTF2_ErrorCode
OTF2_GlobalEvtReader_SetCallbacks( OTF2_GlobalEvtReader* reader,
                                   const OTF2_GlobalEvtReaderCallbacks* callbacks,
                                   void* userData );

/**
 * Reads the next event. At the end it does nothing and succeeds.
 *
 * @param reader The reader.
 * @return As #OTF2_Reader_ReadGlobalEvent.
 */
OTF2_ErrorCode
OTF2_GlobalEvtReader_ReadEvent( OTF2_GlobalEvtReader* reader );

/**
 * Returns whether there is a next event.
 *
 * @param reader The reader.
 * @param flag Receives 1 or 0.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_GlobalEvtReader_HasEvent( OTF2_GlobalEvtReader* reader,
                               int* flag );

/**
 * Reads events.
 *
 * @param reader The reader.
 * @param recordsToRead The number of events.
 * @param recordsRead Receives the number of events that were read.
 * @return As #OTF2_Reader_ReadGlobalEvents; #OTF2_ERROR_INTEGRITY_FAULT if the reader is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalEvtReader_ReadEvents( OTF2_GlobalEvtReader* reader,
                                 uint64_t recordsToRead,
                                 uint64_t* recordsRead );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_GLOBAL_EVT_READER_H */
