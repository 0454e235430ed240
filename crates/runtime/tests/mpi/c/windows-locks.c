/* Passive targets: locks, flushes, operations with requests. Rank 0 accesses the memory of rank 1. */
#include "check.h"

static MPI_Win win;
static int numbers[4] = {1, 2, 3, 4}, got[8];

static void put(int count) { MPI_Put(numbers, count, MPI_INT, 1, 0, count, MPI_INT, win); }

static void flushes(void) {
    MPI_Win_lock_all(0, win);
    put(1);
    MPI_Win_flush(1, win);
    put(1);
    MPI_Win_flush_local(1, win);
    MPI_Win_flush_all(win);
    MPI_Accumulate(numbers, 2, MPI_INT, 1, 0, 2, MPI_INT, MPI_SUM, win);
    MPI_Win_flush_local_all(win);
    MPI_Win_unlock_all(win);
}

static void requests(void) {
    MPI_Request requests[2];
    int flag = 0;
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Rput(numbers, 4, MPI_INT, 1, 0, 4, MPI_INT, win, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Rget(got, 2, MPI_INT, 1, 8, 2, MPI_INT, win, &requests[0]);
    while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    MPI_Raccumulate(numbers, 1, MPI_INT, 1, 4, 1, MPI_INT, MPI_SUM, win, &requests[0]);
    MPI_Rget_accumulate(numbers, 1, MPI_INT, got, 1, MPI_INT, 1, 5, 1, MPI_INT, MPI_SUM, win, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Win_unlock(1, win);
}

int main(void) {
    int *memory;
    begin(2);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        put(2);
        MPI_Get(got, 3, MPI_INT, 1, 8, 3, MPI_INT, win);
        MPI_Win_unlock(1, win);
        flushes();
        requests();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
