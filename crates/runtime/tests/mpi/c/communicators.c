/* Communicators of every origin on four ranks, names, groups. */
#include "check.h"

static MPI_Group from_groups(void) {
    MPI_Group world, left, right, both, odd;
    int result;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, (int[][3]){{0, 1, 1}}, &left);
    MPI_Group_range_excl(world, 1, (int[][3]){{0, 1, 1}}, &right);
    MPI_Group_union(left, right, &both);
    MPI_Group_compare(world, both, &result);
    CHECK(result == MPI_IDENT);
    MPI_Group_free(&both);
    MPI_Group_intersection(world, left, &both);
    MPI_Group_free(&left);
    MPI_Group_difference(world, both, &left);
    MPI_Group_free(&left);
    MPI_Group_free(&both);
    MPI_Group_free(&right);
    MPI_Group_incl(world, 2, (int[]){1, 3}, &odd);
    MPI_Group_excl(world, 2, (int[]){0, 2}, &both);
    MPI_Group_compare(odd, both, &result);
    CHECK(result == MPI_IDENT);
    MPI_Group_free(&both);
    MPI_Group_free(&world);
    return odd;
}

int main(void) {
    MPI_Comm made[9];
    MPI_Group odd, some;
    MPI_Request request;
    int n = 0, result;
    begin(4);
    MPI_Comm_dup(MPI_COMM_WORLD, &made[n++]);
    MPI_Comm_set_name(made[0], "a copy");
    MPI_Comm_set_name(made[0], "renamed");
    MPI_Comm_compare(MPI_COMM_WORLD, made[0], &result);
    CHECK(result == MPI_CONGRUENT);
    MPI_Comm_dup(MPI_COMM_SELF, &made[n++]);
    MPI_Comm_dup_with_info(made[0], MPI_INFO_NULL, &made[n++]);
    /* {0, 2}, {1}, and nothing for rank 3. */
    MPI_Comm_split(MPI_COMM_WORLD, rank == 3 ? MPI_UNDEFINED : rank % 2, -rank, &made[n++]);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made[n++]);
    odd = from_groups();
    MPI_Comm_create(MPI_COMM_WORLD, odd, &made[n++]);
    CHECK((made[n - 1] == MPI_COMM_NULL) == (rank % 2 == 0));
    made[n] = MPI_COMM_NULL;
    if (rank < 2) {
        MPI_Comm_group(MPI_COMM_WORLD, &some);
        MPI_Group_free(&odd);
        MPI_Group_incl(some, 2, (int[]){1, 0}, &odd);
        MPI_Comm_create_group(MPI_COMM_WORLD, odd, 5, &made[n]);
        MPI_Comm_set_name(made[n], "of two");
        MPI_Group_free(&some);
    }
    n++;
    MPI_Group_free(&odd);
    MPI_Comm_idup(MPI_COMM_WORLD, &made[n++], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(made[n - 1]);
    for (int i = 0; i < n; i++)
        if (made[i] != MPI_COMM_NULL) MPI_Comm_free(&made[i]);
    MPI_Finalize();
    return 0;
}
