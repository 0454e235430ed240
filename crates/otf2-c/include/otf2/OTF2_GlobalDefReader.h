/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_GLOBAL_DEF_READER_H
#define OTF2_GLOBAL_DEF_READER_H

/**
 * @file
 * The reader of the global definitions.
 *
 * These functions do the same as those of OTF2_Reader.h, without the reader of the archive.
 */

#include <stddef.h>
#include <stdint.h>
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GlobalDefReaderCallbacks.h>

#ifdef __cplusplus
extern "C" {
#endif

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
OTF2_GlobalDefReader_SetCallbacks( OTF2_GlobalDefReader* reader,
                                   const OTF2_GlobalDefReaderCallbacks* callbacks,
                                   void* userData );

/**
 * Reads definitions.
 *
 * @param reader The reader.
 * @param recordsToRead The number of definitions.
 * @param recordsRead Receives the number of definitions that were read.
 * @return As #OTF2_Reader_ReadGlobalDefinitions.
 */
OTF2_ErrorCode
OTF2_GlobalDefReader_ReadDefinitions( OTF2_GlobalDefReader* reader,
                                      uint64_t recordsToRead,
                                      uint64_t* recordsRead );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_GLOBAL_DEF_READER_H */
