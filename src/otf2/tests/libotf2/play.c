/*
 * Makes the calls of a script to libotf2: `play SCRIPT FOLDER`. Tokens are separated by white
 * space; numbers are decimal 64-bit patterns, texts are an `x` followed by hexadecimal digits. The
 * calls that write records, calls.inc, are generated from the record table.
 */
#include <otf2/otf2.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE*         script;
static OTF2_Archive* archive;

static void fail( const char* what, OTF2_ErrorCode code )
{
    fprintf( stderr, "play: %s: %s\n", what, OTF2_Error_GetDescription( code ) );
    exit( 1 );
}

static char* token( void )
{
    static char* buffer;
    static size_t size;
    size_t length = 0;
    int    c;
    do { c = fgetc( script ); } while ( c == ' ' || c == '\n' );
    for ( ; c != EOF && c != ' ' && c != '\n'; c = fgetc( script ) )
    {
        if ( length + 2 > size )
        {
            size   = size ? 2 * size : 64;
            buffer = realloc( buffer, size );
        }
        buffer[ length++ ] = c;
    }
    if ( length == 0 )
    {
        return NULL;
    }
    buffer[ length ] = 0;
    return buffer;
}

static uint64_t number( void )
{
    char* text = token();
    if ( !text )
    {
        fail( "the script ends early", OTF2_ERROR_INVALID );
    }
    return strtoull( text, NULL, 10 );
}

static double real( void )
{
    union { uint64_t bits; double value; } real = { number() };
    return real.value;
}

static char* text( void )
{
    char*  hex    = token();
    size_t length = strlen( hex + 1 ) / 2;
    char*  out    = malloc( length + 1 );
    for ( size_t i = 0; i < length; i++ )
    {
        unsigned byte;
        sscanf( hex + 1 + 2 * i, "%2x", &byte );
        out[ i ] = byte;
    }
    out[ length ] = 0;
    return out;
}

static OTF2_AttributeValue attribute_value( void )
{
    OTF2_AttributeValue value;
    value.uint64 = number();
    return value;
}

static OTF2_MetricValue metric_value( void )
{
    OTF2_MetricValue value;
    value.unsigned_int = number();
    return value;
}

static OTF2_IdMap* id_map( void )
{
    OTF2_IdMapMode mode  = number();
    uint64_t       count = number();
    OTF2_IdMap*    map   = OTF2_IdMap_Create( mode, count );
    for ( uint64_t i = 0; i < count; i++ )
    {
        uint64_t local = number();
        OTF2_IdMap_AddIdPair( map, local, number() );
    }
    return map;
}

#include "calls.inc"

static OTF2_AttributeList* attributes( void )
{
    uint64_t            count = number();
    OTF2_AttributeList* list  = OTF2_AttributeList_New();
    for ( uint64_t i = 0; i < count; i++ )
    {
        OTF2_AttributeRef   attribute = number();
        OTF2_Type           type      = number();
        OTF2_AttributeValue value     = attribute_value();
        OTF2_ErrorCode      code      = OTF2_AttributeList_AddAttribute( list, attribute, type, value );
        if ( code )
        {
            fail( "attribute", code );
        }
    }
    return list;
}

static OTF2_ErrorCode table( OTF2_DefWriter* writer )
{
    OTF2_MappingType type  = number();
    uint64_t         count = number();
    uint64_t*        ids   = malloc( 8 * count + 8 );
    for ( uint64_t i = 0; i < count; i++ )
    {
        ids[ i ] = number();
    }
    OTF2_IdMap* map = OTF2_IdMap_CreateFromUint64Array( count, ids, true );
    free( ids );
    if ( !map )
    {
        return OTF2_SUCCESS;
    }
    OTF2_ErrorCode code = OTF2_DefWriter_WriteMappingTable( writer, type, map );
    OTF2_IdMap_Free( map );
    return code;
}

static void thumbnail( void )
{
    char*              name        = text();
    char*              description = text();
    OTF2_ThumbnailType type        = number();
    uint32_t           samples     = number();
    uint32_t           metrics     = number();
    uint64_t*          values      = malloc( 8 * metrics + 8 );
    for ( uint32_t i = 0; i < metrics; i++ )
    {
        values[ i ] = number();
    }
    OTF2_ThumbWriter* writer = OTF2_Archive_GetThumbWriter( archive, name, description, type, samples, metrics, values );
    for ( uint32_t s = 0; s < samples; s++ )
    {
        uint64_t baseline = number();
        for ( uint32_t i = 0; i < metrics; i++ )
        {
            values[ i ] = number();
        }
        OTF2_ThumbWriter_WriteSample( writer, baseline, metrics, values );
    }
    free( values );
}

static OTF2_FlushType pre_flush( void* data, OTF2_FileType type, OTF2_LocationRef location, void* caller, bool final )
{
    return OTF2_FLUSH;
}

int main( int argc, char** argv )
{
    script = argc == 3 ? fopen( argv[ 1 ], "r" ) : NULL;
    if ( !script )
    {
        fprintf( stderr, "usage: play SCRIPT FOLDER\n" );
        return 2;
    }
    uint64_t events      = number();
    uint64_t definitions = number();
    archive = OTF2_Archive_Open( argv[ 2 ], "traces", OTF2_FILEMODE_WRITE, events, definitions,
                                 OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE );
    OTF2_FlushCallbacks flush = { .otf2_pre_flush = pre_flush };
    OTF2_Archive_SetSerialCollectiveCallbacks( archive );
    OTF2_Archive_SetFlushCallbacks( archive, &flush, NULL );
    OTF2_Archive_OpenEvtFiles( archive );
    OTF2_Archive_OpenDefFiles( archive );
    OTF2_Archive_OpenSnapFiles( archive );
    char* command;
    while ( ( command = token() ) )
    {
        OTF2_ErrorCode code = OTF2_SUCCESS;
        char           name[ 64 ];
        snprintf( name, sizeof name, "%s", command );
        if ( !strcmp( name, "machine" ) )
        {
            code = OTF2_Archive_SetMachineName( archive, text() );
        }
        else if ( !strcmp( name, "creator" ) )
        {
            code = OTF2_Archive_SetCreator( archive, text() );
        }
        else if ( !strcmp( name, "description" ) )
        {
            code = OTF2_Archive_SetDescription( archive, text() );
        }
        else if ( !strcmp( name, "property" ) )
        {
            char* key = text();
            code = OTF2_Archive_SetProperty( archive, key, text(), true );
        }
        else if ( !strcmp( name, "snapshots" ) )
        {
            code = OTF2_Archive_SetNumberOfSnapshots( archive, number() );
        }
        else if ( !strcmp( name, "open" ) )
        {
            uint64_t location = number();
            OTF2_Archive_GetEvtWriter( archive, location );
            OTF2_Archive_GetDefWriter( archive, location );
            OTF2_Archive_GetSnapWriter( archive, location );
        }
        else if ( !strcmp( name, "gdef" ) )
        {
            code = global_definition( OTF2_Archive_GetGlobalDefWriter( archive ) );
        }
        else if ( !strcmp( name, "ldef" ) )
        {
            code = local_definition( OTF2_Archive_GetDefWriter( archive, number() ) );
        }
        else if ( !strcmp( name, "table" ) )
        {
            code = table( OTF2_Archive_GetDefWriter( archive, number() ) );
        }
        else if ( !strcmp( name, "evt" ) )
        {
            OTF2_EvtWriter*     writer = OTF2_Archive_GetEvtWriter( archive, number() );
            uint64_t            time   = number();
            OTF2_AttributeList* list   = attributes();
            code = event( writer, list, time );
            OTF2_AttributeList_Delete( list );
        }
        else if ( !strcmp( name, "snap" ) )
        {
            OTF2_SnapWriter*    writer = OTF2_Archive_GetSnapWriter( archive, number() );
            uint64_t            time   = number();
            OTF2_AttributeList* list   = attributes();
            code = snapshot( writer, list, time );
            OTF2_AttributeList_Delete( list );
        }
        else if ( !strcmp( name, "mark" ) )
        {
            code = marker( OTF2_Archive_GetMarkerWriter( archive ) );
        }
        else if ( !strcmp( name, "thumb" ) )
        {
            thumbnail();
        }
        else
        {
            code = OTF2_ERROR_INVALID;
        }
        if ( code )
        {
            fail( name, code );
        }
    }
    OTF2_Archive_CloseEvtFiles( archive );
    OTF2_Archive_CloseDefFiles( archive );
    OTF2_Archive_CloseSnapFiles( archive );
    OTF2_ErrorCode code = OTF2_Archive_Close( archive );
    if ( code )
    {
        fail( "close", code );
    }
    return 0;
}
