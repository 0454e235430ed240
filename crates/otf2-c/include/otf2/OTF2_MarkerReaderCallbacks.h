/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_MARKER_READER_CALLBACKS_H
#define OTF2_MARKER_READER_CALLBACKS_H

/**
 * @file
 * Callbacks for markers and their definitions, in the order of the file.
 *
 * Strings that are passed to a callback belong to the library and are valid until the callback
 * returns. A callback may call functions of other readers and archives, but must not read from or
 * close the reader that called it.
 */

#include <stdint.h>
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_IdMap.h>
#include <otf2/OTF2_Marker.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A table of callbacks. Readers copy it. */
typedef struct OTF2_MarkerReaderCallbacks_struct OTF2_MarkerReaderCallbacks;

/**
 * Makes a table without callbacks.
 *
 * @return The table, to be deleted by the caller, or NULL if there is no memory.
 * @since 1.2
 */
OTF2_MarkerReaderCallbacks*
OTF2_MarkerReaderCallbacks_New( void );

/**
 * Deletes a table. Readers to which it was passed keep their copy.
 *
 * @param markerReaderCallbacks The table, or NULL.
 * @since 1.2
 */
void
OTF2_MarkerReaderCallbacks_Delete( OTF2_MarkerReaderCallbacks* markerReaderCallbacks );

/**
 * Removes all callbacks from a table.
 *
 * @param markerReaderCallbacks The table, or NULL.
 * @since 1.2
 */
void
OTF2_MarkerReaderCallbacks_Clear( OTF2_MarkerReaderCallbacks* markerReaderCallbacks );

/**
 * Type of the callback for records of a kind that this library does not know, from newer archives.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 * @since 1.2
 */
typedef OTF2_CallbackCode
( *OTF2_MarkerReaderCallback_Unknown )( void* userData );

/**
 * Sets the callback for unknown records.
 *
 * @param markerReaderCallbacks The table.
 * @param unknownCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_MarkerReaderCallbacks_SetUnknownCallback( OTF2_MarkerReaderCallbacks* markerReaderCallbacks,
                                               OTF2_MarkerReaderCallback_Unknown unknownCallback );

/**
 * Type of the callback for DefMarker: the definition of a class of markers.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param self The id of the definition, unique in the marker file.
 * @param markerGroup The name of the group, for example that of the tool that found the markers.
 * @param markerCategory The name of the class, unique in its group.
 * @param severity How important the markers are.
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 * @since 1.2
 */
typedef OTF2_CallbackCode
( *OTF2_MarkerReaderCallback_DefMarker )( void* userData,
                                          OTF2_MarkerRef self,
                                          const char* markerGroup,
                                          const char* markerCategory,
                                          OTF2_MarkerSeverity severity );

/**
 * Sets the callback for DefMarker.
 *
 * @param markerReaderCallbacks The table.
 * @param defMarkerCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_MarkerReaderCallbacks_SetDefMarkerCallback( OTF2_MarkerReaderCallbacks* markerReaderCallbacks,
                                                 OTF2_MarkerReaderCallback_DefMarker defMarkerCallback );

/**
 * Type of the callback for Marker.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param timestamp The time at which the marker begins, in ticks.
 * @param duration The time that it covers, in ticks, or 0.
 * @param marker The id of its DefMarker.
 * @param scope The kind of object that it belongs to.
 * @param scopeRef The id of that object.
 * @param text The text.
 * @return #OTF2_CALLBACK_SUCCESS to go on, any other value to stop reading.
 * @since 1.2
 */
typedef OTF2_CallbackCode
( *OTF2_MarkerReaderCallback_Marker )( void* userData,
                                       OTF2_TimeStamp timestamp,
                                       OTF2_TimeStamp duration,
                                       OTF2_MarkerRef marker,
                                       OTF2_MarkerScope scope,
                                       uint64_t scopeRef,
                                       const char* text );

/**
 * Sets the callback for Marker.
 *
 * @param markerReaderCallbacks The table.
 * @param markerCallback The callback, or NULL to skip these records.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the table is NULL.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_MarkerReaderCallbacks_SetMarkerCallback( OTF2_MarkerReaderCallbacks* markerReaderCallbacks,
                                              OTF2_MarkerReaderCallback_Marker markerCallback );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_MARKER_READER_CALLBACKS_H */
