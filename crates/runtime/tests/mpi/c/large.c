/* Functions of MPI 4: large counts, persistent collectives, partitioned messages, MPI_Isendrecv. */
#include "check.h"

int main(void) {
    int numbers[4] = {1, 2, 3, 4}, got[4] = {0}, sum = 0;
    MPI_Request requests[2];
    begin(2);
    if (rank == 0) {
        MPI_Send_c(numbers, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Isend_c(numbers, 3, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Psend_init(numbers, 2, 2, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
        MPI_Start(&requests[0]);
        MPI_Pready(0, requests[0]);
        MPI_Pready(1, requests[0]);
    } else {
        MPI_Recv_c(got, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(got[3] == 4);
        MPI_Irecv_c(got, 4, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Precv_init(got, 2, 2, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
        MPI_Start(&requests[0]);
    }
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Bcast_c(numbers, 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce_init(numbers, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Start(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    CHECK(sum == 2);
    MPI_Request_free(&requests[0]);
    MPI_Isendrecv(numbers, 2, MPI_INT, 1 - rank, 4, got, 4, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD,
                  &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    CHECK(got[1] == 2);
    MPI_Finalize();
    return 0;
}
