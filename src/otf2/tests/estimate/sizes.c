/*
 * Asks libotf2 for the sizes of events. Commands on standard input: "new", for another estimator;
 * "set SPACE NUMBER"; "list TYPE...", answered with the size of an attribute list of values of these
 * types; "sizes", answered with a line for each function. The functions of calls.inc are generated
 * from the record table.
 */
#include <otf2/otf2.h>
#include <otf2/OTF2_EventSizeEstimator.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SET( name ) \
    if ( !strcmp( space, #name ) ) \
    { \
        return OTF2_EventSizeEstimator_SetNumberOf ## name ## Definitions( estimator, number ); \
    }
#define SIZE( name ) \
    printf( #name " 0 %zu\n", OTF2_EventSizeEstimator_GetSizeOf ## name ## Event( estimator ) );
#define SIZES( name, last ) \
    for ( uint64_t count = 0; count <= last; count++ ) \
    { \
        printf( #name " %" PRIu64 " %zu\n", count, \
                OTF2_EventSizeEstimator_GetSizeOf ## name ## Event( estimator, count ) ); \
    }

#include "calls.inc"

static void list( OTF2_EventSizeEstimator* estimator, char* types )
{
    OTF2_AttributeList* attributes = OTF2_AttributeList_New();
    OTF2_AttributeValue value      = { .uint64 = 0 };
    uint32_t            id         = 0;
    for ( char* type = strtok( types, " \n" ); type; type = strtok( NULL, " \n" ) )
    {
        OTF2_AttributeList_AddAttribute( attributes, id++, atoi( type ), value );
    }
    printf( "list %zu\n", OTF2_EventSizeEstimator_GetSizeOfAttributeList( estimator, attributes ) );
    OTF2_AttributeList_Delete( attributes );
}

int main( void )
{
    OTF2_EventSizeEstimator* estimator = OTF2_EventSizeEstimator_New();
    char                     line[ 8192 ];
    char                     space[ 64 ];
    uint64_t                 number;
    while ( fgets( line, sizeof( line ), stdin ) )
    {
        if ( sscanf( line, "set %63s %" SCNu64, space, &number ) == 2 )
        {
            if ( set( estimator, space, number ) != OTF2_SUCCESS )
            {
                return 1;
            }
        }
        else if ( !strncmp( line, "list", 4 ) )
        {
            list( estimator, line + 4 );
        }
        else if ( !strncmp( line, "new", 3 ) )
        {
            OTF2_EventSizeEstimator_Delete( estimator );
            estimator = OTF2_EventSizeEstimator_New();
        }
        else
        {
            printf( "DefChunkSize %zu\n", OTF2_EventSizeEstimator_GetDefChunkSize( estimator ) );
            printf( "Timestamp %zu\n", OTF2_EventSizeEstimator_GetSizeOfTimestamp( estimator ) );
            sizes( estimator );
        }
    }
    return OTF2_EventSizeEstimator_Delete( estimator ) != OTF2_SUCCESS;
}
