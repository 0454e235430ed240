/* C that passes a communicator to Fortran (mixed-part.f90) and completes a request of Fortran. */
#include "check.h"

void exchange_(MPI_Fint *comm, MPI_Fint *request, int *got);

int main(void) {
    MPI_Comm copy;
    MPI_Fint fortran_comm, fortran_request;
    MPI_Request request;
    int got = -1;
    begin(2);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    fortran_comm = MPI_Comm_c2f(copy);
    exchange_(&fortran_comm, &fortran_request, &got);
    request = MPI_Request_f2c(fortran_request);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 8, copy);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(got == 1 - rank);
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}
