/*
 * Calls MPI functions on one process, again and again.
 *
 *     mpi_calls rank|pair|started NUMBER FOLDER
 *
 * rank     MPI_Comm_rank
 * pair     MPI_Send to itself, then MPI_Recv, 8 bytes; needs a library that buffers such a message
 * started  MPI_Irecv from itself, MPI_Send, MPI_Wait, 8 bytes
 *
 * Prints nanoseconds of CPU of the calling thread, those of the process, and a checksum.
 */
#include "clock.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seen;

static void rank( uint64_t number )
{
    int own = -1;
    MPI_Comm_rank( MPI_COMM_WORLD, &own );
    seen += own == 0 && number;
}

static void pair( uint64_t number )
{
    uint64_t received = 0;
    MPI_Send( &number, 1, MPI_UINT64_T, 0, 1, MPI_COMM_WORLD );
    MPI_Recv( &received, 1, MPI_UINT64_T, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE );
    seen += received;
}

static void started( uint64_t number )
{
    uint64_t    received = 0;
    MPI_Request request;
    MPI_Irecv( &received, 1, MPI_UINT64_T, 0, 1, MPI_COMM_WORLD, &request );
    MPI_Send( &number, 1, MPI_UINT64_T, 0, 1, MPI_COMM_WORLD );
    MPI_Wait( &request, MPI_STATUS_IGNORE );
    seen += received;
}

int main( int argc, char** argv )
{
    if ( argc < 3 )
    {
        return 2;
    }
    void ( *call )( uint64_t ) = strcmp( argv[ 1 ], "rank" ) == 0   ? rank
                                 : strcmp( argv[ 1 ], "pair" ) == 0 ? pair
                                                                    : started;
    uint64_t number = strtoull( argv[ 2 ], NULL, 10 );
    MPI_Init( &argc, &argv );
    /* The first calls make memory available. */
    measure( call, 1000, CLOCK_MONOTONIC );
    seen               = 0;
    struct times times = measure( call, number, CLOCK_THREAD_CPUTIME_ID );
    MPI_Finalize();
    print_times( times, seen );
    return 0;
}
