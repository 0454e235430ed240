/* Every collective operation on three ranks, blocking and then not. Arguments that matter only at
 * the root are nonsense elsewhere. */
#include "check.h"

#define AT(root, what, nonsense) (rank == (root) ? (what) : (nonsense))
#define INTS_AT(root) AT(root, MPI_INT, MPI_DATATYPE_NULL)

static const int up[3] = {1, 2, 3}, down[3] = {3, 2, 1}, offsets[3] = {0, 3, 6};
static int a[16], b[16];
static int mine[3], byte_offsets[3] = {0, 12, 24};
static MPI_Datatype types[3];

static void blocking(MPI_Comm comm) {
    MPI_Barrier(comm);
    MPI_Bcast(a, 5, MPI_INT, 1, comm);
    MPI_Gather(a, 2, MPI_INT, AT(0, b, NULL), AT(0, 2, -1), INTS_AT(0), 0, comm);
    MPI_Gatherv(a, rank + 1, MPI_INT, AT(2, b, NULL), AT(2, up, NULL), AT(2, offsets, NULL),
                INTS_AT(2), 2, comm);
    MPI_Scatter(AT(0, a, NULL), AT(0, 2, -1), INTS_AT(0), b, 2, MPI_INT, 0, comm);
    MPI_Scatterv(AT(1, a, NULL), AT(1, down, NULL), AT(1, offsets, NULL), INTS_AT(1), b, 3 - rank,
                 MPI_INT, 1, comm);
    MPI_Allgather(a, 2, MPI_INT, b, 2, MPI_INT, comm);
    MPI_Allgatherv(a, rank + 1, MPI_INT, b, up, offsets, MPI_INT, comm);
    MPI_Alltoall(a, 1, MPI_INT, b, 1, MPI_INT, comm);
    MPI_Alltoallv(a, up, offsets, MPI_INT, b, mine, offsets, MPI_INT, comm);
    MPI_Alltoallw(a, up, byte_offsets, types, b, mine, byte_offsets, types, comm);
    MPI_Allreduce(a, b, 4, MPI_INT, MPI_SUM, comm);
    MPI_Reduce(a, AT(2, b, NULL), 4, MPI_INT, MPI_SUM, 2, comm);
    MPI_Reduce_scatter(a, b, up, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter_block(a, b, 2, MPI_INT, MPI_SUM, comm);
    MPI_Scan(a, b, 2, MPI_INT, MPI_SUM, comm);
    MPI_Exscan(a, b, 2, MPI_INT, MPI_SUM, comm);
}

static void finish(MPI_Request *request) { MPI_Wait(request, MPI_STATUS_IGNORE); }

static void nonblocking(MPI_Comm comm) {
    MPI_Request request;
    MPI_Ibarrier(comm, &request), finish(&request);
    MPI_Ibcast(a, 5, MPI_INT, 1, comm, &request), finish(&request);
    MPI_Igather(a, 2, MPI_INT, AT(0, b, NULL), AT(0, 2, -1), INTS_AT(0), 0, comm, &request);
    finish(&request);
    MPI_Igatherv(a, rank + 1, MPI_INT, AT(2, b, NULL), AT(2, up, NULL), AT(2, offsets, NULL),
                 INTS_AT(2), 2, comm, &request);
    finish(&request);
    MPI_Iscatter(AT(0, a, NULL), AT(0, 2, -1), INTS_AT(0), b, 2, MPI_INT, 0, comm, &request);
    finish(&request);
    MPI_Iscatterv(AT(1, a, NULL), AT(1, down, NULL), AT(1, offsets, NULL), INTS_AT(1), b, 3 - rank,
                  MPI_INT, 1, comm, &request);
    finish(&request);
    MPI_Iallgather(a, 2, MPI_INT, b, 2, MPI_INT, comm, &request), finish(&request);
    MPI_Iallgatherv(a, rank + 1, MPI_INT, b, up, offsets, MPI_INT, comm, &request), finish(&request);
    MPI_Ialltoall(a, 1, MPI_INT, b, 1, MPI_INT, comm, &request), finish(&request);
    MPI_Ialltoallv(a, up, offsets, MPI_INT, b, mine, offsets, MPI_INT, comm, &request);
    finish(&request);
    MPI_Ialltoallw(a, up, byte_offsets, types, b, mine, byte_offsets, types, comm, &request);
    finish(&request);
    MPI_Iallreduce(a, b, 4, MPI_INT, MPI_SUM, comm, &request), finish(&request);
    MPI_Ireduce(a, AT(2, b, NULL), 4, MPI_INT, MPI_SUM, 2, comm, &request), finish(&request);
    MPI_Ireduce_scatter(a, b, up, MPI_INT, MPI_SUM, comm, &request), finish(&request);
    MPI_Ireduce_scatter_block(a, b, 2, MPI_INT, MPI_SUM, comm, &request), finish(&request);
    MPI_Iscan(a, b, 2, MPI_INT, MPI_SUM, comm, &request), finish(&request);
    MPI_Iexscan(a, b, 2, MPI_INT, MPI_SUM, comm, &request), finish(&request);
}

int main(void) {
    begin(3);
    for (int n = 0; n < 3; n++) mine[n] = rank + 1, types[n] = MPI_INT;
    for (int n = 0; n < 16; n++) a[n] = n;
    blocking(MPI_COMM_WORLD);
    if (rank == 2) CHECK(b[1] == 2);
    nonblocking(MPI_COMM_WORLD);
    if (rank == 2) CHECK(b[1] == 2);
    MPI_Finalize();
    return 0;
}
