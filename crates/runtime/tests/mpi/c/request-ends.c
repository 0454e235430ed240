/* Requests without a completion event, and MPI_Request_get_status. */
#include "check.h"

int main(void) {
    MPI_Request requests[2];
    static int number[2];
    int flag = 0;
    begin(2);
    /* Freed while active. */
    if (rank == 0)
        MPI_Isend(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
    else
        MPI_Irecv(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Request_free(&requests[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    /* Seen as completed before it is waited for: one event. */
    if (rank == 0)
        MPI_Send(number, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    else {
        MPI_Irecv(number, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[0]);
        while (!flag) MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
        CHECK(requests[0] != MPI_REQUEST_NULL);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
