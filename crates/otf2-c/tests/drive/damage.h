/* Copies of an archive whose files are damaged. */

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 64 };

typedef struct
{
    /* Below the folder of the anchor file. */
    char     name[ 700 ];
    uint8_t* bytes;
    size_t   length;
} File;

static File     files[ FILES ];
static unsigned number_of_files;

static void
load( const char* folder, const char* name )
{
    char  path[ 1000 ];
    FILE* in;
    File* file = &files[ number_of_files ];
    snprintf( path, sizeof path, "%s/%s", folder, name );
    in = number_of_files < FILES ? fopen( path, "rb" ) : NULL;
    if ( in )
    {
        fseek( in, 0, SEEK_END );
        file->length = ftell( in );
        file->bytes  = malloc( file->length + 1 );
        rewind( in );
        snprintf( file->name, sizeof file->name, "%s", name );
        if ( fread( file->bytes, 1, file->length, in ) == file->length )
        {
            number_of_files++;
        }
        fclose( in );
    }
}

static int
compare_names( const void* a, const void* b )
{
    return strcmp( ( (const File*)a )->name, ( (const File*)b )->name );
}

/* Loads the files in a folder below that of the anchor file whose names begin alike. */
static void
load_all( const char* folder, const char* below, const char* begin )
{
    char           path[ 1000 ], name[ 600 ];
    struct dirent* entry;
    snprintf( path, sizeof path, "%s/%s", folder, below );
    DIR* all = opendir( path );
    while ( all && ( entry = readdir( all ) ) )
    {
        if ( entry->d_type != DT_DIR && !strncmp( entry->d_name, begin, strlen( begin ) ) )
        {
            snprintf( name, sizeof name, "%s%s", below, entry->d_name );
            load( folder, name );
        }
    }
    if ( all )
    {
        closedir( all );
    }
}

static void
store( const char* name, const uint8_t* bytes, size_t length )
{
    char path[ 800 ];
    snprintf( path, sizeof path, "damaged/%s", name );
    FILE* out = fopen( path, "wb" );
    if ( !out || fwrite( bytes, 1, length, out ) != length || fclose( out ) )
    {
        perror( path );
        exit( 3 );
    }
}

/* Damages bytes, after which there is room. Returns their number. */
static size_t
damage( uint8_t* bytes, size_t length )
{
    static const uint8_t values[] = { 0, 1, 8, 0x7f, 0x80, 0xff };
    size_t               at = length ? below( length ) : 0, run = below( 17 );
    run = run < length - at ? run : length - at;
    switch ( below( 8 ) )
    {
        case 0:
            return at;
        case 1:
            memset( bytes + at, values[ below( 6 ) ], run );
            return length;
        case 2:
            for ( size_t i = 0; i < run; i++ )
            {
                bytes[ at + i ] = any();
            }
            return length;
        case 3:
            memmove( bytes + at + run, bytes + at, length - at );
            return length + run;
        case 4:
            memmove( bytes + at, bytes + at + run, length - at - run );
            return length - run;
        case 5:
            if ( length )
            {
                size_t from = below( length ), count = below( 200 );
                count = count < length - from ? count : length - from;
                count = count < length - at ? count : length - at;
                memmove( bytes + at, bytes + from, count );
            }
            return length;
        case 6:
            if ( length - at >= 9 )
            {
                /* The largest number after its length, or before it. */
                memset( bytes + at, 0xff, 9 );
                bytes[ at ] = once_in( 2 ) ? 8 : below( 9 );
            }
            return length;
        default:
            if ( length )
            {
                bytes[ at ] ^= 1 << below( 8 );
            }
            return length;
    }
}

static size_t
damage_begin( uint8_t* bytes, size_t length )
{
    uint8_t begin[ 2100 ];
    memcpy( begin, bytes, 2000 );
    size_t now = damage( begin, 2000 );
    memcpy( bytes, begin, now < 2000 ? now : 2000 );
    return length;
}

static void
damage_file( const File* file )
{
    const File* content = once_in( 30 ) ? &files[ below( number_of_files ) ] : file;
    size_t      length  = content->length;
    /* A step adds 16 bytes at most. */
    uint8_t* bytes = malloc( length + 1000 );
    memcpy( bytes, content->bytes, length );
    for ( uint64_t i = 1 + below( once_in( 3 ) ? 20 : 3 ); i > 0; i-- )
    {
        /* Chunks are filled up with zeros, so most of a file is at its beginning. */
        length = once_in( 2 ) && length > 2000 ? damage_begin( bytes, length ) : damage( bytes, length );
    }
    store( file->name, bytes, length );
    free( bytes );
}

static volatile sig_atomic_t current_case;

static void
report_case( int signal )
{
    char text[ 60 ];
    int  length = snprintf( text, sizeof text, "signal %d in case %d\n", signal, (int)current_case );
    ( void )!write( STDERR_FILENO, text, length );
    _exit( 9 );
}

/* Reads an archive again and again, each time with one or two damaged files. */
static void
read_damaged( uint64_t cases, const char* anchor )
{
    static const int ends[] = { SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGALRM };
    char             folder[ 600 ], name[ 300 ], path[ 1000 ], sub[ 310 ];
    const char*      slash = strrchr( anchor, '/' );
    snprintf( folder, sizeof folder, "%.*s", slash ? (int)( slash - anchor ) : 1, slash ? anchor : "." );
    snprintf( name, sizeof name, "%s", slash ? slash + 1 : anchor );
    *strrchr( name, '.' ) = '\0';
    snprintf( sub, sizeof sub, "%s/", name );
    snprintf( path, sizeof path, "%s.", name );
    load_all( folder, "", path );
    load_all( folder, sub, "" );
    qsort( files, number_of_files, sizeof *files, compare_names );
    snprintf( path, sizeof path, "damaged/%s", name );
    mkdir( "damaged", 0777 );
    mkdir( path, 0777 );
    for ( unsigned i = 0; i < number_of_files; i++ )
    {
        store( files[ i ].name, files[ i ].bytes, files[ i ].length );
    }
    for ( unsigned i = 0; i < sizeof ends / sizeof *ends; i++ )
    {
        signal( ends[ i ], report_case );
    }
    snprintf( path, sizeof path, "damaged/%s.otf2", name );
    /* Printing reads all arguments of callbacks; its output is not compared. */
    if ( !freopen( "/dev/null", "w", stdout ) )
    {
        exit( 3 );
    }
    uint64_t seed = state;
    for ( current_case = 1; current_case <= (int)cases; current_case++ )
    {
        state               = seed + 1000003 * (uint64_t)current_case;
        number_of_locations = 0;
        const File* first  = &files[ below( number_of_files ) ];
        const File* second = once_in( 3 ) ? &files[ below( number_of_files ) ] : first;
        damage_file( first );
        if ( second != first )
        {
            damage_file( second );
        }
        alarm( 120 );
        read_archive( path );
        alarm( 0 );
        store( first->name, first->bytes, first->length );
        store( second->name, second->bytes, second->length );
    }
    for ( unsigned i = 0; i < number_of_files; i++ )
    {
        free( files[ i ].bytes );
    }
}
