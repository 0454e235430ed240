/*
 * Reads an archive with libotf2, as the reference of the stage `reading`.
 *
 *     libotf2_read local|global|definitions ARCHIVE IGNORED
 *
 * `local` reads location by location, `global` all events in the order of time, `definitions` the
 * global definitions. Prints nanoseconds of CPU for the events, the same including opening and
 * closing, a checksum of the data, and the peak resident memory in KiB.
 */
#include "check.h"
#include "clock.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static OTF2_LocationRef* locations;
static size_t            number_of_locations;
static uint64_t          sum;

static uint64_t cpu( void )
{
    return nanoseconds( CLOCK_PROCESS_CPUTIME_ID );
}

static inline void add( uint64_t location, uint64_t time, uint64_t value )
{
    sum = sum * 31 + ( time ^ ( value << 32 ) ^ location );
}

/* Defines the callbacks of a record with these attributes. VALUE is added to the checksum. */
#define CALLBACKS( NAME, VALUE, ... ) \
    static OTF2_CallbackCode global_ ## NAME( OTF2_LocationRef location, OTF2_TimeStamp time, void* data, \
                                              OTF2_AttributeList* attributes, __VA_ARGS__ ) \
    { \
        add( location, time, VALUE ); \
        return OTF2_CALLBACK_SUCCESS; \
    } \
    static OTF2_CallbackCode local_ ## NAME( OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void* data, \
                                             OTF2_AttributeList* attributes, __VA_ARGS__ ) \
    { \
        add( location, time, VALUE ); \
        return OTF2_CALLBACK_SUCCESS; \
    }
CALLBACKS( enter, region, OTF2_RegionRef region )
CALLBACKS( leave, region, OTF2_RegionRef region )
CALLBACKS( send, length, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t length )
CALLBACKS( receive, length, uint32_t peer, OTF2_CommRef comm, uint32_t tag, uint64_t length )
/* Without these callbacks, libotf2 passes the records as enter and leave. */
CALLBACKS( context_enter, context, OTF2_CallingContextRef context, uint32_t distance )
CALLBACKS( context_leave, context, OTF2_CallingContextRef context )
CALLBACKS( metric, count ? values[ 0 ].unsigned_int : 0, OTF2_MetricRef metric, uint8_t count, const OTF2_Type* types,
           const OTF2_MetricValue* values )

static OTF2_CallbackCode location( void* data, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                                   uint64_t events, OTF2_LocationGroupRef group )
{
    locations                          = realloc( locations, ( number_of_locations + 1 ) * sizeof *locations );
    locations[ number_of_locations++ ] = self;
    return OTF2_CALLBACK_SUCCESS;
}

static void read_definitions( OTF2_Reader* reader )
{
    OTF2_GlobalDefReader*          definitions = OTF2_Reader_GetGlobalDefReader( reader );
    OTF2_GlobalDefReaderCallbacks* callbacks   = OTF2_GlobalDefReaderCallbacks_New();
    uint64_t                       count;
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback( callbacks, location );
    check( OTF2_Reader_RegisterGlobalDefCallbacks( reader, definitions, callbacks, NULL ), "register" );
    OTF2_GlobalDefReaderCallbacks_Delete( callbacks );
    check( OTF2_Reader_ReadAllGlobalDefinitions( reader, definitions, &count ), "definitions" );
}

static OTF2_CallbackCode string( void* data, OTF2_StringRef self, const char* text )
{
    add( self, (uint8_t)text[ 0 ], strlen( text ) );
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode region( void* data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical, OTF2_StringRef description,
                                 OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file,
                                 uint32_t begin, uint32_t end )
{
    add( self, name, begin );
    return OTF2_CALLBACK_SUCCESS;
}

/* Strings and regions are added to the checksum. */
static uint64_t sum_definitions( OTF2_Reader* reader )
{
    OTF2_GlobalDefReader*          definitions = OTF2_Reader_GetGlobalDefReader( reader );
    OTF2_GlobalDefReaderCallbacks* callbacks   = OTF2_GlobalDefReaderCallbacks_New();
    uint64_t                       count, opened = cpu();
    OTF2_GlobalDefReaderCallbacks_SetStringCallback( callbacks, string );
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback( callbacks, region );
    check( OTF2_Reader_RegisterGlobalDefCallbacks( reader, definitions, callbacks, NULL ), "register" );
    OTF2_GlobalDefReaderCallbacks_Delete( callbacks );
    check( OTF2_Reader_ReadAllGlobalDefinitions( reader, definitions, &count ), "definitions" );
    return opened;
}

static void select_locations( OTF2_Reader* reader )
{
    for ( size_t i = 0; i < number_of_locations; i++ )
    {
        check( OTF2_Reader_SelectLocation( reader, locations[ i ] ), "select" );
    }
    check( OTF2_Reader_OpenDefFiles( reader ), "open definitions" );
    check( OTF2_Reader_OpenEvtFiles( reader ), "open events" );
    for ( size_t i = 0; i < number_of_locations; i++ )
    {
        OTF2_DefReader* definitions = OTF2_Reader_GetDefReader( reader, locations[ i ] );
        uint64_t        count;
        check( OTF2_Reader_ReadAllLocalDefinitions( reader, definitions, &count ), "local definitions" );
        check( OTF2_Reader_CloseDefReader( reader, definitions ), "close definitions" );
        OTF2_Reader_GetEvtReader( reader, locations[ i ] );
    }
    check( OTF2_Reader_CloseDefFiles( reader ), "close definitions" );
}

static void read_local( OTF2_Reader* reader )
{
    OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetEnterCallback( callbacks, local_enter );
    OTF2_EvtReaderCallbacks_SetLeaveCallback( callbacks, local_leave );
    OTF2_EvtReaderCallbacks_SetMpiSendCallback( callbacks, local_send );
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback( callbacks, local_receive );
    OTF2_EvtReaderCallbacks_SetMetricCallback( callbacks, local_metric );
    OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback( callbacks, local_context_enter );
    OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback( callbacks, local_context_leave );
    for ( size_t i = 0; i < number_of_locations; i++ )
    {
        OTF2_EvtReader* events = OTF2_Reader_GetEvtReader( reader, locations[ i ] );
        uint64_t        count;
        check( OTF2_Reader_RegisterEvtCallbacks( reader, events, callbacks, NULL ), "register" );
        check( OTF2_Reader_ReadAllLocalEvents( reader, events, &count ), "events" );
        check( OTF2_Reader_CloseEvtReader( reader, events ), "close events" );
    }
    OTF2_EvtReaderCallbacks_Delete( callbacks );
}

static void read_global( OTF2_Reader* reader )
{
    OTF2_GlobalEvtReader*          events    = OTF2_Reader_GetGlobalEvtReader( reader );
    OTF2_GlobalEvtReaderCallbacks* callbacks = OTF2_GlobalEvtReaderCallbacks_New();
    uint64_t                       count;
    OTF2_GlobalEvtReaderCallbacks_SetEnterCallback( callbacks, global_enter );
    OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback( callbacks, global_leave );
    OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback( callbacks, global_send );
    OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback( callbacks, global_receive );
    OTF2_GlobalEvtReaderCallbacks_SetMetricCallback( callbacks, global_metric );
    OTF2_GlobalEvtReaderCallbacks_SetCallingContextEnterCallback( callbacks, global_context_enter );
    OTF2_GlobalEvtReaderCallbacks_SetCallingContextLeaveCallback( callbacks, global_context_leave );
    check( OTF2_Reader_RegisterGlobalEvtCallbacks( reader, events, callbacks, NULL ), "register" );
    OTF2_GlobalEvtReaderCallbacks_Delete( callbacks );
    check( OTF2_Reader_ReadAllGlobalEvents( reader, events, &count ), "events" );
    check( OTF2_Reader_CloseGlobalEvtReader( reader, events ), "close events" );
}

static uint64_t resident( void )
{
    char     line[ 256 ];
    uint64_t peak   = 0;
    FILE*    status = fopen( "/proc/self/status", "r" );
    while ( status && fgets( line, sizeof line, status ) )
    {
        sscanf( line, "VmHWM: %" SCNu64, &peak );
    }
    if ( status )
    {
        fclose( status );
    }
    return peak;
}

int main( int argc, char** argv )
{
    if ( argc < 3 )
    {
        fprintf( stderr, "usage: libotf2_read local|global|definitions ARCHIVE\n" );
        return 2;
    }
    uint64_t     began  = cpu();
    OTF2_Reader* reader = OTF2_Reader_Open( argv[ 2 ] );
    check( reader ? OTF2_SUCCESS : OTF2_ERROR_INVALID, "open" );
    check( OTF2_Reader_SetSerialCollectiveCallbacks( reader ), "collective callbacks" );
    uint64_t opened, read;
    if ( !strcmp( argv[ 1 ], "definitions" ) )
    {
        opened = sum_definitions( reader );
        read   = cpu() - opened;
    }
    else
    {
        read_definitions( reader );
        select_locations( reader );
        opened = cpu();
        strcmp( argv[ 1 ], "global" ) ? read_local( reader ) : read_global( reader );
        read = cpu() - opened;
        check( OTF2_Reader_CloseEvtFiles( reader ), "close events" );
    }
    check( OTF2_Reader_Close( reader ), "close" );
    printf( "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", read, cpu() - began, sum, resident() );
    return 0;
}
