/* Writes and reads an archive with an allocator whose blocks are aligned to 8 bytes, never to 16. */
#include "common.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

/* The memory of all blocks. Nothing is used again. */
static char*           memory;
static size_t          used;
static _Atomic( int )  lock;
static const size_t    size_of_memory = ( size_t )1 << 30;
static _Atomic( long ) blocks;

void*
malloc( size_t size )
{
    while ( __atomic_exchange_n( &lock, 1, __ATOMIC_ACQUIRE ) )
    {
    }
    if ( !memory )
    {
        memory = mmap( NULL, size_of_memory, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0 );
    }
    char* block = NULL;
    if ( memory != MAP_FAILED && size < size_of_memory - used - 64 )
    {
        /* The size is in the word before, which is aligned to 16 bytes. */
        block = memory + used + 8;
        memcpy( block - 8, &size, sizeof size );
        used += ( size + 8 + 15 ) / 16 * 16;
    }
    __atomic_store_n( &lock, 0, __ATOMIC_RELEASE );
    blocks++;
    if ( !block )
    {
        errno = ENOMEM;
    }
    return block;
}

void
free( void* block )
{
    ( void )block;
}

/* Fresh memory is zero. */
void*
calloc( size_t count, size_t size )
{
    size_t bytes;
    return __builtin_mul_overflow( count, size, &bytes ) ? NULL : malloc( bytes );
}

void*
realloc( void* block, size_t size )
{
    size_t before = 0;
    void*  other  = malloc( size );
    if ( block && other )
    {
        memcpy( &before, ( char* )block - 8, sizeof before );
        memcpy( other, block, before < size ? before : size );
    }
    return other;
}

static OTF2_CallbackCode
on_string( void* data, OTF2_StringRef self, const char* string )
{
    ( void )self;
    EXPECT( !strcmp( string, "string" ) );
    ++*( uint64_t* )data;
    return OTF2_CALLBACK_SUCCESS;
}

int
main( void )
{
    OTF2_Archive* archive = open_archive( "traces" );
    EXPECT( OTF2_Archive_SetSerialCollectiveCallbacks( archive ) == OTF2_SUCCESS );
    EXPECT( OTF2_Archive_SetProperty( archive, "A::B", "c", true ) == OTF2_SUCCESS );
    OTF2_GlobalDefWriter* definitions = OTF2_Archive_GetGlobalDefWriter( archive );
    EXPECT( OTF2_GlobalDefWriter_WriteClockProperties( definitions, 1000, 0, 1000, OTF2_UNDEFINED_TIMESTAMP )
            == OTF2_SUCCESS );
    for ( uint32_t i = 0; i < 100; i++ )
    {
        EXPECT( OTF2_GlobalDefWriter_WriteString( definitions, i, "string" ) == OTF2_SUCCESS );
    }
    for ( OTF2_LocationRef location = 0; location < 40; location++ )
    {
        EXPECT( OTF2_GlobalDefWriter_WriteLocation( definitions, location, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 200,
                                                    OTF2_UNDEFINED_LOCATION_GROUP ) == OTF2_SUCCESS );
        OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter( archive, location );
        write_pairs( writer, location, 0, 100 );
        EXPECT( OTF2_Archive_CloseEvtWriter( archive, writer ) == OTF2_SUCCESS );
    }
    EXPECT( OTF2_Archive_Close( archive ) == OTF2_SUCCESS );

    uint64_t     number, strings = 0;
    OTF2_Reader* reader = OTF2_Reader_Open( "traces/traces.otf2" );
    EXPECT( reader != NULL );
    OTF2_GlobalDefReader*          global    = OTF2_Reader_GetGlobalDefReader( reader );
    OTF2_GlobalDefReaderCallbacks* callbacks = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetStringCallback( callbacks, on_string );
    EXPECT( OTF2_Reader_RegisterGlobalDefCallbacks( reader, global, callbacks, &strings ) == OTF2_SUCCESS );
    OTF2_GlobalDefReaderCallbacks_Delete( callbacks );
    EXPECT( OTF2_Reader_ReadAllGlobalDefinitions( reader, global, &number ) == OTF2_SUCCESS && strings == 100 );
    for ( OTF2_LocationRef location = 0; location < 40; location++ )
    {
        EXPECT( OTF2_Reader_GetEvtReader( reader, location ) != NULL );
    }
    OTF2_GlobalEvtReader* all = OTF2_Reader_GetGlobalEvtReader( reader );
    EXPECT( OTF2_Reader_ReadAllGlobalEvents( reader, all, &number ) == OTF2_SUCCESS && number == 40 * 200 );
    EXPECT( OTF2_Reader_Close( reader ) == OTF2_SUCCESS );
    EXPECT( blocks > 100 );
    return 0;
}
