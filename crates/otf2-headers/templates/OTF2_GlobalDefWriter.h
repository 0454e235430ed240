/* SPDX-License-Identifier: BSD-3-Clause */
//@ generated OTF2_GlobalDefWriter.h
#ifndef OTF2_GLOBAL_DEF_WRITER_H
#define OTF2_GLOBAL_DEF_WRITER_H

/**
 * @file
 * The writer of the global definitions, which describe the objects to which events refer.
 *
 * Only rank 0 has this writer: #OTF2_Archive_GetGlobalDefWriter. Ids are unique within their id
 * space and may have gaps. A definition should be written before those that refer to it. Strings
 * and arrays are copied. Values are not checked. The functions that write a record count it for the
 * anchor file; they return
 *
 * - #OTF2_ERROR_INVALID_ARGUMENT if the writer or a string is NULL, or an array is NULL although
 *   its length is not 0; nothing is written.
 * - #OTF2_ERROR_INVALID_SIZE_GIVEN if the record does not fit a chunk; nothing is written.
 * - #OTF2_ERROR_MEM_FAULT if there is no memory, and the flush callback does not allow to write the
 *   buffer.
 * - #OTF2_ERROR_LOCKING_CALLBACK if a locking callback failed.
 * - the code of an error of the system if the buffer had to be written and that failed.
 */

#include <stdint.h>
#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <otf2/OTF2_AttributeValue.h>
#include <otf2/OTF2_Definitions.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The writer of the global definitions. */
typedef struct OTF2_GlobalDefWriter_struct OTF2_GlobalDefWriter;

/**
 * Returns the number of definitions written so far.
 *
 * @param writerHandle The writer.
 * @param numberOfDefinitions Receives the number.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_GetNumberOfDefinitions( OTF2_GlobalDefWriter* writerHandle,
                                             uint64_t* numberOfDefinitions );

/**
 * Returns the number of Location definitions written so far.
 *
 * @param writerHandle The writer.
 * @param numberOfLocations Receives the number.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_GlobalDefWriter_GetNumberOfLocations( OTF2_GlobalDefWriter* writerHandle,
                                           uint64_t* numberOfLocations );

//@ writer GlobalDefWriter

#ifdef __cplusplus
}
#endif

#endif /* OTF2_GLOBAL_DEF_WRITER_H */
