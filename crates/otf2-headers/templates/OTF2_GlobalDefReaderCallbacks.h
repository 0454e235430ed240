/* SPDX-License-Identifier: BSD-3-Clause */
//@ generated OTF2_GlobalDefReaderCallbacks.h
#ifndef OTF2_GLOBAL_DEF_READER_CALLBACKS_H
#define OTF2_GLOBAL_DEF_READER_CALLBACKS_H

/**
 * @file
 * Callbacks for the global definitions, in the order of the file. Attributes that older
 * archives do not have receive the values that the newer format defines for them.
 *
 * Strings, arrays, id maps and attribute lists that are passed to a callback belong to the library
 * and are valid until the callback returns. A callback may call functions of other readers and
 * archives, but must not read from or close the reader that called it.
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

//@ callbacks GlobalDefReader

#ifdef __cplusplus
}
#endif

#endif /* OTF2_GLOBAL_DEF_READER_CALLBACKS_H */
