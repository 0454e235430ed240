/* The functions that several programs for tests need. */
#ifndef COMMON_H
#define COMMON_H

#include <otf2/otf2.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT( condition ) expect( ( condition ), #condition, __LINE__ )

static void
expect( int holds, const char* condition, int line )
{
    if ( !holds )
    {
        fprintf( stderr, "line %d: %s\n", line, condition );
        /* A child of a program ends without the exit handlers of its parent. */
        _Exit( 1 );
    }
}

static OTF2_FlushType
pre_flush( void* data, OTF2_FileType type, OTF2_LocationRef location, void* caller, bool final )
{
    ( void )data, ( void )type, ( void )location, ( void )caller, ( void )final;
    return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush = { .otf2_pre_flush = pre_flush };

static OTF2_Archive*
open_archive( const char* path )
{
    OTF2_Archive* archive = OTF2_Archive_Open( path, "traces", OTF2_FILEMODE_WRITE, 1 << 18, 1 << 18,
                                               OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE );
    EXPECT( archive != NULL );
    EXPECT( OTF2_Archive_SetFlushCallbacks( archive, &flush, NULL ) == OTF2_SUCCESS );
    return archive;
}

/* Writes pairs of enter and leave; the times differ between locations. */
static void
write_pairs( OTF2_EvtWriter* writer, OTF2_LocationRef location, uint64_t begin, uint64_t end )
{
    for ( uint64_t pair = begin; pair < end; pair++ )
    {
        EXPECT( OTF2_EvtWriter_Enter( writer, NULL, 20 * pair + location, location ) == OTF2_SUCCESS );
        EXPECT( OTF2_EvtWriter_Leave( writer, NULL, 20 * pair + 10 + location, location ) == OTF2_SUCCESS );
    }
}

#endif
