/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_PTHREAD_LOCKS_H
#define OTF2_PTHREAD_LOCKS_H

/**
 * @file
 * Locks for programs with POSIX threads that share an archive or a reader: mutexes.
 *
 * The functions are part of the program that includes this header, which is compiled with
 * `-pthread`. A source file cannot include OTF2_OpenMP_Locks.h, too.
 */

#include <stddef.h>
#include <stdlib.h>
#include <otf2/otf2.h>
#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A lock of these callbacks. */
struct OTF2_LockObject
{
    pthread_mutex_t mutex;
};

/* The pointer that is passed to the callbacks is the attribute, or NULL. */

static inline OTF2_CallbackCode
otf2_pthread_result( int error )
{
    return error == 0 ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}

static inline OTF2_CallbackCode
otf2_pthread_create( void* attribute,
                     OTF2_Lock* lock )
{
    OTF2_Lock made = ( OTF2_Lock )malloc( sizeof( struct OTF2_LockObject ) );
    if ( made != NULL && pthread_mutex_init( &made->mutex, ( const pthread_mutexattr_t* )attribute ) != 0 )
    {
        free( made );
        made = NULL;
    }
    *lock = made;
    return otf2_pthread_result( made == NULL );
}

static inline OTF2_CallbackCode
otf2_pthread_destroy( void* attribute,
                      OTF2_Lock lock )
{
    int error = pthread_mutex_destroy( &lock->mutex );
    ( void )attribute;
    free( lock );
    return otf2_pthread_result( error );
}

static inline OTF2_CallbackCode
otf2_pthread_lock( void* attribute,
                   OTF2_Lock lock )
{
    ( void )attribute;
    return otf2_pthread_result( pthread_mutex_lock( &lock->mutex ) );
}

static inline OTF2_CallbackCode
otf2_pthread_unlock( void* attribute,
                     OTF2_Lock lock )
{
    ( void )attribute;
    return otf2_pthread_result( pthread_mutex_unlock( &lock->mutex ) );
}

static inline void
otf2_pthread_release( void* attribute )
{
    if ( attribute != NULL )
    {
        pthread_mutexattr_destroy( ( pthread_mutexattr_t* )attribute );
    }
}

static inline const OTF2_LockingCallbacks*
otf2_pthread_callbacks( void )
{
    static const OTF2_LockingCallbacks callbacks = { otf2_pthread_release,
                                                     otf2_pthread_create,
                                                     otf2_pthread_destroy,
                                                     otf2_pthread_lock,
                                                     otf2_pthread_unlock };
    return &callbacks;
}

/**
 * Sets mutexes as the locks of an archive, before any other thread uses it. Once.
 *
 * @param archive The archive.
 * @param mutexAttribute The attribute of the mutexes, or NULL for the default. It must exist until
 *     the archive is closed, which destroys it with `pthread_mutexattr_destroy`. If this function
 *     fails, the attribute remains.
 * @return As #OTF2_Archive_SetLockingCallbacks.
 * @since 1.5
 */
static inline OTF2_ErrorCode
OTF2_Pthread_Archive_SetLockingCallbacks( OTF2_Archive* archive,
                                          const pthread_mutexattr_t* mutexAttribute )
{
    return OTF2_Archive_SetLockingCallbacks( archive, otf2_pthread_callbacks(), ( void* )mutexAttribute );
}

/**
 * Sets mutexes as the locks of a reader, before any other thread uses it. Once.
 *
 * @param reader The reader.
 * @param mutexAttribute The attribute of the mutexes, or NULL for the default. It must exist until
 *     the reader is closed, which destroys it with `pthread_mutexattr_destroy`. If this function
 *     fails, the attribute remains.
 * @return As #OTF2_Reader_SetLockingCallbacks.
 * @since 1.5
 */
static inline OTF2_ErrorCode
OTF2_Pthread_Reader_SetLockingCallbacks( OTF2_Reader* reader,
                                         const pthread_mutexattr_t* mutexAttribute )
{
    return OTF2_Reader_SetLockingCallbacks( reader, otf2_pthread_callbacks(), ( void* )mutexAttribute );
}

#ifdef __cplusplus
}
#endif

#endif /* OTF2_PTHREAD_LOCKS_H */
