/* Four threads count with a lock of OTF2_Pthread_Locks.h. */

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include <assert.h>
#include <stdio.h>
#include <otf2/OTF2_Pthread_Locks.h>

static const OTF2_LockingCallbacks* callbacks;
static void* data;
static OTF2_Lock lock;
static int count;

OTF2_ErrorCode
OTF2_Archive_SetLockingCallbacks( OTF2_Archive* archive,
                                  const OTF2_LockingCallbacks* lockingCallbacks,
                                  void* lockingData )
{
    callbacks = lockingCallbacks;
    data = lockingData;
    return archive ? OTF2_SUCCESS : OTF2_ERROR_INVALID_ARGUMENT;
}

OTF2_ErrorCode
OTF2_Reader_SetLockingCallbacks( OTF2_Reader* reader,
                                 const OTF2_LockingCallbacks* lockingCallbacks,
                                 void* lockingData )
{
    assert( lockingCallbacks == callbacks && lockingData == NULL );
    return reader ? OTF2_SUCCESS : OTF2_ERROR_INVALID_ARGUMENT;
}

static void*
work( void* unused )
{
    int i;
    for ( i = 0; i < 100000; i++ )
    {
        assert( callbacks->otf2_lock( data, lock ) == OTF2_CALLBACK_SUCCESS );
        count++;
        assert( callbacks->otf2_unlock( data, lock ) == OTF2_CALLBACK_SUCCESS );
    }
    return unused;
}

int
main( void )
{
    pthread_mutexattr_t attribute;
    pthread_t threads[ 4 ];
    OTF2_Archive* archive = ( OTF2_Archive* )&count;
    int i;

    /* A lock of this kind reports errors, which must be passed on. */
    assert( pthread_mutexattr_init( &attribute ) == 0 );
    assert( pthread_mutexattr_settype( &attribute, PTHREAD_MUTEX_ERRORCHECK ) == 0 );
    assert( OTF2_Pthread_Archive_SetLockingCallbacks( NULL, &attribute ) == OTF2_ERROR_INVALID_ARGUMENT );
    assert( OTF2_Pthread_Archive_SetLockingCallbacks( archive, &attribute ) == OTF2_SUCCESS );
    assert( OTF2_Pthread_Reader_SetLockingCallbacks( NULL, NULL ) == OTF2_ERROR_INVALID_ARGUMENT );

    assert( callbacks->otf2_create( data, &lock ) == OTF2_CALLBACK_SUCCESS );
    assert( callbacks->otf2_unlock( data, lock ) == OTF2_CALLBACK_ERROR );
    for ( i = 0; i < 4; i++ )
    {
        assert( pthread_create( &threads[ i ], NULL, work, NULL ) == 0 );
    }
    for ( i = 0; i < 4; i++ )
    {
        assert( pthread_join( threads[ i ], NULL ) == 0 );
    }
    assert( callbacks->otf2_destroy( data, lock ) == OTF2_CALLBACK_SUCCESS );
    callbacks->otf2_release( data );
    callbacks->otf2_release( NULL );
    printf( "%d\n", count );
    return 0;
}
