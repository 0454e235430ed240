/*
 * A process that writes or reads an archive has children, which have copies of all objects.
 *
 *     processes exit|_exit|read
 *
 * Archives are made in the current folder; the exit status reports a failure.
 */
#include "common.h"

#include <sys/wait.h>
#include <unistd.h>

enum { PAIRS = 60000 };

static int ends_at_once;

static void
end_child( void )
{
    if ( ends_at_once )
    {
        _exit( 0 );
    }
    exit( 0 );
}

static void
await( pid_t child )
{
    int status;
    EXPECT( waitpid( child, &status, 0 ) == child && status == 0 );
}

/* A child that goes on writing for a while, as a program that does not know of the archive's owner,
 * and ends. */
static void
fork_writer( OTF2_EvtWriter* writer, OTF2_LocationRef location, uint64_t from )
{
    pid_t child = fork();
    EXPECT( child >= 0 );
    if ( child == 0 )
    {
        if ( writer )
        {
            write_pairs( writer, location, from, from + 100 );
        }
        end_child();
    }
    await( child );
}

static uint64_t seen, last_time;

static OTF2_CallbackCode
expect_next( OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void* data,
             OTF2_AttributeList* attributes, OTF2_RegionRef region )
{
    ( void )attributes;
    seen++;
    EXPECT( position == seen && time == 10 * ( seen - 1 ) + location && region == location );
    return data && seen == PAIRS ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
expect_later( OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList* attributes,
              OTF2_RegionRef region )
{
    ( void )data, ( void )attributes;
    seen++;
    EXPECT( region == location && time == last_time );
    last_time += location ? 9 : 1;
    return seen == PAIRS ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static OTF2_EvtReader*
reader_of( OTF2_Reader* reader, OTF2_LocationRef location, void* interrupts )
{
    OTF2_EvtReader*          events    = OTF2_Reader_GetEvtReader( reader, location );
    OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
    EXPECT( OTF2_EvtReaderCallbacks_SetEnterCallback( callbacks, expect_next ) == OTF2_SUCCESS );
    EXPECT( OTF2_EvtReaderCallbacks_SetLeaveCallback( callbacks, expect_next ) == OTF2_SUCCESS );
    EXPECT( OTF2_Reader_RegisterEvtCallbacks( reader, events, callbacks, interrupts ) == OTF2_SUCCESS );
    OTF2_EvtReaderCallbacks_Delete( callbacks );
    seen = 0;
    return events;
}

/* Writes an archive of two locations, with a child before each step. */
static void
write_archive( void )
{
    OTF2_Archive* archive = open_archive( "traces" );
    fork_writer( NULL, 0, 0 );
    EXPECT( OTF2_Archive_SetSerialCollectiveCallbacks( archive ) == OTF2_SUCCESS );
    fork_writer( OTF2_Archive_GetEvtWriter( archive, 7 ), 7, 0 );
    for ( OTF2_LocationRef location = 0; location < 2; location++ )
    {
        OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter( archive, location );
        fork_writer( writer, location, 0 );
        write_pairs( writer, location, 0, PAIRS / 2 );
        fork_writer( writer, location, PAIRS / 2 );
        write_pairs( writer, location, PAIRS / 2, PAIRS );
        EXPECT( OTF2_Archive_CloseEvtWriter( archive, writer ) == OTF2_SUCCESS );
    }
    fork_writer( NULL, 0, 0 );
    OTF2_GlobalDefWriter* definitions = OTF2_Archive_GetGlobalDefWriter( archive );
    EXPECT( OTF2_GlobalDefWriter_WriteString( definitions, 0, "" ) == OTF2_SUCCESS );
    fork_writer( NULL, 0, 0 );
    EXPECT( OTF2_Archive_Close( archive ) == OTF2_SUCCESS );
}

static void
expect_own_events( void )
{
    uint64_t     number;
    OTF2_Reader* reader = OTF2_Reader_Open( "traces/traces.otf2" );
    EXPECT( OTF2_Reader_GetNumberOfGlobalDefinitions( reader, &number ) == OTF2_SUCCESS && number == 1 );
    for ( OTF2_LocationRef location = 0; location < 2; location++ )
    {
        OTF2_EvtReader* events = reader_of( reader, location, NULL );
        EXPECT( OTF2_Reader_ReadAllLocalEvents( reader, events, &number ) == OTF2_SUCCESS && number == 2 * PAIRS );
    }
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );
}

/* Parent and child both read the second half. */
static void
read_in_both( void )
{
    uint64_t     number;
    OTF2_Reader* reader = OTF2_Reader_Open( "traces/traces.otf2" );
    EXPECT( OTF2_Reader_SetSerialCollectiveCallbacks( reader ) == OTF2_SUCCESS );
    OTF2_EvtReader* events = reader_of( reader, 0, reader );
    EXPECT( OTF2_Reader_ReadAllLocalEvents( reader, events, &number ) == OTF2_ERROR_INTERRUPTED_BY_CALLBACK );
    pid_t child = fork();
    EXPECT( OTF2_Reader_ReadAllLocalEvents( reader, events, &number ) == OTF2_SUCCESS && number == PAIRS );
    if ( child )
    {
        await( child );
    }
    /* The child closes its copies of the objects. */
    EXPECT( OTF2_Reader_CloseEvtReader( reader, events ) == OTF2_SUCCESS );
    if ( child == 0 )
    {
        EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );
        end_child();
    }
    for ( OTF2_LocationRef location = 0; location < 2; location++ )
    {
        EXPECT( OTF2_Reader_GetEvtReader( reader, location ) != NULL );
    }
    OTF2_GlobalEvtReader*          all       = OTF2_Reader_GetGlobalEvtReader( reader );
    OTF2_GlobalEvtReaderCallbacks* callbacks = OTF2_GlobalEvtReaderCallbacks_New();
    EXPECT( OTF2_GlobalEvtReaderCallbacks_SetEnterCallback( callbacks, expect_later ) == OTF2_SUCCESS );
    EXPECT( OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback( callbacks, expect_later ) == OTF2_SUCCESS );
    EXPECT( OTF2_Reader_RegisterGlobalEvtCallbacks( reader, all, callbacks, NULL ) == OTF2_SUCCESS );
    OTF2_GlobalEvtReaderCallbacks_Delete( callbacks );
    seen = 0;
    EXPECT( OTF2_Reader_ReadAllGlobalEvents( reader, all, &number ) == OTF2_ERROR_INTERRUPTED_BY_CALLBACK );
    child = fork();
    EXPECT( OTF2_Reader_ReadAllGlobalEvents( reader, all, &number ) == OTF2_SUCCESS && number == 3 * PAIRS );
    if ( child )
    {
        await( child );
    }
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );
    if ( child == 0 )
    {
        end_child();
    }
}

int
main( int argc, char** argv )
{
    if ( argc != 2 )
    {
        fprintf( stderr, "usage: processes exit|_exit|read\n" );
        return 2;
    }
    ends_at_once = strcmp( argv[ 1 ], "exit" ) != 0;
    write_archive();
    expect_own_events();
    if ( !strcmp( argv[ 1 ], "read" ) )
    {
        read_in_both();
    }
    return 0;
}
