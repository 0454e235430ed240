/*
 * Functions of a C++ program that leave the library by an exception, or by `longjmp`.
 *
 *     escapes throw|jump write|all|read
 *
 * The first, then the second, then each further call of such a function escapes. The program then
 * repeats the call of the library that did not return.
 *
 *     write  functions for flushes and memory escape: the files are those of an undisturbed run
 *     all    functions for locks, collectives and errors escape as well: the archive can be closed
 *     read   functions that receive records escape: each record is delivered once
 *
 * Archives are made in the current folder. The exit status reports a failure.
 */
#include <otf2/otf2.h>

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#define EXPECT( condition ) expect( ( condition ), #condition, __LINE__ )

static void
expect( bool holds, const char* condition, int line )
{
    if ( !holds )
    {
        std::fprintf( stderr, "line %d: %s\n", line, condition );
        std::_Exit( 1 );
    }
}

struct Escape : std::runtime_error
{
    Escape() : std::runtime_error( "out of the library" ) {}
};

static bool         jumps, all_escape;
static std::jmp_buf away;
static unsigned     calls, escapes, escape_at, escape_every;

static void
leave()
{
    escapes++;
    if ( jumps )
    {
        std::longjmp( away, 1 );
    }
    throw Escape();
}

/* Counts a call of a function of the program, and leaves the library if it is that one. */
static void
escape()
{
    calls++;
    if ( calls == escape_at || ( escape_every && calls % escape_every == 0 ) )
    {
        leave();
    }
}

/* Calls a function that calls the library. Returns false if it did not return. */
template<typename Call>
static bool
returns( const Call& call )
{
    if ( jumps )
    {
        if ( setjmp( away ) )
        {
            return false;
        }
        call();
        return true;
    }
    try
    {
        call();
        return true;
    }
    catch ( const Escape& caught )
    {
        EXPECT( !std::strcmp( caught.what(), "out of the library" ) );
        return false;
    }
}

/* Repeats a call until it returns. */
template<typename Call>
static void
repeat( const Call& call )
{
    while ( !returns( call ) )
    {
    }
}

/* Functions of the program. */

static OTF2_FlushType
pre_flush( void*, OTF2_FileType, OTF2_LocationRef, void*, bool )
{
    escape();
    return OTF2_FLUSH;
}

static OTF2_TimeStamp
post_flush( void*, OTF2_FileType, OTF2_LocationRef )
{
    escape();
    return 1000000;
}


static void*
allocate( void*, OTF2_FileType type, OTF2_LocationRef, void** of_buffer, uint64_t size )
{
    escape();
    /* A flush of events after every second chunk. */
    std::vector<void*>*& chunks = *reinterpret_cast<std::vector<void*>**>( of_buffer );
    if ( !chunks )
    {
        chunks = new std::vector<void*>;
    }
    if ( type == OTF2_FILETYPE_EVENTS && chunks->size() == 2 )
    {
        return nullptr;
    }
    chunks->push_back( std::malloc( size ) );
    return chunks->back();
}

static void
free_all( void*, OTF2_FileType, OTF2_LocationRef, void** of_buffer, bool final )
{
    std::vector<void*>*& chunks = *reinterpret_cast<std::vector<void*>**>( of_buffer );
    if ( chunks )
    {
        for ( void* chunk : *chunks )
        {
            std::free( chunk );
        }
        chunks->clear();
    }
    if ( final )
    {
        delete chunks;
        chunks = nullptr;
    }
    escape();
}

static const OTF2_FlushCallbacks  flush  = { pre_flush, post_flush };
static const OTF2_MemoryCallbacks memory = { allocate, free_all };

static void
escape_if_all()
{
    if ( all_escape )
    {
        escape();
    }
}

static int locked, locks;

static OTF2_CallbackCode
make_lock( void*, OTF2_Lock* lock )
{
    escape_if_all();
    *lock = reinterpret_cast<OTF2_Lock>( &locked );
    locks++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
destroy_lock( void*, OTF2_Lock )
{
    locks--;
    escape_if_all();
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
take_lock( void*, OTF2_Lock )
{
    escape_if_all();
    locked++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
release_lock( void*, OTF2_Lock )
{
    locked--;
    escape_if_all();
    return OTF2_CALLBACK_SUCCESS;
}

static void
release_locks( void* )
{
    escape_if_all();
}

static const OTF2_LockingCallbacks locking = { release_locks, make_lock, destroy_lock, take_lock, release_lock };

static OTF2_CallbackCode
get_size( void*, OTF2_CollectiveContext*, uint32_t* size )
{
    escape_if_all();
    *size = 1;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
get_rank( void*, OTF2_CollectiveContext*, uint32_t* rank )
{
    escape_if_all();
    *rank = 0;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
barrier( void*, OTF2_CollectiveContext* )
{
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
bcast( void*, OTF2_CollectiveContext*, void*, uint32_t, OTF2_Type, uint32_t )
{
    escape_if_all();
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
gather( void*, OTF2_CollectiveContext*, const void*, void*, uint32_t, OTF2_Type, uint32_t )
{
    return OTF2_CALLBACK_ERROR;
}

static OTF2_CallbackCode
gatherv( void*, OTF2_CollectiveContext*, const void*, uint32_t, void*, const uint32_t*, OTF2_Type, uint32_t )
{
    return OTF2_CALLBACK_ERROR;
}

static OTF2_CallbackCode
scatterv( void*, OTF2_CollectiveContext*, const void*, const uint32_t*, void*, uint32_t, OTF2_Type, uint32_t )
{
    return OTF2_CALLBACK_ERROR;
}

static void
release( void*, OTF2_CollectiveContext*, OTF2_CollectiveContext* )
{
    escape_if_all();
}

static const OTF2_CollectiveCallbacks collectives = { release, get_size, get_rank, nullptr, nullptr, barrier, bcast,
                                                      gather, gatherv, gather, scatterv };

static OTF2_ErrorCode
on_error( void*, const char*, uint64_t, const char*, OTF2_ErrorCode code, const char*, va_list )
{
    escape_if_all();
    return code;
}

/* Writing. */

static uint64_t references[] = { 4, 5 };

static void
write_events( OTF2_Archive* archive, OTF2_LocationRef location, uint64_t count )
{
    OTF2_EvtWriter*     events = nullptr;
    OTF2_AttributeList* list   = OTF2_AttributeList_New();
    repeat( [ & ] { events = OTF2_Archive_GetEvtWriter( archive, location ); } );
    EXPECT( events );
    for ( uint64_t event = 0; event < count; event++ )
    {
        /* A call that did not return wrote nothing. */
        uint64_t written = 0, before = 0;
        EXPECT( OTF2_EvtWriter_GetNumberOfEvents( events, &before ) == OTF2_SUCCESS );
        if ( event % 100 == 0 )
        {
            EXPECT( OTF2_AttributeList_AddUint64( list, 1, event ) == OTF2_SUCCESS );
        }
        OTF2_ErrorCode code = OTF2_ERROR_INVALID;
        repeat( [ & ] { code = OTF2_EvtWriter_Enter( events, list, event / 2, event % 300 ); } );
        EXPECT( code == OTF2_SUCCESS );
        EXPECT( OTF2_EvtWriter_GetNumberOfEvents( events, &written ) == OTF2_SUCCESS );
        EXPECT( written == before + 1 || written == before + 2 );
    }
    repeat( [ & ] { OTF2_Archive_CloseEvtWriter( archive, events ); } );
    EXPECT( OTF2_AttributeList_Delete( list ) == OTF2_SUCCESS );
}

static void
write_others( OTF2_Archive* archive )
{
    for ( OTF2_LocationRef location = 0; location < 2; location++ )
    {
        OTF2_DefWriter*  definitions = nullptr;
        OTF2_SnapWriter* snapshots   = nullptr;
        repeat( [ & ] { definitions = OTF2_Archive_GetDefWriter( archive, location ); } );
        repeat( [ & ] { snapshots = OTF2_Archive_GetSnapWriter( archive, location ); } );
        EXPECT( definitions && snapshots );
        /* More than one chunk. */
        for ( uint32_t string = 0; string < 10000; string++ )
        {
            repeat( [ & ] { OTF2_DefWriter_WriteString( definitions, string, "a text of about thirty letters" ); } );
        }
        for ( uint64_t record = 0; record < 30; record++ )
        {
            repeat( [ & ] { OTF2_SnapWriter_SnapshotStart( snapshots, nullptr, record, 1 ); } );
        }
    }
    OTF2_GlobalDefWriter* definitions = nullptr;
    OTF2_MarkerWriter*    markers     = nullptr;
    OTF2_ThumbWriter*     thumbnail   = nullptr;
    repeat( [ & ] { definitions = OTF2_Archive_GetGlobalDefWriter( archive ); } );
    repeat( [ & ] { markers = OTF2_Archive_GetMarkerWriter( archive ); } );
    EXPECT( definitions && markers );
    for ( uint32_t string = 0; string < 100; string++ )
    {
        repeat( [ & ] { OTF2_GlobalDefWriter_WriteString( definitions, string, "text" ); } );
        repeat( [ & ] { OTF2_MarkerWriter_WriteDefMarker( markers, string, "a", "b", OTF2_SEVERITY_LOW ); } );
    }
    repeat( [ & ] {
        thumbnail = OTF2_Archive_GetThumbWriter( archive, "name", "", OTF2_THUMBNAIL_TYPE_REGION, 2, 2, references );
    } );
    EXPECT( thumbnail );
    repeat( [ & ] { OTF2_ThumbWriter_WriteSample( thumbnail, 1, 2, references ); } );
    repeat( [ & ] { OTF2_ThumbWriter_WriteSample( thumbnail, 1, 2, references ); } );
    /* Most writers are left to the archive. */
    repeat( [ & ] { OTF2_Archive_CloseMarkerWriter( archive, markers ); } );
}

static void
write_archive( const std::string& path )
{
    OTF2_Archive* archive = OTF2_Archive_Open( path.c_str(), "traces", OTF2_FILEMODE_WRITE, 262144, 262144,
                                               OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE );
    EXPECT( archive );
    if ( all_escape )
    {
        repeat( [ & ] { OTF2_Archive_SetLockingCallbacks( archive, &locking, nullptr ); } );
    }
    EXPECT( OTF2_Archive_SetFlushCallbacks( archive, &flush, nullptr ) == OTF2_SUCCESS );
    EXPECT( OTF2_Archive_SetMemoryCallbacks( archive, &memory, nullptr ) == OTF2_SUCCESS );
    /* If this does not return, the folders exist, and the archive can only be closed. */
    bool is_set = returns( [ & ] {
        EXPECT( OTF2_Archive_SetCollectiveCallbacks( archive, &collectives, nullptr, nullptr, nullptr )
                == OTF2_SUCCESS );
    } );
    if ( is_set )
    {
        write_events( archive, 0, 70000 );
        write_events( archive, 1, 700 );
        write_others( archive );
        if ( all_escape )
        {
            char* value = nullptr;
            /* Failures call the handler of errors. */
            repeat( [ & ] { EXPECT( OTF2_Archive_GetEvtReader( archive, 0 ) == nullptr ); } );
            repeat( [ & ] { EXPECT( OTF2_Archive_SetProperty( archive, "x", "y", true ) != OTF2_SUCCESS ); } );
            repeat( [ & ] { EXPECT( OTF2_Archive_GetProperty( archive, "A::B", &value ) != OTF2_SUCCESS ); } );
        }
    }
    OTF2_ErrorCode code = OTF2_ERROR_INVALID;
    repeat( [ & ] { code = OTF2_Archive_Close( archive ); } );
    EXPECT( code == OTF2_SUCCESS );
}

static std::string
content( const std::string& path )
{
    std::ifstream file( path, std::ios::binary );
    return { std::istreambuf_iterator<char>( file ), std::istreambuf_iterator<char>() };
}

static const char* const files[] = { "traces.def", "traces.marker", "traces.0.thumb", "traces/0.evt", "traces/1.evt",
                                     "traces/0.def", "traces/1.def", "traces/0.snap", "traces/1.snap" };

static void
expect_same_files( const std::string& path )
{
    for ( const char* file : files )
    {
        std::string found = content( path + "/" + file );
        if ( content( std::string( "first/" ) + file ) != found || found.empty() )
        {
            std::fprintf( stderr, "%s/%s differs\n", path.c_str(), file );
            std::_Exit( 1 );
        }
    }
    EXPECT( content( path + "/traces.otf2" ).size() == content( "first/traces.otf2" ).size() );
}

static void
escape_while_writing( unsigned step )
{
    write_archive( "first" );
    unsigned last = calls;
    EXPECT( escapes == 0 && last > 40 );
    for ( unsigned at = 1; at <= last; at += step )
    {
        std::string path = "archive" + std::to_string( at );
        calls = escapes = 0;
        escape_at = at;
        write_archive( path );
        EXPECT( escapes == 1 );
        if ( !all_escape )
        {
            expect_same_files( path );
        }
        /* Jumps pass by the code that would release a lock. */
        EXPECT( locks == 0 && ( jumps || locked == 0 ) );
        locked = 0;
        EXPECT( std::system( ( "rm -rf " + path ).c_str() ) == 0 );
    }
    std::printf( "%u calls\n", last );
}

/* Reading. */

static uint64_t seen;

static OTF2_CallbackCode
count()
{
    seen++;
    escape();
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
local_enter( OTF2_LocationRef, OTF2_TimeStamp, uint64_t, void*, OTF2_AttributeList*, OTF2_RegionRef )
{
    return count();
}

static OTF2_CallbackCode
global_enter( OTF2_LocationRef, OTF2_TimeStamp, void*, OTF2_AttributeList*, OTF2_RegionRef )
{
    return count();
}

static OTF2_CallbackCode
snapshot( OTF2_LocationRef, OTF2_TimeStamp, void*, OTF2_AttributeList*, uint64_t )
{
    return count();
}

static OTF2_CallbackCode
string( void*, OTF2_StringRef, const char* )
{
    return count();
}

static OTF2_CallbackCode
marker( void*, OTF2_MarkerRef, const char*, const char*, OTF2_MarkerSeverity )
{
    return count();
}

static void
pair( uint64_t, uint64_t, void* )
{
    count();
}

/* Reads to the end in spite of the escapes. Returns the number of records. */
template<typename Read>
static uint64_t
read_all( const Read& read )
{
    uint64_t before = seen;
    repeat( [ & ] {
        uint64_t number = 0;
        EXPECT( read( &number ) == OTF2_SUCCESS );
    } );
    return seen - before;
}

static void
read_locations( OTF2_Reader* reader )
{
    for ( OTF2_LocationRef location = 0; location < 2; location++ )
    {
        OTF2_DefReader*          definitions = OTF2_Reader_GetDefReader( reader, location );
        OTF2_DefReaderCallbacks* of_strings  = OTF2_DefReaderCallbacks_New();
        OTF2_DefReaderCallbacks_SetStringCallback( of_strings, string );
        OTF2_Reader_RegisterDefCallbacks( reader, definitions, of_strings, nullptr );
        OTF2_DefReaderCallbacks_Delete( of_strings );
        EXPECT( read_all( [ & ]( uint64_t* n ) { return OTF2_Reader_ReadAllLocalDefinitions( reader, definitions, n ); } )
                == 10000 );
        EXPECT( OTF2_Reader_CloseDefReader( reader, definitions ) == OTF2_SUCCESS );

        OTF2_EvtReader*          events    = OTF2_Reader_GetEvtReader( reader, location );
        OTF2_EvtReaderCallbacks* of_events = OTF2_EvtReaderCallbacks_New();
        OTF2_EvtReaderCallbacks_SetEnterCallback( of_events, local_enter );
        OTF2_Reader_RegisterEvtCallbacks( reader, events, of_events, nullptr );
        OTF2_EvtReaderCallbacks_Delete( of_events );
        EXPECT( read_all( [ & ]( uint64_t* n ) { return OTF2_Reader_ReadAllLocalEvents( reader, events, n ); } )
                == ( location ? 700 : 70000 ) );
        EXPECT( OTF2_Reader_CloseEvtReader( reader, events ) == OTF2_SUCCESS );

        OTF2_SnapReader*          snapshots    = OTF2_Reader_GetSnapReader( reader, location );
        OTF2_SnapReaderCallbacks* of_snapshots = OTF2_SnapReaderCallbacks_New();
        OTF2_SnapReaderCallbacks_SetSnapshotStartCallback( of_snapshots, snapshot );
        OTF2_Reader_RegisterSnapCallbacks( reader, snapshots, of_snapshots, nullptr );
        OTF2_SnapReaderCallbacks_Delete( of_snapshots );
        EXPECT( read_all( [ & ]( uint64_t* n ) { return OTF2_Reader_ReadAllLocalSnapshots( reader, snapshots, n ); } )
                == 30 );
        EXPECT( OTF2_Reader_CloseSnapReader( reader, snapshots ) == OTF2_SUCCESS );
    }
}

static void
read_in_order( OTF2_Reader* reader )
{
    for ( OTF2_LocationRef location = 0; location < 2; location++ )
    {
        EXPECT( OTF2_Reader_GetEvtReader( reader, location ) && OTF2_Reader_GetSnapReader( reader, location ) );
    }
    OTF2_GlobalEvtReader*          events    = OTF2_Reader_GetGlobalEvtReader( reader );
    OTF2_GlobalEvtReaderCallbacks* of_events = OTF2_GlobalEvtReaderCallbacks_New();
    OTF2_GlobalEvtReaderCallbacks_SetEnterCallback( of_events, global_enter );
    OTF2_Reader_RegisterGlobalEvtCallbacks( reader, events, of_events, nullptr );
    OTF2_GlobalEvtReaderCallbacks_Delete( of_events );
    EXPECT( read_all( [ & ]( uint64_t* n ) { return OTF2_Reader_ReadAllGlobalEvents( reader, events, n ); } )
            == 70700 );

    OTF2_GlobalSnapReader*          snapshots    = OTF2_Reader_GetGlobalSnapReader( reader );
    OTF2_GlobalSnapReaderCallbacks* of_snapshots = OTF2_GlobalSnapReaderCallbacks_New();
    OTF2_GlobalSnapReaderCallbacks_SetSnapshotStartCallback( of_snapshots, snapshot );
    OTF2_Reader_RegisterGlobalSnapCallbacks( reader, snapshots, of_snapshots, nullptr );
    OTF2_GlobalSnapReaderCallbacks_Delete( of_snapshots );
    EXPECT( read_all( [ & ]( uint64_t* n ) { return OTF2_Reader_ReadAllGlobalSnapshots( reader, snapshots, n ); } )
            == 60 );
}

static void
read_archive()
{
    OTF2_Reader* reader = OTF2_Reader_Open( "first/traces.otf2" );
    EXPECT( OTF2_Reader_SetSerialCollectiveCallbacks( reader ) == OTF2_SUCCESS );
    OTF2_GlobalDefReader*          definitions = OTF2_Reader_GetGlobalDefReader( reader );
    OTF2_GlobalDefReaderCallbacks* of_strings  = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetStringCallback( of_strings, string );
    OTF2_Reader_RegisterGlobalDefCallbacks( reader, definitions, of_strings, nullptr );
    OTF2_GlobalDefReaderCallbacks_Delete( of_strings );
    EXPECT( read_all( [ & ]( uint64_t* n ) { return OTF2_Reader_ReadAllGlobalDefinitions( reader, definitions, n ); } )
            == 100 );

    OTF2_MarkerReader*          markers    = OTF2_Reader_GetMarkerReader( reader );
    OTF2_MarkerReaderCallbacks* of_markers = OTF2_MarkerReaderCallbacks_New();
    OTF2_MarkerReaderCallbacks_SetDefMarkerCallback( of_markers, marker );
    OTF2_Reader_RegisterMarkerCallbacks( reader, markers, of_markers, nullptr );
    OTF2_MarkerReaderCallbacks_Delete( of_markers );
    EXPECT( read_all( [ & ]( uint64_t* n ) { return OTF2_Reader_ReadAllMarkers( reader, markers, n ); } ) == 100 );

    read_locations( reader );
    read_in_order( reader );
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );
}

static void
traverse()
{
    static const uint64_t table[] = { 3, 2, 1, 0 };
    OTF2_IdMap*           map     = OTF2_IdMap_CreateFromUint64Array( 4, table, false );
    calls     = 0;
    escape_at = 3;
    EXPECT( !returns( [ & ] { OTF2_IdMap_Traverse( map, pair, nullptr ); } ) && calls == 3 );
    EXPECT( returns( [ & ] { OTF2_IdMap_Traverse( map, pair, nullptr ); } ) && calls == 7 );
    OTF2_IdMap_Free( map );
}

int
main( int argc, char** argv )
{
    if ( argc != 3 )
    {
        std::fprintf( stderr, "usage: escapes throw|jump write|all|read\n" );
        return 2;
    }
    OTF2_Error_RegisterCallback( on_error, nullptr );
    jumps            = !std::strcmp( argv[ 1 ], "jump" );
    all_escape       = !std::strcmp( argv[ 2 ], "all" );
    const bool reads = !std::strcmp( argv[ 2 ], "read" );
    if ( reads )
    {
        write_archive( "first" );
        calls = escapes = 0;
        escape_every = 3;
        read_archive();
        EXPECT( escapes > 50000 );
        escape_every = 0;
        traverse();
        return 0;
    }
    escape_while_writing( all_escape ? 5 : 1 );
    return 0;
}
