/* Persistent requests, started twice: together and one by one. */
#include "check.h"

static int numbers[4] = {1, 2, 3, 4}, received[4][8];
static MPI_Request requests[5];

static void create(void) {
    if (rank == 0) {
        MPI_Send_init(numbers, 2, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Ssend_init(numbers, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Bsend_init(numbers, 3, MPI_INT, 1, 3, MPI_COMM_WORLD, &requests[2]);
        MPI_Rsend_init(numbers, 4, MPI_INT, 1, 4, MPI_COMM_WORLD, &requests[3]);
        MPI_Send_init(numbers, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &requests[4]);
    } else {
        for (int n = 0; n < 4; n++)
            MPI_Recv_init(received[n], 8, MPI_INT, 0, n + 1, MPI_COMM_WORLD, &requests[n]);
        MPI_Recv_init(received[0], 8, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &requests[4]);
    }
}

static void together(void) {
    MPI_Status statuses[5];
    if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Startall(5, requests);
    if (rank == 1) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(5, requests, rank ? statuses : MPI_STATUSES_IGNORE);
    if (rank) CHECK(received[3][3] == 4 && statuses[2].MPI_TAG == 3);
}

static void one_by_one(void) {
    memset(received, 0, sizeof received);
    if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);
    for (int n = 0; n < 5; n++) MPI_Start(&requests[n]);
    if (rank == 1) MPI_Barrier(MPI_COMM_WORLD);
    for (int n = 0; n < 5; n++) MPI_Wait(&requests[n], MPI_STATUS_IGNORE);
    if (rank) CHECK(received[3][3] == 4 && received[0][1] == 2);
}

int main(void) {
    static char room[4 * MPI_BSEND_OVERHEAD + 200];
    void *old;
    int old_size;
    begin(2);
    MPI_Buffer_attach(room, sizeof room);
    create();
    together();
    one_by_one();
    /* Inactive: nothing happens. */
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    for (int n = 0; n < 5; n++) MPI_Request_free(&requests[n]);
    MPI_Buffer_detach(&old, &old_size);
    MPI_Finalize();
    return 0;
}
