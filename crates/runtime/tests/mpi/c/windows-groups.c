/* One-sided communication with post, start, complete, wait and test. */
#include "check.h"

static MPI_Win win;

static void access_other(MPI_Group other) {
    int numbers[3] = {1, 2, 3};
    MPI_Win_start(other, 0, win);
    MPI_Put(numbers, 3, MPI_INT, 1 - rank, rank, 3, MPI_INT, win);
    MPI_Win_complete(win);
}

int main(void) {
    int *memory, flag = 0;
    MPI_Group world, other;
    begin(2);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, (int[]){1 - rank}, &other);
    if (rank == 0) {
        access_other(other);
        MPI_Win_post(other, 0, win);
        while (!flag) MPI_Win_test(win, &flag);
        CHECK(memory[3] == 3);
    } else {
        MPI_Win_post(other, 0, win);
        MPI_Win_wait(win);
        CHECK(memory[2] == 3);
        access_other(other);
    }
    MPI_Group_free(&other);
    MPI_Group_free(&world);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
