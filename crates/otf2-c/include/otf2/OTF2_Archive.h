/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_ARCHIVE_H
#define OTF2_ARCHIVE_H

/**
 * @file
 * Archives: opening, settings, and the readers and writers of their files.
 *
 * An archive `NAME` in the folder `PATH` consists of the anchor file `PATH/NAME.otf2`, the global
 * definitions `PATH/NAME.def`, and files for each location in `PATH/NAME`: events, definitions and
 * snapshots. Each process that takes part in writing has a handle of its own, opened with the same
 * arguments; rank 0 writes the anchor file and the global definitions.
 *
 * To write: #OTF2_Archive_Open, #OTF2_Archive_SetLockingCallbacks if threads share the handle,
 * #OTF2_Archive_SetFlushCallbacks, #OTF2_Archive_SetCollectiveCallbacks or
 * #OTF2_Archive_SetSerialCollectiveCallbacks, then the writers, and #OTF2_Archive_Close. otf2.h has
 * a complete program. To read, use #OTF2_Reader_Open.
 *
 * Readers and writers belong to the archive. A call with the same location returns the same handle.
 * They may be closed one by one, otherwise #OTF2_Archive_Close closes them.
 *
 * A function that receives NULL in place of a handle or of a pointer for the result returns
 * #OTF2_ERROR_INVALID_ARGUMENT, unless its description says otherwise. Strings that a function
 * returns in a `char**` are copies, which the caller frees with `free`.
 */

#include <stdint.h>
#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_Callbacks.h>
#include <otf2/OTF2_DefWriter.h>
#include <otf2/OTF2_DefReader.h>
#include <otf2/OTF2_EvtWriter.h>
#include <otf2/OTF2_EvtReader.h>
#include <otf2/OTF2_SnapWriter.h>
#include <otf2/OTF2_SnapReader.h>
#include <otf2/OTF2_GlobalDefWriter.h>
#include <otf2/OTF2_GlobalDefReader.h>
#include <otf2/OTF2_GlobalEvtReader.h>
#include <otf2/OTF2_GlobalSnapReader.h>
#include <otf2/OTF2_Thumbnail.h>
#include <otf2/OTF2_MarkerWriter.h>
#include <otf2/OTF2_MarkerReader.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A usual size of the chunks of event files, in bytes. */
#define OTF2_CHUNK_SIZE_EVENTS_DEFAULT ( 1024 * 1024 )

/** A usual size of the chunks of definition files, in bytes. */
#define OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT ( 4 * 1024 * 1024 )

/** An archive. */
typedef struct OTF2_Archive_struct OTF2_Archive;

/**
 * The role of a process in OTF2 1.x. Today it follows from the collective callbacks: see
 * #OTF2_Archive_IsPrimary.
 *
 * @see OTF2_MasterSlaveMode_enum
 */
typedef uint8_t OTF2_MasterSlaveMode;

/** The values of #OTF2_MasterSlaveMode. */
enum OTF2_MasterSlaveMode_enum
{
    /** Another rank. */
    OTF2_SLAVE = 0,
    /** Rank 0. */
    OTF2_MASTER = 1
};

/**
 * Opens an archive.
 *
 * In mode #OTF2_FILEMODE_WRITE nothing is made on disk before the collective callbacks are set. In
 * mode #OTF2_FILEMODE_READ the anchor file is read immediately.
 *
 * @param archivePath The folder of the archive; copied.
 * @param archiveName The name of the archive, without `/`; copied.
 * @param fileMode #OTF2_FILEMODE_WRITE or #OTF2_FILEMODE_READ.
 * @param chunkSizeEvents The size of the chunks of event and snapshot files: #OTF2_CHUNK_SIZE_MIN
 *     to #OTF2_CHUNK_SIZE_MAX, usually #OTF2_CHUNK_SIZE_EVENTS_DEFAULT. Ignored when reading.
 * @param chunkSizeDefs The size of the chunks of definition files, in the same range, usually
 *     #OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT; or #OTF2_UNDEFINED_UINT64, then
 *     #OTF2_Archive_SetDefChunkSize must follow. Ignored when reading.
 * @param fileSubstrate #OTF2_SUBSTRATE_POSIX, or #OTF2_SUBSTRATE_NONE to write nothing. Ignored
 *     when reading.
 * @param compression #OTF2_COMPRESSION_NONE. Ignored when reading.
 * @return The archive, to be closed with #OTF2_Archive_Close, or NULL.
 */
OTF2_Archive*
OTF2_Archive_Open( const char* archivePath,
                   const char* archiveName,
                   const OTF2_FileMode fileMode,
                   const uint64_t chunkSizeEvents,
                   const uint64_t chunkSizeDefs,
                   const OTF2_FileSubstrate fileSubstrate,
                   const OTF2_Compression compression );

/**
 * Closes an archive with all its readers and writers, and frees it.
 *
 * In mode #OTF2_FILEMODE_WRITE this writes all buffers, and rank 0 writes the anchor file. Then the
 * release functions of the collective and locking callbacks are called.
 *
 * @param archive The archive, or NULL.
 * @return #OTF2_SUCCESS. Failures are reported to the error callback.
 */
OTF2_ErrorCode
OTF2_Archive_Close( OTF2_Archive* archive );

/**
 * Changes an archive that is open for reading to writing, to add snapshots, thumbnails and
 * properties. Existing files are kept; #OTF2_Archive_Close writes the anchor file again.
 *
 * @param archive The archive.
 * @param newFileMode #OTF2_FILEMODE_WRITE.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_FILE_MODE_TRANSITION for every other change.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Archive_SwitchFileMode( OTF2_Archive* archive,
                             OTF2_FileMode newFileMode );

/**
 * Sets the size of the chunks of definition files, if #OTF2_Archive_Open was called without. All
 * ranks must call this function, before the first definition or marker writer is made; the size of
 * rank 0 is used.
 *
 * @param archive The archive.
 * @param chunkSize The size in bytes, #OTF2_CHUNK_SIZE_MIN to #OTF2_CHUNK_SIZE_MAX.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the size is out of range;
 *     #OTF2_ERROR_PROCESSED_WITH_FAULTS if there is a size; #OTF2_ERROR_INVALID_CALL without
 *     collective callbacks.
 */
OTF2_ErrorCode
OTF2_Archive_SetDefChunkSize( OTF2_Archive* archive,
                              uint64_t chunkSize );

/**
 * Sets the name of the machine, which is stored in the anchor file.
 *
 * @param archive The archive.
 * @param machineName The name; copied.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Archive_SetMachineName( OTF2_Archive* archive,
                             const char* machineName );

/**
 * Sets the description of the trace, which is stored in the anchor file.
 *
 * @param archive The archive.
 * @param description The description; copied.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Archive_SetDescription( OTF2_Archive* archive,
                             const char* description );

/**
 * Sets the name of the program that writes the trace, which is stored in the anchor file.
 *
 * @param archive The archive.
 * @param creator The name, usually with a version; copied.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Archive_SetCreator( OTF2_Archive* archive,
                         const char* creator );

/**
 * Sets the callbacks that decide what happens to a full buffer. Required for writers of events,
 * definitions and snapshots. May be called again.
 *
 * @param archive The archive.
 * @param flushCallbacks The callbacks. They are not copied: they must exist until the archive is
 *     closed.
 * @param flushData Is passed to the callbacks.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INTEGRITY_FAULT if the archive is open for reading.
 */
OTF2_ErrorCode
OTF2_Archive_SetFlushCallbacks( OTF2_Archive* archive,
                                const OTF2_FlushCallbacks* flushCallbacks,
                                void* flushData );

/**
 * Sets the callbacks that provide memory for buffers. Without them each buffer takes chunks from
 * the C library, up to 128 MiB.
 *
 * @param archive The archive.
 * @param memoryCallbacks The callbacks, both not NULL. They are not copied: they must exist until
 *     the archive is closed.
 * @param memoryData Is passed to the callbacks.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INTEGRITY_FAULT if a callback is missing or the archive is
 *     open for reading.
 */
OTF2_ErrorCode
OTF2_Archive_SetMemoryCallbacks( OTF2_Archive* archive,
                                 const OTF2_MemoryCallbacks* memoryCallbacks,
                                 void* memoryData );

/**
 * Sets the communication between the ranks that write or read an archive together. Required for
 * writing, once.
 *
 * In mode #OTF2_FILEMODE_WRITE this is a collective operation: rank 0 makes the folders of the
 * archive, and passes the outcome to all ranks.
 *
 * @param archive The archive.
 * @param collectiveCallbacks The callbacks. They are not copied: they must exist until the archive
 *     is closed.
 * @param collectiveData Is passed to the callbacks.
 * @param globalCommContext Represents all ranks.
 * @param localCommContext Represents the ranks that share files, or NULL; not used with
 *     #OTF2_SUBSTRATE_POSIX.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if a required callback is missing;
 *     #OTF2_ERROR_INVALID_CALL if the callbacks are set; #OTF2_ERROR_COLLECTIVE_CALLBACK if a
 *     callback fails; the code of the system if the folders cannot be made, #OTF2_ERROR_EEXIST if
 *     there is an archive of this name.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Archive_SetCollectiveCallbacks( OTF2_Archive* archive,
                                     const OTF2_CollectiveCallbacks* collectiveCallbacks,
                                     void* collectiveData,
                                     OTF2_CollectiveContext* globalCommContext,
                                     OTF2_CollectiveContext* localCommContext );

/**
 * Sets the collective callbacks of a program with one process.
 *
 * @param archive The archive.
 * @return As #OTF2_Archive_SetCollectiveCallbacks.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Archive_SetSerialCollectiveCallbacks( OTF2_Archive* archive );

/**
 * Returns whether this process is rank 0, which writes the anchor file, the global definitions and
 * the markers.
 *
 * @param archive The archive.
 * @param result Receives the answer.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_CALL without collective callbacks;
 *     #OTF2_ERROR_COLLECTIVE_CALLBACK.
 * @since 3.0
 */
OTF2_ErrorCode
OTF2_Archive_IsPrimary( OTF2_Archive* archive,
                        bool* result );

/**
 * The former name of #OTF2_Archive_IsPrimary. Calls the error callback with #OTF2_DEPRECATED.
 *
 * @param archive The archive.
 * @param result Receives the answer.
 * @return As #OTF2_Archive_IsPrimary.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Archive_IsMaster( OTF2_Archive* archive,
                       bool* result );

/**
 * Sets the role of a process without collective callbacks: the master gets those of a single
 * process, a slave those of another rank than 0. It remains so that programs for OTF2 1.x work. It
 * is not in libotf2 3.x.
 *
 * @param archive The archive.
 * @param masterOrSlave The role.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the callbacks imply the other role.
 * @deprecated Set collective callbacks instead.
 */
OTF2_ErrorCode
OTF2_Archive_SetMasterSlaveMode( OTF2_Archive* archive,
                                 OTF2_MasterSlaveMode masterOrSlave ) __otf2_deprecated__;

/**
 * Returns #OTF2_MASTER on rank 0 and #OTF2_SLAVE on all other ranks. It remains so that programs
 * for OTF2 1.x link. It is not in libotf2 3.x.
 *
 * @param archive The archive.
 * @param masterOrSlave Receives the role.
 * @return As #OTF2_Archive_IsPrimary.
 * @deprecated Use #OTF2_Archive_IsPrimary.
 */
OTF2_ErrorCode
OTF2_Archive_GetMasterSlaveMode( OTF2_Archive* archive,
                                 OTF2_MasterSlaveMode* masterOrSlave ) __otf2_deprecated__;

/**
 * Set the files of SIONlib in OTF2 1.x; this library does not support that substrate. It remains so
 * that programs for OTF2 1.x link. It is not in libotf2 3.x.
 *
 * @param archive The archive.
 * @param fileSionCallbacks The callbacks, which are never called.
 * @param fileSionData Not used.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT.
 * @deprecated Set collective callbacks instead.
 */
OTF2_ErrorCode
OTF2_Archive_SetFileSionCallbacks( OTF2_Archive* archive,
                                   const OTF2_FileSionCallbacks* fileSionCallbacks,
                                   void* fileSionData ) __otf2_deprecated__;

/**
 * Sets the lock for programs whose threads share an archive. Once, before any other thread uses it.
 * Writing and reading records takes no lock: a writer or reader may be used by one thread at a
 * time. The lock protects the data that they share.
 *
 * @param archive The archive.
 * @param lockingCallbacks The callbacks. They are not copied: they must exist until the archive is
 *     closed.
 * @param lockingData Is passed to the callbacks.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if a required callback is missing;
 *     #OTF2_ERROR_INVALID_CALL if the callbacks are set; #OTF2_ERROR_LOCKING_CALLBACK if a callback
 *     fails.
 * @since 1.5
 */
OTF2_ErrorCode
OTF2_Archive_SetLockingCallbacks( OTF2_Archive* archive,
                                  const OTF2_LockingCallbacks* lockingCallbacks,
                                  void* lockingData );

/**
 * Announces how an archive will be read.
 *
 * @param archive The archive.
 * @param hint The hint.
 * @param value A pointer to the value; its type depends on the hint.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if there is no such hint;
 *     #OTF2_ERROR_HINT_INVALID while writing; #OTF2_ERROR_HINT_LOCKED if the hint was set or used
 *     before; #OTF2_ERROR_HINT_INVALID_VALUE.
 * @since 2.0
 */
OTF2_ErrorCode
OTF2_Archive_SetHint( OTF2_Archive* archive,
                      OTF2_Hint hint,
                      void* value );

/**
 * Sets or removes a property of the archive, which is stored in the anchor file.
 *
 * @param archive The archive.
 * @param name The name: at least two parts joined by `::`, of letters, digits, `_` and `-`. It is
 *     stored in upper case.
 * @param value The value; copied. The empty string removes the property.
 * @param overwrite Whether an existing value may be replaced.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_PROPERTY_NAME_INVALID; #OTF2_ERROR_PROPERTY_EXISTS;
 *     #OTF2_ERROR_PROPERTY_NOT_FOUND if a property to remove does not exist;
 *     #OTF2_ERROR_INVALID_CALL if the archive is open for reading. The error callback is not called
 *     for existing and missing properties.
 */
OTF2_ErrorCode
OTF2_Archive_SetProperty( OTF2_Archive* archive,
                          const char* name,
                          const char* value,
                          bool overwrite );

/**
 * Sets a property to `true` or `false`.
 *
 * @param archive The archive.
 * @param name The name, as for #OTF2_Archive_SetProperty.
 * @param value The value.
 * @param overwrite Whether an existing value may be replaced.
 * @return As #OTF2_Archive_SetProperty.
 */
OTF2_ErrorCode
OTF2_Archive_SetBoolProperty( OTF2_Archive* archive,
                              const char* name,
                              bool value,
                              bool overwrite );

/**
 * Returns the names of all properties in the order in which they were set.
 *
 * @param archive The archive.
 * @param numberOfProperties Receives the number.
 * @param names Receives an array of names, one block of memory that the caller frees with one call
 *     of `free`; NULL if there are no properties.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Archive_GetPropertyNames( OTF2_Archive* archive,
                               uint32_t* numberOfProperties,
                               char*** names );

/**
 * Returns the value of a property.
 *
 * @param archive The archive.
 * @param name The name in upper case.
 * @param value Receives a copy, to be freed by the caller; NULL if there is no such property.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_PROPERTY_NOT_FOUND without a call of the error callback.
 */
OTF2_ErrorCode
OTF2_Archive_GetProperty( OTF2_Archive* archive,
                          const char* name,
                          char** value );

/**
 * Returns the random number that identifies the trace. Only while reading.
 *
 * @param archive The archive.
 * @param id Receives the number.
 * @return #OTF2_SUCCESS, or an error code while writing.
 */
OTF2_ErrorCode
OTF2_Archive_GetTraceId( OTF2_Archive* archive,
                         uint64_t* id );

/**
 * Returns the number of locations: of the anchor file, or of the definitions written so far.
 *
 * @param archive The archive.
 * @param numberOfLocations Receives the number.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Archive_GetNumberOfLocations( OTF2_Archive* archive,
                                   uint64_t* numberOfLocations );

/**
 * Returns the number of global definitions: of the anchor file, or those written so far.
 *
 * @param archive The archive.
 * @param numberOfDefinitions Receives the number.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Archive_GetNumberOfGlobalDefinitions( OTF2_Archive* archive,
                                           uint64_t* numberOfDefinitions );

/**
 * Returns the name of the machine.
 *
 * @param archive The archive.
 * @param machineName Receives a copy, to be freed by the caller.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_MEM_FAULT without a call of the error callback if none is
 *     set.
 */
OTF2_ErrorCode
OTF2_Archive_GetMachineName( OTF2_Archive* archive,
                             char** machineName );

/**
 * Returns the description of the trace.
 *
 * @param archive The archive.
 * @param description Receives a copy, to be freed by the caller.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_MEM_FAULT without a call of the error callback if none is
 *     set.
 */
OTF2_ErrorCode
OTF2_Archive_GetDescription( OTF2_Archive* archive,
                             char** description );

/**
 * Returns the name of the program that wrote the trace.
 *
 * @param archive The archive.
 * @param creator Receives a copy, to be freed by the caller.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_MEM_FAULT without a call of the error callback if none is
 *     set.
 */
OTF2_ErrorCode
OTF2_Archive_GetCreator( OTF2_Archive* archive,
                         char** creator );

/**
 * Returns the version of the library that wrote the archive.
 *
 * @param archive The archive.
 * @param major Receives the major version.
 * @param minor Receives the minor version.
 * @param bugfix Receives the number of the release.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Archive_GetVersion( OTF2_Archive* archive,
                         uint8_t* major,
                         uint8_t* minor,
                         uint8_t* bugfix );

/**
 * Returns the sizes of chunks.
 *
 * @param archive The archive.
 * @param chunkSizeEvents Receives the size for events, in bytes.
 * @param chunkSizeDefs Receives the size for definitions, in bytes.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INTEGRITY_FAULT if the size for definitions is not set, in
 *     which case the size for events is returned all the same.
 */
OTF2_ErrorCode
OTF2_Archive_GetChunkSize( OTF2_Archive* archive,
                           uint64_t* chunkSizeEvents,
                           uint64_t* chunkSizeDefs );

/**
 * Returns how the files of the archive are stored.
 *
 * @param archive The archive.
 * @param substrate Receives the substrate.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Archive_GetFileSubstrate( OTF2_Archive* archive,
                               OTF2_FileSubstrate* substrate );

/**
 * Returns the compression of the archive.
 *
 * @param archive The archive.
 * @param compression Receives the compression.
 * @return #OTF2_SUCCESS or an error code.
 */
OTF2_ErrorCode
OTF2_Archive_GetCompression( OTF2_Archive* archive,
                             OTF2_Compression* compression );

/**
 * Returns the writer for the events of a location.
 *
 * @param archive The archive.
 * @param location The location; or #OTF2_UNDEFINED_LOCATION for a new writer, whose location is set
 *     with #OTF2_EvtWriter_SetLocationID.
 * @return The writer, or NULL: without flush or collective callbacks, or if the archive is open for
 *     reading.
 */
OTF2_EvtWriter*
OTF2_Archive_GetEvtWriter( OTF2_Archive* archive,
                           OTF2_LocationRef location );

/**
 * Returns the writer for the definitions of a location.
 *
 * @param archive The archive.
 * @param location The location.
 * @return The writer, or NULL as for #OTF2_Archive_GetEvtWriter.
 */
OTF2_DefWriter*
OTF2_Archive_GetDefWriter( OTF2_Archive* archive,
                           OTF2_LocationRef location );

/**
 * Returns the writer for the global definitions.
 *
 * @param archive The archive.
 * @return The writer, or NULL on all ranks but 0, and as for #OTF2_Archive_GetEvtWriter.
 */
OTF2_GlobalDefWriter*
OTF2_Archive_GetGlobalDefWriter( OTF2_Archive* archive );

/**
 * Returns the writer for the snapshots of a location.
 *
 * @param archive The archive.
 * @param location The location.
 * @return The writer, or NULL as for #OTF2_Archive_GetEvtWriter.
 * @since 1.2
 */
OTF2_SnapWriter*
OTF2_Archive_GetSnapWriter( OTF2_Archive* archive,
                            OTF2_LocationRef location );

/**
 * Makes a writer for a thumbnail. It is closed with the archive, when all samples must have been
 * written.
 *
 * @param archive The archive.
 * @param name The name; copied.
 * @param description The description; copied.
 * @param type The kind of the definitions.
 * @param numberOfSamples The number of samples that will be written, at least 1.
 * @param numberOfMetrics The number of values per sample, at least 1.
 * @param refsToDefs The ids of `numberOfMetrics` definitions; copied.
 * @return The writer, or NULL if an argument is missing or 0, or without collective callbacks.
 * @since 1.2
 */
OTF2_ThumbWriter*
OTF2_Archive_GetThumbWriter( OTF2_Archive* archive,
                             const char* name,
                             const char* description,
                             OTF2_ThumbnailType type,
                             uint32_t numberOfSamples,
                             uint32_t numberOfMetrics,
                             const uint64_t* refsToDefs );

/**
 * Returns the writer for markers. It makes the marker file anew.
 *
 * @param archive The archive.
 * @return The writer, or NULL on all ranks but 0, or without collective callbacks.
 * @since 1.2
 */
OTF2_MarkerWriter*
OTF2_Archive_GetMarkerWriter( OTF2_Archive* archive );

/**
 * Returns the reader for the events of a location.
 *
 * @param archive The archive.
 * @param location The location.
 * @return The reader, or NULL if the location has no events: then there is no file.
 */
OTF2_EvtReader*
OTF2_Archive_GetEvtReader( OTF2_Archive* archive,
                           OTF2_LocationRef location );

/**
 * Returns the reader for the events of many locations in the order of time. It takes over all event
 * readers that are open: their handles must not be used any more. Read local definitions before,
 * otherwise mapping tables and clock offsets do not apply to the first events.
 *
 * @param archive The archive.
 * @return The reader, or NULL if no event reader is open.
 */
OTF2_GlobalEvtReader*
OTF2_Archive_GetGlobalEvtReader( OTF2_Archive* archive );

/**
 * Returns the reader for the definitions of a location.
 *
 * @param archive The archive.
 * @param location The location.
 * @return The reader, or NULL if the location has no definitions.
 */
OTF2_DefReader*
OTF2_Archive_GetDefReader( OTF2_Archive* archive,
                           OTF2_LocationRef location );

/**
 * Returns the reader for the global definitions.
 *
 * @param archive The archive.
 * @return The reader, or NULL.
 */
OTF2_GlobalDefReader*
OTF2_Archive_GetGlobalDefReader( OTF2_Archive* archive );

/**
 * Returns the reader for the snapshots of a location.
 *
 * @param archive The archive.
 * @param location The location.
 * @return The reader, or NULL if the location has no snapshots.
 * @since 1.2
 */
OTF2_SnapReader*
OTF2_Archive_GetSnapReader( OTF2_Archive* archive,
                            OTF2_LocationRef location );

/**
 * Returns the reader for the snapshots of many locations in the order of time. It takes over all
 * snapshot readers that are open.
 *
 * @param archive The archive.
 * @return The reader, or NULL if no snapshot reader is open.
 * @since 1.2
 */
OTF2_GlobalSnapReader*
OTF2_Archive_GetGlobalSnapReader( OTF2_Archive* archive );

/**
 * Returns the reader for a thumbnail.
 *
 * @param archive The archive.
 * @param number The number of the thumbnail, counted from 0.
 * @return The reader, or NULL.
 * @since 1.2
 */
OTF2_ThumbReader*
OTF2_Archive_GetThumbReader( OTF2_Archive* archive,
                             uint32_t number );

/**
 * Returns the reader for markers.
 *
 * @param archive The archive.
 * @return The reader, or NULL if the archive has no markers.
 * @since 1.2
 */
OTF2_MarkerReader*
OTF2_Archive_GetMarkerReader( OTF2_Archive* archive );

/**
 * Closes a writer: its buffer is written and its handle is no longer valid. A new writer for the
 * same location would start an empty file.
 *
 * @param archive The archive.
 * @param writer The writer, or NULL.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_ARGUMENT if the archive has no such writer;
 *     #OTF2_ERROR_INTEGRITY_FAULT if the writer has no location, in which case its events are lost.
 */
OTF2_ErrorCode
OTF2_Archive_CloseEvtWriter( OTF2_Archive* archive,
                             OTF2_EvtWriter* writer );

/**
 * Closes a writer, as #OTF2_Archive_CloseEvtWriter does.
 *
 * @param archive The archive.
 * @param writer The writer, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the archive has no such writer.
 */
OTF2_ErrorCode
OTF2_Archive_CloseDefWriter( OTF2_Archive* archive,
                             OTF2_DefWriter* writer );

/**
 * Closes the writer: its buffer is written and its handle is no longer valid.
 *
 * @param archive The archive.
 * @param writer The writer, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the archive has no such writer.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Archive_CloseMarkerWriter( OTF2_Archive* archive,
                                OTF2_MarkerWriter* writer );

/**
 * Closes a writer, as #OTF2_Archive_CloseEvtWriter does.
 *
 * @param archive The archive.
 * @param writer The writer, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the archive has no such writer.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Archive_CloseSnapWriter( OTF2_Archive* archive,
                              OTF2_SnapWriter* writer );

/**
 * Closes the writer: its buffer is written and its handle is no longer valid.
 *
 * @param archive The archive.
 * @param writer The writer, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the archive has no such writer.
 */
OTF2_ErrorCode
OTF2_Archive_CloseGlobalDefWriter( OTF2_Archive* archive,
                                   OTF2_GlobalDefWriter* writer );

/**
 * Closes a reader. Its handle is no longer valid. Must not be called for a reader that a global
 * reader has taken over.
 *
 * @param archive The archive.
 * @param reader The reader, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the archive has no such reader.
 */
OTF2_ErrorCode
OTF2_Archive_CloseEvtReader( OTF2_Archive* archive,
                             OTF2_EvtReader* reader );

/**
 * Closes a reader. Its handle is no longer valid.
 *
 * @param archive The archive.
 * @param reader The reader, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the archive has no such reader.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Archive_CloseThumbReader( OTF2_Archive* archive,
                               OTF2_ThumbReader* reader );

/**
 * Closes the reader with the event readers that it has taken over.
 *
 * @param archive The archive.
 * @param globalEvtReader The reader, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the archive has no such reader.
 */
OTF2_ErrorCode
OTF2_Archive_CloseGlobalEvtReader( OTF2_Archive* archive,
                                   OTF2_GlobalEvtReader* globalEvtReader );

/**
 * Closes a reader. Its handle is no longer valid; its mapping table and clock offsets remain in
 * force.
 *
 * @param archive The archive.
 * @param reader The reader, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the archive has no such reader.
 */
OTF2_ErrorCode
OTF2_Archive_CloseDefReader( OTF2_Archive* archive,
                             OTF2_DefReader* reader );

/**
 * Closes the reader. Its handle is no longer valid.
 *
 * @param archive The archive.
 * @param globalDefReader The reader, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the archive has no such reader.
 */
OTF2_ErrorCode
OTF2_Archive_CloseGlobalDefReader( OTF2_Archive* archive,
                                   OTF2_GlobalDefReader* globalDefReader );

/**
 * Closes a reader. Its handle is no longer valid. Must not be called for a reader that a global
 * reader has taken over.
 *
 * @param archive The archive.
 * @param reader The reader, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the archive has no such reader.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Archive_CloseSnapReader( OTF2_Archive* archive,
                              OTF2_SnapReader* reader );

/**
 * Closes the reader with the snapshot readers that it has taken over.
 *
 * @param archive The archive.
 * @param globalSnapReader The reader, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the archive has no such reader.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Archive_CloseGlobalSnapReader( OTF2_Archive* archive,
                                    OTF2_GlobalSnapReader* globalSnapReader );

/**
 * Closes the reader. Its handle is no longer valid.
 *
 * @param archive The archive.
 * @param markerReader The reader, or NULL.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the archive has no such reader.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Archive_CloseMarkerReader( OTF2_Archive* archive,
                                OTF2_MarkerReader* markerReader );

/**
 * Returns the number of thumbnails.
 *
 * @param archive The archive.
 * @param number Receives the number.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Archive_GetNumberOfThumbnails( OTF2_Archive* archive,
                                    uint32_t* number );

/**
 * Sets the number of snapshots, which is stored in the anchor file.
 *
 * @param archive The archive.
 * @param number The number of snapshots per location.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Archive_SetNumberOfSnapshots( OTF2_Archive* archive,
                                   uint32_t number );

/**
 * Returns the number of snapshots per location.
 *
 * @param archive The archive.
 * @param number Receives the number.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_Archive_GetNumberOfSnapshots( OTF2_Archive* archive,
                                   uint32_t* number );

/**
 * Prepares the files of events. With #OTF2_SUBSTRATE_POSIX this does nothing and is not required.
 * With other substrates it is a collective operation.
 *
 * @param archive The archive.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Archive_OpenEvtFiles( OTF2_Archive* archive );

/**
 * The counterpart of #OTF2_Archive_OpenEvtFiles. Does not close readers or writers.
 *
 * @param archive The archive.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Archive_CloseEvtFiles( OTF2_Archive* archive );

/**
 * Prepares the files of local definitions, as #OTF2_Archive_OpenEvtFiles does for events.
 *
 * @param archive The archive.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Archive_OpenDefFiles( OTF2_Archive* archive );

/**
 * The counterpart of #OTF2_Archive_OpenDefFiles. Does not close readers or writers.
 *
 * @param archive The archive.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Archive_CloseDefFiles( OTF2_Archive* archive );

/**
 * Prepares the files of snapshots, as #OTF2_Archive_OpenEvtFiles does for events.
 *
 * @param archive The archive.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Archive_OpenSnapFiles( OTF2_Archive* archive );

/**
 * The counterpart of #OTF2_Archive_OpenSnapFiles. Does not close readers or writers.
 *
 * @param archive The archive.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Archive_CloseSnapFiles( OTF2_Archive* archive );

/**
 * Announces that the files of a location will be read. Call it for all such locations before
 * #OTF2_Archive_OpenDefFiles and #OTF2_Archive_OpenEvtFiles. With #OTF2_SUBSTRATE_POSIX this is not
 * required.
 *
 * @param archive The archive.
 * @param location The location.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_CALL if the archive is not open for reading.
 * @since 1.3
 */
OTF2_ErrorCode
OTF2_Archive_SelectLocation( OTF2_Archive* archive,
                             OTF2_LocationRef location );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_ARCHIVE_H */
