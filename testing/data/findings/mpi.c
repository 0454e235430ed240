// Ranks that move particles and exchange a value with their neighbours in 60 steps, with one fault,
// which the argument names: see README.md.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 60, LARGE = 4 << 20 };

static const char *fault;
static char *large;
static int rank, ranks;

static int has(const char *name) {
    return !strcmp(fault, name);
}

// Computes for about this many milliseconds.
__attribute__((noinline)) static void work(double milliseconds) {
    for (volatile long rest = (long)(milliseconds * 2500000); rest > 0; rest--) {
    }
}

__attribute__((noinline)) static void read_mesh(void) {
    work(600);
}

__attribute__((noinline)) static void move_particles(double milliseconds) {
    work(milliseconds);
}

__attribute__((noinline)) static void sum_forces(double milliseconds) {
    work(milliseconds);
}

__attribute__((noinline)) static void sort_particles(void) {
    work(40);
}

__attribute__((noinline)) static void write_checkpoint(void) {
    FILE *file = fopen("checkpoint", "w");
    for (int block = 0; block < 16; block++)
        fwrite(large, 1, LARGE, file);
    fflush(file);
    fsync(fileno(file));
    fclose(file);
}

static void exchange(void) {
    int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
    double sent = rank, received;
    if (has("late_receivers") && ranks > 1) {
        // All compute as much, but senders of large messages after them, receivers before them.
        if (rank % 2 == 0) {
            MPI_Send(large, LARGE, MPI_CHAR, next, 0, MPI_COMM_WORLD);
            sum_forces(20);
        } else {
            sum_forces(20);
            MPI_Recv(large, LARGE, MPI_CHAR, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        return;
    }
    if (has("wrong_order")) {
        // Rank 1 sends last, and rank 0 receives from it first.
        if (rank > 0) {
            sum_forces(rank == 1 ? 10 : 1);
            MPI_Send(&sent, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
            sum_forces(rank == 1 ? 0 : 9);
        }
        for (int source = 1; rank == 0 && source < ranks; source++) {
            MPI_Recv(&received, 1, MPI_DOUBLE, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum_forces(5);
        }
        return;
    }
    if (has("not_hidden")) {
        // The library moves large messages only when it is called.
        MPI_Request requests[2];
        MPI_Irecv(large, LARGE / 2, MPI_CHAR, previous, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(large + LARGE / 2, LARGE / 2, MPI_CHAR, next, 0, MPI_COMM_WORLD, &requests[1]);
        sum_forces(2);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        return;
    }
    for (int value = 0; value < (has("small_messages") ? 70 : 1); value++)
        MPI_Sendrecv(&sent, 1, MPI_DOUBLE, next, 0, &received, 1, MPI_DOUBLE, previous, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
}

static void step(int number) {
    double moving = 2;
    if (has("straggler") && rank == 1)
        moving = 12;
    if (has("imbalance") && number % ranks == rank)
        moving = 14;
    if (has("not_running"))
        moving = 10;
    if (has("small_messages"))
        moving = 0.1;
    if (has("slower_iterations"))
        moving = 1 + 0.4 * number;
    move_particles(moving);
    if (has("slow_iterations") && number % 10 == 9)
        sort_particles();
    if (has("hot_path") && rank == 0 && number % 5 == 4)
        write_checkpoint();
    exchange();
    double mine = rank, all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int count, char **values) {
    fault = count > 1 ? values[1] : "";
    large = calloc(1, LARGE);
    MPI_Init(&count, &values);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (has("serial_phase") && rank == 0)
        read_mesh();
    double mesh = 0;
    MPI_Bcast(&mesh, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int number = 0; number < (has("startup") ? 1 : STEPS); number++)
        step(number);
    MPI_Finalize();
    free(large);
}
