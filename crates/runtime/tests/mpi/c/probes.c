/* Probes, plain and matched. */
#include "check.h"

static void receiver(void) {
    int numbers[8], flag, elements;
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &elements);
    CHECK(elements == 4);
    MPI_Recv(numbers, 4, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (flag = 0; !flag;) MPI_Iprobe(0, 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Recv(numbers, 8, MPI_INT, 0, 2, MPI_COMM_WORLD, &status);
    MPI_Mprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv(numbers, 8, MPI_INT, &message, &status);
    MPI_Get_count(&status, MPI_INT, &elements);
    CHECK(elements == 2 && message == MPI_MESSAGE_NULL);
    for (flag = 0; !flag;) MPI_Improbe(0, 4, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(numbers, 8, MPI_INT, &message, &request);
    MPI_Wait(&request, &status);
    CHECK(status.MPI_TAG == 4);
    MPI_Mprobe(MPI_PROC_NULL, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    CHECK(message == MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(numbers, 8, MPI_INT, &message, MPI_STATUS_IGNORE);
}

int main(void) {
    int numbers[4] = {1, 2, 3, 4};
    begin(2);
    if (rank == 0)
        for (int tag = 1; tag <= 4; tag++)
            MPI_Send(numbers, 5 - tag, MPI_INT, 1, tag, MPI_COMM_WORLD);
    else
        receiver();
    MPI_Finalize();
    return 0;
}
