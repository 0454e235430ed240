/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_CALLBACKS_H
#define OTF2_CALLBACKS_H

/**
 * @file
 * Callbacks with which a program controls an archive: flushing, memory, communication, locks.
 *
 * The tables of callbacks belong to the program. The library keeps their addresses, so that they
 * must exist until the archive or reader is closed. Each function that sets callbacks also receives
 * a pointer, which is passed to all of them as `userData`.
 */

#include <stdint.h>
#include <stdio.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @name Flushing
 *
 * Each writer has a buffer. A buffer is flushed when it receives no more memory, and for the last
 * time when its writer is closed.
 *
 * @{
 */

/**
 * Type of the callback that decides what happens to a buffer before it is flushed.
 *
 * @param userData The pointer that was passed to #OTF2_Archive_SetFlushCallbacks.
 * @param fileType The kind of the file.
 * @param location The location of the writer, the number of the thumbnail, or
 *     #OTF2_UNDEFINED_LOCATION for files that belong to no location. It is also undefined for a
 *     writer of events without a location: to write its buffer, the callback must call
 *     #OTF2_EvtWriter_SetLocationID.
 * @param callerData The writer, or NULL for the anchor file.
 * @param final Whether the writer is being closed.
 * @return #OTF2_FLUSH to write the buffer, #OTF2_NO_FLUSH to drop it. In the middle of a trace a
 *     buffer that is not written stays full, and the functions that write records fail.
 */
typedef OTF2_FlushType
( * OTF2_PreFlushCallback )( void* userData,
                             OTF2_FileType fileType,
                             OTF2_LocationRef location,
                             void* callerData,
                             bool final );

/**
 * Type of the callback that is called after a buffer of events was flushed in the middle of a
 * trace. It is not called when a writer is closed, and not for other kinds of files.
 *
 * @param userData The pointer that was passed to #OTF2_Archive_SetFlushCallbacks.
 * @param fileType #OTF2_FILETYPE_EVENTS.
 * @param location The location of the writer.
 * @return The current time: the end of the BufferFlush event that is written.
 */
typedef OTF2_TimeStamp
( * OTF2_PostFlushCallback )( void* userData,
                              OTF2_FileType fileType,
                              OTF2_LocationRef location );

/** The callbacks for #OTF2_Archive_SetFlushCallbacks. */
typedef struct OTF2_FlushCallbacks
{
    /** Before a flush. If it is NULL, events are dropped and everything else is written. */
    OTF2_PreFlushCallback otf2_pre_flush;
    /** After a flush. If it is NULL, no BufferFlush event is written. */
    OTF2_PostFlushCallback otf2_post_flush;
} OTF2_FlushCallbacks;

/**
 * @}
 * @name Memory
 *
 * The callbacks may be called by all threads that write, without the lock of
 * #OTF2_LockingCallbacks.
 *
 * @{
 */

/**
 * Type of the callback that provides the next chunk of a buffer.
 *
 * @param userData The pointer that was passed to #OTF2_Archive_SetMemoryCallbacks.
 * @param fileType The kind of the file.
 * @param location The location of the writer, or #OTF2_UNDEFINED_LOCATION.
 * @param perBufferData A pointer that the callback may set. The library keeps it for this buffer;
 *     it is NULL at first.
 * @param chunkSize The size of the chunk in bytes.
 * @return The chunk, aligned for any type, or NULL to have the buffer flushed.
 */
typedef void*
( * OTF2_MemoryAllocate )( void* userData,
                           OTF2_FileType fileType,
                           OTF2_LocationRef location,
                           void** perBufferData,
                           uint64_t chunkSize );

/**
 * Type of the callback that releases all chunks of a buffer in one step.
 *
 * @param userData The pointer that was passed to #OTF2_Archive_SetMemoryCallbacks.
 * @param fileType The kind of the file.
 * @param location The location of the writer, or #OTF2_UNDEFINED_LOCATION.
 * @param perBufferData The pointer of this buffer.
 * @param final Whether the buffer is not used any more, so that the data of its pointer must be
 *     released, too. There may be a call without chunks.
 */
typedef void
( * OTF2_MemoryFreeAll )( void* userData,
                          OTF2_FileType fileType,
                          OTF2_LocationRef location,
                          void** perBufferData,
                          bool final );

/** The callbacks for #OTF2_Archive_SetMemoryCallbacks, both required. */
typedef struct OTF2_MemoryCallbacks
{
    /** Provides a chunk. */
    OTF2_MemoryAllocate otf2_allocate;
    /** Releases all chunks of a buffer. */
    OTF2_MemoryFreeAll otf2_free_all;
} OTF2_MemoryCallbacks;

/**
 * @}
 * @name Communication
 *
 * The processes that write or read an archive together have one handle each. The callbacks are
 * collective operations of these processes, as those of MPI with the same names. All processes must
 * receive the same result, except from the callbacks for size and rank. Data consists of elements
 * of the integer and floating-point types of #OTF2_Type.
 *
 * #OTF2_Archive_SetSerialCollectiveCallbacks serves a single process, OTF2_MPI_Collectives.h
 * programs with MPI.
 *
 * @{
 */

/** A group of processes. The program declares the structure. */
typedef struct OTF2_CollectiveContext OTF2_CollectiveContext;

/** The rank that writes the anchor file and the global definitions. */
#define OTF2_COLLECTIVES_ROOT 0

/**
 * Type of the callback that returns the number of processes.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param commContext The group.
 * @param size Receives the number.
 * @return #OTF2_CALLBACK_SUCCESS or #OTF2_CALLBACK_ERROR.
 * @since 1.3
 */
typedef OTF2_CallbackCode
( * OTF2_Collectives_GetSize )( void* userData,
                                OTF2_CollectiveContext* commContext,
                                uint32_t* size );

/**
 * Type of the callback that returns the rank of this process, 0 to the number of processes - 1.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param commContext The group.
 * @param rank Receives the rank.
 * @return #OTF2_CALLBACK_SUCCESS or #OTF2_CALLBACK_ERROR.
 * @since 1.3
 */
typedef OTF2_CallbackCode
( * OTF2_Collectives_GetRank )( void* userData,
                                OTF2_CollectiveContext* commContext,
                                uint32_t* rank );

/**
 * Type of the callback that divides all processes into groups, as when the archive was written. It
 * is only called for reading, and never with #OTF2_SUBSTRATE_POSIX.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param localCommContext Receives the group of this process.
 * @param globalCommContext All processes.
 * @param globalRank The rank of this process in `globalCommContext`.
 * @param globalSize The number of processes in `globalCommContext`.
 * @param localRank The rank of this process in its group.
 * @param localSize The number of processes in its group.
 * @param fileNumber The number of its group.
 * @param numberOfFiles The number of groups.
 * @return #OTF2_CALLBACK_SUCCESS or #OTF2_CALLBACK_ERROR.
 * @since 1.3
 */
typedef OTF2_CallbackCode
( * OTF2_Collectives_CreateLocalComm )( void* userData,
                                        OTF2_CollectiveContext** localCommContext,
                                        OTF2_CollectiveContext* globalCommContext,
                                        uint32_t globalRank,
                                        uint32_t globalSize,
                                        uint32_t localRank,
                                        uint32_t localSize,
                                        uint32_t fileNumber,
                                        uint32_t numberOfFiles );

/**
 * Type of the callback that releases a group made by #OTF2_Collectives_CreateLocalComm.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param localCommContext The group.
 * @return #OTF2_CALLBACK_SUCCESS or #OTF2_CALLBACK_ERROR.
 * @since 1.3
 */
typedef OTF2_CallbackCode
( * OTF2_Collectives_FreeLocalComm )( void* userData,
                                      OTF2_CollectiveContext* localCommContext );

/**
 * Type of the callback that waits until all processes have called it.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param commContext The group.
 * @return #OTF2_CALLBACK_SUCCESS or #OTF2_CALLBACK_ERROR.
 * @since 1.3
 */
typedef OTF2_CallbackCode
( * OTF2_Collectives_Barrier )( void* userData,
                                OTF2_CollectiveContext* commContext );

/**
 * Type of the callback that copies data of one rank to all others.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param commContext The group.
 * @param data The data of the root; on all other ranks it receives them.
 * @param numberElements The number of elements.
 * @param type The type of the elements.
 * @param root The rank with the data.
 * @return #OTF2_CALLBACK_SUCCESS or #OTF2_CALLBACK_ERROR.
 * @since 1.3
 */
typedef OTF2_CallbackCode
( * OTF2_Collectives_Bcast )( void* userData,
                              OTF2_CollectiveContext* commContext,
                              void* data,
                              uint32_t numberElements,
                              OTF2_Type type,
                              uint32_t root );

/**
 * Type of the callback that collects the same amount of data from each rank.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param commContext The group.
 * @param inData The data of this rank.
 * @param outData On the root, receives the data of all ranks in the order of the ranks.
 * @param numberElements The number of elements per rank.
 * @param type The type of the elements.
 * @param root The rank that collects.
 * @return #OTF2_CALLBACK_SUCCESS or #OTF2_CALLBACK_ERROR.
 * @since 1.3
 */
typedef OTF2_CallbackCode
( * OTF2_Collectives_Gather )( void* userData,
                               OTF2_CollectiveContext* commContext,
                               const void* inData,
                               void* outData,
                               uint32_t numberElements,
                               OTF2_Type type,
                               uint32_t root );

/**
 * Type of the callback that collects different amounts of data from the ranks.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param commContext The group.
 * @param inData The data of this rank.
 * @param inElements The number of elements of this rank.
 * @param outData On the root, receives the data of all ranks in the order of the ranks, without
 *     gaps.
 * @param outElements On the root, the number of elements of each rank.
 * @param type The type of the elements.
 * @param root The rank that collects.
 * @return #OTF2_CALLBACK_SUCCESS or #OTF2_CALLBACK_ERROR.
 * @since 1.3
 */
typedef OTF2_CallbackCode
( * OTF2_Collectives_Gatherv )( void* userData,
                                OTF2_CollectiveContext* commContext,
                                const void* inData,
                                uint32_t inElements,
                                void* outData,
                                const uint32_t* outElements,
                                OTF2_Type type,
                                uint32_t root );

/**
 * Type of the callback that distributes the same amount of data to each rank.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param commContext The group.
 * @param inData On the root, the data for all ranks in the order of the ranks.
 * @param outData Receives the data of this rank.
 * @param numberElements The number of elements per rank.
 * @param type The type of the elements.
 * @param root The rank that distributes.
 * @return #OTF2_CALLBACK_SUCCESS or #OTF2_CALLBACK_ERROR.
 * @since 1.3
 */
typedef OTF2_CallbackCode
( * OTF2_Collectives_Scatter )( void* userData,
                                OTF2_CollectiveContext* commContext,
                                const void* inData,
                                void* outData,
                                uint32_t numberElements,
                                OTF2_Type type,
                                uint32_t root );

/**
 * Type of the callback that distributes different amounts of data to the ranks.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param commContext The group.
 * @param inData On the root, the data for all ranks in the order of the ranks, without gaps.
 * @param inElements On the root, the number of elements for each rank.
 * @param outData Receives the data of this rank.
 * @param outElements The number of elements for this rank.
 * @param type The type of the elements.
 * @param root The rank that distributes.
 * @return #OTF2_CALLBACK_SUCCESS or #OTF2_CALLBACK_ERROR.
 * @since 1.3
 */
typedef OTF2_CallbackCode
( * OTF2_Collectives_Scatterv )( void* userData,
                                 OTF2_CollectiveContext* commContext,
                                 const void* inData,
                                 const uint32_t* inElements,
                                 void* outData,
                                 uint32_t outElements,
                                 OTF2_Type type,
                                 uint32_t root );

/**
 * Type of the callback that releases the data of the callbacks. It is called once, when the archive
 * or reader is closed, after all other collective callbacks.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param globalCommContext All processes.
 * @param localCommContext The group of this process, or NULL.
 * @since 1.3
 */
typedef void
( * OTF2_Collectives_Release )( void* userData,
                                OTF2_CollectiveContext* globalCommContext,
                                OTF2_CollectiveContext* localCommContext );

/**
 * The callbacks for #OTF2_Archive_SetCollectiveCallbacks and #OTF2_Reader_SetCollectiveCallbacks.
 *
 * @since 1.3
 */
typedef struct OTF2_CollectiveCallbacks
{
    /** Releases the data of the callbacks, or NULL. */
    OTF2_Collectives_Release otf2_release;
    /** Returns the number of processes. */
    OTF2_Collectives_GetSize otf2_get_size;
    /** Returns the rank of this process. */
    OTF2_Collectives_GetRank otf2_get_rank;
    /** Divides all processes into groups, or NULL. */
    OTF2_Collectives_CreateLocalComm otf2_create_local_comm;
    /** Releases a group; required if #otf2_create_local_comm is set. */
    OTF2_Collectives_FreeLocalComm otf2_free_local_comm;
    /** Waits for all processes. */
    OTF2_Collectives_Barrier otf2_barrier;
    /** Copies data of one rank to all others. */
    OTF2_Collectives_Bcast otf2_bcast;
    /** Collects the same amount of data from each rank. */
    OTF2_Collectives_Gather otf2_gather;
    /** Collects different amounts of data from the ranks. */
    OTF2_Collectives_Gatherv otf2_gatherv;
    /** Distributes the same amount of data to each rank. */
    OTF2_Collectives_Scatter otf2_scatter;
    /** Distributes different amounts of data to the ranks. */
    OTF2_Collectives_Scatterv otf2_scatterv;
} OTF2_CollectiveCallbacks;

/**
 * @}
 * @name Locks
 *
 * Without these callbacks, only one thread at a time may use an archive with its readers and
 * writers. With them, threads may share the archive; each reader or writer is still used by one
 * thread at a time. The lock is never taken twice by one thread. OTF2_Pthread_Locks.h and
 * OTF2_OpenMP_Locks.h provide such callbacks.
 *
 * A callback that fails lets the called function return #OTF2_ERROR_LOCKING_CALLBACK.
 *
 * @{
 */

/**
 * A lock. The program declares the structure `OTF2_LockObject`.
 *
 * @since 1.5
 */
typedef struct OTF2_LockObject* OTF2_Lock;

/**
 * Type of the callback that makes a lock.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param lock Receives the lock, which is not taken.
 * @return #OTF2_CALLBACK_SUCCESS or #OTF2_CALLBACK_ERROR.
 * @since 1.5
 */
typedef OTF2_CallbackCode
( * OTF2_Locking_Create )( void* userData,
                           OTF2_Lock* lock );

/**
 * Type of the callback that destroys a lock.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param lock The lock, which is not taken.
 * @return #OTF2_CALLBACK_SUCCESS or #OTF2_CALLBACK_ERROR.
 * @since 1.5
 */
typedef OTF2_CallbackCode
( * OTF2_Locking_Destroy )( void* userData,
                            OTF2_Lock lock );

/**
 * Type of the callback that takes a lock. It waits until the lock is free.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param lock The lock.
 * @return #OTF2_CALLBACK_SUCCESS or #OTF2_CALLBACK_ERROR.
 * @since 1.5
 */
typedef OTF2_CallbackCode
( * OTF2_Locking_Lock )( void* userData,
                         OTF2_Lock lock );

/**
 * Type of the callback that releases a lock, called by the thread that has taken it.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param lock The lock.
 * @return #OTF2_CALLBACK_SUCCESS or #OTF2_CALLBACK_ERROR.
 * @since 1.5
 */
typedef OTF2_CallbackCode
( * OTF2_Locking_Unlock )( void* userData,
                           OTF2_Lock lock );

/**
 * Type of the callback that releases the data of the callbacks. It is called once, when the archive
 * or reader is closed, after all locks were destroyed.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @since 1.5
 */
typedef void
( * OTF2_Locking_Release )( void* userData );

/**
 * The callbacks for #OTF2_Archive_SetLockingCallbacks and #OTF2_Reader_SetLockingCallbacks.
 *
 * @since 1.5
 */
typedef struct OTF2_LockingCallbacks
{
    /** Releases the data of the callbacks, or NULL. */
    OTF2_Locking_Release otf2_release;
    /** Makes a lock. */
    OTF2_Locking_Create otf2_create;
    /** Destroys a lock. */
    OTF2_Locking_Destroy otf2_destroy;
    /** Takes a lock. */
    OTF2_Locking_Lock otf2_lock;
    /** Releases a lock. */
    OTF2_Locking_Unlock otf2_unlock;
} OTF2_LockingCallbacks;

/**
 * @}
 * @name Files of SIONlib in OTF2 1.0 to 1.2
 *
 * This library does not support SIONlib and never calls these callbacks. Their types remain so that
 * programs for OTF2 1.x compile. They are not in libotf2 3.x.
 *
 * @{
 */

/**
 * Type of the callback that opened a file of SIONlib.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param fileType The kind of the file.
 * @param location The location, or #OTF2_UNDEFINED_LOCATION.
 * @param fname The name of the file.
 * @param fileMode The mode, as for `fopen`.
 * @param chunkSize The space that this process needs.
 * @param fsblkSize The size of a block of the file system.
 * @param filePtr Receives the stream of this process.
 * @return The number of the file, or -1.
 */
typedef int
( * OTF2_FileSionOpen )( void* userData,
                         OTF2_FileType fileType,
                         OTF2_LocationRef location,
                         const char* fname,
                         const char* fileMode,
                         long long int* chunkSize,
                         int* fsblkSize,
                         FILE** filePtr );

/**
 * Type of the callback that closed a file of SIONlib.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param fileType The kind of the file.
 * @param location The location, or #OTF2_UNDEFINED_LOCATION.
 * @param sid The number of the file.
 * @return 1, or another number on an error.
 */
typedef int
( * OTF2_FileSionClose )( void* userData,
                          OTF2_FileType fileType,
                          OTF2_LocationRef location,
                          int sid );

/**
 * Type of the callback that returned the rank that wrote a location.
 *
 * @param userData The pointer that was passed with the callbacks.
 * @param fileType The kind of the file.
 * @param location The location.
 * @param rank Receives the rank.
 * @return #OTF2_SUCCESS or an error code.
 */
typedef OTF2_ErrorCode
( * OTF2_FileSionGetRank )( void* userData,
                            OTF2_FileType fileType,
                            OTF2_LocationRef location,
                            int32_t* rank );

/** The callbacks for #OTF2_Archive_SetFileSionCallbacks and #OTF2_Reader_SetFileSionCallbacks. */
typedef struct OTF2_FileSionCallbacks
{
    /** Opens a file. */
    OTF2_FileSionOpen otf2_file_sion_open;
    /** Closes a file. */
    OTF2_FileSionClose otf2_file_sion_close;
    /** Returns the rank that wrote a location. */
    OTF2_FileSionGetRank otf2_file_sion_get_rank;
} OTF2_FileSionCallbacks;

/** @} */

#ifdef __cplusplus
}
#endif

#endif /* OTF2_CALLBACKS_H */
