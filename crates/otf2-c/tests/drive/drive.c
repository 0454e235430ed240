/*
 * Makes a random sequence of calls, and prints the answers of the library: return codes, results,
 * and the arguments of callbacks.
 *
 *     drive write SEED        writes the archive ./traces.otf2
 *     drive make SEED         likewise, of records that libotf2 reads without faults
 *     drive read SEED ANCHOR  reads an archive
 *     drive read-made SEED ANCHOR
 *                             reads an archive that this program made
 *     drive objects SEED      attribute lists, id maps, names of errors
 *     drive damage SEED ANCHOR CASES
 *                             reads an archive with damaged files, a number of times
 *
 * The same seed makes the same calls with every library. The parts for records are in `records.h`,
 * which the test generates from the record tables.
 */
#include <otf2/otf2.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/random.h"

/* Returns numbers of all lengths, small ones more often; the largest is "undefined". */
static uint64_t
number( void )
{
    switch ( below( 8 ) )
    {
        case 0:
            return any() >> below( 64 );
        case 1:
            return UINT64_MAX;
        case 2:
            return below( 70000 );
        default:
            return below( 200 );
    }
}

static double
real( void )
{
    return once_in( 4 ) ? (double)any() * 1e-3 : (double)below( 1000 ) / 8;
}

static const char*
text( void )
{
    static const char* const texts[] = { "", "a", "name", "\xc3\xa4 \xff", "a longer text with %s and %n in it" };
    static char              large[ 5000 ];
    if ( once_in( 200 ) )
    {
        memset( large, 'x', sizeof large - 1 );
        large[ below( sizeof large ) ] = '\0';
        return large;
    }
    return texts[ below( 5 ) ];
}

/* Elements of lists. */

enum { MOST = 255 };
static uint8_t             types[ MOST ], properties[ MOST ];
static OTF2_MetricValue    metrics[ MOST ];
static OTF2_AttributeValue values[ MOST ];
static uint32_t            numbers32[ MOST ];
static uint64_t            numbers64[ MOST ];

static uint32_t
elements( int is_metric )
{
    static const uint8_t metric_types[] = { OTF2_TYPE_UINT64, OTF2_TYPE_INT64, OTF2_TYPE_DOUBLE };
    uint32_t             count          = once_in( 50 ) ? below( MOST + 1 ) : below( 5 );
    for ( uint32_t i = 0; i < count; i++ )
    {
        types[ i ]                = is_metric ? metric_types[ below( 3 ) ] : below( 27 );
        properties[ i ]           = below( 4 );
        metrics[ i ].unsigned_int = number();
        values[ i ].uint64        = number();
        numbers32[ i ]            = number();
        numbers64[ i ]            = number();
    }
    return count;
}

static uint8_t value_type;

/* Returns a type whose value follows. */
static uint8_t
type_of_value( void )
{
    return value_type = once_in( 20 ) ? below( 256 ) : below( 27 );
}

static OTF2_AttributeValue
any_value( void )
{
    OTF2_AttributeValue value;
    value.uint64 = number();
    return value;
}

/* Printing. Values are printed as far as their type defines them. */

static uint64_t
defined( uint8_t type, uint64_t value )
{
    switch ( type )
    {
        case OTF2_TYPE_UINT8:
        case OTF2_TYPE_INT8:
            return (uint8_t)value;
        case OTF2_TYPE_UINT16:
        case OTF2_TYPE_INT16:
            return (uint16_t)value;
        case OTF2_TYPE_UINT64:
        case OTF2_TYPE_INT64:
        case OTF2_TYPE_DOUBLE:
        case OTF2_TYPE_LOCATION:
            return value;
        case OTF2_TYPE_NONE:
            return 0;
        default:
            return type > OTF2_TYPE_LOCATION_GROUP ? value : (uint32_t)value;
    }
}

static void
print_value( uint8_t type, OTF2_AttributeValue value )
{
    printf( " %u:%llx", type, (unsigned long long)defined( type, value.uint64 ) );
}

static void
print_values( uint32_t count, const uint8_t* of, const OTF2_AttributeValue* list )
{
    for ( uint32_t i = 0; i < count; i++ )
    {
        print_value( of[ i ], list[ i ] );
    }
}

static void
print_metrics( uint32_t count, const uint8_t* of, const OTF2_MetricValue* list )
{
    for ( uint32_t i = 0; i < count; i++ )
    {
        printf( " %u:%llx", of[ i ], (unsigned long long)list[ i ].unsigned_int );
    }
}

static void
print_bytes( uint32_t count, const uint8_t* list )
{
    for ( uint32_t i = 0; i < count; i++ )
    {
        printf( " %u", list[ i ] );
    }
}

static void
print32( uint32_t count, const uint32_t* list )
{
    for ( uint32_t i = 0; i < count; i++ )
    {
        printf( " %u", list[ i ] );
    }
}

static void
print64( uint32_t count, const uint64_t* list )
{
    for ( uint32_t i = 0; i < count; i++ )
    {
        printf( " %llu", (unsigned long long)list[ i ] );
    }
}

static void
print_pair( uint64_t local, uint64_t global, void* data )
{
    ( void )data;
    printf( " %llu>%llu", (unsigned long long)local, (unsigned long long)global );
}

static void
print_map( const OTF2_IdMap* map )
{
    uint64_t       size = 0;
    OTF2_IdMapMode mode = 0;
    OTF2_IdMap_GetSize( map, &size );
    OTF2_IdMap_GetMode( map, &mode );
    printf( " map %u %llu", mode, (unsigned long long)size );
    OTF2_IdMap_Traverse( map, print_pair, NULL );
}

static void
print_list( OTF2_AttributeList* list )
{
    uint32_t            count = OTF2_AttributeList_GetNumberOfElements( list );
    OTF2_AttributeRef   attribute;
    OTF2_Type           type;
    OTF2_AttributeValue value;
    for ( uint32_t i = 0; i < count; i++ )
    {
        OTF2_AttributeList_GetAttributeByIndex( list, i, &attribute, &type, &value );
        printf( " [%u", attribute );
        print_value( type, value );
        printf( "]" );
    }
}

static void
head( const char* kind, const char* name, OTF2_LocationRef location, OTF2_TimeStamp time, OTF2_AttributeList* list )
{
    printf( "%s %s %llu %llu", kind, name, (unsigned long long)location, (unsigned long long)time );
    print_list( list );
    printf( " |" );
}

/* The answer of a reading callback. */

static uint64_t interrupt_once_in;

static OTF2_CallbackCode
answer( void )
{
    printf( "\n" );
    return interrupt_once_in && once_in( interrupt_once_in ) ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

static int
is_wanted( void )
{
    return !once_in( 12 );
}

/* Whether the archive is made of records that libotf2 reads without faults. */
static int is_made;

/* If a table maps two attributes of an event to one, libotf2 cannot read the event. */
static uint64_t
mapping_type( void )
{
    uint64_t type = below( 9 );
    return is_made && type == OTF2_MAPPING_ATTRIBUTE ? OTF2_MAPPING_REGION : type;
}

/* Times that a correction moves beyond 64 bits are undefined in libotf2. */
static uint64_t
corrected( uint64_t end )
{
    uint64_t time = number();
    return is_made ? time % end : time;
}

/* Without a callback for calling contexts, libotf2 looks for their regions by the order of the
 * definitions instead of by their ids, which are random in archives that this program made. */
static int
is_context_wanted( void )
{
    return is_wanted() || is_made;
}

#include "records.h"

/* Failures are passed on, by another code in some sequences. */

static int changes_codes;

static OTF2_ErrorCode
on_error( void* data, const char* file, uint64_t line, const char* function, OTF2_ErrorCode code, const char* format,
          va_list arguments )
{
    ( void )data, ( void )file, ( void )line, ( void )function, ( void )format, ( void )arguments;
    return changes_codes && code > 0 ? OTF2_ERROR_EDOM : code;
}

static void
report( const char* call, OTF2_ErrorCode code )
{
    printf( "%s = %d\n", call, code );
}

/* Writing. */

enum { LOCATIONS = 3 };

static int                 answers_flush = 1;
static unsigned            chunks_in_use, chunks_allowed, has_pool;
static OTF2_TimeStamp      now = 1000;
static OTF2_Archive*       archive;
static OTF2_EvtWriter*     events[ LOCATIONS ];
static OTF2_SnapWriter*    snapshots[ LOCATIONS ];
static OTF2_DefWriter*     definitions[ LOCATIONS ];
static OTF2_GlobalDefWriter* global_definitions;
static OTF2_MarkerWriter*  markers;
static OTF2_TimeStamp      snapshot_time[ LOCATIONS ];
/* Whether memory callbacks provided a chunk since the last rewind point was cleared. */
static int                 has_new_chunk[ LOCATIONS ];

static OTF2_FlushType
pre_flush( void* data, OTF2_FileType type, OTF2_LocationRef location, void* caller, bool final )
{
    ( void )data;
    int flushes = answers_flush && !( type == OTF2_FILETYPE_EVENTS && final && once_in( 20 ) );
    printf( "pre_flush %u %llu %d %d = %d\n", type, (unsigned long long)location, caller != NULL, final, flushes );
    return flushes ? OTF2_FLUSH : OTF2_NO_FLUSH;
}

static OTF2_TimeStamp
post_flush( void* data, OTF2_FileType type, OTF2_LocationRef location )
{
    ( void )data;
    printf( "post_flush %u %llu\n", type, (unsigned long long)location );
    return now + 7;
}

typedef struct Chunk
{
    struct Chunk* next;
} Chunk;

static void*
allocate( void* data, OTF2_FileType type, OTF2_LocationRef location, void** of_buffer, uint64_t size )
{
    ( void )data;
    Chunk* chunk = NULL;
    if ( type != OTF2_FILETYPE_EVENTS || chunks_in_use < chunks_allowed )
    {
        /* Exactly the size, so that a tool for memory errors finds writing beyond it. */
        char* memory = malloc( sizeof *chunk + size );
        chunk       = (Chunk*)memory;
        chunk->next = *of_buffer;
        *of_buffer  = chunk;
        chunks_in_use += type == OTF2_FILETYPE_EVENTS;
        /* The first writer has no location at first. */
        has_new_chunk[ location < LOCATIONS ? location : 0 ] |= type == OTF2_FILETYPE_EVENTS;
    }
    printf( "allocate %u %llu %llu = %d\n", type, (unsigned long long)location, (unsigned long long)size,
            chunk != NULL );
    return chunk ? chunk + 1 : NULL;
}

static void
free_all( void* data, OTF2_FileType type, OTF2_LocationRef location, void** of_buffer, bool final )
{
    ( void )data;
    unsigned count = 0;
    for ( Chunk* chunk = *of_buffer; chunk; count++ )
    {
        Chunk* next = chunk->next;
        free( chunk );
        chunks_in_use -= type == OTF2_FILETYPE_EVENTS;
        chunk = next;
    }
    *of_buffer = NULL;
    printf( "free_all %u %llu %d: %u\n", type, (unsigned long long)location, final, count );
}

static OTF2_CallbackCode
make_lock( void* data, OTF2_Lock* lock )
{
    ( void )data;
    *lock = malloc( 1 );
    return OTF2_CALLBACK_SUCCESS;
}

static int locked;

static OTF2_CallbackCode
destroy_lock( void* data, OTF2_Lock lock )
{
    ( void )data;
    free( lock );
    printf( "destroy_lock %d\n", locked );
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
take_lock( void* data, OTF2_Lock lock )
{
    ( void )data, ( void )lock;
    if ( locked++ )
    {
        printf( "a lock is nested\n" );
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
release_lock( void* data, OTF2_Lock lock )
{
    ( void )data, ( void )lock;
    locked--;
    return OTF2_CALLBACK_SUCCESS;
}

static void
release_locks( void* data )
{
    ( void )data;
    printf( "release_locks\n" );
}

static uint64_t
chunk_size( void )
{
    return once_in( 3 ) ? 262144 + below( 100000 ) : 262144;
}

static OTF2_AttributeList* list;

static OTF2_AttributeList*
attributes( void )
{
    if ( once_in( 10 ) )
    {
        for ( uint64_t i = below( 5 ); i > 0; i-- )
        {
            OTF2_AttributeRef attribute = number();
            OTF2_Type         type      = type_of_value();
            OTF2_AttributeList_AddAttribute( list, attribute, type, any_value() );
        }
    }
    return once_in( 4 ) ? NULL : list;
}

/* Going back over the end of a chunk, libotf2 restores the place of the memory callbacks for the
 * buffer, so that they forget the later chunk. */
static void
forget_earlier_chunks( unsigned location )
{
    for ( uint32_t id = 0; has_new_chunk[ location ] && id < 3; id++ )
    {
        OTF2_EvtWriter_ClearRewindPoint( events[ location ], id );
    }
    has_new_chunk[ location ] = 0;
}

static void
write_event( void )
{
    unsigned location = below( LOCATIONS );
    now += once_in( 5 ) ? 0 : below( 100 );
    OTF2_AttributeList* with = attributes();
    OTF2_TimeStamp      time = once_in( 300 ) ? now - 1000 : now;
    OTF2_ErrorCode      code = write_Event( events[ location ], with, time, below( NUMBER_OF_EVENTS ) );
    forget_earlier_chunks( location );
    if ( code != OTF2_SUCCESS || once_in( 500 ) )
    {
        uint64_t written = 0;
        OTF2_EvtWriter_GetNumberOfEvents( events[ location ], &written );
        printf( "event %u = %d, %llu, %u\n", location, code, (unsigned long long)written,
                OTF2_AttributeList_GetNumberOfElements( list ) );
    }
}

/* Many attributes, so that chunks end in and before them. */
static void
write_long_event( void )
{
    unsigned location = below( LOCATIONS );
    OTF2_AttributeList_RemoveAllAttributes( list );
    /* A chunk can contain up to some 17,000 attributes. If there are more, libotf2 forgets a chunk of
     * the memory callbacks, and writes two time stamps in sequence, which it cannot read. */
    uint32_t count = !has_pool && once_in( 10 ) && !is_made ? 17000 + below( 1000 ) : below( 2000 );
    for ( uint32_t attribute = count; attribute > 0; attribute-- )
    {
        OTF2_AttributeList_AddUint64( list, attribute, any() );
    }
    printf( "%u attributes in %u\n", OTF2_AttributeList_GetNumberOfElements( list ), location );
    report( "long event", OTF2_EvtWriter_Enter( events[ location ], list, now, 1 ) );
    forget_earlier_chunks( location );
    OTF2_AttributeList_RemoveAllAttributes( list );
}

static uint64_t stored_at[ LOCATIONS ][ 3 ];

/* Going back to a point and then forward to a later one makes unreadable files with libotf2, so
 * later points are removed. */
static void
remove_later_points( unsigned location, uint64_t written )
{
    for ( uint32_t id = 0; id < 3; id++ )
    {
        if ( stored_at[ location ][ id ] > written )
        {
            report( "clear", OTF2_EvtWriter_ClearRewindPoint( events[ location ], id ) );
            stored_at[ location ][ id ] = 0;
        }
    }
}

static void
rewind_events( void )
{
    unsigned location = below( LOCATIONS );
    uint32_t id       = below( 3 );
    uint64_t written  = 0;
    switch ( below( 4 ) )
    {
        case 0:
            report( "rewind", OTF2_EvtWriter_Rewind( events[ location ], id ) );
            OTF2_EvtWriter_GetNumberOfEvents( events[ location ], &written );
            remove_later_points( location, written );
            break;
        case 1:
            report( "clear", OTF2_EvtWriter_ClearRewindPoint( events[ location ], id ) );
            break;
        default:
            report( "store", OTF2_EvtWriter_StoreRewindPoint( events[ location ], id ) );
            OTF2_EvtWriter_GetNumberOfEvents( events[ location ], &written );
            stored_at[ location ][ id ] = written;
    }
    OTF2_EvtWriter_GetNumberOfEvents( events[ location ], &written );
    printf( "events of %u: %llu\n", location, (unsigned long long)written );
}

static void
write_other( void )
{
    unsigned location = below( LOCATIONS );
    switch ( below( 8 ) )
    {
        case 0:
            snapshot_time[ location ] += below( 10 );
            report( "snapshot", write_Snapshot( snapshots[ location ], attributes(), snapshot_time[ location ],
                                                below( NUMBER_OF_SNAPSHOTS ) ) );
            break;
        case 1:
            report( "local definition", write_Local( definitions[ location ], below( NUMBER_OF_LOCALS ) ) );
            break;
        case 2:
            report( "marker", write_Marker( markers, below( NUMBER_OF_MARKERS ) ) );
            break;
        default:
            report( "definition", write_Global( global_definitions, below( NUMBER_OF_GLOBALS ) ) );
    }
}

static void
set_something( void )
{
    static const char* const names[] = { "A::B", "a::b", "TOOL::NAME::X_1", "A", "A::", "::A", "A B::C", "C::D" };
    const char*              name    = names[ below( 8 ) ];
    switch ( below( 5 ) )
    {
        case 0:
            report( "property", OTF2_Archive_SetProperty( archive, name, text(), once_in( 2 ) ) );
            break;
        case 1:
            report( "bool", OTF2_Archive_SetBoolProperty( archive, name, once_in( 2 ), once_in( 2 ) ) );
            break;
        case 2:
            report( "machine", OTF2_Archive_SetMachineName( archive, text() ) );
            break;
        case 3:
            report( "creator", OTF2_Archive_SetCreator( archive, text() ) );
            break;
        default:
            report( "description", OTF2_Archive_SetDescription( archive, text() ) );
    }
}

static void
ask_something( void )
{
    char*    string = NULL;
    uint64_t of_events = 0, of_definitions = 0;
    uint32_t count = 0;
    char**   names = NULL;
    bool     is_primary = false;
    switch ( below( 7 ) )
    {
        case 0:
            report( "machine", OTF2_Archive_GetMachineName( archive, &string ) );
            break;
        case 1:
            report( "property", OTF2_Archive_GetProperty( archive, "A::B", &string ) );
            break;
        case 2:
            report( "names", OTF2_Archive_GetPropertyNames( archive, &count, &names ) );
            for ( uint32_t i = 0; i < count; i++ )
            {
                printf( "name %s\n", names[ i ] );
            }
            free( names );
            return;
        case 3:
            report( "chunk sizes", OTF2_Archive_GetChunkSize( archive, &of_events, &of_definitions ) );
            break;
        case 4:
            report( "locations", OTF2_Archive_GetNumberOfLocations( archive, &of_events ) );
            break;
        case 5:
            report( "definitions", OTF2_Archive_GetNumberOfGlobalDefinitions( archive, &of_events ) );
            break;
        default:
            report( "primary", OTF2_Archive_IsPrimary( archive, &is_primary ) );
    }
    printf( "answer %llu %llu %d %s\n", (unsigned long long)of_events, (unsigned long long)of_definitions, is_primary,
            string ? string : "-" );
    free( string );
}

static void
close_and_open( void )
{
    unsigned location = below( LOCATIONS );
    report( "close events", OTF2_Archive_CloseEvtWriter( archive, events[ location ] ) );
    events[ location ] = OTF2_Archive_GetEvtWriter( archive, location );
    printf( "events again %d\n", events[ location ] != NULL );
}

static void
get_writers( void )
{
    for ( OTF2_LocationRef location = 0; location < LOCATIONS; location++ )
    {
        events[ location ]      = OTF2_Archive_GetEvtWriter( archive, location ? location : OTF2_UNDEFINED_LOCATION );
        snapshots[ location ]   = OTF2_Archive_GetSnapWriter( archive, location );
        definitions[ location ] = OTF2_Archive_GetDefWriter( archive, location );
        printf( "writers %d %d %d\n", events[ location ] != NULL, snapshots[ location ] != NULL,
                definitions[ location ] != NULL );
    }
    for ( OTF2_LocationRef location = 0; is_made && location < LOCATIONS; location++ )
    {
        /* Without one, libotf2 seeks before the buffer. */
        report( "start", OTF2_SnapWriter_SnapshotStart( snapshots[ location ], NULL, 0, 1 ) );
    }
    report( "name", OTF2_EvtWriter_SetLocationID( events[ 0 ], 0 ) );
    report( "name again", OTF2_EvtWriter_SetLocationID( events[ 0 ], below( 2 ) ) );
    global_definitions = OTF2_Archive_GetGlobalDefWriter( archive );
    markers            = OTF2_Archive_GetMarkerWriter( archive );
    printf( "writers %d %d\n", global_definitions != NULL, markers != NULL );
    /* Readers find the locations by these; most random definitions are of others. */
    for ( OTF2_LocationRef location = 0; location < LOCATIONS; location++ )
    {
        report( "location", OTF2_GlobalDefWriter_WriteLocation( global_definitions, location, 0,
                                                                 OTF2_LOCATION_TYPE_CPU_THREAD, 0, 0 ) );
    }
}

static void
write_thumbnail( void )
{
    uint32_t          samples = 1 + below( 4 ), metric_count = 1 + below( 3 );
    OTF2_ThumbWriter* thumbnail;
    elements( 0 );
    memset( numbers64, 0, sizeof numbers64 );
    thumbnail = OTF2_Archive_GetThumbWriter( archive, text(), text(), below( 3 ), samples, metric_count, numbers64 );
    printf( "thumbnail %d\n", thumbnail != NULL );
    for ( uint32_t i = below( samples + 3 ); thumbnail && i > 0; i-- )
    {
        report( "sample", OTF2_ThumbWriter_WriteSample( thumbnail, number(), once_in( 5 ) ? 7 : metric_count,
                                                        numbers64 ) );
    }
}

static void
close_some( void )
{
    for ( unsigned location = 0; location < LOCATIONS; location++ )
    {
        if ( once_in( 2 ) )
        {
            report( "close events", OTF2_Archive_CloseEvtWriter( archive, events[ location ] ) );
        }
        if ( once_in( 2 ) )
        {
            report( "close definitions", OTF2_Archive_CloseDefWriter( archive, definitions[ location ] ) );
        }
        if ( once_in( 2 ) )
        {
            report( "close snapshots", OTF2_Archive_CloseSnapWriter( archive, snapshots[ location ] ) );
        }
    }
    if ( once_in( 2 ) )
    {
        report( "close markers", OTF2_Archive_CloseMarkerWriter( archive, markers ) );
    }
    if ( once_in( 2 ) )
    {
        report( "close global", OTF2_Archive_CloseGlobalDefWriter( archive, global_definitions ) );
    }
}

static void
write_archive( void )
{
    static OTF2_FlushCallbacks  flush  = { pre_flush, post_flush };
    static OTF2_MemoryCallbacks memory = { allocate, free_all };
    static OTF2_LockingCallbacks locking = { release_locks, make_lock, destroy_lock, take_lock, release_lock };
    uint64_t                    events_wanted = once_in( 3 ) ? 60000 : 3000;
    list    = OTF2_AttributeList_New();
    archive = OTF2_Archive_Open( ".", "traces", OTF2_FILEMODE_WRITE, chunk_size(), chunk_size(), OTF2_SUBSTRATE_POSIX,
                                 OTF2_COMPRESSION_NONE );
    if ( once_in( 3 ) )
    {
        flush.otf2_post_flush = NULL;
    }
    answers_flush  = !once_in( 10 );
    chunks_allowed = LOCATIONS + below( 5 );
    report( "flush", OTF2_Archive_SetFlushCallbacks( archive, &flush, NULL ) );
    if ( once_in( 3 ) )
    {
        report( "locking", OTF2_Archive_SetLockingCallbacks( archive, &locking, NULL ) );
    }
    has_pool = !once_in( 3 );
    if ( has_pool )
    {
        report( "memory", OTF2_Archive_SetMemoryCallbacks( archive, &memory, NULL ) );
    }
    report( "collectives", OTF2_Archive_SetSerialCollectiveCallbacks( archive ) );
    get_writers();
    for ( uint64_t event = 0; event < events_wanted; event++ )
    {
        write_event();
        if ( once_in( 50 ) )
        {
            write_other();
        }
        if ( once_in( 100 ) )
        {
            rewind_events();
        }
        if ( once_in( 1000 ) )
        {
            write_long_event();
        }
        if ( once_in( 300 ) )
        {
            set_something();
            ask_something();
        }
        if ( once_in( 5000 ) )
        {
            close_and_open();
        }
    }
    if ( once_in( 2 ) )
    {
        write_thumbnail();
    }
    close_some();
    report( "close", OTF2_Archive_Close( archive ) );
    report( "list", OTF2_AttributeList_Delete( list ) );
}

/* Reading. */

static OTF2_Reader*     reader;
static OTF2_LocationRef locations[ 4096 ];
static size_t           number_of_locations;

static OTF2_CallbackCode
note_location( void* data, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, uint64_t count,
               OTF2_LocationGroupRef group )
{
    ( void )data, ( void )name, ( void )type, ( void )count, ( void )group;
    /* Readers of the undefined location, and the second of a location without a file, fail late in
     * libotf2. */
    for ( size_t i = 0; i < number_of_locations; i++ )
    {
        if ( locations[ i ] == self )
        {
            return OTF2_CALLBACK_SUCCESS;
        }
    }
    if ( self != OTF2_UNDEFINED_LOCATION && number_of_locations < sizeof locations / sizeof *locations )
    {
        locations[ number_of_locations++ ] = self;
    }
    return OTF2_CALLBACK_SUCCESS;
}

static void
find_locations( void )
{
    /* An answer even if nothing is read. */
    uint64_t                       count     = 7;
    OTF2_GlobalDefReader*          all       = OTF2_Reader_GetGlobalDefReader( reader );
    OTF2_GlobalDefReaderCallbacks* callbacks = OTF2_GlobalDefReaderCallbacks_New();
    if ( once_in( 3 ) )
    {
        set_Global( callbacks );
    }
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback( callbacks, note_location );
    report( "register", OTF2_Reader_RegisterGlobalDefCallbacks( reader, all, callbacks, NULL ) );
    OTF2_GlobalDefReaderCallbacks_Delete( callbacks );
    for ( int round = 0; round < 1000; round++ )
    {
        uint64_t       wanted = once_in( 2 ) ? 1000000 : below( 50 );
        OTF2_ErrorCode code   = OTF2_Reader_ReadGlobalDefinitions( reader, all, wanted, &count );
        printf( "definitions = %d, %llu\n", code, (unsigned long long)count );
        /* Reading again after the end is not safe in libotf2. */
        if ( code != OTF2_ERROR_INTERRUPTED_BY_CALLBACK && ( code || count < wanted ) )
        {
            break;
        }
    }
    report( "close", OTF2_Reader_CloseGlobalDefReader( reader, all ) );
}

static void
read_local_definitions( OTF2_LocationRef location )
{
    uint64_t                 count = 0;
    OTF2_DefReader*          of        = OTF2_Reader_GetDefReader( reader, location );
    OTF2_DefReaderCallbacks* callbacks = OTF2_DefReaderCallbacks_New();
    if ( !of )
    {
        printf( "no local definitions\n" );
        OTF2_DefReaderCallbacks_Delete( callbacks );
        return;
    }
    set_Local( callbacks );
    report( "register", OTF2_Reader_RegisterDefCallbacks( reader, of, callbacks, NULL ) );
    OTF2_DefReaderCallbacks_Delete( callbacks );
    for ( int round = 0; round < 1000; round++ )
    {
        uint64_t       wanted = 1 + below( 100 );
        OTF2_ErrorCode code   = OTF2_Reader_ReadLocalDefinitions( reader, of, wanted, &count );
        printf( "local definitions = %d, %llu\n", code, (unsigned long long)count );
        if ( code != OTF2_ERROR_INTERRUPTED_BY_CALLBACK && code != OTF2_ERROR_DUPLICATE_MAPPING_TABLE
             && ( code || count < wanted ) )
        {
            break;
        }
    }
    report( "close", OTF2_Reader_CloseDefReader( reader, of ) );
}

static void
read_location( OTF2_LocationRef location )
{
    uint64_t                 count = 0, position = 0;
    OTF2_EvtReader*          of        = OTF2_Reader_GetEvtReader( reader, location );
    OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
    set_LocalEvent( callbacks );
    if ( of && once_in( 4 ) )
    {
        report( "mapping", OTF2_EvtReader_ApplyMappingTables( of, once_in( 2 ) ) );
        report( "clock", OTF2_EvtReader_ApplyClockOffsets( of, once_in( 2 ) ) );
    }
    report( "register", OTF2_Reader_RegisterEvtCallbacks( reader, of, callbacks, NULL ) );
    OTF2_EvtReaderCallbacks_Delete( callbacks );
    int seeks = once_in( 2 );
    if ( of && seeks )
    {
        /* After a seek libotf2 corrects times by an offset that is too late. */
        report( "clock", OTF2_EvtReader_ApplyClockOffsets( of, false ) );
    }
    for ( int round = 0; of && round < 60; round++ )
    {
        if ( seeks && once_in( 5 ) )
        {
            uint64_t       to   = 1 + below( 2000 );
            OTF2_ErrorCode code = OTF2_EvtReader_Seek( of, to );
            printf( "seek %llu = %d\n", (unsigned long long)to, code );
            if ( code )
            {
                break;
            }
        }
        uint64_t       wanted = below( 500 );
        OTF2_ErrorCode code   = OTF2_Reader_ReadLocalEvents( reader, of, wanted, &count );
        OTF2_EvtReader_GetPos( of, &position );
        printf( "events = %d, %llu\n", code, (unsigned long long)count );
        if ( count )
        {
            printf( "position %llu\n", (unsigned long long)position );
        }
        if ( code && code != OTF2_ERROR_INTERRUPTED_BY_CALLBACK )
        {
            break;
        }
        if ( code == OTF2_SUCCESS && count < wanted )
        {
            break;
        }
    }
}

/* If a location without a file was asked for, libotf2 makes no global reader. */
static int
has_events( const char* anchor, OTF2_LocationRef location )
{
    char path[ 2000 ];
    snprintf( path, sizeof path, "%.*s/%llu.evt", (int)( strlen( anchor ) - strlen( ".otf2" ) ), anchor,
              (unsigned long long)location );
    FILE* file = fopen( path, "rb" );
    return file && !fclose( file );
}

static void
read_in_order( const char* anchor )
{
    uint64_t count = 0;
    for ( size_t i = 0; i < number_of_locations; i++ )
    {
        if ( has_events( anchor, locations[ i ] ) )
        {
            OTF2_Reader_GetEvtReader( reader, locations[ i ] );
        }
    }
    OTF2_GlobalEvtReader*          all       = OTF2_Reader_GetGlobalEvtReader( reader );
    OTF2_GlobalEvtReaderCallbacks* callbacks = OTF2_GlobalEvtReaderCallbacks_New();
    printf( "global reader %d\n", all != NULL );
    set_GlobalEvent( callbacks );
    if ( all )
    {
        report( "register", OTF2_Reader_RegisterGlobalEvtCallbacks( reader, all, callbacks, NULL ) );
    }
    OTF2_GlobalEvtReaderCallbacks_Delete( callbacks );
    for ( int round = 0; all && round < 200; round++ )
    {
        int            flag = -1;
        OTF2_ErrorCode code = once_in( 3 ) ? ( count = 1, OTF2_Reader_ReadGlobalEvent( reader, all ) )
                              : OTF2_Reader_ReadGlobalEvents( reader, all, below( 500 ), &count );
        printf( "global events = %d, %llu\n", code, (unsigned long long)count );
        report( "has", OTF2_Reader_HasGlobalEvent( reader, all, &flag ) );
        printf( "more %d\n", flag );
        if ( !flag || ( code && code != OTF2_ERROR_INTERRUPTED_BY_CALLBACK ) )
        {
            break;
        }
    }
}

static void
read_snapshots( OTF2_LocationRef location )
{
    uint64_t                  count     = 0;
    bool                      found     = false;
    OTF2_SnapReader*          of        = OTF2_Reader_GetSnapReader( reader, location );
    OTF2_SnapReaderCallbacks* callbacks = OTF2_SnapReaderCallbacks_New();
    set_LocalSnapshot( callbacks );
    if ( of )
    {
        report( "register", OTF2_Reader_RegisterSnapCallbacks( reader, of, callbacks, NULL ) );
        uint64_t       wanted = 1 + below( 20 );
        OTF2_ErrorCode code   = OTF2_Reader_ReadLocalSnapshots( reader, of, wanted, &count );
        printf( "snapshots = %d, %llu\n", code, (unsigned long long)count );
        if ( count == wanted )
        {
            code = OTF2_SnapReader_Seek( of, below( 2000 ), &found );
            printf( "seek = %d, %d\n", code, found );
        }
    }
    OTF2_SnapReaderCallbacks_Delete( callbacks );
}

static void
read_markers( void )
{
    uint64_t                    count     = 0;
    OTF2_MarkerReader*          of        = OTF2_Reader_GetMarkerReader( reader );
    OTF2_MarkerReaderCallbacks* callbacks = OTF2_MarkerReaderCallbacks_New();
    set_Marker( callbacks );
    if ( of )
    {
        report( "register", OTF2_Reader_RegisterMarkerCallbacks( reader, of, callbacks, NULL ) );
        OTF2_ErrorCode code = OTF2_Reader_ReadMarkers( reader, of, 1 + below( 1000 ), &count );
        printf( "markers = %d, %llu\n", code, (unsigned long long)count );
    }
    OTF2_MarkerReaderCallbacks_Delete( callbacks );
}

static void
read_archive( const char* anchor )
{
    uint64_t count = 0;
    char*    string = NULL;
    interrupt_once_in = once_in( 2 ) ? 0 : 10 + below( 300 );
    reader            = OTF2_Reader_Open( anchor );
    printf( "reader %d\n", reader != NULL );
    report( "collectives", OTF2_Reader_SetSerialCollectiveCallbacks( reader ) );
    report( "locations", OTF2_Reader_GetNumberOfLocations( reader, &count ) );
    printf( "locations %llu\n", (unsigned long long)count );
    report( "description", OTF2_Reader_GetDescription( reader, &string ) );
    printf( "description %s\n", string ? string : "-" );
    free( string );
    find_locations();
    for ( size_t i = 0; i < number_of_locations; i++ )
    {
        report( "select", OTF2_Reader_SelectLocation( reader, locations[ i ] ) );
    }
    for ( size_t i = 0; i < number_of_locations; i++ )
    {
        if ( !once_in( 4 ) )
        {
            read_local_definitions( locations[ i ] );
        }
        read_snapshots( locations[ i ] );
    }
    read_markers();
    if ( once_in( 2 ) )
    {
        read_in_order( anchor );
    }
    else
    {
        for ( size_t i = 0; i < number_of_locations; i++ )
        {
            read_location( locations[ i ] );
        }
    }
    report( "close", OTF2_Reader_Close( reader ) );
}

#include "damage.h"

/* Objects. */

static void
use_lists( void )
{
    OTF2_AttributeRef   attribute = 0;
    OTF2_Type           type      = 0;
    OTF2_AttributeValue value     = { 0 };
    uint16_t            number16  = 0;
    double              number_real = 0;
    list = OTF2_AttributeList_New();
    for ( int round = 0; round < 400; round++ )
    {
        OTF2_ErrorCode code = OTF2_SUCCESS;
        uint32_t       id   = below( 40 );
        switch ( below( 10 ) )
        {
            case 0:
                code = OTF2_AttributeList_RemoveAttribute( list, id );
                break;
            case 1:
                code = OTF2_AttributeList_PopAttribute( list, &attribute, &type, &value );
                break;
            case 2:
                code = OTF2_AttributeList_GetAttributeByIndex( list, id, &attribute, &type, &value );
                break;
            case 3:
                code = OTF2_AttributeList_GetAttributeByID( list, id, &type, &value );
                break;
            case 4:
                code = OTF2_AttributeList_GetUint16( list, id, &number16 );
                break;
            case 5:
                code = OTF2_AttributeList_GetDouble( list, id, &number_real );
                break;
            case 6:
                code = OTF2_AttributeList_AddDouble( list, id, real() );
                break;
            case 7:
                code = OTF2_AttributeList_AddUint16( list, id, any() );
                break;
            default:
                code = OTF2_AttributeList_AddAttribute( list, id, type_of_value(), any_value() );
        }
        value.uint64 = defined( type, value.uint64 );
        printf( "%d %u %u %u %g %d", code, attribute, type, number16, number_real,
                OTF2_AttributeList_TestAttributeByID( list, id ) );
        print_value( type, value );
        printf( " |" );
        print_list( list );
        printf( "\n" );
    }
    report( "delete", OTF2_AttributeList_Delete( list ) );
}

static void
use_maps( void )
{
    OTF2_IdMap* map = once_in( 3 ) ? OTF2_IdMap_Create( below( 3 ), below( 3 ) )
                      : once_in( 2 ) ? ( elements( 0 ), OTF2_IdMap_CreateFromUint64Array( below( 5 ), numbers64, once_in( 2 ) ) )
                      : ( elements( 0 ), OTF2_IdMap_CreateFromUint32Array( below( 5 ), numbers32, once_in( 2 ) ) );
    printf( "map %d\n", map != NULL );
    for ( int round = 0; map && round < 50; round++ )
    {
        uint64_t global = 0;
        switch ( below( 4 ) )
        {
            case 0:
                report( "global", OTF2_IdMap_GetGlobalId( map, below( 20 ), &global ) );
                break;
            case 1:
                report( "save", OTF2_IdMap_GetGlobalIdSave( map, below( 20 ), &global ) );
                break;
            case 2:
                report( "add", OTF2_IdMap_AddIdPair( map, below( 20 ), number() ) );
                break;
            default:
                if ( once_in( 10 ) )
                {
                    report( "clear", OTF2_IdMap_Clear( map ) );
                }
        }
        printf( "%llu", (unsigned long long)global );
        print_map( map );
        printf( "\n" );
    }
    OTF2_IdMap_Free( map );
}

int
main( int argc, char** argv )
{
    if ( argc < 3 )
    {
        fprintf( stderr, "usage: drive write|read|objects|damage SEED [ANCHOR [CASES]]\n" );
        return 2;
    }
    state         = strtoull( argv[ 2 ], NULL, 10 ) * 7919;
    changes_codes = once_in( 8 );
    OTF2_Error_RegisterCallback( on_error, NULL );
    is_made = !strcmp( argv[ 1 ], "make" ) || !strcmp( argv[ 1 ], "read-made" );
    if ( !strcmp( argv[ 1 ], "write" ) || !strcmp( argv[ 1 ], "make" ) )
    {
        write_archive();
    }
    else if ( !strncmp( argv[ 1 ], "read", 4 ) && argc == 4 )
    {
        read_archive( argv[ 3 ] );
    }
    else if ( !strcmp( argv[ 1 ], "damage" ) && argc == 5 )
    {
        read_damaged( strtoull( argv[ 4 ], NULL, 10 ), argv[ 3 ] );
    }
    else if ( !strcmp( argv[ 1 ], "objects" ) )
    {
        use_lists();
        use_maps();
    }
    else
    {
        return 2;
    }
    return 0;
}
