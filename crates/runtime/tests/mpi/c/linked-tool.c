/* A program that is linked with a tool: functions that call those of the profiling interface. */
#include "check.h"

static int sent, waited;

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request)
{
    sent++;
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

int MPI_Barrier(MPI_Comm comm)
{
    waited++;
    return PMPI_Barrier(comm);
}

int MPI_Finalize(void)
{
    int own;
    PMPI_Comm_rank(MPI_COMM_WORLD, &own);
    CHECK(own == rank && sent == 10 && waited == 10);
    return PMPI_Finalize();
}

int main(void)
{
    int out[10] = {0}, in[10];
    begin(2);
    for (int turn = 0; turn < 10; turn++) {
        MPI_Request requests[2];
        MPI_Irecv(in, 10, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(out, 10, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return MPI_Finalize();
}
