/* A communicator that is freed as soon as its MPI_Comm_idup has completed, which on rank 0 is later
 * than elsewhere, with other operations after it. */
#include "check.h"

static void wait_later(MPI_Request *request) {
    double begin = MPI_Wtime();
    int flag;
    while (rank == 0 && MPI_Wtime() < begin + 0.05)
        MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

int main(void) {
    MPI_Comm copy;
    MPI_Request request;
    int one = 1, sum = 0;
    begin(6);
    for (int n = 0; n < 6; n++) {
        MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
        wait_later(&request);
        MPI_Comm_free(&copy);
        MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, n % size, MPI_COMM_WORLD);
        if (rank == n % size) CHECK(sum == 6);
    }
    MPI_Finalize();
    return 0;
}
