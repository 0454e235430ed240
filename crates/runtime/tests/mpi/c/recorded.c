/* The calls of the program of Score-P 8.4's recording `mpi`, made from its trace. All groups
 * of functions are on there, which adds the region MPI_Comm_set_name. */
#include "check.h"

static MPI_Comm half, copy;

static void messages(int step) {
    int right = (rank + 1) % size, left = (rank + size - 1) % size, number = rank, got, flag;
    MPI_Request requests[2];
    MPI_Sendrecv(&number, 1, MPI_INT, right, 7, &got, 1, MPI_INT, left, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (rank % 2 == 0)
        MPI_Send(&number, 1, MPI_INT, rank + 1, step, MPI_COMM_WORLD);
    else
        MPI_Recv(&got, 1, MPI_INT, rank - 1, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(&got, 1, MPI_INT, left, 9, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&number, 1, MPI_INT, right, 9, MPI_COMM_WORLD, &requests[1]);
    MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void collectives(void) {
    int number = rank, many[4] = {0}, all[4] = {0}, sum;
    MPI_Request requests[2];
    MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, copy);
    MPI_Bcast(&number, 1, MPI_INT, 0, half);
    MPI_Gather(&number, 1, MPI_INT, many, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Alltoall(many, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Iallreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void window(void) {
    int right = (rank + 1) % size, left = (rank + size - 1) % size, number = rank, got, *memory;
    MPI_Win win;
    MPI_Group world, to, from;
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&number, 1, MPI_INT, right, 0, 1, MPI_INT, win);
    MPI_Get(&got, 1, MPI_INT, left, 1, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
    MPI_Accumulate(&number, 1, MPI_INT, right, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock(right, win);
    MPI_Win_lock_all(0, win);
    MPI_Fetch_and_op(&number, &got, MPI_INT, right, 0, MPI_SUM, win);
    MPI_Win_flush(right, win);
    MPI_Win_unlock_all(win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &right, &to);
    MPI_Group_incl(world, 1, &left, &from);
    MPI_Win_post(from, 0, win);
    MPI_Win_start(to, 0, win);
    MPI_Put(&number, 1, MPI_INT, right, 2, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Win_free(&win);
}

static void file(void) {
    int number = rank;
    MPI_File file;
    MPI_Request request;
    MPI_File_open(MPI_COMM_WORLD, "mpi-io.bin", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, 4 * rank, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_read(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, 4 * rank, &number, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

int main(void) {
    int number, dims[2] = {0, 0}, periods[2] = {1, 0};
    MPI_Request request;
    MPI_Comm grid;
    begin(4);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_dup(half, &copy);
    MPI_Comm_set_name(half, "every other rank");
    for (int step = 0; step < 4; step++) messages(step), collectives();
    MPI_Irecv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    window();
    file();
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Barrier(grid);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
