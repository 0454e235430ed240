/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_EVT_READER_H
#define OTF2_EVT_READER_H

/**
 * @file
 * The reader of the events of a location.
 *
 * Positions are numbers of events on their location, counted from 1, including BufferFlush and
 * unknown records. A reader may be used by one thread at a time.
 */

#include <stdint.h>
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_Events.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_AttributeList.h>
#include <otf2/OTF2_EvtReaderCallbacks.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns the location of a reader.
 *
 * @param reader The reader.
 * @param location Receives the location.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReader_GetLocationID( const OTF2_EvtReader* reader,
                              OTF2_LocationRef* location );

/**
 * Returns the position of the event that was read last, 0 before the first one.
 *
 * @param reader The reader.
 * @param position Receives the position.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReader_GetPos( OTF2_EvtReader* reader,
                       uint64_t* position );

/**
 * Sets the callbacks.
 *
 * @param reader The reader.
 * @param callbacks The callbacks; copied.
 * @param userData Is passed to the callbacks.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INTEGRITY_FAULT if the reader is NULL;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the callbacks are NULL.
 */
OTF2_ErrorCode
OTF2_EvtReader_SetCallbacks( OTF2_EvtReader* reader,
                             const OTF2_EvtReaderCallbacks* callbacks,
                             void* userData );

/**
 * Moves to an event: the next event that is read has this position.
 *
 * @param reader The reader.
 * @param position The position, from 1 to the number of events.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if there is no such event, in which case the
 *     position is undefined until the next successful call; #OTF2_ERROR_INTEGRITY_FAULT if the
 *     reader is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReader_Seek( OTF2_EvtReader* reader,
                     uint64_t position );

/**
 * Reads events.
 *
 * @param reader The reader.
 * @param recordsToRead The number of events.
 * @param recordsRead Receives the number of events that were read.
 * @return As #OTF2_Reader_ReadLocalEvents; #OTF2_ERROR_INTEGRITY_FAULT if the reader is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReader_ReadEvents( OTF2_EvtReader* reader,
                           uint64_t recordsToRead,
                           uint64_t* recordsRead );

/**
 * Replaces the time of the event that was read last, in memory only.
 *
 * @param reader The reader.
 * @param time The new time, in ticks.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_EvtReader_TimeStampRewrite( OTF2_EvtReader* reader,
                                 OTF2_TimeStamp time );

/**
 * Reads events from the current position towards the start.
 *
 * @param reader The reader.
 * @param recordsToRead The number of events.
 * @param recordsRead Receives the number of events that were read.
 * @return As #OTF2_EvtReader_ReadEvents.
 */
OTF2_ErrorCode
OTF2_EvtReader_ReadEventsBackward( OTF2_EvtReader* reader,
                                   uint64_t recordsToRead,
                                   uint64_t* recordsRead );

/**
 * Selects whether ids are replaced as the mapping tables of the location demand; they are by
 * default. A global reader replaces them in any case.
 *
 * @param reader The reader.
 * @param action Whether ids are replaced.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the reader is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReader_ApplyMappingTables( OTF2_EvtReader* reader,
                                   bool action );

/**
 * Selects whether times are corrected by the clock offsets of the location; they are by default. A
 * global reader corrects them in any case.
 *
 * @param reader The reader.
 * @param action Whether times are corrected.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the reader is NULL.
 */
OTF2_ErrorCode
OTF2_EvtReader_ApplyClockOffsets( OTF2_EvtReader* reader,
                                  bool action );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_EVT_READER_H */
