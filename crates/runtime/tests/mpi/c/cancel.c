/* Receives that are cancelled: waited for, freed, persistent. */
#include "check.h"

static void receive_and_cancel(MPI_Request *request, int tag) {
    static int number;
    MPI_Irecv(&number, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, request);
    MPI_Cancel(request);
}

int main(void) {
    MPI_Request request;
    MPI_Status status;
    int flag = 0, number;
    begin(2);
    receive_and_cancel(&request, 1);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
    receive_and_cancel(&request, 2);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    receive_and_cancel(&request, 3);
    MPI_Request_free(&request);
    CHECK(request == MPI_REQUEST_NULL);
    MPI_Recv_init(&number, 1, MPI_INT, 1 - rank, 4, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
