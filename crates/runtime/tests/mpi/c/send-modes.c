/* Blocking point to point: the four modes, a derived type, no elements, MPI_PROC_NULL, wildcards,
 * statuses that are ignored. */
#include "check.h"

static void sender(void) {
    int numbers[24] = {1, 2, 3, 4};
    double reals[3] = {1, 2, 3};
    char room[MPI_BSEND_OVERHEAD + 100];
    void *old;
    int old_size;
    long ready = 7;
    MPI_Datatype vector;
    MPI_Send(numbers, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Ssend(reals, 3, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend("abcd", 5, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
    MPI_Buffer_detach(&old, &old_size);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Rsend(&ready, 1, MPI_LONG, 1, 4, MPI_COMM_WORLD);
    /* 6 elements in an extent of 8. */
    MPI_Type_vector(2, 3, 5, MPI_INT, &vector);
    MPI_Type_commit(&vector);
    MPI_Send(numbers, 2, vector, 1, 5, MPI_COMM_WORLD);
    MPI_Type_free(&vector);
    MPI_Send(NULL, 0, MPI_INT, 1, 6, MPI_COMM_WORLD);
    MPI_Send(numbers, 4, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD);
    MPI_Recv(numbers, 4, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void receiver(void) {
    int numbers[24], elements;
    double reals[10];
    char text[10];
    long ready = 0;
    MPI_Status status;
    MPI_Request request;
    MPI_Recv(numbers, 10, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(numbers[3] == 4);
    MPI_Recv(reals, 10, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &elements);
    CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == 2 && elements == 3);
    MPI_Recv(text, 10, MPI_CHAR, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(!strcmp(text, "abcd"));
    MPI_Irecv(&ready, 1, MPI_LONG, 0, 4, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(ready == 7 && request == MPI_REQUEST_NULL);
    MPI_Recv(numbers, 24, MPI_INT, 0, 5, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &elements);
    CHECK(elements == 12);
    MPI_Recv(NULL, 0, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    CHECK(status.MPI_TAG == 6);
}

int main(void) {
    begin(2);
    rank ? receiver() : sender();
    MPI_Finalize();
    return 0;
}
