/*
 * Calls that real programs make. The first argument names the case; a failure is reported on
 * standard error and by the exit status. Archives are made in the current folder.
 */
#include "common.h"

#include <otf2/OTF2_EventSizeEstimator.h>

#include <setjmp.h>
#include <stdarg.h>

static int silent_errors;

static OTF2_ErrorCode
count_error( void* data, const char* file, uint64_t line, const char* function, OTF2_ErrorCode code,
             const char* format, va_list arguments )
{
    ( void )data, ( void )file, ( void )line, ( void )function, ( void )format, ( void )arguments;
    silent_errors++;
    return code;
}

/* Writes an archive of two locations with `pairs` enters and leaves each. */
static void
write_archive( const char* path, uint64_t pairs )
{
    OTF2_Archive* archive = open_archive( path );
    EXPECT( OTF2_Archive_SetSerialCollectiveCallbacks( archive ) == OTF2_SUCCESS );
    for ( OTF2_LocationRef location = 0; location < 2; location++ )
    {
        OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter( archive, location );
        write_pairs( writer, location, 0, pairs );
        EXPECT( OTF2_Archive_CloseEvtWriter( archive, writer ) == OTF2_SUCCESS );
    }
    OTF2_GlobalDefWriter* definitions = OTF2_Archive_GetGlobalDefWriter( archive );
    EXPECT( OTF2_GlobalDefWriter_WriteString( definitions, 0, "" ) == OTF2_SUCCESS );
    EXPECT( OTF2_Archive_Close( archive ) == OTF2_SUCCESS );
}

/* Collective callbacks of one of several ranks. */

static uint32_t rank_of_this;
static int      releases;
static int64_t  broadcast = OTF2_SUCCESS;

static OTF2_CallbackCode
get_size( void* data, OTF2_CollectiveContext* context, uint32_t* size )
{
    ( void )data, ( void )context;
    *size = 2;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
get_rank( void* data, OTF2_CollectiveContext* context, uint32_t* rank )
{
    ( void )data, ( void )context;
    *rank = rank_of_this;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
bcast( void* data, OTF2_CollectiveContext* context, void* number, uint32_t count, OTF2_Type type, uint32_t root )
{
    ( void )data, ( void )context, ( void )type;
    EXPECT( count == 1 && root == 0 );
    if ( rank_of_this != root )
    {
        memcpy( number, &broadcast, sizeof broadcast );
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
barrier( void* data, OTF2_CollectiveContext* context )
{
    ( void )data, ( void )context;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
gather( void* data, OTF2_CollectiveContext* context, const void* in, void* out, uint32_t count, OTF2_Type type,
        uint32_t root )
{
    ( void )data, ( void )context, ( void )in, ( void )out, ( void )count, ( void )type, ( void )root;
    return OTF2_CALLBACK_ERROR;
}

static OTF2_CallbackCode
gatherv( void* data, OTF2_CollectiveContext* context, const void* in, uint32_t in_count, void* out,
         const uint32_t* out_counts, OTF2_Type type, uint32_t root )
{
    ( void )data, ( void )context, ( void )in, ( void )in_count, ( void )out, ( void )out_counts, ( void )type;
    ( void )root;
    return OTF2_CALLBACK_ERROR;
}

static OTF2_CallbackCode
scatterv( void* data, OTF2_CollectiveContext* context, const void* in, const uint32_t* in_counts, void* out,
          uint32_t out_count, OTF2_Type type, uint32_t root )
{
    ( void )data, ( void )context, ( void )in, ( void )in_counts, ( void )out, ( void )out_count, ( void )type;
    ( void )root;
    return OTF2_CALLBACK_ERROR;
}

static void
release( void* data, OTF2_CollectiveContext* global, OTF2_CollectiveContext* local )
{
    ( void )data, ( void )global, ( void )local;
    releases++;
}

static const OTF2_CollectiveCallbacks collectives = {
    .otf2_release  = release,
    .otf2_get_size = get_size,
    .otf2_get_rank = get_rank,
    .otf2_barrier  = barrier,
    .otf2_bcast    = bcast,
    .otf2_gather   = gather,
    .otf2_gatherv  = gatherv,
    .otf2_scatter  = gather,
    .otf2_scatterv = scatterv,
};

static void
chunk_size_of_rank_1( void )
{
    uint64_t events, definitions;
    write_archive( "ranks", 1 );
    OTF2_Archive* archive = OTF2_Archive_Open( "ranks", "traces", OTF2_FILEMODE_WRITE, 1 << 20, OTF2_UNDEFINED_UINT64,
                                               OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE );
    EXPECT( OTF2_Archive_SetFlushCallbacks( archive, &flush, NULL ) == OTF2_SUCCESS );
    rank_of_this = 1;
    EXPECT( OTF2_Archive_SetCollectiveCallbacks( archive, &collectives, NULL, NULL, NULL ) == OTF2_SUCCESS );
    broadcast = 1 << 19;
    EXPECT( OTF2_Archive_SetDefChunkSize( archive, OTF2_UNDEFINED_UINT64 ) == OTF2_SUCCESS );
    EXPECT( OTF2_Archive_GetChunkSize( archive, &events, &definitions ) == OTF2_SUCCESS );
    EXPECT( events == 1 << 20 && definitions == 1 << 19 );
    EXPECT( OTF2_Archive_GetDefWriter( archive, 7 ) != NULL );
    EXPECT( !OTF2_Archive_GetGlobalDefWriter( archive ) );
    EXPECT( OTF2_Archive_Close( archive ) == OTF2_SUCCESS && releases == 1 );
}

static void
refused_collectives( void )
{
    write_archive( "traces", 1 );
    OTF2_Archive* archive = open_archive( "traces" );
    EXPECT( OTF2_Archive_SetCollectiveCallbacks( archive, &collectives, NULL, NULL, NULL ) == OTF2_ERROR_EEXIST );
    EXPECT( OTF2_Archive_Close( archive ) == OTF2_SUCCESS && releases == 0 );
}

static void
second_archive( void )
{
    uint64_t locations = 0;
    write_archive( "traces", 1 );
    OTF2_Archive* archive = open_archive( "traces" );
    EXPECT( OTF2_Archive_SetCreator( archive, "the second" ) == OTF2_SUCCESS );
    EXPECT( OTF2_Archive_SetSerialCollectiveCallbacks( archive ) == OTF2_ERROR_EEXIST );
    EXPECT( OTF2_Archive_Close( archive ) == OTF2_SUCCESS );
    OTF2_Reader* reader  = OTF2_Reader_Open( "traces/traces.otf2" );
    char*        creator = NULL;
    EXPECT( OTF2_Reader_GetCreator( reader, &creator ) == OTF2_SUCCESS && !strcmp( creator, "" ) );
    EXPECT( OTF2_Reader_GetNumberOfGlobalDefinitions( reader, &locations ) == OTF2_SUCCESS && locations == 1 );
    free( creator );
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );
}

static void
superfluous_samples( void )
{
    const uint64_t references[] = { 4 };
    uint64_t       baseline, value;
    OTF2_Archive*  archive = open_archive( "traces" );
    EXPECT( OTF2_Archive_SetSerialCollectiveCallbacks( archive ) == OTF2_SUCCESS );
    OTF2_ThumbWriter* thumbnail = OTF2_Archive_GetThumbWriter( archive, "", "", OTF2_THUMBNAIL_TYPE_REGION, 1, 1,
                                                               references );
    for ( uint64_t sample = 0; sample < 3; sample++ )
    {
        EXPECT( OTF2_ThumbWriter_WriteSample( thumbnail, sample, 1, &sample ) == OTF2_SUCCESS );
    }
    EXPECT( OTF2_Archive_Close( archive ) == OTF2_SUCCESS && silent_errors == 1 );
    OTF2_Reader*      reader  = OTF2_Reader_Open( "traces/traces.otf2" );
    OTF2_ThumbReader* samples = OTF2_Reader_GetThumbReader( reader, 0 );
    EXPECT( OTF2_ThumbReader_ReadSample( samples, &baseline, 1, &value ) == OTF2_SUCCESS );
    EXPECT( OTF2_ThumbReader_ReadSample( samples, &baseline, 1, &value ) == OTF2_ERROR_INDEX_OUT_OF_BOUNDS );
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );
}

/* Reading. */

static OTF2_EvtReader* of_location[ 2 ];
static uint64_t        delivered[ 2 ];

static OTF2_CallbackCode
ask_for_positions( OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList* attributes,
                   OTF2_RegionRef region )
{
    uint64_t position;
    ( void )time, ( void )data, ( void )attributes, ( void )region;
    delivered[ location ]++;
    EXPECT( OTF2_EvtReader_GetPos( of_location[ location ], &position ) == OTF2_SUCCESS );
    EXPECT( position == delivered[ location ] );
    /* The global reader has read the next event of the other location, if there is one. */
    EXPECT( OTF2_EvtReader_GetPos( of_location[ !location ], &position ) == OTF2_SUCCESS );
    EXPECT( position == ( delivered[ !location ] < 2000 ? delivered[ !location ] + 1 : 2000 ) );
    return OTF2_CALLBACK_SUCCESS;
}

static void
positions( void )
{
    uint64_t number;
    write_archive( "traces", 1000 );
    OTF2_Reader* reader = OTF2_Reader_Open( "traces/traces.otf2" );
    for ( OTF2_LocationRef location = 0; location < 2; location++ )
    {
        of_location[ location ] = OTF2_Reader_GetEvtReader( reader, location );
        EXPECT( of_location[ location ] != NULL );
    }
    OTF2_GlobalEvtReader*          all       = OTF2_Reader_GetGlobalEvtReader( reader );
    OTF2_GlobalEvtReaderCallbacks* callbacks = OTF2_GlobalEvtReaderCallbacks_New();
    EXPECT( OTF2_GlobalEvtReaderCallbacks_SetEnterCallback( callbacks, ask_for_positions ) == OTF2_SUCCESS );
    EXPECT( OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback( callbacks, ask_for_positions ) == OTF2_SUCCESS );
    EXPECT( OTF2_Reader_RegisterGlobalEvtCallbacks( reader, all, callbacks, NULL ) == OTF2_SUCCESS );
    OTF2_GlobalEvtReaderCallbacks_Delete( callbacks );
    EXPECT( OTF2_Reader_ReadAllGlobalEvents( reader, all, &number ) == OTF2_SUCCESS && number == 4000 );
    EXPECT( OTF2_EvtReader_ReadEvents( of_location[ 0 ], 1, &number ) == OTF2_ERROR_INVALID_CALL );
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );
}

static uint64_t events;
static jmp_buf  away;

static OTF2_CallbackCode
every_third( OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void* data,
             OTF2_AttributeList* attributes, OTF2_RegionRef region )
{
    ( void )location, ( void )time, ( void )attributes, ( void )region;
    events++;
    EXPECT( position == events );
    if ( events % 3 )
    {
        return OTF2_CALLBACK_SUCCESS;
    }
    if ( data )
    {
        longjmp( away, 1 );
    }
    return OTF2_CALLBACK_INTERRUPT;
}

static OTF2_EvtReader*
with_callbacks( OTF2_Reader* reader, void* data )
{
    OTF2_EvtReader*          location  = OTF2_Reader_GetEvtReader( reader, 0 );
    OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
    EXPECT( OTF2_EvtReaderCallbacks_SetEnterCallback( callbacks, every_third ) == OTF2_SUCCESS );
    EXPECT( OTF2_EvtReaderCallbacks_SetLeaveCallback( callbacks, every_third ) == OTF2_SUCCESS );
    EXPECT( OTF2_Reader_RegisterEvtCallbacks( reader, location, callbacks, data ) == OTF2_SUCCESS );
    OTF2_EvtReaderCallbacks_Delete( callbacks );
    return location;
}

static void
interrupt( void )
{
    uint64_t number;
    write_archive( "traces", 50 );
    OTF2_Reader*    reader   = OTF2_Reader_Open( "traces/traces.otf2" );
    OTF2_EvtReader* location = with_callbacks( reader, NULL );
    for ( int round = 0; round < 33; round++ )
    {
        EXPECT( OTF2_Reader_ReadAllLocalEvents( reader, location, &number ) == OTF2_ERROR_INTERRUPTED_BY_CALLBACK );
        EXPECT( number == 3 );
    }
    EXPECT( OTF2_Reader_ReadAllLocalEvents( reader, location, &number ) == OTF2_SUCCESS && number == 1 );
    EXPECT( OTF2_Reader_ReadAllLocalEvents( reader, location, &number ) == OTF2_SUCCESS && number == 0 );
    EXPECT( silent_errors == 0 );
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );
}

static void
long_jump( void )
{
    uint64_t number;
    write_archive( "traces", 50 );
    OTF2_Reader*    reader   = OTF2_Reader_Open( "traces/traces.otf2" );
    OTF2_EvtReader* location = with_callbacks( reader, &events );
    setjmp( away );
    EXPECT( OTF2_Reader_ReadAllLocalEvents( reader, location, &number ) == OTF2_SUCCESS );
    EXPECT( events == 100 && number == 1 );
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );
}

static uint64_t next_position = 1;
static int      seeks, inner_reads;

static OTF2_CallbackCode
use_reader( OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void* reader,
            OTF2_AttributeList* attributes, OTF2_RegionRef region )
{
    uint64_t number;
    ( void )location, ( void )time, ( void )attributes, ( void )region;
    EXPECT( position == next_position++ );
    if ( position == 5 && !seeks++ )
    {
        EXPECT( OTF2_EvtReader_Seek( reader, 3 ) == OTF2_SUCCESS );
        next_position = 3;
    }
    else if ( position == 10 && !inner_reads++ )
    {
        EXPECT( OTF2_EvtReader_ReadEvents( reader, 2, &number ) == OTF2_SUCCESS && number == 2 );
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
use_global_reader( OTF2_LocationRef location, OTF2_TimeStamp time, void* reader, OTF2_AttributeList* attributes,
                   OTF2_RegionRef region )
{
    int has_event;
    ( void )time, ( void )attributes, ( void )region;
    delivered[ location ]++;
    EXPECT( OTF2_GlobalEvtReader_HasEvent( reader, &has_event ) == OTF2_SUCCESS );
    EXPECT( has_event == ( delivered[ 0 ] + delivered[ 1 ] < 4000 ) );
    return OTF2_CALLBACK_SUCCESS;
}

static void
uses( void )
{
    uint64_t number;
    write_archive( "traces", 1000 );
    OTF2_Reader*             reader    = OTF2_Reader_Open( "traces/traces.otf2" );
    OTF2_EvtReader*          location  = OTF2_Reader_GetEvtReader( reader, 0 );
    OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
    EXPECT( OTF2_EvtReaderCallbacks_SetEnterCallback( callbacks, use_reader ) == OTF2_SUCCESS );
    EXPECT( OTF2_EvtReaderCallbacks_SetLeaveCallback( callbacks, use_reader ) == OTF2_SUCCESS );
    EXPECT( OTF2_Reader_RegisterEvtCallbacks( reader, location, callbacks, location ) == OTF2_SUCCESS );
    OTF2_EvtReaderCallbacks_Delete( callbacks );
    /* Three events twice, and two in the inner call. */
    EXPECT( OTF2_Reader_ReadAllLocalEvents( reader, location, &number ) == OTF2_SUCCESS && number == 2001 );
    EXPECT( next_position == 2001 );
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );

    reader = OTF2_Reader_Open( "traces/traces.otf2" );
    EXPECT( OTF2_Reader_GetEvtReader( reader, 0 ) && OTF2_Reader_GetEvtReader( reader, 1 ) );
    OTF2_GlobalEvtReader*          all  = OTF2_Reader_GetGlobalEvtReader( reader );
    OTF2_GlobalEvtReaderCallbacks* both = OTF2_GlobalEvtReaderCallbacks_New();
    EXPECT( OTF2_GlobalEvtReaderCallbacks_SetEnterCallback( both, use_global_reader ) == OTF2_SUCCESS );
    EXPECT( OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback( both, use_global_reader ) == OTF2_SUCCESS );
    EXPECT( OTF2_Reader_RegisterGlobalEvtCallbacks( reader, all, both, all ) == OTF2_SUCCESS );
    OTF2_GlobalEvtReaderCallbacks_Delete( both );
    EXPECT( OTF2_Reader_ReadAllGlobalEvents( reader, all, &number ) == OTF2_SUCCESS && number == 4000 );
    EXPECT( delivered[ 0 ] == 2000 && delivered[ 1 ] == 2000 );
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );
}

static char message[ 256 ];

static OTF2_ErrorCode
change( void* data, const char* file, uint64_t line, const char* function, OTF2_ErrorCode code, const char* format,
        va_list arguments )
{
    EXPECT( data == message && file && line && function && code != OTF2_SUCCESS );
    vsnprintf( message, sizeof message, format, arguments );
    return OTF2_ERROR_EDOM;
}

static void
handler( void )
{
    EXPECT( OTF2_Error_RegisterCallback( change, message ) == count_error );
    OTF2_AttributeList* list = OTF2_AttributeList_New();
    uint8_t             value;
    EXPECT( OTF2_AttributeList_GetUint8( list, 17, &value ) == OTF2_ERROR_EDOM && strstr( message, "17" ) );
    EXPECT( !OTF2_Reader_Open( "%s%n.otf2" ) && strstr( message, "%s%n" ) );
    EXPECT( !OTF2_Reader_Open( "traces" ) && strstr( message, "traces" ) );
    EXPECT( OTF2_Error_RegisterCallback( NULL, NULL ) == change );
    EXPECT( OTF2_AttributeList_Delete( list ) == OTF2_SUCCESS );
    EXPECT( !strcmp( OTF2_Error_GetName( OTF2_ERROR_EEXIST ), "EEXIST" ) );
    EXPECT( !strcmp( OTF2_Error_GetName( 4711 ), "INVALID" ) );
}

static void
master_and_slave( void )
{
    OTF2_MasterSlaveMode role;
    OTF2_Archive*        master = open_archive( "traces" );
    EXPECT( OTF2_Archive_SetMasterSlaveMode( master, OTF2_MASTER ) == OTF2_SUCCESS );
    EXPECT( OTF2_Archive_GetMasterSlaveMode( master, &role ) == OTF2_SUCCESS && role == OTF2_MASTER );
    OTF2_Archive* slave = open_archive( "traces" );
    EXPECT( OTF2_Archive_SetMasterSlaveMode( slave, OTF2_SLAVE ) == OTF2_SUCCESS );
    EXPECT( OTF2_Archive_GetMasterSlaveMode( slave, &role ) == OTF2_SUCCESS && role == OTF2_SLAVE );
    EXPECT( OTF2_EvtWriter_Enter( OTF2_Archive_GetEvtWriter( slave, 5 ), NULL, 1, 1 ) == OTF2_SUCCESS );
    EXPECT( OTF2_Archive_Close( slave ) == OTF2_SUCCESS && OTF2_Archive_Close( master ) == OTF2_SUCCESS );
    OTF2_Reader* reader = OTF2_Reader_Open( "traces/traces.otf2" );
    EXPECT( reader && OTF2_Reader_GetEvtReader( reader, 5 ) );
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );
}

/* ViTE does so with the strings of definitions. */

static const char* kept[ 4 ][ 5000 ];
static unsigned    strings[ 4 ];

static OTF2_CallbackCode
keep_string( void* data, OTF2_StringRef self, const char* string )
{
    unsigned kind = data == &kept[ 1 ];
    EXPECT( self == strings[ kind ] );
    kept[ kind ][ strings[ kind ]++ ] = string;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
keep_marker( void* data, OTF2_MarkerRef self, const char* group, const char* category, OTF2_MarkerSeverity severity )
{
    ( void )data, ( void )self, ( void )severity;
    kept[ 2 ][ strings[ 2 ]++ ] = group;
    kept[ 3 ][ strings[ 3 ]++ ] = category;
    return OTF2_CALLBACK_SUCCESS;
}

static const char*
text( unsigned number )
{
    static char text[ 30 ];
    snprintf( text, sizeof text, "string %u", number * number );
    return text;
}

static void
write_strings( void )
{
    OTF2_Archive* archive = open_archive( "traces" );
    EXPECT( OTF2_Archive_SetSerialCollectiveCallbacks( archive ) == OTF2_SUCCESS );
    OTF2_GlobalDefWriter* global  = OTF2_Archive_GetGlobalDefWriter( archive );
    OTF2_DefWriter*       local   = OTF2_Archive_GetDefWriter( archive, 0 );
    OTF2_MarkerWriter*    markers = OTF2_Archive_GetMarkerWriter( archive );
    for ( unsigned i = 0; i < 5000; i++ )
    {
        EXPECT( OTF2_GlobalDefWriter_WriteString( global, i, text( i ) ) == OTF2_SUCCESS );
        EXPECT( OTF2_DefWriter_WriteString( local, i, text( i + 1 ) ) == OTF2_SUCCESS );
        EXPECT( OTF2_MarkerWriter_WriteDefMarker( markers, i, text( i + 2 ), "category", OTF2_SEVERITY_LOW )
                == OTF2_SUCCESS );
    }
    EXPECT( OTF2_Archive_Close( archive ) == OTF2_SUCCESS );
}

static void
kept_strings( void )
{
    uint64_t number;
    write_strings();
    OTF2_Reader*          reader  = OTF2_Reader_Open( "traces/traces.otf2" );
    OTF2_GlobalDefReader* global  = OTF2_Reader_GetGlobalDefReader( reader );
    OTF2_DefReader*       local   = OTF2_Reader_GetDefReader( reader, 0 );
    OTF2_MarkerReader*    markers = OTF2_Reader_GetMarkerReader( reader );
    OTF2_GlobalDefReaderCallbacks* of_global  = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_DefReaderCallbacks*       of_local   = OTF2_DefReaderCallbacks_New();
    OTF2_MarkerReaderCallbacks*    of_markers = OTF2_MarkerReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetStringCallback( of_global, keep_string );
    OTF2_DefReaderCallbacks_SetStringCallback( of_local, keep_string );
    OTF2_MarkerReaderCallbacks_SetDefMarkerCallback( of_markers, keep_marker );
    OTF2_Reader_RegisterGlobalDefCallbacks( reader, global, of_global, &kept[ 0 ] );
    OTF2_Reader_RegisterDefCallbacks( reader, local, of_local, &kept[ 1 ] );
    OTF2_Reader_RegisterMarkerCallbacks( reader, markers, of_markers, NULL );
    EXPECT( OTF2_Reader_ReadAllGlobalDefinitions( reader, global, &number ) == OTF2_SUCCESS && number == 5000 );
    EXPECT( OTF2_Reader_ReadAllLocalDefinitions( reader, local, &number ) == OTF2_SUCCESS && number == 5000 );
    EXPECT( OTF2_Reader_ReadAllMarkers( reader, markers, &number ) == OTF2_SUCCESS && number == 5000 );
    for ( unsigned kind = 0; kind < 3; kind++ )
    {
        for ( unsigned i = 0; i < 5000; i++ )
        {
            EXPECT( !strcmp( kept[ kind ][ i ], text( i + kind ) ) && !strcmp( kept[ 3 ][ i ], "category" ) );
        }
    }
    OTF2_GlobalDefReaderCallbacks_Delete( of_global );
    OTF2_DefReaderCallbacks_Delete( of_local );
    OTF2_MarkerReaderCallbacks_Delete( of_markers );
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );
}

/* The additions of OTF2 3.2. */

static const uint64_t last_message = UINT64_MAX - 1;

/* Writes a flow of messages that probes find, on location 0. */
static void
write_flow( const char* path )
{
    OTF2_Archive* archive = open_archive( path );
    EXPECT( OTF2_Archive_SetSerialCollectiveCallbacks( archive ) == OTF2_SUCCESS );
    OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter( archive, 0 );
    EXPECT( OTF2_EvtWriter_MpiProbe( writer, NULL, 1, 0, 0, 7, OTF2_UNDEFINED_UINT64 ) == OTF2_SUCCESS );
    EXPECT( OTF2_EvtWriter_MpiProbe( writer, NULL, 1, 0, 0, 7, 1 ) == OTF2_SUCCESS );
    EXPECT( OTF2_EvtWriter_MpiMrecv( writer, NULL, 1, 1, 100 ) == OTF2_SUCCESS );
    EXPECT( OTF2_EvtWriter_MpiImrecvRequest( writer, NULL, 1, last_message, 300 ) == OTF2_SUCCESS );
    EXPECT( OTF2_EvtWriter_MpiImrecv( writer, NULL, 1, 300, 200 ) == OTF2_SUCCESS );
    EXPECT( OTF2_Archive_CloseEvtWriter( archive, writer ) == OTF2_SUCCESS );
    EXPECT( OTF2_Archive_Close( archive ) == OTF2_SUCCESS );
}

/* The bytes of `write_flow` after the header of the chunk, as libotf2 3.2 writes them. */
static const unsigned char flow[] = {
    5,    1, 0, 0, 0, 0, 0, 0, 0,
    0x59, 5, 0, 0, 1, 7, 0xff,
    0x59, 6, 0, 0, 1, 7, 1, 1,
    0x5a, 4, 1, 1, 1, 100,
    0x5b, 12, 8, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0x2c, 1,
    0x5c, 5, 2, 0x2c, 1, 1, 200,
    2,    1,
};

/* Returns the events of location 0 in `bytes`. */
static size_t
read_events( const char* path, unsigned char* bytes, size_t room )
{
    FILE* file = fopen( path, "rb" );
    EXPECT( file != NULL );
    size_t length = fread( bytes, 1, room, file );
    EXPECT( fclose( file ) == 0 );
    return length;
}

static int seen;

static OTF2_CallbackCode
probe( OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void* data, OTF2_AttributeList* attributes,
       uint32_t sender, OTF2_CommRef communicator, uint32_t tag, uint64_t message )
{
    ( void )data;
    EXPECT( location == 0 && time == 1 && OTF2_AttributeList_GetNumberOfElements( attributes ) == 0 );
    EXPECT( sender == 0 && communicator == 0 && tag == 7 );
    EXPECT( position == 1 ? message == OTF2_UNDEFINED_UINT64 : position == 2 && message == 1 );
    seen++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
matched( OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList* attributes, uint64_t first,
         uint64_t second )
{
    static const uint64_t expected[][ 2 ] = { { 1, 100 }, { UINT64_MAX - 1, 300 }, { 300, 200 } };
    ( void )data, ( void )attributes;
    EXPECT( location == 0 && time == 1 && first == expected[ seen ][ 0 ] && second == expected[ seen ][ 1 ] );
    seen++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
matched_at( OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void* data,
            OTF2_AttributeList* attributes, uint64_t first, uint64_t second )
{
    ( void )position;
    return matched( location, time, data, attributes, first, second );
}

static void
matched_receives( void )
{
    unsigned char bytes[ 512 ];
    uint64_t      number;
    write_flow( "traces" );
    size_t length = read_events( "traces/traces/0.evt", bytes, sizeof bytes );
    EXPECT( length == 18 + sizeof flow && !memcmp( bytes + 18, flow, sizeof flow ) );

    OTF2_Reader*             reader    = OTF2_Reader_Open( "traces/traces.otf2" );
    OTF2_EvtReader*          location  = OTF2_Reader_GetEvtReader( reader, 0 );
    OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
    EXPECT( OTF2_EvtReaderCallbacks_SetMpiProbeCallback( callbacks, probe ) == OTF2_SUCCESS );
    EXPECT( OTF2_Reader_RegisterEvtCallbacks( reader, location, callbacks, NULL ) == OTF2_SUCCESS );
    OTF2_EvtReaderCallbacks_Delete( callbacks );
    EXPECT( OTF2_Reader_ReadAllLocalEvents( reader, location, &number ) == OTF2_SUCCESS && number == 5 );
    EXPECT( seen == 2 );
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );

    reader = OTF2_Reader_Open( "traces/traces.otf2" );
    EXPECT( OTF2_Reader_GetEvtReader( reader, 0 ) != NULL );
    OTF2_GlobalEvtReader*          all     = OTF2_Reader_GetGlobalEvtReader( reader );
    OTF2_GlobalEvtReaderCallbacks* ordered = OTF2_GlobalEvtReaderCallbacks_New();
    EXPECT( OTF2_GlobalEvtReaderCallbacks_SetMpiMrecvCallback( ordered, matched ) == OTF2_SUCCESS );
    EXPECT( OTF2_GlobalEvtReaderCallbacks_SetMpiImrecvRequestCallback( ordered, matched ) == OTF2_SUCCESS );
    EXPECT( OTF2_GlobalEvtReaderCallbacks_SetMpiImrecvCallback( ordered, matched ) == OTF2_SUCCESS );
    EXPECT( OTF2_Reader_RegisterGlobalEvtCallbacks( reader, all, ordered, NULL ) == OTF2_SUCCESS );
    OTF2_GlobalEvtReaderCallbacks_Delete( ordered );
    seen = 0;
    EXPECT( OTF2_Reader_ReadAllGlobalEvents( reader, all, &number ) == OTF2_SUCCESS && number == 5 );
    EXPECT( seen == 3 );
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );

    OTF2_EventSizeEstimator* estimator = OTF2_EventSizeEstimator_New();
    EXPECT( OTF2_EventSizeEstimator_GetSizeOfMpiProbeEvent( estimator ) == 26 );
    EXPECT( OTF2_EventSizeEstimator_GetSizeOfMpiMrecvEvent( estimator ) == 20 );
    EXPECT( OTF2_EventSizeEstimator_GetSizeOfMpiImrecvRequestEvent( estimator ) == 20 );
    EXPECT( OTF2_EventSizeEstimator_GetSizeOfMpiImrecvEvent( estimator ) == 20 );
    EXPECT( OTF2_EventSizeEstimator_SetNumberOfCommDefinitions( estimator, 1 ) == OTF2_SUCCESS );
    EXPECT( OTF2_EventSizeEstimator_GetSizeOfMpiProbeEvent( estimator ) == 22 );
    EXPECT( OTF2_EventSizeEstimator_Delete( estimator ) == OTF2_SUCCESS );

    OTF2_Type                 type = OTF2_TYPE_NONE;
    OTF2_AttributeValue       value;
    OTF2_TaskGenerationNumber task = 5;
    EXPECT( OTF2_AttributeValue_SetTaskGenerationNumber( OTF2_TASK_GENERATION_NUMBER_IMPLICIT, &type, &value )
            == OTF2_SUCCESS );
    EXPECT( type == OTF2_TYPE_UINT32 && value.uint32 == 0 );
    EXPECT( OTF2_AttributeValue_GetTaskGenerationNumber( type, value, &task ) == OTF2_SUCCESS && task == 0 );
    EXPECT( OTF2_AttributeValue_GetTaskGenerationNumber( OTF2_TYPE_UINT8, value, &task )
            == OTF2_ERROR_INVALID_ATTRIBUTE_TYPE );
    EXPECT( OTF2_AttributeValue_GetTaskGenerationNumber( type, value, NULL ) == OTF2_ERROR_INVALID_ARGUMENT );
    EXPECT( OTF2_AttributeValue_SetTaskGenerationNumber( 0, NULL, &value ) == OTF2_ERROR_INVALID_ARGUMENT );
}

/* Reads the damaged events of location 0, by its reader or by that of all; returns their number. */
static uint64_t
read_damaged( bool has_callback, bool in_order, OTF2_ErrorCode expected, uint64_t expected_position )
{
    uint64_t        number, position;
    OTF2_Reader*    reader   = OTF2_Reader_Open( "traces/traces.otf2" );
    OTF2_EvtReader* location = OTF2_Reader_GetEvtReader( reader, 0 );
    if ( in_order )
    {
        OTF2_GlobalEvtReader*          all       = OTF2_Reader_GetGlobalEvtReader( reader );
        OTF2_GlobalEvtReaderCallbacks* callbacks = OTF2_GlobalEvtReaderCallbacks_New();
        if ( has_callback )
        {
            OTF2_GlobalEvtReaderCallbacks_SetMpiMrecvCallback( callbacks, matched );
        }
        EXPECT( OTF2_Reader_RegisterGlobalEvtCallbacks( reader, all, callbacks, NULL ) == OTF2_SUCCESS );
        OTF2_GlobalEvtReaderCallbacks_Delete( callbacks );
        EXPECT( OTF2_Reader_ReadAllGlobalEvents( reader, all, &number ) == expected );
    }
    else
    {
        OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
        if ( has_callback )
        {
            OTF2_EvtReaderCallbacks_SetMpiMrecvCallback( callbacks, matched_at );
        }
        EXPECT( OTF2_Reader_RegisterEvtCallbacks( reader, location, callbacks, NULL ) == OTF2_SUCCESS );
        OTF2_EvtReaderCallbacks_Delete( callbacks );
        EXPECT( OTF2_Reader_ReadAllLocalEvents( reader, location, &number ) == expected );
    }
    EXPECT( OTF2_EvtReader_GetPos( location, &position ) == OTF2_SUCCESS && position == expected_position );
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );
    return number;
}

static void
fields_without_callback( void )
{
    unsigned char bytes[ 512 ];
    write_flow( "traces" );
    size_t length = read_events( "traces/traces/0.evt", bytes, sizeof bytes );
    /* The length of the first field of the MpiMrecv, which is event 3, becomes that of no integer. */
    EXPECT( bytes[ 18 + 24 ] == 0x5a && bytes[ 18 + 26 ] == 1 );
    bytes[ 18 + 26 ] = 9;
    FILE* file = fopen( "traces/traces/0.evt", "wb" );
    EXPECT( file && fwrite( bytes, 1, length, file ) == length && fclose( file ) == 0 );
    for ( int in_order = 0; in_order < 2; in_order++ )
    {
        EXPECT( read_damaged( false, in_order, OTF2_SUCCESS, 5 ) == 5 );
        /* The position counts before the fields are read. */
        EXPECT( read_damaged( true, in_order, OTF2_ERROR_INVALID_DATA, 3 ) == 2 );
    }
}

static void
folder_of_rank_0( void )
{
    rank_of_this = 1;
    for ( int is_made = 0; is_made < 2; is_made++ )
    {
        OTF2_Archive* archive = open_archive( "ranks" );
        EXPECT( OTF2_Archive_SetCollectiveCallbacks( archive, &collectives, NULL, NULL, NULL ) == OTF2_SUCCESS );
        OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter( archive, 1 );
        EXPECT( writer != NULL );
        write_pairs( writer, 1, 0, 1 );
        /* Now the folder that rank 0 has made is visible; in the first round it never is. */
        EXPECT( !is_made || system( "mkdir -p ranks/traces" ) == 0 );
        OTF2_ErrorCode closed = OTF2_Archive_CloseEvtWriter( archive, writer );
        EXPECT( closed == ( is_made ? OTF2_SUCCESS : OTF2_ERROR_ENOENT ) );
        EXPECT( OTF2_Archive_Close( archive ) == OTF2_SUCCESS );
    }
    unsigned char bytes[ 512 ];
    EXPECT( read_events( "ranks/traces/1.evt", bytes, sizeof bytes ) > 18 );
}

static void
hyphens( void )
{
    char*         value   = NULL;
    OTF2_Archive* archive = open_archive( "traces" );
    EXPECT( OTF2_Archive_SetSerialCollectiveCallbacks( archive ) == OTF2_SUCCESS );
    EXPECT( OTF2_Archive_SetProperty( archive, "my-tool::a-b", "x-y", true ) == OTF2_SUCCESS );
    EXPECT( OTF2_Archive_SetProperty( archive, "my+tool::a", "x", true ) == OTF2_ERROR_PROPERTY_NAME_INVALID );
    EXPECT( OTF2_Archive_Close( archive ) == OTF2_SUCCESS );
    OTF2_Reader* reader = OTF2_Reader_Open( "traces/traces.otf2" );
    EXPECT( OTF2_Reader_GetProperty( reader, "MY-TOOL::A-B", &value ) == OTF2_SUCCESS && !strcmp( value, "x-y" ) );
    free( value );
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );
}

int
main( int argc, char** argv )
{
    static const struct
    {
        const char* name;
        void        ( * run )( void );
    } cases[] = {
        { "chunk-size-of-rank-1", chunk_size_of_rank_1 },
        { "refused-collectives", refused_collectives },
        { "second-archive", second_archive },
        { "superfluous-samples", superfluous_samples },
        { "positions", positions },
        { "interrupt", interrupt },
        { "long-jump", long_jump },
        { "uses", uses },
        { "handler", handler },
        { "master-and-slave", master_and_slave },
        { "kept-strings", kept_strings },
        { "matched-receives", matched_receives },
        { "fields-without-callback", fields_without_callback },
        { "folder-of-rank-0", folder_of_rank_0 },
        { "hyphens", hyphens },
    };
    OTF2_Error_RegisterCallback( count_error, NULL );
    for ( size_t i = 0; argc == 2 && i < sizeof cases / sizeof *cases; i++ )
    {
        if ( !strcmp( argv[ 1 ], cases[ i ].name ) )
        {
            cases[ i ].run();
            return 0;
        }
    }
    fprintf( stderr, "usage: calls CASE\n" );
    return 2;
}
