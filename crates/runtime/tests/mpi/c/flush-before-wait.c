/* A request-based put that a flush completes before the wait for its request. Score-P 8.4 ends the
 * program here. */
#include "check.h"

int main(void) {
    int *memory, number = 5;
    MPI_Win win;
    MPI_Request request;
    begin(2);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Rput(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request);
        MPI_Win_flush(1, win);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Win_unlock(1, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
