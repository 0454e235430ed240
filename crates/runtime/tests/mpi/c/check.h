/* The code that the programs share. A program that finds everything right prints nothing and ends
 * with 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what) \
    do { \
        if (!(what)) wrong(#what, __FILE__, __LINE__); \
    } while (0)

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static int rank, size;

static void wrong(const char *what, const char *file, int line) {
    fprintf(stderr, "%s:%d: rank %d: not so: %s\n", file, line, rank, what);
    MPI_Abort(MPI_COMM_WORLD, 3);
    exit(3);
}

/* MPI_Init, one MPI_Comm_rank, one MPI_Comm_size. */
static inline void begin(int ranks) {
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(size == ranks);
}
