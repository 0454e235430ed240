/* The library that `opened` opens. */
#include "check.h"

int run(void) {
    int number = 3, got = 0;
    begin(2);
    MPI_Sendrecv(&number, 1, MPI_INT, 1 - rank, 1, &got, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(got == 3);
    MPI_Finalize();
    return 0;
}
