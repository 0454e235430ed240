/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_H
#define OTF2_H

/**
 * @file
 * The header for programs that read or write traces in the format OTF2.
 *
 * It includes all others except OTF2_EventSizeEstimator.h, and OTF2_MPI_Collectives.h,
 * OTF2_Pthread_Locks.h and OTF2_OpenMP_Locks.h, which need MPI, POSIX threads or OpenMP.
 *
 * This program writes a trace of one location with one call of a function:
 *
 * @code
 * #include <stdlib.h>
 * #include <otf2/otf2.h>
 *
 * static OTF2_FlushType
 * pre_flush( void* data, OTF2_FileType type, OTF2_LocationRef location, void* caller, bool final )
 * {
 *     ( void )data; ( void )type; ( void )location; ( void )caller; ( void )final;
 *     return OTF2_FLUSH;
 * }
 *
 * int
 * main( void )
 * {
 *     OTF2_FlushCallbacks flush = { pre_flush, NULL };
 *     OTF2_Archive* archive = OTF2_Archive_Open( "trace", "traces", OTF2_FILEMODE_WRITE,
 *                                                OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
 *                                                OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
 *                                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE );
 *     OTF2_Archive_SetFlushCallbacks( archive, &flush, NULL );
 *     if ( OTF2_Archive_SetSerialCollectiveCallbacks( archive ) != OTF2_SUCCESS )
 *     {
 *         return EXIT_FAILURE;
 *     }
 *
 *     uint64_t events = 0;
 *     OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter( archive, 0 );
 *     OTF2_EvtWriter_Enter( writer, NULL, 1000, 0 );
 *     OTF2_EvtWriter_Leave( writer, NULL, 2000, 0 );
 *     OTF2_EvtWriter_GetNumberOfEvents( writer, &events );
 *     OTF2_Archive_CloseEvtWriter( archive, writer );
 *
 *     // Without this file, readers report that the location has no definitions of its own.
 *     OTF2_Archive_CloseDefWriter( archive, OTF2_Archive_GetDefWriter( archive, 0 ) );
 *
 *     OTF2_GlobalDefWriter* definitions = OTF2_Archive_GetGlobalDefWriter( archive );
 *     OTF2_GlobalDefWriter_WriteClockProperties( definitions, 1000000000, 1000, 1000,
 *                                                OTF2_UNDEFINED_TIMESTAMP );
 *     OTF2_GlobalDefWriter_WriteString( definitions, 0, "" );
 *     OTF2_GlobalDefWriter_WriteString( definitions, 1, "main" );
 *     OTF2_GlobalDefWriter_WriteString( definitions, 2, "machine" );
 *     OTF2_GlobalDefWriter_WriteRegion( definitions, 0, 1, 1, 0, OTF2_REGION_ROLE_FUNCTION,
 *                                       OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, 0, 0 );
 *     OTF2_GlobalDefWriter_WriteSystemTreeNode( definitions, 0, 2, 2,
 *                                               OTF2_UNDEFINED_SYSTEM_TREE_NODE );
 *     OTF2_GlobalDefWriter_WriteLocationGroup( definitions, 0, 1, OTF2_LOCATION_GROUP_TYPE_PROCESS,
 *                                              0, OTF2_UNDEFINED_LOCATION_GROUP );
 *     OTF2_GlobalDefWriter_WriteLocation( definitions, 0, 1, OTF2_LOCATION_TYPE_CPU_THREAD, events,
 *                                         0 );
 *     return OTF2_Archive_Close( archive ) == OTF2_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
 * }
 * @endcode
 *
 * This program prints all calls of a trace in the order of time:
 *
 * @code
 * #include <inttypes.h>
 * #include <stdio.h>
 * #include <stdlib.h>
 * #include <otf2/otf2.h>
 *
 * static OTF2_CallbackCode
 * location( void* data, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
 *           uint64_t events, OTF2_LocationGroupRef group )
 * {
 *     OTF2_Reader* reader = ( OTF2_Reader* )data;
 *     ( void )name; ( void )type; ( void )events; ( void )group;
 *     OTF2_Reader_SelectLocation( reader, self );
 *     OTF2_DefReader* definitions = OTF2_Reader_GetDefReader( reader, self );
 *     if ( definitions != NULL )
 *     {
 *         uint64_t read;
 *         OTF2_Reader_ReadAllLocalDefinitions( reader, definitions, &read );
 *         OTF2_Reader_CloseDefReader( reader, definitions );
 *     }
 *     OTF2_Reader_GetEvtReader( reader, self );
 *     return OTF2_CALLBACK_SUCCESS;
 * }
 *
 * static OTF2_CallbackCode
 * enter( OTF2_LocationRef location, OTF2_TimeStamp time, void* data, OTF2_AttributeList* attributes,
 *        OTF2_RegionRef region )
 * {
 *     ( void )data; ( void )attributes;
 *     printf( "%" PRIu64 ": location %" PRIu64 " enters region %" PRIu32 "\n", time, location, region );
 *     return OTF2_CALLBACK_SUCCESS;
 * }
 *
 * int
 * main( int argc, char** argv )
 * {
 *     OTF2_Reader* reader = OTF2_Reader_Open( argc > 1 ? argv[ 1 ] : "trace/traces.otf2" );
 *     if ( reader == NULL )
 *     {
 *         return EXIT_FAILURE;
 *     }
 *     OTF2_Reader_SetSerialCollectiveCallbacks( reader );
 *
 *     uint64_t read;
 *     OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader( reader );
 *     OTF2_GlobalDefReaderCallbacks* for_definitions = OTF2_GlobalDefReaderCallbacks_New();
 *     OTF2_GlobalDefReaderCallbacks_SetLocationCallback( for_definitions, location );
 *     OTF2_Reader_RegisterGlobalDefCallbacks( reader, definitions, for_definitions, reader );
 *     OTF2_GlobalDefReaderCallbacks_Delete( for_definitions );
 *     OTF2_Reader_ReadAllGlobalDefinitions( reader, definitions, &read );
 *
 *     OTF2_GlobalEvtReader* events = OTF2_Reader_GetGlobalEvtReader( reader );
 *     OTF2_GlobalEvtReaderCallbacks* for_events = OTF2_GlobalEvtReaderCallbacks_New();
 *     OTF2_GlobalEvtReaderCallbacks_SetEnterCallback( for_events, enter );
 *     OTF2_Reader_RegisterGlobalEvtCallbacks( reader, events, for_events, NULL );
 *     OTF2_GlobalEvtReaderCallbacks_Delete( for_events );
 *     OTF2_ErrorCode code = OTF2_Reader_ReadAllGlobalEvents( reader, events, &read );
 *
 *     OTF2_Reader_Close( reader );
 *     return code == OTF2_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
 * }
 * @endcode
 */

#include <otf2/OTF2_Reader.h>

#endif /* OTF2_H */
