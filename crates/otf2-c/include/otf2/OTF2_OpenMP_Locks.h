/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_OPENMP_LOCKS_H
#define OTF2_OPENMP_LOCKS_H

/**
 * @file
 * Locks for programs with OpenMP whose threads share an archive or a reader.
 *
 * The functions are part of the program that includes this header, which is compiled with
 * `-fopenmp`. A source file cannot include OTF2_Pthread_Locks.h, too.
 */

#include <stddef.h>
#include <stdlib.h>
#include <otf2/otf2.h>
#include <omp.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A lock of these callbacks. */
struct OTF2_LockObject
{
    omp_lock_t lock;
};

static inline OTF2_CallbackCode
otf2_openmp_create( void* userData,
                    OTF2_Lock* lock )
{
    ( void )userData;
    *lock = ( OTF2_Lock )malloc( sizeof( struct OTF2_LockObject ) );
    if ( *lock == NULL )
    {
        return OTF2_CALLBACK_ERROR;
    }
    omp_init_lock( &( *lock )->lock );
    return OTF2_CALLBACK_SUCCESS;
}

static inline OTF2_CallbackCode
otf2_openmp_destroy( void* userData,
                     OTF2_Lock lock )
{
    ( void )userData;
    omp_destroy_lock( &lock->lock );
    free( lock );
    return OTF2_CALLBACK_SUCCESS;
}

static inline OTF2_CallbackCode
otf2_openmp_lock( void* userData,
                  OTF2_Lock lock )
{
    ( void )userData;
    omp_set_lock( &lock->lock );
    return OTF2_CALLBACK_SUCCESS;
}

static inline OTF2_CallbackCode
otf2_openmp_unlock( void* userData,
                    OTF2_Lock lock )
{
    ( void )userData;
    omp_unset_lock( &lock->lock );
    return OTF2_CALLBACK_SUCCESS;
}

static inline const OTF2_LockingCallbacks*
otf2_openmp_callbacks( void )
{
    static const OTF2_LockingCallbacks callbacks = { NULL,
                                                     otf2_openmp_create,
                                                     otf2_openmp_destroy,
                                                     otf2_openmp_lock,
                                                     otf2_openmp_unlock };
    return &callbacks;
}

/**
 * Sets locks of OpenMP as the locks of an archive, before any other thread uses it. Once.
 *
 * @param archive The archive.
 * @return As #OTF2_Archive_SetLockingCallbacks.
 * @since 1.5
 */
static inline OTF2_ErrorCode
OTF2_OpenMP_Archive_SetLockingCallbacks( OTF2_Archive* archive )
{
    return OTF2_Archive_SetLockingCallbacks( archive, otf2_openmp_callbacks(), NULL );
}

/**
 * Sets locks of OpenMP as the locks of a reader, before any other thread uses it. Once.
 *
 * @param reader The reader.
 * @return As #OTF2_Reader_SetLockingCallbacks.
 * @since 1.5
 */
static inline OTF2_ErrorCode
OTF2_OpenMP_Reader_SetLockingCallbacks( OTF2_Reader* reader )
{
    return OTF2_Reader_SetLockingCallbacks( reader, otf2_openmp_callbacks(), NULL );
}

#ifdef __cplusplus
}
#endif

#endif /* OTF2_OPENMP_LOCKS_H */
