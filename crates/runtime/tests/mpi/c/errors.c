/* Calls that fail, in programs that handle it. */
#include "check.h"

static void truncation(void) {
    int numbers[4] = {1, 2, 3, 4}, code;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    if (rank == 0) {
        MPI_Send(numbers, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(numbers, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
        MPI_Send(numbers, 4, MPI_INT, 1, 3, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK(MPI_Recv(numbers, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS);
        MPI_Irecv(numbers, 4, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(numbers, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &requests[1]);
        code = MPI_Waitall(2, requests, statuses);
        CHECK(code == MPI_ERR_IN_STATUS);
        CHECK(statuses[0].MPI_ERROR == MPI_SUCCESS && statuses[1].MPI_ERROR != MPI_SUCCESS);
    }
}

int main(void) {
    MPI_Comm null = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    int flag = 0, number = 0;
    begin(2);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    truncation();
    CHECK(MPI_Barrier(null) != MPI_SUCCESS);
    CHECK(MPI_Bcast(&number, 1, MPI_INT, 0, null) != MPI_SUCCESS);
    CHECK(MPI_Send(&number, 1, MPI_INT, 0, 1, null) != MPI_SUCCESS);
    CHECK(MPI_Irecv(&number, 1, MPI_INT, 0, 1, null, &request) != MPI_SUCCESS);
    CHECK(MPI_Send(&number, 1, MPI_INT, 99, 1, MPI_COMM_WORLD) != MPI_SUCCESS);
    CHECK(MPI_Send(&number, 1, MPI_DATATYPE_NULL, 0, 1, MPI_COMM_WORLD) != MPI_SUCCESS);
    CHECK(MPI_Comm_dup(null, &null) != MPI_SUCCESS);
    request = MPI_REQUEST_NULL;
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    CHECK(flag);
    MPI_Waitall(0, NULL, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
