/* A communicator is duplicated without blocking; one rank waits for it before it sends the
 * message that the other receives before its own wait. */
#include "check.h"

int main(void) {
    MPI_Comm copy;
    MPI_Request request;
    int number = 0;
    begin(2);
    for (int round = 0; round < 2; round++) {
        MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
        if (rank == round) {
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Send(&rank, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD);
        } else {
            MPI_Recv(&number, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Send(&number, 0, MPI_INT, rank, 2, copy);
        MPI_Recv(&number, 0, MPI_INT, rank, 2, copy, MPI_STATUS_IGNORE);
        MPI_Comm_free(&copy);
    }
    MPI_Finalize();
    return 0;
}
