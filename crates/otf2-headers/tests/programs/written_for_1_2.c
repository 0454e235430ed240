/* A program for OTF2 1.2 that writes a trace. With AS_IN_1_2 it is as it was; without, it has the
   changes of docs/reference/otf2-old-programs.md. */

#include <stdlib.h>
#include <otf2/otf2.h>

#ifdef AS_IN_1_2
typedef OTF2_MetricBase Base;
#else
typedef OTF2_Base Base;
#endif

static OTF2_FlushType
pre_flush( void* userData, OTF2_FileType fileType, OTF2_LocationRef location, void* callerData, bool final )
{
    ( void )userData;
    ( void )fileType;
    ( void )location;
    ( void )callerData;
    ( void )final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp
post_flush( void* userData, OTF2_FileType fileType, OTF2_LocationRef location )
{
    ( void )userData;
    ( void )fileType;
    ( void )location;
    return 3000;
}

static OTF2_Archive*
open_archive( OTF2_FlushCallbacks* flush )
{
    OTF2_Archive* archive = OTF2_Archive_Open( "trace", "traces", OTF2_FILEMODE_WRITE, 1024 * 1024, 4 * 1024 * 1024,
                                               OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE );
    OTF2_Archive_SetFlushCallbacks( archive, flush, NULL );
#ifdef AS_IN_1_2
    OTF2_Archive_SetMasterSlaveMode( archive, OTF2_MASTER );
#else
    OTF2_Archive_SetSerialCollectiveCallbacks( archive );
#endif
    OTF2_Archive_SetCreator( archive, "written_for_1_2" );
    return archive;
}

static uint64_t
write_events( OTF2_Archive* archive )
{
    uint64_t events;
    OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter( archive, 0 );
    OTF2_AttributeList* list = OTF2_AttributeList_New();
    OTF2_StringRef found = OTF2_UNDEFINED_STRING;
#ifdef AS_IN_1_2
    OTF2_AttributeList_AddString( list, 0, 2 );
    OTF2_AttributeList_GetString( list, 0, &found );
#else
    OTF2_AttributeList_AddStringRef( list, 0, 2 );
    OTF2_AttributeList_GetStringRef( list, 0, &found );
#endif
    if ( found != 2 )
    {
        abort();
    }
    OTF2_EvtWriter_Enter( writer, list, 1000, 0 );
    OTF2_EvtWriter_Leave( writer, NULL, 2000, 0 );
    OTF2_EvtWriter_GetNumberOfEvents( writer, &events );
    OTF2_AttributeList_Delete( list );
    OTF2_Archive_CloseEvtWriter( archive, writer );
    OTF2_Archive_CloseDefWriter( archive, OTF2_Archive_GetDefWriter( archive, 0 ) );
    return events;
}

static void
write_definitions( OTF2_GlobalDefWriter* writer, uint64_t events )
{
    static const char* const strings[] = { "", "main", "a note", "machine", "seconds" };
    uint64_t locations[] = { 0 };
    Base base = OTF2_BASE_DECIMAL;
    OTF2_StringRef string;
#ifndef AS_IN_1_2
    OTF2_AttributeValue value;
    value.stringRef = 1;
#endif
    for ( string = 0; string < 5; string++ )
    {
        OTF2_GlobalDefWriter_WriteString( writer, string, strings[ string ] );
    }
#ifdef AS_IN_1_2
    OTF2_GlobalDefWriter_WriteClockProperties( writer, 1000000000, 1000, 2000 );
    OTF2_GlobalDefWriter_WriteAttribute( writer, 0, 2, OTF2_TYPE_STRING );
    OTF2_GlobalDefWriter_WriteLocationGroup( writer, 0, 1, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0 );
    OTF2_GlobalDefWriter_WriteComm( writer, 0, 1, 1, OTF2_UNDEFINED_COMM );
    OTF2_GlobalDefWriter_WriteRmaWin( writer, 0, 1, 0 );
    OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty( writer, 0, 3, 1 );
#else
    OTF2_GlobalDefWriter_WriteClockProperties( writer, 1000000000, 1000, 2000, OTF2_UNDEFINED_TIMESTAMP );
    OTF2_GlobalDefWriter_WriteAttribute( writer, 0, 2, OTF2_UNDEFINED_STRING, OTF2_TYPE_STRING );
    OTF2_GlobalDefWriter_WriteLocationGroup( writer, 0, 1, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                             OTF2_UNDEFINED_LOCATION_GROUP );
    OTF2_GlobalDefWriter_WriteComm( writer, 0, 1, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE );
    OTF2_GlobalDefWriter_WriteRmaWin( writer, 0, 1, 0, OTF2_RMA_WIN_FLAG_NONE );
    OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty( writer, 0, 3, OTF2_TYPE_STRING, value );
#endif
    OTF2_GlobalDefWriter_WriteSystemTreeNode( writer, 0, 3, 3, OTF2_UNDEFINED_SYSTEM_TREE_NODE );
    OTF2_GlobalDefWriter_WriteRegion( writer, 0, 1, 1, 0, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
                                      OTF2_REGION_FLAG_NONE, 0, 0, 0 );
    OTF2_GlobalDefWriter_WriteMetricMember( writer, 0, 4, 0, OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ABSOLUTE_POINT,
                                            OTF2_TYPE_DOUBLE, base, 0, 4 );
    OTF2_GlobalDefWriter_WriteGroup( writer, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                     OTF2_GROUP_FLAG_NONE, 1, locations );
    OTF2_GlobalDefWriter_WriteGroup( writer, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                     OTF2_GROUP_FLAG_NONE, 1, locations );
    OTF2_GlobalDefWriter_WriteLocation( writer, 0, 1, OTF2_LOCATION_TYPE_CPU_THREAD, events, 0 );
}

int
main( void )
{
    OTF2_FlushCallbacks flush = { pre_flush, post_flush };
    OTF2_Archive* archive = open_archive( &flush );
    uint64_t events = write_events( archive );
    OTF2_GlobalDefWriter* definitions = OTF2_Archive_GetGlobalDefWriter( archive );
    if ( definitions == NULL )
    {
        return EXIT_FAILURE;
    }
    write_definitions( definitions, events );
    return OTF2_Archive_Close( archive ) == OTF2_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}
