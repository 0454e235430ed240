/* A ring and an open chain of MPI_Sendrecv and MPI_Sendrecv_replace. */
#include "check.h"

int main(void) {
    begin(3);
    int right = (rank + 1) % size, left = (rank + size - 1) % size, got = -1, many[5] = {0};
    double pair[2] = {rank, rank};
    MPI_Status status;
    MPI_Sendrecv(&rank, 1, MPI_INT, right, rank, &got, 1, MPI_INT, left, left, MPI_COMM_WORLD, &status);
    CHECK(got == left && status.MPI_TAG == left);
    MPI_Sendrecv_replace(pair, 2, MPI_DOUBLE, left, 9, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    CHECK(pair[1] == right);
    right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    left = rank ? rank - 1 : MPI_PROC_NULL;
    /* The receiver has room for more than is sent. */
    MPI_Sendrecv((int[]){1, 2, 3}, 3, MPI_INT, right, 10, many, 5, MPI_INT, left, MPI_ANY_TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(many[2] == (rank ? 3 : 0));
    MPI_Finalize();
    return 0;
}
