/*
 * Writes the events and definitions of the benches with libotf2, as their reference.
 *
 *     libotf2 events CASE default|pool PAIRS FOLDER
 *     libotf2 closing CASE default|pool PAIRS FOLDER
 *     libotf2 definitions REGIONS FOLDER
 *     libotf2 names REGIONS FOLDER
 *     libotf2 version
 *
 * With `default` libotf2 allocates the memory itself; with `pool` it receives 16 MiB that were
 * touched before and are reused after every flush, as Score-P does. Prints nanoseconds of CPU until
 * everything is recorded (without flushes), until it is in the file, and the bytes of the file.
 * `closing` prints nanoseconds of CPU and on the clock after the last event, including the
 * definition of 257 regions. `names` only makes the names that `definitions` defines. The stream is
 * that of `src/stream.rs`.
 */
#include "check.h"
#include "clock.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CHUNK = 1 << 20, DEFINITION_CHUNK = 1 << 18, POOL_CHUNKS = 16, REGIONS = 257 };

static char*    pool;
static unsigned pool_used;
static uint64_t event_time = (uint64_t)1 << 40;
static uint64_t flush_began, flushing;

static uint64_t cpu( void )
{
    return nanoseconds( CLOCK_THREAD_CPUTIME_ID );
}

static uint64_t clock_now( void )
{
    return nanoseconds( CLOCK_MONOTONIC );
}

static OTF2_FlushType pre_flush( void* data, OTF2_FileType type, OTF2_LocationRef location, void* caller, bool final )
{
    flush_began = cpu();
    return OTF2_FLUSH;
}

static OTF2_TimeStamp post_flush( void* data, OTF2_FileType type, OTF2_LocationRef location )
{
    flushing += cpu() - flush_began;
    return event_time;
}

static void* take_chunk( void* data, OTF2_FileType type, OTF2_LocationRef location, void** buffer, uint64_t size )
{
    if ( type != OTF2_FILETYPE_EVENTS )
    {
        return malloc( size );
    }
    return pool_used < POOL_CHUNKS ? pool + CHUNK * (size_t)pool_used++ : NULL;
}

static void free_chunks( void* data, OTF2_FileType type, OTF2_LocationRef location, void** buffer, bool final )
{
    if ( type == OTF2_FILETYPE_EVENTS )
    {
        pool_used = 0;
    }
}

static OTF2_Archive* open_archive( const char* folder, int with_pool )
{
    static const OTF2_FlushCallbacks  flush      = { .otf2_pre_flush = pre_flush };
    static const OTF2_FlushCallbacks  pool_flush = { .otf2_pre_flush = pre_flush, .otf2_post_flush = post_flush };
    static const OTF2_MemoryCallbacks memory     = { .otf2_allocate = take_chunk, .otf2_free_all = free_chunks };
    OTF2_Archive*                     archive    = OTF2_Archive_Open( folder, "traces", OTF2_FILEMODE_WRITE, CHUNK,
                                                                      DEFINITION_CHUNK, OTF2_SUBSTRATE_POSIX,
                                                                      OTF2_COMPRESSION_NONE );
    check( archive ? OTF2_SUCCESS : OTF2_ERROR_INVALID, "open" );
    check( OTF2_Archive_SetFlushCallbacks( archive, with_pool ? &pool_flush : &flush, NULL ), "flush callbacks" );
    if ( with_pool )
    {
        pool = malloc( (size_t)CHUNK * POOL_CHUNKS );
        memset( pool, 1, (size_t)CHUNK * POOL_CHUNKS );
        check( OTF2_Archive_SetMemoryCallbacks( archive, &memory, NULL ), "memory callbacks" );
    }
    check( OTF2_Archive_SetSerialCollectiveCallbacks( archive ), "collective callbacks" );
    return archive;
}

static void print_result( uint64_t recorded, uint64_t total, const char* folder, const char* file )
{
    char        name[ 4096 ];
    struct stat status;
    snprintf( name, sizeof name, "%s/%s", folder, file );
    if ( stat( name, &status ) )
    {
        perror( name );
        exit( 1 );
    }
    printf( "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", recorded, total, (uint64_t)status.st_size );
}

/* The stream of events, as in `src/stream.rs`. */

static inline uint32_t mix( uint64_t number )
{
    return (uint32_t)number * 0x9E3779B1u;
}

static inline void advance( uint64_t event )
{
    event_time += 17 + ( mix( event ) >> 26 );
}

static inline void metric( OTF2_EvtWriter* writer, uint64_t event, int count )
{
    static const OTF2_Type types[ 3 ] = { OTF2_TYPE_UINT64, OTF2_TYPE_UINT64, OTF2_TYPE_UINT64 };
    OTF2_MetricValue       values[ 3 ];
    for ( int i = 0; i < count; i++ )
    {
        values[ i ].unsigned_int = ( (uint64_t)1 << 40 ) + event + i;
    }
    OTF2_EvtWriter_Metric( writer, NULL, event_time, 0, count, types, values );
}

static inline void regions( OTF2_EvtWriter* writer, uint64_t pairs, int metrics )
{
    for ( uint64_t pair = 0; pair < pairs; pair++ )
    {
        OTF2_RegionRef region = mix( pair ) >> 24;
        advance( 2 * pair );
        if ( metrics )
        {
            metric( writer, 2 * pair, metrics );
        }
        OTF2_EvtWriter_Enter( writer, NULL, event_time, region );
        advance( 2 * pair + 1 );
        if ( metrics )
        {
            metric( writer, 2 * pair + 1, metrics );
        }
        OTF2_EvtWriter_Leave( writer, NULL, event_time, region );
    }
}

static void messages( OTF2_EvtWriter* writer, uint64_t pairs )
{
    for ( uint64_t pair = 0; pair < pairs; pair++ )
    {
        advance( 2 * pair );
        OTF2_EvtWriter_MpiSend( writer, NULL, event_time, 1, 0, 7, 8192 );
        advance( 2 * pair + 1 );
        OTF2_EvtWriter_MpiRecv( writer, NULL, event_time, 1, 0, 7, 8192 );
    }
}

static void parameters( OTF2_EvtWriter* writer, uint64_t pairs )
{
    for ( uint64_t pair = 0; pair < pairs; pair++ )
    {
        advance( 2 * pair );
        OTF2_EvtWriter_ParameterUnsignedInt( writer, NULL, event_time, 0, 2 * pair );
        advance( 2 * pair + 1 );
        metric( writer, 2 * pair + 1, 1 );
    }
}

static void record( OTF2_EvtWriter* writer, const char* name, uint64_t pairs )
{
    if ( !strcmp( name, "enter-leave" ) )
    {
        regions( writer, pairs, 0 );
    }
    else if ( !strcmp( name, "metric" ) )
    {
        regions( writer, pairs, 1 );
    }
    else if ( !strcmp( name, "metrics" ) )
    {
        regions( writer, pairs, 3 );
    }
    else if ( !strcmp( name, "messages" ) )
    {
        messages( writer, pairs );
    }
    else if ( !strcmp( name, "parameters" ) )
    {
        parameters( writer, pairs );
    }
    else
    {
        check( OTF2_ERROR_INVALID_ARGUMENT, name );
    }
}

static char ( *make_names( uint32_t count ) )[ 32 ]
{
    char( *names )[ 32 ] = calloc( count, sizeof *names );
    for ( uint32_t i = 0; i < count; i++ )
    {
        snprintf( names[ i ], sizeof *names, "region_%06" PRIu32, i );
    }
    return names;
}

static OTF2_GlobalDefWriter* define( OTF2_Archive* archive, uint32_t count, char ( *names )[ 32 ] )
{
    OTF2_GlobalDefWriter* writer = OTF2_Archive_GetGlobalDefWriter( archive );
    OTF2_GlobalDefWriter_WriteClockProperties( writer, 1000000000, 0, 1, OTF2_UNDEFINED_TIMESTAMP );
    OTF2_GlobalDefWriter_WriteString( writer, 0, "" );
    OTF2_GlobalDefWriter_WriteString( writer, 1, "source.c" );
    for ( uint32_t i = 0; i < count; i++ )
    {
        OTF2_GlobalDefWriter_WriteString( writer, 2 + i, names[ i ] );
    }
    for ( uint32_t i = 0; i < count; i++ )
    {
        OTF2_GlobalDefWriter_WriteRegion( writer, i, 2 + i, 2 + i, 0, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER,
                                          OTF2_REGION_FLAG_NONE, 1, i, i + 9 );
    }
    return writer;
}

static void definitions( uint32_t count, const char* folder )
{
    char( *names )[ 32 ]           = make_names( count );
    OTF2_Archive*         archive  = open_archive( folder, 0 );
    uint64_t              began    = cpu();
    OTF2_GlobalDefWriter* writer   = define( archive, count, names );
    uint64_t              recorded = cpu() - began;
    check( OTF2_Archive_CloseGlobalDefWriter( archive, writer ), "close definition writer" );
    check( OTF2_Archive_Close( archive ), "close" );
    print_result( recorded, cpu() - began, folder, "traces.def" );
}

static void events( const char* name, int with_pool, uint64_t pairs, int closing, const char* folder )
{
    OTF2_Archive* archive = open_archive( folder, with_pool );
    check( OTF2_Archive_OpenEvtFiles( archive ), "open event files" );
    char( *names )[ 32 ]   = make_names( REGIONS );
    OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter( archive, 0 );
    uint64_t        began  = cpu();
    record( writer, name, pairs );
    uint64_t end = cpu(), end_on_clock = clock_now(), recorded = end - began - flushing;
    check( OTF2_Archive_CloseEvtWriter( archive, writer ), "close event writer" );
    check( OTF2_Archive_CloseEvtFiles( archive ), "close event files" );
    if ( closing )
    {
        check( OTF2_Archive_CloseGlobalDefWriter( archive, define( archive, REGIONS, names ) ), "close definition writer" );
    }
    check( OTF2_Archive_Close( archive ), "close" );
    if ( closing )
    {
        print_result( cpu() - end, clock_now() - end_on_clock, folder, "traces/0.evt" );
        return;
    }
    print_result( recorded, cpu() - began, folder, "traces/0.evt" );
}

int main( int argc, char** argv )
{
    int closing = argc > 1 && !strcmp( argv[ 1 ], "closing" );
    if ( argc == 6 && ( closing || !strcmp( argv[ 1 ], "events" ) ) )
    {
        events( argv[ 2 ], !strcmp( argv[ 3 ], "pool" ), strtoull( argv[ 4 ], NULL, 10 ), closing, argv[ 5 ] );
    }
    else if ( argc == 4 && !strcmp( argv[ 1 ], "definitions" ) )
    {
        definitions( strtoul( argv[ 2 ], NULL, 10 ), argv[ 3 ] );
    }
    else if ( argc == 4 && !strcmp( argv[ 1 ], "names" ) )
    {
        printf( "0 0 %zu\n", strlen( make_names( strtoul( argv[ 2 ], NULL, 10 ) )[ 0 ] ) );
    }
    else if ( argc == 2 && !strcmp( argv[ 1 ], "version" ) )
    {
        printf( "libotf2 " OTF2_VERSION "\n" );
    }
    else
    {
        fprintf( stderr, "usage: libotf2 events|closing CASE default|pool PAIRS FOLDER | definitions|names REGIONS FOLDER | version\n" );
        return 2;
    }
    return 0;
}
