/* Every kind of window, with a name, and other functions on windows. */
#include "check.h"

int main(void) {
    int memory[4] = {0}, *allocated, *shared, unit;
    MPI_Aint bytes, place, others;
    MPI_Win wins[4];
    MPI_Group group;
    begin(2);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &wins[0]);
    MPI_Win_set_name(wins[0], "created");
    MPI_Win_set_name(wins[0], "renamed");
    MPI_Win_allocate(8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &allocated, &wins[1]);
    MPI_Win_allocate_shared(8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &wins[2]);
    MPI_Win_shared_query(wins[2], 0, &bytes, &unit, &shared);
    CHECK(bytes == 8 && unit == 4);
    MPI_Win_lock_all(0, wins[2]);
    MPI_Win_sync(wins[2]);
    MPI_Win_unlock_all(wins[2]);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &wins[3]);
    MPI_Win_attach(wins[3], memory, sizeof memory);
    MPI_Get_address(memory, &place);
    MPI_Sendrecv(&place, 1, MPI_AINT, 1 - rank, 1, &others, 1, MPI_AINT, 1 - rank, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, wins[3]);
    MPI_Put(&unit, 1, MPI_INT, 1 - rank, others, 1, MPI_INT, wins[3]);
    MPI_Win_unlock(1 - rank, wins[3]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(wins[3], memory);
    MPI_Win_get_group(wins[3], &group);
    MPI_Group_free(&group);
    for (int n = 0; n < 4; n++) MPI_Win_free(&wins[n]);
    MPI_Finalize();
    return 0;
}
