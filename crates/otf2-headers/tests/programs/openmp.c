/* Four threads count with a lock of OTF2_OpenMP_Locks.h. */

#include <assert.h>
#include <stdio.h>
#include <otf2/OTF2_OpenMP_Locks.h>

static const OTF2_LockingCallbacks* callbacks;
static void* data;

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

int
main( void )
{
    OTF2_Lock lock;
    int count = 0;
    int i;

    assert( OTF2_OpenMP_Archive_SetLockingCallbacks( ( OTF2_Archive* )&count ) == OTF2_SUCCESS );
    assert( OTF2_OpenMP_Reader_SetLockingCallbacks( NULL ) == OTF2_ERROR_INVALID_ARGUMENT );
    assert( callbacks->otf2_release == NULL );
    assert( callbacks->otf2_create( data, &lock ) == OTF2_CALLBACK_SUCCESS );
    #pragma omp parallel for num_threads( 4 )
    for ( i = 0; i < 400000; i++ )
    {
        callbacks->otf2_lock( data, lock );
        count++;
        callbacks->otf2_unlock( data, lock );
    }
    assert( callbacks->otf2_destroy( data, lock ) == OTF2_CALLBACK_SUCCESS );
    printf( "%d\n", count );
    return 0;
}
