/* A program without MPI that asks whether there is one. */
#include <dlfcn.h>
#include <stdio.h>

extern int MPI_Initialized(int *) __attribute__((weak));
extern int MPI_Init(int *, char ***) __attribute__((weak));

int main(void) {
    int flag = 0;
    if (MPI_Initialized && (MPI_Initialized(&flag) || flag)) return 1;
    /* With a runtime preloaded, the function exists, and reports that it does not work. */
    if (MPI_Init && !MPI_Init(NULL, NULL)) return 2;
    return 0;
}
