/*
 * Writes or reads an archive with several processes, and prints which callbacks for locks,
 * collectives, flushes and memory the library calls, with their arguments.
 *
 *     transcripts write|read RANKS [CALL]
 *
 * Each rank is a process. With CALL, the callback with this number fails on every rank. The archive
 * is in the current folder; reading needs one that was written. The library asks for rank and size as
 * often as it likes, so that is not printed.
 */
#include "common.h"

#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_RANKS = 8 };

static uint32_t ranks, own_rank;
static unsigned calls, failing_call;
/* From rank 0 to each other rank, and back. */
static int down[ MOST_RANKS ][ 2 ], up[ MOST_RANKS ][ 2 ];

/* The contexts and user data that callbacks must receive. */
struct OTF2_CollectiveContext
{
    char name;
};
static struct OTF2_CollectiveContext global = { 'g' }, local = { 'l' };
static char                          of_collectives, of_locks, of_flushes, of_memory;

static char
name_of( const OTF2_CollectiveContext* context )
{
    return context == &global || context == &local ? context->name : context ? '?' : '0';
}

/* Ends a line. Returns whether the callback succeeds. */
static OTF2_CallbackCode
answer( void )
{
    int fails = ++calls == failing_call;
    printf( fails ? " fails\n" : "\n" );
    return fails ? OTF2_CALLBACK_ERROR : OTF2_CALLBACK_SUCCESS;
}

static void
step( const char* what )
{
    printf( "%s\n", what );
}

static void
report( const char* what, OTF2_ErrorCode code )
{
    printf( "%s = %d\n", what, code );
}

/* Collectives. */

static size_t
size_of( OTF2_Type type )
{
    switch ( type )
    {
        case OTF2_TYPE_UINT8:
        case OTF2_TYPE_INT8:
            return 1;
        case OTF2_TYPE_UINT16:
        case OTF2_TYPE_INT16:
            return 2;
        case OTF2_TYPE_UINT32:
        case OTF2_TYPE_INT32:
        case OTF2_TYPE_FLOAT:
            return 4;
        default:
            return 8;
    }
}

static void
send_to( int pipe, const void* data, size_t size )
{
    EXPECT( write( pipe, data, size ) == (ssize_t)size );
}

static void
receive( int pipe, void* data, size_t size )
{
    for ( size_t at = 0; at < size; )
    {
        ssize_t count = read( pipe, (char*)data + at, size - at );
        EXPECT( count > 0 );
        at += count;
    }
}

static OTF2_CallbackCode
get_size( void* data, OTF2_CollectiveContext* context, uint32_t* size )
{
    EXPECT( data == &of_collectives );
    *size = context == &local ? 1 : ranks;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
get_rank( void* data, OTF2_CollectiveContext* context, uint32_t* rank )
{
    EXPECT( data == &of_collectives );
    *rank = context == &local ? 0 : own_rank;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
create_local( void* data, OTF2_CollectiveContext** context, OTF2_CollectiveContext* of, uint32_t global_rank,
              uint32_t global_size, uint32_t local_rank, uint32_t local_size, uint32_t number, uint32_t files )
{
    EXPECT( data == &of_collectives );
    printf( "  create_local_comm %c %u %u %u %u %u %u", name_of( of ), global_rank, global_size, local_rank, local_size,
            number, files );
    *context = &local;
    return answer();
}

static OTF2_CallbackCode
free_local( void* data, OTF2_CollectiveContext* context )
{
    EXPECT( data == &of_collectives );
    printf( "  free_local_comm %c", name_of( context ) );
    return answer();
}

static OTF2_CallbackCode
barrier( void* data, OTF2_CollectiveContext* context )
{
    char token = 0;
    EXPECT( data == &of_collectives );
    for ( uint32_t rank = 1; own_rank == 0 && rank < ranks; rank++ )
    {
        receive( up[ rank ][ 0 ], &token, 1 );
    }
    for ( uint32_t rank = 1; own_rank == 0 && rank < ranks; rank++ )
    {
        send_to( down[ rank ][ 1 ], &token, 1 );
    }
    if ( own_rank )
    {
        send_to( up[ own_rank ][ 1 ], &token, 1 );
        receive( down[ own_rank ][ 0 ], &token, 1 );
    }
    printf( "  barrier %c", name_of( context ) );
    return answer();
}

static OTF2_CallbackCode
bcast( void* data, OTF2_CollectiveContext* context, void* numbers, uint32_t count, OTF2_Type type, uint32_t root )
{
    size_t   size  = count * size_of( type );
    uint64_t first = 0;
    EXPECT( data == &of_collectives && root == 0 );
    for ( uint32_t rank = 1; own_rank == 0 && context == &global && rank < ranks; rank++ )
    {
        send_to( down[ rank ][ 1 ], numbers, size );
    }
    if ( own_rank && context == &global )
    {
        receive( down[ own_rank ][ 0 ], numbers, size );
    }
    memcpy( &first, numbers, size < sizeof first ? size : sizeof first );
    printf( "  bcast %c %u %u %u: %llu", name_of( context ), count, type, root, (unsigned long long)first );
    return answer();
}

static OTF2_CallbackCode
gather( void* data, OTF2_CollectiveContext* context, const void* in, void* out, uint32_t count, OTF2_Type type,
        uint32_t root )
{
    EXPECT( data == &of_collectives );
    printf( "  gather %c %d %d %u %u %u", name_of( context ), in != NULL, out != NULL, count, type, root );
    return answer();
}

static OTF2_CallbackCode
gatherv( void* data, OTF2_CollectiveContext* context, const void* in, uint32_t in_count, void* out,
         const uint32_t* out_counts, OTF2_Type type, uint32_t root )
{
    EXPECT( data == &of_collectives );
    printf( "  gatherv %c %d %u %d %d %u %u", name_of( context ), in != NULL, in_count, out != NULL, out_counts != NULL,
            type, root );
    return answer();
}

static OTF2_CallbackCode
scatter( void* data, OTF2_CollectiveContext* context, const void* in, void* out, uint32_t count, OTF2_Type type,
         uint32_t root )
{
    EXPECT( data == &of_collectives );
    printf( "  scatter %c %d %d %u %u %u", name_of( context ), in != NULL, out != NULL, count, type, root );
    return answer();
}

static OTF2_CallbackCode
scatterv( void* data, OTF2_CollectiveContext* context, const void* in, const uint32_t* in_counts, void* out,
          uint32_t out_count, OTF2_Type type, uint32_t root )
{
    EXPECT( data == &of_collectives );
    printf( "  scatterv %c %d %d %d %u %u %u", name_of( context ), in != NULL, in_counts != NULL, out != NULL, out_count,
            type, root );
    return answer();
}

static void
release( void* data, OTF2_CollectiveContext* first, OTF2_CollectiveContext* second )
{
    EXPECT( data == &of_collectives );
    printf( "  release %c %c\n", name_of( first ), name_of( second ) );
}

static const OTF2_CollectiveCallbacks collectives = { release, get_size, get_rank, create_local, free_local, barrier,
                                                      bcast, gather, gatherv, scatter, scatterv };

/* Locks. */

static OTF2_CallbackCode
make_lock( void* data, OTF2_Lock* lock )
{
    EXPECT( data == &of_locks );
    *lock = (OTF2_Lock)&of_locks;
    printf( "  create_lock" );
    return answer();
}

static OTF2_CallbackCode
use_lock( const char* what, void* data, OTF2_Lock lock )
{
    EXPECT( data == &of_locks && lock == (OTF2_Lock)&of_locks );
    printf( "  %s", what );
    return answer();
}

static OTF2_CallbackCode
destroy_lock( void* data, OTF2_Lock lock )
{
    return use_lock( "destroy_lock", data, lock );
}

static OTF2_CallbackCode
take_lock( void* data, OTF2_Lock lock )
{
    return use_lock( "lock", data, lock );
}

static OTF2_CallbackCode
release_lock( void* data, OTF2_Lock lock )
{
    return use_lock( "unlock", data, lock );
}

static void
release_locks( void* data )
{
    EXPECT( data == &of_locks );
    printf( "  release_locks\n" );
}

static const OTF2_LockingCallbacks locking = { release_locks, make_lock, destroy_lock, take_lock, release_lock };

/* Flushes. */

static OTF2_FlushType
print_pre_flush( void* data, OTF2_FileType type, OTF2_LocationRef location, void* caller, bool final )
{
    EXPECT( data == &of_flushes );
    printf( "  pre_flush %u %lld %d %d\n", type, (long long)location, caller != NULL, final );
    return OTF2_FLUSH;
}

static OTF2_TimeStamp
print_post_flush( void* data, OTF2_FileType type, OTF2_LocationRef location )
{
    EXPECT( data == &of_flushes );
    printf( "  post_flush %u %lld\n", type, (long long)location );
    return 1;
}

static const OTF2_FlushCallbacks flushes = { print_pre_flush, print_post_flush };

static void*
allocate( void* data, OTF2_FileType type, OTF2_LocationRef location, void** of_buffer, uint64_t size )
{
    EXPECT( data == &of_memory && *of_buffer == NULL );
    printf( "  allocate %u %lld %llu\n", type, (long long)location, (unsigned long long)size );
    return *of_buffer = malloc( size );
}

static void
free_all( void* data, OTF2_FileType type, OTF2_LocationRef location, void** of_buffer, bool final )
{
    EXPECT( data == &of_memory );
    printf( "  free_all %u %lld %d\n", type, (long long)location, final );
    free( *of_buffer );
    *of_buffer = NULL;
}

static const OTF2_MemoryCallbacks memory = { allocate, free_all };

static OTF2_ErrorCode
on_error( void* data, const char* file, uint64_t line, const char* function, OTF2_ErrorCode code, const char* format,
          va_list arguments )
{
    ( void )data, ( void )file, ( void )line, ( void )function, ( void )format, ( void )arguments;
    return code;
}

/* Writing. */

static void
write_local_files( OTF2_Archive* archive )
{
    static const uint64_t table[] = { 3, 1, 2 };
    OTF2_LocationRef      of[]    = { 2 * own_rank, 2 * own_rank + 1 };
    OTF2_EvtWriter*       events[ 2 ];
    report( "OpenEvtFiles", OTF2_Archive_OpenEvtFiles( archive ) );
    for ( int i = 0; i < 2; i++ )
    {
        step( "GetEvtWriter" );
        events[ i ] = OTF2_Archive_GetEvtWriter( archive, of[ i ] );
        step( "again" );
        EXPECT( OTF2_Archive_GetEvtWriter( archive, of[ i ] ) == events[ i ] || failing_call );
        report( "Enter", OTF2_EvtWriter_Enter( events[ i ], NULL, 1, 1 ) );
        report( "Leave", OTF2_EvtWriter_Leave( events[ i ], NULL, 2, 1 ) );
    }
    step( "GetEvtWriter, undefined" );
    OTF2_EvtWriter* unnamed = OTF2_Archive_GetEvtWriter( archive, OTF2_UNDEFINED_LOCATION );
    report( "SetLocationID", OTF2_EvtWriter_SetLocationID( unnamed, 100 + own_rank ) );
    report( "CloseEvtWriter", OTF2_Archive_CloseEvtWriter( archive, unnamed ) );
    report( "CloseEvtWriter", OTF2_Archive_CloseEvtWriter( archive, events[ 0 ] ) );
    report( "CloseEvtFiles", OTF2_Archive_CloseEvtFiles( archive ) );
    report( "OpenDefFiles", OTF2_Archive_OpenDefFiles( archive ) );
    OTF2_IdMap* map = OTF2_IdMap_CreateFromUint64Array( 3, table, false );
    for ( int i = 0; i < 2; i++ )
    {
        step( "GetDefWriter" );
        OTF2_DefWriter* definitions = OTF2_Archive_GetDefWriter( archive, of[ i ] );
        report( "MappingTable", OTF2_DefWriter_WriteMappingTable( definitions, OTF2_MAPPING_REGION, map ) );
        report( "ClockOffset", OTF2_DefWriter_WriteClockOffset( definitions, 0, 0, 0 ) );
        report( "CloseDefWriter", i ? OTF2_Archive_CloseDefWriter( archive, definitions ) : OTF2_SUCCESS );
    }
    OTF2_IdMap_Free( map );
    report( "CloseDefFiles", OTF2_Archive_CloseDefFiles( archive ) );
    report( "OpenSnapFiles", OTF2_Archive_OpenSnapFiles( archive ) );
    step( "GetSnapWriter" );
    OTF2_SnapWriter* snapshots = OTF2_Archive_GetSnapWriter( archive, of[ 0 ] );
    report( "SnapshotStart", OTF2_SnapWriter_SnapshotStart( snapshots, NULL, 1, 0 ) );
    report( "CloseSnapWriter", OTF2_Archive_CloseSnapWriter( archive, snapshots ) );
    report( "CloseSnapFiles", OTF2_Archive_CloseSnapFiles( archive ) );
}

static void
write_global_files( OTF2_Archive* archive )
{
    static const uint64_t numbers[] = { 4, 5 };
    step( "GetGlobalDefWriter" );
    OTF2_GlobalDefWriter* definitions = OTF2_Archive_GetGlobalDefWriter( archive );
    report( "WriteString", OTF2_GlobalDefWriter_WriteString( definitions, 0, "" ) );
    for ( uint32_t location = 0; location < 2 * ranks; location++ )
    {
        report( "WriteLocation", OTF2_GlobalDefWriter_WriteLocation( definitions, location, 0,
                                                                      OTF2_LOCATION_TYPE_CPU_THREAD, 2, 0 ) );
    }
    step( "GetMarkerWriter" );
    OTF2_MarkerWriter* markers = OTF2_Archive_GetMarkerWriter( archive );
    report( "WriteDefMarker", OTF2_MarkerWriter_WriteDefMarker( markers, 0, "", "", OTF2_SEVERITY_LOW ) );
    report( "CloseMarkerWriter", OTF2_Archive_CloseMarkerWriter( archive, markers ) );
    step( "GetThumbWriter" );
    OTF2_ThumbWriter* thumbnail = OTF2_Archive_GetThumbWriter( archive, "", "", OTF2_THUMBNAIL_TYPE_REGION, 1, 2,
                                                               numbers );
    report( "WriteSample", OTF2_ThumbWriter_WriteSample( thumbnail, 1, 2, numbers ) );
}

static void
ask( OTF2_Archive* archive )
{
    uint64_t number = 0, other = 0;
    uint32_t count = 0;
    char*    string = NULL;
    char**   names  = NULL;
    bool     is_primary = false;
    report( "SetMachineName", OTF2_Archive_SetMachineName( archive, "machine" ) );
    report( "GetMachineName", OTF2_Archive_GetMachineName( archive, &string ) );
    free( string );
    report( "SetProperty", OTF2_Archive_SetProperty( archive, "A::B", "true", false ) );
    report( "SetProperty", OTF2_Archive_SetProperty( archive, "A::B", "false", false ) );
    report( "GetProperty", OTF2_Archive_GetProperty( archive, "A::B", &string ) );
    free( string );
    report( "GetProperty", OTF2_Archive_GetProperty( archive, "A::C", &string ) );
    report( "GetPropertyNames", OTF2_Archive_GetPropertyNames( archive, &count, &names ) );
    free( names );
    report( "GetChunkSize", OTF2_Archive_GetChunkSize( archive, &number, &other ) );
    report( "GetNumberOfLocations", OTF2_Archive_GetNumberOfLocations( archive, &number ) );
    report( "GetNumberOfGlobalDefinitions", OTF2_Archive_GetNumberOfGlobalDefinitions( archive, &number ) );
    report( "GetNumberOfSnapshots", OTF2_Archive_GetNumberOfSnapshots( archive, &count ) );
    report( "SetNumberOfSnapshots", OTF2_Archive_SetNumberOfSnapshots( archive, 1 ) );
    report( "IsPrimary", OTF2_Archive_IsPrimary( archive, &is_primary ) );
    EXPECT( is_primary == ( own_rank == 0 ) || failing_call );
}

static void
write_archive( void )
{
    step( "Open" );
    OTF2_Archive* archive = OTF2_Archive_Open( "archive", "traces", OTF2_FILEMODE_WRITE, 1 << 18, OTF2_UNDEFINED_UINT64,
                                               OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE );
    report( "SetLockingCallbacks", OTF2_Archive_SetLockingCallbacks( archive, &locking, &of_locks ) );
    report( "SetLockingCallbacks", OTF2_Archive_SetLockingCallbacks( archive, &locking, &of_locks ) );
    report( "SetFlushCallbacks", OTF2_Archive_SetFlushCallbacks( archive, &flushes, &of_flushes ) );
    report( "SetMemoryCallbacks", OTF2_Archive_SetMemoryCallbacks( archive, &memory, &of_memory ) );
    OTF2_ErrorCode code = OTF2_Archive_SetCollectiveCallbacks( archive, &collectives, &of_collectives, &global, &local );
    report( "SetCollectiveCallbacks", code );
    if ( code != OTF2_SUCCESS )
    {
        /* libotf2 would abort. */
        return;
    }
    report( "SetDefChunkSize", OTF2_Archive_SetDefChunkSize( archive, own_rank ? OTF2_UNDEFINED_UINT64 : 5 ) );
    report( "SetDefChunkSize", OTF2_Archive_SetDefChunkSize( archive, own_rank ? OTF2_UNDEFINED_UINT64 : 1 << 18 ) );
    report( "SetDefChunkSize", OTF2_Archive_SetDefChunkSize( archive, own_rank ? OTF2_UNDEFINED_UINT64 : 1 << 18 ) );
    write_local_files( archive );
    ask( archive );
    if ( own_rank == 0 )
    {
        write_global_files( archive );
    }
    else
    {
        step( "GetGlobalDefWriter" );
        EXPECT( !OTF2_Archive_GetGlobalDefWriter( archive ) );
    }
    step( "Close" );
    report( "Close", OTF2_Archive_Close( archive ) );
}

/* Reading. */

static OTF2_CallbackCode
print_string( void* data, OTF2_StringRef self, const char* string )
{
    ( void )data, ( void )self, ( void )string;
    step( "  string" );
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
print_enter( OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList* list, OTF2_RegionRef region )
{
    ( void )data, ( void )list;
    printf( "  enter %llu %llu %u\n", (unsigned long long)location, (unsigned long long)time, region );
    return OTF2_CALLBACK_SUCCESS;
}

static void
read_local_files( OTF2_Reader* reader )
{
    uint64_t         number = 0;
    OTF2_LocationRef of[]   = { 2 * own_rank, 2 * own_rank + 1 };
    for ( int i = 0; i < 2; i++ )
    {
        report( "SelectLocation", OTF2_Reader_SelectLocation( reader, of[ i ] ) );
    }
    report( "OpenDefFiles", OTF2_Reader_OpenDefFiles( reader ) );
    report( "OpenEvtFiles", OTF2_Reader_OpenEvtFiles( reader ) );
    for ( int i = 0; i < 2; i++ )
    {
        step( "GetDefReader" );
        OTF2_DefReader* definitions = OTF2_Reader_GetDefReader( reader, of[ i ] );
        report( "ReadAllLocalDefinitions", OTF2_Reader_ReadAllLocalDefinitions( reader, definitions, &number ) );
        report( "CloseDefReader", OTF2_Reader_CloseDefReader( reader, definitions ) );
        step( "GetEvtReader" );
        OTF2_EvtReader* events = OTF2_Reader_GetEvtReader( reader, of[ i ] );
        report( "ReadLocalEvents", OTF2_Reader_ReadLocalEvents( reader, events, 1, &number ) );
        report( "GetPos", OTF2_EvtReader_GetPos( events, &number ) );
        report( "ApplyMappingTables", OTF2_EvtReader_ApplyMappingTables( events, false ) );
        report( "Seek", OTF2_EvtReader_Seek( events, 1 ) );
    }
    report( "CloseDefFiles", OTF2_Reader_CloseDefFiles( reader ) );
    step( "GetGlobalEvtReader" );
    OTF2_GlobalEvtReader*          all       = OTF2_Reader_GetGlobalEvtReader( reader );
    OTF2_GlobalEvtReaderCallbacks* callbacks = OTF2_GlobalEvtReaderCallbacks_New();
    OTF2_GlobalEvtReaderCallbacks_SetEnterCallback( callbacks, print_enter );
    report( "Register", OTF2_Reader_RegisterGlobalEvtCallbacks( reader, all, callbacks, NULL ) );
    OTF2_GlobalEvtReaderCallbacks_Delete( callbacks );
    report( "ReadGlobalEvents", OTF2_Reader_ReadGlobalEvents( reader, all, 2, &number ) );
    report( "CloseGlobalEvtReader", OTF2_Reader_CloseGlobalEvtReader( reader, all ) );
    report( "CloseEvtFiles", OTF2_Reader_CloseEvtFiles( reader ) );
    report( "OpenSnapFiles", OTF2_Reader_OpenSnapFiles( reader ) );
    step( "GetSnapReader" );
    OTF2_SnapReader* snapshots = OTF2_Reader_GetSnapReader( reader, of[ 0 ] );
    report( "ReadAllLocalSnapshots", OTF2_Reader_ReadAllLocalSnapshots( reader, snapshots, &number ) );
    report( "CloseSnapReader", OTF2_Reader_CloseSnapReader( reader, snapshots ) );
    report( "CloseSnapFiles", OTF2_Reader_CloseSnapFiles( reader ) );
}

static void
read_archive( void )
{
    uint64_t number = 0;
    uint32_t count  = 0;
    uint8_t  byte   = 0;
    char*    string = NULL;
    bool     flag   = false;
    step( "Open" );
    OTF2_Reader* reader = OTF2_Reader_Open( "archive/traces.otf2" );
    report( "SetLockingCallbacks", OTF2_Reader_SetLockingCallbacks( reader, &locking, &of_locks ) );
    OTF2_ErrorCode code = OTF2_Reader_SetCollectiveCallbacks( reader, &collectives, &of_collectives, &global, &local );
    report( "SetCollectiveCallbacks", code );
    report( "IsPrimary", OTF2_Reader_IsPrimary( reader, &flag ) );
    report( "GetNumberOfLocations", OTF2_Reader_GetNumberOfLocations( reader, &number ) );
    report( "GetNumberOfSnapshots", OTF2_Reader_GetNumberOfSnapshots( reader, &count ) );
    report( "GetNumberOfThumbnails", OTF2_Reader_GetNumberOfThumbnails( reader, &count ) );
    report( "GetTraceId", OTF2_Reader_GetTraceId( reader, &number ) );
    report( "GetFileSubstrate", OTF2_Reader_GetFileSubstrate( reader, &byte ) );
    report( "GetCompression", OTF2_Reader_GetCompression( reader, &byte ) );
    report( "GetMachineName", OTF2_Reader_GetMachineName( reader, &string ) );
    free( string );
    report( "GetBoolProperty", OTF2_Reader_GetBoolProperty( reader, "A::B", &flag ) );
    step( "GetGlobalDefReader" );
    OTF2_GlobalDefReader*          definitions = OTF2_Reader_GetGlobalDefReader( reader );
    OTF2_GlobalDefReaderCallbacks* callbacks   = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetStringCallback( callbacks, print_string );
    report( "Register", OTF2_Reader_RegisterGlobalDefCallbacks( reader, definitions, callbacks, NULL ) );
    OTF2_GlobalDefReaderCallbacks_Delete( callbacks );
    report( "ReadAllGlobalDefinitions", OTF2_Reader_ReadAllGlobalDefinitions( reader, definitions, &number ) );
    report( "CloseGlobalDefReader", OTF2_Reader_CloseGlobalDefReader( reader, definitions ) );
    read_local_files( reader );
    step( "GetMarkerReader" );
    OTF2_MarkerReader* markers = OTF2_Reader_GetMarkerReader( reader );
    report( "ReadAllMarkers", OTF2_Reader_ReadAllMarkers( reader, markers, &number ) );
    report( "CloseMarkerReader", OTF2_Reader_CloseMarkerReader( reader, markers ) );
    step( "Close" );
    report( "Close", OTF2_Reader_Close( reader ) );
}

int
main( int argc, char** argv )
{
    pid_t children[ MOST_RANKS ];
    int   failed = 0;
    if ( argc < 3 || ( ranks = strtoul( argv[ 2 ], NULL, 10 ) ) > MOST_RANKS )
    {
        fprintf( stderr, "usage: transcripts write|read RANKS [CALL]\n" );
        return 2;
    }
    failing_call = argc > 3 ? strtoul( argv[ 3 ], NULL, 10 ) : 0;
    OTF2_Error_RegisterCallback( on_error, NULL );
    for ( uint32_t rank = 0; rank < ranks; rank++ )
    {
        EXPECT( pipe( down[ rank ] ) == 0 && pipe( up[ rank ] ) == 0 );
    }
    for ( uint32_t rank = 0; rank < ranks; rank++ )
    {
        children[ rank ] = fork();
        if ( children[ rank ] == 0 )
        {
            char name[ 20 ];
            snprintf( name, sizeof name, "rank%u", rank );
            own_rank = rank;
            EXPECT( freopen( name, "w", stdout ) != NULL );
            /* The output of a rank stays if it is aborted. */
            setvbuf( stdout, NULL, _IOLBF, 0 );
            strcmp( argv[ 1 ], "read" ) ? write_archive() : read_archive();
            fflush( stdout );
            _exit( 0 );
        }
    }
    for ( uint32_t rank = 0; rank < ranks; rank++ )
    {
        int status;
        EXPECT( waitpid( children[ rank ], &status, 0 ) == children[ rank ] );
        failed |= status;
    }
    for ( uint32_t rank = 0; rank < ranks; rank++ )
    {
        char  name[ 20 ], line[ 300 ];
        snprintf( name, sizeof name, "rank%u", rank );
        FILE* in = fopen( name, "r" );
        printf( "rank %u\n", rank );
        while ( in && fgets( line, sizeof line, in ) )
        {
            fputs( line, stdout );
        }
        fclose( in );
    }
    return failed != 0;
}
