/*
 * Calls functions of the library with arguments that no program should pass.
 *
 *     hostile sequence SEED CALLS   calls in one process; the same objects are used again and again
 *     hostile each SEED CALLS       each call in a process of its own, with an archive that is
 *                                   written and one that is read; prints the answers of the calls
 *
 * Archives are made in the current folder. The calls are in `functions.h`, which the test generates
 * from the headers.
 */
#include <otf2/otf2.h>
#include <otf2/OTF2_EventSizeEstimator.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/random.h"
#include "functions.h"

enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void
delete_object( unsigned kind, void* pointer )
{
    switch ( kind )
    {
        case OF_Archive:
            if ( OTF2_Archive_Close( pointer ) != OTF2_SUCCESS )
            {
                OTF2_Archive_SetSerialCollectiveCallbacks( pointer );
                OTF2_Archive_Close( pointer );
            }
            break;
        case OF_Reader:
            OTF2_Reader_Close( pointer );
            break;
        case OF_AttributeList:
            OTF2_AttributeList_Delete( pointer );
            break;
        case OF_IdMap:
            OTF2_IdMap_Free( pointer );
            break;
        case OF_EventSizeEstimator:
            OTF2_EventSizeEstimator_Delete( pointer );
            break;
        case OF_EvtReaderCallbacks:
            OTF2_EvtReaderCallbacks_Delete( pointer );
            break;
        case OF_GlobalEvtReaderCallbacks:
            OTF2_GlobalEvtReaderCallbacks_Delete( pointer );
            break;
        case OF_DefReaderCallbacks:
            OTF2_DefReaderCallbacks_Delete( pointer );
            break;
        case OF_GlobalDefReaderCallbacks:
            OTF2_GlobalDefReaderCallbacks_Delete( pointer );
            break;
        case OF_SnapReaderCallbacks:
            OTF2_SnapReaderCallbacks_Delete( pointer );
            break;
        case OF_GlobalSnapReaderCallbacks:
            OTF2_GlobalSnapReaderCallbacks_Delete( pointer );
            break;
        case OF_MarkerReaderCallbacks:
            OTF2_MarkerReaderCallbacks_Delete( pointer );
            break;
    }
}

static void
delete_all( void )
{
    for ( unsigned kind = 0; kind < KINDS; kind++ )
    {
        while ( number_of_objects[ kind ] )
        {
            Object object = objects[ kind ][ 0 ];
            forget( object.pointer );
            if ( !object.owner )
            {
                delete_object( kind, object.pointer );
            }
        }
    }
    begin();
}

/* An archive that is written and one that is read, with all their objects. */

static const OTF2_FlushCallbacks flush = { pre_flush, post_flush };

static OTF2_Archive*
open_archive( const char* path )
{
    is_calm = 1;
    OTF2_Archive* archive = OTF2_Archive_Open( path, "traces", OTF2_FILEMODE_WRITE, 262144, 262144,
                                               OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE );
    OTF2_Archive_SetFlushCallbacks( archive, &flush, NULL );
    OTF2_Archive_SetSerialCollectiveCallbacks( archive );
    for ( OTF2_LocationRef of = 0; of < 3; of++ )
    {
        OTF2_EvtWriter* events = OTF2_Archive_GetEvtWriter( archive, of );
        OTF2_EvtWriter_Enter( events, NULL, 1, 1 );
        OTF2_EvtWriter_Leave( events, NULL, 2, 1 );
        OTF2_DefWriter* definitions = OTF2_Archive_GetDefWriter( archive, of );
        OTF2_DefWriter_WriteString( definitions, 0, "" );
        OTF2_SnapWriter* snapshots = OTF2_Archive_GetSnapWriter( archive, of );
        OTF2_SnapWriter_SnapshotStart( snapshots, NULL, 1, 1 );
        remember( OF_EvtWriter, events, archive );
        remember( OF_DefWriter, definitions, archive );
        remember( OF_SnapWriter, snapshots, archive );
    }
    uint64_t          region    = 1;
    OTF2_ThumbWriter* thumbnail = OTF2_Archive_GetThumbWriter( archive, "", "", OTF2_THUMBNAIL_TYPE_REGION, 1, 1,
                                                               &region );
    OTF2_MarkerWriter* markers = OTF2_Archive_GetMarkerWriter( archive );
    OTF2_MarkerWriter_WriteDefMarker( markers, 0, "", "", OTF2_SEVERITY_NONE );
    OTF2_GlobalDefWriter* definitions = OTF2_Archive_GetGlobalDefWriter( archive );
    OTF2_GlobalDefWriter_WriteString( definitions, 0, "" );
    OTF2_ThumbWriter_WriteSample( thumbnail, 1, 1, &region );
    remember( OF_ThumbWriter, thumbnail, archive );
    remember( OF_MarkerWriter, markers, archive );
    remember( OF_GlobalDefWriter, definitions, archive );
    remember( OF_Archive, archive, NULL );
    is_calm = 0;
    return archive;
}

static void
make_archive_to_read( void )
{
    OTF2_Archive* archive = open_archive( "read" );
    is_calm = 1;
    OTF2_Archive_Close( archive );
    is_calm = 0;
    forget( archive );
}

static void
open_reader( const char* path )
{
    OTF2_Reader* reader = OTF2_Reader_Open( path );
    OTF2_Reader_SetSerialCollectiveCallbacks( reader );
    remember( OF_Reader, reader, NULL );
    for ( OTF2_LocationRef of = 0; of < 3; of++ )
    {
        remember( OF_EvtReader, OTF2_Reader_GetEvtReader( reader, of ), reader );
        remember( OF_DefReader, OTF2_Reader_GetDefReader( reader, of ), reader );
        remember( OF_SnapReader, OTF2_Reader_GetSnapReader( reader, of ), reader );
    }
    remember( OF_MarkerReader, OTF2_Reader_GetMarkerReader( reader ), reader );
    remember( OF_GlobalDefReader, OTF2_Reader_GetGlobalDefReader( reader ), reader );
}

static void
make_others( void )
{
    remember( OF_AttributeList, OTF2_AttributeList_New(), NULL );
    remember( OF_IdMap, OTF2_IdMap_Create( OTF2_ID_MAP_DENSE, 1 ), NULL );
    remember( OF_IdMap, OTF2_IdMap_Create( OTF2_ID_MAP_SPARSE, 1 ), NULL );
    remember( OF_EventSizeEstimator, OTF2_EventSizeEstimator_New(), NULL );
    remember( OF_EvtReaderCallbacks, OTF2_EvtReaderCallbacks_New(), NULL );
    remember( OF_GlobalEvtReaderCallbacks, OTF2_GlobalEvtReaderCallbacks_New(), NULL );
    remember( OF_DefReaderCallbacks, OTF2_DefReaderCallbacks_New(), NULL );
    remember( OF_GlobalDefReaderCallbacks, OTF2_GlobalDefReaderCallbacks_New(), NULL );
    remember( OF_SnapReaderCallbacks, OTF2_SnapReaderCallbacks_New(), NULL );
    remember( OF_GlobalSnapReaderCallbacks, OTF2_GlobalSnapReaderCallbacks_New(), NULL );
    remember( OF_MarkerReaderCallbacks, OTF2_MarkerReaderCallbacks_New(), NULL );
}

/* Most functions set callbacks or convert values; they are called less often. */
static int
is_simple( const char* name )
{
    static const char* const parts[] = { "Callbacks_Set", "AttributeValue", "EventSizeEstimator", "AttributeList_" };
    for ( unsigned i = 0; i < sizeof parts / sizeof *parts; i++ )
    {
        if ( strstr( name, parts[ i ] ) )
        {
            return 1;
        }
    }
    return 0;
}

static int
makes_object( const char* name )
{
    return strstr( name, "_Open" ) || strstr( name, "Reader_Get" ) || strstr( name, "Archive_Get" )
           || strstr( name, "_Set" ) || strstr( name, "_New" ) || strstr( name, "Read" );
}

static const Function*
any_function( void )
{
    const Function* function = &functions[ below( FUNCTIONS ) ];
    while ( is_simple( function->name ) ? !once_in( 10 ) : makes_object( function->name ) ? 0 : once_in( 2 ) )
    {
        function = &functions[ below( FUNCTIONS ) ];
    }
    return function;
}

/* Makes an archive, or opens one, if there is none; the calls close them sooner or later. */
static void
make_objects( void )
{
    static unsigned archives;
    if ( archives == 0 || number_of_objects[ OF_Archive ] == 0 )
    {
        char path[ 40 ];
        snprintf( path, sizeof path, "archive%u", archives++ );
        open_archive( path );
    }
    if ( number_of_objects[ OF_Reader ] < 2 )
    {
        open_reader( "read/traces.otf2" );
    }
    make_others();
}

static void
call_in_sequence( uint64_t calls )
{
    make_archive_to_read();
    while ( calls-- )
    {
        if ( once_in( 30 ) )
        {
            make_objects();
        }
        const Function* function = any_function();
        uint64_t        before   = state;
        /* The last line says where a crash was. */
        printf( "%s", function->name );
        fflush( stdout );
        printf( " = %lld, %llx\n", function->call(), (unsigned long long)before );
    }
    delete_all();
    printf( "done\n" );
}

static void
call_each( uint64_t calls )
{
    uint64_t seed = state;
    make_archive_to_read();
    open_archive( "written" );
    open_reader( "read/traces.otf2" );
    make_others();
    for ( uint64_t call = 0; call < calls; call++ )
    {
        int status;
        state = seed + call;
        now   = 10;
        const Function* function = any_function();
        printf( "%s ", function->name );
        fflush( stdout );
        pid_t child = fork();
        if ( child == 0 )
        {
            alarm( 120 );
            long long answer = function->call();
            printf( "%lld\n", answer );
            fflush( stdout );
            _exit( 0 );
        }
        if ( waitpid( child, &status, 0 ) != child || status != 0 )
        {
            printf( "ended with status %d\n", status );
        }
    }
}

int
main( int argc, char** argv )
{
    if ( argc != 4 )
    {
        fprintf( stderr, "usage: hostile sequence|each SEED CALLS\n" );
        return 2;
    }
    state         = strtoull( argv[ 2 ], NULL, 10 ) * 7919;
    changes_codes = once_in( 8 );
    OTF2_Error_RegisterCallback( on_error, NULL );
    uint64_t calls = strtoull( argv[ 3 ], NULL, 10 );
    if ( !strcmp( argv[ 1 ], "each" ) )
    {
        changes_codes = 0;
        call_each( calls );
    }
    else
    {
        call_in_sequence( calls );
    }
    return 0;
}
