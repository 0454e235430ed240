/* SPDX-License-Identifier: BSD-3-Clause */
//@ generated OTF2_GlobalEvtReaderCallbacks.h
#ifndef OTF2_GLOBAL_EVT_READER_CALLBACKS_H
#define OTF2_GLOBAL_EVT_READER_CALLBACKS_H

/**
 * @file
 * Callbacks for the events of many locations: ordered by time, then by the id of the
 * location, then by the position in its file. Ids and times are global ones.
 *
 * Strings, arrays, id maps and attribute lists that are passed to a callback belong to the library
 * and are valid until the callback returns. A callback may call functions of other readers and
 * archives, but must not read from or close the reader that called it.
 */

#include <stdint.h>
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <otf2/OTF2_AttributeList.h>
#include <otf2/OTF2_Events.h>

#ifdef __cplusplus
extern "C" {
#endif

//@ callbacks GlobalEvtReader

#ifdef __cplusplus
}
#endif

#endif /* OTF2_GLOBAL_EVT_READER_CALLBACKS_H */
