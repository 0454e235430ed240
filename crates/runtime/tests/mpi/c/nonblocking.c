/* Non-blocking point to point: the four modes, and every way to complete requests. Small messages
 * that are sent at once share one handle, and must all complete. */
#include "check.h"

#define TO(kind, elements, tag) \
    MPI_I##kind(numbers, elements, MPI_INT, 1, tag, MPI_COMM_WORLD, &requests[n++])

static int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8}, received[8][8];
static MPI_Request requests[8];
static MPI_Status statuses[8];

static void post(int count, int elements, int tag) {
    for (int n = 0; n < count; n++)
        if (rank == 0)
            MPI_Isend(numbers, elements, MPI_INT, 1, tag + n, MPI_COMM_WORLD, &requests[n]);
        else
            MPI_Irecv(received[n], 8, MPI_INT, MPI_ANY_SOURCE, tag + n, MPI_COMM_WORLD, &requests[n]);
}

static void all_modes(void) {
    int n = 0;
    if (rank == 0) {
        static char room[4 * MPI_BSEND_OVERHEAD + 100];
        void *old;
        int old_size;
        MPI_Buffer_attach(room, sizeof room);
        MPI_Barrier(MPI_COMM_WORLD);
        TO(send, 4, 1);
        TO(ssend, 2, 2);
        TO(bsend, 1, 3);
        TO(rsend, 3, 4);
        MPI_Isend(numbers, 1, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &requests[n++]);
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
        MPI_Buffer_detach(&old, &old_size);
    } else {
        static const int sizes[] = {4, 2, 1, 3};
        for (; n < 4; n++)
            MPI_Irecv(received[n], 8, MPI_INT, 0, n + 1, MPI_COMM_WORLD, &requests[n]);
        MPI_Irecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &requests[n]);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Waitall(n + 1, requests, statuses);
        for (n = 0; n < 4; n++) {
            int elements;
            MPI_Get_count(&statuses[n], MPI_INT, &elements);
            CHECK(elements == sizes[n] && statuses[n].MPI_TAG == n + 1);
        }
    }
}

static void waits(void) {
    int index, count, indices[8], seen = 0, left = 3;
    MPI_Status status;
    post(1, 1, 10);
    MPI_Wait(&requests[0], &status);
    if (rank) CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == 10);
    post(3, 1, 20);
    for (int n = 0; n < 3; n++) {
        MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
        seen |= 1 << index;
    }
    CHECK(seen == 7);
    MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
    CHECK(index == MPI_UNDEFINED);
    post(3, 2, 30);
    for (; left; left -= count) MPI_Waitsome(3, requests, &count, indices, MPI_STATUSES_IGNORE);
}

static void tests(void) {
    int flag = 0, index, count, indices[8], left;
    post(1, 1, 40);
    while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    post(2, 1, 50);
    for (flag = 0; !flag;) MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    post(2, 1, 60);
    for (left = 2; left; left -= flag) MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
    post(2, 1, 70);
    for (left = 2; left; left -= count) MPI_Testsome(2, requests, &count, indices, statuses);
    CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
}

int main(void) {
    begin(2);
    all_modes();
    waits();
    tests();
    MPI_Finalize();
    return 0;
}
