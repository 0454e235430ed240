/* SPDX-License-Identifier: BSD-3-Clause */
//@ generated OTF2_EvtWriter.h
#ifndef OTF2_EVT_WRITER_H
#define OTF2_EVT_WRITER_H

/**
 * @file
 * Writers of the events of a location.
 *
 * #OTF2_Archive_GetEvtWriter returns a writer. A writer may be used by one thread at a time;
 * different writers need no lock. Records are collected in a buffer. If the buffer is full, the
 * flush callback decides whether it is written to its file or dropped.
 *
 * The time of an event is in ticks, and not before that of the previous event of the writer. An
 * event may have further attributes: the list is written with the event, and is empty afterwards so
 * that it can be used again. If the function fails, the list keeps its content.
 *
 * Values of records are not checked. The functions that write an event return
 *
 * - #OTF2_ERROR_INVALID_ARGUMENT if the writer is NULL, an array is NULL although its length is not
 *   0, or the time is before that of the previous event; nothing is written.
 * - #OTF2_ERROR_INVALID_SIZE_GIVEN if the event with its attributes does not fit a chunk; nothing
 *   is written.
 * - #OTF2_ERROR_MEM_FAULT if there is no memory for the event, and the flush callback does not
 *   allow to write the buffer.
 * - the code of an error of the system, for example #OTF2_ERROR_ENOSPC, if the buffer had to be
 *   written and that failed.
 */

#include <stdint.h>
#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_Events.h>
#include <otf2/OTF2_AttributeList.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A writer of the events of a location. */
typedef struct OTF2_EvtWriter_struct OTF2_EvtWriter;

/**
 * Returns the location of a writer.
 *
 * @param writer The writer.
 * @param locationID Receives the location, #OTF2_UNDEFINED_LOCATION if none is set.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INTEGRITY_FAULT if the writer is NULL;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the other pointer is NULL.
 */
OTF2_ErrorCode
OTF2_EvtWriter_GetLocationID( const OTF2_EvtWriter* writer,
                              OTF2_LocationRef* locationID );

/**
 * Attaches a pointer to a writer. The library only keeps it. A flush callback can get it, because
 * its argument `callerData` is the writer.
 *
 * @param writer The writer.
 * @param userData The pointer.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the writer is NULL.
 */
OTF2_ErrorCode
OTF2_EvtWriter_SetUserData( OTF2_EvtWriter* writer,
                            void* userData );

/**
 * Returns the pointer that is attached to a writer.
 *
 * @param writer The writer.
 * @param userData Receives the pointer, NULL if none is attached.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_EvtWriter_GetUserData( const OTF2_EvtWriter* writer,
                            void** userData );

/**
 * Sets the location of a writer that was made with #OTF2_UNDEFINED_LOCATION. This must happen
 * before the first flush.
 *
 * @param writer The writer.
 * @param location The location.
 * @return #OTF2_SUCCESS, also if the location is the same as before;
 *     #OTF2_ERROR_INTEGRITY_FAULT if the writer is NULL or has another location.
 */
OTF2_ErrorCode
OTF2_EvtWriter_SetLocationID( OTF2_EvtWriter* writer,
                              OTF2_LocationRef location );

/**
 * Returns the number of events of a writer: those written so far, including BufferFlush, without
 * those that were rewound. Programs write the number into the Location definition.
 *
 * @param writer The writer.
 * @param numberOfEvents Receives the number.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_EvtWriter_GetNumberOfEvents( OTF2_EvtWriter* writer,
                                  uint64_t* numberOfEvents );

//@ writer EvtWriter

/**
 * Remembers the current end of the events, to which #OTF2_EvtWriter_Rewind returns. A flush of the
 * buffer forgets all rewind points.
 *
 * @param writer The writer.
 * @param rewindId An id of the program; if it is in use, the point is moved.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the writer is NULL;
 *     #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_EvtWriter_StoreRewindPoint( OTF2_EvtWriter* writer,
                                 uint32_t rewindId );

/**
 * Removes all events after a rewind point, and returns to the time of that point. The point remains
 * and can be used again, as do later points.
 *
 * @param writer The writer.
 * @param rewindId The id of the point.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the writer is NULL or there is no such
 *     point, for example after a flush.
 */
OTF2_ErrorCode
OTF2_EvtWriter_Rewind( OTF2_EvtWriter* writer,
                       uint32_t rewindId );

/**
 * Forgets a rewind point. If there is no such point, the error callback is called with
 * #OTF2_WARNING.
 *
 * @param writer The writer.
 * @param rewindId The id of the point.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the writer is NULL.
 */
OTF2_ErrorCode
OTF2_EvtWriter_ClearRewindPoint( OTF2_EvtWriter* writer,
                                 uint32_t rewindId );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_EVT_WRITER_H */
