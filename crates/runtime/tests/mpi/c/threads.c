/* MPI_THREAD_MULTIPLE: two threads on each rank exchange messages and make communicators. */
#include <pthread.h>

#include "check.h"

enum { MESSAGES = 100 };

static MPI_Comm comms[2];

static void *work(void *argument) {
    int thread = (int)(size_t)argument, number, other = 1 - rank;
    MPI_Comm copy;
    for (int n = 0; n < MESSAGES; n++) {
        MPI_Request requests[2];
        MPI_Irecv(&number, 1, MPI_INT, other, thread, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&n, 1, MPI_INT, other, thread, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        if (number != n) wrong("the number", __FILE__, __LINE__);
    }
    for (int n = 0; n < 10; n++) {
        MPI_Comm_dup(comms[thread], &copy);
        MPI_Barrier(copy);
        MPI_Comm_free(&copy);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK(provided == MPI_THREAD_MULTIPLE);
    for (size_t n = 0; n < 2; n++) MPI_Comm_dup(MPI_COMM_WORLD, &comms[n]);
    for (size_t n = 0; n < 2; n++) pthread_create(&threads[n], NULL, work, (void *)n);
    for (size_t n = 0; n < 2; n++) pthread_join(threads[n], NULL);
    for (size_t n = 0; n < 2; n++) MPI_Comm_free(&comms[n]);
    MPI_Finalize();
    return 0;
}
