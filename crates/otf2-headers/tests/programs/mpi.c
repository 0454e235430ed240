/* Every callback of OTF2_MPI_Collectives.h, with the data that each rank must receive. */

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <otf2/OTF2_MPI_Collectives.h>

#define MOST 16

static const OTF2_CollectiveCallbacks* callbacks;
static void* data;
static OTF2_CollectiveContext* global;
static OTF2_CollectiveContext* local;
static OTF2_ErrorCode answer = OTF2_SUCCESS;

OTF2_ErrorCode
OTF2_Archive_SetCollectiveCallbacks( OTF2_Archive* archive,
                                     const OTF2_CollectiveCallbacks* collectiveCallbacks,
                                     void* collectiveData,
                                     OTF2_CollectiveContext* globalCommContext,
                                     OTF2_CollectiveContext* localCommContext )
{
    assert( archive != NULL );
    callbacks = collectiveCallbacks;
    data = collectiveData;
    global = globalCommContext;
    local = localCommContext;
    return answer;
}

OTF2_ErrorCode
OTF2_Reader_SetCollectiveCallbacks( OTF2_Reader* reader,
                                    const OTF2_CollectiveCallbacks* collectiveCallbacks,
                                    void* collectiveData,
                                    OTF2_CollectiveContext* globalCommContext,
                                    OTF2_CollectiveContext* localCommContext )
{
    return OTF2_Archive_SetCollectiveCallbacks( ( OTF2_Archive* )reader,
                                                collectiveCallbacks,
                                                collectiveData,
                                                globalCommContext,
                                                localCommContext );
}

static uint32_t
size_of( OTF2_CollectiveContext* context )
{
    uint32_t size = 0;
    assert( callbacks->otf2_get_size( data, context, &size ) == OTF2_CALLBACK_SUCCESS );
    return size;
}

static uint32_t
rank_of( OTF2_CollectiveContext* context )
{
    uint32_t rank = 99;
    assert( callbacks->otf2_get_rank( data, context, &rank ) == OTF2_CALLBACK_SUCCESS );
    return rank;
}

/* Rank r has r + 1 numbers: 10 r, 10 r + 1, ... */
static void
check_different_amounts( uint32_t root )
{
    uint32_t size = size_of( global ), rank = rank_of( global ), r, i, at = 0;
    uint32_t counts[ MOST ];
    uint64_t own[ MOST ], all[ MOST * MOST ], back[ MOST ];
    memset( all, 0xff, sizeof( all ) );
    memset( back, 0xff, sizeof( back ) );
    for ( r = 0; r < size; r++ )
    {
        counts[ r ] = r + 1;
    }
    for ( i = 0; i <= rank; i++ )
    {
        own[ i ] = 10 * rank + i;
    }
    assert( callbacks->otf2_gatherv( data, global, own, rank + 1, all, rank == root ? counts : NULL,
                                     OTF2_TYPE_UINT64, root ) == OTF2_CALLBACK_SUCCESS );
    for ( r = 0; rank == root && r < size; r++ )
    {
        for ( i = 0; i <= r; i++ )
        {
            assert( all[ at++ ] == 10 * r + i );
        }
    }
    assert( callbacks->otf2_scatterv( data, global, all, rank == root ? counts : NULL, back, rank + 1,
                                      OTF2_TYPE_UINT64, root ) == OTF2_CALLBACK_SUCCESS );
    assert( memcmp( own, back, ( rank + 1 ) * sizeof( own[ 0 ] ) ) == 0 );
}

static void
check_same_amounts( uint32_t root )
{
    uint32_t size = size_of( global ), rank = rank_of( global ), r;
    double own = rank + 0.5, back = 0, all[ MOST ];
    int16_t word = rank == root ? -7 : 0;
    assert( callbacks->otf2_gather( data, global, &own, all, 1, OTF2_TYPE_DOUBLE, root )
            == OTF2_CALLBACK_SUCCESS );
    for ( r = 0; rank == root && r < size; r++ )
    {
        assert( all[ r ] == r + 0.5 );
    }
    assert( callbacks->otf2_scatter( data, global, all, &back, 1, OTF2_TYPE_DOUBLE, root )
            == OTF2_CALLBACK_SUCCESS );
    assert( back == own );
    assert( callbacks->otf2_bcast( data, global, &word, 1, OTF2_TYPE_INT16, root ) == OTF2_CALLBACK_SUCCESS );
    assert( word == -7 );
    assert( callbacks->otf2_barrier( data, global ) == OTF2_CALLBACK_SUCCESS );
}

/* Data that MPI cannot count or has no type for fails on every rank, before MPI is called. */
static void
check_refusals( void )
{
    uint32_t many[ MOST ], r;
    int value = 0;
    for ( r = 0; r < MOST; r++ )
    {
        many[ r ] = 0x7fffffff;
    }
    assert( callbacks->otf2_bcast( data, global, &value, 1, OTF2_TYPE_STRING, 0 ) == OTF2_CALLBACK_ERROR );
    assert( callbacks->otf2_bcast( data, global, &value, 0x80000000, OTF2_TYPE_INT8, 0 )
            == OTF2_CALLBACK_ERROR );
    assert( callbacks->otf2_gatherv( data, global, NULL, 0, NULL, many, OTF2_TYPE_INT8, rank_of( global ) )
            == OTF2_CALLBACK_ERROR );
    assert( callbacks->otf2_scatterv( data, global, NULL, many, NULL, 0, OTF2_TYPE_INT8, rank_of( global ) )
            == OTF2_CALLBACK_ERROR );
}

static void
check_types( void )
{
    static const OTF2_Type types[] = { OTF2_TYPE_UINT8, OTF2_TYPE_INT8,   OTF2_TYPE_UINT16, OTF2_TYPE_INT16,
                                       OTF2_TYPE_UINT32, OTF2_TYPE_INT32, OTF2_TYPE_FLOAT,  OTF2_TYPE_UINT64,
                                       OTF2_TYPE_INT64, OTF2_TYPE_DOUBLE };
    static const size_t sizes[] = { 1, 1, 2, 2, 4, 4, 4, 8, 8, 8 };
    size_t i;
    for ( i = 0; i < sizeof( sizes ) / sizeof( sizes[ 0 ] ); i++ )
    {
        /* Two elements are transferred, and not a byte more. */
        char bytes[ 17 ], expected[ 17 ];
        memset( bytes, rank_of( global ) == 0 ? 1 : 0, sizeof( bytes ) );
        memset( expected, rank_of( global ) == 0 ? 1 : 0, sizeof( expected ) );
        memset( expected, 1, 2 * sizes[ i ] );
        assert( callbacks->otf2_bcast( data, global, bytes, 2, types[ i ], 0 ) == OTF2_CALLBACK_SUCCESS );
        assert( memcmp( bytes, expected, sizeof( bytes ) ) == 0 );
    }
}

/* Neighbours share a file; sizes differ by at most one, larger groups first. */
static void
check_split( OTF2_Archive* archive, uint32_t files )
{
    uint32_t size, rank, r, group = 0, in_group = 0, group_size;
    assert( OTF2_MPI_Archive_SetCollectiveCallbacksSplit( archive, MPI_COMM_WORLD, files ) == OTF2_SUCCESS );
    size = size_of( global );
    rank = rank_of( global );
    group_size = size / files + ( 0 < size % files );
    for ( r = 0; r < rank; r++ )
    {
        if ( ++in_group == group_size )
        {
            group++;
            in_group = 0;
            group_size = size / files + ( group < size % files );
        }
    }
    assert( size_of( local ) == group_size && rank_of( local ) == in_group );
    callbacks->otf2_release( data, global, local );
}

int
main( int argc, char** argv )
{
    int object = 0;
    OTF2_Archive* archive = ( OTF2_Archive* )&object;
    OTF2_CollectiveContext* made;
    uint32_t root, files, size;
    MPI_Init( &argc, &argv );

    assert( OTF2_MPI_Archive_SetCollectiveCallbacks( NULL, MPI_COMM_WORLD, MPI_COMM_NULL )
            == OTF2_ERROR_INVALID_ARGUMENT );
    assert( OTF2_MPI_Archive_SetCollectiveCallbacks( archive, MPI_COMM_NULL, MPI_COMM_NULL )
            == OTF2_ERROR_INVALID_ARGUMENT );
    assert( OTF2_MPI_Archive_SetCollectiveCallbacksSplit( archive, MPI_COMM_WORLD, 0 )
            == OTF2_ERROR_INVALID_ARGUMENT );
    assert( OTF2_MPI_Reader_SetCollectiveCallbacks( NULL, MPI_COMM_WORLD ) == OTF2_ERROR_INVALID_ARGUMENT );
    answer = OTF2_ERROR_INVALID_CALL;
    assert( OTF2_MPI_Archive_SetCollectiveCallbacks( archive, MPI_COMM_WORLD, MPI_COMM_NULL ) == answer );
    assert( OTF2_MPI_Reader_SetCollectiveCallbacks( ( OTF2_Reader* )archive, MPI_COMM_WORLD ) == answer );
    answer = OTF2_SUCCESS;

    assert( OTF2_MPI_Archive_SetCollectiveCallbacks( archive, MPI_COMM_WORLD, MPI_COMM_SELF ) == OTF2_SUCCESS );
    assert( size_of( local ) == 1 && rank_of( local ) == 0 );
    callbacks->otf2_release( data, global, local );
    for ( files = 1; files <= 7; files++ )
    {
        check_split( archive, files );
    }

    assert( OTF2_MPI_Reader_SetCollectiveCallbacks( ( OTF2_Reader* )archive, MPI_COMM_WORLD ) == OTF2_SUCCESS );
    assert( local == NULL );
    size = size_of( global );
    for ( root = 0; root < size; root++ )
    {
        check_different_amounts( root );
        check_same_amounts( root );
    }
    check_types();
    check_refusals();
    assert( callbacks->otf2_create_local_comm( data, &made, global, rank_of( global ), size,
                                               rank_of( global ) / 2, 0, rank_of( global ) % 2, 2 )
            == OTF2_CALLBACK_SUCCESS );
    assert( rank_of( made ) == rank_of( global ) / 2 );
    assert( callbacks->otf2_free_local_comm( data, made ) == OTF2_CALLBACK_SUCCESS );
    if ( rank_of( global ) == 0 )
    {
        printf( "%u ranks\n", ( unsigned )size );
    }
    callbacks->otf2_release( data, global, local );
    MPI_Finalize();
    return 0;
}
