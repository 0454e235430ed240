/*
 * Threads that write and read one archive, each with writers and readers of its own, which they get
 * and close while the others do the same.
 *
 *     threads counted|header
 *
 * The archive has locking callbacks: those of this program, which count, or those of
 * OTF2_Pthread_Locks.h, in a program that was compiled for OpenMP those of OTF2_OpenMP_Locks.h. The
 * archive is made in the current folder; the exit status reports a failure.
 */
#include "common.h"

#include <pthread.h>
#include <stdatomic.h>
/* Both headers declare the lock. */
#ifdef _OPENMP
#include <otf2/OTF2_OpenMP_Locks.h>
#else
#include <otf2/OTF2_Pthread_Locks.h>
#endif

enum { THREADS = 6, LOCATIONS = 20, PAIRS = 2000 };

/* A lock that counts, and that no thread takes twice. */

static pthread_mutex_t  mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int       locks, taken, released, releases;
static _Thread_local int has_lock;

static OTF2_CallbackCode
make_lock( void* data, OTF2_Lock* lock )
{
    EXPECT( data == &mutex );
    *lock = (OTF2_Lock)&mutex;
    locks++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
destroy_lock( void* data, OTF2_Lock lock )
{
    EXPECT( data == &mutex && lock == (OTF2_Lock)&mutex && taken == released );
    locks--;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
take_lock( void* data, OTF2_Lock lock )
{
    EXPECT( data == &mutex && lock == (OTF2_Lock)&mutex && locks == 1 );
    EXPECT( !has_lock );
    EXPECT( pthread_mutex_lock( &mutex ) == 0 );
    has_lock = 1;
    taken++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
release_lock( void* data, OTF2_Lock lock )
{
    EXPECT( data == &mutex && lock == (OTF2_Lock)&mutex );
    EXPECT( has_lock );
    has_lock = 0;
    released++;
    EXPECT( pthread_mutex_unlock( &mutex ) == 0 );
    return OTF2_CALLBACK_SUCCESS;
}

static void
release_locks( void* data )
{
    EXPECT( data == &mutex && locks == 0 );
    releases++;
}

static const OTF2_LockingCallbacks counted = { release_locks, make_lock, destroy_lock, take_lock, release_lock };

static const char*   kind;
static OTF2_Archive* archive;
static OTF2_Reader*  reader;
static atomic_int    next_location;

static OTF2_ErrorCode
set_locks( void )
{
    if ( !strcmp( kind, "header" ) )
    {
#ifdef _OPENMP
        return archive ? OTF2_OpenMP_Archive_SetLockingCallbacks( archive )
               : OTF2_OpenMP_Reader_SetLockingCallbacks( reader );
#else
        return archive ? OTF2_Pthread_Archive_SetLockingCallbacks( archive, NULL )
               : OTF2_Pthread_Reader_SetLockingCallbacks( reader, NULL );
#endif
    }
    return archive ? OTF2_Archive_SetLockingCallbacks( archive, &counted, &mutex )
           : OTF2_Reader_SetLockingCallbacks( reader, &counted, &mutex );
}

static void*
write_locations( void* unused )
{
    for ( OTF2_LocationRef location; ( location = next_location++ ) < LOCATIONS; )
    {
        /* Some writers get their location later. */
        OTF2_EvtWriter* events = OTF2_Archive_GetEvtWriter( archive, location % 3 ? location : OTF2_UNDEFINED_LOCATION );
        EXPECT( OTF2_EvtWriter_SetLocationID( events, location ) == OTF2_SUCCESS );
        EXPECT( OTF2_Archive_GetEvtWriter( archive, location ) == events );
        OTF2_DefWriter* definitions = OTF2_Archive_GetDefWriter( archive, location );
        EXPECT( OTF2_DefWriter_WriteString( definitions, location, "name" ) == OTF2_SUCCESS );
        OTF2_SnapWriter* snapshots = OTF2_Archive_GetSnapWriter( archive, location );
        EXPECT( OTF2_SnapWriter_SnapshotStart( snapshots, NULL, 1, 1 ) == OTF2_SUCCESS );
        write_pairs( events, location, 0, PAIRS );
        EXPECT( OTF2_Archive_SetCreator( archive, "a thread" ) == OTF2_SUCCESS );
        EXPECT( OTF2_Archive_SetProperty( archive, "A::B", "value", true ) == OTF2_SUCCESS );
        if ( location % 2 )
        {
            EXPECT( OTF2_Archive_CloseEvtWriter( archive, events ) == OTF2_SUCCESS );
            EXPECT( OTF2_Archive_CloseDefWriter( archive, definitions ) == OTF2_SUCCESS );
            EXPECT( OTF2_Archive_CloseSnapWriter( archive, snapshots ) == OTF2_SUCCESS );
        }
    }
    return unused;
}

static OTF2_CallbackCode
count_event( OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void* data,
             OTF2_AttributeList* attributes, OTF2_RegionRef region )
{
    ( void )attributes;
    uint64_t* seen = data;
    EXPECT( region == location && position == ++*seen && time == 10 * ( position - 1 ) + location );
    return OTF2_CALLBACK_SUCCESS;
}

static void*
read_locations( void* unused )
{
    for ( OTF2_LocationRef location; ( location = next_location++ ) < LOCATIONS; )
    {
        uint64_t         number = 0, seen = 0;
        OTF2_DefReader* definitions = OTF2_Reader_GetDefReader( reader, location );
        EXPECT( OTF2_Reader_ReadAllLocalDefinitions( reader, definitions, &number ) == OTF2_SUCCESS && number == 1 );
        EXPECT( OTF2_Reader_CloseDefReader( reader, definitions ) == OTF2_SUCCESS );
        OTF2_EvtReader*          events    = OTF2_Reader_GetEvtReader( reader, location );
        OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
        EXPECT( OTF2_EvtReaderCallbacks_SetEnterCallback( callbacks, count_event ) == OTF2_SUCCESS );
        EXPECT( OTF2_EvtReaderCallbacks_SetLeaveCallback( callbacks, count_event ) == OTF2_SUCCESS );
        EXPECT( OTF2_Reader_RegisterEvtCallbacks( reader, events, callbacks, &seen ) == OTF2_SUCCESS );
        OTF2_EvtReaderCallbacks_Delete( callbacks );
        EXPECT( OTF2_Reader_ReadAllLocalEvents( reader, events, &number ) == OTF2_SUCCESS );
        EXPECT( number == 2 * PAIRS && seen == number );
        if ( location % 2 )
        {
            EXPECT( OTF2_Reader_CloseEvtReader( reader, events ) == OTF2_SUCCESS );
        }
    }
    return unused;
}

static void
run( void* ( *work )( void* ) )
{
    pthread_t threads[ THREADS ];
    next_location = 0;
    for ( int i = 0; i < THREADS; i++ )
    {
        EXPECT( pthread_create( &threads[ i ], NULL, work, NULL ) == 0 );
    }
    for ( int i = 0; i < THREADS; i++ )
    {
        EXPECT( pthread_join( threads[ i ], NULL ) == 0 );
    }
}

static void
expect_balance( int archives )
{
    if ( !strcmp( kind, "counted" ) )
    {
        EXPECT( locks == 0 && taken == released && taken > archives * LOCATIONS * 4 && releases == archives );
    }
}

int
main( int argc, char** argv )
{
    if ( argc != 2 )
    {
        fprintf( stderr, "usage: threads counted|header\n" );
        return 2;
    }
    kind    = argv[ 1 ];
    archive = open_archive( "traces" );
    EXPECT( set_locks() == OTF2_SUCCESS );
    EXPECT( OTF2_Archive_SetSerialCollectiveCallbacks( archive ) == OTF2_SUCCESS );
    run( write_locations );
    EXPECT( OTF2_Archive_Close( archive ) == OTF2_SUCCESS );
    expect_balance( 1 );
    archive = NULL;
    reader  = OTF2_Reader_Open( "traces/traces.otf2" );
    EXPECT( set_locks() == OTF2_SUCCESS );
    EXPECT( OTF2_Reader_SetSerialCollectiveCallbacks( reader ) == OTF2_SUCCESS );
    run( read_locations );
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );
    expect_balance( 2 );
    return 0;
}
