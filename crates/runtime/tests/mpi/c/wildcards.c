/* Messages from any source with any tag: sender and tag come from the status. */
#include "check.h"

int main(void) {
    int numbers[4] = {0}, total = 0, elements;
    MPI_Status status;
    begin(4);
    if (rank) {
        MPI_Send(numbers, rank, MPI_INT, 0, 10 * rank, MPI_COMM_WORLD);
        MPI_Send(numbers, rank, MPI_INT, 0, 100, MPI_COMM_WORLD);
    } else {
        for (int n = 0; n < 3; n++) {
            MPI_Recv(numbers, 4, MPI_INT, MPI_ANY_SOURCE, 100, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_INT, &elements);
            CHECK(elements == status.MPI_SOURCE);
            total += elements;
        }
        CHECK(total == 6);
        for (int n = 0; n < 3; n++)
            MPI_Recv(numbers, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
