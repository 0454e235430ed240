/* SPDX-License-Identifier: BSD-3-Clause */
//@ generated OTF2_GlobalSnapReaderCallbacks.h
#ifndef OTF2_GLOBAL_SNAP_READER_CALLBACKS_H
#define OTF2_GLOBAL_SNAP_READER_CALLBACKS_H

/**
 * @file
 * Callbacks for the snapshots of many locations: ordered by time, then by the id of the
 * location, then by the position in its file.
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

//@ callbacks GlobalSnapReader

#ifdef __cplusplus
}
#endif

#endif /* OTF2_GLOBAL_SNAP_READER_CALLBACKS_H */
