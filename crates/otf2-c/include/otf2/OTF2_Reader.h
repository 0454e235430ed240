/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_READER_H
#define OTF2_READER_H

/**
 * @file
 * Reading an archive.
 *
 * A reader covers an archive in mode #OTF2_FILEMODE_READ with the readers of its files. The usual
 * order of calls, of which otf2.h shows a complete program:
 *
 * 1. #OTF2_Reader_Open, #OTF2_Reader_SetSerialCollectiveCallbacks.
 * 2. #OTF2_Reader_GetGlobalDefReader, #OTF2_Reader_RegisterGlobalDefCallbacks,
 *    #OTF2_Reader_ReadAllGlobalDefinitions: among other definitions this returns the locations.
 * 3. #OTF2_Reader_SelectLocation for each location to read, #OTF2_Reader_OpenDefFiles,
 *    #OTF2_Reader_OpenEvtFiles.
 * 4. For each of them #OTF2_Reader_GetDefReader, #OTF2_Reader_ReadAllLocalDefinitions and
 *    #OTF2_Reader_CloseDefReader, which applies mapping tables and clock offsets, then
 *    #OTF2_Reader_GetEvtReader. A location without definitions or events has no file, and the
 *    function returns NULL: go on with the next one.
 * 5. #OTF2_Reader_GetGlobalEvtReader, #OTF2_Reader_RegisterGlobalEvtCallbacks,
 *    #OTF2_Reader_ReadAllGlobalEvents for events in the order of time; or, for each location,
 *    #OTF2_Reader_RegisterEvtCallbacks and #OTF2_Reader_ReadAllLocalEvents.
 * 6. #OTF2_Reader_Close.
 *
 * Functions that read return when the given number of records is read, at the end, when a callback
 * returns anything but #OTF2_CALLBACK_SUCCESS, and on an error. The number of records that they
 * store is set in each case. A record that a callback interrupts is counted; the next call
 * continues after it.
 *
 * - #OTF2_SUCCESS: all records are read, or the end is reached.
 * - #OTF2_ERROR_INTERRUPTED_BY_CALLBACK: a callback interrupted reading; the error callback is not
 *   called.
 * - #OTF2_ERROR_INVALID_DATA and others: the file is damaged. The records before were delivered.
 *
 * A function that receives NULL in place of a handle or of a pointer for the result returns an
 * error, usually #OTF2_ERROR_INVALID_ARGUMENT. Strings that a function returns in a `char**` are
 * copies, which the caller frees with `free`.
 */

#include <stdint.h>
#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_Archive.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A reader of an archive. */
typedef struct OTF2_Reader_struct OTF2_Reader;

/**
 * Opens an archive for reading. The anchor file is read immediately.
 *
 * @param anchorFilePath The path of the anchor file, which ends with `.otf2`.
 * @return The reader, to be closed with #OTF2_Reader_Close; NULL if the file is missing, damaged,
 *     or of a newer format.
 */
OTF2_Reader*
OTF2_Reader_Open( const char* anchorFilePath );

/**
 * Closes a reader with the readers of all files, and frees it.
 *
 * @param reader The reader, or NULL.
 * @return #OTF2_SUCCESS.
 */
OTF2_ErrorCode
OTF2_Reader_Close( OTF2_Reader* reader );

/**
 * Announces how the archive will be read.
 *
 * @param reader The reader.
 * @param hint The hint.
 * @param value A pointer to the value; its type depends on the hint.
 * @return As #OTF2_Archive_SetHint.
 * @since 2.0
 */
OTF2_ErrorCode
OTF2_Reader_SetHint( OTF2_Reader* reader,
                     OTF2_Hint hint,
                     void* value );

/**
 * Sets the communication between the ranks that read an archive together. Once.
 *
 * @param reader The reader.
 * @param collectiveCallbacks The callbacks. They are not copied: they must exist until the reader
 *     is closed.
 * @param collectiveData Is passed to the callbacks.
 * @param globalCommContext Represents all ranks.
 * @param localCommContext Represents the ranks that share files, or NULL.
 * @return As #OTF2_Archive_SetCollectiveCallbacks.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Reader_SetCollectiveCallbacks( OTF2_Reader* reader,
                                    const OTF2_CollectiveCallbacks* collectiveCallbacks,
                                    void* collectiveData,
                                    OTF2_CollectiveContext* globalCommContext,
                                    OTF2_CollectiveContext* localCommContext );

/**
 * Sets the collective callbacks of a program with one process.
 *
 * @param reader The reader.
 * @return As #OTF2_Archive_SetCollectiveCallbacks.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Reader_SetSerialCollectiveCallbacks( OTF2_Reader* reader );

/**
 * Set the files of SIONlib in OTF2 1.x; this library does not support that substrate. It remains so
 * that programs for OTF2 1.x link. It is not in libotf2 3.x.
 *
 * @param reader The reader.
 * @param fileSionCallbacks The callbacks, which are never called.
 * @param fileSionData Not used.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT.
 * @deprecated Set collective callbacks instead.
 */
OTF2_ErrorCode
OTF2_Reader_SetFileSionCallbacks( OTF2_Reader* reader,
                                  const OTF2_FileSionCallbacks* fileSionCallbacks,
                                  void* fileSionData ) __otf2_deprecated__;

/**
 * Sets the lock for programs whose threads share a reader, before any other thread uses it. Once.
 *
 * @param reader The reader.
 * @param lockingCallbacks The callbacks. They are not copied: they must exist until the reader is
 *     closed.
 * @param lockingData Is passed to the callbacks.
 * @return As #OTF2_Archive_SetLockingCallbacks.
 * @since 1.5
 */
OTF2_ErrorCode
OTF2_Reader_SetLockingCallbacks( OTF2_Reader* reader,
                                 const OTF2_LockingCallbacks* lockingCallbacks,
                                 void* lockingData );

/**
 * Sets the callbacks for the events of a location.
 *
 * @param reader The reader.
 * @param evtReader The reader of the events.
 * @param callbacks The callbacks; copied.
 * @param userData Is passed to the callbacks.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Reader_RegisterEvtCallbacks( OTF2_Reader* reader,
                                  OTF2_EvtReader* evtReader,
                                  const OTF2_EvtReaderCallbacks* callbacks,
                                  void* userData );

/**
 * Sets the callbacks for the events of many locations.
 *
 * @param reader The reader.
 * @param evtReader The reader of the events.
 * @param callbacks The callbacks; copied.
 * @param userData Is passed to the callbacks.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Reader_RegisterGlobalEvtCallbacks( OTF2_Reader* reader,
                                        OTF2_GlobalEvtReader* evtReader,
                                        const OTF2_GlobalEvtReaderCallbacks* callbacks,
                                        void* userData );

/**
 * Sets the callbacks for the definitions of a location.
 *
 * @param reader The reader.
 * @param defReader The reader of the definitions.
 * @param callbacks The callbacks; copied.
 * @param userData Is passed to the callbacks.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Reader_RegisterDefCallbacks( OTF2_Reader* reader,
                                  OTF2_DefReader* defReader,
                                  const OTF2_DefReaderCallbacks* callbacks,
                                  void* userData );

/**
 * Sets the callbacks for the global definitions.
 *
 * @param reader The reader.
 * @param defReader The reader of the definitions.
 * @param callbacks The callbacks; copied.
 * @param userData Is passed to the callbacks.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Reader_RegisterGlobalDefCallbacks( OTF2_Reader* reader,
                                        OTF2_GlobalDefReader* defReader,
                                        const OTF2_GlobalDefReaderCallbacks* callbacks,
                                        void* userData );

/**
 * Sets the callbacks for the snapshots of a location.
 *
 * @param reader The reader.
 * @param snapReader The reader of the snapshots.
 * @param callbacks The callbacks; copied.
 * @param userData Is passed to the callbacks.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Reader_RegisterSnapCallbacks( OTF2_Reader* reader,
                                   OTF2_SnapReader* snapReader,
                                   const OTF2_SnapReaderCallbacks* callbacks,
                                   void* userData );

/**
 * Sets the callbacks for the snapshots of many locations.
 *
 * @param reader The reader.
 * @param evtReader The reader of the snapshots.
 * @param callbacks The callbacks; copied.
 * @param userData Is passed to the callbacks.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Reader_RegisterGlobalSnapCallbacks( OTF2_Reader* reader,
                                         OTF2_GlobalSnapReader* evtReader,
                                         const OTF2_GlobalSnapReaderCallbacks* callbacks,
                                         void* userData );

/**
 * Sets the callbacks for markers.
 *
 * @param reader The reader.
 * @param markerReader The reader of the markers.
 * @param callbacks The callbacks; copied.
 * @param userData Is passed to the callbacks.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Reader_RegisterMarkerCallbacks( OTF2_Reader* reader,
                                     OTF2_MarkerReader* markerReader,
                                     const OTF2_MarkerReaderCallbacks* callbacks,
                                     void* userData );

/**
 * Reads events of a location.
 *
 * @param reader The reader.
 * @param evtReader The reader of the events.
 * @param eventsToRead The number of events.
 * @param eventsRead Receives the number of events that were read.
 * @return #OTF2_SUCCESS, #OTF2_ERROR_INTERRUPTED_BY_CALLBACK or another error code: see the top of
 *     this file.
 */
OTF2_ErrorCode
OTF2_Reader_ReadLocalEvents( OTF2_Reader* reader,
                             OTF2_EvtReader* evtReader,
                             uint64_t eventsToRead,
                             uint64_t* eventsRead );

/**
 * Reads all remaining events of a location.
 *
 * @param reader The reader.
 * @param evtReader The reader of the events.
 * @param eventsRead Receives the number of events that were read.
 * @return As #OTF2_Reader_ReadLocalEvents.
 */
OTF2_ErrorCode
OTF2_Reader_ReadAllLocalEvents( OTF2_Reader* reader,
                                OTF2_EvtReader* evtReader,
                                uint64_t* eventsRead );

/**
 * Reads events of a location from the current position towards the start.
 *
 * @param reader The reader.
 * @param evtReader The reader of the events.
 * @param eventsToRead The number of events.
 * @param eventsRead Receives the number of events that were read.
 * @return As #OTF2_Reader_ReadLocalEvents.
 */
OTF2_ErrorCode
OTF2_Reader_ReadLocalEventsBackward( OTF2_Reader* reader,
                                     OTF2_EvtReader* evtReader,
                                     uint64_t eventsToRead,
                                     uint64_t* eventsRead );

/**
 * Reads the next event of all locations. At the end it does nothing and succeeds.
 *
 * @param reader The reader.
 * @param evtReader The reader of the events.
 * @return As #OTF2_Reader_ReadLocalEvents.
 */
OTF2_ErrorCode
OTF2_Reader_ReadGlobalEvent( OTF2_Reader* reader,
                             OTF2_GlobalEvtReader* evtReader );

/**
 * Returns whether there is a next event.
 *
 * @param reader The reader.
 * @param evtReader The reader of the events.
 * @param flag Receives 1 or 0.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Reader_HasGlobalEvent( OTF2_Reader* reader,
                            OTF2_GlobalEvtReader* evtReader,
                            int* flag );

/**
 * Reads events of many locations in the order of time.
 *
 * @param reader The reader.
 * @param evtReader The reader of the events.
 * @param eventsToRead The number of events.
 * @param eventsRead Receives the number of events that were read.
 * @return As #OTF2_Reader_ReadLocalEvents.
 */
OTF2_ErrorCode
OTF2_Reader_ReadGlobalEvents( OTF2_Reader* reader,
                              OTF2_GlobalEvtReader* evtReader,
                              uint64_t eventsToRead,
                              uint64_t* eventsRead );

/**
 * Reads all remaining events of many locations in the order of time.
 *
 * @param reader The reader.
 * @param evtReader The reader of the events.
 * @param eventsRead Receives the number of events that were read.
 * @return As #OTF2_Reader_ReadLocalEvents.
 */
OTF2_ErrorCode
OTF2_Reader_ReadAllGlobalEvents( OTF2_Reader* reader,
                                 OTF2_GlobalEvtReader* evtReader,
                                 uint64_t* eventsRead );

/**
 * Reads definitions of a location. Mapping tables and clock offsets take effect for the events of
 * the location when they are read, with or without callbacks.
 *
 * @param reader The reader.
 * @param defReader The reader of the definitions.
 * @param definitionsToRead The number of definitions.
 * @param definitionsRead Receives the number of definitions that were read.
 * @return As #OTF2_Reader_ReadLocalEvents; #OTF2_ERROR_DUPLICATE_MAPPING_TABLE if there is a second
 *     mapping table of one kind, which is ignored: reading can go on.
 */
OTF2_ErrorCode
OTF2_Reader_ReadLocalDefinitions( OTF2_Reader* reader,
                                  OTF2_DefReader* defReader,
                                  uint64_t definitionsToRead,
                                  uint64_t* definitionsRead );

/**
 * Reads all remaining definitions of a location.
 *
 * @param reader The reader.
 * @param defReader The reader of the definitions.
 * @param definitionsRead Receives the number of definitions that were read.
 * @return As #OTF2_Reader_ReadLocalDefinitions.
 */
OTF2_ErrorCode
OTF2_Reader_ReadAllLocalDefinitions( OTF2_Reader* reader,
                                     OTF2_DefReader* defReader,
                                     uint64_t* definitionsRead );

/**
 * Reads global definitions.
 *
 * @param reader The reader.
 * @param defReader The reader of the definitions.
 * @param definitionsToRead The number of definitions.
 * @param definitionsRead Receives the number of definitions that were read.
 * @return As #OTF2_Reader_ReadLocalEvents.
 */
OTF2_ErrorCode
OTF2_Reader_ReadGlobalDefinitions( OTF2_Reader* reader,
                                   OTF2_GlobalDefReader* defReader,
                                   uint64_t definitionsToRead,
                                   uint64_t* definitionsRead );

/**
 * Reads all remaining global definitions.
 *
 * @param reader The reader.
 * @param defReader The reader of the definitions.
 * @param definitionsRead Receives the number of definitions that were read.
 * @return As #OTF2_Reader_ReadLocalEvents.
 */
OTF2_ErrorCode
OTF2_Reader_ReadAllGlobalDefinitions( OTF2_Reader* reader,
                                      OTF2_GlobalDefReader* defReader,
                                      uint64_t* definitionsRead );

/**
 * Reads records of snapshots of a location.
 *
 * @param reader The reader.
 * @param snapReader The reader of the snapshots.
 * @param recordsToRead The number of records.
 * @param recordsRead Receives the number of records that were read.
 * @return As #OTF2_Reader_ReadLocalEvents.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Reader_ReadLocalSnapshots( OTF2_Reader* reader,
                                OTF2_SnapReader* snapReader,
                                uint64_t recordsToRead,
                                uint64_t* recordsRead );

/**
 * Reads all remaining records of snapshots of a location.
 *
 * @param reader The reader.
 * @param snapReader The reader of the snapshots.
 * @param recordsRead Receives the number of records that were read.
 * @return As #OTF2_Reader_ReadLocalEvents.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Reader_ReadAllLocalSnapshots( OTF2_Reader* reader,
                                   OTF2_SnapReader* snapReader,
                                   uint64_t* recordsRead );

/**
 * Reads records of snapshots of many locations in the order of time.
 *
 * @param reader The reader.
 * @param snapReader The reader of the snapshots.
 * @param recordsToRead The number of records.
 * @param recordsRead Receives the number of records that were read.
 * @return As #OTF2_Reader_ReadLocalEvents.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Reader_ReadGlobalSnapshots( OTF2_Reader* reader,
                                 OTF2_GlobalSnapReader* snapReader,
                                 uint64_t recordsToRead,
                                 uint64_t* recordsRead );

/**
 * Reads all remaining records of snapshots of many locations in the order of time.
 *
 * @param reader The reader.
 * @param snapReader The reader of the snapshots.
 * @param recordsRead Receives the number of records that were read.
 * @return As #OTF2_Reader_ReadLocalEvents.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Reader_ReadAllGlobalSnapshots( OTF2_Reader* reader,
                                    OTF2_GlobalSnapReader* snapReader,
                                    uint64_t* recordsRead );

/**
 * Reads definitions of markers and markers, in the order of the file; both are counted.
 *
 * @param reader The reader.
 * @param markerReader The reader of the markers.
 * @param markersToRead The number of records.
 * @param markersRead Receives the number of records that were read.
 * @return As #OTF2_Reader_ReadLocalEvents.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Reader_ReadMarkers( OTF2_Reader* reader,
                         OTF2_MarkerReader* markerReader,
                         uint64_t markersToRead,
                         uint64_t* markersRead );

/**
 * Reads all remaining definitions of markers and markers.
 *
 * @param reader The reader.
 * @param markerReader The reader of the markers.
 * @param markersRead Receives the number of records that were read.
 * @return As #OTF2_Reader_ReadLocalEvents.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Reader_ReadAllMarkers( OTF2_Reader* reader,
                            OTF2_MarkerReader* markerReader,
                            uint64_t* markersRead );

/**
 * Returns the reader for the events of a location.
 *
 * @param reader The reader.
 * @param location The location.
 * @return The reader, or NULL if the location has no events: then there is no file.
 */
OTF2_EvtReader*
OTF2_Reader_GetEvtReader( OTF2_Reader* reader,
                          OTF2_LocationRef location );

/**
 * Returns the reader for the events of many locations in the order of time. It takes over all event
 * readers that are open: their handles must not be used any more, and their callbacks are not
 * called. Read local definitions before.
 *
 * @param reader The reader.
 * @return The reader, or NULL if no event reader is open.
 */
OTF2_GlobalEvtReader*
OTF2_Reader_GetGlobalEvtReader( OTF2_Reader* reader );

/**
 * Returns the reader for the definitions of a location.
 *
 * @param reader The reader.
 * @param location The location.
 * @return The reader, or NULL if the location has no definitions: then there is no file.
 */
OTF2_DefReader*
OTF2_Reader_GetDefReader( OTF2_Reader* reader,
                          OTF2_LocationRef location );

/**
 * Returns the reader for the global definitions.
 *
 * @param reader The reader.
 * @return The reader, or NULL.
 */
OTF2_GlobalDefReader*
OTF2_Reader_GetGlobalDefReader( OTF2_Reader* reader );

/**
 * Returns the reader for the snapshots of a location.
 *
 * @param reader The reader.
 * @param location The location.
 * @return The reader, or NULL if the location has no snapshots.
 * @since 1.2
 */
OTF2_SnapReader*
OTF2_Reader_GetSnapReader( OTF2_Reader* reader,
                           OTF2_LocationRef location );

/**
 * Returns the reader for the snapshots of many locations in the order of time. It takes over all
 * snapshot readers that are open.
 *
 * @param reader The reader.
 * @return The reader, or NULL if no snapshot reader is open.
 * @since 1.2
 */
OTF2_GlobalSnapReader*
OTF2_Reader_GetGlobalSnapReader( OTF2_Reader* reader );

/**
 * Returns the reader for a thumbnail.
 *
 * @param reader The reader.
 * @param number The number of the thumbnail, counted from 0.
 * @return The reader, or NULL.
 * @since 1.2
 */
OTF2_ThumbReader*
OTF2_Reader_GetThumbReader( OTF2_Reader* reader,
                            uint32_t number );

/**
 * Returns the reader for markers.
 *
 * @param reader The reader.
 * @return The reader, or NULL if the archive has no markers.
 * @since 1.2
 */
OTF2_MarkerReader*
OTF2_Reader_GetMarkerReader( OTF2_Reader* reader );

/**
 * Returns a writer for markers of an archive that is open for reading. It makes the marker file
 * anew: to add a marker, read all markers first and write them again.
 *
 * @param reader The reader.
 * @return The writer, or NULL on all ranks but 0, or without collective callbacks.
 * @since 1.2
 */
OTF2_MarkerWriter*
OTF2_Reader_GetMarkerWriter( OTF2_Reader* reader );

/**
 * Closes a reader. Its handle is no longer valid. Must not be called for a reader that a global
 * reader has taken over.
 *
 * @param reader The reader.
 * @param evtReader The reader of the events, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if there is no such reader.
 */
OTF2_ErrorCode
OTF2_Reader_CloseEvtReader( OTF2_Reader* reader,
                            OTF2_EvtReader* evtReader );

/**
 * Closes the reader with the event readers that it has taken over.
 *
 * @param reader The reader.
 * @param globalEvtReader The reader of the events, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if there is no such reader.
 */
OTF2_ErrorCode
OTF2_Reader_CloseGlobalEvtReader( OTF2_Reader* reader,
                                  OTF2_GlobalEvtReader* globalEvtReader );

/**
 * Closes a reader. Its handle is no longer valid; its mapping tables and clock offsets remain in
 * force.
 *
 * @param reader The reader.
 * @param defReader The reader of the definitions, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if there is no such reader.
 */
OTF2_ErrorCode
OTF2_Reader_CloseDefReader( OTF2_Reader* reader,
                            OTF2_DefReader* defReader );

/**
 * Closes the reader. Its handle is no longer valid.
 *
 * @param reader The reader.
 * @param globalDefReader The reader of the definitions, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if there is no such reader.
 */
OTF2_ErrorCode
OTF2_Reader_CloseGlobalDefReader( OTF2_Reader* reader,
                                  OTF2_GlobalDefReader* globalDefReader );

/**
 * Closes a reader. Its handle is no longer valid. Must not be called for a reader that a global
 * reader has taken over.
 *
 * @param reader The reader.
 * @param snapReader The reader of the snapshots, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if there is no such reader.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Reader_CloseSnapReader( OTF2_Reader* reader,
                             OTF2_SnapReader* snapReader );

/**
 * Closes the reader with the snapshot readers that it has taken over.
 *
 * @param reader The reader.
 * @param globalSnapReader The reader of the snapshots, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if there is no such reader.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Reader_CloseGlobalSnapReader( OTF2_Reader* reader,
                                   OTF2_GlobalSnapReader* globalSnapReader );

/**
 * Closes a reader. Its handle is no longer valid.
 *
 * @param reader The reader.
 * @param thumbReader The reader of the thumbnail, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if there is no such reader.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Reader_CloseThumbReader( OTF2_Reader* reader,
                              OTF2_ThumbReader* thumbReader );

/**
 * Closes the reader. Its handle is no longer valid.
 *
 * @param reader The reader.
 * @param markerReader The reader of the markers, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if there is no such reader.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Reader_CloseMarkerReader( OTF2_Reader* reader,
                               OTF2_MarkerReader* markerReader );

/**
 * Closes the writer: its markers are written to the file, and its handle is no longer valid.
 *
 * @param reader The reader.
 * @param markerWriter The writer of the markers, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if there is no such writer.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Reader_CloseMarkerWriter( OTF2_Reader* reader,
                               OTF2_MarkerWriter* markerWriter );

/**
 * Returns the version of the library that wrote the archive.
 *
 * @param reader The reader.
 * @param major Receives the major version.
 * @param minor Receives the minor version.
 * @param bugfix Receives the number of the release.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Reader_GetVersion( OTF2_Reader* reader,
                        uint8_t* major,
                        uint8_t* minor,
                        uint8_t* bugfix );

/**
 * Returns the sizes of chunks.
 *
 * @param reader The reader.
 * @param chunkSizeEvents Receives the size for events, in bytes.
 * @param chunkSizeDefinitions Receives the size for definitions, in bytes.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Reader_GetChunkSize( OTF2_Reader* reader,
                          uint64_t* chunkSizeEvents,
                          uint64_t* chunkSizeDefinitions );

/**
 * Returns how the files of the archive are stored.
 *
 * @param reader The reader.
 * @param substrate Receives the substrate.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Reader_GetFileSubstrate( OTF2_Reader* reader,
                              OTF2_FileSubstrate* substrate );

/**
 * Returns the compression of the archive.
 *
 * @param reader The reader.
 * @param compression Receives the compression.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Reader_GetCompression( OTF2_Reader* reader,
                            OTF2_Compression* compression );

/**
 * Returns the number of locations, as the anchor file states it.
 *
 * @param reader The reader.
 * @param numberOfLocations Receives the number.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Reader_GetNumberOfLocations( OTF2_Reader* reader,
                                  uint64_t* numberOfLocations );

/**
 * Returns the number of global definitions, as the anchor file states it.
 *
 * @param reader The reader.
 * @param numberOfDefinitions Receives the number.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Reader_GetNumberOfGlobalDefinitions( OTF2_Reader* reader,
                                          uint64_t* numberOfDefinitions );

/**
 * Returns the name of the machine.
 *
 * @param reader The reader.
 * @param machineName Receives a copy, to be freed by the caller.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_MEM_FAULT without a call of the error callback if none is
 *     set.
 */
OTF2_ErrorCode
OTF2_Reader_GetMachineName( OTF2_Reader* reader,
                            char** machineName );

/**
 * Returns the name of the program that wrote the trace.
 *
 * @param reader The reader.
 * @param creator Receives a copy, to be freed by the caller.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_MEM_FAULT without a call of the error callback if none is
 *     set.
 */
OTF2_ErrorCode
OTF2_Reader_GetCreator( OTF2_Reader* reader,
                        char** creator );

/**
 * Returns the description of the trace.
 *
 * @param reader The reader.
 * @param description Receives a copy, to be freed by the caller.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_MEM_FAULT without a call of the error callback if none is
 *     set.
 */
OTF2_ErrorCode
OTF2_Reader_GetDescription( OTF2_Reader* reader,
                            char** description );

/**
 * Returns the names of all properties.
 *
 * @param reader The reader.
 * @param numberOfProperties Receives the number.
 * @param names Receives an array of names, one block of memory that the caller frees with one call
 *     of `free`; NULL if there are no properties.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Reader_GetPropertyNames( OTF2_Reader* reader,
                              uint32_t* numberOfProperties,
                              char*** names );

/**
 * Returns the value of a property.
 *
 * @param reader The reader.
 * @param name The name in upper case.
 * @param value Receives a copy, to be freed by the caller; NULL if there is no such property.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_PROPERTY_NOT_FOUND without a call of the error callback.
 */
OTF2_ErrorCode
OTF2_Reader_GetProperty( OTF2_Reader* reader,
                         const char* name,
                         char** value );

/**
 * Returns the value of a property that is `true` or `false`, in upper or lower case.
 *
 * @param reader The reader.
 * @param name The name in upper case.
 * @param value Receives the value.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_PROPERTY_NOT_FOUND without a call of the error callback;
 *     #OTF2_ERROR_PROPERTY_VALUE_INVALID for all other values.
 */
OTF2_ErrorCode
OTF2_Reader_GetBoolProperty( OTF2_Reader* reader,
                             const char* name,
                             bool* value );

/**
 * Returns the number that identifies the trace.
 *
 * @param reader The reader.
 * @param id Receives the number.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Reader_GetTraceId( OTF2_Reader* reader,
                        uint64_t* id );

/**
 * Returns the number of snapshots per location.
 *
 * @param reader The reader.
 * @param number Receives the number.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Reader_GetNumberOfSnapshots( OTF2_Reader* reader,
                                  uint32_t* number );

/**
 * Returns the number of thumbnails.
 *
 * @param reader The reader.
 * @param number Receives the number.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Reader_GetNumberOfThumbnails( OTF2_Reader* reader,
                                   uint32_t* number );

/**
 * Prepares the files of events. With #OTF2_SUBSTRATE_POSIX this does nothing and is not required.
 * With other substrates it is a collective operation.
 *
 * @param reader The reader.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Reader_OpenEvtFiles( OTF2_Reader* reader );

/**
 * The counterpart of #OTF2_Reader_OpenEvtFiles. Does not close readers.
 *
 * @param reader The reader.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Reader_CloseEvtFiles( OTF2_Reader* reader );

/**
 * Prepares the files of local definitions, as #OTF2_Reader_OpenEvtFiles does for events.
 *
 * @param reader The reader.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Reader_OpenDefFiles( OTF2_Reader* reader );

/**
 * The counterpart of #OTF2_Reader_OpenDefFiles. Does not close readers.
 *
 * @param reader The reader.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Reader_CloseDefFiles( OTF2_Reader* reader );

/**
 * Prepares the files of snapshots, as #OTF2_Reader_OpenEvtFiles does for events.
 *
 * @param reader The reader.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Reader_OpenSnapFiles( OTF2_Reader* reader );

/**
 * The counterpart of #OTF2_Reader_OpenSnapFiles. Does not close readers.
 *
 * @param reader The reader.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Reader_CloseSnapFiles( OTF2_Reader* reader );

/**
 * Announces that the files of a location will be read. Call it for all such locations before
 * #OTF2_Reader_OpenDefFiles and #OTF2_Reader_OpenEvtFiles. With #OTF2_SUBSTRATE_POSIX this is not
 * required.
 *
 * @param reader The reader.
 * @param location The location.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Reader_SelectLocation( OTF2_Reader* reader,
                            OTF2_LocationRef location );

/**
 * Returns whether this process is rank 0.
 *
 * @param reader The reader.
 * @param result Receives the answer.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_CALL without collective callbacks;
 *     #OTF2_ERROR_COLLECTIVE_CALLBACK.
 * @since 3.0
 */
OTF2_ErrorCode
OTF2_Reader_IsPrimary( OTF2_Reader* reader,
                       bool* result );

/**
 * The former name of #OTF2_Reader_IsPrimary. Calls the error callback with #OTF2_DEPRECATED.
 *
 * @param reader The reader.
 * @param result Receives the answer.
 * @return As #OTF2_Reader_IsPrimary.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Reader_IsMaster( OTF2_Reader* reader,
                      bool* result );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_READER_H */
