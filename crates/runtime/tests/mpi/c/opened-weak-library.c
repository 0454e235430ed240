/* The library that `opened-weak` opens. It uses a function of MPI 5 where there is one. */
#include "check.h"
#include <dlfcn.h>

int MPI_Abi_get_version(int *major, int *minor) __attribute__((weak));

int run(void) {
    int number = 3, got = 0, major = 0, minor = 0;
    CHECK(!!MPI_Abi_get_version == !!dlsym(RTLD_DEFAULT, "MPI_Abi_get_version"));
    begin(2);
    if (MPI_Abi_get_version) CHECK(MPI_Abi_get_version(&major, &minor) == MPI_SUCCESS);
    MPI_Sendrecv(&number, 1, MPI_INT, 1 - rank, 1, &got, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(got == 3);
    MPI_Finalize();
    return 0;
}
