/* Every collective operation that allows MPI_IN_PLACE, with it, on three ranks. */
#include "check.h"

#define AT(root, what, otherwise) (rank == (root) ? (what) : (otherwise))

static const int up[3] = {1, 2, 3}, down[3] = {3, 2, 1}, offsets[3] = {0, 5, 10};
static int a[24], b[24];
static int symmetric[3], byte_offsets[3] = {0, 20, 40};
static MPI_Datatype types[3];

int main(void) {
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Datatype none = MPI_DATATYPE_NULL;
    begin(3);
    for (int n = 0; n < 3; n++) symmetric[n] = rank + n + 1, types[n] = MPI_INT;
    MPI_Gather(AT(0, MPI_IN_PLACE, (void *)a), AT(0, -1, 2), AT(0, none, MPI_INT), b, 2, MPI_INT, 0, comm);
    MPI_Gatherv(AT(2, MPI_IN_PLACE, (void *)a), AT(2, -1, rank + 1), AT(2, none, MPI_INT), b, up,
                offsets, MPI_INT, 2, comm);
    MPI_Scatter(a, 2, MPI_INT, AT(0, MPI_IN_PLACE, (void *)b), AT(0, -1, 2), AT(0, none, MPI_INT), 0, comm);
    MPI_Scatterv(a, down, offsets, MPI_INT, AT(1, MPI_IN_PLACE, (void *)b), AT(1, -1, 3 - rank),
                 AT(1, none, MPI_INT), 1, comm);
    MPI_Allgather(MPI_IN_PLACE, -1, none, b, 2, MPI_INT, comm);
    MPI_Allgatherv(MPI_IN_PLACE, -1, none, b, up, offsets, MPI_INT, comm);
    MPI_Alltoall(MPI_IN_PLACE, -1, none, b, 1, MPI_INT, comm);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, none, b, symmetric, offsets, MPI_INT, comm);
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, b, symmetric, byte_offsets, types, comm);
    MPI_Allreduce(MPI_IN_PLACE, b, 4, MPI_INT, MPI_SUM, comm);
    MPI_Reduce(AT(2, MPI_IN_PLACE, (void *)a), b, 4, MPI_INT, MPI_SUM, 2, comm);
    MPI_Reduce_scatter(MPI_IN_PLACE, b, up, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, b, 2, MPI_INT, MPI_SUM, comm);
    b[0] = 1;
    MPI_Scan(MPI_IN_PLACE, b, 2, MPI_INT, MPI_SUM, comm);
    CHECK(b[0] == rank + 1);
    b[0] = 1;
    MPI_Exscan(MPI_IN_PLACE, b, 2, MPI_INT, MPI_SUM, comm);
    if (rank) CHECK(b[0] == rank);
    MPI_Finalize();
    return 0;
}
