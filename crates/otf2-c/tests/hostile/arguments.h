/*
 * Arguments of calls, by their types and names: usual ones, and those that a program passes by
 * mistake. All pointers are null or refer to memory that is large enough.
 */

/* The objects that exist. */

typedef struct
{
    void* pointer;
    void* owner;
} Object;

enum { MOST_OBJECTS = 6 };
static Object   objects[ KINDS ][ MOST_OBJECTS ];
static unsigned number_of_objects[ KINDS ];

static void
forget_at( unsigned kind, unsigned at )
{
    objects[ kind ][ at ] = objects[ kind ][ --number_of_objects[ kind ] ];
}

/* Forgets an object and all that belong to it. */
static void
forget( const void* pointer )
{
    for ( unsigned kind = 0; pointer && kind < KINDS; kind++ )
    {
        for ( unsigned at = number_of_objects[ kind ]; at-- > 0; )
        {
            const Object* object = &objects[ kind ][ at ];
            if ( object->pointer == pointer || object->owner == pointer )
            {
                forget_at( kind, at );
            }
        }
    }
}

/* Forgets an object that its archive has closed. */
static void
forget_of( const void* owner, const void* pointer )
{
    for ( unsigned kind = 0; pointer && kind < KINDS; kind++ )
    {
        for ( unsigned at = number_of_objects[ kind ]; at-- > 0; )
        {
            if ( objects[ kind ][ at ].pointer == pointer && objects[ kind ][ at ].owner == owner )
            {
                forget_at( kind, at );
            }
        }
    }
}

static void
forget_all( const void* owner, unsigned kind )
{
    for ( unsigned at = number_of_objects[ kind ]; at-- > 0; )
    {
        if ( objects[ kind ][ at ].owner == owner )
        {
            forget_at( kind, at );
        }
    }
}

static void
delete_object( unsigned kind, void* pointer );

/* Remembers a new object. If there are many, it is deleted, unless its owner does that. */
static void
remember( unsigned kind, void* pointer, void* owner )
{
    for ( unsigned at = 0; at < number_of_objects[ kind ]; at++ )
    {
        if ( objects[ kind ][ at ].pointer == pointer )
        {
            return;
        }
    }
    if ( !pointer )
    {
        return;
    }
    if ( number_of_objects[ kind ] < MOST_OBJECTS )
    {
        objects[ kind ][ number_of_objects[ kind ]++ ] = ( Object ){ pointer, owner };
    }
    else if ( !owner )
    {
        delete_object( kind, pointer );
    }
}

static void*
object( unsigned kind )
{
    return number_of_objects[ kind ] == 0 || once_in( 16 ) ? NULL
           : objects[ kind ][ below( number_of_objects[ kind ] ) ].pointer;
}

/* Numbers and strings. */

static uint64_t
integer( void )
{
    static const uint64_t limits[] = { 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe,
                                       0xffffffff, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX - 1, UINT64_MAX };
    switch ( below( 8 ) )
    {
        case 0:
            return limits[ below( sizeof limits / sizeof *limits ) ];
        case 1:
            return any() >> below( 64 );
        case 2:
            return below( 300 );
        default:
            return below( 5 );
    }
}

static double
real( void )
{
    static const double numbers[] = { 0, -1, 1e300, 1.0 / 0.0, 0.0 / 0.0 };
    return numbers[ below( 5 ) ];
}

static uint64_t
location( void )
{
    return once_in( 10 ) ? integer() : below( 3 );
}

static uint64_t now;

static uint64_t
time_stamp( void )
{
    return once_in( 20 ) ? integer() : ( now += below( 3 ) );
}

static uint64_t
chunk_size( void )
{
    static const uint64_t sizes[] = { 262144, 262145, 300001, 16777216, 262143, 16777217 };
    return once_in( 8 ) ? integer() : sizes[ below( once_in( 8 ) ? 6 : 3 ) ];
}

static OTF2_AttributeValue
any_value( void )
{
    OTF2_AttributeValue value;
    value.uint64 = integer();
    return value;
}

static const char*
string( void )
{
    static const char* const strings[] = {
        "", ".", "traces", "traces", "traces.otf2", "folder", "folder/traces.otf2", "no/such/folder/traces.otf2",
        "%s%n%s", "\xff\xfe\x80 \xc3", "A::B", "true", "X::", "traces.otf", "a\nb\tc", "traces.otf2/x.otf2" };
    static char              large[ 300000 ];
    if ( once_in( 60 ) )
    {
        size_t length = once_in( 2 ) ? below( 5000 ) : below( sizeof large );
        memset( large, 'x', length );
        large[ length ] = '\0';
        return large;
    }
    return once_in( 16 ) ? NULL : strings[ below( sizeof strings / sizeof *strings ) ];
}

/* Arrays and places for results. */

enum { ELEMENTS = 300 };
static uint64_t elements[ ELEMENTS ], results[ 16 ][ ELEMENTS ];
static int      without_arrays, arrays_so_far;
static unsigned results_so_far;

/* The memory that the library returned is freed, as programs do. */
static void* memory[ 16 ];

static void
begin( void )
{
    without_arrays = once_in( 6 );
    arrays_so_far  = 0;
    results_so_far = 0;
    for ( unsigned i = 0; i < sizeof memory / sizeof *memory; i++ )
    {
        free( memory[ i ] );
        memory[ i ] = NULL;
    }
}

/* Returns an array. In calls without arrays the first one is missing, or all of them. */
static void*
array( void )
{
    if ( without_arrays && ( arrays_so_far++ == 0 || once_in( 2 ) ) )
    {
        return NULL;
    }
    for ( unsigned i = 0; i < 4; i++ )
    {
        elements[ below( ELEMENTS ) ] = integer();
    }
    return elements;
}

static uint64_t
count( void )
{
    return without_arrays ? integer() : once_in( 8 ) ? below( 256 ) : below( 4 );
}

static void*
place( void )
{
    return once_in( 16 ) || without_arrays ? NULL : results[ results_so_far++ ];
}

static void*
place_for_memory( void )
{
    return once_in( 16 ) ? NULL : &memory[ results_so_far++ ];
}

static void*
bytes( void )
{
    return once_in( 8 ) ? NULL : elements;
}

/* Functions of the program. Until there are objects, all of them succeed. */

static int is_calm;

static OTF2_CallbackCode
callback( void )
{
    return once_in( 20 ) ? integer() : OTF2_CALLBACK_SUCCESS;
}

static void*
function( void )
{
    return once_in( 8 ) ? NULL : (void*)callback;
}

static int changes_codes;

static OTF2_ErrorCode
on_error( void* data, const char* file, uint64_t line, const char* name, OTF2_ErrorCode code, const char* format,
          va_list arguments )
{
    static char message[ 400 ];
    ( void )data, ( void )line;
    vsnprintf( message, sizeof message, format ? format : "", arguments );
    return changes_codes && code > 0 ? OTF2_ERROR_EDOM : strlen( file ) + strlen( name ) ? code : code;
}

static OTF2_FlushType
pre_flush( void* data, OTF2_FileType type, OTF2_LocationRef of, void* caller, bool final )
{
    ( void )data, ( void )type, ( void )of, ( void )caller, ( void )final;
    return !is_calm && once_in( 8 ) ? integer() : OTF2_FLUSH;
}

static OTF2_TimeStamp
post_flush( void* data, OTF2_FileType type, OTF2_LocationRef of )
{
    ( void )data, ( void )type, ( void )of;
    return time_stamp();
}

typedef struct Chunk
{
    struct Chunk* next;
} Chunk;

static void*
allocate( void* data, OTF2_FileType type, OTF2_LocationRef of, void** of_buffer, uint64_t size )
{
    ( void )data, ( void )type, ( void )of;
    Chunk* chunk = once_in( 6 ) ? NULL : malloc( sizeof *chunk + size );
    if ( chunk )
    {
        chunk->next = *of_buffer;
        *of_buffer  = chunk;
    }
    return chunk ? chunk + 1 : NULL;
}

static void
free_all( void* data, OTF2_FileType type, OTF2_LocationRef of, void** of_buffer, bool final )
{
    ( void )data, ( void )type, ( void )of, ( void )final;
    for ( Chunk* chunk = *of_buffer; chunk; )
    {
        Chunk* next = chunk->next;
        free( chunk );
        chunk = next;
    }
    *of_buffer = NULL;
}

static OTF2_CallbackCode
get_number( void* data, OTF2_CollectiveContext* context, uint32_t* result )
{
    ( void )data, ( void )context;
    *result = once_in( 12 ) ? integer() : 0;
    return once_in( 30 ) ? OTF2_CALLBACK_ERROR : OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
bcast( void* data, OTF2_CollectiveContext* context, void* numbers, uint32_t of, OTF2_Type type, uint32_t root )
{
    ( void )data, ( void )context, ( void )of, ( void )type, ( void )root;
    if ( once_in( 8 ) )
    {
        *(uint64_t*)numbers = integer();
    }
    return once_in( 30 ) ? OTF2_CALLBACK_ERROR : OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode
make_lock( void* data, OTF2_Lock* lock )
{
    ( void )data;
    *lock = once_in( 2 ) ? NULL : (OTF2_Lock)elements;
    return callback();
}

static OTF2_CallbackCode
use_lock( void* data, OTF2_Lock lock )
{
    ( void )data, ( void )lock;
    return callback();
}

static void
release_locks( void* data )
{
    ( void )data;
}

static void
release_collectives( void* data, OTF2_CollectiveContext* global, OTF2_CollectiveContext* local )
{
    ( void )data, ( void )global, ( void )local;
}

/* Tables: complete ones, some without a function, or none. */

static const OTF2_FlushCallbacks*
table_of_Flush( void )
{
    static const OTF2_FlushCallbacks tables[] = { { pre_flush, post_flush }, { pre_flush, NULL }, { NULL, NULL } };
    return once_in( 8 ) ? NULL : &tables[ below( 3 ) ];
}

static const OTF2_MemoryCallbacks*
table_of_Memory( void )
{
    static const OTF2_MemoryCallbacks tables[] = { { allocate, free_all }, { allocate, NULL }, { NULL, NULL } };
    return once_in( 8 ) ? NULL : &tables[ below( 3 ) ];
}

static const OTF2_CollectiveCallbacks*
table_of_Collective( void )
{
    static const OTF2_CollectiveCallbacks complete = {
        release_collectives, get_number, get_number, NULL, NULL, (OTF2_Collectives_Barrier)callback, bcast,
        (OTF2_Collectives_Gather)callback, (OTF2_Collectives_Gatherv)callback, (OTF2_Collectives_Scatter)callback,
        (OTF2_Collectives_Scatterv)callback };
    static OTF2_CollectiveCallbacks incomplete;
    if ( !once_in( 4 ) )
    {
        return &complete;
    }
    incomplete                   = complete;
    incomplete.otf2_release      = NULL;
    incomplete.otf2_scatterv     = NULL;
    return once_in( 2 ) ? NULL : &incomplete;
}

static const OTF2_LockingCallbacks*
table_of_Locking( void )
{
    static const OTF2_LockingCallbacks tables[] = {
        { release_locks, make_lock, use_lock, use_lock, use_lock }, { NULL, make_lock, use_lock, use_lock, use_lock },
        { release_locks, make_lock, use_lock, use_lock, NULL }, { NULL, NULL, NULL, NULL, NULL } };
    return once_in( 8 ) ? NULL : &tables[ below( 4 ) ];
}

typedef struct
{
    const char* name;
    long long   ( * call )( void );
} Function;
