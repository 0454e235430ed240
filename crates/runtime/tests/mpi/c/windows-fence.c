/* One-sided communication between fences: all operations, both ways at a time. */
#include "check.h"

int main(void) {
    int memory[16] = {0}, numbers[4] = {1, 2, 3, 4}, got[4] = {0}, other, zero = 0;
    MPI_Win win;
    begin(2);
    other = 1 - rank;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(numbers, 2, MPI_INT, other, 0, 2, MPI_INT, win);
    MPI_Put(numbers, 2, MPI_INT, other, 2, 2, MPI_INT, win);
    MPI_Put(numbers, 2, MPI_INT, MPI_PROC_NULL, 2, 2, MPI_INT, win);
    MPI_Get(got, 3, MPI_INT, other, 4, 3, MPI_INT, win);
    MPI_Accumulate(numbers, 1, MPI_INT, other, 8, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    CHECK(memory[1] == 2 && memory[8] == 1);
    MPI_Get_accumulate(numbers, 2, MPI_INT, got, 2, MPI_INT, other, 0, 2, MPI_INT, MPI_SUM, win);
    MPI_Fetch_and_op(numbers, got + 2, MPI_INT, other, 8, MPI_SUM, win);
    MPI_Compare_and_swap(numbers, &zero, got + 3, MPI_INT, other, 9, win);
    MPI_Win_fence(0, win);
    CHECK(got[1] == 2 && got[2] == 1 && memory[9] == 1 && memory[8] == 2);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
