/* SPDX-License-Identifier: BSD-3-Clause */
//@ generated OTF2_SnapWriter.h
#ifndef OTF2_SNAP_WRITER_H
#define OTF2_SNAP_WRITER_H

/**
 * @file
 * Writers of the snapshots of a location.
 *
 * A snapshot describes everything that is still active at a time, so that a program can start to
 * read there: regions that were entered and not left, messages that were sent and not received, and
 * so on. It consists of SnapshotStart, one record for each active thing, and SnapshotEnd. All its
 * records have the same snapshot time; `origEventTime` is the time of the original event. Ids are
 * global ones: readers do not map them.
 *
 * #OTF2_Archive_GetSnapWriter returns a writer, which may be used by one thread at a time. The
 * functions that write a record return
 *
 * - #OTF2_ERROR_INVALID_ARGUMENT if the writer is NULL, an array is NULL although its length is not
 *   0, or the time is before that of the previous record; nothing is written.
 * - #OTF2_ERROR_INVALID_SIZE_GIVEN if the record with its attributes does not fit a chunk; nothing
 *   is written.
 * - #OTF2_ERROR_MEM_FAULT if there is no memory, and the flush callback does not allow to write the
 *   buffer.
 * - the code of an error of the system if the buffer had to be written and that failed.
 */

#include <stdint.h>
#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_Events.h>
#include <otf2/OTF2_AttributeList.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A writer of the snapshots of a location. */
typedef struct OTF2_SnapWriter_struct OTF2_SnapWriter;

/**
 * Returns the location of a writer.
 *
 * @param writer The writer.
 * @param locationID Receives the location.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INTEGRITY_FAULT if the writer is NULL;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the other pointer is NULL.
 */
OTF2_ErrorCode
OTF2_SnapWriter_GetLocationID( const OTF2_SnapWriter* writer,
                               OTF2_LocationRef* locationID );

//@ writer SnapWriter

#ifdef __cplusplus
}
#endif

#endif /* OTF2_SNAP_WRITER_H */
