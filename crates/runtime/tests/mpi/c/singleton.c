/* One process: the world and MPI_COMM_SELF are two communicators over the same group. */
#include "check.h"

int main(void) {
    int number = 5, got = 0;
    begin(1);
    MPI_Sendrecv(&number, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    CHECK(got == 5);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
