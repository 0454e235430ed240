/* SPDX-License-Identifier: BSD-3-Clause */
//@ generated OTF2_DefReaderCallbacks.h
#ifndef OTF2_DEF_READER_CALLBACKS_H
#define OTF2_DEF_READER_CALLBACKS_H

/**
 * @file
 * Callbacks for the definitions of a location, in the order of the file. Ids are those of the
 * location. Attributes that older archives do not have receive the values that the newer format
 * defines for them.
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
#include <otf2/OTF2_IdMap.h>

#ifdef __cplusplus
extern "C" {
#endif

//@ callbacks DefReader

#ifdef __cplusplus
}
#endif

#endif /* OTF2_DEF_READER_CALLBACKS_H */
