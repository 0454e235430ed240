/* An inter-communicator of ranks {0} and {1, 2}: messages, every collective operation, merge. */
#include "check.h"

static MPI_Comm inter;
static int a[16], b[16];

static void messages(void) {
    if (rank == 0) MPI_Send(a, 2, MPI_INT, 1, 5, inter);
    if (rank == 2) {
        MPI_Status status;
        MPI_Recv(b, 16, MPI_INT, MPI_ANY_SOURCE, 5, inter, &status);
        CHECK(status.MPI_SOURCE == 0);
    }
}

static void collectives(void) {
    /* The root is rank 0 of the world, or rank 1. */
    int from_0 = rank ? 0 : MPI_ROOT;
    int from_1 = rank == 0 ? 0 : rank == 1 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Barrier(inter);
    MPI_Bcast(a, 5, MPI_INT, from_0, inter);
    MPI_Bcast(a, 5, MPI_INT, from_1, inter);
    MPI_Gather(a, 2, MPI_INT, b, 2, MPI_INT, from_0, inter);
    MPI_Scatter(a, 2, MPI_INT, b, 2, MPI_INT, from_0, inter);
    MPI_Allgather(a, 2, MPI_INT, b, 2, MPI_INT, inter);
    MPI_Alltoall(a, 1, MPI_INT, b, 1, MPI_INT, inter);
    MPI_Allreduce(a, b, 4, MPI_INT, MPI_SUM, inter);
    MPI_Reduce(a, b, 4, MPI_INT, MPI_SUM, from_0, inter);
    MPI_Reduce_scatter_block(a, b, rank ? 2 : 4, MPI_INT, MPI_SUM, inter);
    MPI_Reduce_scatter(a, b, rank ? (int[]){2, 2} : (int[]){4}, MPI_INT, MPI_SUM, inter);
}

int main(void) {
    MPI_Comm side, merged, copy;
    int others, flag, sum, one = 1;
    MPI_Group group;
    begin(3);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank ? 0 : 1, 7, &inter);
    MPI_Comm_test_inter(inter, &flag);
    MPI_Comm_remote_size(inter, &others);
    CHECK(flag && others == (rank ? 1 : 2));
    MPI_Comm_remote_group(inter, &group);
    MPI_Group_free(&group);
    messages();
    collectives();
    MPI_Intercomm_merge(inter, rank > 0, &merged);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, merged);
    CHECK(sum == 3);
    MPI_Comm_dup(inter, &copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&side);
    MPI_Finalize();
    return 0;
}
