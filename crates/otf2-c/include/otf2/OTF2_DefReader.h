/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_DEF_READER_H
#define OTF2_DEF_READER_H

/**
 * @file
 * The reader of the definitions of a location.
 *
 * These functions do the same as those of OTF2_Reader.h, without the reader of the archive.
 */

#include <stdint.h>
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_DefReaderCallbacks.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Returns the location of a reader.
 *
 * @param reader The reader.
 * @param location Receives the location.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INTEGRITY_FAULT if the reader is NULL;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the other pointer is NULL.
 */
OTF2_ErrorCode
OTF2_DefReader_GetLocationID( const OTF2_DefReader* reader,
                              OTF2_LocationRef* location );

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
OTF2_DefReader_SetCallbacks( OTF2_DefReader* reader,
                             const OTF2_DefReaderCallbacks* callbacks,
                             void* userData );

/**
 * Reads definitions. Mapping tables and clock offsets take effect for the events of the location
 * when they are read, with or without callbacks.
 *
 * @param reader The reader.
 * @param recordsToRead The number of definitions.
 * @param recordsRead Receives the number of definitions that were read.
 * @return As #OTF2_Reader_ReadLocalDefinitions.
 */
OTF2_ErrorCode
OTF2_DefReader_ReadDefinitions( OTF2_DefReader* reader,
                                uint64_t recordsToRead,
                                uint64_t* recordsRead );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_DEF_READER_H */
