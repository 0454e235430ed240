/* SPDX-License-Identifier: BSD-3-Clause */
//@ generated OTF2_DefWriter.h
#ifndef OTF2_DEF_WRITER_H
#define OTF2_DEF_WRITER_H

/**
 * @file
 * Writers of the definitions of a location.
 *
 * Local definitions contain the data specific to a location: mapping tables, which replace its ids
 * by those of the global definitions, and clock offsets, which correct its times. All other
 * definitions may be local as well; readers pass them to callbacks and do not use them.
 *
 * #OTF2_Archive_GetDefWriter returns a writer, which may be used by one thread at a time. Strings
 * and arrays are copied. Values are not checked. The functions that write a record return
 *
 * - #OTF2_ERROR_INVALID_ARGUMENT if the writer, a string or an id map is NULL, or an array is NULL
 *   although its length is not 0; nothing is written.
 * - #OTF2_ERROR_INVALID_SIZE_GIVEN if the record does not fit a chunk; nothing is written.
 * - #OTF2_ERROR_MEM_FAULT if there is no memory, and the flush callback does not allow to write the
 *   buffer.
 * - the code of an error of the system if the buffer had to be written and that failed.
 */

#include <stdint.h>
#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <otf2/OTF2_AttributeValue.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_IdMap.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A writer of the definitions of a location. */
typedef struct OTF2_DefWriter_struct OTF2_DefWriter;

/**
 * Returns the location of a writer.
 *
 * @param writer The writer.
 * @param location Receives the location.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INTEGRITY_FAULT if the writer is NULL;
 *     #OTF2_ERROR_INVALID_ARGUMENT if the other pointer is NULL.
 */
OTF2_ErrorCode
OTF2_DefWriter_GetLocationID( const OTF2_DefWriter* writer,
                              OTF2_LocationRef* location );

//@ writer DefWriter

#ifdef __cplusplus
}
#endif

#endif /* OTF2_DEF_WRITER_H */
